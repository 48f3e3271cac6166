#!/usr/bin/env bash
# Tries compat/simdutf8 where it is meant to be used: in programs that were written for simdutf8.
# Cargo fetches them from the registry; each is copied, patched to use ours, and runs its own tests.
#
# DROPIN=FOLDER patches with another package: with one that accepts everything, the tests must fail.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
folder=$target/dropin
dropin=$(realpath "${DROPIN:-compat/simdutf8}")
# The simdutf8 that ours stands for, and programs of which the registry has the tests.
packages=(simdutf8=0.1.5 encoding_rs=0.8.44 simd-json=0.17.3 sonic-rs=0.5.10 tokio-websockets=0.13.3)

export CARGO_TARGET_DIR=$folder/target CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
# Without optimisation utflane would have the scalar kernel alone.
optimised=--config=profile.dev.package.utflane.opt-level=1
rm -rf "$folder/src"
mkdir -p "$folder/src/fetch/src"

# Copies the sources of all packages to src/NAME, each as a separate workspace.
touch "$folder/src/fetch/src/lib.rs"
{
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n'
    for package in "${packages[@]}"; do echo "${package%=*} = \"=${package#*=}\""; done
} >"$folder/src/fetch/Cargo.toml"
sources=$(cargo metadata --quiet --format-version 1 --manifest-path "$folder/src/fetch/Cargo.toml" |
    grep -o '"manifest_path":"[^"]*"' | cut -d '"' -f 4)
for package in "${packages[@]}"; do
    cp -r "$(dirname "$(grep -F "/${package/=/-}/Cargo.toml" <<<"$sources")")" "$folder/src/${package%=*}"
    printf '\n[workspace]\n' >>"$folder/src/${package%=*}/Cargo.toml"
done

# Runs the tests of a package with the drop-in: `try NAME LEAST OPTION...`. Fails if fewer than LEAST
# pass, or if it is not the drop-in that they use.
try() {
    local name=$1 least=$2 passed
    shift 2
    echo "$name"
    (
        cd "$folder/src/$name"
        patch=(--config "patch.crates-io.simdutf8.path='$dropin'")
        # All others have the versions with which the package was published.
        cargo update --quiet "${patch[@]}" simdutf8
        used=$(cargo tree --quiet "${patch[@]}" --invert simdutf8 --depth 0)
        echo "  $used"
        grep -q '^simdutf8 v0\.1\.99 ' <<<"$used" || { echo "  not the drop-in"; exit 1; }
        timeout 600 cargo test --quiet "$optimised" "${patch[@]}" "$@" >"$folder/log-$name" 2>&1 ||
            { grep -E '^(error|test .*FAILED|    [a-z_:0-9]+$)' "$folder/log-$name" | tail -n 40; exit 1; }
    )
    passed=$(awk '/^test result: ok/ { sum += $4 } END { print sum + 0 }' "$folder/log-$name")
    echo "  $passed tests passed"
    [ "$passed" -ge "$least" ] || { echo "  that is less than $least"; return 1; }
}

# A program of our own that uses the others.
mkdir -p "$folder/src/ill_formed/tests"
cp -r "$folder/src/fetch/." "$folder/src/ill_formed"
sed -i '/^tokio-websockets/d' "$folder/src/ill_formed/Cargo.toml"
sed -i 's/^simdutf8 = .*/simdutf8 = "0.1"/; s/^name = "fetch"/name = "ill_formed"/' "$folder/src/ill_formed/Cargo.toml"
cp compat/simdutf8/programs/ill_formed.rs "$folder/src/ill_formed/tests/"

# The tests of simdutf8 and of our package: each also runs with the other package.
echo "simdutf8"
PYTHONDONTWRITEBYTECODE=1 compat/simdutf8/programs/interface.py "$folder/src/simdutf8"
mkdir -p "$folder/src/swapped/src" "$folder/src/swapped/tests"
touch "$folder/src/swapped/src/lib.rs"
cat >"$folder/src/swapped/Cargo.toml" <<END
[package]
name = "swapped"
version = "0.0.0"
edition = "2021"
[features]
public_imp = ["simdutf8/public_imp"]
aarch64_neon = ["simdutf8/aarch64_neon"]
[dependencies]
simdutf8 = { path = "$dropin" }
[workspace]
END
cp "$folder/src/simdutf8/tests/tests.rs" "$folder/src/swapped/tests/"
cp compat/simdutf8/tests/interface.rs "$folder/src/simdutf8/tests/"
printf '[[test]]\nname = "interface"\npath = "tests/interface.rs"\nedition = "2021"\n' >>"$folder/src/simdutf8/Cargo.toml"
# Its tests depend on the features for which they were compiled.
flags=
for feature in sse4.2 avx2; do
    grep -qw "${feature/./_}" /proc/cpuinfo && flags+=" -Ctarget-feature=+$feature"
done
RUSTFLAGS="-Awarnings $flags" cargo test --quiet "$optimised" --manifest-path "$folder/src/swapped/Cargo.toml" --features public_imp,aarch64_neon
cargo test --quiet "$optimised" --manifest-path "$folder/src/swapped/Cargo.toml"
RUSTFLAGS=-Awarnings cargo test --quiet "$optimised" --manifest-path "$folder/src/simdutf8/Cargo.toml" --features public_imp,aarch64_neon --test interface

# The package has the unit tests; tests that read test data are only in the repository.
try encoding_rs 140 --lib
# The package has no data for tests/jsonchecker.rs; criterion is for its measurements alone.
sed -i '/^\[target.*dev-dependencies\.criterion\]/,/^$/d; /^\[\[bench\]\]/,/^$/d' "$folder/src/simd-json/Cargo.toml"
try simd-json 300 --lib
# One test needs a package that is only in the repository, another one a file from there.
sed -i '/fn test_struct() {/,/^    }/{/fn test_struct\|^    }/!d}' "$folder/src/sonic-rs/src/serde/mod.rs"
try sonic-rs 95 --lib -- --skip test_node_from_files3
# Its examples alone need TLS.
sed -i '/^\[dev-dependencies\.\(tokio-\)\?rustls/,/^$/d; /^\[\[example\]\]/,/^$/d' "$folder/src/tokio-websockets/Cargo.toml"
rm -r "$folder/src/tokio-websockets/examples"
try tokio-websockets 3 --features client,server,fastrand,sha1_smol --test utf8_validation --lib
try ill_formed 3 --test ill_formed

#!/usr/bin/env bash
# Tests compat/simdutf8 with crates that use simdutf8. Cargo fetches the crates from the registry. Each
# crate is copied, patched to use our package, and runs its own tests.
#
# DROPIN=FOLDER uses another package instead of ours. With a package that accepts everything, the tests
# must fail.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
folder=$target/dropin
dropin=$(realpath "${DROPIN:-compat/simdutf8}")
# The simdutf8 that our package replaces, and crates whose packages in the registry contain tests.
packages=(simdutf8=0.1.5 encoding_rs=0.8.44 simd-json=0.17.3 sonic-rs=0.5.10 tokio-websockets=0.13.3)

export CARGO_TARGET_DIR=$folder/target CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
# Without optimisation, utflane contains only the scalar kernel.
optimised=--config=profile.dev.package.utflane.opt-level=1
rm -rf "$folder/src"
mkdir -p "$folder/src/fetch/src"

# Copies the sources of each package to src/NAME, as a separate workspace.
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

# `test_package NAME MINIMUM OPTION...` runs the tests of a package with our simdutf8. Fails if fewer than
# MINIMUM tests pass, or if the package uses another simdutf8.
test_package() {
    local name=$1 minimum=$2 passed
    shift 2
    echo "$name"
    (
        cd "$folder/src/$name"
        patch=(--config "patch.crates-io.simdutf8.path='$dropin'")
        # Only simdutf8 is updated. The other dependencies keep the versions in the package's lock file.
        cargo update --quiet "${patch[@]}" simdutf8
        used=$(cargo tree --quiet "${patch[@]}" --invert simdutf8 --depth 0)
        echo "  $used"
        grep -q '^simdutf8 v0\.1\.99 ' <<<"$used" || { echo "  the package does not use our simdutf8"; exit 1; }
        timeout 600 cargo test --quiet "$optimised" "${patch[@]}" "$@" >"$folder/log-$name" 2>&1 ||
            { grep -E '^(error|test .*FAILED|    [a-z_:0-9]+$)' "$folder/log-$name" | tail -n 40; exit 1; }
    )
    passed=$(awk '/^test result: ok/ { sum += $4 } END { print sum + 0 }' "$folder/log-$name")
    echo "  $passed tests passed"
    [ "$passed" -ge "$minimum" ] || { echo "  fewer than $minimum tests passed"; return 1; }
}

# Makes a package of our own that depends on the other packages and runs ill_formed.rs.
mkdir -p "$folder/src/ill_formed/tests"
cp -r "$folder/src/fetch/." "$folder/src/ill_formed"
sed -i '/^tokio-websockets/d' "$folder/src/ill_formed/Cargo.toml"
sed -i 's/^simdutf8 = .*/simdutf8 = "0.1"/; s/^name = "fetch"/name = "ill_formed"/' "$folder/src/ill_formed/Cargo.toml"
cp compat/simdutf8/programs/ill_formed.rs "$folder/src/ill_formed/tests/"

# Compares the interfaces. Then runs the tests of simdutf8 with our package, and the interface test of our
# package with simdutf8.
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
# simdutf8's tests select the code to test by the target features for which they are compiled.
flags=
for feature in sse4.2 avx2; do
    grep -qw "${feature/./_}" /proc/cpuinfo && flags+=" -Ctarget-feature=+$feature"
done
RUSTFLAGS="-Awarnings $flags" cargo test --quiet "$optimised" --manifest-path "$folder/src/swapped/Cargo.toml" --features public_imp,aarch64_neon
cargo test --quiet "$optimised" --manifest-path "$folder/src/swapped/Cargo.toml"
RUSTFLAGS=-Awarnings cargo test --quiet "$optimised" --manifest-path "$folder/src/simdutf8/Cargo.toml" --features public_imp,aarch64_neon --test interface

# The package contains only the unit tests. Tests that read test data are only in the repository.
test_package encoding_rs 140 --lib
# The package lacks the data for tests/jsonchecker.rs. Only the benchmarks need criterion.
sed -i '/^\[target.*dev-dependencies\.criterion\]/,/^$/d; /^\[\[bench\]\]/,/^$/d' "$folder/src/simd-json/Cargo.toml"
test_package simd-json 300 --lib
# One test needs a package that is only in the repository. Another test needs a file of the repository.
sed -i '/fn test_struct() {/,/^    }/{/fn test_struct\|^    }/!d}' "$folder/src/sonic-rs/src/serde/mod.rs"
test_package sonic-rs 95 --lib -- --skip test_node_from_files3
# Only the examples need TLS.
sed -i '/^\[dev-dependencies\.\(tokio-\)\?rustls/,/^$/d; /^\[\[example\]\]/,/^$/d' "$folder/src/tokio-websockets/Cargo.toml"
rm -r "$folder/src/tokio-websockets/examples"
test_package tokio-websockets 3 --features client,server,fastrand,sha1_smol --test utf8_validation --lib
test_package ill_formed 3 --test ill_formed

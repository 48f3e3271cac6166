#!/usr/bin/env bash
# Tests compat/simdutf8 with crates that use simdutf8. Cargo fetches the crates from the registry. Each
# crate is copied, patched to use our package, and runs its own tests.
#
# DROPIN=FOLDER uses another package instead of ours. With a package that accepts everything, the tests
# must fail.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../../.."
folder=${CARGO_TARGET_DIR:-$PWD/target}/dropin
replaced=simdutf8
dropin=$(realpath "${DROPIN:-compat/simdutf8}")
. compat/packages.sh
# The simdutf8 that our package replaces, and crates whose packages in the registry contain tests.
fetch_packages simdutf8=0.1.5 encoding_rs=0.8.44 simd-json=0.17.3 sonic-rs=0.5.10 tokio-websockets=0.13.3

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

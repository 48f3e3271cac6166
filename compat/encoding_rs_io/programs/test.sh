#!/usr/bin/env bash
# Tests compat/encoding_rs_io with crates that use encoding_rs_io. Cargo fetches the crates from the registry.
# Each crate is copied, patched to use our package, and runs its own tests.
#
# DROPIN=FOLDER uses another package instead of ours.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../../.."
folder=${CARGO_TARGET_DIR:-$PWD/target}/dropin-io
replaced=encoding_rs_io
dropin=$(realpath "${DROPIN:-compat/encoding_rs_io}")
. compat/packages.sh
fetch_packages encoding_rs_io=0.1.8 grep-searcher=0.1.17 ripgrep=15.2.0

# Makes a package of the tests and the examples of encoding_rs_io 0.1.8 that use its public interface. The
# tests of src/util.rs are for private types.
swapped=$folder/src/swapped
mkdir -p "$swapped/src" "$swapped/tests"
cat >"$swapped/Cargo.toml" <<END
[package]
name = "swapped"
version = "0.0.0"
edition = "2015"
[dependencies]
encoding_rs = "0.8"
encoding_rs_io = "0.1"
[workspace]
END
sed -n 's/super::{/encoding_rs_io::{/; /^mod tests {/,$p' "$folder/src/encoding_rs_io/src/lib.rs" >"$swapped/tests/tests.rs"
sed -i '1i extern crate encoding_rs;\nextern crate encoding_rs_io;' "$swapped/tests/tests.rs"
sed -n 's,^ */// \?,,; /^```ignore/,/^```$/d; /^```$/,/^```$/p' "$folder/src/encoding_rs_io/src/lib.rs" >"$swapped/src/examples.md"
echo '#![doc = include_str!("examples.md")]' >"$swapped/src/lib.rs"
# 26 tests and 3 examples.
test_package swapped 29

test_package grep-searcher 77 --lib
test_package ripgrep 440

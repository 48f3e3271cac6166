#!/usr/bin/env bash
# Compares the library through C with the Rust functions and simdutf's C API: `capi/measure.sh
# TEXT...` prints the tables of capi/README.md, for files of UTF-8. Needs g++.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
prefix=$target/capi/prefix
mkdir -p "$target/capi"
capi/install.sh "$prefix" >/dev/null 2>&1
# This crate contains the functions of simdutf's C API.
simdutf=$(cargo metadata --locked --format-version 1 |
    python3 -c 'import json, sys; print(*(p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "simdutf"))')
g++ -std=c++17 -O3 -DNDEBUG -shared -fPIC "$(dirname "$simdutf")/cpp/simdutfrs.cpp" -o "$target/capi/libsimdutf_c.so"
cargo run --quiet --release --locked --manifest-path capi/Cargo.toml --example measure -- \
    "$prefix/lib/libutflane.so" "$target/capi/libsimdutf_c.so" "$@"

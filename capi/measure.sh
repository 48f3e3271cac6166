#!/usr/bin/env bash
# Compares calls of the C library with the Rust functions and with simdutf, called from C by the
# functions that the crate simdutf wraps around it. `capi/measure.sh TEXT...` measures with the
# UTF-8 files TEXT, and prints the table of capi/README.md. Needs g++.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
prefix=$target/capi/prefix
mkdir -p "$target/capi"
capi/install.sh "$prefix" >/dev/null 2>&1
# The crate simdutf contains the sources of simdutf, and of C functions that call it.
simdutf=$(cargo metadata --locked --format-version 1 |
    python3 -c 'import json, sys; print(*(p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "simdutf"))')
g++ -std=c++17 -O3 -DNDEBUG -shared -fPIC "$(dirname "$simdutf")/cpp/simdutfrs.cpp" -o "$target/capi/libsimdutf_c.so"
cargo run --quiet --release --locked --manifest-path capi/Cargo.toml --example measure -- \
    "$prefix/lib/libutflane.so" "$target/capi/libsimdutf_c.so" "$@"

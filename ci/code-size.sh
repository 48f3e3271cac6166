#!/usr/bin/env bash
# Measures the code that the library adds to a program that uses every operation for every pair of
# encodings: the size of .text and .rodata in a release build of ci/code-size's program `everything`,
# with all kernels of this architecture, minus their size in its program `empty`.
#
# It measures four builds: conversions without the feature `avx512`, conversions with it, all
# operations, and these with all code pages. It fails if a build exceeds its limit, and then prints the largest functions.
#
# It also fails if a vector instruction is a separate function.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}/code-size

# The limits in KiB: the measured size plus two or three, because the size of the same tree differs by
# one from checkout to checkout (hashes of crates decide the order in which LLVM inlines).
LIMIT=450
LIMIT_AVX512=576
LIMIT_ALL=935
LIMIT_PAGES=1055

# This is the release profile that users get, except that panic messages contain the same paths in
# every checkout.
unset CARGO_ENCODED_RUSTFLAGS
export RUSTFLAGS="--remap-path-prefix=$PWD=."
export CARGO_INCREMENTAL=0

# Prints the size of .text and .rodata of a program, in bytes: `section_bytes PROGRAM`.
section_bytes() {
    size -A "$target/release/$1" | awk '$1 == ".text" || $1 == ".rodata" { sum += $2 } END { print sum + 0 }'
}

# Builds both programs with options for cargo, and compares the difference of their sizes with a limit
# in KiB: `measure LIMIT DESCRIPTION [OPTION...]`.
measure() {
    local limit=$1 description=$2 added kib
    shift 2
    cargo build --quiet --locked --release --manifest-path ci/code-size/Cargo.toml --target-dir "$target" "$@"
    added=$(($(section_bytes everything) - $(section_bytes empty)))
    # A very small difference means that the linker removed the operations.
    if [ "$added" -lt 65536 ]; then
        echo "code size: only $added bytes; the program does not contain the operations"
        exit 1
    fi
    kib=$(((added + 1023) / 1024))
    echo "code size: every operation of every pair adds $kib KiB of .text and .rodata $description; the limit is $limit KiB"
    if [ "$kib" -gt "$limit" ]; then
        nm -C --print-size --size-sort --reverse-sort --radix=d --defined-only "$target/release/everything" |
            awk '$3 ~ /^[tTwWrR]$/ && /utflane/ && n++ < 40 { $1 = ""; print }'
        exit 1
    fi
}

# All builds with AVX-512 have the feature `code-pages`, so that the library is compiled only twice. The
# linker removes what a program does not call.
measure "$LIMIT" "without AVX-512"
measure "$LIMIT_AVX512" "with it" --features avx512,utflane/code-pages
measure "$LIMIT_ALL" "with it, CESU-8, Modified UTF-8, WTF-8, repairs, counts and positions" --features avx512,all,utflane/code-pages
measure "$LIMIT_PAGES" "with it, all of these, and all code pages" --features avx512,all,pages
# No vector instruction may be a separate function. A closure that a function of the standard library
# calls, such as `map` of an array, may lack the target features of the vectors. Then each instruction
# in the closure is a call. The two instructions that query the features are calls on purpose.
functions=$(nm -C --defined-only "$target/release/everything" | grep -F ' core::core_arch::' | grep -Ev '::(_xgetbv|__cpuid)' || true)
if [ "$functions" ]; then
    echo "code size: vector instructions that are separate functions:"
    echo "$functions"
    exit 1
fi

#!/usr/bin/env bash
# Measures the code that the library adds to a program that uses every operation for every pair of
# encodings: the .text and .rodata of a release build of ci/code-size's `everything`, with all
# kernels of this architecture, minus the sizes of its `empty`.
#
# It fails above the limits, and names the largest functions: of conversions without the feature
# `avx512` and with it, and of all that there is.
#
# It also fails if a vector instruction is a separate function.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}/code-size

# KiB: the size measured and two or three more, because the same tree differs by one from checkout to
# checkout (hashes of crates decide the order in which LLVM inlines).
LIMIT=495
LIMIT_AVX512=627
LIMIT_ALL=1139
LIMIT_PAGES=1256

# The release profile as users get it; but that the messages of panics name the same paths wherever
# this is run.
unset CARGO_ENCODED_RUSTFLAGS
export RUSTFLAGS="--remap-path-prefix=$PWD=."
export CARGO_INCREMENTAL=0

# Bytes of the sections named, of a program.
sections() {
    size -A "$target/release/$1" | awk '$1 == ".text" || $1 == ".rodata" { sum += $2 } END { print sum + 0 }'
}

# Builds with some features, and compares with a limit: `measure LIMIT WHAT [OPTION...]`.
measure() {
    local limit=$1 what=$2 added kib
    shift 2
    cargo build --quiet --locked --release --manifest-path ci/code-size/Cargo.toml --target-dir "$target" "$@"
    added=$(($(sections everything) - $(sections empty)))
    # Something is wrong where naming everything adds next to nothing: then it was left out.
    if [ "$added" -lt 65536 ]; then
        echo "code size: only $added bytes; the program names nothing"
        exit 1
    fi
    kib=$(((added + 1023) / 1024))
    echo "code size: every operation of every pair adds $kib KiB of .text and .rodata $what, of at most $limit"
    if [ "$kib" -gt "$limit" ]; then
        nm -C --print-size --size-sort --reverse-sort --radix=d --defined-only "$target/release/everything" |
            awk '$3 ~ /^[tTwWrR]$/ && /utflane/ && n++ < 40 { $1 = ""; print }'
        exit 1
    fi
}

measure "$LIMIT" "without AVX-512"
measure "$LIMIT_AVX512" "with it" --features avx512
measure "$LIMIT_ALL" "with it, CESU-8, Modified UTF-8, WTF-8, repairs, counts and positions" --features avx512,all
measure "$LIMIT_PAGES" "with it, all of these, and all code pages" --features avx512,all,pages
# No vector instruction is a separate function. A closure that a function of the standard library
# calls, such as `map` of an array, may lack the vectors' features, and then each instruction in it
# is a call. The two instructions that query the features are calls on purpose.
functions=$(nm -C --defined-only "$target/release/everything" | grep -F ' core::core_arch::' | grep -Ev '::(_xgetbv|__cpuid)' || true)
if [ "$functions" ]; then
    echo "code size: instructions that are functions of their own:"
    echo "$functions"
    exit 1
fi

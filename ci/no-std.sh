#!/usr/bin/env bash
# Builds the program ci/no-std, checks its symbols and runs it. The program has its own panic handler,
# so that it would not link with std, and it must have no symbol of std or alloc. It is built three
# times: without features; with the features `cpuid` and `avx512`, by which the library detects the
# kernels of an x86 processor without std; and with these features and an optimised library. Without
# optimisation the active kernel must be `scalar`, with optimisation it is the best one.
#
#     ci/no-std.sh [KERNEL]       fails if the optimised library does not choose this kernel
set -euo pipefail
# `set -e` also applies in command substitutions.
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}/no-std

# Builds the program with options for cargo, checks and runs it. Prints the active kernel, which the
# program reports.
build_and_run() {
    cargo build --locked --manifest-path ci/no-std/Cargo.toml --target-dir "$target" "$@" >&2
    local program=$target/debug/utflane-no-std symbols
    symbols=$(nm -C "$program")
    grep -q ' utflane::' <<<"$symbols" || { echo "no symbols of utflane, so there is nothing to check" >&2; return 1; }
    if grep -E '(^|[^A-Za-z0-9_])(std|alloc)::' <<<"$symbols" >&2; then
        echo "these symbols come from std or alloc" >&2
        return 1
    fi
    "$program"
    echo "no_std: $(wc -l <<<"$symbols") symbols, none of std or alloc; the program runs${*:+ with $*}" >&2
}

kernel=$(build_and_run)
echo "chosen by the features of the target: $kernel"
kernel=$(build_and_run --features cpuid,avx512)
echo "without optimisation: $kernel"
[ "$kernel" = scalar ] || { echo "expected the kernel scalar"; exit 1; }
kernel=$(build_and_run --features cpuid,avx512 --config profile.dev.package.utflane.opt-level=1)
echo "detected on the processor: $kernel"
if [ $# -gt 0 ] && [ "$kernel" != "$1" ]; then
    echo "expected the kernel $1"
    exit 1
fi

#!/usr/bin/env bash
# Builds, looks into and runs the program ci/no-std: it has its own panic handler, so a second one
# from std would not link, and no symbol of std or alloc may be in it. Once as it is, and with the
# feature `cpuid`, by which it finds the kernels of an x86 processor all the same, AVX-512 among them:
# none without optimisation, and the best one where the library is optimised.
#
#     ci/no-std.sh [KERNEL]       fails if it does not find this one
set -euo pipefail
# Also in substitutions.
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}/no-std

# Builds and runs it with options for cargo; prints the kernel that it says is active.
run() {
    cargo build --locked --manifest-path ci/no-std/Cargo.toml --target-dir "$target" "$@" >&2
    local program=$target/debug/utflane-no-std symbols
    symbols=$(nm -C "$program")
    grep -q ' utflane::' <<<"$symbols" || { echo "no symbols of utflane: this looks at nothing" >&2; return 1; }
    if grep -E '(^|[^A-Za-z0-9_])(std|alloc)::' <<<"$symbols" >&2; then
        echo "these come from std or alloc" >&2
        return 1
    fi
    "$program"
    echo "no_std: $(wc -l <<<"$symbols") symbols, none of std or alloc; the program runs${*:+ with $*}" >&2
}

kernel=$(run)
echo "by the target's features: $kernel"
kernel=$(run --features cpuid,avx512)
echo "without optimisation: $kernel"
[ "$kernel" = scalar ] || { echo "not scalar"; exit 1; }
kernel=$(run --features cpuid,avx512 --config profile.dev.package.utflane.opt-level=1)
echo "by asking the processor: $kernel"
if [ $# -gt 0 ] && [ "$kernel" != "$1" ]; then
    echo "not $1"
    exit 1
fi

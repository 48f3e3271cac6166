#!/usr/bin/env bash
# Compiles a caller of every operation (ci/code-size) without optimisation, and checks the functions of
# utflane in the caller's object file. The object file may contain only shims: small functions of the
# modules of the public API, and no function that processes text. Then the debug build of a caller runs
# kernels that were compiled with the profile of the library. ci/code-size.sh uses the same target
# folder, so that the library is compiled once.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}/code-size

# Incremental compilation changes inlining. The flags are as in ci/code-size.sh.
export CARGO_INCREMENTAL=0 RUSTFLAGS="--remap-path-prefix=$PWD=."
unset CARGO_ENCODED_RUSTFLAGS

# The limits in bytes of unoptimised machine code: for one function, for a function that is
# `#[inline(always)]` and so handles short texts in the caller, and for all functions together.
MAX_FUNCTION=1400
MAX_INLINED=60000
MAX_TOTAL=1550000
# The limit for a function that only returns a constant or a quotient.
MAX_TRIVIAL=160

manifest=ci/code-size/Cargo.toml
# The old object files are removed, so that exactly one exists after the build.
cargo clean --quiet --manifest-path "$manifest" --target-dir "$target" -p utflane-code-size
rm -f "$target"/release/deps/utflane_code_size*.o
cargo rustc --locked --manifest-path "$manifest" --target-dir "$target" --features avx512,all,utflane/code-pages --lib \
    --release --config profile.release.package.utflane-code-size.opt-level=0 \
    --config profile.release.package.utflane-code-size.debug-assertions=true -- \
    --emit=obj -Ccodegen-units=1 -Csymbol-mangling-version=v0
objects=("$target"/release/deps/utflane_code_size*.o)
[ ${#objects[@]} -eq 1 ] || { echo "expected one object file: ${objects[*]}"; exit 1; }

# `functions` are the functions that the object file defines, with their sizes, the largest first.
# `ours` are utflane's functions, and functions of core and alloc that are instantiated for utflane's
# types.
functions=$(nm -C --print-size --size-sort --reverse-sort --radix=d --defined-only "${objects[0]}" |
    awk '$3 ~ /^[tTwWvV]$/ { size = $2 + 0; sub(/^[^ ]+ [^ ]+ [^ ]+ /, ""); print size, $0 }')
ours=$(grep -E '[^A-Za-z0-9_]utflane::' <<<"$functions" | grep -vE '^[0-9]+ utflane_code_size::' || true)
[ -n "$ours" ] || { echo "no function of utflane found, so there is nothing to check"; exit 1; }

failed=0
# In `dispatch::pairs`, the types of the tables are shims, and functions begin with lowercase letters.
# Functions of at most MAX_TRIVIAL bytes don't read the text, and the compiler may place them anywhere.
# `ByteTranscoder::push` is a shim that is generic over its output.
if awk -v trivial="$MAX_TRIVIAL" '$1 > trivial || !/utflane::dispatch::pairs::/' <<<"$functions" |
    grep -v 'utflane::stream::transcoder::ByteTranscoder>::push::<' |
    grep -E 'utflane::(scalar|generic|arch|tables)::|utflane::dispatch::pairs::[a-z0-9_]+::[a-z]|utflane::stream::(carry|validator::Byte|transcoder::Byte)|utflane::lossy::(plan|operations::(into_from|len$))|utflane::owned::(growth|Growth|append|convert|write)'; then
    echo "these internal functions are compiled in the caller's crate"
    failed=1
fi
if large=$(awk -v other="$MAX_FUNCTION" -v inlined="$MAX_INLINED" '$1 > (/ utflane::operations::free::transcode_into/ ? inlined : other)' <<<"$ours") && [ -n "$large" ]; then
    printf '%s\n%s\n' "$large" "these are larger than $MAX_FUNCTION or $MAX_INLINED bytes, too large for shims"
    failed=1
fi
total=$(awk '{ sum += $1 } END { print sum }' <<<"$ours")
echo "thin callers: $(wc -l <<<"$ours") functions of utflane in a caller of all pairs, $total bytes; the largest:"
sed -n 1,5p <<<"$ours"
if [ "$total" -gt "$MAX_TOTAL" ]; then
    echo "more than $MAX_TOTAL bytes"
    failed=1
fi
exit "$failed"

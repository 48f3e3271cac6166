#!/usr/bin/env bash
# Compiles a caller of every operation (ci/code-size) without optimisation and checks the functions
# of utflane in the caller's object file: there are only shims, and no function that handles text.
# So a caller's debug build runs the kernels that the library's own profile compiled. The library is
# shared with ci/code-size.sh, so that it is compiled once.
#
# Functions of the public API's modules may be there, if they are small.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}/code-size

# Incremental compilation changes inlining. The flags are as in ci/code-size.sh.
export CARGO_INCREMENTAL=0 RUSTFLAGS="--remap-path-prefix=$PWD=."
unset CARGO_ENCODED_RUSTFLAGS

# Bytes of machine code, unoptimised: of one function, of one that is `#[inline(always)]` to answer
# short texts in the caller, and of all together.
ONE=1400
INLINED=60000
ALL=1550000
# Of a function that only returns a constant or a quotient.
ANSWER=160

manifest=ci/code-size/Cargo.toml
# So that exactly one object file is there afterwards.
cargo clean --quiet --manifest-path "$manifest" --target-dir "$target" -p utflane-code-size
rm -f "$target"/release/deps/utflane_code_size*.o
cargo rustc --locked --manifest-path "$manifest" --target-dir "$target" --features avx512,all --lib \
    --release --config profile.release.package.utflane-code-size.opt-level=0 \
    --config profile.release.package.utflane-code-size.debug-assertions=true -- \
    --emit=obj -Ccodegen-units=1 -Csymbol-mangling-version=v0
objects=("$target"/release/deps/utflane_code_size*.o)
[ ${#objects[@]} -eq 1 ] || { echo "not one object file: ${objects[*]}"; exit 1; }

# Functions that are defined here, with their sizes, biggest first; then utflane's functions, and
# functions of core and alloc that are instantiated for its types.
functions=$(nm -C --print-size --size-sort --reverse-sort --radix=d --defined-only "${objects[0]}" |
    awk '$3 ~ /^[tTwWvV]$/ { size = $2 + 0; sub(/^[^ ]+ [^ ]+ [^ ]+ /, ""); print size, $0 }')
ours=$(grep -E '[^A-Za-z0-9_]utflane::' <<<"$functions" | grep -vE '^[0-9]+ utflane_code_size::' || true)
[ -n "$ours" ] || { echo "no function of utflane found: this looks at nothing"; exit 1; }

failed=0
# The table's type is a shim; its functions begin with small letters. Some of them do not read the
# text, and the compiler may place them anywhere.
if awk -v answer="$ANSWER" '$1 > answer || !/utflane::dispatch::pairs::/' <<<"$functions" |
    grep -E 'utflane::(scalar|generic|arch|tables)::|utflane::dispatch::pairs::[a-z0-9_]+::[a-z]|utflane::stream::(carry|validator::Byte|transcoder::Byte)|utflane::lossy::(plan|operations::(into_from|len$))|utflane::owned::(Growth|fill|append|convert|room|step|repair|short)'; then
    echo "these are internals, and compiled in the caller's crate"
    failed=1
fi
if big=$(awk -v one="$ONE" -v inlined="$INLINED" '$1 > (/ utflane::operations::free::transcode_into/ ? inlined : one)' <<<"$ours") && [ -n "$big" ]; then
    printf '%s\n%s\n' "$big" "these are above $ONE or $INLINED bytes, too big for shims"
    failed=1
fi
total=$(awk '{ sum += $1 } END { print sum }' <<<"$ours")
echo "thin face: $(wc -l <<<"$ours") functions of utflane in a caller of all pairs, $total bytes; the biggest:"
sed -n 1,5p <<<"$ours"
if [ "$total" -gt "$ALL" ]; then
    echo "more than $ALL bytes"
    failed=1
fi
exit "$failed"

#!/usr/bin/env bash
# Compiles a caller of every verb (ci/thin-face) without optimisation and looks at what of utflane
# is in the caller's own object file: shims, and nothing that handles text. So a caller's debug
# build runs the kernels as the library's own profile compiled them.
#
# The modules of the face may be there, by name, and no function of it above a size.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}/thin-face

# Inlining differs with it.
export CARGO_INCREMENTAL=0

# Bytes of machine code, unoptimised: of one function, and of each pair's share in all of them
# together. The biggest are those of `short`, which are in the caller on purpose.
ONE=1400
EACH_PAIR=10600
# Of a function that only returns a constant or a quotient.
ANSWER=96

manifest=ci/thin-face/Cargo.toml
# So that exactly one object file is there afterwards.
cargo clean --quiet --manifest-path "$manifest" --target-dir "$target" -p utflane-thin-face
rm -f "$target"/debug/deps/utflane_thin_face*.o
cargo rustc --locked --manifest-path "$manifest" --target-dir "$target" --lib -- \
    --emit=obj -Ccodegen-units=1 -Csymbol-mangling-version=v0
objects=("$target"/debug/deps/utflane_thin_face*.o)
[ ${#objects[@]} -eq 1 ] || { echo "not one object file: ${objects[*]}"; exit 1; }

# Functions that are defined here, with their sizes, biggest first; then those of utflane, and those
# of core and alloc that were made for its types.
functions=$(nm -C --print-size --size-sort --reverse-sort --radix=d --defined-only "${objects[0]}" |
    awk '$3 ~ /^[tTwWvV]$/ { size = $2 + 0; sub(/^[^ ]+ [^ ]+ [^ ]+ /, ""); print size, $0 }')
ours=$(grep -E '[^A-Za-z0-9_]utflane::' <<<"$functions" | grep -vE '^[0-9]+ utflane_thin_face::' || true)
pairs=$(grep -cE '^    [a-z0-9_]+: [A-Z][A-Za-z0-9]+ to ' ci/thin-face/src/lib.rs)
[ -n "$ours" ] && [ "$pairs" -gt 0 ] || { echo "no function of utflane found: this looks at nothing"; exit 1; }

failed=0
# The table's own type is a shim; its functions begin with small letters. Some of those only say
# what needs no look at the text, and the compiler may put them anywhere.
if awk -v answer="$ANSWER" '$1 > answer || !/utflane::dispatch::pairs::/' <<<"$functions" |
    grep -E 'utflane::(scalar|generic|arch|tables)::|utflane::dispatch::pairs::[a-z0-9_]+::[a-z]|utflane::stream::(carry|validator::Byte|transcoder::Byte)|utflane::lossy::(plan|verbs::(into_from|len$))|utflane::owned::(Growth|fill|append|convert|room|step|repair|short)'; then
    echo "these are internals, and compiled in the caller's crate"
    failed=1
fi
if big=$(awk -v one="$ONE" '$1 > one' <<<"$ours") && [ -n "$big" ]; then
    printf '%s\n%s\n' "$big" "these are above $ONE bytes, too big for shims"
    failed=1
fi
total=$(awk '{ sum += $1 } END { print sum }' <<<"$ours")
echo "thin face: $(wc -l <<<"$ours") functions of utflane in a caller of $pairs pairs, $total bytes; the biggest:"
sed -n 1,5p <<<"$ours"
if [ "$total" -gt $((EACH_PAIR * pairs)) ]; then
    echo "more than $EACH_PAIR bytes a pair"
    failed=1
fi
exit "$failed"

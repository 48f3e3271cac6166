#!/usr/bin/env bash
# Compares the table of unsafe code in ARCHITECTURE.md with the sources: as many blocks in as many files. With --list, it
# prints what the table must have.
set -euo pipefail
cd "$(dirname "$0")/.."

# File and blocks, for each file of the library and the command that has any. Comments don't count, so that the examples in the
# documentation don't either.
count() {
    git ls-files -- build.rs 'src/*.rs' 'cli/*.rs' | LC_ALL=C sort | while IFS= read -r file; do
        blocks=$({ grep -vE '^\s*//' "$file" || true; } | { grep -oE '\bunsafe \{' || true; } | wc -l)
        [ "$blocks" -eq 0 ] || echo "$file $blocks"
    done
}

# The same as the table has it.
table() {
    sed -nE 's/^\| `([^`]*\.rs)` \| ([0-9]+) \|.*/\1 \2/p' ARCHITECTURE.md | LC_ALL=C sort
}

case ${1:-} in
--list) count ;;
'')
    diff -u --label "ARCHITECTURE.md, section 'Unsafe code'" --label "the sources" <(table) <(count) || {
        echo "put the table right, and say why the file needs it"
        exit 1
    }
    blocks=$(count | awk '{ sum += $2 } END { print sum }')
    files=$(count | wc -l)
    grep -qF "$blocks blocks in $files files" ARCHITECTURE.md ||
        { echo "ARCHITECTURE.md doesn't say '$blocks blocks in $files files'"; exit 1; }
    # What implements an unsafe trait, or declares foreign functions, would be promises that no block shows.
    ! git grep -nE '^[^/]*\bunsafe (impl|trait|extern)\b' -- build.rs 'src/*.rs' 'cli/*.rs'
    ;;
*) sed -n '2,3s/^# //p' "$0"; exit 2 ;;
esac

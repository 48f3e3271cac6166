#!/usr/bin/env bash
# Checks that the tracked files contain nothing that should not be committed, and that lists and
# documents about the files are up to date.
set -euo pipefail
cd "$(dirname "$0")/.."
# `report` is the last command of pipelines and must set `found` in this shell, not in a subshell.
shopt -s lastpipe
found=0

# Prints its input under a heading, if the input is not empty.
report() {
    local lines
    lines=$(cat)
    if [ -n "$lines" ]; then
        printf '%s:\n%s\n' "$1" "$lines"
        found=1
    fi
}

# Searches the tracked files. `git grep` returns 1 if it finds nothing, and more than 1 if it fails.
search() {
    git grep -nIE "$@" || [ $? -eq 1 ]
}

files=('*.rs' '*.md' '*.toml' '*.sh' '*.py' '*.txt' '*.js' '*.css' '*.html' '*.c' '*.cpp' '*.h' '*.cmake' '.ci/run' ':!ci/check-tree.sh')
search '(^|[^A-Za-z0-9_.~$}-])/(home|root|work|tmp)/[A-Za-z]' -- "${files[@]}" | report "paths of one machine"
search '(todo|unimplemented)!\(|dbg!\(|(FIXME|XXX)' -- "${files[@]}" | report "unfinished work"
search '^(<<<<<<<|>>>>>>>) ' -- "${files[@]}" | report "merge conflicts"
search '^source = ' -- '*Cargo.lock' |
    { grep -v 'source = "registry+https://github.com/rust-lang/crates.io-index"' || true; } |
    report "dependencies that are not from crates.io"
git ls-files -z -- '*.rs' | while IFS= read -r -d '' file; do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt 700 ]; then echo "$file: $lines lines"; fi
done | report "files with more than 700 lines, which probably contain two ideas"
# rustfmt does not check the bodies of macros, comments and strings.
LC_ALL=C.UTF-8 search '.{101}' -- '*.rs' | { grep -vE ':[0-9]+: *//[/!] \||https?://' || true; } |
    report "lines with more than 100 characters, except rows of tables and lines with addresses"
git ls-files -- '*tests/all/*.rs' | sed -n 's,^\(.*tests/all\)/\([^/]*\)\.rs$,\1 \2,p' | while read -r folder module; do
    [ "$module" = main ] || grep -qx "mod $module;" "$folder/main.rs" || echo "$folder/$module.rs"
done | report "test modules that the main.rs of their folder doesn't declare"
{ ci/unsafe.py 2>&1 || true; } | report "docs/UNSAFE.md is out of date"
{ tests/hand-mutants.py --check 2>&1 || true; } | report "mutants of tests/hand-mutants.txt that do not match their files"
{ ci/layers.py 2>&1 >/dev/null || true; } | report "imports from higher layers, or import cycles"
split_words() { tr -s ' ()=' '\n' | sed '/^$/d' | sort; }
diff <(sed -n '/^STEPS=(/,/)$/p' .ci/run | split_words | grep -vxE 'STEPS|tools') \
    <(sed -n 's/^ *steps: \(.\)/\1/p' .github/workflows/ci.yml | split_words) |
    report "differences between the steps of .ci/run and of .github/workflows/ci.yml"

[ "$found" -eq 0 ]

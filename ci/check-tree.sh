#!/usr/bin/env bash
# Checks that the tracked files contain nothing that should not be committed, and that the
# documentation of the files is true.
set -euo pipefail
cd "$(dirname "$0")/.."
# `report` ends pipelines and must be able to set this.
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

# `git grep` is 1 where nothing is found, and more where it fails.
search() {
    git grep -nIE "$@" || [ $? -eq 1 ]
}

files=('*.rs' '*.md' '*.toml' '*.sh' '*.py' '*.txt' '*.js' '*.css' '*.html' '*.c' '*.cpp' '*.h' '*.cmake' '.ci/run' ':!ci/check-tree.sh')
search '(^|[^A-Za-z0-9_.~$}-])/(home|root|work|tmp)/[A-Za-z]' -- "${files[@]}" | report "a path of one machine"
search '(todo|unimplemented)!\(|dbg!\(|(FIXME|XXX)' -- "${files[@]}" | report "work left undone"
search '^(<<<<<<<|>>>>>>>) ' -- "${files[@]}" | report "a conflict of a merge"
search '^source = ' -- '*Cargo.lock' |
    { grep -v 'source = "registry+https://github.com/rust-lang/crates.io-index"' || true; } |
    report "a dependency that is not from crates.io"
git ls-files -z -- '*.rs' | while IFS= read -r -d '' file; do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt 700 ]; then echo "$file: $lines lines"; fi
done | report "more than 700 lines, so likely two ideas in one file"
# Where rustfmt can't look, or doesn't: bodies of macros, comments, strings.
LC_ALL=C.UTF-8 search '.{101}' -- '*.rs' | { grep -vE ':[0-9]+: *//[/!] \||https?://' || true; } |
    report "more than 100 characters in a line that is no row of a table and has no address"
git ls-files -- tests/all | sed -n 's,^tests/all/\(.*\)\.rs$,\1,p' | grep -vx main | while IFS= read -r module; do
    grep -qx "mod $module;" tests/all/main.rs || echo "tests/all/$module.rs"
done | report "tests that tests/all/main.rs doesn't name"
{ ci/unsafe.py 2>&1 || true; } | report "the list of unsafe code is not true"
{ ci/hand-mutants.py --check 2>&1 || true; } | report "a mutant of ci/hand-mutants.txt that is not in its file"
{ ci/layers.py 2>&1 >/dev/null || true; } | report "imports that go up, or in a circle"
words() { tr -s ' ()=' '\n' | sed '/^$/d' | sort; }
diff <(sed -n '/^STEPS=(/,/)$/p' .ci/run | words | grep -vxE 'STEPS|tools') \
    <(sed -n 's/^ *steps: \(.\)/\1/p' .github/workflows/ci.yml | words) |
    report "steps that only one of .ci/run and .github/workflows/ci.yml has"

[ "$found" -eq 0 ]

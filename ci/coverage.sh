#!/usr/bin/env bash
# How much of the library the quick tests reach, by file: lines, functions and branches of code
# (regions), on every kernel of this machine.
#
#     ci/coverage.sh                 all tests, with one in 15 of large sets of inputs: some minutes
#     ci/coverage.sh FILTER          the tests of that name
#     ci/coverage.sh --missed FILE   the lines of a file, as src/lib.rs, that no test has reached in the last run
#
# Needs llvm-profdata and llvm-cov of the LLVM that rustc is built with (`rustc -vV`); on Debian, as
# root: `apt-get install llvm-22`. Not counted are the code that examples in the documentation and
# the command's tests reach, and constants that the compiler computes.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}/coverage

case "$#:${1-}" in
0: | 1:[!-]* | 2:--missed) ;;
*) echo "coverage: what is ${*@Q}? usage: ci/coverage.sh [FILTER | --missed FILE]" >&2; exit 2 ;;
esac

version=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
tool() {
    command -v "$1-$version" || command -v "/usr/lib/llvm-$version/bin/$1" ||
        { echo "coverage: no $1 of LLVM $version here; on Debian: apt-get install llvm-$version" >&2; return 1; }
}
profdata=$(tool llvm-profdata)
cov=$(tool llvm-cov)

unset CARGO_ENCODED_RUSTFLAGS
export RUSTFLAGS="-Cinstrument-coverage" UTFLANE_TEST_SHARE="${UTFLANE_TEST_SHARE:-15}"
# The counts of build scripts and macros are of no use.
export LLVM_PROFILE_FILE=/dev/null
build=(cargo test --locked --release -p utflane --lib --test all --target-dir "$target")

if [ "${1-}" != --missed ]; then
    "${build[@]}" --quiet --no-run
    rm -f "$target"/*.profraw
    # Tests start the program again, so each process has its own counts. One test at a time: threads
    # would wait for each other's.
    LLVM_PROFILE_FILE="$target/%p.profraw" "${build[@]}" --quiet -- --test-threads=1 ${1:+"$1"} >"$target/log" 2>&1 ||
        { tail -n 30 "$target/log"; exit 1; }
    "$profdata" merge --sparse "$target"/*.profraw -o "$target/all.profdata"
    rm -f "$target"/*.profraw
fi

# Two programs: the library's own tests, and all others.
mapfile -t programs < <("${build[@]}" --no-run 2>&1 | sed -n 's/.*Executable .*(\(.*\))$/\1/p')
from=(--instr-profile="$target/all.profdata" "${programs[0]}" --object="${programs[1]}")
if [ "${1-}" = --missed ]; then
    # Of all forms that types give a function, what any of them has reached.
    "$cov" show "${from[@]}" --show-instantiations=false --path-equivalence=src/,"$PWD/src/" --sources "$PWD/$2" |
        grep -E '^ *[0-9]+\| *0\|' || echo "every line of $2 is reached"
else
    "$cov" report "${from[@]}" --show-branch-summary=false --path-equivalence=src/,"$PWD/src/" --sources "$PWD/src"
fi

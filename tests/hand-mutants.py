#!/usr/bin/env python3
"""Makes the mutants of tests/hand-mutants.txt, one at a time, and runs the tests that should fail for each.

    tests/hand-mutants.py                    tries all mutants
    tests/hand-mutants.py groups.rs 0xE1     tries the mutants with one of these words in their path or in their line of the list
    tests/hand-mutants.py --full groups.rs   runs all default tests of the crate for each mutant, not only the tests that the list names
    tests/hand-mutants.py --check            only checks that the old text of each mutant occurs exactly once in its file

The file is restored afterwards, also after an interrupt. A mutant that doesn't compile is an error in the list. Prints a line for
each mutant: the test that killed it, or SURVIVED. A mutant that is marked EQUIVALENT is also tried, and must survive.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# These builds are incremental and hardly optimised, so that a mutant recompiles a few functions and not the whole library.
QUICK = ["--target-dir=target/quick", "--config=profile.test.incremental=true"]
LIBRARY = ["cargo", "test", *QUICK, "--config=profile.test.opt-level=1", "--config=profile.test.debug=false", "--features", "columns,rayon"]
ARROW = ["cargo", "test", *QUICK, "--manifest-path", "crates/utflane-arrow/Cargo.toml"]
# Runs the programs of capi/test.sh that call all functions, without installing the library.
CAPI = ["bash", "-c", """set -e
cargo rustc -q --manifest-path capi/Cargo.toml --lib --crate-type cdylib --target-dir target/quick --features capi
library=(-Icapi/include -Ltarget/quick/debug -lutflane_capi "-Wl,-rpath,$PWD/target/quick/debug")
for name in pairs streams results; do
    gcc -std=c11 -D_GNU_SOURCE -O1 capi/tests/$name.c -o target/quick/$name "${library[@]}"
    target/quick/$name
done
simdutf=$(dirname "$(cargo metadata --locked --format-version 1 | grep -o '[^"]*/simdutf-[^"/]*/Cargo.toml' | head -n 1)")/cpp
[ -f target/quick/simdutf.o ] || g++ -std=c++17 -O1 -c "$simdutf/simdutf.cpp" -o target/quick/simdutf.o
g++ -std=c++17 -O1 -isystem "$simdutf" capi/tests/differential.cpp target/quick/simdutf.o -o target/quick/differential "${library[@]}"
target/quick/differential 20"""]
EVERYTHING = [*LIBRARY, "--lib", "--test", "all", "--test", "par"]
# For each name that the list uses: the command to which a selection of tests is added, and the command
# that runs all default tests.
TESTS = {
    "all": ([*LIBRARY, "--test", "all", "--"], EVERYTHING),
    "par": ([*LIBRARY, "--test", "par", "--"], EVERYTHING),
    "unit": ([*LIBRARY, "--lib", "--"], EVERYTHING),
    "capi": (CAPI, CAPI),
    "arrow": ([*ARROW, "--test", "rows", "--"], ARROW),
}


def read_mutants():
    """Yields the mutants of the list: line, file, old text, new text, selections of tests, and the reason why no test can fail."""
    for line in (ROOT / "tests/hand-mutants.txt").read_text().splitlines():
        if line.startswith("    "):
            edit, _, reason = line.strip().partition("  EQUIVALENT: ")
            old = re.sub(r"\{\+.*?\+\}", "", re.sub(r"\[-(.*?)-\]", r"\1", edit))
            new = re.sub(r"\[-.*?-\]", "", re.sub(r"\{\+(.*?)\+\}", r"\1", edit))
            yield edit, file, old, new, tests, reason
        elif line and not line.startswith("#"):
            file, _, selections = line.partition(" $ ")
            tests = [test.split() for test in selections.split(" ; ")]


def run_tests(commands):
    """Returns the name of the first test that fails, or None if all succeed. Ends the program if the code doesn't compile."""
    for command in commands:
        try:
            result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1500)
        except subprocess.TimeoutExpired:
            return "a timeout"
        output = result.stdout + result.stderr
        if "could not compile" in output:
            sys.exit(output[-3000:])
        if result.returncode:
            failed = re.search(r"^test (.*) \.\.\. FAILED$|^(\S+\.(?:c|cpp):\d+: .*)$", output, re.M)
            return failed[1] or failed[2] if failed else f"a crash ({result.returncode})"
    return None


def main():
    options = {"--full", "--check"} & set(sys.argv[1:])
    words = [word for word in sys.argv[1:] if word not in options]
    unexpected = 0
    for edit, path, old, new, tests, reason in read_mutants():
        if words and not any(word in f"{path} {edit}" for word in words):
            continue
        file = ROOT / path
        source = file.read_text() if file.exists() else ""
        if old == new:
            sys.exit(f"tests/hand-mutants.txt: {path}: this mutant changes nothing: {old}")
        if source.count(old) != 1:
            sys.exit(f"tests/hand-mutants.txt: {path} has the text {source.count(old)} times, not once: {old}")
        if "--check" in options:
            continue
        commands = [TESTS[tests[0][0]][1]] if "--full" in options else [TESTS[name][0] + selected for name, *selected in tests]
        try:
            file.write_text(source.replace(old, new))
            killer = run_tests(commands)
        finally:
            file.write_text(source)
            # Without this, cargo would not notice a later change in the same second.
            os.utime(file)
        unexpected += bool(killer) == bool(reason)
        line = source[: source.index(old)].count("\n") + 1
        print(f"{path}:{line}: {edit}: {f'killed by {killer}' if killer else f'SURVIVED {reason}'}", flush=True)
    sys.exit(unexpected > 0)


if __name__ == "__main__":
    main()

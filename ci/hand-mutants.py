#!/usr/bin/env python3
"""Makes the mutants of ci/hand-mutants.txt, one at a time, and runs the tests that should fail for each.

    ci/hand-mutants.py                    all of them
    ci/hand-mutants.py groups.rs 0xE1     mutants with one of these words in their path or their line of the list
    ci/hand-mutants.py --full groups.rs   each with all default tests of its crate, not only the tests that the list names
    ci/hand-mutants.py --check            only checks that each is found in its file, exactly once

The file is restored afterwards, also after an interrupt. A mutant that doesn't compile is an error of the list. Prints a line for
each: killed by which test, or SURVIVED. One that is EQUIVALENT is tried too, and must survive.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Incremental, and hardly optimised: a mutant costs the compilation of a few functions, and not of the library.
QUICK = ["--target-dir=target/quick", "--config=profile.test.incremental=true"]
LIBRARY = ["cargo", "test", *QUICK, "--config=profile.test.opt-level=1", "--config=profile.test.debug=false", "--features", "columns,rayon"]
ARROW = ["cargo", "test", *QUICK, "--manifest-path", "crates/utflane-arrow/Cargo.toml"]
# The programs of capi/test.sh that need nothing but gcc, without an installation.
CAPI = ["bash", "-c", """set -e
cargo rustc -q --manifest-path capi/Cargo.toml --lib --crate-type cdylib --target-dir target/quick --features capi
for name in pairs streams results simdutf part_seams; do
    gcc -std=c11 -D_GNU_SOURCE -O1 -Icapi/include capi/tests/$name.c -o target/quick/$name \\
        -Ltarget/quick/debug -lutflane_capi "-Wl,-rpath,$PWD/target/quick/debug"
    target/quick/$name
done"""]
EVERYTHING = [*LIBRARY, "--lib", "--test", "all", "--test", "par"]
# For each name in the list: the command to which a selection of tests is added, and the command of
# all default tests.
TESTS = {
    "all": ([*LIBRARY, "--test", "all", "--"], EVERYTHING),
    "par": ([*LIBRARY, "--test", "par", "--"], EVERYTHING),
    "unit": ([*LIBRARY, "--lib", "--"], EVERYTHING),
    "capi": (CAPI, CAPI),
    "arrow": ([*ARROW, "--test", "rows", "--"], ARROW),
}


def mutants():
    """The mutants of the list: line, file, old text, new text, selections of tests, the reason if it is equivalent."""
    for line in (ROOT / "ci/hand-mutants.txt").read_text().splitlines():
        if line.startswith("    "):
            place, _, reason = line.strip().partition("  EQUIVALENT: ")
            old = re.sub(r"\{\+.*?\+\}", "", re.sub(r"\[-(.*?)-\]", r"\1", place))
            new = re.sub(r"\[-.*?-\]", "", re.sub(r"\{\+(.*?)\+\}", r"\1", place))
            yield place, file, old, new, tests, reason
        elif line and not line.startswith("#"):
            file, _, selections = line.partition(" $ ")
            tests = [test.split() for test in selections.split(" ; ")]


def killer_of(commands):
    """The first test that fails, None if all succeed. Ends the program where something doesn't compile."""
    for command in commands:
        try:
            ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1500)
        except subprocess.TimeoutExpired:
            return "no end"
        output = ended.stdout + ended.stderr
        if "could not compile" in output:
            sys.exit(output[-3000:])
        if ended.returncode:
            failed = re.search(r"^test (.*) \.\.\. FAILED$|^(\S+\.(?:c|cpp):\d+: .*)$", output, re.M)
            return failed[1] or failed[2] if failed else f"a crash ({ended.returncode})"
    return None


def main():
    options = {"--full", "--check"} & set(sys.argv[1:])
    words = [word for word in sys.argv[1:] if word not in options]
    unexpected = 0
    for place, path, old, new, tests, reason in mutants():
        if words and not any(word in f"{path} {place}" for word in words):
            continue
        file = ROOT / path
        source = file.read_text() if file.exists() else ""
        if old == new or source.count(old) != 1:
            sys.exit(f"ci/hand-mutants.txt: {path} has {source.count(old)} places with {old}")
        if "--check" in options:
            continue
        commands = [TESTS[tests[0][0]][1]] if "--full" in options else [TESTS[name][0] + selected for name, *selected in tests]
        try:
            file.write_text(source.replace(old, new))
            killer = killer_of(commands)
        finally:
            file.write_text(source)
            # A later change in the same second would not be seen.
            os.utime(file)
        unexpected += bool(killer) == bool(reason)
        line = source[: source.index(old)].count("\n") + 1
        print(f"{path}:{line}: {place}: {f'killed by {killer}' if killer else f'SURVIVED {reason}'}", flush=True)
    sys.exit(unexpected > 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes the mutants of ci/hand-mutants.txt, one at a time, and runs the tests that should fail for each.

    ci/hand-mutants.py                    all of them
    ci/hand-mutants.py groups.rs 0xE1     those with one of these words in their path or their new text
    ci/hand-mutants.py --full groups.rs   each with all default tests of its crate, not only those that its entry names

A mutant is an edit of one line; the file is restored afterwards, also after an interrupt. A mutant that doesn't compile, or
whose line is not found exactly once, is an error of the list. Prints a line for each: killed by which test, or SURVIVED.
`EQUIVALENT: reason` in the list names one that changes no result; it is tried too, and must survive.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "ci/hand-mutants.txt"
# Incremental, and hardly optimised: a mutant costs the compilation of a few functions, and not of the library.
QUICK = ["--target-dir=target/quick", "--config=profile.test.incremental=true", "--config=profile.test.opt-level=1",
         "--config=profile.test.debug=false"]
LIBRARY = ["cargo", "test", *QUICK, "--features", "columns,rayon"]
ARROW = ["cargo", "test", "--manifest-path", "crates/utflane-arrow/Cargo.toml", "--target-dir=target/quick",
         "--config=profile.test.incremental=true"]
# The programs of capi/test.sh that need nothing but gcc, without an installation.
CAPI = """set -e
cargo rustc -q --manifest-path capi/Cargo.toml --lib --crate-type cdylib --target-dir target/quick --features capi
for name in pairs streams results simdutf part_seams; do
    gcc -std=c11 -D_GNU_SOURCE -O1 -Icapi/include capi/tests/$name.c -o target/quick/$name \\
        -Ltarget/quick/debug -lutflane_capi "-Wl,-rpath,$PWD/target/quick/debug"
    target/quick/$name
done"""
# For each name in the list: the command of the build and the tests. What follows the name selects tests.
TESTS = {
    "all": [*LIBRARY, "--test", "all", "--"],
    "par": [*LIBRARY, "--test", "par", "--"],
    "unit": [*LIBRARY, "--lib", "--"],
    "capi": ["bash", "-c", CAPI],
    "arrow": [*ARROW, "--test", "rows", "--"],
}
# The same without a selection: all default tests of the crate.
FULL = {
    **{name: [[*LIBRARY, "--lib", "--test", "all", "--test", "par"]] for name in ("all", "par", "unit")},
    "capi": [TESTS["capi"]],
    "arrow": [ARROW],
}


def mutants():
    """The entries of the list: file, old text, new text, commands, the reason if it is equivalent."""
    for entry in LIST.read_text().split("\n\n"):
        lines = [line for line in entry.splitlines() if line and not line.startswith("#")]
        if lines:
            path, old, new, tests, *reason = lines
            assert old.startswith("- ") and new.startswith("+ ") and tests.startswith("$ "), entry
            yield path, old[2:], new[2:], [test.split() for test in tests[2:].split(" ; ")], "".join(reason)


def run(commands):
    """The first test that fails, None if all succeed. Ends the program where something doesn't compile."""
    for command in commands:
        try:
            ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1500)
        except subprocess.TimeoutExpired:
            return "no end"
        if ended.returncode == 0:
            continue
        output = ended.stdout + ended.stderr
        if "could not compile" in output:
            sys.exit(output[-3000:])
        failed = re.search(r"^test (.*) \.\.\. FAILED$|^(\S+\.(?:c|cpp):\d+: .*)$", output, re.M)
        return " ".join(group for group in failed.groups() if group) if failed else f"a crash ({ended.returncode})"
    return None


def main():
    full = "--full" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--full"]
    unexpected = 0
    for path, old, new, tests, reason in mutants():
        if words and not any(word in f"{path} {new}" for word in words):
            continue
        file = ROOT / path
        source = file.read_text()
        if source.count(old) != 1:
            sys.exit(f"{path}: {source.count(old)} places with {old}")
        line = source[: source.index(old)].count("\n") + 1
        commands = FULL[tests[0][0]] if full else [TESTS[name] + selected for name, *selected in tests]
        try:
            file.write_text(source.replace(old, new))
            killer = run(commands)
        finally:
            file.write_text(source)
            # A later change in the same second would not be seen.
            os.utime(file)
        unexpected += bool(killer) == bool(reason)
        outcome = f"killed by {killer}" if killer else f"SURVIVED {reason}"
        print(f"{path}:{line}: `{old.strip()}` -> `{new.strip()}`: {outcome}", flush=True)
    sys.exit(unexpected > 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Generates docs/UNSAFE.md, the list of unsafe code, from the sources of the library and of its companion crates.

    ci/unsafe.py            fails if the list does not match the sources
    ci/unsafe.py --write    updates the list

The list has the number of unsafe blocks of each file, and the safety obligations from their comments. Comments and examples in
the documentation don't count. No code may implement an unsafe trait or declare foreign functions, because such code makes a
promise outside of unsafe blocks.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs/UNSAFE.md"
SOURCES = "build.rs src/*.rs tests/vectors/*.rs cli/*.rs web/*.rs compat/*/src/*.rs capi/src/*.rs crates/*/src/*.rs python/src/*.rs"
# Matches the sentences after `// SAFETY:`, on all lines of the comment.
OBLIGATION = re.compile(r"// SAFETY: (.*(?:\n\s*// .*)*)")
# Matches unsafe promises. An `unsafe extern "C" fn` is not a promise, because its caller makes the promise.
PROMISE = re.compile(r'\bunsafe (impl|trait|extern)\b(?! "C" fn)')
HEAD = """# Unsafe code

Made by `ci/unsafe.py --write` from the sources: each file with unsafe code, its blocks, and the duties that
their comments name. [ARCHITECTURE.md](../ARCHITECTURE.md) has the policy, and
[a decision](decisions/build-and-safety.md) the price of safe code.
"""

sections, promises, total = "", [], 0
names = subprocess.check_output(["git", "ls-files", *SOURCES.split()], cwd=ROOT, text=True).split()
for name in sorted(names):
    text = re.sub(r"^\s*//[/!].*\n", "", (ROOT / name).read_text(), flags=re.M)
    code = re.sub(r"^\s*//.*\n", "", text, flags=re.M)
    promises += [f"{name}: {line.strip()}" for line in code.splitlines() if PROMISE.search(line)]
    if block_count := len(re.findall(r"\bunsafe \{", code)):
        total += block_count
        obligations = dict.fromkeys(re.sub(r"\n\s*// ", " ", obligation).strip() for obligation in OBLIGATION.findall(text))
        sections += f"\n## {name}: {block_count}\n\n" + "".join(f"* {obligation}\n" for obligation in obligations)
new_list = HEAD + f"\n{total} blocks in {sections.count('## ')} files.\n" + sections
if promises:
    sys.exit("unsafe promises outside of unsafe blocks:\n" + "\n".join(promises))
if "--write" in sys.argv[1:]:
    LIST.write_text(new_list)
elif LIST.read_text() != new_list:
    sys.exit("docs/UNSAFE.md does not match the sources: run ci/unsafe.py --write")

#!/usr/bin/env python3
"""The list of unsafe code: docs/UNSAFE.md, made from the sources of the library and of its companion crates.

    ci/unsafe.py            fails if the list is not what the sources say
    ci/unsafe.py --write    renews it

It has the blocks of each file, and the duties that their comments name. Comments and examples in the documentation don't
count. No code may implement an unsafe trait or declare foreign functions: it would be a promise that no block shows.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs/UNSAFE.md"
SOURCES = "build.rs src/*.rs cli/*.rs web/*.rs compat/*/src/*.rs capi/src/*.rs crates/*/src/*.rs python/src/*.rs"
# The sentences after `// SAFETY:`, over as many lines as the comment has.
DUTY = re.compile(r"// SAFETY: (.*(?:\n\s*// .*)*)")
# A function that C calls is no promise: its caller makes one.
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
    if blocks := len(re.findall(r"\bunsafe \{", code)):
        total += blocks
        duties = dict.fromkeys(re.sub(r"\n\s*// ", " ", duty).strip() for duty in DUTY.findall(text))
        sections += f"\n## {name}: {blocks}\n\n" + "".join(f"* {duty}\n" for duty in duties)
new = HEAD + f"\n{total} blocks in {sections.count('## ')} files.\n" + sections
if promises:
    sys.exit("unsafe promises that no block shows:\n" + "\n".join(promises))
if "--write" in sys.argv[1:]:
    LIST.write_text(new)
elif LIST.read_text() != new:
    sys.exit("docs/UNSAFE.md is not what the sources say: run ci/unsafe.py --write")

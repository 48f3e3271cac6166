#!/usr/bin/env python3
"""The list of unsafe code: docs/UNSAFE.md, made from the sources of the library and the crates beside it.

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
BLOCK = re.compile(r"\bunsafe \{")
DUTY = re.compile(r"// SAFETY: (.*)")
# A function that C calls is no promise: its caller makes one.
PROMISE = re.compile(r'\bunsafe (impl|trait|extern)\b(?! "C" fn)')


def duties(lines):
    """The sentences after `// SAFETY:`, over as many lines as the comment has, each once."""
    found = []
    for at, line in enumerate(lines):
        duty = DUTY.search(line)
        if not duty:
            continue
        words = [duty.group(1)]
        for more in lines[at + 1 :]:
            if not (comment := re.match(r"\s*// (.*)", more)):
                break
            words.append(comment.group(1))
        text = " ".join(words).strip()
        if text not in found:
            found.append(text)
    return found


def main():
    names = subprocess.check_output(["git", "ls-files", "build.rs", "src/*.rs", "cli/*.rs", "web/*.rs", "compat/*/src/*.rs", "capi/src/*.rs", "crates/*/src/*.rs", "python/src/*.rs"], cwd=ROOT, text=True)
    rows, promises = [], []
    for name in sorted(names.split()):
        lines = (ROOT / name).read_text().splitlines()
        lines = [line for line in lines if not line.lstrip().startswith(("///", "//!"))]
        code = [line for line in lines if not line.lstrip().startswith("//")]
        promises += [f"{name}: {line.strip()}" for line in code if PROMISE.search(line)]
        blocks = sum(len(BLOCK.findall(line)) for line in code)
        if blocks:
            rows.append((name, blocks, duties(lines)))
    text = (
        "# Unsafe code\n\n"
        "Made by `ci/unsafe.py --write` from the sources: each file with unsafe code, its blocks, and the duties that\n"
        "their comments name. [ARCHITECTURE.md](../ARCHITECTURE.md) has the policy, and\n"
        "[a decision](decisions/build-and-safety.md) the price of safe code.\n\n"
        f"{sum(blocks for _, blocks, _ in rows)} blocks in {len(rows)} files.\n"
    )
    for name, blocks, found in rows:
        text += f"\n## {name}: {blocks}\n\n" + "".join(f"* {duty}\n" for duty in found)
    if promises:
        sys.exit("unsafe promises that no block shows:\n" + "\n".join(promises))
    if "--write" in sys.argv[1:]:
        LIST.write_text(text)
    elif not LIST.exists() or LIST.read_text() != text:
        sys.exit("docs/UNSAFE.md is not what the sources say: run ci/unsafe.py --write")


if __name__ == "__main__":
    main()

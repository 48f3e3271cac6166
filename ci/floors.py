#!/usr/bin/env python3
"""Checks that imports only go down, and that no files import each other in a circle.

    ci/floors.py            checks src/ and those of the crates beside it against the floors in DOCUMENTS
    ci/floors.py --files    also prints each file with the files that it imports

Each folder has a block of floors in one of the documents, lowest floor last; a block begins with ```floors and
the folder. A line is the number of a floor and the files and folders that are on it. A file may import files of its
own floor and of those below.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    "ARCHITECTURE.md",
    "capi/README.md",
    "compat/simdutf8/README.md",
    "crates/utflane-arrow/README.md",
    "crates/utflane-charset/README.md",
    "crates/utflane-datafusion/README.md",
    "docs/python.md",
    "web/README.md",
]
FOLDERS = [
    "src",
    "cli/src",
    "capi/src",
    "compat/simdutf8/src",
    "crates/utflane-arrow/src",
    "crates/utflane-charset/src",
    "crates/utflane-datafusion/src",
    "python/src",
    "web/src",
]
BLOCK = re.compile(r"^```floors (\S+)\n(.*?)^```", re.M | re.S)
# Comments and strings name paths too, but import nothing. A string may span lines.
IGNORED = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"', re.S)
USE = re.compile(r"^([ \t]*)(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", re.M)
# A file of another crate that this one compiles too: it has floors there.
ELSEWHERE = re.compile(r'#\[path = "\.\./\.\./[^"]*"\]\n(?:#\[[^\n]*\]\n)*mod (\w+);')
INLINE = re.compile(r"(?<![\w:$])(?:crate|super)(?:::\w+)+")


def floors_of(folder, text):
    """The floor of each file of a folder, by the block of its floors."""
    floors = {}
    for line in text.splitlines():
        number, *rooms = line.split()
        for room in rooms:
            path = folder / room
            for file in path.rglob("*.rs") if room.endswith("/") else [path]:
                if not file.is_file():
                    sys.exit(f"the floors of {folder}: {room} is not there")
                floors[file] = int(number)
    return floors


def module_of(folder, file):
    parts = file.relative_to(folder).with_suffix("").parts
    return () if parts[0] in ("lib", "main") else tuple(p for p in parts if p != "mod")


def leaves(tree):
    """The paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`."""
    tree = tree.strip()
    if not tree.endswith("}"):
        return [tree.split(" as ")[0].strip()]
    prefix, inner = tree[:-1].split("{", 1)
    parts, depth, start = [], 0, 0
    for at, char in enumerate(inner + ","):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append(inner[start:at])
            start = at + 1
    return [prefix.strip() + leaf for part in parts if part.strip() for leaf in leaves(part)]


def imports(module, text):
    """The paths from the root of its crate that a file names. A path that begins with `super` inside of a module in the
    file, such as its tests, may name the file itself: it is given as the file's own then."""
    text = IGNORED.sub("", text)
    used = [(indent, leaf) for indent, tree in USE.findall(text) for leaf in leaves(tree)]
    inline = [("", path) for path in INLINE.findall(USE.sub("", text))]
    for indent, path in used + inline:
        parts = [part.strip() for part in path.split("::")]
        supers = next((i for i, part in enumerate(parts) if part != "super"), len(parts))
        if parts[0] == "crate":
            yield tuple(parts[1:])
        elif parts[0] == "self":
            yield module + tuple(parts[1:])
        elif supers:
            depth = len(module) - supers + bool(indent)
            yield module[:depth] + tuple(parts[supers:])


def arrows_of(folder):
    """Each file with the files that it imports."""
    files = {module_of(folder, file): file for file in sorted(folder.rglob("*.rs"))}
    elsewhere = {name for file in files.values() for name in ELSEWHERE.findall(file.read_text())}
    arrows = {}
    for module, file in files.items():
        arrows[file] = set()
        for path in imports(module, file.read_text()):
            if path[:1] and path[0] in elsewhere:
                continue
            while path not in files:
                path = path[:-1]
            if path != module:
                arrows[file].add(files[path])
    return arrows


def circles_of(arrows):
    """The groups of files that import each other, directly or by way of others."""
    def reached(start):
        seen, todo = set(), [start]
        while todo:
            for file in arrows[todo.pop()] - seen:
                seen.add(file)
                todo.append(file)
        return seen

    reach = {file: reached(file) for file in arrows}
    circles = {frozenset(b for b in reach[a] if a in reach[b]) for a in arrows if a in reach[a]}
    return sorted(sorted(str(f.relative_to(ROOT)) for f in circle) for circle in circles)


def main():
    blocks = [block for name in DOCUMENTS for block in BLOCK.findall((ROOT / name).read_text())]
    if [name for name, _ in blocks] != FOLDERS:
        sys.exit(f"{', '.join(DOCUMENTS)}: there must be the floors of {', '.join(FOLDERS)}")
    found = []
    for name, text in blocks:
        folder = ROOT / name
        floors, arrows = floors_of(folder, text), arrows_of(folder)
        for file in sorted(arrows):
            here = str(file.relative_to(ROOT))
            if "--files" in sys.argv:
                print(here, "->", *sorted(str(to.relative_to(folder)) for to in arrows[file]))
            if file not in floors:
                found.append(f"{here}: on no floor")
                continue
            for to in sorted(arrows[file]):
                if floors.get(to, 0) > floors[file]:
                    found.append(f"{here}: imports {to.relative_to(ROOT)}, which is above")
        found += ["a circle: " + ", ".join(circle) for circle in circles_of(arrows)]
        print(f"{name}: {len(arrows)} files, {sum(map(len, arrows.values()))} imports")
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()

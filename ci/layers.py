#!/usr/bin/env python3
"""Checks that imports only go down, and that no files import each other in a circle.

    ci/layers.py            checks FOLDERS against their layers
    ci/layers.py --files    also prints each file with the files that it imports

Each folder has a block of layers in a document, the lowest layer last; a block begins with ```layers and the folder. A line is the
number of a layer and the files and folders that are on it. A file may import files of its own layer and of those below.
"""

import graphlib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = "src cli/src capi/src compat/simdutf8/src crates/utflane-arrow/src crates/utflane-charset/src crates/utflane-datafusion/src"
FOLDERS = {*FOLDERS.split(), "python/src", "web/src"}
BLOCK = re.compile(r"^```layers (\S+)\n(.*?)^```", re.M | re.S)
# Comments and strings name paths too, but import nothing. A string may span lines.
IGNORED = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"', re.S)
USE = re.compile(r"^([ \t]*)(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", re.M)
# A file of another crate that this one compiles too: it has layers there.
ELSEWHERE = re.compile(r'#\[path = "\.\./\.\./[^"]*"\]\n(?:#\[[^\n]*\]\n)*mod (\w+);')
INLINE = re.compile(r"(?<![\w:$])(?:crate|super)(?:::\w+)+")


def module_of(folder, file):
    parts = file.relative_to(folder).with_suffix("").parts
    return () if parts[0] in ("lib", "main") else tuple(part for part in parts if part != "mod")


def leaves(tree):
    """The paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`."""
    inner = re.compile(r"([\w:]*)\{([^{}]*)\}")
    while found := inner.search(tree):
        tree = tree.replace(found[0], ",".join(found[1] + leaf.strip() for leaf in found[2].split(",") if leaf.strip()))
    return [leaf.split(" as ")[0].strip() for leaf in tree.split(",")]


def imports(module, text):
    """The paths from the root of its crate that a file names. A path that begins with `super` inside of a module in the
    file, such as its tests, may name the file itself: it is given as the file's own then."""
    text = IGNORED.sub("", text)
    used = [(indent, leaf) for indent, tree in USE.findall(text) for leaf in leaves(tree)]
    for indent, path in used + [("", path) for path in INLINE.findall(USE.sub("", text))]:
        parts = tuple(part.strip() for part in path.split("::"))
        supers = next((i for i, part in enumerate(parts) if part != "super"), len(parts))
        if parts[0] == "crate":
            yield parts[1:]
        elif parts[0] == "self":
            yield module + parts[1:]
        elif supers:
            yield module[: len(module) - supers + bool(indent)] + parts[supers:]


def arrows_of(folder):
    """Each file with the files that it imports."""
    files = {module_of(folder, file): file for file in sorted(folder.rglob("*.rs"))}
    texts = {module: file.read_text() for module, file in files.items()}
    elsewhere = {name for text in texts.values() for name in ELSEWHERE.findall(text)}
    arrows = {file: set() for file in files.values()}
    for module, text in texts.items():
        for path in imports(module, text):
            if path[:1] and path[0] in elsewhere:
                continue
            while path not in files:
                path = path[:-1]
            if path != module:
                arrows[files[module]].add(files[path])
    return arrows


def main():
    documents = subprocess.check_output(["git", "ls-files", "*.md"], cwd=ROOT, text=True).split("\n")
    blocks = [block for name in documents if (ROOT / name).is_file() for block in BLOCK.findall((ROOT / name).read_text())]
    if sorted(name for name, _ in blocks) != sorted(FOLDERS):
        sys.exit(f"the documents must have the layers of {', '.join(sorted(FOLDERS))}, each once")
    found = []
    for name, text in blocks:
        folder = ROOT / name
        arrows = arrows_of(folder)
        layers = {}
        for number, module in ((line.split()[0], module) for line in text.splitlines() for module in line.split()[1:]):
            path = folder / module
            if not path.exists():
                found.append(f"the layers of {name}: {module} is not there")
            layers |= dict.fromkeys(path.rglob("*.rs") if module.endswith("/") else [path], int(number))
        for file, to in arrows.items():
            here = str(file.relative_to(ROOT))
            if "--files" in sys.argv:
                print(here, "->", *sorted(str(other.relative_to(folder)) for other in to))
            if file not in layers:
                found.append(f"{here}: in no layer")
            found += [f"{here}: imports {other.relative_to(ROOT)}, which is above" for other in sorted(to)
                      if layers.get(other, 0) > layers.get(file, 0)]
        try:
            graphlib.TopologicalSorter(arrows).prepare()
        except graphlib.CycleError as circle:
            found.append("a circle: " + ", ".join(str(file.relative_to(ROOT)) for file in circle.args[1]))
        print(f"{name}: {len(arrows)} files, {sum(map(len, arrows.values()))} imports")
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()

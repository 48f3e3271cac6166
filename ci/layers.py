#!/usr/bin/env python3
"""Checks that files import only from their own layer and lower layers, and that there are no import cycles.

    ci/layers.py            checks each folder of FOLDERS against its layers
    ci/layers.py --files    also prints each file with the files that it imports

A document lists the layers of each folder in a block, which begins with ```layers and the folder. Each line has the number of a
layer, and the files and folders in this layer. The lowest layer is last. A file may import files of its own layer and of lower
layers.
"""

import graphlib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = "src cli/src capi/src compat/encoding_rs_io/src compat/simdutf8/src crates/utflane-arrow/src crates/utflane-charset/src crates/utflane-datafusion/src"
FOLDERS = {*FOLDERS.split(), "python/src", "web/src"}
BLOCK = re.compile(r"^```layers (\S+)\n(.*?)^```", re.M | re.S)
# Paths in comments and strings are not imports. A string may span lines.
IGNORED = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"', re.S)
USE = re.compile(r"^([ \t]*)(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", re.M)
# A module whose file belongs to another crate. The layers of that crate contain the file.
FOREIGN_MODULE = re.compile(r'#\[path = "\.\./\.\./[^"]*"\]\n(?:#\[[^\n]*\]\n)*mod (\w+);')
PATH_IN_CODE = re.compile(r"(?<![\w:$])(?:crate|super)(?:::\w+)+")


def module_of(folder, file):
    parts = file.relative_to(folder).with_suffix("").parts
    return () if parts[0] in ("lib", "main") else tuple(part for part in parts if part != "mod")


def leaves(tree):
    """Returns the paths of a `use` tree: `a::{b, c::d}` gives `a::b` and `a::c::d`."""
    inner = re.compile(r"([\w:]*)\{([^{}]*)\}")
    while found := inner.search(tree):
        tree = tree.replace(found[0], ",".join(found[1] + leaf.strip() for leaf in found[2].split(",") if leaf.strip()))
    return [leaf.split(" as ")[0].strip() for leaf in tree.split(",")]


def imports(module, text):
    """Yields each path that the text of a module imports, from the root of its crate. Inside a nested module, such as the
    tests, a path that begins with `super` may mean the file itself. Then the path begins with the path of the file."""
    text = IGNORED.sub("", text)
    used = [(indent, leaf) for indent, tree in USE.findall(text) for leaf in leaves(tree)]
    for indent, path in used + [("", path) for path in PATH_IN_CODE.findall(USE.sub("", text))]:
        parts = tuple(part.strip() for part in path.split("::"))
        supers = next((i for i, part in enumerate(parts) if part != "super"), len(parts))
        if parts[0] == "crate":
            yield parts[1:]
        elif parts[0] == "self":
            yield module + parts[1:]
        elif supers:
            yield module[: len(module) - supers + bool(indent)] + parts[supers:]


def imports_by_file(folder):
    """Returns the set of imported files for each file of a folder."""
    files = {module_of(folder, file): file for file in sorted(folder.rglob("*.rs"))}
    texts = {module: file.read_text() for module, file in files.items()}
    foreign_modules = {name for text in texts.values() for name in FOREIGN_MODULE.findall(text)}
    imported = {file: set() for file in files.values()}
    for module, text in texts.items():
        for path in imports(module, text):
            if path[:1] and path[0] in foreign_modules:
                continue
            while path not in files:
                path = path[:-1]
            if path != module:
                imported[files[module]].add(files[path])
    return imported


def main():
    documents = subprocess.check_output(["git", "ls-files", "*.md"], cwd=ROOT, text=True).split("\n")
    blocks = [block for name in documents if (ROOT / name).is_file() for block in BLOCK.findall((ROOT / name).read_text())]
    if sorted(name for name, _ in blocks) != sorted(FOLDERS):
        sys.exit(f"the documents must list the layers of each of these folders exactly once: {', '.join(sorted(FOLDERS))}")
    problems = []
    for name, text in blocks:
        folder = ROOT / name
        imported = imports_by_file(folder)
        layers = {}
        for number, module in ((line.split()[0], module) for line in text.splitlines() for module in line.split()[1:]):
            path = folder / module
            if not path.exists():
                problems.append(f"the layers of {name}: {module} does not exist")
            layers |= dict.fromkeys(path.rglob("*.rs") if module.endswith("/") else [path], int(number))
        for file, targets in imported.items():
            shown = str(file.relative_to(ROOT))
            if "--files" in sys.argv:
                print(shown, "->", *sorted(str(target.relative_to(folder)) for target in targets))
            if file not in layers:
                problems.append(f"{shown}: not in any layer")
            problems += [f"{shown}: imports {target.relative_to(ROOT)}, which is in a higher layer" for target in sorted(targets)
                         if layers.get(target, 0) > layers.get(file, 0)]
        try:
            graphlib.TopologicalSorter(imported).prepare()
        except graphlib.CycleError as error:
            problems.append("an import cycle: " + ", ".join(str(file.relative_to(ROOT)) for file in error.args[1]))
        print(f"{name}: {len(imported)} files, {sum(map(len, imported.values()))} imports")
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()

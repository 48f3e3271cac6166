#!/usr/bin/env python3
"""The public API as a list: a sorted line for each item, with its signature, and the least features that it needs.

    ci/api.py            compares the list with api.txt
    ci/api.py --write    renews api.txt

rustdoc gives it as JSON, whose form changes with its version: a compiler with another one is refused by name.
"""

import difflib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "api.txt"
# Forms of rustdoc's JSON that have been looked at.
KNOWN = range(55, 60)
# From the fewest features to all; a line is marked with the first set that has it.
FEATURES = [
    ("core", []),
    ("stream", ["stream"]),
    ("count", ["count"]),
    ("transcode", ["transcode"]),
    ("alloc", ["transcode", "alloc"]),
    ("std", ["transcode", "std"]),
    ("rayon", ["rayon"]),
    ("columns", ["rayon", "columns"]),
    ("all", ["rayon", "columns", "avx512", "cpuid"]),
]
HEAD = """\
# The public API of utflane on x86-64 Linux: `ci/api.py --write` renews this list, CI compares it.
# Before each item, the feature that it needs: none (core), `stream`, `count` (implies `stream`), `transcode` (implies `count`),
# `alloc` (some with one of these), `std`, `rayon` or `columns` (implies `transcode` and `alloc`). Items of Windows (`wtf8::from_os_str`) are not here.
"""


def document(features, package="utflane", folder=ROOT):
    """What rustdoc says about a package with these features."""
    command = ["cargo", "rustdoc", "--locked", "--quiet", "--lib", "--no-default-features"]
    if features:
        command += ["--features", ",".join(features)]
    command += ["--", "-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"]
    # The flag is unstable; without this, only a nightly compiler takes it.
    environment = dict(os.environ, RUSTC_BOOTSTRAP="1")
    subprocess.run(command, cwd=folder, env=environment, check=True)
    target = pathlib.Path(environment.get("CARGO_TARGET_DIR", folder / "target"))
    with open(target / "doc" / f"{package}.json", encoding="utf-8") as file:
        described = json.load(file)
    if described["format_version"] not in KNOWN:
        sys.exit(f"rustdoc's JSON has version {described['format_version']}: look whether ci/api.py reads it, and add it to KNOWN")
    return described


def only(tagged):
    """The one entry of a tagged union; a tag without content stands for itself."""
    if isinstance(tagged, str):
        return tagged, None
    ((tag, content),) = tagged.items()
    return tag, content


def type_text(type_):
    """A type as it is written."""
    tag, it = only(type_)
    match tag:
        case "primitive" | "generic":
            return it
        case "resolved_path":
            return path_text(it)
        case "slice":
            return f"[{type_text(it)}]"
        case "array":
            return f"[{type_text(it['type'])}; {it['len']}]"
        case "tuple":
            return "(" + ", ".join(map(type_text, it)) + ("," if len(it) == 1 else "") + ")"
        case "borrowed_ref":
            lifetime = it["lifetime"] + " " if it["lifetime"] else ""
            return f"&{lifetime}{'mut ' if it['is_mutable'] else ''}{type_text(it['type'])}"
        case "raw_pointer":
            return f"*{'mut' if it['is_mutable'] else 'const'} {type_text(it['type'])}"
        case "impl_trait":
            return "impl " + bounds_text(it)
        case "dyn_trait":
            return "dyn " + " + ".join(path_text(entry["trait"]) for entry in it["traits"])
        case "qualified_path":
            name = it["name"] + arguments_text(it.get("args"))
            trait = it.get("trait")
            if trait and trait.get("path", trait.get("name")):
                return f"<{type_text(it['self_type'])} as {path_text(trait)}>::{name}"
            return f"{type_text(it['self_type'])}::{name}"
        case "function_pointer":
            return "fn" + signature_text(it["sig"])
    sys.exit(f"a type that ci/api.py doesn't know: {tag}")


def path_text(path):
    """A path with its arguments; of the path, the last name."""
    name = path.get("path", path.get("name"))
    return name.rsplit("::", 1)[-1] + arguments_text(path.get("args"))


def arguments_text(arguments):
    """Generic arguments, if there are any."""
    if not arguments:
        return ""
    tag, it = only(arguments)
    if tag == "parenthesized":
        output = f" -> {type_text(it['output'])}" if it["output"] else ""
        return "(" + ", ".join(map(type_text, it["inputs"])) + ")" + output
    parts = []
    for argument in it["args"]:
        kind, content = only(argument)
        if kind == "const":
            content = content["expr"]
        parts.append(type_text(content) if kind == "type" else str(content))
    for constraint in it["constraints"]:
        kind, content = only(constraint["binding"])
        name = constraint["name"] + arguments_text(constraint.get("args"))
        if kind == "equality":
            parts.append(f"{name} = {type_text(content['type'])}")
        else:
            parts.append(f"{name}: {bounds_text(content)}")
    return "<" + ", ".join(parts) + ">" if parts else ""


def bounds_text(bounds):
    """Bounds of a type, joined."""
    parts = []
    for bound in bounds:
        tag, it = only(bound)
        if tag == "trait_bound":
            parts.append(("?" if it["modifier"] == "maybe" else "") + path_text(it["trait"]))
        elif tag == "outlives":
            parts.append(it)
        else:
            parts.append("use<" + ", ".join(str(only(one)[1] or one) for one in it) + ">")
    return " + ".join(parts)


def generics_text(generics):
    """Parameters before, and the where clause after."""
    parameters, where = [], []
    for parameter in generics["params"]:
        tag, it = only(parameter["kind"])
        if tag == "lifetime":
            parameters.append(parameter["name"])
        elif tag == "const":
            parameters.append(f"const {parameter['name']}: {type_text(it['type'])}")
        elif not it["is_synthetic"]:
            bounds = bounds_text(it["bounds"])
            parameters.append(parameter["name"] + (f": {bounds}" if bounds else ""))
    for predicate in generics["where_predicates"]:
        tag, it = only(predicate)
        if tag == "bound_predicate":
            where.append(f"{type_text(it['type'])}: {bounds_text(it['bounds'])}")
        elif tag == "lifetime_predicate":
            where.append(f"{it['lifetime']}: {' + '.join(it['outlives'])}")
        else:
            sys.exit(f"a condition that ci/api.py doesn't know: {tag}")
    front = "<" + ", ".join(parameters) + ">" if parameters else ""
    return front, " where " + ", ".join(where) if where else ""


def signature_text(signature):
    """Arguments and result of a function."""
    inputs = []
    for name, type_ in signature["inputs"]:
        text = type_text(type_)
        short = {"Self": "self", "&Self": "&self", "&mut Self": "&mut self"}
        inputs.append(short[text] if name == "self" and text in short else f"{name}: {text}")
    output = f" -> {type_text(signature['output'])}" if signature["output"] else ""
    return "(" + ", ".join(inputs) + ")" + output


class Lister:
    """Walks over the public items of a crate."""

    def __init__(self, described, package="utflane"):
        self.index = described["index"]
        self.lines = set()
        self.seen = set()
        self.module(self.item(described["root"]), package)

    def item(self, id_):
        return self.index.get(str(id_))

    def module(self, item, path):
        for id_ in item["inner"]["module"]["items"]:
            child = self.item(id_)
            if child and child["visibility"] == "public":
                self.any(child, path)

    def any(self, item, path, name=None):
        """One item below `path`, under its own name or another one."""
        tag, it = only(item["inner"])
        name = name or item["name"]
        full = f"{path}::{name}"
        marks = "".join(f"#[{mark}] " for mark in self.attributes(item))
        match tag:
            case "use":
                target = self.item(it["id"]) if it["id"] is not None else None
                if target is None:
                    self.lines.add(f"use {it['source']} as {path}::{it['name']}")
                elif it["is_glob"]:
                    self.module(target, path)
                else:
                    self.any(target, path, it["name"])
            case "module":
                self.lines.add(f"mod {full}")
                self.module(item, full)
            case "function":
                self.lines.add(marks + self.function_text(it, full))
            case "struct":
                self.structure(it, full, marks)
            case "enum":
                front, where = generics_text(it["generics"])
                self.lines.add(f"{marks}enum {full}{front}{where}")
                for id_ in it["variants"]:
                    self.variant(self.item(id_), full)
                self.implementations(it["impls"], full)
            case "trait":
                self.trait(it, full, marks)
            case "constant":
                self.lines.add(f"const {full}: {type_text(it['type'])}")
            case "type_alias":
                front, where = generics_text(it["generics"])
                self.lines.add(f"type {full}{front} = {type_text(it['type'])}{where}")
            case _:
                sys.exit(f"an item that ci/api.py doesn't know: {tag} {full}")

    def attributes(self, item):
        """Those that callers see."""
        marks = []
        for attribute in item["attrs"]:
            tag = attribute if isinstance(attribute, str) else next(iter(attribute))
            if tag in ("non_exhaustive", "must_use"):
                marks.append(tag)
            elif tag == "target_feature":
                # Who lacks one of them needs `unsafe` for the call.
                marks.append(f"{tag}({','.join(attribute[tag]['enable'])})")
        return marks

    def function_text(self, function, full):
        front, where = generics_text(function["generics"])
        header = function["header"]
        words = [word for word in ("const", "async", "unsafe") if header[f"is_{word}"]]
        return " ".join([*words, "fn", f"{full}{front}{signature_text(function['sig'])}{where}"])

    def structure(self, it, full, marks):
        front, where = generics_text(it["generics"])
        tag, content = only(it["kind"])
        closed = ""
        if tag == "plain":
            for id_ in content["fields"]:
                field = self.item(id_)
                if field and field["visibility"] == "public":
                    self.lines.add(f"field {full}::{field['name']}: {type_text(field['inner']['struct_field'])}")
            closed = " { .. }" if content["has_stripped_fields"] else ""
        elif tag == "tuple":
            closed = "(" + ", ".join("_" if id_ is None else self.field(id_) for id_ in content) + ")"
        self.lines.add(f"{marks}struct {full}{front}{closed}{where}")
        self.implementations(it["impls"], full)

    def field(self, id_):
        return type_text(self.item(id_)["inner"]["struct_field"])

    def variant(self, item, full):
        tag, content = only(item["inner"]["variant"]["kind"])
        fields = ""
        if tag == "tuple":
            fields = "(" + ", ".join("_" if id_ is None else self.field(id_) for id_ in content) + ")"
        elif tag == "struct":
            names = [f"{self.item(id_)['name']}: {self.field(id_)}" for id_ in content["fields"]]
            fields = " { " + ", ".join(names) + " }"
        self.lines.add(f"variant {full}::{item['name']}{fields}")

    def trait(self, it, full, marks):
        front, where = generics_text(it["generics"])
        bounds = bounds_text(it["bounds"])
        unsafe = "unsafe " if it["is_unsafe"] else ""
        self.lines.add(f"{marks}{unsafe}trait {full}{front}{': ' + bounds if bounds else ''}{where}")
        for id_ in it["items"]:
            self.member(self.item(id_), full)
        # Those of foreign types are not described.
        for implementation in filter(None, map(self.item, it["implementations"])):
            implementation = implementation["inner"]["impl"]
            self.lines.add(f"impl {path_text(implementation['trait'])} for {type_text(implementation['for'])}")

    def member(self, item, full):
        tag, it = only(item["inner"])
        name = f"{full}::{item['name']}"
        if tag == "function":
            provided = "" if it["has_body"] else " (required)"
            self.lines.add(self.function_text(it, name) + provided)
        elif tag == "assoc_type":
            bounds = bounds_text(it["bounds"])
            value = f" = {type_text(it['type'])}" if it["type"] else ""
            self.lines.add(f"type {name}{': ' + bounds if bounds else ''}{value}")
        elif tag == "assoc_const":
            self.lines.add(f"const {name}: {type_text(it['type'])}")
        else:
            sys.exit(f"a member that ci/api.py doesn't know: {tag} {name}")

    def implementations(self, ids, full):
        """Methods, and the traits that are implemented; not what every type has, nor what the compiler finds by itself."""
        for described in filter(None, map(self.item, ids)):
            it = described["inner"]["impl"]
            if it["is_synthetic"] or it["blanket_impl"]:
                continue
            front, where = generics_text(it["generics"])
            if it["trait"]:
                trait = path_text(it["trait"])
                # Of derived equality only the trait that people know.
                if trait != "StructuralPartialEq":
                    self.lines.add(f"impl{front} {trait} for {type_text(it['for'])}{where}")
                continue
            for member in map(self.item, it["items"]):
                if member["visibility"] != "public":
                    continue
                marks = "".join(f"#[{mark}] " for mark in self.attributes(member))
                tag, inner = only(member["inner"])
                name = f"{full}::{member['name']}"
                if tag == "function":
                    self.lines.add(marks + self.function_text(inner, name))
                else:
                    self.lines.add(f"const {name}: {type_text(inner['type'])}")


def listed():
    """The lines of the list."""
    sets = [(name, Lister(document(features)).lines) for name, features in FEATURES]
    marked = []
    for i, (name, lines) in enumerate(sets):
        for line in lines - set().union(*(earlier for _, earlier in sets[:i])):
            marked.append((line, name))
        lost = sets[i - 1][1] - lines if i else set()
        for line in sorted(lost):
            sys.exit(f"features must only add: with '{name}' there is no more\n{line}")
    # By what is named, not by its kind.
    marked.sort(key=lambda entry: (entry[0].split("utflane::", 1)[-1], entry[0]))
    return HEAD + "".join(f"{name:9} {line}\n" for line, name in marked)


def main():
    now = listed()
    if sys.argv[1:] == ["--write"]:
        LIST.write_text(now, encoding="utf-8")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        then = LIST.read_text(encoding="utf-8")
        changed = difflib.unified_diff(then.splitlines(True), now.splitlines(True), "api.txt", "the sources", n=0)
        changed = list(changed)
        sys.stdout.writelines(changed)
        if changed:
            sys.exit("the public API has changed: if that is meant, `ci/api.py --write`, and a line in CHANGELOG.md")
    print(f"{now.count(chr(10)) - 2} public items")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Lists the public API: a sorted line for each item, with its signature and the smallest set of features that has it.

    ci/api.py            compares the list with api.txt
    ci/api.py --write    renews api.txt

The list is made from rustdoc's JSON, whose format changes with its version: a compiler with an unknown version is rejected.
Unknown content is a KeyError.
"""

import difflib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "api.txt"
# Versions of rustdoc's JSON that this script can read.
KNOWN_VERSIONS = range(55, 60)
# Sets of features, from the smallest to the largest. Each line of the list is marked with the first set that has the item.
FEATURES = {
    **{"core": [], "stream": ["stream"], "count": ["count"], "transcode": ["transcode"]},
    **{"alloc": ["transcode", "alloc"], "std": ["transcode", "std"], "rayon": ["rayon"], "columns": ["rayon", "columns"], "pages": ["rayon", "columns", "code-pages"]},
    "all": ["rayon", "columns", "code-pages", "avx512", "cpuid"],
}
HEAD = """\
# The public API of utflane on x86-64 Linux: `ci/api.py --write` renews this list, CI compares it.
# Before each item, the feature that it needs: none (core), `stream`, `count` (implies `stream`), `transcode` (implies `count`),
# `alloc` (some with one of these), `std`, `rayon`, `columns` or pages (`code-pages`; both imply `transcode` and `alloc`). Items of Windows (`wtf8::from_os_str`) are not here.
"""


def document(features, package="utflane", folder=ROOT):
    """Returns rustdoc's JSON for a package with these features."""
    command = ["cargo", "rustdoc", "--locked", "--quiet", "--lib", "--no-default-features", f"--features={','.join(features)}", "--"]
    command += ["-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"]
    # The option is unstable: without RUSTC_BOOTSTRAP, only a nightly compiler accepts it.
    subprocess.run(command, cwd=folder, env=os.environ | {"RUSTC_BOOTSTRAP": "1"}, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", folder / "target"))
    described = json.loads((target / "doc" / f"{package}.json").read_text(encoding="utf-8"))
    if described["format_version"] not in KNOWN_VERSIONS:
        sys.exit(f"rustdoc's JSON has version {described['format_version']}: check whether ci/api.py reads it, and add it to KNOWN_VERSIONS")
    return described


def tag_and_content(tagged):
    """Returns the tag and the content of a tagged union. The content is None if the tag has none."""
    return (tagged, None) if isinstance(tagged, str) else next(iter(tagged.items()))


comma = ", ".join


def by_tag(table):
    """Returns a function that looks up the tag of its argument in a table of functions, and calls the function with the content."""
    return lambda tagged: table[tag_and_content(tagged)[0]](tag_and_content(tagged)[1])


# Returns the source text of a type.
type_text = by_tag({
    "primitive": str,
    "generic": str,
    "resolved_path": lambda content: path_text(content),
    "slice": lambda content: f"[{type_text(content)}]",
    "array": lambda content: f"[{type_text(content['type'])}; {content['len']}]",
    "tuple": lambda content: "(" + comma(map(type_text, content)) + ("," if len(content) == 1 else "") + ")",
    "borrowed_ref": lambda content: "&" + (content["lifetime"] or "") + " " * bool(content["lifetime"]) + "mut " * content["is_mutable"] + type_text(content["type"]),
    "raw_pointer": lambda content: ("*mut " if content["is_mutable"] else "*const ") + type_text(content["type"]),
    "impl_trait": lambda content: "impl " + bounds_text(content),
    "dyn_trait": lambda content: "dyn " + " + ".join(path_text(entry["trait"]) for entry in content["traits"]),
    "qualified_path": lambda content: qualified_text(content, content.get("trait")) + f"::{content['name']}{arguments_text(content.get('args'))}",
    "function_pointer": lambda content: "fn" + signature_text(content["sig"]),
})
bound_text = by_tag({
    "trait_bound": lambda content: ("?" if content["modifier"] == "maybe" else "") + path_text(content["trait"]),
    "outlives": str,
    "use": lambda content: "use<" + comma(str(tag_and_content(argument)[1] or argument) for argument in content) + ">",
})
argument_text = by_tag({"type": type_text, "lifetime": str, "const": lambda content: content["expr"], "infer": str})
condition_text = by_tag({
    "bound_predicate": lambda content: f"{type_text(content['type'])}: {bounds_text(content['bounds'])}",
    "lifetime_predicate": lambda content: f"{content['lifetime']}: {' + '.join(content['outlives'])}",
})
constraint_text = by_tag({"equality": lambda content: " = " + type_text(content["type"]), "constraint": lambda content: ": " + bounds_text(content)})
parameter_text = by_tag({
    "lifetime": lambda content: "",
    "const": lambda content: ": " + type_text(content["type"]),
    "type": lambda content: None if content["is_synthetic"] else with_colon(bounds_text(content["bounds"])),
})


def with_colon(bounds):
    return f": {bounds}" if bounds else ""


def bounds_text(bounds):
    return " + ".join(map(bound_text, bounds))


def path_text(path):
    """Returns the last name of a path, with its generic arguments."""
    return path.get("path", path.get("name")).rsplit("::", 1)[-1] + arguments_text(path.get("args"))


def qualified_text(content, trait):
    self_type = type_text(content["self_type"])
    return f"<{self_type} as {path_text(trait)}>" if trait and trait.get("path", trait.get("name")) else self_type


def arguments_text(arguments):
    """Returns generic arguments in angle brackets, or an empty text if there are none."""
    if not arguments:
        return ""
    tag, content = tag_and_content(arguments)
    if tag == "parenthesized":
        return signature_text({"inputs": [(None, type_) for type_ in content["inputs"]], "output": content["output"]})
    parts = [*map(argument_text, content["args"])]
    parts += [entry["name"] + arguments_text(entry.get("args")) + constraint_text(entry["binding"]) for entry in content["constraints"]]
    return f"<{comma(parts)}>" if parts else ""


def generics_text(generics):
    """Returns the generic parameters in angle brackets, and the where clause."""
    parts = [(parameter, parameter_text(parameter["kind"])) for parameter in generics["params"]]
    parts = ["const " * ("const" in parameter["kind"]) + parameter["name"] + text for parameter, text in parts if text is not None]
    where = comma(map(condition_text, generics["where_predicates"]))
    return f"<{comma(parts)}>" if parts else "", f" where {where}" if where else ""


def signature_text(signature):
    """Returns the arguments and the result type of a function."""
    receivers = {"self: Self": "self", "self: &Self": "&self", "self: &mut Self": "&mut self"}
    inputs = [f"{name}: {type_text(type_)}" if name else type_text(type_) for name, type_ in signature["inputs"]]
    output = f" -> {type_text(signature['output'])}" if signature["output"] else ""
    return f"({comma(receivers.get(text, text) for text in inputs)}){output}"


def function_text(function, path):
    parameters, where = generics_text(function["generics"])
    qualifiers = [word for word in ("const", "async", "unsafe") if function["header"][f"is_{word}"]]
    return " ".join([*qualifiers, "fn", f"{path}{parameters}{signature_text(function['sig'])}{where}"])


def attributes_text(item):
    """Returns the attributes that callers see. A caller without one of the target features needs `unsafe` for the call."""
    shown = ""
    for tag, content in map(tag_and_content, item["attrs"]):
        if tag in ("non_exhaustive", "must_use"):
            shown += f"#[{tag}] "
        elif tag == "target_feature":
            shown += f"#[{tag}({','.join(content['enable'])})] "
    return shown


class Lister:
    """Walks over the public items of a crate."""

    def __init__(self, described, package="utflane"):
        self.index = described["index"]
        self.lines = set()
        self.add_module(self.item(described["root"]), package)

    def item(self, id_):
        return self.index.get(str(id_))

    def items(self, ids):
        return filter(None, map(self.item, ids))

    def add_module(self, item, path):
        for child in self.items(item["inner"]["module"]["items"]):
            if child["visibility"] == "public":
                self.add_item(child, path, child["name"])

    def add_item(self, item, path, name):
        """Adds an item below `path`, under its own name or the name of a `use`."""
        tag, content = tag_and_content(item["inner"])
        full_path = f"{path}::{name}"
        parameters, where = generics_text(content["generics"]) if "generics" in content else ("", "")
        line = None
        match tag:
            case "use":
                target = self.item(content["id"])
                if target is None:
                    line = f"use {content['source']} as {path}::{content['name']}"
                elif content["is_glob"]:
                    self.add_module(target, path)
                else:
                    self.add_item(target, path, content["name"])
            case "module":
                line = f"mod {full_path}"
                self.add_module(item, full_path)
            case "function":
                line = function_text(content, full_path)
            case "struct":
                line = f"struct {full_path}{parameters}{self.fields_text(content['kind'], full_path)}{where}"
                self.add_implementations(content["impls"], full_path)
            case "enum":
                line = f"enum {full_path}{parameters}{where}"
                for variant in self.items(content["variants"]):
                    self.lines.add(f"variant {full_path}::{variant['name']}{self.fields_text(variant['inner']['variant']['kind'])}")
                self.add_implementations(content["impls"], full_path)
            case "trait":
                line = f"{'unsafe ' * content['is_unsafe']}trait {full_path}{parameters}{with_colon(bounds_text(content['bounds']))}{where}"
                self.add_members(content["items"], full_path)
                # The trait lists its implementations, because rustdoc does not describe foreign types.
                for entry in self.items(content["implementations"]):
                    implementation = entry["inner"]["impl"]
                    self.lines.add(f"impl {path_text(implementation['trait'])} for {type_text(implementation['for'])}")
            case "constant":
                line = f"const {full_path}: {type_text(content['type'])}"
            case "static":
                line = f"static {full_path}: {type_text(content['type'])}"
            case "macro":
                line = f"macro {full_path}!"
            case "type_alias":
                line = f"type {full_path}{parameters} = {type_text(content['type'])}{where}"
            case _:
                raise KeyError(tag)
        if line:
            self.lines.add(attributes_text(item) + line)

    def fields_text(self, kind, full_path=None):
        """Returns the text after the name of a structure or a variant. Adds a line for each public field of a structure."""
        tag, content = tag_and_content(kind)
        if tag == "tuple":
            fields = ((self.item(id_) if id_ is not None else None) for id_ in content)
            return "(" + comma(type_text(field["inner"]["struct_field"]) if field else "_" for field in fields) + ")"
        if tag in ("unit", "plain") and content is None:
            return ""
        public = [(field["name"], type_text(field["inner"]["struct_field"])) for field in self.items(content["fields"])]
        if full_path is None:
            return " { " + comma(f"{name}: {text}" for name, text in public) + " }"
        self.lines |= {f"field {full_path}::{name}: {text}" for name, text in public}
        return " { .. }" if content["has_stripped_fields"] else ""

    def add_members(self, ids, full_path):
        """Adds the items of a trait or a type."""
        for member in self.items(ids):
            tag, content = tag_and_content(member["inner"])
            name = f"{full_path}::{member['name']}"
            if tag == "function":
                self.lines.add(attributes_text(member) + function_text(content, name) + ("" if content["has_body"] else " (required)"))
            elif tag == "assoc_type":
                self.lines.add(f"type {name}{with_colon(bounds_text(content['bounds']))}" + (f" = {type_text(content['type'])}" if content["type"] else ""))
            else:
                self.lines.add(f"const {name}: {type_text(content['type'])}")

    def add_implementations(self, ids, full_path):
        """Adds the methods and the implemented traits of a type, without blanket and automatic implementations."""
        for content in (entry["inner"]["impl"] for entry in self.items(ids)):
            if content["is_synthetic"] or content["blanket_impl"]:
                continue
            parameters, where = generics_text(content["generics"])
            if not content["trait"]:
                self.add_members([id_ for id_ in content["items"] if self.item(id_)["visibility"] == "public"], full_path)
            # A derived `PartialEq` also implements `StructuralPartialEq`, which users don't need to know.
            elif path_text(content["trait"]) != "StructuralPartialEq":
                self.lines.add(f"impl{parameters} {path_text(content['trait'])} for {type_text(content['for'])}{where}")


def list_text():
    """Returns the text of the list."""
    first_features, earlier_lines = {}, set()
    for name, features in FEATURES.items():
        lines = Lister(document(features)).lines
        if lost := earlier_lines - lines:
            sys.exit(f"features must only add items: with '{name}', this item is missing\n{min(lost)}")
        first_features = dict.fromkeys(lines, name) | first_features
        earlier_lines = lines
    # The list is sorted by name, not by kind of item.
    ordered = sorted(first_features, key=lambda line: (line.split("utflane::", 1)[-1], line))
    return HEAD + "".join(f"{first_features[line]:9} {line}\n" for line in ordered)


def main():
    new_list = list_text()
    if sys.argv[1:] == ["--write"]:
        LIST.write_text(new_list, encoding="utf-8")
    old_list = LIST.read_text(encoding="utf-8")
    sys.stdout.writelines(difflib.unified_diff(old_list.splitlines(True), new_list.splitlines(True), "api.txt", "the sources", n=0))
    if old_list != new_list:
        sys.exit("the public API has changed: if this is intended, run `ci/api.py --write` and add a line to CHANGELOG.md")
    print(f"{new_list.count(chr(10)) - 3} public items")


if __name__ == "__main__":
    main()

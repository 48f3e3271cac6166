#!/usr/bin/env python3
"""The public API as a list: a sorted line for each item, with its signature, and the least features that it needs.

    ci/api.py            compares the list with api.txt
    ci/api.py --write    renews api.txt

rustdoc gives it as JSON, whose form changes with its version: a compiler with another one is refused. What is not known is a KeyError.
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
FEATURES = {
    **{"core": [], "stream": ["stream"], "count": ["count"], "transcode": ["transcode"]},
    **{"alloc": ["transcode", "alloc"], "std": ["transcode", "std"], "rayon": ["rayon"], "columns": ["rayon", "columns"]},
    "all": ["rayon", "columns", "avx512", "cpuid"],
}
HEAD = """\
# The public API of utflane on x86-64 Linux: `ci/api.py --write` renews this list, CI compares it.
# Before each item, the feature that it needs: none (core), `stream`, `count` (implies `stream`), `transcode` (implies `count`),
# `alloc` (some with one of these), `std`, `rayon` or `columns` (implies `transcode` and `alloc`). Items of Windows (`wtf8::from_os_str`) are not here.
"""


def document(features, package="utflane", folder=ROOT):
    """Rustdoc's output for a package with these features."""
    command = ["cargo", "rustdoc", "--locked", "--quiet", "--lib", "--no-default-features", f"--features={','.join(features)}", "--"]
    command += ["-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"]
    # The flag is unstable; without this, only a nightly compiler takes it.
    subprocess.run(command, cwd=folder, env=os.environ | {"RUSTC_BOOTSTRAP": "1"}, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", folder / "target"))
    described = json.loads((target / "doc" / f"{package}.json").read_text(encoding="utf-8"))
    if described["format_version"] not in KNOWN:
        sys.exit(f"rustdoc's JSON has version {described['format_version']}: look whether ci/api.py reads it, and add it to KNOWN")
    return described


def only(tagged):
    """The only entry of a tagged union; for a tag without content, the tag."""
    return (tagged, None) if isinstance(tagged, str) else next(iter(tagged.items()))


comma = ", ".join


def by_tag(table):
    """A function that looks up its argument's tag in a table and passes the content on."""
    return lambda tagged: table[only(tagged)[0]](only(tagged)[1])


# A type as it is written.
type_text = by_tag({
    "primitive": str,
    "generic": str,
    "resolved_path": lambda it: path_text(it),
    "slice": lambda it: f"[{type_text(it)}]",
    "array": lambda it: f"[{type_text(it['type'])}; {it['len']}]",
    "tuple": lambda it: "(" + comma(map(type_text, it)) + ("," if len(it) == 1 else "") + ")",
    "borrowed_ref": lambda it: "&" + (it["lifetime"] or "") + " " * bool(it["lifetime"]) + "mut " * it["is_mutable"] + type_text(it["type"]),
    "raw_pointer": lambda it: ("*mut " if it["is_mutable"] else "*const ") + type_text(it["type"]),
    "impl_trait": lambda it: "impl " + bounds_text(it),
    "dyn_trait": lambda it: "dyn " + " + ".join(path_text(entry["trait"]) for entry in it["traits"]),
    "qualified_path": lambda it: qualified_text(it, it.get("trait")) + f"::{it['name']}{arguments_text(it.get('args'))}",
    "function_pointer": lambda it: "fn" + signature_text(it["sig"]),
})
bound_text = by_tag({
    "trait_bound": lambda it: ("?" if it["modifier"] == "maybe" else "") + path_text(it["trait"]),
    "outlives": str,
    "use": lambda it: "use<" + comma(str(only(one)[1] or one) for one in it) + ">",
})
argument_text = by_tag({"type": type_text, "lifetime": str, "const": lambda it: it["expr"], "infer": str})
condition_text = by_tag({
    "bound_predicate": lambda it: f"{type_text(it['type'])}: {bounds_text(it['bounds'])}",
    "lifetime_predicate": lambda it: f"{it['lifetime']}: {' + '.join(it['outlives'])}",
})
constraint_text = by_tag({"equality": lambda it: " = " + type_text(it["type"]), "constraint": lambda it: ": " + bounds_text(it)})
parameter_text = by_tag({
    "lifetime": lambda it: "",
    "const": lambda it: ": " + type_text(it["type"]),
    "type": lambda it: None if it["is_synthetic"] else colon(bounds_text(it["bounds"])),
})


def colon(bounds):
    return f": {bounds}" if bounds else ""


def bounds_text(bounds):
    return " + ".join(map(bound_text, bounds))


def path_text(path):
    """The last name of a path, with its arguments."""
    return path.get("path", path.get("name")).rsplit("::", 1)[-1] + arguments_text(path.get("args"))


def qualified_text(it, trait):
    own = type_text(it["self_type"])
    return f"<{own} as {path_text(trait)}>" if trait and trait.get("path", trait.get("name")) else own


def arguments_text(arguments):
    """Generic arguments, if there are any."""
    if not arguments:
        return ""
    tag, it = only(arguments)
    if tag == "parenthesized":
        return signature_text({"inputs": [(None, type_) for type_ in it["inputs"]], "output": it["output"]})
    parts = [*map(argument_text, it["args"])]
    parts += [one["name"] + arguments_text(one.get("args")) + constraint_text(one["binding"]) for one in it["constraints"]]
    return f"<{comma(parts)}>" if parts else ""


def generics_text(generics):
    """Parameters before, and the where clause after."""
    parts = [(one, parameter_text(one["kind"])) for one in generics["params"]]
    parts = ["const " * ("const" in one["kind"]) + one["name"] + text for one, text in parts if text is not None]
    where = comma(map(condition_text, generics["where_predicates"]))
    return f"<{comma(parts)}>" if parts else "", f" where {where}" if where else ""


def signature_text(signature):
    """Arguments and result of a function."""
    short = {"self: Self": "self", "self: &Self": "&self", "self: &mut Self": "&mut self"}
    inputs = [f"{name}: {type_text(type_)}" if name else type_text(type_) for name, type_ in signature["inputs"]]
    output = f" -> {type_text(signature['output'])}" if signature["output"] else ""
    return f"({comma(short.get(text, text) for text in inputs)}){output}"


def function_text(function, full):
    front, where = generics_text(function["generics"])
    words = [word for word in ("const", "async", "unsafe") if function["header"][f"is_{word}"]]
    return " ".join([*words, "fn", f"{full}{front}{signature_text(function['sig'])}{where}"])


def marks(item):
    """The attributes that callers see. Who lacks one of the features needs `unsafe` for the call."""
    shown = ""
    for tag, it in map(only, item["attrs"]):
        if tag in ("non_exhaustive", "must_use"):
            shown += f"#[{tag}] "
        elif tag == "target_feature":
            shown += f"#[{tag}({','.join(it['enable'])})] "
    return shown


class Lister:
    """Walks over the public items of a crate."""

    def __init__(self, described, package="utflane"):
        self.index = described["index"]
        self.lines = set()
        self.module(self.item(described["root"]), package)

    def item(self, id_):
        return self.index.get(str(id_))

    def items(self, ids):
        return filter(None, map(self.item, ids))

    def module(self, item, path):
        for child in self.items(item["inner"]["module"]["items"]):
            if child["visibility"] == "public":
                self.any(child, path, child["name"])

    def any(self, item, path, name):
        """One item below `path`, under its own name or another one."""
        tag, it = only(item["inner"])
        full = f"{path}::{name}"
        front, where = generics_text(it["generics"]) if "generics" in it else ("", "")
        line = None
        match tag:
            case "use":
                target = self.item(it["id"])
                if target is None:
                    line = f"use {it['source']} as {path}::{it['name']}"
                elif it["is_glob"]:
                    self.module(target, path)
                else:
                    self.any(target, path, it["name"])
            case "module":
                line = f"mod {full}"
                self.module(item, full)
            case "function":
                line = function_text(it, full)
            case "struct":
                line = f"struct {full}{front}{self.fields(it['kind'], full)}{where}"
                self.implementations(it["impls"], full)
            case "enum":
                line = f"enum {full}{front}{where}"
                for variant in self.items(it["variants"]):
                    self.lines.add(f"variant {full}::{variant['name']}{self.fields(variant['inner']['variant']['kind'])}")
                self.implementations(it["impls"], full)
            case "trait":
                line = f"{'unsafe ' * it['is_unsafe']}trait {full}{front}{colon(bounds_text(it['bounds']))}{where}"
                self.members(it["items"], full)
                # Foreign types' items are not described.
                for one in self.items(it["implementations"]):
                    one = one["inner"]["impl"]
                    self.lines.add(f"impl {path_text(one['trait'])} for {type_text(one['for'])}")
            case "constant":
                line = f"const {full}: {type_text(it['type'])}"
            case "type_alias":
                line = f"type {full}{front} = {type_text(it['type'])}{where}"
            case _:
                raise KeyError(tag)
        if line:
            self.lines.add(marks(item) + line)

    def fields(self, kind, full=None):
        """The text after the name of a structure or a variant. Public fields of a structure have separate lines."""
        tag, it = only(kind)
        if tag == "tuple":
            fields = ((self.item(id_) if id_ is not None else None) for id_ in it)
            return "(" + comma(type_text(field["inner"]["struct_field"]) if field else "_" for field in fields) + ")"
        if tag in ("unit", "plain") and it is None:
            return ""
        public = [(field["name"], type_text(field["inner"]["struct_field"])) for field in self.items(it["fields"])]
        if full is None:
            return " { " + comma(f"{name}: {text}" for name, text in public) + " }"
        self.lines |= {f"field {full}::{name}: {text}" for name, text in public}
        return " { .. }" if it["has_stripped_fields"] else ""

    def members(self, ids, full):
        """The items of a trait or a type."""
        for member in self.items(ids):
            tag, it = only(member["inner"])
            name = f"{full}::{member['name']}"
            if tag == "function":
                self.lines.add(marks(member) + function_text(it, name) + ("" if it["has_body"] else " (required)"))
            elif tag == "assoc_type":
                self.lines.add(f"type {name}{colon(bounds_text(it['bounds']))}" + (f" = {type_text(it['type'])}" if it["type"] else ""))
            else:
                self.lines.add(f"const {name}: {type_text(it['type'])}")

    def implementations(self, ids, full):
        """Methods and implemented traits; without blanket and automatic implementations."""
        for it in (one["inner"]["impl"] for one in self.items(ids)):
            if it["is_synthetic"] or it["blanket_impl"]:
                continue
            front, where = generics_text(it["generics"])
            if not it["trait"]:
                self.members([id_ for id_ in it["items"] if self.item(id_)["visibility"] == "public"], full)
            # Of derived equality only the trait that people know.
            elif path_text(it["trait"]) != "StructuralPartialEq":
                self.lines.add(f"impl{front} {path_text(it['trait'])} for {type_text(it['for'])}{where}")


def listed():
    """The text of the list."""
    first, before = {}, set()
    for name, features in FEATURES.items():
        lines = Lister(document(features)).lines
        if lost := before - lines:
            sys.exit(f"features must only add: with '{name}' there is no more\n{min(lost)}")
        first = dict.fromkeys(lines, name) | first
        before = lines
    # Sorted by name, not by kind.
    ordered = sorted(first, key=lambda line: (line.split("utflane::", 1)[-1], line))
    return HEAD + "".join(f"{first[line]:9} {line}\n" for line in ordered)


def main():
    now = listed()
    if sys.argv[1:] == ["--write"]:
        LIST.write_text(now, encoding="utf-8")
    then = LIST.read_text(encoding="utf-8")
    sys.stdout.writelines(difflib.unified_diff(then.splitlines(True), now.splitlines(True), "api.txt", "the sources", n=0))
    if then != now:
        sys.exit("the public API has changed: if that is meant, `ci/api.py --write`, and a line in CHANGELOG.md")
    print(f"{now.count(chr(10)) - 3} public items")


if __name__ == "__main__":
    main()

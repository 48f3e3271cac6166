#!/usr/bin/env python3
"""What the crates depend on: that it may be used, that nothing is there twice, and that what is published has no more than it says.

Reads what `cargo metadata --locked --format-version 1` prints.
"""

import collections
import json
import re
import sys

# A licence that asks for no more than to be named. Of alternatives one has to be here, of what is joined by AND all.
ALLOWED = {
    "MIT",
    "NCSA",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
}

# Everything that whoever builds the published crates needs besides: not what only tests depend on.
PUBLISHED = {
    # rayon only with the feature of its name.
    "utflane": {"cfg-if", "rayon"},
    "utflane-arrow": {"arrow-array", "arrow-buffer", "arrow-schema", "utflane"},
    # encoding_rs: encodings from before Unicode. The others: DataFusion's streams of bytes, and lines.
    "utflane-datafusion": {
        "async-trait",
        "bytes",
        "datafusion",
        "encoding_rs",
        "futures",
        "memchr",
        "utflane",
        "utflane-arrow",
        "utflane-charset",
    },
    "simdutf8": {"utflane"},
    "utflane-capi": {"memchr", "utflane"},
    # self_cell: an index that owns its text, without unsafe code here. The others as in the command.
    "utflane-charset": {"chardetng", "encoding_rs", "strsim", "utflane"},
    "utflane-python": {"encoding_rs", "pyo3", "self_cell", "utflane", "utflane-charset"},
    "utflane-cli": {
        "anstream",
        "anstyle",
        "clap",
        "ctor",
        "deunicode",
        "encoding_rs",
        "flate2",
        "rustix",
        "ignore",
        "indicatif",
        "lzma-rust2",
        "memchr",
        "ruzstd",
        "serde_json",
        "signal-hook",
        "tempfile",
        "terminal_size",
        "unicode-width",
        "utflane",
        "utflane-charset",
    },
}

# Crates that are there in several versions, by the crate of ours that has them.
TWICE = {
    # Arrow's hash tables and the tests have random numbers of their own; its macros other parsers.
    "utflane-arrow": {"getrandom", "r-efi", "syn"},
    # Between DataFusion, Ballista and their gRPC.
    "utflane-cluster": {
        "base64",
        "md-5",
        "prettyplease",
        "windows-sys",
        "zstd",
        "zstd-safe",
    },
    # What DataFusion itself has in several versions, and the random numbers of the tests.
    "utflane-datafusion": {
        "block-buffer",
        "crypto-common",
        "digest",
        "foldhash",
        "getrandom",
        "hashbrown",
        "itertools",
        "num-bigint",
        "r-efi",
        "rand",
        "rand_chacha",
        "rand_core",
        "syn",
        "unicode-width",
    },
}


def is_allowed(licence):
    """Whether a licence expression allows what we do. A slash is the old way to write OR."""
    tokens = re.findall(r"[()]|[^()\s/]+|/", licence.replace(" WITH ", "~"))

    def alternatives(at):
        value, at = together(at)
        while at < len(tokens) and tokens[at] in ("OR", "/"):
            other, at = together(at + 1)
            value = value or other
        return value, at

    def together(at):
        value, at = single(at)
        while at < len(tokens) and tokens[at] == "AND":
            other, at = single(at + 1)
            value = value and other
        return value, at

    def single(at):
        if tokens[at] == "(":
            value, at = alternatives(at + 1)
            return value, at + 1
        return tokens[at].replace("~", " WITH ") in ALLOWED, at + 1

    value, end = alternatives(0)
    return value and end == len(tokens)


def main():
    metadata = json.load(sys.stdin)
    packages = {package["id"]: package for package in metadata["packages"]}
    found = []

    for package in packages.values():
        if package["publish"] == []:
            continue
        licence = package["license"]
        if not licence or not is_allowed(licence):
            found.append(f"{package['name']} {package['version']}: licence {licence}")

    # That of the fuzz targets is another workspace: there the library is a dependency.
    members = {packages[id]["name"]: id for id in metadata["workspace_members"]}
    published = {name: members[name] for name in PUBLISHED if name in members}

    # What the drop-in stands for has its name, and is measured beside it.
    versions = collections.defaultdict(set)
    for package in packages.values():
        if package["publish"] != []:
            versions[package["name"]].add(package["version"])
    expected_twice = {crate for name in members for crate in TWICE.get(name, ())}
    for name, several in versions.items():
        if len(several) > 1 and name not in expected_twice:
            found.append(f"{name} is there in {len(several)} versions: {', '.join(sorted(several))}")
    for name in expected_twice:
        if len(versions[name]) < 2:
            found.append(f"{name} is there once; TWICE says more")

    for name, id in published.items():
        package, expected = packages[id], PUBLISHED[name]
        direct = {d["name"] for d in package["dependencies"] if d["kind"] != "dev"}
        if direct != expected:
            found.append(f"{name} depends on {sorted(direct)}, and {sorted(expected)} was expected")

    for line in found:
        print(line)
    if found:
        sys.exit(1)
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    for name, start in published.items():
        reached, todo = {start}, [start]
        while todo:
            for dependency in nodes[todo.pop()]["deps"]:
                kinds = {kind["kind"] for kind in dependency["dep_kinds"]}
                if kinds != {"dev"} and dependency["pkg"] not in reached:
                    reached.add(dependency["pkg"])
                    todo.append(dependency["pkg"])
        print(f"{name}: {len(reached) - 1} crates on all targets")
    twice = [name for name, several in versions.items() if len(several) > 1]
    print(f"{len(packages)} crates with those of the tests: licences as allowed, twice: {', '.join(twice) or 'none'}")


main()

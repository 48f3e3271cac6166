#!/usr/bin/env python3
"""Checks the crates' dependencies: their licences, duplicates, and that published crates have no others than listed here.

Reads what `cargo metadata --locked --format-version 1` prints.
"""

import json
import re
import sys

# Licences that only require attribution.
ALLOWED = set("MIT NCSA Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC Unicode-3.0 Unlicense Zlib bzip2-1.0.6".split())
ALLOWED.add("Apache-2.0 WITH LLVM-exception")

# All other crates that a build of the published crates needs, without dependencies of tests.
PUBLISHED = {
    # rayon only with the feature of its name.
    "utflane": "cfg-if rayon",
    "utflane-arrow": "arrow-array arrow-buffer arrow-schema utflane",
    # encoding_rs: encodings from before Unicode. The others: DataFusion's streams of bytes, and lines.
    "utflane-datafusion": "async-trait bytes datafusion encoding_rs futures memchr utflane utflane-arrow utflane-charset",
    "simdutf8": "utflane",
    "utflane-capi": "memchr utflane",
    # self_cell: an index that owns its text, without unsafe code here. The others as in the command.
    "utflane-charset": "chardetng encoding_rs strsim utflane",
    "utflane-python": "encoding_rs pyo3 self_cell utflane utflane-charset",
    "utflane-cli": "anstream anstyle clap ctor deunicode encoding_rs flate2 ignore indicatif lzma-rust2 memchr ruzstd rustix "
    "serde_json signal-hook tempfile terminal_size unicode-width utflane utflane-charset",
}

# Crates that are there in several versions, by the crate of ours that has them.
TWICE = {
    # Arrow's hash tables and the tests use different random numbers; its macros use other parsers.
    "utflane-arrow": "getrandom r-efi syn",
    # Between DataFusion, Ballista and their gRPC.
    "utflane-cluster": "base64 md-5 prettyplease windows-sys zstd zstd-safe",
    # Crates that DataFusion itself has in several versions, and the random numbers of the tests.
    "utflane-datafusion": "block-buffer crypto-common digest foldhash getrandom hashbrown itertools num-bigint r-efi rand "
    "rand_chacha rand_core syn unicode-width",
}


def is_allowed(licence):
    """True if a licence expression allows our use. A slash is the old way to write OR."""
    words = r"[\w.+-]+(?: WITH [\w.+-]+)?"
    truth = re.sub(words, lambda word: word[0].lower() if word[0] in ("AND", "OR") else str(word[0] in ALLOWED), licence.replace("/", " OR "))
    return eval(truth)  # Of True, False, and, or and parentheses.


def main():
    metadata = json.load(sys.stdin)
    packages = {package["id"]: package for package in metadata["packages"]}
    members = {packages[id]["name"]: packages[id] for id in metadata["workspace_members"]}
    # Our crate may have the name of a crate with which it is compared.
    foreign = [package for package in packages.values() if package["publish"] != []]
    found = []

    for package in foreign:
        if not is_allowed(package["license"] or "none"):
            found.append(f"{package['name']} {package['version']}: licence {package['license']}")

    names = [name for name, _ in {(package["name"], package["version"]) for package in foreign}]
    twice = {name for name in names if names.count(name) > 1}
    expected = {name for crate in members for name in TWICE.get(crate, "").split()}
    found += [f"{name} is there in several versions" for name in sorted(twice - expected)]
    found += [f"{name} is there once; TWICE says more" for name in sorted(expected - twice)]

    for name in PUBLISHED.keys() & members.keys():
        direct = {dependency["name"] for dependency in members[name]["dependencies"] if dependency["kind"] != "dev"}
        if direct != set(PUBLISHED[name].split()):
            found.append(f"{name} depends on {sorted(direct)}, and {PUBLISHED[name]} was expected")

    if found:
        sys.exit("\n".join(found))
    print(f"{', '.join(members)}: {len(packages)} crates, licences as allowed, in several versions: {' '.join(sorted(twice)) or 'none'}")


main()

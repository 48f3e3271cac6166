#!/usr/bin/env python3
"""Checks the dependencies of the crates: licences, crates in several versions, and the direct dependencies of published crates.

Reads the output of `cargo metadata --locked --format-version 1` from standard input.
"""

import json
import re
import sys

# Licences that only require attribution.
ALLOWED = set("MIT NCSA Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC Unicode-3.0 Unlicense Zlib bzip2-1.0.6".split())
ALLOWED.add("Apache-2.0 WITH LLVM-exception")

# The direct dependencies of each published crate, without those that only its tests need.
PUBLISHED = {
    # rayon is needed only with the feature `rayon`.
    "utflane": "cfg-if rayon",
    "utflane-arrow": "arrow-array arrow-buffer arrow-schema utflane utflane-charset",
    # encoding_rs converts legacy encodings. async-trait, bytes and futures are for DataFusion's streams of bytes, memchr is for lines.
    "utflane-datafusion": "async-trait bytes datafusion encoding_rs futures memchr utflane utflane-arrow utflane-charset",
    "encoding_rs_io": "encoding_rs utflane",
    "simdutf8": "utflane",
    "utflane-capi": "memchr utflane utflane-charset",
    # self_cell makes an index that owns its text without unsafe code in this crate. The other crates are the crates of the command.
    "utflane-charset": "encoding_rs strsim utflane",
    "utflane-python": "encoding_rs pyo3 self_cell utflane utflane-charset",
    "utflane-cli": "anstream anstyle clap ctor deunicode encoding_rs flate2 ignore indicatif lzma-rust2 memchr ruzstd rustix "
    "serde_json signal-hook tempfile terminal_size unicode-width utflane utflane-charset",
}

# The dependencies that occur in several versions, for each of our crates.
IN_SEVERAL_VERSIONS = {
    # Arrow's hash tables and the tests use different random numbers; its macros use other parsers.
    "utflane-arrow": "getrandom r-efi syn",
    # DataFusion, Ballista and their gRPC crates use different versions.
    "utflane-cluster": "base64 md-5 prettyplease windows-sys zstd zstd-safe",
    # DataFusion itself depends on several versions, and the tests use other random numbers.
    "utflane-datafusion": "block-buffer crypto-common digest foldhash getrandom hashbrown itertools num-bigint r-efi rand "
    "rand_chacha rand_core syn unicode-width",
}


def is_allowed(licence):
    """Returns True if a licence expression allows our use. A slash is the old notation for OR."""
    word_pattern = r"[\w.+-]+(?: WITH [\w.+-]+)?"
    truth = re.sub(word_pattern, lambda word: word[0].lower() if word[0] in ("AND", "OR") else str(word[0] in ALLOWED), licence.replace("/", " OR "))
    return eval(truth)  # The expression has only True, False, and, or, and parentheses.


def main():
    metadata = json.load(sys.stdin)
    packages = {package["id"]: package for package in metadata["packages"]}
    members = {packages[id]["name"]: packages[id] for id in metadata["workspace_members"]}
    # Names don't identify foreign crates: a crate of ours may have the name of a foreign crate with which it is compared.
    foreign = [package for package in packages.values() if package["publish"] != []]
    problems = []

    for package in foreign:
        if not is_allowed(package["license"] or "none"):
            problems.append(f"{package['name']} {package['version']}: licence {package['license']}")

    names = [name for name, _ in {(package["name"], package["version"]) for package in foreign}]
    duplicates = {name for name in names if names.count(name) > 1}
    expected = {name for crate in members for name in IN_SEVERAL_VERSIONS.get(crate, "").split()}
    problems += [f"{name} occurs in several versions" for name in sorted(duplicates - expected)]
    problems += [f"{name} occurs in one version, but IN_SEVERAL_VERSIONS lists it" for name in sorted(expected - duplicates)]

    for name in PUBLISHED.keys() & members.keys():
        direct = {dependency["name"] for dependency in members[name]["dependencies"] if dependency["kind"] != "dev"}
        if direct != set(PUBLISHED[name].split()):
            problems.append(f"{name} depends on {sorted(direct)}, but {PUBLISHED[name]} was expected")

    if problems:
        sys.exit("\n".join(problems))
    print(f"{', '.join(members)}: {len(packages)} crates, licences allowed, in several versions: {' '.join(sorted(duplicates)) or 'none'}")


main()

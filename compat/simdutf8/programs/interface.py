#!/usr/bin/env python3
"""Compares the public interface of compat/simdutf8 with the interface of the crate simdutf8.

    compat/simdutf8/programs/interface.py FOLDER     FOLDER has the sources of the real simdutf8 0.1.5, from the registry

Both are listed as ci/api.py does: ours must have every line, and no other. The traits that the compiler finds by itself are in
compat/simdutf8/tests/interface.rs.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "ci"))
import api  # noqa: E402


def lines(folder, features):
    """The public items of the package in a folder. A caller of an unsafe function does not see for what it is compiled."""
    items = api.Lister(api.document(features, "simdutf8", folder), "simdutf8").lines
    return {re.sub(r"#\[target_feature\([^)]*\)\] unsafe fn", "unsafe fn", item) for item in items}


failed = False
for features in [], ["std"], ["public_imp"], ["std", "public_imp", "aarch64_neon", "hints"]:
    ours, theirs = lines(ROOT / "compat/simdutf8", features), lines(pathlib.Path(sys.argv[1]).resolve(), features)
    print(f"features {', '.join(features) or 'none'}: {len(ours & theirs)} public items in both", *sorted(theirs ^ ours), sep="\n    only in one: ")
    failed |= ours != theirs
if failed:
    sys.exit("the interfaces differ")

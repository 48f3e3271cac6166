#!/usr/bin/env python3
"""Compares the public interface of compat/simdutf8 with the interface of the crate simdutf8.

    compat/simdutf8/programs/interface.py FOLDER     FOLDER has the sources of the real simdutf8 0.1.5, from the registry

Both interfaces are listed as in ci/api.py, and must have the same lines, except for the modules of simdutf8's development
branch, which 0.1.5 lacks. The lists lack the auto traits, such as Send;
compat/simdutf8/tests/interface.rs tests them.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "ci"))
import api  # noqa: E402


def list_items(folder, features):
    """Returns the public items of the package in a folder, without the target features of unsafe functions: they make no
    difference to callers."""
    items = api.Lister(api.document(features, "simdutf8", folder), "simdutf8").lines
    return {re.sub(r"#\[target_feature\([^)]*\)\] unsafe fn", "unsafe fn", item) for item in items}


failed = False
for features in [], ["std"], ["public_imp"], ["std", "public_imp", "aarch64_neon", "hints"]:
    ours, theirs = list_items(ROOT / "compat/simdutf8", features), list_items(pathlib.Path(sys.argv[1]).resolve(), features)
    ours = {item for item in ours if "::imp::x86::avx512" not in item}
    print(f"features {', '.join(features) or 'none'}: {len(ours & theirs)} public items in both", *sorted(theirs ^ ours), sep="\n    in only one package: ")
    failed |= ours != theirs
if failed:
    sys.exit("the interfaces differ")

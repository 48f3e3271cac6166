#!/usr/bin/env python3
"""Compares the public interface of compat/simdutf8 with that of the crate that it stands for.

    ci/dropin/interface.py FOLDER     FOLDER has the sources of the real simdutf8 0.1.5, from the registry

Both are listed by rustdoc, as ci/api.py does: each item with its signature, each implementation of a trait. Ours must have
every line, and no other. The traits that the compiler finds by itself are in compat/simdutf8/tests/interface.rs.
"""

import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import api  # noqa: E402

OURS = api.ROOT / "compat/simdutf8"
FEATURES = [[], ["std"], ["public_imp"], ["std", "public_imp", "aarch64_neon", "hints"]]


def lines(folder, features):
    """The public items of the package in a folder. A caller of an unsafe function does not see for what it is compiled."""
    items = api.Lister(api.document(features, "simdutf8", folder), "simdutf8").lines
    return {re.sub(r"#\[target_feature\([^)]*\)\] unsafe fn", "unsafe fn", item) for item in items}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    real = pathlib.Path(sys.argv[1]).resolve()
    failed = False
    for features in FEATURES:
        ours, theirs = lines(OURS, features), lines(real, features)
        name = ", ".join(features) or "none"
        for line in sorted(theirs - ours):
            failed = True
            print(f"features {name}: only the real one has  {line}")
        for line in sorted(ours - theirs):
            failed = True
            print(f"features {name}: only ours has  {line}")
        print(f"features {name}: {len(ours & theirs)} public items in both")
    if failed:
        sys.exit("the interfaces differ")


if __name__ == "__main__":
    main()

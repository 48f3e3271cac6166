#!/usr/bin/env python3
"""Prints a line for each function of the headers that writes text into a caller's memory, for outputs.c:

    capi/tests/outputs.py HEADER... >outputs.h

So no function is left out: one whose shape is not known here needs a function `check_NAME` in outputs.c.
"""

import re
import sys

NAME = re.compile(r"(utflane|simdutf)_(?:convert_(?:valid_)?(\w+?)_to_|to_well_formed_)(\w+?)"
                  r"(_with_errors|_with_replacement|_safe|_lossy)?$")


def prototypes(path):
    """The functions of a header: result, name, parameters."""
    with open(path) as file:
        text = re.sub(r"/\*.*?\*/|//[^\n]*|^ *#[^\n]*", " ", file.read(), flags=re.S | re.M)
    for declaration in re.split(r"[;{}]", text):
        found = re.match(r"\s*((?:\w+\s+\**)+?)(\w+)\s*\(([^()]*)\)", declaration)
        if found:
            result, name, parameters = (" ".join(part.split()) for part in found.groups())
            yield result, name, parameters.split(", ")


def main():
    for path in sys.argv[1:]:
        for result, name, parameters in prototypes(path):
            if not any(re.match(r"(char|char16_t|char32_t|void) \*\w", parameter) for parameter in parameters):
                continue
            found = NAME.match(name)
            if not found:
                print(f"OTHER({name})")
                continue
            library, source, target, kind = found.groups()
            source = source or target
            repairs = int(kind in ("_lossy", "_with_replacement") or "well_formed" in name)
            units = [parameter.split()[-2] for parameter in (parameters[0], parameters[2])]
            shape = {"void": "VOID", "size_t": "SIZE", "simdutf_result": "RESULT"}.get(result, "STRUCT")
            if len(parameters) == 4 and library == "simdutf":
                shape = "SAFE"
            print(f"TEXT({shape}, {name}, {', '.join(units)}, UTFLANE_{source.upper()}, UTFLANE_{target.upper()}, {repairs})")


main()

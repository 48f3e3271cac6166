#!/usr/bin/env python3
"""Prints a C program that calls each function of utflane.h and simdutf_c.h with arguments that can't be memory.

    capi/tests/arguments.py >arguments.c

These are null pointers with a length, and lengths that are too many bytes. Each function must fail and write nothing.
Fails itself for a function whose arguments or result it does not know, and for a parameter that an unknown number
from C would make invalid: an enum, a bool, or a struct with such a field.
"""

import re
import sys
from pathlib import Path

INCLUDE = Path(__file__).resolve().parent.parent / "include"
# The bytes of a unit; those of a `void` are bytes.
UNITS = {"void": 1, "char": 1, "char16_t": 2, "char32_t": 4}
NOTHING = "got.read == 0 && got.written == 0 && got.status == UTFLANE_INVALID_ARGUMENT"
# What a failure is, by the type of the result.
FAILURES = {
    "utflane_validation": "got.status == UTFLANE_INVALID_ARGUMENT && got.valid_up_to == 0",
    "utflane_result": NOTHING,
    "utflane_lossy_result": NOTHING,
    "utflane_stream_result": NOTHING,
    "utflane_utf8_summary": "got.validation.status == UTFLANE_INVALID_ARGUMENT && got.code_points == 0"
    " && got.utf16_units == 0 && !got.is_ascii && !got.fits_latin1",
    "utflane_detection": "got.encoding == UTFLANE_NO_ENCODING && got.closest == UTFLANE_NO_ENCODING"
    " && got.confidence == UTFLANE_GUESS && got.reason == UTFLANE_REASON_OTHER",
    "utflane_encoding": "got == UTFLANE_NO_ENCODING",
    "simdutf_result": "got.error == SIMDUTF_ERROR_OTHER && got.count == 0",
    "simdutf_encoding_type": "got == SIMDUTF_ENCODING_UNSPECIFIED",
    "size_t": "got == 0",
    "bool": "!got",
    "int": "got == 0",
}
# Arguments that are not tested here.
OTHERS = {"utflane_encoding from": "UTFLANE_UTF8", "utflane_encoding to": "UTFLANE_UTF16LE", "utflane_encoding encoding": "UTFLANE_UTF8"}
STREAMS = {"utflane_validator": "validator", "utflane_transcoder": "transcoder"}
BEFORE = """/* Made by arguments.py. */
#include <simdutf_c.h>
#include <utflane.h>

#include "check.h"

static _Alignas(16) unsigned char text[64], output[64], unchanged[64];
static utflane_validator validator, other_validator;
static utflane_transcoder transcoder, other_transcoder;

static void begin(void) {
    memset(text, 'a', sizeof text);
    memset(output, 0xA5, sizeof output);
    memset(unchanged, 0xA5, sizeof unchanged);
    CHECK(utflane_validator_init(&validator, UTFLANE_UTF8) == UTFLANE_OK);
    CHECK(utflane_transcoder_init(&transcoder, UTFLANE_UTF8, UTFLANE_UTF16LE) == UTFLANE_OK);
    other_validator = validator, other_transcoder = transcoder;
}

static void end(void) {
    CHECK(memcmp(output, unchanged, sizeof output) == 0);
    CHECK(memcmp(&validator, &other_validator, sizeof validator) == 0);
    CHECK(memcmp(&transcoder, &other_transcoder, sizeof transcoder) == 0);
}

"""


def functions(text):
    """The functions of a header: name, type of the result, parameters."""
    text = re.sub(r"/\*.*?\*/|^[ \t]*#.*?$", "", text.replace("\\\n", ""), flags=re.S | re.M)
    for result, name, parameters in re.findall(r"([\w ]+?[ *]+)\b((?:utflane|simdutf)_\w+)\(([^()]*)\)[\w\s]*;", text):
        result = re.sub(r"UTFLANE_NODISCARD|\bstruct\b", "", result).strip()
        parameters = [" ".join(p.replace("struct ", "").split()) for p in parameters.split(",")]
        yield name, result, [] if parameters == ["void"] else parameters


def integers_alone(text, parameters):
    """True if each number is valid in these parameters."""
    enums = set(re.findall(r"\benum (\w+)", text)) | {"bool"}
    structs = dict((name, fields) for fields, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, re.S))
    words = " ".join(p for p in parameters if "*" not in p)
    words += " ".join(structs.get(word, "") for word in words.split())
    return not enums & set(re.findall(r"\w+", words))


def bad(unit):
    """Pointers and lengths that can't be memory."""
    yield "NULL", "5"
    yield "NULL", "SIZE_MAX"
    for most in ("SIZE_MAX", "SIZE_MAX / 2"):
        yield None, f"{most} / {unit} + 1" if unit > 1 or most != "SIZE_MAX" else most


def calls(name, result, parameters):
    """The arguments of each call of a function, all good but one pointer and its length."""
    good, tested = [], []
    for at, parameter in enumerate(parameters):
        before = parameters[at - 1] if at else ""
        kind, star, _ = parameter.rpartition("*")
        unit = kind.replace("const", "").strip()
        if parameter in OTHERS:
            good.append(OTHERS[parameter])
        elif star and unit in STREAMS:
            good.append(f"&{STREAMS[unit]}")
            tested.append((at, [("NULL", None)]))
        elif star and unit in UNITS:
            good.append(f"({kind}*){'text' if 'const' in kind else 'output'}")
            sized = at + 1 < len(parameters) and parameters[at + 1].startswith("size_t ")
            tested.append((at, bad(UNITS[unit]) if sized else [("NULL", None)]))
        elif parameter.startswith("size_t ") and "*" in before:
            good.append("3")
        else:
            sys.exit(f"{name}: what is the argument `{parameter}`?")
    for at, pairs in tested:
        for pointer, length in pairs:
            arguments = good.copy()
            arguments[at] = pointer or arguments[at]
            if length:
                arguments[at + 1] = length
            yield ", ".join(arguments)


def checks(text):
    """A block of C for each call."""
    for name, result, parameters in functions(text):
        if not integers_alone(text, parameters):
            sys.exit(f"{name}: a parameter has invalid numbers: {', '.join(parameters)}")
        # Streams are initialised, whatever was there before: streams.c. simdutf_find takes two pointers: simdutf.c.
        if not any("*" in p for p in parameters) or "_init" in name or name.startswith("simdutf_find"):
            continue
        if name == "utflane_transcoder_repairs":
            continue
        for arguments in calls(name, result, parameters):
            call = f"{name}({arguments})"
            if result == "void":
                yield f"    begin(), {call}, end();\n"
            elif result in FAILURES:
                yield f"    {{ begin(); {result} got = {call}; CHECK({FAILURES[result]}); end(); }}\n"
            else:
                sys.exit(f"{name}: what is a failure of `{result}`?")


def main():
    blocks = [block for header in ("utflane.h", "simdutf_c.h") for block in checks((INCLUDE / header).read_text())]
    print(BEFORE + "int main(void) {\n" + "".join(blocks) + f'    puts("arguments: ok, {len(blocks)} calls");\n    return 0;\n}}')


if __name__ == "__main__":
    main()

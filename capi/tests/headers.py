#!/usr/bin/env python3
"""Compares the headers with the crate, and writes the parts of the tests that name every function of a header.

    capi/tests/headers.py check LIBRARY   fails if the headers, the sources or the shared library differ in a function,
                                          a parameter, a field or a number
    capi/tests/headers.py outputs         prints a line for each function that writes text, for outputs.c
    capi/tests/headers.py arguments       prints a program that calls each function with arguments that can't be memory

It fails for a function of a new shape.
"""

import re
import subprocess
import sys
from pathlib import Path

CAPI = Path(__file__).resolve().parent.parent
HEADERS = [CAPI / "include/utflane.h", CAPI / "include/simdutf_c.h"]
C_TYPES = {"usize": "size_t", "u32": "uint32_t", "u64": "uint64_t", "c_char": "char", "c_void": "void", "c_int": "int"}


def code(path):
    """A header without comments and directives, and with the names of types alone."""
    text = re.sub(r"/\*.*?\*/|^[ \t]*#.*?$", "", path.read_text(), flags=re.S | re.M)
    return re.sub(r"\b(UTFLANE_NODISCARD|UTFLANE_NOEXCEPT|struct(?= \w+ \*))\b", "", text)


def functions(path):
    """The functions of a header: name, type of the result, parameters."""
    for result, name, parameters in re.findall(r"([\w ]+?[ *]+)\b((?:utflane|simdutf)_\w+)\(([^()]*)\)\s*;", code(path)):
        parameters = [" ".join(p.split()) for p in parameters.split(",")]
        yield name, " ".join(result.split()), [] if parameters == ["void"] else parameters


def declared(path):
    """What a header declares, each item by its name."""
    items = {name: (result, *parameters) for name, result, parameters in functions(path)}
    for fields, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", code(path), re.S):
        items[name] = tuple(" ".join(field.split()) for field in fields.split(";") if field.strip())
    items |= {name: (type,) for type, name in re.findall(r"^typedef (\w+) (\w+);", code(path), re.M)}
    items |= {name: (number,) for name, number in re.findall(r"^#define (UTFLANE_\w+) (\d+)\b", path.read_text(), re.M)}
    return {name: item for name, item in items.items() if name not in ("UTFLANE_MAJOR", "UTFLANE_MINOR", "UTFLANE_PATCH")}


def c_declaration(name, rust):
    """A parameter or field as C has it."""
    if array := re.fullmatch(r"\[(\w+); (\w+)\]", rust):
        return f"{c_declaration(name, array[1])}[{array[2]}]"
    pointer, unit = re.fullmatch(r"(\*const |\*mut |)(\w+)", rust).groups()
    return f"{'const ' * (pointer == '*const ')}{C_TYPES.get(unit, unit)} {'*' * bool(pointer)}{name}".strip()


def defined():
    """What the sources of the crate define for utflane.h, each item by its name."""
    items = {}
    for path in (CAPI / "src").glob("*.rs"):
        text = re.sub(r"//[^\n]*", "", path.read_text())
        for name, parameters, result in re.findall(r'extern "C" fn (\w+)\(([^)]*)\) -> ([^{]+?) \{', text):
            parameters = re.findall(r"(\w+): ([^,]+)", parameters)
            items[name] = (c_declaration("", result), *(c_declaration(*parameter) for parameter in parameters))
        for name, fields in re.findall(r"#\[repr\(C\)\]\n(?:#[^\n]*\n)*pub struct (\w+) \{(.*?)\n\}", text, re.S):
            items[name] = tuple(c_declaration(*field) for field in re.findall(r"pub (\w+): (.+?),\n", fields + "\n"))
        types = re.findall(r"#\[repr\((u\d+)\)\]\n(?:#[^\n]*\n)*pub enum (\w+)", text)
        types += [(type, name) for name, type in re.findall(r"pub type (\w+) = (\w+);", text)]
        items |= {name: (C_TYPES[type],) for type, name in types}
        items |= {n: (number,) for n, number in re.findall(r"\b(UTFLANE_\w+)(?:: \w+)? = (\d+)[;,]", text)}
    return items


def check(library):
    """Prints each difference between the headers and the crate."""
    header, crate = declared(HEADERS[0]), defined()
    wrong = [f"{name}: {header.get(name)} in utflane.h, {crate.get(name)} in the sources"
             for name in sorted(header.keys() | crate.keys()) if header.get(name) != crate.get(name)]
    names = {name for path in HEADERS for name, _, _ in functions(path)}
    exported = subprocess.check_output(["nm", "-D", "--defined-only", library], text=True).split()[2::3]
    wrong += [f"{name}: only in the {'library' if name in exported else 'headers'}" for name in names ^ set(exported)]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"headers: {len(names)} functions, and {len(header)} items of utflane.h")


def outputs():
    """A line for each function that writes text into a caller's memory."""
    shape_of = re.compile(r"simdutf_(?:convert_(?:valid_)?(\w+?)_to_|to_well_formed_)(\w+?)(_with_errors|_with_replacement|_safe)?$")
    for name, result, parameters in (function for path in HEADERS for function in functions(path)):
        if not any(re.match(r"(char|char16_t|char32_t|void) \*\w", parameter) for parameter in parameters):
            continue
        found = shape_of.match(name)
        if not found:
            print(f"BY_NUMBER({name})")
            continue
        source, target, kind = found.groups()
        shape = "SAFE" if kind == "_safe" else {"void": "VOID", "size_t": "SIZE", "simdutf_result": "RESULT"}[result]
        units = [parameter.split()[-2] for parameter in (parameters[0], parameters[2])]
        repairs = int(kind == "_with_replacement" or "well_formed" in name)
        encodings = f"UTFLANE_{(source or target).upper()}, UTFLANE_{target.upper()}"
        print(f"BY_NAME({shape}, {name}, {', '.join(units)}, {encodings}, {repairs})")


# The bytes of a unit; the units of a `void` are bytes.
UNITS = {"void": 1, "char": 1, "char16_t": 2, "char32_t": 4}
NOTHING = "got.read == 0 && got.written == 0 && got.status == UTFLANE_INVALID_ARGUMENT"
# The value of a failure, by the type of the result.
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
BEFORE = """/* Made by headers.py. */
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


def integers_alone(path, parameters):
    """True if each number is valid in these parameters: no enum of the sources, no bool, no struct with such a field."""
    enums = {name for file in (CAPI / "src").rglob("*.rs") for name in re.findall(r"\benum (\w+)", file.read_text())}
    words = " ".join(p for p in parameters if "*" not in p)
    words += " ".join(" ".join(declared(path).get(word, ())) for word in words.split())
    return not (enums | {"bool"}) & set(re.findall(r"\w+", words))


def bad(unit):
    """Pointers and lengths that can't be memory."""
    yield "NULL", "5"
    yield "NULL", "SIZE_MAX"
    for most in ("SIZE_MAX", "SIZE_MAX / 2"):
        yield None, f"{most} / {unit} + 1" if unit > 1 or most != "SIZE_MAX" else most


def calls(name, parameters):
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


def checks(path):
    """A block of C for each call."""
    for name, result, parameters in functions(path):
        if not integers_alone(path, parameters):
            sys.exit(f"{name}: a parameter has invalid numbers: {', '.join(parameters)}")
        # Streams are initialised, whatever was there before: streams.c. simdutf_find takes two pointers: simdutf.c.
        if not any("*" in p for p in parameters) or re.search("_init|simdutf_find|_repairs", name):
            continue
        for arguments in calls(name, parameters):
            call = f"{name}({arguments})"
            if result == "void":
                yield f"    begin(), {call}, end();\n"
            elif result in FAILURES:
                yield f"    {{ begin(); {result} got = {call}; CHECK({FAILURES[result]}); end(); }}\n"
            else:
                sys.exit(f"{name}: what is a failure of `{result}`?")


def arguments():
    """A program with a call for each pointer of each function."""
    blocks = [block for path in HEADERS for block in checks(path)]
    print(BEFORE + "int main(void) {\n" + "".join(blocks) + f'    puts("arguments: ok, {len(blocks)} calls");\n    return 0;\n}}')


{"check": check, "outputs": outputs, "arguments": arguments}[sys.argv[1]](*sys.argv[2:])

#!/usr/bin/env python3
"""Compares the headers with the crate, and generates the test code that names every function of a header.

    capi/tests/headers.py check LIBRARY   fails if the headers, the sources or the shared library differ in a function,
                                          a parameter, a field or a number
    capi/tests/headers.py outputs         prints a line for each function that writes text, for outputs.c
    capi/tests/headers.py arguments       prints a program that calls each function with invalid pointers and lengths

The last two commands fail if a function has parameters or a result of a kind that they do not know.
"""

import re
import subprocess
import sys
from pathlib import Path

CAPI = Path(__file__).resolve().parent.parent
HEADERS = [CAPI / "include/utflane.h", CAPI / "include/simdutf_c.h"]
C_TYPES = {"usize": "size_t", "f32": "float", "u32": "uint32_t", "u64": "uint64_t", "c_char": "char", "c_void": "void", "c_int": "int"}


def read_code(path):
    """Returns the text of a header without comments, directives, attribute macros and the keyword `struct` of parameters."""
    text = re.sub(r"/\*.*?\*/|^[ \t]*#.*?$", "", path.read_text(), flags=re.S | re.M)
    return re.sub(r"\b(UTFLANE_NODISCARD|UTFLANE_NOEXCEPT|struct(?= \w+ \*))\b", "", text)


def parse_functions(path):
    """Yields each function of a header: its name, the type of its result, its parameters."""
    for result, name, parameters in re.findall(r"([\w ]+?[ *]+)\b((?:utflane|simdutf)_\w+)\(([^()]*)\)\s*;", read_code(path)):
        parameters = [" ".join(p.split()) for p in parameters.split(",")]
        yield name, " ".join(result.split()), [] if parameters == ["void"] else parameters


def header_items(path):
    """Returns a map from the name of each item that a header declares to its declaration."""
    items = {name: (result, *parameters) for name, result, parameters in parse_functions(path)}
    for fields, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", read_code(path), re.S):
        items[name] = tuple(" ".join(field.split()) for field in fields.split(";") if field.strip())
    items |= {name: (type,) for type, name in re.findall(r"^typedef (\w+) (\w+);", read_code(path), re.M)}
    items |= {name: (number,) for name, number in re.findall(r"^#define (UTFLANE_\w+) (\d+)\b", path.read_text(), re.M)}
    return {name: item for name, item in items.items() if name not in ("UTFLANE_MAJOR", "UTFLANE_MINOR", "UTFLANE_PATCH")}


def c_declaration(name, rust):
    """Returns the declaration in C of a parameter or a field with a type of Rust."""
    if array := re.fullmatch(r"\[(\w+); (\w+)\]", rust):
        return f"{c_declaration(name, array[1])}[{array[2]}]"
    pointer, unit = re.fullmatch(r"(\*const |\*mut |)(\w+)", rust).groups()
    return f"{'const ' * (pointer == '*const ')}{C_TYPES.get(unit, unit)} {'*' * bool(pointer)}{name}".strip()


def crate_items():
    """Returns a map from the name of each item that the crate defines for utflane.h to its declaration in C."""
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
        items |= {name: (number,) for name, number in re.findall(r"\b(UTFLANE_\w+)(?:: \w+)? = (\d+)[;,]", text)}
    return items


def check(library):
    """Fails with each difference between the headers, the crate and the library."""
    header, crate = header_items(HEADERS[0]), crate_items()
    differences = [f"{name}: {header.get(name)} in utflane.h, {crate.get(name)} in the sources"
                   for name in sorted(header.keys() | crate.keys()) if header.get(name) != crate.get(name)]
    names = {name for path in HEADERS for name, _, _ in parse_functions(path)}
    exported = subprocess.check_output(["nm", "-D", "--defined-only", library], text=True).split()[2::3]
    differences += [f"{name}: only in the {'library' if name in exported else 'headers'}" for name in names ^ set(exported)]
    if differences:
        sys.exit("\n".join(differences))
    print(f"headers: {len(names)} functions, and {len(header)} items of utflane.h")


def print_outputs():
    """Prints a line for each function that writes text to a pointer of the caller."""
    name_pattern = re.compile(r"simdutf_(?:convert_(?:valid_)?(\w+?)_to_|to_well_formed_|change_endianness_)(\w+?)(_with_errors|_with_replacement|_safe)?$")
    for name, result, parameters in (function for path in HEADERS for function in parse_functions(path)):
        if not any(re.match(r"(char|char16_t|char32_t|void) \*\w", parameter) for parameter in parameters):
            continue
        match = name_pattern.match(name)
        if not match:
            print(f"ENCODINGS_AS_ARGUMENTS({name})")
            continue
        source, target, kind = match.groups()
        shape = "SAFE" if kind == "_safe" else {"void": "VOID", "size_t": "SIZE", "simdutf_result": "RESULT"}[result]
        units = [parameter.split()[-2] for parameter in (parameters[0], parameters[2])]
        repairs = int(kind == "_with_replacement" or "well_formed" in name)
        encodings = f"UTFLANE_{(source or target).upper()}, UTFLANE_{target.upper()}"
        if "endianness" in name:
            encodings = "UTFLANE_WTF16LE, UTFLANE_WTF16BE"
        print(f"ENCODINGS_IN_NAME({shape}, {name}, {', '.join(units)}, {encodings}, {repairs})")


# The size in bytes of the unit to which a pointer points. A `void` pointer points to bytes.
UNIT_BYTES = {"void": 1, "char": 1, "char16_t": 2, "char32_t": 4}
NOTHING_DONE = "got.read == 0 && got.written == 0 && got.status == UTFLANE_INVALID_ARGUMENT"
# The condition that a failure fulfils, by the type of the result.
FAILURES = {
    "utflane_validation": "got.status == UTFLANE_INVALID_ARGUMENT && got.valid_up_to == 0",
    "utflane_result": NOTHING_DONE,
    "utflane_lossy_result": NOTHING_DONE,
    "utflane_stream_result": NOTHING_DONE,
    "utflane_utf8_summary": "got.validation.status == UTFLANE_INVALID_ARGUMENT && got.code_points == 0"
    " && got.utf16_units == 0 && !got.is_ascii && !got.fits_latin1",
    "utflane_detection": "got.encoding == UTFLANE_NO_ENCODING && got.confidence == UTFLANE_GUESS && !*got.name && !*got.reason",
    "utflane_encoding": "got == UTFLANE_NO_ENCODING",
    "simdutf_result": "got.error == SIMDUTF_ERROR_OTHER && got.count == 0",
    "simdutf_encoding_type": "got == SIMDUTF_ENCODING_UNSPECIFIED",
    "size_t": "got == 0",
    "bool": "!got",
    "int": "got == 0",
}
# The arguments for parameters that are always valid here.
VALID_ARGUMENTS = {"utflane_encoding from": "UTFLANE_UTF8", "utflane_encoding to": "UTFLANE_UTF16LE", "utflane_encoding encoding": "UTFLANE_UTF8"}
STREAMS = {"utflane_validator": "validator", "utflane_transcoder": "transcoder"}
PROGRAM_START = """/* Made by headers.py. */
#include <simdutf_c.h>
#include <utflane.h>

#include "check.h"

static _Alignas(16) unsigned char text[64], output[64], unchanged[64];
static utflane_validator validator, unchanged_validator;
static utflane_transcoder transcoder, unchanged_transcoder;

static void prepare(void) {
    memset(text, 'a', sizeof text);
    memset(output, 0xA5, sizeof output);
    memset(unchanged, 0xA5, sizeof unchanged);
    CHECK(utflane_validator_init(&validator, UTFLANE_UTF8) == UTFLANE_OK);
    CHECK(utflane_transcoder_init(&transcoder, UTFLANE_UTF8, UTFLANE_UTF16LE) == UTFLANE_OK);
    unchanged_validator = validator, unchanged_transcoder = transcoder;
}

static void check_unchanged(void) {
    CHECK(memcmp(output, unchanged, sizeof output) == 0);
    CHECK(memcmp(&validator, &unchanged_validator, sizeof validator) == 0);
    CHECK(memcmp(&transcoder, &unchanged_transcoder, sizeof transcoder) == 0);
}

"""


def accept_any_number(parameters):
    """Returns true if the parameters accept any number: none is an enum of the sources, or a bool."""
    enums = {name for file in (CAPI / "src").rglob("*.rs") for name in re.findall(r"\benum (\w+)", file.read_text())}
    return not (enums | {"bool"}) & set(re.findall(r"\w+", " ".join(p for p in parameters if "*" not in p)))


def invalid_pointers(unit_bytes):
    """Yields pairs of a pointer and a length that are invalid together. `None` is a valid pointer."""
    yield "NULL", "5"
    yield "NULL", "SIZE_MAX"
    for most in ("SIZE_MAX", "SIZE_MAX / 2"):
        yield None, f"{most} / {unit_bytes} + 1" if unit_bytes > 1 or most != "SIZE_MAX" else most


def call_arguments(name, parameters):
    """Yields the arguments of each call of a function. In each call, one pointer or its length is invalid."""
    valid, invalid = [], []
    for index, parameter in enumerate(parameters):
        previous = parameters[index - 1] if index else ""
        kind, star, _ = parameter.rpartition("*")
        unit = kind.replace("const", "").strip()
        if parameter in VALID_ARGUMENTS:
            valid.append(VALID_ARGUMENTS[parameter])
        elif star and unit in STREAMS:
            valid.append(f"&{STREAMS[unit]}")
            invalid.append((index, [("NULL", None)]))
        elif star and unit in UNIT_BYTES:
            valid.append(f"({kind}*){'text' if 'const' in kind else 'output'}")
            has_length = index + 1 < len(parameters) and parameters[index + 1].startswith("size_t ")
            invalid.append((index, invalid_pointers(UNIT_BYTES[unit]) if has_length else [("NULL", None)]))
        elif parameter.startswith("size_t ") and "*" in previous:
            valid.append("3")
        else:
            sys.exit(f"{name}: no argument is known for the parameter `{parameter}`")
    for index, pairs in invalid:
        for pointer, length in pairs:
            arguments = valid.copy()
            arguments[index] = pointer or arguments[index]
            if length:
                arguments[index + 1] = length
            yield ", ".join(arguments)


def check_blocks(path):
    """Yields a block of C code for each call."""
    for name, result, parameters in parse_functions(path):
        if not accept_any_number(parameters):
            sys.exit(f"{name}: a parameter does not accept every number: {', '.join(parameters)}")
        # Other tests call the functions that this program omits: streams.c calls `_init` and `_repairs`, and results.c
        # calls `simdutf_find`, whose text is two pointers.
        if not any("*" in p for p in parameters) or re.search("_init|simdutf_find|_repairs", name):
            continue
        for arguments in call_arguments(name, parameters):
            call = f"{name}({arguments})"
            if result == "void":
                yield f"    prepare(), {call}, check_unchanged();\n"
            elif result in FAILURES:
                yield f"    {{ prepare(); {result} got = {call}; CHECK({FAILURES[result]}); check_unchanged(); }}\n"
            else:
                sys.exit(f"{name}: no failure is known for the result type `{result}`")


def print_arguments():
    """Prints a program that calls each function with each invalid pointer and length."""
    blocks = [block for path in HEADERS for block in check_blocks(path)]
    print(PROGRAM_START + "int main(void) {\n" + "".join(blocks) + f'    puts("arguments: ok, {len(blocks)} calls");\n    return 0;\n}}')


{"check": check, "outputs": print_outputs, "arguments": print_arguments}[sys.argv[1]](*sys.argv[2:])

#!/usr/bin/env python3
"""Writes the functions that differ only in their encodings, which a macro would hide from cbindgen.

    capi/generate.py           fails if the files are not what it writes
    capi/generate.py --write   renews them

It writes src/named/ (all pairs), src/simdutf/functions.rs and the declarations of include/simdutf_c.h.
"""

import subprocess
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
MADE = "// Written by capi/generate.py: change that.\n\n"
SAFETY = "// SAFETY: the caller keeps the header's contract of pointers.\n"


class Encoding:
    def __init__(self, name, title, form, unit, units):
        self.name, self.title, self.form, self.unit, self.units = name, title, form, unit, units
        # What lengths do not distinguish: the byte order.
        self.family = name.removesuffix("le").removesuffix("be")


BYTES, UNITS16, UNITS32 = "bytes", "16-bit code units", "32-bit code units"
ENCODINGS = [
    Encoding("utf8", "UTF-8", "FormUtf8", "c_char", BYTES),
    Encoding("utf16", "native UTF-16", "FormUtf16", "char16_t", UNITS16),
    Encoding("utf16le", "UTF-16LE", "FormUtf16Le", "char16_t", UNITS16),
    Encoding("utf16be", "UTF-16BE", "FormUtf16Be", "char16_t", UNITS16),
    Encoding("utf32", "native UTF-32", "FormUtf32", "char32_t", UNITS32),
    Encoding("utf32le", "UTF-32LE", "FormUtf32Le", "char32_t", UNITS32),
    Encoding("utf32be", "UTF-32BE", "FormUtf32Be", "char32_t", UNITS32),
    Encoding("latin1", "Latin-1", "FormLatin1", "c_char", BYTES),
]
ASCII = Encoding("ascii", "ASCII", "FormAscii", "c_char", BYTES)
BY_NAME = {encoding.name: encoding for encoding in ENCODINGS}
# The targets of lengths: a byte order changes none.
TARGETS = [BY_NAME[name] for name in ("utf8", "utf16", "utf32", "latin1")]
FAMILY_TITLE = {"utf8": "UTF-8", "utf16": "UTF-16", "utf32": "UTF-32", "latin1": "Latin-1"}


def function(doc, group, name, parameters, result, call):
    lines = [part for line in [*doc, "", f"@ingroup {group}"] for part in textwrap.wrap(line, 96) or [""]]
    doc = "".join(f"/// {line}".rstrip() + "\n" for line in lines)
    parameters = ", ".join(parameters)
    return (
        f'{doc}#[unsafe(no_mangle)]\n#[must_use]\npub unsafe extern "C" fn {name}({parameters}) -> {result} {{\n'
        f"{SAFETY}unsafe {{ {call} }}\n}}\n\n"
    )


def of_source(a):
    """The functions of one source."""
    source = [f"src: *const {a.unit}", "length: usize"]
    yield function(
        [f"Validates {a.title}.", "", f"`length` and the result are in {a.units}."],
        "utflane_validate", f"utflane_validate_{a.name}", source, "utflane_validation",
        f"forms::validate_form::<{a.form}>(src, length)",
    ) if a.name != "latin1" else ""
    if a.name == "utf8":
        yield function(
            ["Validates ASCII.", "", "`length` and the result are in bytes. A byte above 0x7F is UTFLANE_TOO_LARGE."],
            "utflane_validate", "utflane_validate_ascii", source, "utflane_validation",
            "forms::validate_form::<FormAscii>(src, length)",
        )
    if a.name != "latin1":
        yield function(
            [f"Returns the code points of a text in {a.title}.", "", f"`length` is in {a.units}."],
            "utflane_length", f"utflane_count_{a.name}", source, "usize",
            f"forms::count_form::<{a.form}>(src, length)",
        )
    for b in TARGETS:
        title = f"{FAMILY_TITLE[b.name]} that a text in {a.title} becomes"
        if b.family != a.family:
            yield function(
                [f"Returns the {b.units} of {title}.", "", f"`length` is in {a.units}."],
                "utflane_length", f"utflane_{b.name}_length_from_{a.name}", source, "usize",
                f"forms::length_form::<{a.form}, {b.form}>(src, length)",
            )
        if a.name != "latin1":
            yield function(
                [f"Returns the {b.units} of {title} with repairs.", "", f"`length` is in {a.units}."],
                "utflane_length", f"utflane_{b.name}_length_from_{a.name}_lossy", source, "usize",
                f"forms::length_form_lossy::<{a.form}, {b.form}>(src, length)",
            )
    for b in ENCODINGS:
        both = [*source, f"dst: *mut {b.unit}", "capacity: usize"]
        sizes = f"`length` is in {a.units}, `capacity` in {b.units}."
        if a is b:
            what, lossy = f"Validates and copies {a.title}.", f"Copies {a.title} and repairs it."
        else:
            what, lossy = f"Converts {a.title} to {b.title}.", f"Converts {a.title} to {b.title} and repairs it."
        yield function(
            [what, "", sizes], "utflane_convert", f"utflane_convert_{a.name}_to_{b.name}", both, "utflane_result",
            f"forms::convert_form::<{a.form}, {b.form}>(src, length, dst, capacity)",
        )
        if a.name != "latin1":
            yield function(
                [lossy, "", sizes],
                "utflane_lossy", f"utflane_convert_{a.name}_to_{b.name}_lossy", both, "utflane_lossy_result",
                f"forms::convert_form_lossy::<{a.form}, {b.form}>(src, length, dst, capacity)",
            )


def imports(text):
    """The `use` lines of what a text names."""
    names = [e.form for e in [*ENCODINGS, ASCII] if f"{e.form}>" in text or f"{e.form}," in text]
    names += [unit for unit in ("char16_t", "char32_t") if unit in text]
    results = [r for r in ("utflane_lossy_result", "utflane_result", "utflane_validation") if f"-> {r}" in text]
    lines = "use core::ffi::c_char;\n\n" if "c_char" in text else ""
    lines += f"use crate::forms::{{self, {', '.join(names)}}};\n"
    lines += f"use crate::results::{{{', '.join(results)}}};\n\n"
    return lines


def named():
    """The files of src/named/."""
    for a in ENCODINGS:
        text = "".join(of_source(a))
        yield f"src/named/{a.name}.rs", f"//! Functions of {a.title}.\n\n{MADE}{imports(text)}{text}"
    modules = "".join(f"/// {a.title}.\npub mod {a.name};\n" for a in ENCODINGS)
    yield "src/named/mod.rs", f"//! Functions named for their encodings, by source.\n\n{MADE}{modules}"


U16 = ["utf16", "utf16le", "utf16be"]
# The pairs of simdutf's C API, plain, `with_errors` and `valid`: it does not have all of them.
PLAIN = [
    *(("latin1", b) for b in ("utf8", *U16, "utf32")),
    *(("utf8", b) for b in ("latin1", *U16, "utf32")),
    *((a, b) for a in U16 for b in ("utf8", "latin1", "utf32")),
    *(("utf32", b) for b in ("utf8", *U16)),
]
WITH_ERRORS = [
    *(("utf8", b) for b in ("latin1", *U16, "utf32")),
    *((a, b) for a in U16 for b in ("utf8", "latin1", "utf32")),
    *(("utf32", b) for b in ("utf8", "latin1")),
]
VALID = [
    *(("utf8", b) for b in ("latin1", "utf16le", "utf16be", "utf32")),
    *((a, b) for a in U16 for b in ("utf8", "latin1", "utf32")),
    ("utf32", "utf8"),
]
LENGTHS = [("utf8", "latin1"), ("latin1", "utf8"), ("utf16", "utf8"), ("utf32", "utf8"), *(("utf8", a) for a in [*U16, "utf32"])]
C_TYPES = {"c_char": "char", "usize": "size_t"}


def text_of(a, name="input"):
    return [(f"*const {a.unit}", name), ("usize", "length")]


def validations():
    for a in [BY_NAME["utf8"], ASCII, *(BY_NAME[name] for name in U16), BY_NAME["utf32"]]:
        yield f"validate_{a.name}", text_of(a), "bool", f"validate::is_valid::<{a.form}>(input, length)"
        yield (
            f"validate_{a.name}_with_errors", text_of(a), "simdutf_result",
            f"validate::with_errors::<{a.form}>(input, length)",
        )
    for a in (BY_NAME[name] for name in U16):
        yield f"validate_{a.name}_as_ascii", text_of(a), "bool", f"validate::is_ascii::<{a.form}>(input, length)"


def lengths():
    for a in (BY_NAME[name] for name in ["utf8", *U16]):
        yield f"count_{a.name}", text_of(a), "usize", f"forms::count_form::<{a.form}>(input, length)"
    for b, a in ((BY_NAME[b], BY_NAME[a]) for b, a in LENGTHS):
        yield (
            f"{b.name}_length_from_{a.name}", text_of(a), "usize",
            f"forms::length_form::<{a.form}, {b.form}>(input, length)",
        )
    for name in ("utf16", "utf32"):
        yield f"latin1_length_from_{name}", [("usize", "length")], "usize", None


def conversions():
    def of(pairs, template, result, body):
        for a, b in ((BY_NAME[a], BY_NAME[b]) for a, b in pairs):
            output = (f"*mut {b.unit}", "output")
            call = f"checked::{body}::<{a.form}, {b.form}>(input, length, output)"
            yield template.format(a.name, b.name), [*text_of(a), output], result, call

    yield from of(PLAIN, "convert_{}_to_{}", "usize", "or_zero")
    yield from of(WITH_ERRORS, "convert_{}_to_{}_with_errors", "simdutf_result", "with_errors")
    yield from of(VALID, "convert_valid_{}_to_{}", "usize", "or_zero")
    yield from of([(a, "utf8") for a in U16], "convert_{}_to_{}_with_replacement", "usize", "with_replacement")
    for a in (BY_NAME[name] for name in ("latin1", "utf16")):
        yield (
            f"convert_{a.name}_to_utf8_safe",
            [*text_of(a), ("*mut c_char", "output"), ("usize", "capacity")], "usize",
            f"checked::safe::<{a.form}, FormUtf8>(input, length, output, capacity)",
        )


def rust_of(title, functions):
    text = ""
    for name, parameters, result, call in functions:
        parameters = ", ".join(f"{name}: {type}" for type, name in parameters)
        doc = f"/// `simdutf::{name}`."
        if call:
            body = f'pub unsafe extern "C" fn simdutf_{name}({parameters}) -> {result} {{\n{SAFETY}unsafe {{ {call} }}\n}}'
        else:
            body = f'pub extern "C" fn simdutf_{name}({parameters}) -> {result} {{ length }}'
        text += f"{doc}\n#[unsafe(no_mangle)]\n{body}\n\n"
    names = [e.form for e in [*ENCODINGS, ASCII] if f"{e.form}>" in text or f"{e.form}," in text]
    names += [unit for unit in ("char16_t", "char32_t") if unit in text]
    names = ["self"] * ("forms::" in text) + names
    lines = "use core::ffi::c_char;\n\n" + f"use crate::forms::{{{', '.join(names)}}};\n"
    module = next((m for m in ("validate", "checked") if f"{m}::" in text), None)
    lines += f"use crate::simdutf::{module};\n" if module else ""
    lines += "use crate::simdutf::types::simdutf_result;\n" if "simdutf_result" in text else ""
    return f"//! {title}\n\n{MADE}{lines}\n{text}"


def simdutf():
    """The files of src/simdutf/ that are lists."""
    yield "src/simdutf/validations.rs", rust_of("simdutf's validations.", validations())
    yield "src/simdutf/lengths.rs", rust_of("simdutf's counts and lengths.", lengths())
    yield "src/simdutf/conversions.rs", rust_of("simdutf's conversions.", conversions())


def declared():
    """The declarations of include/simdutf_c.h, between its marks."""
    text = (HERE / "include/simdutf_c.h").read_text()
    for mark, functions in (("validations", validations), ("lengths", lengths), ("conversions", conversions)):
        lines = ""
        for name, parameters, result, _ in functions():
            parameters = [c_declarator(type, parameter) for type, parameter in parameters]
            line = f"{C_TYPES.get(result, result)} simdutf_{name}({', '.join(parameters)});"
            if len(line) > 100:
                line = line.replace("(", "(\n    ", 1)
            lines += line + "\n"
        begin, end = f"/* {mark}, by generate.py */\n", f"/* end of {mark} */\n"
        before, rest = text.split(begin)
        text = before + begin + lines + end + rest.split(end)[1]
    yield "include/simdutf_c.h", text


def c_declarator(type, name):
    """`*const c_char` as C has it."""
    if type.startswith("*"):
        unit = type.split()[1]
        return f"{'const ' * type.startswith('*const')}{C_TYPES.get(unit, unit)} *{name}"
    return f"{C_TYPES.get(type, type)} {name}"


def formatted(text):
    command = ["rustfmt", "--edition", "2024", "--config-path", str(HERE.parent)]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def main():
    wrong = []
    for name, text in [*named(), *simdutf(), *declared()]:
        if name.endswith(".rs"):
            text = formatted(text)
        file = HERE / name
        if "--write" in sys.argv[1:]:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            wrong.append(name)
    if wrong:
        sys.exit(f"not what capi/generate.py writes: {', '.join(wrong)}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes code_pages.txt, the tables of all code pages.

    data/code_pages.py ENCODING_RS > data/code_pages.txt

ENCODING_RS is the file src/lib.rs of the crate encoding_rs, which has the labels of the Encoding
Standard. Characters come from Python's codecs, or from glibc's iconv where Python lacks a page.
docs/code-pages.md lists the differences between these sources, and which one this script follows.
"""

import re
import subprocess
import sys
from encodings.aliases import aliases
from glob import glob

UNASSIGNED = None

# Pages: group, name, codec of Python (or "iconv NAME"), more labels.
PAGES = []


def pages(group, *entries):
    PAGES.extend((group, *entry) for entry in entries)


pages("ISO", *((f"iso-8859-{n}", f"iso8859_{n}") for n in range(1, 17) if n != 12))
pages("ISO", ("iso-8859-8-i", "iso8859_8"))
pages("Windows", *((f"windows-{n}", f"cp{n}") for n in range(1250, 1259)))
pages("Windows", ("windows-874", "cp874"))
pages("Unix", ("koi8-r", "koi8_r"), ("koi8-u", "koi8_u"), ("koi8-t", "koi8_t"))
pages("Unix", ("kz-1048", "kz1048"), ("ptcp154", "ptcp154"), ("tis-620", "tis_620"))
pages("Unix", ("hp-roman8", "hp_roman8"))
pages("DOS", *((f"cp{n}", f"cp{n}") for n in (437, 720, 737, 775, 850, 852, 855, 857, 858)))
pages("DOS", *((f"cp{n}", f"cp{n}") for n in (860, 861, 862, 863, 864, 865)))
pages("DOS", ("ibm866", "cp866"), ("cp869", "cp869"), ("ibm874", "iconv IBM874"))
pages("DOS", ("cp1125", "cp1125", "ruscii"))
pages("Mac", ("macintosh", "mac_roman"), ("x-mac-ce", "mac_latin2"), ("x-mac-greek", "mac_greek"))
pages("Mac", ("x-mac-cyrillic", "mac_cyrillic", "x-mac-ukrainian"))
pages("Mac", ("x-mac-turkish", "mac_turkish"), ("x-mac-croatian", "mac_croatian"))
pages("Mac", ("x-mac-romanian", "mac_romanian"), ("x-mac-icelandic", "mac_iceland"))
pages("EBCDIC", ("cp037", "cp037"), ("cp273", "cp273"))
pages("EBCDIC", *((f"cp{n}", f"iconv IBM{n}") for n in (277, 278, 280, 284, 285, 297)))
pages("EBCDIC", ("cp424", "cp424"), ("cp500", "cp500"), ("cp871", "iconv IBM871"))
pages("EBCDIC", ("cp875", "cp875"), ("cp1026", "cp1026"), ("cp1047", "iconv IBM1047"))
pages("EBCDIC", ("cp1140", "cp1140"))
pages("EBCDIC", *((f"cp{n}", f"iconv IBM{n}") for n in range(1141, 1150)))
pages("Web", ("x-user-defined", "private"))

# The numbers that Windows and .NET have for pages of others.
WINDOWS_NUMBERS = {
    **{f"iso-8859-{n}": 28590 + n for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 15)},
    "iso-8859-8-i": 38598, "koi8-r": 20866, "koi8-u": 21866,
    "macintosh": 10000, "x-mac-greek": 10006, "x-mac-cyrillic": 10007, "x-mac-romanian": 10010,
    "x-mac-ce": 10029, "x-mac-icelandic": 10079, "x-mac-turkish": 10081, "x-mac-croatian": 10082,
    **{f"cp{n}": 20000 + n for n in (273, 277, 278, 280, 284, 285, 297, 424, 871)},
    "cp1047": 20924,
}

# The single-byte encodings of the Encoding Standard. Bytes that Python leaves unassigned in the
# Windows pages are control characters there.
WEB = {
    "ibm866", "koi8-r", "koi8-u", "macintosh", "windows-874", "x-mac-cyrillic", "iso-8859-8-i",
    *(f"iso-8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *(f"windows-{n}" for n in range(1250, 1259)),
}

# Characters that differ from the source above; docs/code-pages.md has the reasons.
CHANGES = {
    # KOI8-U of the Encoding Standard has the short U of Belarusian instead of two lines.
    "koi8-u": {0xAE: 0x045E, 0xBE: 0x040E},
    # Microsoft assigned this byte after the table that Python's was made from.
    "windows-1255": {0xCA: 0x05BA},
    # TIS-620 has no control characters here; ISO-8859-11 has them.
    "tis-620": {byte: UNASSIGNED for byte in range(0x80, 0xA0)},
    # The macron, as in cp1141 and in iconv.
    "cp273": {0xBC: 0x00AF},
    # Bytes that Python decodes as SUBSTITUTE and doesn't write.
    "cp875": {byte: UNASSIGNED for byte in (0xDC, 0xE1, 0xEC, 0xED, 0xFC, 0xFD)},
}


def from_python(codec):
    def character(byte):
        try:
            return ord(bytes([byte]).decode(codec))
        except UnicodeDecodeError:
            return UNASSIGNED

    return [character(byte) for byte in range(256)]


def from_iconv(name):
    def character(byte):
        command = ["iconv", "-f", name, "-t", "UTF-16LE"]
        run = subprocess.run(command, input=bytes([byte]), capture_output=True, check=False)
        return int.from_bytes(run.stdout, "little") if run.returncode == 0 else UNASSIGNED

    return [character(byte) for byte in range(256)]


def from_source(source):
    if source == "private":
        return [byte if byte < 0x80 else 0xF700 + byte for byte in range(256)]
    iconv = source.removeprefix("iconv ")
    return from_python(source) if iconv == source else from_iconv(iconv)


def loose(label):
    """Returns a label as it is compared: its lower-case letters and digits, without zeros before a
    number (Unicode Technical Standard 22, section 1.4)."""
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", re.sub(r"[^a-z0-9]", "", label.lower()))


def iconv_aliases():
    """Returns the aliases of glibc by their own loose forms."""
    found = {}
    for file in glob("/usr/lib/*/gconv/gconv-modules*", recursive=True) + glob(
        "/usr/lib/*/gconv/gconv-modules.d/*"
    ):
        try:
            lines = open(file, encoding="utf-8").read().splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        for line in lines:
            words = line.split()
            if words[:1] == ["alias"]:
                alias, name = (word.rstrip("/") for word in words[1:3])
                found.setdefault(loose(name), []).append(alias)
                found.setdefault(loose(alias), []).append(name)
    return found


def web_labels(path):
    """Returns the labels of the Encoding Standard by the names of encoding_rs's statics."""
    text = open(path, encoding="utf-8").read()

    def entries(name):
        return re.search(rf"static {name}.*?= \[(.*?)\];", text, re.S)[1]

    labels = re.findall(r'"([^"]*)"', entries("LABELS_SORTED"))
    encodings = re.findall(r"&(\w+)_INIT", entries("ENCODINGS_IN_LABEL_SORT"))
    found = {}
    for label, encoding in zip(labels, encodings, strict=True):
        found.setdefault(loose(encoding), []).append(label)
    return found


def all_labels(path):
    """Returns the labels of each page. A label belongs to one page: first the names count, then
    Python's aliases, then glibc's, then the labels of the Encoding Standard."""
    labels = {name: [loose(name)] for _, name, *_ in PAGES}
    taken = {loose(name) for name in labels}

    def add(name, label):
        label = loose(label)
        # glibc's numbers of the Open Software Foundation are not in use.
        if label and label not in taken and not label.startswith("osf1"):
            taken.add(label)
            labels[name].append(label)

    for _, name, source, *more in PAGES:
        if name == "iso-8859-8-i":
            continue
        for label in more:
            add(name, label)
        codec = source.removeprefix("iconv ")
        add(name, codec)
        for alias, target in sorted(aliases.items()):
            if target == codec:
                add(name, alias)
    glibc = iconv_aliases()
    for _, name, *_ in PAGES:
        for label in list(labels[name]):
            for alias in sorted(glibc.get(label, [])):
                add(name, alias)
    for name, number in WINDOWS_NUMBERS.items():
        add(name, f"cp{number}")
    for number in range(1250, 1259):
        add(f"windows-{number}", f"win{number}")
    standard = web_labels(path)
    for name in labels:
        for label in standard.get(loose(name), []) if name in WEB else []:
            add(name, label)
    return labels


def row(table, start):
    cells = ("----" if c is UNASSIGNED else f"{c:04X}" for c in table[start : start + 16])
    return f"{start:02X} {' '.join(cells)}"


def main():
    labels = all_labels(sys.argv[1])
    print("# The tables of all code pages, written by code_pages.py, which describes their sources.")
    print("#")
    print("# page NAME in GROUP: a code page; `web` if it is one of the Encoding Standard.")
    print("# labels: how it is called, in lower case without punctuation.")
    print("# like NAME: rows that are not given are that page's. `like bytes`: byte and character")
    print("#   have the same number.")
    print("# strict: bytes that the Encoding Standard makes control characters, unassigned by others.")
    print("# The other lines are rows: the first byte, then the characters of 16 bytes in hexadecimal.")
    known = {"bytes": list(range(256))}
    for group, name, source, *_ in PAGES:
        table = from_source(source)
        for byte, character in CHANGES.get(name, {}).items():
            table[byte] = character
        strict = []
        if name in WEB and name.startswith("windows"):
            strict = [byte for byte in range(0x80, 0xA0) if table[byte] is UNASSIGNED]
            for byte in strict:
                table[byte] = byte

        def rows(base):
            return [start for start in range(0, 256, 16)
                    if row(table, start) != row(known[base], start)]

        base = min(known, key=lambda other: len(rows(other)))
        print(f"\npage {name} in {group}{' web' if name in WEB else ''}")
        for start in range(0, len(labels[name]), 8):
            print(f"labels {' '.join(labels[name][start : start + 8])}")
        print(f"like {base}")
        if strict:
            print(f"strict {' '.join(f'{byte:02X}' for byte in strict)}")
        for start in rows(base):
            print(row(table, start))
        known[name] = table


main()

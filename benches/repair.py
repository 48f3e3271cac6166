#!/usr/bin/env python3
"""Measures how often the repair of double encoding harms, how often it helps, and how fast it is, on texts of Debian's packages.

    benches/repair.py harm     prints which undamaged words and lines of each language are changed; fails above the limits
    benches/repair.py table    writes docs/REPAIR.md: compares the library with ftfy, on undamaged and on damaged texts

The folder target/repair (or CARGO_TARGET_DIR/repair) has the texts, the programs and the virtual environment of ftfy. The program
downloads only missing files, by `apt-get download` and `pip install`, so a second run needs no network. It needs Debian's dpkg,
and Rust.
"""

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
FOLDER = TARGET / "repair"

FTFY = "6.3.1"
# Runs `fix_encoding`, without ftfy's other repairs. Measures only the time of the repair.
REPAIR_BY_FTFY = """
import sys, time, ftfy
records = sys.stdin.buffer.read().decode().split("\\0")[:-1]
start = time.perf_counter()
results = [ftfy.fix_encoding(record) for record in records]
sys.stderr.write(str(time.perf_counter() - start))
sys.stdout.buffer.write("".join(result + "\\0" for result in results).encode())
"""
# The page that `table` writes.
PAGE = """# Repair of double encoding, measured

`benches/repair.py table` writes this page: it compares `utflane_charset::mojibake::Options` (`all` and
`runs-all` are the modes of the command) with `fix_encoding` of
[ftfy](https://pypi.org/project/ftfy/) {ftfy}. It takes the texts from Debian's manual pages and
dictionaries, and needs no network after its first run.
[The decision](decisions/double-encoding.md) has the rules and their exceptions.

ftfy repairs more than this library: other encodings (windows-1250, windows-1251, MacRoman, code
page 437), lost bytes, and damage within a text, by a score of unlikely pairs of characters. ftfy is
written in Python.

## Damaged texts that become exactly the original

The samples are lines and words of the languages below, double-encoded through the named encoding. A
mixed text is an undamaged line and a damaged line.

{recall}

## Undamaged texts that are changed

The lines and words are tested unchanged, in capitals, in lower case, and with capital initials. Each
number should be 0.

{harm}

## Speed, MB/s

Measured on one core; the text is one string; the best of three runs.

{speed}
"""

# The packages of each language: manual pages, dictionaries, and other texts if a language has no manual pages.
PACKAGES = {
    "cs": ["manpages-cs", "hunspell-cs"],
    "pl": ["manpages-pl", "hunspell-pl"],
    "sk": ["fortunes-cs", "mythes-sk", "hunspell-sk"],
    "hu": ["manpages-hu", "hunspell-hu"],
    "tr": ["manpages-tr", "hunspell-tr"],
    "vi": ["manpages-vi", "hunspell-vi"],
    "fr": ["manpages-fr", "hunspell-fr-comprehensive"],
    "de": ["manpages-de", "hunspell-de-de"],
    "es": ["manpages-es", "hunspell-es"],
    "it": ["manpages-it", "hunspell-it"],
    "pt": ["manpages-pt-br", "hunspell-pt-br", "hunspell-pt-pt"],
    "sv": ["manpages-sv", "hunspell-sv"],
    "nl": ["manpages-nl", "hunspell-nl"],
    "da": ["manpages-da", "hunspell-da"],
    "nb": ["manpages-nb", "hunspell-no"],
    "fi": ["manpages-fi"],
    "ro": ["manpages-ro", "hunspell-ro"],
    "ca": ["hunspell-ca"],
    "et": ["myspell-et"],
    "hr": ["hunspell-hr"],
    "sl": ["hunspell-sl"],
    "lt": ["hunspell-lt"],
    "lv": ["hunspell-lv"],
    "is": ["hunspell-is"],
    "fo": ["myspell-fo"],
    "gd": ["hunspell-gd"],
    "el": ["manpages-el"],
    "ru": ["manpages-ru"],
    "uk": ["manpages-uk"],
    "sr": ["manpages-sr"],
    "ja": ["manpages-ja"],
    "zh": ["manpages-zh"],
}

# In files with this suffix, each line is a word of a dictionary.
DICTIONARY_SUFFIX = ".dic"


def unpack(package):
    """Downloads and unpacks a package into a separate folder. Returns the folder."""
    folder = FOLDER / "packages" / package
    if not folder.exists():
        archives = FOLDER / "archives"
        archives.mkdir(parents=True, exist_ok=True)
        if not list(archives.glob(f"{package}_*.deb")):
            subprocess.run(["apt-get", "download", "-qq", package], cwd=archives, check=True, stderr=subprocess.DEVNULL)
        folder.parent.mkdir(exist_ok=True)
        [archive] = archives.glob(f"{package}_*.deb")
        subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
    return folder


def decode(data):
    """Decodes UTF-8, or Latin-1 if the data is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def strip_markup(roff):
    """Returns the lines of a manual page without most of its markup."""
    lines = []
    for line in roff.splitlines():
        if re.match(r"[.'] *\\\"", line):
            continue
        line = re.sub(r"^[.'][ \t]*[A-Za-z]{1,3}\b[ \t]*", "", line)
        line = re.sub(r"\\(f\[\w*\]|f\(..|f.|s[-+]?\d+|\[\w+\]|\(..|[&|^/,:]|\*\(..)", "", line)
        lines.append(line.replace("\\-", "-").replace("\\ ", " ").strip(' "'))
    return lines


def lines_of(package):
    """Returns the lines of a package's texts, and the words of its dictionaries."""
    lines, words = [], []
    for path in sorted(unpack(package).rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        if path.suffix == DICTIONARY_SUFFIX:
            affixes = path.with_suffix(".aff").read_bytes() if path.with_suffix(".aff").exists() else b""
            declaration = re.search(rb"^(?:\xEF\xBB\xBF)?SET\s+(\S+)", affixes, re.M)
            data = path.read_bytes()
            encoding = declaration[1].decode().replace("ISO8859", "iso8859") if declaration else None
            text = data.decode(encoding, "replace") if encoding else decode(data)
            words += [re.split(r"[/\t]", line, maxsplit=1)[0].strip() for line in text.splitlines()[1:]]
        elif "/man/" in str(path) and path.suffix == ".gz":
            lines += strip_markup(decode(gzip.decompress(path.read_bytes())))
        elif "/games/fortunes/" in str(path) and path.suffix not in (".dat", ".u8") or path.suffix == ".dat" and "mythes" in str(path):
            lines += decode(path.read_bytes()).splitlines()
    return lines, words


def texts(language):
    """Returns the distinct lines and words that have a character beyond ASCII. Caches them in two files."""
    files = [FOLDER / "texts" / f"{language}.{kind}.txt" for kind in ("lines", "words")]
    if not all(file.exists() for file in files):
        lines, words = [], []
        for package in PACKAGES[language]:
            more_lines, more_words = lines_of(package)
            lines += more_lines
            words += more_words
        lines = list(dict.fromkeys(line for line in lines if not line.isascii() and "\uFFFD" not in line))
        for line in lines:
            # Words between blanks, with their punctuation, and runs of letters.
            words += line.split() + re.findall(r"[^\W\d_]+", line)
        words = list(dict.fromkeys(word for word in words if not word.isascii() and "\uFFFD" not in word))
        files[0].parent.mkdir(parents=True, exist_ok=True)
        for file, records in zip(files, (lines, words)):
            file.write_text("\n".join(records), encoding="utf-8")
    # `splitlines` would also split at U+0085, which a line may contain.
    return [list(filter(None, file.read_text(encoding="utf-8").split("\n"))) for file in files]


def build_program():
    """Builds the program that repairs records with this library."""
    command = ["cargo", "build", "--quiet", "--locked", "--release", "-p", "utflane-bench", "--no-default-features", "--bin", "repair"]
    subprocess.run(command, cwd=ROOT, check=True)
    return TARGET / "release" / "repair"


def repair(mode, records):
    """Repairs the records with this library. Returns the results, and the time in seconds."""
    data = "".join(record + "\0" for record in records).encode()
    done = subprocess.run([TARGET / "release" / "repair", mode], input=data, capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1], float(done.stderr)


def forms(records):
    """Returns the records unchanged, in capitals, in lower case and with capital initials."""
    return {
        "as they are": records,
        "upper case": [record.upper() for record in records],
        "lower case": [record.lower() for record in records],
        "title case": [record.title() for record in records],
    }


def harm(modes=("all", "once", "runs", "runs-all"), show=12):
    """Prints how many undamaged words and lines of each language are changed. Returns true if the numbers are within the limits."""
    build_program()
    within_limits = True
    sums = dict.fromkeys([(mode, kind) for mode in modes for kind in ("words", "lines")], 0)
    total = {"words": 0, "lines": 0}
    for language in PACKAGES:
        for kind, records in zip(("lines", "words"), texts(language)):
            records = list(dict.fromkeys(record for form in forms(records).values() for record in form))
            # The Italian page of iso_8859-1 is damaged: (altresÃ¬).
            records = [record for record in records if "ALTRES\u00C3" not in record.upper()]
            total[kind] += len(records)
            counts = []
            for mode in modes:
                results, _ = repair(mode, records)
                changed = [pair for pair in zip(records, results, strict=True) if pair[0] != pair[1]]
                counts.append(f"{mode} {len(changed)}")
                sums[mode, kind] += len(changed)
                for before, after in changed[:show]:
                    print(f"    {mode}: {before!a:.100} {before:.100} -> {after:.100}")
            print(f"{language}: {len(records)} {kind}; changed: {', '.join(counts)}", flush=True)
    for (mode, kind), changed in sums.items():
        print(f"{kind} changed by {mode}: {changed} of {total[kind]}")
        # The modes that repair each run separately may change one line in 100,000. Nothing else may be changed.
        within_limits &= changed <= (total[kind] // 100_000 if mode.startswith("runs") and kind == "lines" else 0)
    return within_limits


def environment():
    """Installs ftfy in a virtual environment. Returns the path of its Python."""
    python = FOLDER / "ftfy" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", FOLDER / "ftfy"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"ftfy=={FTFY}"], check=True)
    return python


def repair_by_ftfy(records):
    """Repairs the records with ftfy's `fix_encoding`. Returns the results, and the time in seconds."""
    data = "".join(record + "\0" for record in records).encode()
    done = subprocess.run([environment(), "-c", REPAIR_BY_FTFY], input=data, capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1], float(done.stderr)


def windows_1252(text):
    """Double-encodes a text through windows-1252. As on the web, five bytes that it lacks are control characters."""
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in text.encode())


def latin1(text):
    """Double-encodes a text through Latin-1."""
    return text.encode().decode("latin-1")


DAMAGES = {
    "windows-1252": [windows_1252],
    "Latin-1": [latin1],
    "windows-1252 twice": [windows_1252] * 2,
    "Latin-1 twice": [latin1] * 2,
    "windows-1252 three times": [windows_1252] * 3,
    "Latin-1, then windows-1252": [latin1, windows_1252],
    "windows-1252, then Latin-1": [windows_1252, latin1],
}


def samples(kind, number):
    """Returns up to `number` lines or words of each language, at equal distances."""
    chosen = []
    for language in PACKAGES:
        records = texts(language)[kind == "words"]
        # Only printable texts, which both programs split in the same way, and no text that may be damaged already (U+00C3).
        records = [record for record in records if 2 < len(record) < 200 and "\u00C3" not in record and record.isprintable()]
        chosen += records[:: max(1, len(records) // number)][:number]
    return chosen


def percentage(results, expected):
    """Returns the percentage of results that equal the expected text."""
    right = sum(result == text for result, text in zip(results, expected, strict=True))
    return f"{100 * right / len(expected):.2f} %"


def damage(steps, text):
    """Applies the functions `steps` to a text."""
    for step in steps:
        text = step(text)
    return text


def recall_rows():
    """Returns the rows for damaged lines, words and mixed texts."""
    rows = []
    for kind in ("lines", "words"):
        plain_texts = samples(kind, 100)
        for name, steps in DAMAGES.items():
            damaged = [damage(steps, text) for text in plain_texts]
            results = [repair("all", damaged)[0], repair("runs-all", damaged)[0], repair_by_ftfy(damaged)[0]]
            rows.append([f"{kind}, {name}", str(len(plain_texts)), *(percentage(result, plain_texts) for result in results)])
    plain_texts = samples("lines", 100)
    for name, steps in list(DAMAGES.items())[:3]:
        pairs = list(zip(plain_texts, plain_texts[1:]))
        expected = [f"{one} {two}" for one, two in pairs]
        damaged = [f"{one} {damage(steps, two)}" for one, two in pairs]
        results = [repair("all", damaged)[0], repair("runs-all", damaged)[0], repair_by_ftfy(damaged)[0]]
        rows.append([f"mixed, {name}", str(len(expected)), *(percentage(result, expected) for result in results)])
    plain_texts = [text for text in samples("lines", 100) if "\u00A0" not in text]
    damaged = [latin1(text).replace("\u00A0", " ") for text in plain_texts]
    results = [repair("all+no-break-spaces", damaged)[0], repair("runs-all+no-break-spaces", damaged)[0], repair_by_ftfy(damaged)[0]]
    rows.append(["lines, Latin-1, no-break spaces became blanks", str(len(damaged)), *(percentage(result, plain_texts) for result in results)])
    return rows


def harm_rows(number=2000):
    """Returns the rows for undamaged words and lines, in all forms."""
    rows = []
    for language in PACKAGES:
        row = [language]
        for kind in ("lines", "words"):
            records = texts(language)[kind == "words"]
            records = records[:: max(1, len(records) // number)][:number]
            records = list(dict.fromkeys(record for form in forms(records).values() for record in form))
            # The Italian page of iso_8859-1 is damaged: (altresÃ¬).
            records = [record for record in records if "ALTRES\u00C3" not in record.upper()]
            row.append(str(len(records)))
            for results in (repair("all", records)[0], repair("runs-all", records)[0], repair_by_ftfy(records)[0]):
                row.append(str(sum(result != record for result, record in zip(results, records, strict=True))))
        rows.append(row)
    return rows


def speed_rows():
    """Returns the rows for the speed on one long record of each language, undamaged and damaged."""
    rows = []
    for language in ("fr", "cs", "ru", "zh"):
        text = "\n".join(texts(language)[0])[:400_000]
        for name, record in ((language, text), (f"{language}, damaged", windows_1252(text))):
            size = len(record.encode()) / 1e6
            rates = []
            for repair_records in (lambda records: repair("all", records), lambda records: repair("runs-all", records), repair_by_ftfy):
                rate = size / min(repair_records([record])[1] for _ in range(3))
                rates.append(f"{rate:.0f}" if rate >= 100 else f"{rate:.3g}")
            rows.append([name, f"{size:.2f}", *rates])
    return rows


def table(heads, rows):
    """Returns a table in Markdown."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---"] * len(heads), *rows])


def page():
    """Returns the text of docs/REPAIR.md."""
    build_program()
    ours = ["`all`", "`runs-all`", "ftfy"]
    return PAGE.format(
        ftfy=FTFY,
        recall=table(["sample", "texts", *ours], recall_rows()),
        harm=table(["language", "lines", *ours, "words", *ours], harm_rows()),
        speed=table(["text", "MB", *ours], speed_rows()),
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["harm"]:
            sys.exit(0 if harm() else "more is changed than the limits allow: nothing, or one line in 100,000 in the modes `runs` and `runs-all`")
        case ["table"]:
            (ROOT / "docs" / "REPAIR.md").write_text(page(), encoding="utf-8")
        case _:
            sys.exit(__doc__)

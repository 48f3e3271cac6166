#!/usr/bin/env python3
"""Compares detectors of encodings, and writes docs/DETECTION.md.

    benches/detection/compare.py [--corpus FOLDER] [--cuts N]
    benches/detection/compare.py --letters      prints the letter frequencies for crates/utflane-charset/src/alphabet.rs

Takes samples ("cuts") from texts at random offsets, encodes the cuts, and runs each detector on them.
An answer is right if decoding the cut from this encoding returns the original text.

The texts are the manual pages of Debian's packages manpages-*, and the files *.utf8.txt in FOLDER
and its subfolders. The program needs Debian (`apt-get download`), Python with venv, and Rust. It
downloads files once, to target/detection/. It does not need root.
"""

import argparse
import bisect
import codecs
import collections
import ctypes
import datetime
import glob
import gzip
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import textwrap
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOWNLOADS = ROOT / "target" / "detection"
PAGE = ROOT / "docs" / "DETECTION.md"

# The Debian package of each language's manual pages. The key is the name of the language's folder in the package.
MANUALS = {
    "cs": "manpages-cs", "da": "manpages-da", "de": "manpages-de", "el": "manpages-el", "es": "manpages-es",
    "fi": "manpages-fi", "fr": "manpages-fr", "hu": "manpages-hu", "it": "manpages-it", "ja": "manpages-ja",
    "mk": "manpages-mk", "nb": "manpages-nb", "nl": "manpages-nl", "pl": "manpages-pl", "pt_BR": "manpages-pt-br",
    "ro": "manpages-ro", "ru": "manpages-ru", "sr": "manpages-sr", "sv": "manpages-sv", "tr": "manpages-tr",
    "uk": "manpages-uk", "vi": "manpages-vi", "zh_CN": "manpages-zh", "zh_TW": "manpages-zh",
}
LIBRARIES = ["libuchardet0", "libmagic1", "libmagic-mgc"]
MODULES = ["chardet", "charset-normalizer"]

UNICODE = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
WESTERN = ["latin-1", "cp1252"]
# Encodings from before Unicode, by language.
LEGACY = {
    "cs": ["cp1250", "iso8859-2"], "hu": ["cp1250", "iso8859-2"], "pl": ["cp1250", "iso8859-2"], "ro": ["iso8859-2"],
    "el": ["cp1253", "iso8859-7"], "tr": ["cp1254"],
    "ru": ["koi8-r", "cp1251", "iso8859-5", "cp866"], "uk": ["koi8-u", "cp1251"], "mk": ["cp1251"], "sr": ["cp1251"],
    "ja": ["cp932", "euc_jp", "iso2022_jp"], "zh_CN": ["gb18030"], "zh_TW": ["big5"], "ko": ["cp949"],
    "he": ["cp1255"], "ar": ["cp1256"], "th": ["cp874"],
    **{language: WESTERN for language in ["da", "de", "es", "fi", "fr", "it", "nb", "nl", "pt_BR", "sv"]},
}
# The language of a corpus file, by a word in the file's name. A code of LEGACY is also such a word.
LANGUAGE_WORDS = {
    "Arabic": "ar", "Chinese": "zh_CN", "Hebrew": "he", "Japanese": "ja", "Korean": "ko", "Latin": "it", "Russian": "ru",
    "no": "nb", "pt": "pt_BR", "zh": "zh_CN", "cn": "zh_CN",
}
SIZES = [20, 100, 1_000, 10_000]
# By size: slow detectors get only one cut in this number.
ONE_CUT_IN = {20: 1, 100: 1, 1_000: 4, 10_000: 16}

# Python codecs for names of encodings that Python doesn't know, or for which Python has fewer characters than the detectors
# mean. If the Encoding Standard has a name, the codec follows this standard.
CODECS = {
    "ascii": "ascii", "us-ascii": "ascii", "latin1": "latin-1", "shift_jis": "cp932", "sjis": "cp932", "euc-kr": "cp949",
    "uhc": "cp949", "gbk": "gb18030", "gb2312": "gb18030", "big5": "cp950", "windows-874": "cp874", "tis-620": "cp874",
    "iso-8859-8-i": "iso8859-8", "x-mac-cyrillic": "mac_cyrillic", "maccyrillic": "mac_cyrillic", "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be", "utf-32le": "utf-32-le", "utf-32be": "utf-32-be", "iso-8859-1": "latin-1",
    "utf-8-sig": "utf-8", "cesu-8": "utf-8", "mutf-8": "utf-8", "wtf-8": "utf-8",
}

# A test checks the answers in this part of the page.
MIXED = """## Files whose parts are in different encodings

`cargo test -p utflane-charset --test mixtures` makes 10,000 files by appending: UTF-8, UTF-16 and
UTF-32, with and without byte order marks, in any order, and UTF-8 with other encodings; 2 to 100
lines in eight languages. The command decodes none of them from one encoding without an error.

| file | answer |
|---|---|
| UTF-8, then UTF-16LE | `mixed: utf-8 up to byte N, then utf-16le` |
| UTF-16BE with its byte order mark, then UTF-8 | `mixed: utf-16be up to byte N, then utf-8` |
| UTF-16LE, then UTF-16BE with its byte order mark | `mixed: utf-16le up to byte N, then utf-16be` |
| little UTF-8, then windows-1252 | `mixed: utf-8 up to byte N, then a legacy encoding` |
| much UTF-8, then windows-1252 | `utf-8 (likely): UTF-8 with few errors`; the conversion names the byte |
| koi8-r, then UTF-8 | `mixed: a legacy encoding up to byte N, then utf-8` |"""

Cut = collections.namedtuple("Cut", "language encoding size text bytes")


def unpack(packages):
    """Downloads and unpacks Debian packages, each into a separate folder. Returns the folders by package."""
    for package in packages:
        folder = DOWNLOADS / "packages" / package
        if folder.exists():
            continue
        with tempfile.TemporaryDirectory() as temporary:
            subprocess.run(["apt-get", "download", "--quiet", package], cwd=temporary, check=True, stdout=subprocess.DEVNULL)
            (archive,) = glob.glob(f"{temporary}/*.deb")
            folder.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["dpkg-deb", "--extract", archive, folder], check=True)
    return {package: DOWNLOADS / "packages" / package for package in packages}


def strip_markup(page):
    """Returns the text of a manual page without most of its markup."""
    lines = (line for line in page.splitlines() if not line.startswith((".", "'")))
    text = "\n".join(lines).replace("\\-", "-")
    return re.sub(r"\\(f\[[^]]*\]|f\(..|f.|\[[^]]*\]|\(..|.)", "", text)


def manual_text(folder, language):
    """Returns the pages of one language as one text. Stops after a million characters."""
    pages, length = [], 0
    for path in sorted(folder.glob(f"usr/share/man/{language}*/man*/*.gz")):
        if path.is_symlink():
            continue
        try:
            text = strip_markup(gzip.decompress(path.read_bytes()).decode("utf-8"))
        except UnicodeDecodeError:
            continue
        pages.append(text)
        length += len(text)
        if length > 1_000_000:
            break
    return "\n".join(pages)


def texts(corpus):
    """Yields the name, the language and the content of each text."""
    folders = unpack(sorted(set(MANUALS.values())))
    for language, package in MANUALS.items():
        yield f"manuals {language}", language, manual_text(folders[package], language)
    for path in sorted(pathlib.Path(corpus).rglob("*.utf8.txt")) if corpus else []:
        words = re.split(r"[-.]", path.name)
        language = next((LANGUAGE_WORDS.get(word, word) for word in words if LANGUAGE_WORDS.get(word, word) in LEGACY), "")
        yield path.name, language, path.read_text(encoding="utf-8")


def take_cut(text, encoding, size, start):
    """Returns the characters from index `start` on that fit into `size` bytes, and these bytes."""
    excerpt = text[start:start + size]
    encoded = excerpt.encode(encoding, "ignore")
    if len(encoded) > size:
        end = bisect.bisect_right(range(len(excerpt)), size, key=lambda end: len(excerpt[:end].encode(encoding, "ignore")))
        encoded = excerpt[:end - 1].encode(encoding, "ignore")
    return encoded.decode(encoding), encoded


def take_cuts(corpus, number):
    """Yields `number` cuts of each size from each text in each encoding. Leaves out cuts that are ASCII, and cuts that are
    much shorter than the size."""
    rng = random.Random(1)
    for name, language, text in texts(corpus):
        if len(text) < 1_000:
            sys.exit(f"{name}: less than 1,000 characters")
        for encoding in UNICODE + LEGACY.get(language, []):
            for size in SIZES:
                for k in range(number):
                    start = rng.randrange(max(1, len(text) - size))
                    source = text if k % 2 else text.replace("\n", " ")
                    excerpt, encoded = take_cut(source, encoding, size, start)
                    is_ascii = encoded.isascii() and encoding not in UNICODE[1:] and encoding != "iso2022_jp"
                    # Without these bytes, windows-1252 equals Latin-1.
                    is_latin1 = encoding == "cp1252" and not re.search(rb"[\x80-\x9F]", encoded)
                    lacks_escapes = encoding == "iso2022_jp" and b"\x1B" not in encoded
                    if len(encoded) * 2 >= size and not (is_ascii or is_latin1 or lacks_escapes):
                        yield Cut(language, encoding, size, excerpt, encoded)


def letter_costs(text):
    """Returns the letters beyond ASCII in the first half of a text, each followed by its cost in bits. Leaves out letters
    that cost nine bits or more."""
    # The Romanian code pages have the letters with a cedilla instead of a comma.
    half = text[:len(text) // 2].translate(str.maketrans("șțȘȚ", "şţŞŢ"))
    counts = collections.Counter(c for c in half if not c.isascii() and c.isalpha())
    costs = [(c, -math.log2(count / counts.total())) for c, count in counts.most_common(18)]
    return "".join(f"{c}{max(1, round(cost))}" for c, cost in costs if cost < 9)


def is_right(name, cut):
    """Returns true if decoding the cut from the encoding of this name returns its text."""
    name = (name or "").lower()
    try:
        return cut.bytes.decode(codecs.lookup(CODECS.get(name, name)).name) == cut.text
    except (LookupError, UnicodeDecodeError):
        return False


# A detector takes a list of cuts. It returns its answers, a list that is true for each answer that it called certain (`None` if
# it has no confidence), and the time that it took in nanoseconds (`None` if the time was not measured).


def rust_detectors(cuts):
    """Runs the library and chardetng, in one program."""
    run = ["cargo", "run", "--quiet", "--locked", "--release", "-p", "utflane-bench", "--no-default-features", "--bin", "detectors"]
    with tempfile.NamedTemporaryFile() as file:
        for cut in cuts:
            file.write(struct.pack("<I", len(cut.bytes)) + cut.bytes)
        file.flush()
        lines = subprocess.run([*run, "--", file.name], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    *answers, times = map(json.loads, lines)
    certain = [answer[1] == "certain" for answer in answers]
    return ([answer[0] for answer in answers], certain, times[0]), ([answer[2] for answer in answers], None, times[1])


def command(cuts):
    """Runs `utflane detect`, which combines the library and chardetng."""
    names, certain = [], []
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, cut in enumerate(cuts):
            paths.append(f"{folder}/{number}")
            pathlib.Path(paths[-1]).write_bytes(cut.bytes)
        for begin in range(0, len(paths), 1_000):
            run = ["cargo", "run", "--quiet", "--locked", "--release", "-p", "utflane-cli", "--", "detect", "--json"]
            lines = subprocess.run([*run, *paths[begin:begin + 1_000]], cwd=ROOT, check=True, capture_output=True, text=True).stdout
            for found in map(json.loads, lines.splitlines()):
                names.append(found["encoding"])
                certain.append(found["confidence"] == "certain")
    return names, certain, None


def run_timed(cuts, detect):
    """Calls `detect` with the bytes of each cut. Returns the answers and the time."""
    names = []
    start = time.process_time_ns()
    for cut in cuts:
        names.append(detect(cut.bytes))
    return names, None, time.process_time_ns() - start


def uchardet():
    """Returns a function that calls libuchardet, without a process for each text."""
    (path,) = unpack(LIBRARIES)["libuchardet0"].glob("usr/lib/*/libuchardet.so.0")
    library = ctypes.CDLL(str(path))
    library.uchardet_new.restype = ctypes.c_void_p
    library.uchardet_get_charset.restype = ctypes.c_char_p
    detector = ctypes.c_void_p(library.uchardet_new())

    def detect(text):
        library.uchardet_reset(detector)
        library.uchardet_handle_data(detector, text, ctypes.c_size_t(len(text)))
        library.uchardet_data_end(detector)
        return library.uchardet_get_charset(detector).decode()

    return detect


def magic():
    """Returns a function that calls libmagic, the library of the command `file`."""
    folders = unpack(LIBRARIES)
    (path,) = folders["libmagic1"].glob("usr/lib/*/libmagic.so.1")
    library = ctypes.CDLL(str(path))
    library.magic_open.restype = ctypes.c_void_p
    library.magic_buffer.restype = ctypes.c_char_p
    mime_encoding = 0x400
    handle = ctypes.c_void_p(library.magic_open(mime_encoding))
    database = folders["libmagic-mgc"] / "usr" / "lib" / "file" / "magic.mgc"
    if library.magic_load(handle, os.fsencode(database)) != 0:
        sys.exit("libmagic can't load its database")
    return lambda text: (library.magic_buffer(handle, text, ctypes.c_size_t(len(text))) or b"").decode()


def python_detectors():
    """Installs chardet and charset-normalizer in a virtual environment. Returns the name with the version, and a function
    that calls the detector, for each."""
    folder = DOWNLOADS / "venv"
    if not folder.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", *MODULES], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    sys.path.insert(0, str(packages))
    import chardet
    import charset_normalizer

    def normalizer(text):
        best = charset_normalizer.from_bytes(text).best()
        return best.encoding if best else None

    return (
        (f"chardet {chardet.__version__}", lambda text: chardet.detect(text)["encoding"]),
        (f"charset-normalizer {charset_normalizer.__version__}", normalizer),
    )


def debian_version(package):
    """Returns the version of a Debian package, without Debian's suffix."""
    shown = subprocess.run(["apt-cache", "show", "--no-all-versions", package], check=True, capture_output=True, text=True).stdout
    return re.search(r"^Version: (?:\d+:)?([^-\n]*)", shown, re.MULTILINE).group(1)


def crate_version(name):
    """Returns the version of a crate."""
    return re.search(rf'name = "{name}"\nversion = "([^"]*)"', (ROOT / "Cargo.lock").read_text()).group(1)


def measure(sample):
    """Returns the results of all detectors by size: `{size: {detector: (cuts, answers, certain, nanoseconds)}}`."""
    slow = python_detectors()
    fast = [(f"uchardet {debian_version('libuchardet0')}", uchardet()), (f"file {debian_version('libmagic1')}", magic())]
    results = {}
    for size in SIZES:
        cuts = [cut for cut in sample if cut.size == size]
        library, chardetng = rust_detectors(cuts)
        results[size] = {
            "utflane, the command": (cuts, *command(cuts)),
            "utflane, the library": (cuts, *library),
            f"chardetng {crate_version('chardetng')}": (cuts, *chardetng),
        }
        for name, detect in fast:
            results[size][name] = (cuts, *run_timed(cuts, detect))
        fewer_cuts = cuts[::ONE_CUT_IN[size]]
        for name, detect in slow:
            results[size][name] = (fewer_cuts, *run_timed(fewer_cuts, detect))
        print(f"{size} bytes: {len(cuts)} cuts", file=sys.stderr)
    return results


def is_in_scope(cut):
    return cut.encoding in UNICODE + WESTERN


def percent(part, whole):
    return f"{100 * part / whole:.1f}" if whole else ""


def accuracy_table(results, is_counted):
    """Returns a table: the percentage of right answers by detector and size, for the cuts that `is_counted` accepts."""
    lines = ["| detector |" + "".join(f" {size:,} bytes |" for size in SIZES), "|---|" + "---|" * len(SIZES)]
    for detector in results[SIZES[0]]:
        cells = []
        for size in SIZES:
            cuts, answers, *_ = results[size][detector]
            counted = [(cut, answer) for cut, answer in zip(cuts, answers) if is_counted(cut)]
            cells.append(percent(sum(is_right(answer, cut) for cut, answer in counted), len(counted)))
        lines.append(f"| {detector} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def encoding_table(results, size):
    """Returns a table: the percentage of right answers by encoding and detector."""
    detectors = list(results[size])
    lines = ["| encoding |" + "".join(f" {name.split(' ')[-1] if name.startswith('utflane') else name.split(' ')[0]} |" for name in detectors)]
    lines.append("|---|" + "---|" * len(detectors))
    for encoding in sorted({cut.encoding for cut in results[size][detectors[0]][0]}):
        cells = []
        for detector in detectors:
            cuts, answers, *_ = results[size][detector]
            right = [is_right(answer, cut) for cut, answer in zip(cuts, answers) if cut.encoding == encoding]
            cells.append(percent(sum(right), len(right)))
        lines.append(f"| {encoding} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def speed_table(results):
    """Returns a table: MB/s by detector and size."""
    lines = ["| detector |" + "".join(f" {size:,} bytes |" for size in SIZES), "|---|" + "---|" * len(SIZES)]
    for detector, first in results[SIZES[0]].items():
        if first[3] is None:
            continue
        cells = []
        for size in SIZES:
            cuts, _, _, nanoseconds = results[size][detector]
            rate = 1000 * sum(len(cut.bytes) for cut in cuts) / nanoseconds
            cells.append(f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}")
        lines.append(f"| {detector} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def wrongly_certain(results, detector):
    """Yields the cuts for which a detector gave a wrong answer and called it certain, with the answer."""
    for size in SIZES:
        cuts, answers, certain, _ = results[size][detector]
        for cut, answer, is_certain in zip(cuts, answers, certain):
            if is_certain and not is_right(answer, cut):
                yield cut, answer


def processor():
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found.group(1) if found else "an unknown processor"


def report(results, sample, corpus):
    """Returns the text of the page. `sample` has all cuts."""
    commands = ["utflane, the command", "utflane, the library"]
    errors = [len(list(wrongly_certain(results, detector))) for detector in commands]
    in_scope = sum(map(is_in_scope, sample))
    encodings = len({cut.encoding for cut in sample})
    texts = f"manual pages in {len(set(MANUALS))} languages (Debian's packages `manpages-*`)"
    if corpus:
        texts += " and of the test texts of this project"
    parts = [
        "# Detectors of encodings, compared",
        f"This page is written by `benches/detection/compare.py`, on {datetime.date.today()}, on {processor()}.",
        f"The samples are {len(sample):,} excerpts (whole characters) at random offsets of {texts}, in {encodings} encodings,"
        " half of them without line feeds. An answer is right if the sample, decoded from this encoding, equals the text."
        " So a similar encoding also counts, if the text has none of the characters that differ. chardet and"
        f" charset-normalizer got one sample in {ONE_CUT_IN[1_000]} of 1,000 bytes, and one in {ONE_CUT_IN[10_000]} of 10,000"
        " bytes.",
        "## Unicode and western texts",
        "UTF-8, UTF-16 and UTF-32 without a byte order mark, Latin-1 and windows-1252: the encodings that the library"
        f" decodes. Percentage of right answers, of {in_scope:,} samples:",
        accuracy_table(results, is_in_scope),
        "## Other encodings from before Unicode",
        "For these encodings, the library's answer is only that a text is in one of them. The command identifies it by"
        f" chardetng and letter frequencies. Percentage of right answers, of {len(sample) - in_scope:,} samples:",
        accuracy_table(results, lambda cut: not is_in_scope(cut)),
        "## Certainty",
        f"A wrong answer with the confidence `certain` does harm. Of all {len(sample):,} samples, the command gave {errors[0]}"
        f" such answers, and the library {errors[1]}.",
        MIXED,
        "## By encoding",
        "Percentage of right answers, of samples of 100 bytes:",
        encoding_table(results, 100),
        "The same, of samples of 1,000 bytes:",
        encoding_table(results, 1_000),
        "## Speed",
        "MB/s over all samples, in one thread, without reading files:",
        speed_table(results),
    ]
    return "\n\n".join(part if "\n" in part else textwrap.fill(part, 99) for part in parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", help="a folder with more texts, *.utf8.txt")
    parser.add_argument("--cuts", type=int, default=24, help="the number of cuts of each size from each text in each encoding (default: 24)")
    parser.add_argument("--letters", action="store_true", help="print only the frequencies of letters")
    arguments = parser.parse_args()
    if arguments.letters:
        folders = unpack(sorted(set(MANUALS.values())))
        for language in ["da", "de", "es", "fi", "fr", "it", "nb", "nl", "pt_BR", "sv", "cs", "hu", "pl", "ro", "tr"]:
            print(language, letter_costs(manual_text(folders[MANUALS[language]], language)))
        return
    sample = list(take_cuts(arguments.corpus, arguments.cuts))
    results = measure(sample)
    for detector in ["utflane, the command", "utflane, the library"]:
        for cut, answer in wrongly_certain(results, detector):
            print(f"{detector}: {cut.encoding} called {answer}: {cut.bytes[:40]!r}", file=sys.stderr)
    PAGE.write_text(report(results, sample, arguments.corpus), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

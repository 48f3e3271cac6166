#!/usr/bin/env python3
"""Compares detectors of encodings, and writes docs/DETECTION.md.

    benches/detection/compare.py [--samples N] [--seed N]
    benches/detection/compare.py --speed    measures only the speed, and replaces its table in the page
    benches/detection/compare.py --fit      prints the coefficients for crates/utflane-charset/src/fusion.rs

Takes samples of the texts that are held out from training (samples.py), and runs each detector on them. An answer is right if it
decodes the sample to its text. So a similar encoding also counts, if the text has none of the characters that differ.

The program needs Debian (`apt-get download`), Python with venv, and Rust. It downloads files once, to target/detection/, or to the
folder that UTFLANE_DETECTION names. It does not need root.
"""

import argparse
import codecs
import collections
import ctypes
import datetime
import math
import os
import pathlib
import re
import statistics
import struct
import subprocess
import sys
import tempfile
import textwrap
import time
import venv

FOLDER = pathlib.Path(os.environ.get("UTFLANE_DETECTION", pathlib.Path(__file__).resolve().parents[2] / "target" / "detection"))
MODULES = ["chardet", "charset-normalizer", "numpy"]

if "numpy" not in sys.modules:
    # The modules are installed in a virtual environment of their own.
    if not (FOLDER / "venv").exists():
        venv.create(FOLDER / "venv", with_pip=True)
        subprocess.run([FOLDER / "venv" / "bin" / "pip", "install", "--quiet", *MODULES], check=True)
    sys.path.insert(0, str(next((FOLDER / "venv").glob("lib/python*/site-packages"))))

import corpus  # noqa: E402
import numpy  # noqa: E402
import samples  # noqa: E402
from samples import FAMILIES, SIZES, TABLES  # noqa: E402

PAGE = corpus.ROOT / "docs" / "DETECTION.md"
LIBRARIES = ["libuchardet0", "libmagic1", "libmagic-mgc"]
SPEED_SIZES = [200, 2_000, 20_000]
# The shortest time of so many rounds counts, since other programs may run.
SPEED_ROUNDS = 5
# Slow detectors get one sample in this number, by size.
ONE_IN = {10_000: 2}

# Python's codecs for names of encodings that are no code pages of the library.
CODECS = {
    "shift_jis": "cp932", "sjis": "cp932", "euc-kr": "cp949", "uhc": "cp949", "gbk": "gb18030", "gb2312": "gb18030", "big5": "cp950",
    "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "utf-32le": "utf-32-le", "utf-32be": "utf-32-be", "utf-8-sig": "utf-8",
    "us-ascii": "ascii",
}
# Names of the library's code pages by Python's names of codecs.
PAGE_NAMES = {"mac-roman": "macintosh", "mac-latin2": "x-mac-ce", "mac-cyrillic": "x-mac-cyrillic", "mac-greek": "x-mac-greek",
    "mac-turkish": "x-mac-turkish", "mac-iceland": "x-mac-icelandic", "mac-croatian": "x-mac-croatian", "mac-romanian": "x-mac-romanian",
    "mac-centraleurope": "x-mac-ce", "latin-1": "iso-8859-1", "latin1": "iso-8859-1", "cp866": "ibm866", "windows-1252": "windows-1252"}

MIXED = """## Files whose parts are in different encodings

`cargo test -p utflane-charset --test mixtures` makes 10,000 files whose parts are in different
encodings: UTF-8, UTF-16 and UTF-32, with and without byte order marks, in any order, or UTF-8 and
another encoding. A part has 2 to 100 lines in one of eight languages. The command never decodes
such a file from one encoding without an error.

| file | answer |
|---|---|
| UTF-8, then UTF-16LE | `mixed: utf-8 up to byte N, then utf-16le` |
| UTF-16BE with its byte order mark, then UTF-8 | `mixed: utf-16be up to byte N, then utf-8` |
| UTF-16LE, then UTF-16BE with its byte order mark | `mixed: utf-16le up to byte N, then utf-16be` |
| a few lines of UTF-8, then windows-1252 | `mixed: utf-8 up to byte N, then a legacy encoding` |
| many lines of UTF-8, then windows-1252 | `utf-8 (likely): UTF-8 with few errors`; the conversion names the byte |
| koi8-r, then UTF-8 | `mixed: a legacy encoding up to byte N, then utf-8` |
| windows-1251, then koi8-r | `windows-1251 (a guess)`, with koi8-r as the first other encoding |"""

# The answer of a detector: the encoding, `certain`, `likely` or `a guess`, the probability, and the nanoseconds that it took.
Answer = collections.namedtuple("Answer", "encoding confidence probability nanoseconds figures")


def page_of(name):
    """Returns the table of the code page that a detector calls so, or `None`."""
    name = name.lower().replace("_", "-")
    name = re.sub(r"^iso8859-", "iso-8859-", name)
    candidates = [name, PAGE_NAMES.get(name), name.replace("cp125", "windows-125"), name.replace("ibm", "cp"),
        name.replace("x-", ""), "x-" + name, name.replace("iso-8859-8-i", "iso-8859-8")]
    return next((TABLES[name] for name in candidates if name in TABLES), None)


def is_right(name, sample):
    """Returns true if decoding the sample from the encoding of this name returns its text."""
    table = page_of(name or "")
    if table:
        return [table[byte] for byte in sample.bytes] == list(sample.text)
    try:
        name = (name or "").lower()
        return sample.bytes.decode(codecs.lookup(CODECS.get(name, name)).name) == sample.text
    except (LookupError, UnicodeDecodeError, TypeError):
        return False


def write(found, file):
    for sample in found:
        file.write(struct.pack("<I", len(sample.bytes)) + sample.bytes)
    file.flush()


def command(found):
    """Runs the detection of the command and the bindings."""
    run = ["cargo", "run", "--quiet", "--locked", "--release", "-p", "utflane-charset", "--example", "samples", "--"]
    with tempfile.NamedTemporaryFile() as file:
        write(found, file)
        lines = subprocess.run([*run, file.name], cwd=corpus.ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    answers = []
    for line in lines:
        name, confidence, probability, _, nanoseconds, _, figures = line.split("\t")
        answers.append(Answer(name, confidence, float(probability), int(nanoseconds), figures))
    return answers


def chardetng(found):
    """Runs chardetng."""
    run = ["cargo", "run", "--quiet", "--locked", "--release", "-p", "utflane-bench", "--no-default-features", "--bin", "detectors"]
    with tempfile.NamedTemporaryFile() as file:
        write(found, file)
        lines = subprocess.run([*run, "--", file.name], cwd=corpus.ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    *names, nanoseconds = lines
    return [Answer(name, None, None, int(nanoseconds) / len(found), None) for name in names]


def timed(detect):
    """Returns a function that runs a detector in Python on samples."""
    def run(found):
        answers = []
        for sample in found:
            start = time.perf_counter_ns()
            name = detect(sample.bytes)
            answers.append(Answer(name, None, None, time.perf_counter_ns() - start, None))
        return answers
    return run


def uchardet():
    (path,) = corpus.unpack(LIBRARIES)["libuchardet0"].glob("usr/lib/*/libuchardet.so.0")
    library = ctypes.CDLL(str(path))
    library.uchardet_new.restype = ctypes.c_void_p
    library.uchardet_get_charset.restype = ctypes.c_char_p
    detector = ctypes.c_void_p(library.uchardet_new())

    def detect(text):
        library.uchardet_reset(detector)
        library.uchardet_handle_data(detector, text, ctypes.c_size_t(len(text)))
        library.uchardet_data_end(detector)
        return library.uchardet_get_charset(detector).decode()

    return timed(detect)


def magic():
    """Returns a function that runs libmagic, the library of the command `file`."""
    folders = corpus.unpack(LIBRARIES)
    (path,) = folders["libmagic1"].glob("usr/lib/*/libmagic.so.1")
    library = ctypes.CDLL(str(path))
    library.magic_open.restype = ctypes.c_void_p
    library.magic_buffer.restype = ctypes.c_char_p
    mime_encoding = 0x400
    handle = ctypes.c_void_p(library.magic_open(mime_encoding))
    database = folders["libmagic-mgc"] / "usr" / "lib" / "file" / "magic.mgc"
    if library.magic_load(handle, os.fsencode(database)) != 0:
        sys.exit("libmagic can't load its database")
    return timed(lambda text: (library.magic_buffer(handle, text, ctypes.c_size_t(len(text))) or b"").decode())


def debian_version(package):
    shown = subprocess.run(["apt-cache", "show", "--no-all-versions", package], check=True, capture_output=True, text=True).stdout
    return re.search(r"^Version: (?:\d+:)?([^-\n]*)", shown, re.MULTILINE).group(1)


def measure(found):
    """Returns the answers of all detectors: `{detector: [(sample, answer)]}`."""
    import chardet
    import charset_normalizer

    def normalizer(text):
        best = charset_normalizer.from_bytes(text).best()
        return best.encoding if best else None

    version = re.search(r'name = "chardetng"\nversion = "([^"]*)"', (corpus.ROOT / "Cargo.lock").read_text()).group(1)
    results = {
        "utflane": list(zip(found, command(found))),
        f"chardetng {version}": list(zip(found, chardetng(found))),
    }
    counts = collections.Counter()
    fewer = []
    for sample in found:
        counts[sample.size] += 1
        if counts[sample.size] % ONE_IN.get(sample.size, 1) == 0:
            fewer.append(sample)
    for name, detect in [
        (f"chardet {chardet.__version__}", timed(lambda text: chardet.detect(text)["encoding"])),
        (f"charset-normalizer {charset_normalizer.__version__}", timed(normalizer)),
        (f"uchardet {debian_version('libuchardet0')}", uchardet()),
        (f"file {debian_version('libmagic1')}", magic()),
    ]:
        print(name, file=sys.stderr)
        results[name] = list(zip(fewer, detect(fewer)))
    return results


def measure_speed(found):
    """Returns the answers of all detectors as `measure` does, each with its shortest time."""
    rounds = [measure(found) for _ in range(SPEED_ROUNDS)]
    pairs = {name: zip(*(answers[name] for answers in rounds)) for name in rounds[0]}
    return {name: [min(each, key=lambda pair: pair[1].nanoseconds) for each in all_rounds] for name, all_rounds in pairs.items()}


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def share(rights):
    return f"{100 * sum(rights) / len(rights):.1f}" if rights else ""


def accuracy_tables(results):
    """Returns a heading and a table for each family: the percentage of right answers by detector and size."""
    parts = []
    rights = {name: [(s, is_right(a.encoding, s)) for s, a in pairs] for name, pairs in results.items()}
    for family in FAMILIES:
        count = sum(s.family == family for s, _ in rights["utflane"])
        rows = [[name] + [share([r for s, r in pairs if s.family == family and s.size == size]) for size in SIZES] for name, pairs in rights.items()]
        parts += [f"### {family[0].upper()}{family[1:]}", f"Percentage of right answers, of {count:,} samples:",
            table(["detector"] + [f"{size:,} bytes" for size in SIZES], rows)]
    return parts


def encoding_table(results):
    """Returns a table: the percentage of right answers of utflane and chardet by encoding."""
    names = [name for name in results if name == "utflane" or name.startswith("chardet ")]
    rows = []
    for family in FAMILIES:
        for encoding in sorted({s.encoding for s, _ in results["utflane"] if s.family == family}):
            row = [encoding]
            for name in names:
                for size in (50, 1_000):
                    row.append(share([is_right(a.encoding, s) for s, a in results[name] if s.encoding == encoding and s.size == size]))
            rows.append(row)
    return table(["encoding"] + [f"{name}, {size:,} bytes" for name in names for size in (50, 1_000)], rows)


def reliability_table(pairs):
    """Returns a table: how many answers are right, by their probability."""
    rows = []
    bounds = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99, 1.01]
    for low, high in zip(bounds, bounds[1:]):
        found = [(a.probability, is_right(a.encoding, s)) for s, a in pairs if low <= a.probability < high]
        if found:
            mean = sum(p for p, _ in found) / len(found)
            rows.append([f"{low} to {min(high, 1)}", f"{len(found):,}", f"{100 * mean:.1f}", share([r for _, r in found])])
    return table(["probability", "answers", "mean, %", "right, %"], rows)


def speed_table(results):
    """Returns a table: the median time of each detector by size."""
    rows = []
    for name, pairs in results.items():
        by_size = [statistics.median(a.nanoseconds for s, a in pairs if s.size == size) / 1000 for size in SPEED_SIZES]
        rows.append([name] + [f"{time:,.0f}" if time >= 10 else f"{time:.1f}" for time in by_size])
    return table(["detector"] + [f"{size:,} bytes" for size in SPEED_SIZES], rows)


def figures_of(sample, answer):
    """Returns the terms of the probability of an answer, or `None` if it is not a statistical one."""
    match = re.match(r'Some\(\("(.*)", \[(.*)\], (true|false)\)\)', answer.figures)
    if not match or match.group(1) != answer.encoding or sample.family == "Unicode":
        return None
    margin, size = map(float, match.group(2).split(","))
    return [1, math.log1p(max(0, min(margin, 400))), math.log(max(size, 1)), match.group(3) == "true"]


def fit(pairs):
    """Prints the coefficients of a logistic regression."""
    terms = [(figures_of(s, a), is_right(a.encoding, s)) for s, a in pairs]
    x = numpy.array([t for t, _ in terms if t], float)
    y = numpy.array([right for t, right in terms if t], float)
    weights = numpy.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + numpy.exp(-x @ weights))
        weights += numpy.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 0.01 * numpy.eye(len(weights)), x.T @ (y - p))
    names = ["constant", "ln(1 + margin)", "ln(bytes)", "several words"]
    for name, weight in zip(names, weights):
        print(f"{name:20} {weight:7.3f}")


def processor():
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found.group(1) if found else "an unknown processor"


def report(results, speed, number):
    """Returns the text of the page."""
    pairs = results["utflane"]
    sure = [(s, a) for s, a in pairs if a.confidence != "a guess"]
    wrong = [(s, a) for s, a in sure if not is_right(a.encoding, s)]
    certain = sum(a.confidence == "certain" for _, a in wrong)
    languages, encodings = len({s.language for s, _ in pairs}), len({s.encoding for s, _ in pairs})
    sources = [["`libreoffice-l10n-*`", "translations of LibreOffice", "MPL-2.0"], ["`firefox-esr-l10n-*`", "translations of Firefox", "MPL-2.0"],
        ["`manpages`, `manpages-*`", "manual pages", "GPL, BSD, MIT and others, by page"], ["`gimp-help-*`", "the manual of GIMP", "GFDL-1.2+"],
        ["`debian-handbook`", "the Debian Administrator's Handbook", "GPL-2+ or CC-BY-SA-3.0"], ["`installation-guide-amd64`", "the installation manual", "GPL-2"],
        ["`aptitude-doc-*`", "the manual of aptitude", "GPL-2+"], ["`fortunes`, `fortunes-*`", "quotations and jokes", "BSD, GPL or public domain, by package"],
        ["`iso-codes`", "names of countries, languages and currencies", "LGPL-2.1+"], ["`myspell-fo`, `myspell-sq`", "word lists", "GPL-2+"]]
    parts = [
        "# Detectors of encodings, compared",
        f"This page is written by `benches/detection/compare.py`, on {datetime.date.today()}, on {processor()}. Samples: {number} of each size for each"
        " language and encoding.",
        f"The samples are {len(pairs):,} excerpts in {languages} languages and {encodings} encodings. One document in five is kept apart for them; the tables of"
        " utflane are trained on the others (`benches/detection/train.py`). From 200 bytes on, half of the samples are made HTML or subtitles."
        f" chardet, charset-normalizer, uchardet and file get one in {ONE_IN[10_000]} of the samples of 10,000 bytes, because they are slow."
        " An answer is right if the sample, decoded from the named encoding, equals the text from which it was made. So a similar encoding is right too"
        " if it differs only in characters that the text does not have. A detector that does not know an encoding is wrong about it: chardetng, uchardet"
        " and file know none of EBCDIC.",
        "## Accuracy",
        *accuracy_tables(results),
        "## Certainty",
        f"With `-f auto`, the command converts a text if the answer is certain or likely. Such an answer does harm if it is wrong. Of all {len(pairs):,} answers,"
        f" {len(sure):,} were certain or likely. {len(wrong)} of these were wrong, which is one in {len(pairs) // max(1, len(wrong)):,} of all answers. {certain}"
        " of the wrong answers were certain.",
        "An answer that names an encoding from before Unicode has a probability. It is computed from the difference to the second candidate, in bits, from the"
        " number of bytes, and from whether more than one word supports the answer. Repeated words count once. An answer is likely if its probability is at"
        " least 0.97, if more than one word supports it, and if neither the start nor the end of the text is likely in another encoding. The table shows how"
        " many answers of each probability are right:",
        reliability_table([(s, a) for s, a in pairs if s.family != "Unicode"]),
        MIXED,
        "## Speed",
        "Microseconds for one text in an encoding from before Unicode: the median of the samples. For chardetng, it is the mean of the"
        f" samples of all sizes. Each time is the shortest of {SPEED_ROUNDS} rounds.",
        speed_table(speed),
        "## Sources of the tables",
        "The tables of letters come from Debian's packages. They have frequencies only, and no text.",
        table(["packages", "content", "licence"], sources),
        "## By encoding",
        encoding_table(results),
    ]
    return "\n\n".join(part if "\n" in part else textwrap.fill(part, 99, break_on_hyphens=False) for part in parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--samples", type=int, default=12, help="the number of samples of each size in each encoding of each language")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the choice of samples")
    parser.add_argument("--fit", action="store_true", help="print only the coefficients of the probability")
    parser.add_argument("--speed", action="store_true", help="measure only the speed")
    arguments = parser.parse_args()
    speed = list(samples.samples(1, 2, SPEED_SIZES, FAMILIES[:5])) if not arguments.fit else []
    if arguments.speed:
        page = PAGE.read_text(encoding="utf-8")
        start = page.index("| detector |", page.index("## Speed"))
        end = page.index("\n\n", start)
        PAGE.write_text(page[:start] + speed_table(measure_speed(speed)) + page[end:], encoding="utf-8")
        return
    found = list(samples.samples(arguments.samples, arguments.seed))
    if arguments.fit:
        return fit(zip(found, command(found)))
    results = measure(found)
    PAGE.write_text(report(results, measure_speed(speed), arguments.samples), encoding="utf-8")
    print(f"written: {PAGE.relative_to(corpus.ROOT)}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the tables in costs/, the frequencies of East Asian characters.

    crates/utflane-charset/src/structure/train.py

The texts are those of Debian's packages, which `apt-get download` fetches once, to
target/detection/structure/. The program needs Debian, iconv and Python.

Each table has the characters of one set of 94 x 94 or more cells, and one language. A cost is
-log2 of a probability, in quarters of a bit, as a character: "0" is 0 bits, "1" a quarter of a bit,
"4" one bit. "-" is an unassigned cell.

* The first ten lines are the classes of the character before, with a column for the class of the
  character itself: the cost of the class.
* Each further line is a row of the set: the class of the row, then the cost of each cell in this
  class. Rows beyond the table are rare; the program that reads the table knows their cost.

Texts and their licences:

* manpages-ja, manpages-zh: manual pages; the licences of Linux's manual pages, mostly free without
  conditions, BSD, GPL-2+ or verbatim
* debian-handbook: GPL-2+ or CC-BY-SA-3.0; installation-guide-amd64: GPL-2+;
  debian-reference-zh-tw: GPL-2+
* libreoffice-help-ja, -ko, -zh-cn, -zh-tw: MPL-2.0; gnome-user-docs: CC-BY-SA-3.0
* mecab-ipadic (words of Japanese and their costs): the licence of ICOT, BSD-3-Clause
* python3-jieba (words of simplified Chinese and their frequencies): MIT
* rime-essay (words of traditional Chinese and their frequencies): LGPL-3
* hunspell-ko (words of Korean): MPL-1.1, GPL-2+ or LGPL-2.1+

The tables are counts of characters. No text of a package is in them.
"""

import collections
import gzip
import html
import math
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
DOWNLOADS = HERE.parents[3] / "target" / "detection" / "structure"

# The share of the word list in the frequencies; prose has the rest, each package the same part.
WORDS_SHARE = 0.4
# The share of the frequencies that is spread over all cells of a class: characters that the texts
# lack are rare, not impossible.
UNSEEN_SHARE = 0.06
# The classes after a class are counted in the prose, and besides in this share of it as if the class did not matter.
PRIOR_SHARE = 0.002
# Rare characters have at least this share after an ASCII letter and after other classes: names of people and places, which
# the prose lacks.
RARE_AFTER_LETTER = 1 / 4096
RARE_AFTER_OTHERS = 1 / 512
# The largest cost, in quarters of a bit.
MAX_COST = 64

# Classes of characters: the lines and columns of the first ten lines of a table.
LETTER, OTHER_ASCII, PUNCTUATION, WIDE, HIRAGANA, KATAKANA, SIGN, NARROW, COMMON, RARE = range(10)

# By language: packages of prose with the folder or the name of the language in them, and the package of words.
PROSE = {
    "ja": {"manpages-ja": "/ja/", "debian-handbook": "/ja-JP/", "installation-guide-amd64": "/ja/",
           "libreoffice-help-ja": "/ja/", "gnome-user-docs": "/ja/"},
    "ko": {"debian-handbook": "/ko-KR/", "installation-guide-amd64": "/ko/", "libreoffice-help-ko": "/ko/",
           "gnome-user-docs": "/ko/"},
    "zh-cn": {"manpages-zh": "/zh_CN/", "debian-handbook": "/zh-CN/", "installation-guide-amd64": "/zh_CN/",
              "libreoffice-help-zh-cn": "/zh-CN/", "gnome-user-docs": "/zh_CN/"},
    "zh-tw": {"manpages-zh": "/zh_TW/", "debian-handbook": "/zh-TW/", "debian-reference-zh-tw": "zh-tw",
              "libreoffice-help-zh-tw": "/zh-TW/"},
}


def unpacked(package):
    """Returns the folder with the files of a package."""
    folder = DOWNLOADS / package
    if not folder.exists():
        DOWNLOADS.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-q", package], cwd=DOWNLOADS, check=True)
        [archive] = DOWNLOADS.glob(f"{package}_*.deb")
        subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
    return folder


def plain_text(path):
    """Returns the text of a manual page, an HTML file or an XML file, without its markup."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8", "replace")
    if path.suffix in (".html", ".page", ".xml"):
        text = re.sub(r"(?s)<(script|style|head)\b.*?</\1>|<!--.*?-->|<[^>]*>", " ", text)
        return html.unescape(text)
    text = re.sub(r'(?m)^[.\'](\\".*|[A-Za-z]{1,2}\b)', "", text)
    return re.sub(r"\\f[A-Z]|\\[-&]", "", text)


def prose(language, is_of_language):
    """Returns the text of each package of a language: the lines that have its characters."""
    for package, part in PROSE[language].items():
        lines = []
        for path in sorted(unpacked(package).rglob("*")):
            if part in str(path) and path.is_file() and not path.is_symlink():
                if path.suffix in (".html", ".page", ".xml", ".gz") and "changelog" not in path.name:
                    lines.extend(filter(is_of_language, plain_text(path).splitlines()))
        # Menus repeat in each file.
        yield package, "\n".join(dict.fromkeys(line.strip() for line in lines)) + "\n"


def words(language):
    """Returns words and their weights."""
    if language == "ja":
        for path in unpacked("mecab-ipadic").rglob("ipadic/*.csv"):
            for line in path.read_text("euc_jp").splitlines():
                word, _, _, cost = line.split(",")[:4]
                yield word, math.exp(-int(cost) / 700)
    elif language == "ko":
        [path] = unpacked("hunspell-ko").rglob("hunspell/ko.dic")
        for line in path.read_text("utf-8").splitlines()[1:]:
            yield line.split("/")[0], 1
    elif language == "zh-cn":
        [path] = unpacked("python3-jieba").rglob("jieba/dict.txt")
        for line in path.read_text("utf-8").splitlines():
            yield line.split(" ")[0], int(line.split(" ")[1])
    else:
        [path] = unpacked("rime-essay").rglob("essay.txt")
        for line in path.read_text("utf-8").splitlines():
            yield line.split("\t")[0], int(line.split("\t")[1])


def decode(data, *codecs):
    """Returns the character that `data` encodes in the first codec that has it."""
    for codec in codecs:
        try:
            if codec.startswith("iconv "):
                iconv = ["iconv", "-f", codec.split()[1], "-t", "UTF-8"]
                text = subprocess.run(iconv, input=data, capture_output=True, check=True).stdout.decode()
            else:
                text = data.decode(codec)
        except (UnicodeDecodeError, subprocess.CalledProcessError):
            continue
        if not "\uE000" <= text[0] <= "\uF8FF":
            return text
    return None


def shift_jis(row, cell):
    """Returns the bytes of a cell of JIS X 0208."""
    trail = (row % 2 * 94) + cell + 0x40
    return bytes([row // 2 + (0x81 if row < 62 else 0xC1), trail + (trail > 0x7E)])


def split_trail(bytes_before, first, second):
    """Returns a function from a row and a cell to two bytes, where trail bytes are in two ranges."""
    def encode(row, cell):
        gap = second - 1 - 0x7E if cell > 0x7E - first else 0
        return bytes([bytes_before + row, first + cell + gap])
    return encode


def euc(row, cell):
    return bytes([0xA1 + row, 0xA1 + cell])


# By file: the language, the classes of the rows from the first on, the number of cells in a row, the bytes of a cell, and
# the codecs that decode them.
TABLES = {
    "japanese": ("ja", [PUNCTUATION] * 2 + [WIDE, HIRAGANA, KATAKANA] + [SIGN] * 10 + [COMMON] * 32 + [RARE] * 37,
                 94, shift_jis, ["cp932"]),
    "korean": ("ko", [PUNCTUATION] * 2 + [WIDE] + [SIGN] * 12 + [COMMON] * 25, 94, euc, ["cp949"]),
    "simplified": ("zh-cn", [PUNCTUATION, SIGN, WIDE] + [SIGN] * 12 + [COMMON] * 40, 94, euc, ["gb18030"]),
    "traditional": ("zh-tw", [PUNCTUATION, WIDE, SIGN] + [COMMON] * 35, 157,
                    split_trail(0xA1, 0x40, 0xA1), ["big5hkscs", "cp950"]),
    "taiwan": ("zh-tw", [PUNCTUATION] * 3 + [WIDE] + [SIGN] * 31 + [COMMON] * 58, 94, euc, ["iconv EUC-TW"]),
    "johab": ("ko", [COMMON] * 80, 188, split_trail(0x84, 0x41, 0x81), ["johab"]),
}

# Characters that codecs of one set decode differently.
ALIASES = [("〜", "～"), ("‖", "∥"), ("−", "－"), ("—", "―"), ("·", "・"), ("‧", "・"), ("⋯", "…"), ("¢", "￠"), ("·", "‧")]

SCRIPTS = {"ja": r"[\u3040-\u30FF]", "ko": r"[\uAC00-\uD7A3]", "zh-cn": r"[\u4E00-\u9FFF]", "zh-tw": r"[\u4E00-\u9FFF]"}


def shares(counts):
    total = sum(counts.values())
    return {c: count / total for c, count in counts.items()}


def frequencies(language):
    """Returns the frequency of each character, and the prose."""
    texts = [text for _, text in prose(language, re.compile(SCRIPTS[language]).search)]
    frequency = collections.Counter()
    for text in texts:
        for c, share in shares(collections.Counter(c for c in text if not c.isascii())).items():
            frequency[c] += share / len(texts) * (1 - WORDS_SHARE)
    counts = collections.Counter()
    for word, weight in words(language):
        for c in word:
            counts[c] += weight * (not c.isascii())
    for c, share in shares(counts).items():
        frequency[c] += share * WORDS_SHARE
    for one, other in ALIASES:
        frequency[one] = frequency[other] = max(frequency[one], frequency[other])
    print(language, sum(map(len, texts)), "characters of prose")
    return frequency, texts


def cost(probability):
    """Returns a cost as a character."""
    return chr(ord("0") + min(MAX_COST, round(-4 * math.log2(probability))))


def is_encoded(c, codecs):
    """Tells whether an encoding has a character."""
    for codec in codecs:
        try:
            return bool(c.encode(codec.replace("iconv EUC-TW", "big5hkscs")))
        except UnicodeEncodeError:
            continue
    return False


def transitions(texts, classes, codecs):
    """Returns the lines for the costs of the classes. `classes` has the class of each character of the table."""
    rare = {c: RARE for c in set("".join(texts)) - classes.keys() if c.isalpha() and not c.isascii() and is_encoded(c, codecs)}
    classes = {**rare, **classes}
    counts = [[0.0] * 10 for _ in range(10)]
    for text in texts:
        before = OTHER_ASCII
        for c in text:
            after = (LETTER if c.isalnum() else OTHER_ASCII) if c.isascii() else classes.get(c)
            if after is not None:
                counts[before][after] += 1 / len(text) / len(texts)
            before = OTHER_ASCII if after is None else after
    overall = [sum(column) for column in zip(*counts)]
    # Texts in narrow katakana are older than the packages.
    overall[NARROW] = 2e-5
    overall = [max(share, 1e-4) if kind != NARROW else share for kind, share in enumerate(overall)]
    for before in range(10):
        prior = list(overall)
        if before == NARROW:
            prior[NARROW] = 4
        # A class that the prose hardly has is followed by what follows others.
        share = [count + PRIOR_SHARE * p for count, p in zip(counts[before], prior)]
        share[RARE] = max(share[RARE], sum(share) * (RARE_AFTER_LETTER if before == LETTER else RARE_AFTER_OTHERS))
        yield "".join(cost(part / sum(share)) for part in share)


def table(name, frequency, texts):
    language, rows, width, encode, codecs = TABLES[name]
    cells = {}
    for row in range(len(rows)):
        for cell in range(width):
            c = decode(encode(row, cell), *codecs)
            if c is not None:
                cells[row, cell] = c
    classes = {c: rows[row] for (row, _), c in cells.items()}
    lines = list(transitions(texts, classes, codecs))
    totals, sizes = collections.Counter(), collections.Counter()
    for (row, _), c in cells.items():
        totals[rows[row]] += frequency[c]
        sizes[rows[row]] += 1
    for row, kind in enumerate(rows):
        line = str(kind)
        for cell in range(width):
            c = cells.get((row, cell))
            if c is None:
                line += "-"
            else:
                seen = frequency[c] / totals[kind] if totals[kind] else 0
                line += cost((1 - UNSEEN_SHARE) * seen + UNSEEN_SHARE / sizes[kind])
        lines.append(line)
    (HERE / "costs" / f"{name}.costs").write_text("\n".join(lines) + "\n")


def main():
    known = {language: frequencies(language) for language in PROSE}
    for name, (language, *_) in TABLES.items():
        table(name, *known[language])


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trains the tables of languages by which crates/utflane-charset detects code pages, and writes its file language/tables.bin.

    benches/detection/train.py        trains on the texts of corpus.py that are not held out

The file has three parts; numbers are little-endian.

1. The characters of all code pages: u16 number, then for each one u16 code point, u16 letter (the lower case, without a
   presentation form; 0 if it is no letter), u8 kind, u8 cost of the character within its kind.
2. The languages: u8 number, then for each one its code of four bytes, u8 number of letters, the letters as u16, the cost of
   each class, and the costs of the pairs of classes: rows by the first class, columns by the second one. The classes are the
   kinds that are no letters, then the letters.
3. The languages of each code page: u8 length of its name, the name, u8 number of languages, their indexes.

A cost is the negative binary logarithm of a share, in sixteenths of a bit, at most 255.
"""

import collections
import math
import re
import struct
import sys
import unicodedata

import numpy

import corpus

OUTPUT = corpus.ROOT / "crates" / "utflane-charset" / "src" / "language" / "tables.bin"
PAGES = corpus.ROOT / "data" / "code_pages.txt"

# The kinds of characters that are no letters of a language; letters follow in the classes of a language.
KINDS = ["space", "digit", "punctuation", "apostrophe", "low quote", "left quote", "right quote", "dash", "symbol", "box",
    "control", "foreign Latin", "foreign", "ASCII letter"]
SPACE, DIGIT, PUNCTUATION, APOSTROPHE, LOW, LEFT, RIGHT, DASH, SYMBOL, BOX, CONTROL, FOREIGN_LATIN, FOREIGN, ASCII_LETTER = range(14)
# Signs of markup and of programs, which are more frequent in manuals than elsewhere.
MARKUP = "#$<=>@[\\]^_`{|}~"
SIGNS = [LOW, LEFT, RIGHT, DASH, SYMBOL]
# A letter's kind: LOWER, UPPER or CASELESS; plus 3 if its script is not Latin.
LOWER, UPPER, CASELESS = 14, 15, 16

LATIN = "af br ca cs cy da de en eo es et eu fi fo fr ga gd gl hr hu is it lt lv mt nb nl nn oc pl pt ro sk sl sq sv tr".split()
CYRILLIC = "be bg kk mk mn ru sr tg uk".split()
OTHERS = "ar el fa he th vi".split()
LANGUAGES = LATIN + CYRILLIC + OTHERS

# The number of characters of one source of a language that are used at most.
SOURCE_MAX = 400_000


def pages():
    """Returns the code pages of the library: `{name: (group, [character or None for each byte])}`."""
    tables, name = {}, None
    for line in PAGES.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"page (\S+) in (\S+)", line):
            name = match.group(1)
            tables[name] = (match.group(2), [None] * 256)
        elif match := re.match(r"like (\S+)", line):
            likes = list(map(chr, range(256))) if match.group(1) == "bytes" else tables[match.group(1)][1]
            tables[name][1][:] = likes
        elif match := re.match(r"([0-9A-F]{2})((?: [0-9A-F-]{4}){16})$", line):
            start = int(match.group(1), 16)
            for i, value in enumerate(match.group(2).split()):
                tables[name][1][start + i] = None if value == "----" else chr(int(value, 16))
    return tables


def fold(c):
    """Returns the letter of a character: the lower case, without a presentation form."""
    c = unicodedata.normalize("NFKC", c) if 0xFB00 <= ord(c) else c
    # The dotted capital of Turkish is a letter of its own: other languages do not have it.
    c = c[:1].lower()[:1] if c != "İ" else c
    # Romanian code pages have the letters with a cedilla, text may have those with a comma. Likewise for the yeh of Persian.
    return {"ș": "ş", "ț": "ţ", "ی": "ي"}.get(c, c)


def kind(c):
    """Returns the kind of a character."""
    category = unicodedata.category(c)
    if c in " \n\r\t\f\u00a0":
        return SPACE
    if c.isdigit() and c.isascii() or 0x660 <= ord(c) <= 0x669 or 0x6F0 <= ord(c) <= 0x6F9:
        return DIGIT
    if category[0] == "L" and c not in "ªº" and not 0x2100 <= ord(c) <= 0x214F and c != "ƒ" or category == "Mn" or c in "ำ":
        other = 0 if c < "\u0250" or 0x300 <= ord(c) < 0x370 or 0x1E00 <= ord(c) < 0x1F00 else 3
        return other + (UPPER if c.lower() != c else LOWER if c.upper() != c else CASELESS)
    if c in "'’":
        return APOSTROPHE
    if c in "„‚‹¿¡":
        return LOW
    if c in "“‘«":
        return LEFT
    if c in "”»›":
        return RIGHT
    if c in "–—…•·‐":
        return DASH
    if category == "Cc":
        return CONTROL
    if 0x2500 <= ord(c) < 0x25A0:
        return BOX
    return PUNCTUATION if c.isascii() else SYMBOL


def for_page_1258(text):
    """Returns Vietnamese as in windows-1258: tone marks follow their vowels."""
    text = unicodedata.normalize("NFD", text)
    for base in "âêôăơưÂÊÔĂƠƯ":
        decomposed = unicodedata.normalize("NFD", base)
        # The tone may stand between the letter and its own mark.
        text = re.sub(decomposed[0] + "([\u0300\u0301\u0303\u0309\u0323]?)" + decomposed[1], base + r"\1", text)
    return text


def training_text(texts, language, held_out=False):
    """Returns the text of a language for training, with few lines of English."""
    sizes, parts = collections.Counter(), []
    for source, name, text in texts:
        if corpus.is_held_out(name) != held_out or sizes[source] > SOURCE_MAX:
            continue
        lines = [line for line in text.split("\n") if not line.isascii() or not corpus.is_untranslated(language, line)]
        text = "\n".join(lines)[:60_000]
        sizes[source] += len(text)
        parts.append(text)
    text = unicodedata.normalize("NFC", "\n".join(parts))
    return for_page_1258(text) if language == "vi" else text


class Characters:
    """The characters of all code pages, with their costs within a kind."""

    def __init__(self, tables, counts):
        self.all = sorted({c for _, table in tables.values() for c in table if c})
        self.kinds = {c: kind(c) for c in self.all}
        totals = collections.Counter()
        for c in self.all:
            totals[self.kinds[c]] += counts[c] + self.floor(c)
        self.costs = {}
        for c in self.all:
            k = self.kinds[c]
            if k >= LOWER:
                cost = 0
            elif k == CONTROL:
                cost = 9 if "\x80" <= c else 5
            elif k == BOX:
                cost = 2.5 if c in "═║╔╗╚╝─│┌┐└┘█░▒▓▄▀├┤" else 6 if c in "╠╣╦╩╬┬┴┼▌▐" else 9
            else:
                cost = -math.log2((counts[c] + self.floor(c)) / totals[k])
            self.costs[c] = cost

    def floor(self, c):
        """The number of times that a character is taken to occur besides its count."""
        return 100 if c in MARKUP else 1500 if c in "!?" else 400 if c.isascii() else 40 if c in "–—…•·°§«»“”‘’„‚©®€£" else 16 if "\xa0" <= c <= "\xff" else 4

    def bytes(self):
        out = struct.pack("<H", len(self.all))
        for c in self.all:
            letter = ord(fold(c)) if self.kinds[c] >= LOWER else 0
            out += struct.pack("<HHBB", ord(c), letter, self.kinds[c], min(255, round(16 * self.costs[c])))
        return out


class Language:
    def __init__(self, code, text):
        self.code = code
        folded = "".join(map({c: fold(c) for c in set(text)}.get, text))
        self.counts = collections.Counter(folded)
        is_letter = {c: kind(c) >= LOWER for c in self.counts}
        total = sum(count for c, count in self.counts.items() if is_letter[c] and (code in LATIN or not c.isascii()))
        letters = [c for c, count in self.counts.items() if is_letter[c] and count > max(total * 3e-5, 3) and kind(c) >= LOWER]
        if code in LATIN:
            script = [c for c in letters if c < "\u0250"]
            letters = sorted(set(script) | set("abcdefghijklmnopqrstuvwxyz"))
        elif code == "vi":
            letters = sorted(c for c in letters if kind(c) < LOWER + 3)
        else:
            # Only the letters of the script.
            start, end = {"be": (0x400, 0x530), "el": (0x370, 0x400), "he": (0x590, 0x600), "ar": (0x600, 0x700),
                "th": (0xE00, 0xE80)}[{"fa": "ar"}.get(code, "be" if code in CYRILLIC else code)]
            letters = sorted(c for c in letters if start <= ord(c) < end)
        self.letters = letters
        self.classes = {c: len(KINDS) + i for i, c in enumerate(letters)}
        sequence = numpy.fromiter(map({c: self.class_of(c) for c in self.counts}.get, folded), numpy.int32)
        n = len(KINDS) + len(letters)
        pairs = numpy.bincount(sequence[:-1] * n + sequence[1:], minlength=n * n).reshape(n, n).astype(float)
        singles = pairs.sum(axis=0) + 0.5
        # Letters of other alphabets are rare in these texts, and less so in others.
        singles[FOREIGN_LATIN] += singles.sum() * 1e-4
        singles[FOREIGN] += singles.sum() * 2e-5
        singles[[LOW, LEFT, RIGHT, DASH, SYMBOL]] += singles.sum() * 2e-4
        shares = singles / singles.sum()
        totals = pairs.sum(axis=1, keepdims=True)
        weight = 8.0
        conditional = (pairs + weight * shares) / (totals + weight)
        # Signs are followed by much the same letters as spaces.
        after_space = conditional[SPACE]
        conditional[SIGNS] = (pairs[SIGNS] + 200 * after_space) / (totals[SIGNS] + 200)
        self.conditional = 0.97 * conditional + 0.03 * shares
        self.shares = shares
        singles = -numpy.log2(shares)
        singles[[BOX, CONTROL]] = 9, 14
        if self.code in LATIN:
            # These costs are compared without the letters of ASCII, which speak for their language.
            others = [self.classes[c] for c in self.letters if not c.isascii()]
            if others:
                singles[others] += numpy.log2(shares[others].sum()) + 5
        singles[FOREIGN_LATIN] += 5
        singles[FOREIGN] += 6
        singles[ASCII_LETTER] += 4.2
        self.singles = singles

    def sign_shares(self):
        """Returns the shares of signs after each class that is no letter, and after letters."""
        letters = self.shares[len(KINDS):]
        after_letters = letters @ self.conditional[len(KINDS):] / letters.sum()
        return numpy.vstack([self.conditional[:len(KINDS)][:, SIGNS], after_letters[SIGNS]])

    def set_costs(self, sign_shares):
        """Computes the costs of pairs. `sign_shares` is the mean of all languages."""
        conditional = self.conditional
        rows = numpy.minimum(numpy.arange(len(conditional)), len(KINDS))
        conditional[:, SIGNS] = 0.6 * conditional[:, SIGNS] + 0.4 * sign_shares[rows]
        costs = -numpy.log2(conditional)
        # Texts of training have neither boxes nor control characters.
        costs[:, BOX] = 13
        costs[SPACE, BOX] = 7
        costs[DIGIT, BOX] = costs[PUNCTUATION, BOX] = 9
        costs[BOX, :] = costs[SPACE, :] + 8
        costs[BOX, BOX] = 0.4
        costs[BOX, SPACE] = 2.5
        costs[:, CONTROL] = 14
        costs[CONTROL, :] = costs[SPACE, :]
        costs[:, FOREIGN_LATIN] += 5
        costs[:, FOREIGN] += 6
        costs[:, ASCII_LETTER] += 4.2
        self.costs = costs

    def class_of(self, c):
        if c in self.classes:
            return self.classes[c]
        k = kind(c)
        if k < LOWER:
            return k
        if c.isascii():
            return ASCII_LETTER
        return FOREIGN_LATIN if k < LOWER + 3 and self.code in LATIN else FOREIGN

    def bytes(self):
        out = self.code.encode().ljust(4, b"\0") + bytes([len(self.letters)])
        out += b"".join(struct.pack("<H", ord(c)) for c in self.letters)
        costs = numpy.vstack([self.singles, self.costs])
        return out + numpy.clip(numpy.rint(16 * costs), 0, 255).astype(numpy.uint8).tobytes()

    def fits(self, table):
        """Returns true if a code page has the letters of the language, but for rare ones."""
        has = {fold(c) for c in table if c}
        letters = {c: self.counts[c] for c in self.letters if not c.isascii()}
        if self.code == "eu":
            letters = {"ñ": 1, "ç": 1}
        missing = sum(count for c, count in letters.items() if c not in has)
        return missing <= sum(letters.values()) * (0.004 if self.code in LATIN or self.code in CYRILLIC else 0.05)


def main():
    texts = corpus.load()
    tables = pages()
    counts = collections.Counter()
    languages = []
    for code in LANGUAGES:
        text = training_text(texts[code], code)
        sample = collections.Counter(text)
        # Each language counts alike for the symbols.
        for c, count in sample.items():
            counts[c] += count * (250_000 if c in MARKUP else 1_000_000) / len(text)
        languages.append(Language(code, text))
        print(code, len(text), len(languages[-1].letters), "".join(languages[-1].letters), file=sys.stderr)
    mean = sum(language.sign_shares() for language in languages) / len(languages)
    for language in languages:
        language.set_costs(mean)
    out = Characters(tables, {c: count / len(languages) for c, count in counts.items()} | {c: 0 for _, t in tables.values() for c in t if c not in counts}).bytes()
    out += bytes([len(languages)]) + b"".join(language.bytes() for language in languages)
    for name, (group, table) in tables.items():
        fitting = [i for i, language in enumerate(languages) if language.fits(table)]
        out += bytes([len(name)]) + name.encode() + bytes([len(fitting)]) + bytes(fitting)
        print(name, *(languages[i].code for i in fitting), file=sys.stderr)
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_bytes(out)
    print(f"{OUTPUT.relative_to(corpus.ROOT)}: {len(out):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()

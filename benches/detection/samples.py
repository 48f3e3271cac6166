"""Samples of text in old encodings, from texts that are held out from training."""

import collections
import random
import re
import unicodedata

import corpus
import train

SIZES = [20, 50, 200, 1_000, 10_000]

WESTERN = "windows-1252 iso-8859-1 iso-8859-15 | macintosh | cp850 cp437 cp858 | cp037 cp500 cp1047 cp1140"
CENTRAL = "windows-1250 iso-8859-2 | x-mac-ce | cp852 |"
BALTIC = "windows-1257 iso-8859-13 iso-8859-4 | x-mac-ce | cp775 |"
CYRILLIC = "windows-1251 koi8-r iso-8859-5 | x-mac-cyrillic | ibm866 cp855 |"
# The encodings of each language, by family: first ISO 8859, Windows, KOI8, similar ones and multi-byte encodings, then Mac, DOS and EBCDIC.
ENCODINGS = {
    **{language: WESTERN for language in "de es it nl".split()},
    "en": "windows-1252 | macintosh | cp437 | cp037 cp500 cp1026", "fr": WESTERN.replace("cp858", "cp863") + " cp297", "pt": WESTERN.replace("cp437", "cp860"),
    "sv": WESTERN + " cp278", "da": WESTERN.replace("cp437", "cp865") + " cp277", "nb": WESTERN.replace("cp437", "cp865") + " cp277",
    "de": WESTERN + " cp273", "it": WESTERN + " cp280", "es": WESTERN + " cp284",
    "fi": "windows-1252 iso-8859-1 iso-8859-15 iso-8859-10 | macintosh | cp850 cp437 | cp278 cp500",
    "is": "windows-1252 iso-8859-1 iso-8859-10 | x-mac-icelandic | cp861 cp850 | cp871 cp500",
    "ca": "windows-1252 iso-8859-1 | macintosh | cp850 | cp500", "gl": "windows-1252 iso-8859-1 | | cp850 |", "fo": "windows-1252 iso-8859-1 | | |",
    "ga": "windows-1252 iso-8859-14 | macintosh | |", "gd": "windows-1252 iso-8859-14 | | |", "cy": "iso-8859-14 | | |",
    "br": "iso-8859-14 iso-8859-1 | | |", "sq": "windows-1252 iso-8859-1 | | cp850 |", "eo": "iso-8859-3 | | |", "af": "windows-1252 | | |",
    "cs": CENTRAL, "pl": CENTRAL.replace("iso-8859-2", "iso-8859-2 iso-8859-16"), "sk": CENTRAL, "sl": CENTRAL.replace("x-mac-ce", "x-mac-croatian"),
    "hu": CENTRAL.replace("iso-8859-2", "iso-8859-2 iso-8859-16"),
    "hr": "windows-1250 iso-8859-2 iso-8859-16 | x-mac-croatian | cp852 |", "ro": "windows-1250 iso-8859-2 | x-mac-romanian | cp852 |",
    "lt": BALTIC, "lv": BALTIC, "et": "windows-1257 iso-8859-13 iso-8859-15 iso-8859-4 | x-mac-ce | cp775 |",
    "tr": "windows-1254 iso-8859-9 | x-mac-turkish | cp857 | cp1026",
    "ru": CYRILLIC, "bg": CYRILLIC.replace("koi8-r ", ""), "uk": "windows-1251 koi8-u iso-8859-5 | x-mac-cyrillic | cp1125 |",
    "be": "windows-1251 koi8-u iso-8859-5 | x-mac-cyrillic | cp855 |", "mk": "windows-1251 iso-8859-5 | x-mac-cyrillic | cp855 |",
    "sr": "windows-1251 iso-8859-5 | x-mac-cyrillic | cp855 |", "kk": "kz-1048 ptcp154 | | |", "tg": "koi8-t | | |",
    "el": "windows-1253 iso-8859-7 | x-mac-greek | cp737 cp869 | cp875", "he": "windows-1255 iso-8859-8 | | cp862 | cp424",
    "ar": "windows-1256 iso-8859-6 | | cp720 |", "fa": "windows-1256 | | |", "th": "windows-874 tis-620 iso-8859-11 | | |", "vi": "windows-1258 | | |",
    "ja": "shift_jis euc-jp iso-2022-jp | | |", "zh": "gb18030 gbk | | |", "zh_TW": "big5 | | |", "ko": "euc-kr | | |",
}
FAMILIES = ["single-byte: ISO 8859, Windows, KOI8 and similar", "Mac", "DOS", "EBCDIC", "multi-byte", "Unicode"]
MULTI_BYTE = "shift_jis euc-jp iso-2022-jp gb18030 gbk big5 euc-kr".split()
UNICODE = "utf-8 utf-16-le utf-16-be utf-32-le utf-32-be".split()
PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "•": "*", "\u00a0": " ", "«": '"', "»": '"', "‐": "-"})

Sample = collections.namedtuple("Sample", "family language encoding size form text bytes")

TABLES = {name.lower(): table for name, (_, table) in train.pages().items()}
ENCODERS = {name: {c: i for i, c in reversed(list(enumerate(table))) if c} for name, table in TABLES.items()}


def encode(text, encoding):
    """Returns the bytes of a text, and the text without the characters that the encoding lacks."""
    encoder = ENCODERS.get(encoding)
    if encoder is None:
        codec = {"shift_jis": "cp932", "euc-kr": "cp949", "big5": "cp950"}.get(encoding, encoding)
        data = text.encode(codec, "ignore")
        return data, data.decode(codec)
    if encoding == "windows-1258":
        text = train.for_page_1258(text)
    if encoding in ("windows-1250", "iso-8859-2", "cp852", "iso-8859-9"):
        text = text.translate(str.maketrans("șțȘȚ", "şţŞŢ"))
    if encoding == "windows-1256":
        text = text.replace("ی", "ي")
    kept = []
    for c in text:
        for replacement in (c, c.translate(PLAIN)):
            if all(part in encoder for part in replacement):
                kept.append(replacement)
                break
    text = "".join(kept)
    return bytes(encoder[c] for c in text), text


def as_html(text, rng):
    """Returns a text as a page of HTML without a declaration."""
    paragraphs = [line for line in text.split("\n") if line.strip()]
    body = "\n".join(rng.choice(['<p>{}</p>', '<li><a href="/page/index.html">{}</a></li>', '<td class="text">{}</td>', "<h2>{}</h2>"]).format(line) for line in paragraphs)
    return f'<html><head>\n<title>{paragraphs[0] if paragraphs else ""}</title>\n</head>\n<body bgcolor="#ffffff">\n{body}\n</body></html>\n'


def as_subtitles(text, rng):
    """Returns a text as subtitles."""
    words, out, second = text.split(), [], 1
    for number in range(1, 1 + len(words) // 9):
        line = words[9 * (number - 1):9 * number]
        out.append(f"{number}\n00:{second // 60:02}:{second % 60:02},{rng.randrange(1000):03} --> 00:{second // 60:02}:{second % 60 + 2:02},000\n{' '.join(line[:5])}\n{' '.join(line[5:])}\n")
        second += rng.randrange(2, 7)
    return "\n".join(out)


def held_out_text(texts, language, rng):
    """Returns the held-out text of a language, by parts in a random order."""
    return train.training_text(texts, "", held_out=True) if language == "vi" else train.training_text(texts, language, held_out=True)


def samples(number, seed=1, sizes=SIZES, families=FAMILIES):
    """Yields `number` samples of each size in each encoding of each language."""
    rng = random.Random(seed)
    texts = corpus.load()
    for language, encodings in ENCODINGS.items():
        text = held_out_text(texts[language], language, rng)
        text = re.sub(r"\n\s*\n+", "\n", text)
        for family, names in zip(FAMILIES, encodings.split("|")):
            for encoding in names.split() + (UNICODE if family == FAMILIES[0] else []):
                kind = FAMILIES[4] if encoding in MULTI_BYTE else FAMILIES[5] if encoding in UNICODE else family
                count = number if kind != FAMILIES[5] else max(1, number // 5)
                for size in sizes if kind in families else []:
                    for _ in range(count):
                        for _ in range(20):
                            found = sample(text, language, encoding, kind, size, rng)
                            if found:
                                yield found
                                break


def sample(text, language, encoding, family, size, rng):
    start = text.find(" ", rng.randrange(max(1, len(text) - size))) + 1
    excerpt = text[start:start + size]
    form = "text"
    if size >= 200:
        form = rng.choice(["text", "text", "HTML", "subtitles"])
    excerpt = {"text": lambda: excerpt, "HTML": lambda: as_html(excerpt, rng), "subtitles": lambda: as_subtitles(excerpt, rng)}[form]()
    data, excerpt = encode(excerpt, encoding)
    if len(data) > size * 1.3:
        # Cut at a character.
        if encoding in ENCODERS:
            data, excerpt = data[:size], excerpt[:size]
        else:
            data, excerpt = encode(excerpt[:max(1, len(excerpt) * size // len(data))], encoding)
    is_plain = data.isascii() and family in FAMILIES[:3] + FAMILIES[4:5] and encoding != "iso-2022-jp" or encoding == "utf-8" and data.isascii()
    is_plain = is_plain or encoding == "iso-2022-jp" and b"\x1b" not in data
    if len(data) < size * 0.6 or is_plain or "\ufffd" in excerpt:
        return None
    return Sample(family, language, encoding, size, form, excerpt, data)

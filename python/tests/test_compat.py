"""Compares results with ftfy, chardet and charset-normalizer, where the other package is right."""

import charset_normalizer
import chardet
import ftfy
import pytest
from texts import ENCODINGS, SENTENCES, UNICODE, double_encoded

from utflane.compat import charset_normalizer as our_normalizer
from utflane.compat.chardet import detect
from utflane.compat.ftfy import fix_encoding

ENCODED = [
    (language, encoding)
    for language in SENTENCES
    for encoding in [*UNICODE, "utf-8-sig", "utf-16", "utf-32", *ENCODINGS[language]]
]

#: Maps the name of an encoding to the name of a similar encoding, which may have fewer characters.
SIMILAR_ENCODINGS = {
    "windows-1250": "iso-8859-2",
    "windows-1253": "iso-8859-7",
    "windows-1255": "iso-8859-8",
    "cp1125": "ibm866",
    "koi8-u": "koi8-r",
}


def text_and_parts(text: str) -> list[str]:
    words = text.split(" ")
    return [text, " ".join(words[1:]), *words]


@pytest.mark.parametrize("language", SENTENCES)
def test_fix_encoding(language: str) -> None:
    text = SENTENCES[language]
    for part in text_and_parts(text):
        assert fix_encoding(part) == part
        assert ftfy.fix_encoding(part) == part
    lines = [double_encoded(text), double_encoded(text, "cp1252"), double_encoded(double_encoded(text)), f"{text} {double_encoded(text)}"]
    lines += [line.replace("\u00a0", " ") for line in lines]
    right_count = 0
    for line in lines:
        theirs, ours = ftfy.fix_encoding(line), fix_encoding(line)
        if theirs in (text, f"{text} {text}"):
            right_count += 1
            assert ours == theirs
    assert right_count > 0


@pytest.mark.parametrize(("language", "encoding"), ENCODED)
def test_detect(language: str, encoding: str) -> None:
    text = SENTENCES[language]
    data = text.encode(encoding)
    theirs, ours = chardet.detect(data), detect(data)
    assert ours.keys() == theirs.keys()
    assert ours["encoding"] is not None
    assert data.decode(ours["encoding"]) == text
    if theirs["encoding"] is not None and data.decode(theirs["encoding"], "replace") == text:
        names = {name and SIMILAR_ENCODINGS.get(name.lower(), name.lower()) for name in (theirs["encoding"], ours["encoding"])}
        assert len(names) == 1, (theirs, ours)


def test_languages_and_old_pages() -> None:
    russian = "Съешь ещё этих мягких французских булок, да выпей чаю. " * 3
    for codec, name in [("cp1251", "Windows-1251"), ("koi8_r", "KOI8-R"), ("cp866", "IBM866"), ("mac_cyrillic", "MacCyrillic")]:
        found = detect(russian.encode(codec))
        assert (found["encoding"], found["language"]) == (name, "ru")
        assert 0.9 < found["confidence"] <= 0.99
    german = "Grüße aus München, wo die Bäume schön blühen. " * 3
    assert detect(german.encode("cp037"))["encoding"] in ("cp037", "cp1140")
    match = our_normalizer.from_bytes(russian.encode("cp1251")).best()
    assert match is not None
    assert (match.language, match.languages) == ("Russian", ["Russian"])
    assert match.could_be_from_charset == ["cp1251", "kz1048", "ptcp154"]


def test_detect_ascii_marks_and_binary_data() -> None:
    for data in [b"", b"abc", b"\xef\xbb\xbfabc", "häst".encode("utf-16"), "häst".encode("utf-32")]:
        theirs, ours = chardet.detect(data), detect(data)
        assert (ours["encoding"], ours["confidence"]) == (theirs["encoding"], theirs["confidence"])
    binary = bytes(range(8)) * 100
    assert detect(binary)["encoding"] is chardet.detect(binary)["encoding"] is None
    assert detect(binary)["mime_type"] == chardet.detect(binary)["mime_type"]


@pytest.mark.parametrize(("language", "encoding"), ENCODED)
def test_from_bytes(language: str, encoding: str) -> None:
    text = SENTENCES[language]
    data = text.encode(encoding)
    ours = our_normalizer.from_bytes(data).best()
    assert ours is not None
    assert str(ours) == text
    assert ours.output() == text.encode()
    assert data.decode(ours.encoding).removeprefix("\ufeff") == text
    theirs = charset_normalizer.from_bytes(data).best()
    if theirs is not None and str(theirs) == text:
        assert (ours.bom, ours.raw) == (theirs.bom, theirs.raw)
        if encoding in UNICODE or ours.bom:
            assert ours.encoding == theirs.encoding


def test_matches_of_from_bytes_and_from_path() -> None:
    assert our_normalizer.from_bytes(bytes(range(8)) * 100).best() is None
    match_of_empty = our_normalizer.from_bytes(b"").best()
    assert match_of_empty is not None
    assert (match_of_empty.encoding, str(match_of_empty)) == ("utf_8", "")
    matches = our_normalizer.from_path(__file__)
    assert len(matches) == 1 and list(matches) == [matches[0]] == [matches.first()]
    assert matches[0].encoding == "utf_8"

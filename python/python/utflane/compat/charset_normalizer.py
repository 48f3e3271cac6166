"""Replacements for `from_bytes`, `from_fp` and `from_path` of charset-normalizer, with its names of encodings."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from typing import BinaryIO

from .._utflane import decode, detect, encode, encodings, language_name

__all__ = ["CharsetMatch", "CharsetMatches", "from_bytes", "from_fp", "from_path"]

#: For each of our encodings, the Python codec that decodes it or a superset of it.
_PYTHON_CODECS = {
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "utf-16le": "utf_16_le",
    "utf-16be": "utf_16_be",
    "utf-32le": "utf_32_le",
    "utf-32be": "utf_32_be",
    "latin1": "latin_1",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-greek": "mac_greek",
    "x-mac-ce": "mac_latin2",
    "x-mac-turkish": "mac_turkish",
    "x-mac-icelandic": "mac_iceland",
    "x-mac-croatian": "mac_croatian",
    "x-mac-romanian": "mac_romanian",
    "ibm866": "cp866",
    "kz-1048": "kz1048",
    "iso-8859-8-i": "iso8859_8",
    "iso-2022-jp": "iso2022_jp",
}


def _codec_name(encoding: str, has_mark: bool) -> str:
    """Returns charset-normalizer's name of an encoding, which is the name of a Python codec."""
    if has_mark and encoding != "utf-8":
        return encoding[:6].replace("-", "_")
    name = _PYTHON_CODECS.get(encoding, encoding)
    return name.replace("windows-", "cp").replace("iso-8859-", "iso8859_").replace("-", "_")


class CharsetMatch:
    """A text in bytes, and its encoding."""

    def __init__(self, payload: bytes, encoding: str, marked: bool, language: str = "Unknown") -> None:
        self._payload = payload
        self._encoding = encoding
        self._text: str | None = None
        self.encoding = _codec_name(encoding, marked)
        self.bom = self.byte_order_mark = marked
        self.language = language
        self.languages = [] if language == "Unknown" else [language]

    @property
    def raw(self) -> bytes:
        """The bytes of the text."""
        return self._payload

    @property
    def could_be_from_charset(self) -> list[str]:
        """The names of all encodings that Python has too and that decode the bytes to the same text."""
        names = {self.encoding}
        for name, _ in encodings():
            codec = _codec_name(name, False)
            try:
                codecs.lookup(codec)
                if decode(self._payload, name).text == str(self):
                    names.add(codec)
            except (LookupError, UnicodeDecodeError):
                continue
        return sorted(names)

    def output(self, encoding: str = "utf_8") -> bytes:
        """Returns the text in another encoding. A character that this encoding lacks becomes `?`."""
        return encode(str(self), encoding, "replace")

    def __str__(self) -> str:
        if self._text is None:
            name = self._encoding
            if self.bom:
                name = "utf-8-sig" if name == "utf-8" else name[:6]
            # The text may contain a few ill-formed UTF-8 sequences. They are omitted, as by charset-normalizer.
            self._text = decode(self._payload, name, "ignore").text
        return self._text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CharsetMatch):
            return NotImplemented
        return self.encoding == other.encoding and str(self) == str(other)

    def __repr__(self) -> str:
        return f"<CharsetMatch '{self.encoding}'>"


class CharsetMatches:
    """The possible encodings of a text, the most likely encoding first."""

    def __init__(self, matches: list[CharsetMatch]) -> None:
        self._matches = matches

    def best(self) -> CharsetMatch | None:
        """Returns the best match; `None` if the data is not text."""
        return self._matches[0] if self._matches else None

    first = best

    def __len__(self) -> int:
        return len(self._matches)

    def __iter__(self) -> Iterator[CharsetMatch]:
        return iter(self._matches)

    def __getitem__(self, index: int) -> CharsetMatch:
        return self._matches[index]


def from_bytes(sequences: bytes | bytearray) -> CharsetMatches:
    """Detects the encoding of a text."""
    payload = bytes(sequences)
    found = detect(payload)
    names = found.candidates if payload else ["utf-8"]
    marked, language = found.mark_length > 0, language_name(found.language or "") or "Unknown"
    # The detector knows the language of the best match only.
    matches = [CharsetMatch(payload, name, marked, language if i == 0 else "Unknown") for i, name in enumerate(names)]
    return CharsetMatches(matches)


def from_fp(fp: BinaryIO) -> CharsetMatches:
    """Detects the encoding of an open file."""
    return from_bytes(fp.read())


def from_path(path: str | bytes | os.PathLike[str]) -> CharsetMatches:
    """Detects the encoding of a file."""
    with open(path, "rb") as file:
        return from_fp(file)

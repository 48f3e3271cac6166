"""Replacements for `detect` and `UniversalDetector` of chardet 7, with chardet's names of encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from .._utflane import detect as _detect

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["DetectionDict", "UniversalDetector", "detect"]

#: chardet's names of encodings, if they differ from our names by more than case. The first four name a superset of our
#: encoding.
_CHARDET_NAMES = {
    "shift_jis": "CP932",
    "euc-kr": "CP949",
    "gbk": "GB18030",
    "latin1": "Windows-1252",
    "utf-8": "utf-8",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "utf-32le": "utf-32-le",
    "utf-32be": "utf-32-be",
    "ascii": "ascii",
    "big5": "Big5",
    "koi8-r": "KOI8-R",
    "koi8-u": "koi8-u",
    "macintosh": "MacRoman",
    "x-mac-cyrillic": "MacCyrillic",
    "x-mac-greek": "MacGreek",
    "x-mac-ce": "MacLatin2",
    "x-mac-turkish": "MacTurkish",
    "x-mac-icelandic": "MacIceland",
    "ibm866": "IBM866",
    "iso-8859-8-i": "ISO-8859-8",
    "windows-874": "CP874",
}

class DetectionDict(TypedDict):
    """The result of `detect`."""

    encoding: str | None
    confidence: float
    language: str | None
    mime_type: str


def detect(byte_str: Buffer) -> DetectionDict:
    """Detects the encoding of `byte_str`. `language` is a code of ISO 639, or None."""
    found = _detect(byte_str)
    name, confidence, language = found.encoding, min(found.probability, 0.99), found.language
    if name is None:
        return _make_result(None, confidence, kind="application/octet-stream")
    if found.mark_length:
        name = "UTF-8-SIG" if name == "utf-8" else name[:6].upper()
        return _make_result(name, 1.0)
    if name == "ascii":
        # chardet calls an empty text UTF-8.
        empty = not memoryview(byte_str).nbytes
        return _make_result("utf-8", 0.1) if empty else _make_result("ascii", 1.0)
    if name.startswith("windows-"):
        return _make_result(_CHARDET_NAMES.get(name, name.capitalize()), confidence, language)
    return _make_result(_CHARDET_NAMES.get(name, name if name.startswith("cp") else name.upper()), confidence, language)


def _make_result(
    name: str | None, confidence: float, language: str | None = None, kind: str = "text/plain"
) -> DetectionDict:
    return {"encoding": name, "confidence": confidence, "language": language, "mime_type": kind}


class UniversalDetector:
    """Detects the encoding of a text that is passed in chunks. Keeps all chunks until `close`."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forgets all chunks."""
        self.done = False
        self.result: DetectionDict = _make_result(None, 0.0)
        self._data = bytearray()

    def feed(self, byte_str: Buffer) -> None:
        """Appends a chunk. Sets `done` if a byte order mark decides the encoding."""
        if self.done:
            return
        self._data += byte_str
        if len(self._data) >= 4 and _detect(self._data[:4], prefix=True).mark_length:
            self.close()

    def close(self) -> DetectionDict:
        """Detects the encoding of all chunks, stores the result in `result`, and returns it."""
        if not self.done:
            self.done = True
            self.result = detect(self._data)
        return self.result

"""`detect` of chardet 7, with its names of encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from .._utflane import detect as _detect

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["DetectionDict", "UniversalDetector", "detect"]

#: Names that aren't ours in other letters. The first four are larger sets of the same name.
_NAMES = {
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
    "ibm866": "IBM866",
    "iso-8859-8-i": "ISO-8859-8",
    "windows-874": "CP874",
}

_CONFIDENCE = {"certain": 0.99, "likely": 0.9, "guess": 0.5}


class DetectionDict(TypedDict):
    """The answer."""

    encoding: str | None
    confidence: float
    language: str | None
    mime_type: str


def detect(byte_str: Buffer) -> DetectionDict:
    """Detects the encoding of `byte_str`. The language is always None."""
    found = _detect(byte_str)
    name, confidence = found.encoding, _CONFIDENCE[found.confidence]
    if name is None:
        return _answer(None, confidence, "application/octet-stream")
    if found.mark_length:
        name = "UTF-8-SIG" if name == "utf-8" else name[:6].upper()
        return _answer(name, 1.0)
    if name == "ascii":
        # chardet calls an empty text UTF-8.
        empty = not memoryview(byte_str).nbytes
        return _answer("utf-8", 0.1) if empty else _answer("ascii", 1.0)
    if name.startswith("windows-"):
        return _answer(_NAMES.get(name, name.capitalize()), confidence)
    return _answer(_NAMES.get(name, name.upper()), confidence)


def _answer(name: str | None, confidence: float, kind: str = "text/plain") -> DetectionDict:
    return {"encoding": name, "confidence": confidence, "language": None, "mime_type": kind}


class UniversalDetector:
    """Detects the encoding of a text that arrives in chunks: all of it is kept until `close`."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forgets all chunks."""
        self.done = False
        self.result: DetectionDict = _answer(None, 0.0)
        self._data = bytearray()

    def feed(self, byte_str: Buffer) -> None:
        """Takes a chunk. `done` is set if a byte order mark decides the encoding."""
        if self.done:
            return
        self._data += byte_str
        if len(self._data) >= 4 and _detect(self._data[:4], prefix=True).mark_length:
            self.close()

    def close(self) -> DetectionDict:
        """Returns the answer for all chunks, which is `result` from then on."""
        if not self.done:
            self.done = True
            self.result = detect(self._data)
        return self.result

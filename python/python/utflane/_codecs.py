"""Codecs: `utflane-NAME` for every encoding, and the names that Python lacks.

Python has no CESU-8, Modified UTF-8, WTF-8 or WTF-16: these have their own names too, such as
`mutf-8`. Any error handler works, also one that the program registered.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import TYPE_CHECKING

from ._utflane import decode_prefix, encode_lazily, encodings, lookup

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Encodings that Python has under no name.
MISSING = ["cesu-8", "mutf-8", "wtf-8", "wtf-16le", "wtf-16be"]

def _key(label: str) -> str:
    """The form of a name that Python's codec registry looks up."""
    return label.lower().replace("-", "_").replace(" ", "_")


def _names() -> dict[str, str]:
    """The name of the encoding by the names of its codec."""
    names = {}
    for name, labels in encodings():
        names[_key("utflane-" + name)] = name
        if name in MISSING:
            for label in [name, *labels]:
                names[_key(label)] = name
    names[_key("utflane-utf-8-sig")] = "utf-8-sig"
    return names


def _info(encoding: str, name: str) -> codecs.CodecInfo:
    """The codec of an encoding."""
    # A byte order mark stands before the first chunk only.
    mark = len(encode_lazily("", encoding, "strict"))

    def encode(text: str, errors: str = "strict") -> tuple[bytes, int]:
        return encode_lazily(text, encoding, errors), str.__len__(text)

    def decode(data: Buffer, errors: str = "strict") -> tuple[str, int]:
        return decode_prefix(data, encoding, errors, True, 0, 0)[:2]

    class Encoder(codecs.IncrementalEncoder):
        _begun = False

        def encode(self, input: str, final: bool = False) -> bytes:
            data = encode_lazily(input, encoding, self.errors)[mark if self._begun else 0 :]
            self._begun = True
            return data

        def reset(self) -> None:
            self._begun = False

        def getstate(self) -> int:
            return int(self._begun)

        def setstate(self, state: int | str) -> None:
            self._begun = bool(state)

    class Decoder(codecs.BufferedIncrementalDecoder):
        """Keeps the bytes of a cut character."""

        _state = 0
        #: Bytes of the stream before the buffer; `None` if the stream was not read from its start.
        before: int | None = 0

        def _buffer_decode(self, input: Buffer, errors: str, final: bool) -> tuple[str, int]:
            text, read, self._state = decode_prefix(
                input, encoding, errors, final, self._state, self.before
            )
            if self.before is not None:
                self.before += read
            return text, read

        def reset(self) -> None:
            super().reset()
            self._state, self.before = 0, 0

        def getstate(self) -> tuple[bytes, int]:
            return super().getstate()[0], self._state

        def setstate(self, state: tuple[bytes, int]) -> None:
            super().setstate(state)
            self._state, self.before = state[1], None

    class StreamReader(codecs.StreamReader):
        _state = 0

        def decode(self, input: Buffer, errors: str = "strict") -> tuple[str, int]:
            # The reader keeps the bytes that were not decoded.
            text, read, self._state = decode_prefix(
                input, encoding, errors, False, self._state, None
            )
            return text, read

        def reset(self) -> None:
            super().reset()
            self._state = 0

    class StreamWriter(codecs.StreamWriter):
        _begun = False

        def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
            data = encode_lazily(input, encoding, errors)[mark if self._begun else 0 :]
            self._begun = True
            return data, str.__len__(input)

        def reset(self) -> None:
            super().reset()
            self._begun = False

    return codecs.CodecInfo(
        name=name,
        encode=encode,
        decode=decode,
        incrementalencoder=Encoder,
        incrementaldecoder=Decoder,
        streamreader=StreamReader,
        streamwriter=StreamWriter,
    )


def _search() -> Callable[[str], codecs.CodecInfo | None]:
    """The function that Python calls to find codecs."""
    names = _names()

    def search(name: str) -> codecs.CodecInfo | None:
        key = _key(name)
        encoding = names.get(key)
        if encoding is None and key.startswith("utflane_"):
            try:
                encoding = lookup(key.removeprefix("utflane_"))
            except LookupError:
                return None
        if encoding is None or encoding == "auto":
            return None
        return _info(encoding, encoding if encoding in MISSING else "utflane-" + encoding)

    return search


_registered = False


def register() -> None:
    """Registers the codecs, once."""
    global _registered
    if not _registered:
        _registered = True
        codecs.register(_search())

"""Codecs for Python's codec registry: `utflane-NAME` for the encoding NAME.

Python lacks CESU-8, Modified UTF-8, WTF-8 and WTF-16. The codecs of these encodings also have names
without the prefix, such as `mutf-8`. All error handlers work, including those registered by the program.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import TYPE_CHECKING

# `encode_for_codec` looks up the error handler only if the text has an error.
from ._utflane import decode_prefix, encode_for_codec, encodings, lookup

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Encodings that Python lacks.
MISSING_IN_PYTHON = ["cesu-8", "mutf-8", "wtf-8", "wtf-16le", "wtf-16be"]

def _normalize(label: str) -> str:
    """Returns a name in the form in which Python's codec registry looks it up."""
    return label.lower().replace("-", "_").replace(" ", "_")


def _encodings_by_codec() -> dict[str, str]:
    """Returns a map from the normalized names of the codecs to the names of the encodings."""
    names = {}
    for name, labels in encodings():
        names[_normalize("utflane-" + name)] = name
        if name in MISSING_IN_PYTHON:
            for label in [name, *labels]:
                names[_normalize(label)] = name
    names[_normalize("utflane-utf-8-sig")] = "utf-8-sig"
    return names


def _make_codec(encoding: str, name: str) -> codecs.CodecInfo:
    """Makes the codec `name` of an encoding."""
    # The length of the byte order mark, which is written only before the first chunk.
    mark_length = len(encode_for_codec("", encoding, "strict"))

    def encode(text: str, errors: str = "strict") -> tuple[bytes, int]:
        # A subclass of `str` may override `__len__`.
        return encode_for_codec(text, encoding, errors), str.__len__(text)

    def decode(data: Buffer, errors: str = "strict") -> tuple[str, int]:
        return decode_prefix(data, encoding, errors, last=True, state=0, before=0)[:2]

    class Encoder(codecs.IncrementalEncoder):
        _has_begun = False

        def encode(self, input: str, final: bool = False) -> bytes:
            data = encode_for_codec(input, encoding, self.errors)[mark_length if self._has_begun else 0 :]
            self._has_begun = True
            return data

        def reset(self) -> None:
            self._has_begun = False

        def getstate(self) -> int:
            return int(self._has_begun)

        def setstate(self, state: int | str) -> None:
            self._has_begun = bool(state)

    class Decoder(codecs.BufferedIncrementalDecoder):
        """A decoder that keeps the bytes of an incomplete character until the next chunk."""

        _state = 0
        #: The number of bytes of the stream before the buffer. `None` after `setstate`: it is then unknown.
        bytes_before: int | None = 0

        def _buffer_decode(self, input: Buffer, errors: str, final: bool) -> tuple[str, int]:
            text, read, self._state = decode_prefix(
                input, encoding, errors, final, self._state, self.bytes_before
            )
            if self.bytes_before is not None:
                self.bytes_before += read
            return text, read

        def reset(self) -> None:
            super().reset()
            self._state, self.bytes_before = 0, 0

        def getstate(self) -> tuple[bytes, int]:
            return super().getstate()[0], self._state

        def setstate(self, state: tuple[bytes, int]) -> None:
            super().setstate(state)
            self._state, self.bytes_before = state[1], None

    class StreamReader(codecs.StreamReader):
        _state = 0

        def decode(self, input: Buffer, errors: str = "strict") -> tuple[str, int]:
            # The base class keeps the bytes that were not decoded.
            text, read, self._state = decode_prefix(
                input, encoding, errors, False, self._state, None
            )
            return text, read

        def reset(self) -> None:
            super().reset()
            self._state = 0

    class StreamWriter(codecs.StreamWriter):
        _has_begun = False

        def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
            data = encode_for_codec(input, encoding, errors)[mark_length if self._has_begun else 0 :]
            self._has_begun = True
            return data, str.__len__(input)

        def reset(self) -> None:
            super().reset()
            self._has_begun = False

    return codecs.CodecInfo(
        name=name,
        encode=encode,
        decode=decode,
        incrementalencoder=Encoder,
        incrementaldecoder=Decoder,
        streamreader=StreamReader,
        streamwriter=StreamWriter,
    )


def _make_search_function() -> Callable[[str], codecs.CodecInfo | None]:
    """Returns the function that Python calls to find a codec by its name."""
    names = _encodings_by_codec()

    def search(name: str) -> codecs.CodecInfo | None:
        normalized = _normalize(name)
        encoding = names.get(normalized)
        if encoding is None and normalized.startswith("utflane_"):
            try:
                encoding = lookup(normalized.removeprefix("utflane_"))
            except LookupError:
                return None
        if encoding is None or encoding == "auto":
            return None
        return _make_codec(encoding, encoding if encoding in MISSING_IN_PYTHON else "utflane-" + encoding)

    return search


_is_registered = False


def register() -> None:
    """Registers the codecs, if they are not registered yet."""
    global _is_registered
    if not _is_registered:
        _is_registered = True
        codecs.register(_make_search_function())

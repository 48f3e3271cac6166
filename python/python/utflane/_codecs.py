"""Codecs: `utflane-NAME` for every encoding, and the names that Python lacks.

Python has no CESU-8, Modified UTF-8, WTF-8 or WTF-16: these have their own names too, such as
`mutf-8`. Any error handler works, also one that the program registered.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import TYPE_CHECKING

from ._errors import DecodeError, EncodeError
from ._utflane import Decoder, decode_prefix, encode, encodings, lookup

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Encodings that Python has under no name.
MISSING = ["cesu-8", "mutf-8", "wtf-8", "wtf-16le", "wtf-16be"]

#: Error handlers that need no call of Python for each error.
DECODING = {"strict", "replace", "ignore", "backslashreplace", "surrogateescape"}
ENCODING = DECODING | {"xmlcharrefreplace"}

#: Encodings of one or more bytes whose decoders must see all that came before.
STATEFUL = {"big5", "euc-jp", "euc-kr", "gb18030", "gbk", "iso-2022-jp", "shift_jis"}


def _key(label: str) -> str:
    """The form of a name in which the codec registry of Python asks for it."""
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


def _decode(data: Buffer, encoding: str, errors: str, final: bool) -> tuple[str, int]:
    """The text of `data`, and the bytes that were decoded: all, or those of whole characters."""
    if errors in DECODING:
        return decode_prefix(data, encoding, errors, final)
    handler = codecs.lookup_error(errors)
    rest = memoryview(data).tobytes()
    parts: list[str] = []
    done = 0
    while True:
        try:
            text, read = decode_prefix(rest[done:], encoding, "strict", final)
            return "".join([*parts, text]), done + read
        except DecodeError as error:
            good = rest[done : done + error.start]
            parts.append(decode_prefix(good, encoding, "strict", True)[0])
            whole = DecodeError(encoding, rest, done + error.start, done + error.end, error.reason)
            whole.kind, whole.offset = error.kind, done + error.offset
            replacement, done = handler(whole)
            if not isinstance(replacement, str):
                raise TypeError("the error handler must return a str for ill-formed bytes") from None
            parts.append(replacement)
            done += len(rest) if done < 0 else 0


def _encode(text: str, encoding: str, errors: str) -> bytes:
    """The bytes of `text`."""
    if errors in ENCODING:
        return encode(text, encoding, errors)
    handler = codecs.lookup_error(errors)
    # Without the methods of a subclass.
    text = str.__getitem__(text, slice(None))
    parts: list[bytes] = []
    done = 0
    while True:
        try:
            parts.append(encode(text[done:], encoding))
            return b"".join(parts)
        except EncodeError as error:
            parts.append(encode(text[done : done + error.start], encoding))
            whole = EncodeError(encoding, text, done + error.start, done + error.end, error.reason)
            whole.kind = error.kind
            replacement, done = handler(whole)
            if isinstance(replacement, str):
                replacement = encode(replacement, encoding)
            parts.append(replacement)
            done += len(text) if done < 0 else 0


def _prefix_decoder(encoding: str) -> type[codecs.IncrementalDecoder]:
    """A decoder of chunks that keeps the bytes of a cut character."""

    class Incremental(codecs.BufferedIncrementalDecoder):
        #: Bytes of the stream before the buffer; only of a stream read from its start.
        consumed = 0

        def _buffer_decode(self, input: Buffer, errors: str, final: bool) -> tuple[str, int]:
            try:
                text, read = _decode(input, encoding, errors, final)
            except DecodeError as error:
                error.offset = self.consumed + error.start
                raise
            self.consumed += read
            return text, read

        def reset(self) -> None:
            super().reset()
            self.consumed = 0

    return Incremental


def _whole_decoder(encoding: str) -> type[codecs.IncrementalDecoder]:
    """A decoder of chunks that has a state of its own, which can't be stored."""

    class Incremental(codecs.IncrementalDecoder):
        def __init__(self, errors: str = "strict") -> None:
            super().__init__(errors)
            self._decoder = Decoder(encoding, errors)

        def decode(self, input: Buffer, final: bool = False) -> str:
            return self._decoder.decode(input, final)

        def reset(self) -> None:
            self._decoder.reset()

    return Incremental


def _info(encoding: str, name: str) -> codecs.CodecInfo:
    """The codec of an encoding."""
    marked = encoding in {"utf-8-sig", "utf-16", "utf-32"}

    def encode_all(text: str, errors: str = "strict") -> tuple[bytes, int]:
        return _encode(text, encoding, errors), str.__len__(text)

    def decode_all(data: Buffer, errors: str = "strict") -> tuple[str, int]:
        return _decode(data, encoding, errors, True)

    class Encoder(codecs.IncrementalEncoder):
        _begun = False

        def encode(self, input: str, final: bool = False) -> bytes:
            # A byte order mark stands before the first chunk only.
            data = _encode(input, encoding, self.errors)
            if marked and self._begun:
                data = data[len(_encode("", encoding, "strict")) :]
            self._begun = True
            return data

        def reset(self) -> None:
            self._begun = False

        def getstate(self) -> int:
            return int(self._begun)

        def setstate(self, state: int | str) -> None:
            self._begun = bool(state)

    class StreamWriter(codecs.StreamWriter):
        _begun = False

        def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
            data = _encode(input, encoding, errors)
            if marked and self._begun:
                data = data[len(_encode("", encoding, "strict")) :]
            self._begun = True
            return data, str.__len__(input)

    stateful = encoding in STATEFUL or marked
    incremental = _whole_decoder(encoding) if stateful else _prefix_decoder(encoding)

    class StreamReader(codecs.StreamReader):
        def decode(self, input: Buffer, errors: str = "strict") -> tuple[str, int]:
            # The reader keeps the bytes that were not decoded. A decoder with a state has them.
            if not stateful:
                return _decode(input, encoding, errors, False)
            if not hasattr(self, "_decoder"):
                self._decoder = Decoder(encoding, errors)
            return self._decoder.decode(input), memoryview(input).nbytes

        def reset(self) -> None:
            super().reset()
            if hasattr(self, "_decoder"):
                del self._decoder

    return codecs.CodecInfo(
        name=name,
        encode=encode_all,
        decode=decode_all,
        incrementalencoder=Encoder,
        incrementaldecoder=incremental,
        streamreader=StreamReader,
        streamwriter=StreamWriter,
    )


def _search() -> Callable[[str], codecs.CodecInfo | None]:
    """The function that Python asks for codecs."""
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

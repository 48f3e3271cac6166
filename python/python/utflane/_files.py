"""Text files in a known or an unknown encoding."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from ._utflane import Decoder, Detection, Detector, lookup

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Bytes that are read at once.
HEAD = 1 << 16

_RANK = {"guess": 0, "likely": 1, "certain": 2}


class DetectionError(ValueError):
    """A file whose encoding is unknown, or less sure than was asked for."""

    detection: Detection

    def __init__(self, message: str, detection: Detection) -> None:
        super().__init__(message, detection)
        self.detection = detection

    def __str__(self) -> str:
        return str(self.args[0])


class TextFile(io.TextIOBase):
    """A text file that is read. It is iterated by lines, and has the methods of `open`'s files.

    It is no `io.TextIOWrapper`: some programs read the bytes under one, in UTF-8 only.
    `detection` tells why the encoding was chosen; it is `None` where the encoding was named.
    """

    detection: Detection | None

    def __init__(
        self,
        buffer: Any,
        encoding: str,
        errors: str,
        newline: str | None,
        mark: int,
        detection: Detection | None,
    ) -> None:
        self._file = io.TextIOWrapper(buffer, "utflane-" + encoding, errors, newline)
        self.detection = detection
        self._encoding = encoding
        self._mark = mark

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The name of the encoding."""
        return self._encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """The name of the error handler."""
        return self._file.errors

    @property
    def newlines(self) -> str | tuple[str, ...] | None:  # type: ignore[override]
        """The line ends that were read."""
        return self._file.newlines

    @property
    def buffer(self) -> BinaryIO:
        """The binary file."""
        buffer: BinaryIO = self._file.buffer
        return buffer

    @property
    def name(self) -> Any:
        """The path or the number of the file."""
        return self._file.name

    @property
    def mode(self) -> str:
        """The mode of the file."""
        return "r"

    @property
    def closed(self) -> bool:
        """Whether the file is closed."""
        return self._file.closed

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def detach(self) -> BinaryIO:
        """Returns the binary file, which is not used any more."""
        buffer: BinaryIO = self._file.detach()
        return buffer

    def fileno(self) -> int:
        """The number of the file."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._file.isatty()

    def readable(self) -> bool:
        """True."""
        return self._file.readable()

    def seekable(self) -> bool:
        """Whether the file has places to move to."""
        return self._file.seekable()

    def read(self, size: int | None = -1, /) -> str:
        """Returns so many characters, or all."""
        return self._file.read(size)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """Returns the rest of the line, or so many characters of it."""
        return self._file.readline(size)

    def __next__(self) -> str:  # type: ignore[override]
        return next(self._file)

    def seek(self, cookie: int, whence: int = 0, /) -> int:
        """Moves to a place that `tell` returned; 0 is the start of the text, after its mark."""
        if whence == 0 and cookie == 0 and self._mark:
            self._file.seek(0)
            self._file.seek(self._mark)
            return 0
        return self._file.seek(cookie, whence)

    def tell(self) -> int:
        """The place in the file; 0 at the start of the text."""
        place = self._file.tell()
        return 0 if place == self._mark else place


class _Late(io.RawIOBase):
    """A file that is read once, in UTF-8. Its first byte that is not plain ASCII decides its encoding.

    What comes before is the same in every encoding that is possible then.
    """

    def __init__(self, inner: BinaryIO, detector: Detector, minimum: str) -> None:
        self._inner = inner
        self._detector = detector
        self._minimum = minimum
        self._plain = detector.is_plain
        self._decoder: Decoder | None = None
        self._ready = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def _fetch(self) -> bytes:
        data = self._inner.read(HEAD)
        self._detector.push(data)
        self._ended = not data
        return data

    def _advance(self) -> None:
        data = self._fetch()
        if self._plain and not self._detector.is_plain:
            self._plain = False
            while not (self._ended or self._detector.is_decided):
                data += self._fetch()
            found = self._detector.detection(prefix=not self._ended)
            _check(found, self._minimum)
            if found.encoding not in {"utf-8", "ascii"}:
                self._decoder = Decoder(found.encoding or "")
        found = self._detector.detection(prefix=not self._ended)
        if found.parts is not None:
            _check(found, self._minimum)
        if self._decoder is not None:
            data = self._decoder.decode(data, self._ended).encode()
        self._ready = data

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        while not self._ready:
            if self._ended:
                return 0
            self._advance()
        data, self._ready = self._ready[: len(view)], self._ready[len(view) :]
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._inner.close()


def _check(found: Detection, minimum: str) -> None:
    """Raises for a file that is no text, that is mixed, or whose encoding is not sure enough."""
    if found.parts is not None:
        raise DetectionError(f"mixed: {found.reason}", found)
    if found.encoding is None:
        raise DetectionError(f"no text ({found.reason})", found)
    if _RANK[found.confidence] < _RANK[minimum]:
        likely = " or ".join(found.candidates)
        raise DetectionError(f"unsure of the encoding, perhaps {likely}", found)


def _detected(buffer: BinaryIO, minimum: str) -> tuple[BinaryIO, Detection]:
    """A file that stays to be read, and its detection: by all of it, if it can be read twice."""
    detector = Detector()
    if buffer.seekable():
        start = buffer.tell()
        while data := buffer.read(HEAD):
            detector.push(data)
        buffer.seek(start)
        if isinstance(buffer, io.RawIOBase):
            buffer = io.BufferedReader(buffer, HEAD)
        return buffer, detector.detection()
    data = b""
    while len(data) < HEAD and (more := buffer.read(HEAD - len(data))):
        data += more
    ended = len(data) < HEAD
    detector.push(data)
    found = detector.detection(prefix=not ended)
    rest: Any = io.BytesIO() if ended else _Late(buffer, detector, minimum)
    return io.BufferedReader(_Joined(data, rest), HEAD), found


class _Joined(io.RawIOBase):
    """Bytes, and then a file."""

    def __init__(self, data: bytes, rest: BinaryIO) -> None:
        self._data = data
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        data = self._data[: len(view)] or self._rest.read(len(view))
        self._data = self._data[len(view) :]
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._rest.close()


def open(
    file: str | bytes | os.PathLike[str] | os.PathLike[bytes] | int | BinaryIO,
    encoding: str = "auto",
    errors: str = "strict",
    newline: str | None = None,
    *,
    mode: str = "r",
    minimum: Literal["guess", "likely", "certain"] = "guess",
) -> TextFile:
    """Opens a text file to read it: a path, a descriptor, or a binary file.

    "auto" detects the encoding by the whole file, or by the first byte that is not plain ASCII if the
    file can be read only once. A byte order mark is no part of the text then. A file that is no text,
    one whose parts are in different encodings, or one whose encoding is less sure than `minimum`, is a
    DetectionError.
    `errors`, `newline` and `mode` are those of Python's `open`; the mode is "r" or "rt", and may
    stand in its place there too.
    """
    if encoding.strip("rwxabt+U") == "":
        encoding, mode = "auto", encoding
    if mode not in ("r", "rt"):
        raise ValueError(f"a file is opened to read its text: mode 'r', not {mode!r}")
    if minimum not in _RANK:
        raise ValueError(f"unknown confidence {minimum!r}; one of {', '.join(_RANK)}")
    name = lookup(encoding)
    own = isinstance(file, (str, bytes, int, os.PathLike))
    buffer: Any = io.open(file, "rb") if own else file  # type: ignore[arg-type]
    try:
        detection, mark = None, 0
        if name == "auto":
            buffer, detection = _detected(buffer, minimum)
            _check(detection, minimum)
            # Text beyond ASCII may follow in a file that is read once.
            is_late = detection.encoding == "ascii" and not buffer.seekable()
            name = "utf-8" if is_late else detection.encoding or ""
            mark = detection.mark_length
            buffer.read(mark)
        return TextFile(buffer, name, errors, newline, mark, detection)
    except BaseException:
        if own:
            buffer.close()
        raise

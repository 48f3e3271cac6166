"""Text files in a known or an unknown encoding."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from ._utflane import Detection, detect, lookup

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Bytes by which an encoding is detected.
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


class _Sequential(io.RawIOBase):
    """A file that is read once, from its start: the decoders of some encodings can't go back."""

    def __init__(self, inner: BinaryIO) -> None:
        self._inner = inner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int | None:
        view = memoryview(buffer).cast("B")
        data: bytes | None = self._inner.read(len(view))
        if data is None:
            return None
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._inner.close()


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


def _head(buffer: BinaryIO) -> tuple[BinaryIO, bytes, bool]:
    """A file, its first bytes, which stay to be read, and whether these are all."""
    if isinstance(buffer, io.RawIOBase):
        buffer = io.BufferedReader(buffer, HEAD)
    if buffer.seekable():
        start = buffer.tell()
        head = buffer.read(HEAD + 1)
        buffer.seek(start)
        return buffer, head[:HEAD], len(head) <= HEAD
    if not isinstance(buffer, io.BufferedReader):
        buffer = io.BufferedReader(_Sequential(buffer), HEAD)
    return buffer, buffer.peek(HEAD)[:HEAD], False


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

    "auto" detects the encoding by the first 64 KiB. A byte order mark is no part of the text then.
    A file that is no text, or one whose encoding is less sure than `minimum`, is a DetectionError.
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
            buffer, head, whole = _head(buffer)
            detection = detect(head, prefix=not whole)
            if detection.encoding is None:
                raise DetectionError(f"no text ({detection.reason})", detection)
            if _RANK[detection.confidence] < _RANK[minimum]:
                likely = " or ".join(detection.candidates)
                raise DetectionError(f"unsure of the encoding, perhaps {likely}", detection)
            name, mark = detection.encoding, detection.mark_length
            buffer.read(mark)
        return TextFile(buffer, name, errors, newline, mark, detection)
    except BaseException:
        if own:
            buffer.close()
        raise

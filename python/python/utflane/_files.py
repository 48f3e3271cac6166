"""Text files in a known or an unknown encoding."""

from __future__ import annotations

import codecs
import io
import os
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from ._utflane import Detection, Detector, lookup

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Bytes that are read at once.
HEAD = 1 << 16

_RANK = {"guess": 0, "likely": 1, "certain": 2}


class DetectionError(ValueError):
    """A file whose encoding is unknown, or less certain than required."""

    detection: Detection

    def __init__(self, message: str, detection: Detection) -> None:
        super().__init__(message, detection)
        self.detection = detection

    def __str__(self) -> str:
        return str(self.args[0])


class TextFile(io.TextIOBase):
    """A text file that is read. It is iterated by lines, and has the methods of `open`'s files.

    It is no `io.TextIOWrapper`: some programs read the bytes under one, in UTF-8 only.
    """

    def __init__(
        self,
        buffer: Any,
        encoding: str,
        errors: str,
        newline: str | None,
        found: Detection | _Once | None,
    ) -> None:
        self._encoding = encoding
        self._errors = errors
        self._found = found
        self._mark = self.detection.mark_length if self.detection else 0
        how = "utflane-" + encoding, errors
        if isinstance(found, _Once):
            buffer = io.BufferedReader(found, HEAD)
            how = ("utf-8", "surrogatepass") if found.is_late else how
        buffer.read(self._mark)
        self._file = io.TextIOWrapper(buffer, *how, newline)

    @property
    def detection(self) -> Detection | None:
        """Why the encoding was chosen; `None` if it was named.

        Of a file that can be read only once: by what has been read so far.
        """
        return self._found.detection if isinstance(self._found, _Once) else self._found

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The name of the encoding. ASCII that can be read only once is UTF-8 so far."""
        if isinstance(self._found, _Once) and self._found.is_late:
            found = self._found.detection.encoding
            return "utf-8" if found in {"ascii", None} else str(found)
        return self._encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """The name of the error handler."""
        return self._errors

    @property
    def newlines(self) -> str | tuple[str, ...] | None:  # type: ignore[override]
        """The line ends that were read."""
        return self._file.newlines

    @property
    def buffer(self) -> BinaryIO:
        """The binary file, after the bytes that were read ahead; in UTF-8 if its encoding is decided late."""
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
        """True if the file is closed."""
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
        """True if it is a terminal."""
        return self._file.isatty()

    def readable(self) -> bool:
        """True."""
        return self._file.readable()

    def seekable(self) -> bool:
        """True if `seek` works."""
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
        """Moves to a position that `tell` returned; 0 is the start of the text, after its byte order mark."""
        if whence == 0 and cookie == 0 and self._mark:
            self._file.seek(0)
            self._file.seek(self._mark)
            return 0
        return self._file.seek(cookie, whence)

    def tell(self) -> int:
        """The position in the file; 0 at the start of the text."""
        place = self._file.tell()
        return 0 if place == self._mark else place


class _Once(io.RawIOBase):
    """A file that can be read only once: its beginning, by which it is detected, and the rest.

    Where the beginning is ASCII, the first byte beyond it decides the encoding, wherever it stands.
    Such a file is decoded here, and gives UTF-8, with surrogates if an error handler puts them in. Any
    other file gives its own bytes. A part in another encoding is an error where it is met.
    """

    def __init__(self, inner: BinaryIO, minimum: str, errors: str) -> None:
        self._inner = inner
        self._minimum = minimum
        self._errors = errors
        self._detector = Detector()
        self._ended = False
        self._ready = b""
        while len(self._ready) < HEAD and not self._ended:
            self._ready += self._fetch(HEAD - len(self._ready))
        if not self._detector.is_plain:
            self._ready += self._until_decided()
        self._detect()
        self.is_late = self.detection.encoding == "ascii" and not self._ended
        self._decoder = self._of("utf-8", len(self._ready)) if self.is_late else None

    @property
    def name(self) -> Any:
        """The path or the number of the file."""
        return self._inner.name

    def fileno(self) -> int:
        return self._inner.fileno()

    def isatty(self) -> bool:
        return self._inner.isatty()

    def readable(self) -> bool:
        return True

    def _fetch(self, size: int = HEAD) -> bytes:
        # Only the available bytes of a pipe, like Python's own text files.
        read = getattr(self._inner, "read1", self._inner.read)
        data: bytes = read(size)
        self._detector.push(data)
        self._ended = not data
        return data

    def _until_decided(self) -> bytes:
        """The next bytes, up to the last ones that decide the encoding."""
        data = b""
        while not (self._ended or self._detector.is_decided):
            data += self._fetch()
        return data

    def _detect(self) -> None:
        """Detects by the text so far."""
        self.detection = self._detector.detection(prefix=not self._ended)
        _check(self.detection, self._minimum)

    def _of(self, encoding: str, before: int) -> Any:
        """A decoder after so many bytes."""
        decoder: Any = codecs.getincrementaldecoder("utflane-" + encoding)(self._errors)
        decoder.before = before
        return decoder

    def _advance(self) -> None:
        was_plain, before = self._detector.is_plain, self._detector.length
        data = self._fetch()
        if was_plain and not self._detector.is_plain:
            data += self._until_decided()
            self._detect()
            encoding = self.detection.encoding or ""
            if encoding not in {"ascii", "utf-8"}:
                self._decoder = self._of(encoding, before)
        elif self._detector.is_mixed(prefix=not self._ended):
            self._detect()
        if self._decoder is not None:
            data = self._decoder.decode(data, self._ended).encode("utf-8", "surrogatepass")
        self._ready = data

    def readinto(self, buffer: Buffer) -> int:
        while not self._ready:
            # A rejected file stays rejected.
            _check(self.detection, self._minimum)
            if self._ended:
                return 0
            self._advance()
        view = memoryview(buffer)
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


def _detected(buffer: BinaryIO) -> Detection:
    """The encoding of a file, by all of it. It stays to be read."""
    detector = Detector()
    start = buffer.tell()
    while data := buffer.read(HEAD):
        detector.push(data)
    buffer.seek(start)
    return detector.detection()


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

    "auto" detects the encoding by the whole file. The first byte beyond ASCII decides, with 64 KiB
    after it, wherever it stands: so also in a file that can be read only once. A byte order mark is no
    part of the text then. A file that is no text, one whose parts are in different encodings, or one
    whose encoding is less sure than `minimum`, is a DetectionError: from `open`, or, of a file that
    can be read only once, where it is met.
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
        found: Detection | _Once | None = None
        if name == "auto" and buffer.seekable():
            found = _detected(buffer)
            _check(found, minimum)
            name = found.encoding or ""
            if isinstance(buffer, io.RawIOBase):
                buffer = io.BufferedReader(buffer, HEAD)
        elif name == "auto":
            found = _Once(buffer, minimum, errors)
            name = found.detection.encoding or ""
        return TextFile(buffer, name, errors, newline, found)
    except BaseException:
        if own:
            buffer.close()
        raise

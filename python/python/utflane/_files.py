"""Text files in a known or an unknown encoding."""

from __future__ import annotations

import codecs
import io
import os
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from ._utflane import Detection, Detector, lookup

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: The number of bytes that are read at once.
CHUNK_BYTES = 1 << 16

#: The order of the confidences.
_RANK = {"guess": 0, "likely": 1, "certain": 2}


class DetectionError(ValueError):
    """The error for a file that is not text, is mixed, or whose encoding is less certain than required."""

    detection: Detection

    def __init__(self, message: str, detection: Detection) -> None:
        super().__init__(message, detection)
        self.detection = detection

    def __str__(self) -> str:
        return str(self.args[0])


class TextFile(io.TextIOBase):
    """A text file for reading. Its items are lines, and it has the methods of the files that Python's `open` returns.

    It is not a subclass of `io.TextIOWrapper`, because some programs read the bytes in the buffer of a
    `TextIOWrapper`, and decode only UTF-8.
    """

    def __init__(
        self,
        buffer: Any,
        encoding: str,
        errors: str,
        newline: str | None,
        detection_source: Detection | _SinglePassFile | None,
    ) -> None:
        self._encoding = encoding
        self._errors = errors
        #: The detection, or the single-pass file that updates it; `None` if the encoding was named.
        self._detection_source = detection_source
        self._mark_length = self.detection.mark_length if self.detection else 0
        codec = "utflane-" + encoding, errors
        if isinstance(detection_source, _SinglePassFile):
            buffer = io.BufferedReader(detection_source, CHUNK_BYTES)
            codec = ("utf-8", "surrogatepass") if detection_source.is_decided_late else codec
        buffer.read(self._mark_length)
        self._file = io.TextIOWrapper(buffer, *codec, newline)

    @property
    def detection(self) -> Detection | None:
        """The result of the detection; `None` if the encoding was named.

        For a file that can be read only once, it is the detection from the bytes that have been read so far.
        """
        source = self._detection_source
        return source.detection if isinstance(source, _SinglePassFile) else source

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The name of the encoding.

        For a file that can be read only once, it is "utf-8" as long as the text is ASCII.
        """
        if isinstance(self._detection_source, _SinglePassFile) and self._detection_source.is_decided_late:
            found = self._detection_source.detection.encoding
            return "utf-8" if found in {"ascii", None} else str(found)
        return self._encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """The name of the error handler."""
        return self._errors

    @property
    def newlines(self) -> str | tuple[str, ...] | None:  # type: ignore[override]
        """The kinds of line ends that have been read."""
        return self._file.newlines

    @property
    def buffer(self) -> BinaryIO:
        """The binary file. Its position is after the bytes that were read ahead.

        If the encoding is decided while the file is read, the bytes of the binary file are UTF-8.
        """
        buffer: BinaryIO = self._file.buffer
        return buffer

    @property
    def name(self) -> Any:
        """The path or the descriptor of the file."""
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
        """Returns the binary file, detached. This object can no longer be used."""
        buffer: BinaryIO = self._file.detach()
        return buffer

    def fileno(self) -> int:
        """Returns the descriptor of the file."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Returns true if the file is a terminal."""
        return self._file.isatty()

    def readable(self) -> bool:
        """Returns true."""
        return self._file.readable()

    def seekable(self) -> bool:
        """Returns true if `seek` works."""
        return self._file.seekable()

    def read(self, size: int | None = -1, /) -> str:
        """Returns the next `size` characters, or the rest of the text."""
        return self._file.read(size)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """Returns the rest of the line, or its next `size` characters."""
        return self._file.readline(size)

    def __next__(self) -> str:  # type: ignore[override]
        return next(self._file)

    def seek(self, cookie: int, whence: int = 0, /) -> int:
        """Moves to a position that `tell` returned; 0 is the start of the text, after its byte order mark."""
        if whence == 0 and cookie == 0 and self._mark_length:
            self._file.seek(0)
            self._file.seek(self._mark_length)
            return 0
        return self._file.seek(cookie, whence)

    def tell(self) -> int:
        """Returns the position in the file, for `seek`; 0 at the start of the text."""
        position = self._file.tell()
        return 0 if position == self._mark_length else position


class _SinglePassFile(io.RawIOBase):
    """A file that can be read only once. Its beginning is read first, to detect the encoding.

    If the beginning is ASCII, the encoding is decided late: the first byte beyond ASCII and the bytes
    after it decide. Such a file is decoded here. It returns the text in UTF-8, which contains
    surrogates if an error handler inserts them. Any other file returns its bytes unchanged. A part in
    another encoding raises an error when it is read.
    """

    def __init__(self, inner: BinaryIO, min_confidence: str, errors: str) -> None:
        self._inner = inner
        self._min_confidence = min_confidence
        self._errors = errors
        self._detector = Detector()
        self._is_at_end = False
        #: The bytes that `readinto` returns next.
        self._ready = b""
        while len(self._ready) < CHUNK_BYTES and not self._is_at_end:
            self._ready += self._fetch(CHUNK_BYTES - len(self._ready))
        if not self._detector.is_plain:
            self._ready += self._fetch_until_decided()
        self._detect()
        self.is_decided_late = self.detection.encoding == "ascii" and not self._is_at_end
        self._decoder = self._make_decoder("utf-8", len(self._ready)) if self.is_decided_late else None

    @property
    def name(self) -> Any:
        """The path or the descriptor of the file."""
        return self._inner.name

    def fileno(self) -> int:
        return self._inner.fileno()

    def isatty(self) -> bool:
        return self._inner.isatty()

    def readable(self) -> bool:
        return True

    def _fetch(self, size: int = CHUNK_BYTES) -> bytes:
        """Reads at most `size` bytes, and passes them to the detector."""
        # `read1` returns the available bytes of a pipe, and does not wait for more, as in Python's text files.
        read = getattr(self._inner, "read1", self._inner.read)
        data: bytes = read(size)
        self._detector.push(data)
        self._is_at_end = not data
        return data

    def _fetch_until_decided(self) -> bytes:
        """Reads the next bytes until the encoding is decided, or until the end of the file."""
        data = b""
        while not (self._is_at_end or self._detector.is_decided):
            data += self._fetch()
        return data

    def _detect(self) -> None:
        """Detects the encoding from the bytes that have been read, and checks the result."""
        self.detection = self._detector.detection(prefix=not self._is_at_end)
        _check_detection(self.detection, self._min_confidence)

    def _make_decoder(self, encoding: str, bytes_before: int) -> Any:
        """Makes a decoder that begins after the first `bytes_before` bytes of the file."""
        decoder: Any = codecs.getincrementaldecoder("utflane-" + encoding)(self._errors)
        decoder.bytes_before = bytes_before
        return decoder

    def _read_chunk(self) -> None:
        """Reads the next chunk into `_ready`. The first byte beyond ASCII starts the detection."""
        was_ascii_so_far, bytes_before = self._detector.is_plain, self._detector.length
        data = self._fetch()
        if was_ascii_so_far and not self._detector.is_plain:
            data += self._fetch_until_decided()
            self._detect()
            encoding = self.detection.encoding or ""
            if encoding not in {"ascii", "utf-8"}:
                self._decoder = self._make_decoder(encoding, bytes_before)
        elif self._detector.is_mixed(prefix=not self._is_at_end):
            self._detect()
        if self._decoder is not None:
            data = self._decoder.decode(data, self._is_at_end).encode("utf-8", "surrogatepass")
        self._ready = data

    def readinto(self, buffer: Buffer) -> int:
        while not self._ready:
            # After a DetectionError, each further read raises the same error.
            _check_detection(self.detection, self._min_confidence)
            if self._is_at_end:
                return 0
            self._read_chunk()
        view = memoryview(buffer)
        data, self._ready = self._ready[: len(view)], self._ready[len(view) :]
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._inner.close()


def _check_detection(found: Detection, min_confidence: str) -> None:
    """Raises DetectionError if the file is mixed, is not text, or if the confidence is too low."""
    if found.parts is not None:
        raise DetectionError(f"mixed: {found.reason}", found)
    if found.encoding is None:
        advice = "if it is text, pass its encoding"
        raise DetectionError(f"not text ({found.reason}): {advice}", found)
    if _RANK[found.confidence] < _RANK[min_confidence]:
        likely = " or ".join(found.candidates)
        advice = "pass the encoding, or a lower minimum"
        raise DetectionError(f"the encoding is uncertain; it may be {likely}: {advice}", found)


def _detect_file(buffer: BinaryIO) -> Detection:
    """Detects the encoding from the rest of the file, and restores the position in the file."""
    detector = Detector()
    start = buffer.tell()
    while data := buffer.read(CHUNK_BYTES):
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
    """Opens a text file for reading. `file` is a path, a descriptor, or a binary file.

    "auto" detects the encoding. The encoding is decided by the 64 KiB that begin at the first non-ASCII
    byte, and the complete file is examined for parts in another encoding. With "auto", a byte order mark
    is not part of the text. DetectionError is raised if the file is not text, if its parts are in
    different encodings, or if the confidence is below `minimum`. `open` raises the error, but if the
    file can be read only once, reading may raise it later.

    `errors`, `newline` and `mode` have the meaning that they have in Python's `open`. `mode` must be "r"
    or "rt", and may also be the second positional argument, as in Python's `open`.
    """
    if encoding.strip("rwxabt+U") == "":
        encoding, mode = "auto", encoding
    if mode not in ("r", "rt"):
        raise ValueError(f"files can only be opened to read text: mode must be 'r' or 'rt', not {mode!r}")
    if minimum not in _RANK:
        raise ValueError(f"unknown confidence {minimum!r}; it must be one of {', '.join(_RANK)}")
    name = lookup(encoding)
    is_opened_here = isinstance(file, (str, bytes, int, os.PathLike))
    buffer: Any = io.open(file, "rb") if is_opened_here else file  # type: ignore[arg-type]
    try:
        found: Detection | _SinglePassFile | None = None
        if name == "auto" and buffer.seekable():
            found = _detect_file(buffer)
            _check_detection(found, minimum)
            name = found.encoding or ""
            if isinstance(buffer, io.RawIOBase):
                buffer = io.BufferedReader(buffer, CHUNK_BYTES)
        elif name == "auto":
            found = _SinglePassFile(buffer, minimum, errors)
            name = found.detection.encoding or ""
        return TextFile(buffer, name, errors, newline, found)
    except BaseException:
        if is_opened_here:
            buffer.close()
        raise

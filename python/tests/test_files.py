import codecs
import contextlib
import csv
import io
import os
import pathlib
import pickle
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pandas  # type: ignore[import-untyped]
import polars
import pytest
from texts import ENCODINGS, SENTENCES, UNICODE

import utflane

LINES = [f"{i}: {text}\n" for i in range(40) for text in SENTENCES.values()]
#: ASCII text that is longer than what `open` reads before it returns.
PLAIN_ASCII = "plain ascii line\n" * 8000
ASCII_WITH_ESCAPES = "\x1b[31mplain\x1b[0m ascii line\n" * 8000
CZECH_LINE = "Příliš žluťoučký kůň úpěl ďábelské ódy\n"


@contextlib.contextmanager
def open_as_pipe(data: bytes, **options: Any) -> Iterator[utflane.TextFile]:
    """Opens a pipe to which a thread writes the data in chunks."""
    receive, send = os.pipe()

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), os.fdopen(send, "wb", 0) as pipe:
            for start in range(0, len(data), 9973):
                pipe.write(data[start : start + 9973])

    thread = threading.Thread(target=write)
    thread.start()
    try:
        with utflane.open(receive, **options) as file:
            yield file
    finally:
        thread.join()


@contextlib.contextmanager
def open_as_path(data: bytes, **options: Any) -> Iterator[utflane.TextFile]:
    """Writes the data to a file and opens this file."""
    path = pathlib.Path("text")
    path.write_bytes(data)
    with utflane.open(path, **options) as file:
        yield file


@pytest.fixture(params=[open_as_path, open_as_pipe])
def open_data(
    request: pytest.FixtureRequest, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Returns a function that opens a file with the given bytes, which is seekable or a pipe."""
    monkeypatch.chdir(tmp_path)
    return request.param


OpenData = Callable[..., contextlib.AbstractContextManager[utflane.TextFile]]


@pytest.mark.parametrize("encoding", [*UNICODE, "utf-8-sig", "utf-16", "utf-32"])
def test_methods_of_a_file(encoding: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "text"
    path.write_text("".join(LINES), encoding)
    with utflane.open(path) as file:
        assert isinstance(file, io.TextIOBase)
        assert file.detection is not None and file.readable() and not file.writable()
        assert list(file) == LINES
        assert file.seek(0) == 0
        assert file.tell() == 0
        assert file.readline() == LINES[0]
        cookie = file.tell()
        assert file.read(10) == LINES[1][:10]
        file.seek(cookie)
        assert file.readline() == LINES[1]
        assert file.read() == "".join(LINES[2:])
        assert file.read() == ""
    assert file.closed
    with utflane.open(path, encoding) as file:
        assert file.detection is None
        assert file.readlines() == LINES


@pytest.mark.parametrize("language", ENCODINGS)
def test_legacy_files(language: str, tmp_path: pathlib.Path) -> None:
    text = (SENTENCES[language] + "\n") * 3000
    for encoding in ENCODINGS[language]:
        path = tmp_path / encoding
        path.write_bytes(text.encode(encoding))
        with utflane.open(path) as file:
            assert file.readline() == SENTENCES[language] + "\n"
            assert file.read() == text[len(SENTENCES[language]) + 1 :]


def test_newlines_equal_those_of_python(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("ä\r\nö\rü\n".encode("utf-16le") * 50)
    for newline in [None, "", "\n", "\r\n", "\r"]:
        with open(path, encoding="utf-16le", newline=newline) as theirs, utflane.open(path, newline=newline) as ours:
            assert ours.readlines() == theirs.readlines()


def test_errors_have_the_offset_in_the_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "text"
    valid = "grün ".encode() * 30_000
    path.write_bytes(valid + b"\xff" + valid)
    with utflane.open(path, "utf-8") as file, pytest.raises(utflane.DecodeError) as caught:
        file.read()
    assert caught.value.offset == len(valid)
    with utflane.open(path, "utf-8", "replace") as file:
        assert file.read().count("\ufffd") == 1


def test_binary_data_and_low_confidence_are_errors(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(bytes(range(8)) * 100)
    with pytest.raises(utflane.DetectionError, match="not text"):
        utflane.open(path)
    path.write_bytes(b"gr\xfcn")
    with utflane.open(path) as file:
        assert file.read() == "grün"
        assert file.detection is not None
    with pytest.raises(utflane.DetectionError) as caught:
        utflane.open(path, minimum="certain")
    assert caught.value.detection.encoding == "latin1"
    with pytest.raises(ValueError, match="one of guess"):
        utflane.open(path, minimum="sure")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        utflane.open(tmp_path / "none")


def test_open_accepts_descriptors_paths_files_and_pipes(tmp_path: pathlib.Path) -> None:
    data = "".join(LINES).encode("utf-16")
    path = tmp_path / "text"
    path.write_bytes(data)
    files: list[Any] = [os.open(path, os.O_RDONLY), str(path), os.fsencode(path)]
    files += [io.BytesIO(data), path.open("rb", 0)]
    for given in files:
        with utflane.open(given) as file:
            assert file.read() == "".join(LINES)
    with open_as_pipe(data) as file:
        assert file.readlines() == LINES
        assert not file.seekable() and not file.isatty() and file.fileno() == file.name


def test_open_accepts_only_modes_for_reading_text(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "text"
    path.write_text("größer\n", "utf-16")
    for mode in ["r", "rt"]:
        with utflane.open(path, mode) as file:
            assert file.read() == "größer\n" and file.mode == "r"
        with utflane.open(path, "utf-16", mode=mode) as file:
            assert file.read() == "größer\n"
    for mode in ["w", "rb", "r+", "a", "x", "wt", ""]:
        with pytest.raises(ValueError, match="mode"):
            utflane.open(path, "auto", mode=mode)
    with pytest.raises(ValueError, match="mode"):
        utflane.open(path, "w")


def test_other_packages_read_the_file_object(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "table.csv"
    for encoding in ["utf-16", "cp1252", "utf-8", "utf-8-sig"]:
        path.write_text("city,people\nMünchen,1510378\nKöln,1087353\n", encoding)
        with utflane.open(path) as file:
            assert polars.read_csv(file)["city"].to_list() == ["München", "Köln"]  # type: ignore[arg-type]
        with utflane.open(path) as file:
            assert pandas.read_csv(file)["city"].tolist() == ["München", "Köln"]
        with utflane.open(path) as file:
            assert [row["city"] for row in csv.DictReader(file)] == ["München", "Köln"]


class SmallReads(io.RawIOBase):
    """A file that is not seekable and returns few bytes at a time."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self.pieces.pop(0) if self.pieces else b""
        buffer[: len(piece)] = piece
        return len(piece)


def test_a_file_that_returns_few_bytes_at_a_time() -> None:
    data = ("größer " * 100).encode()
    pieces = [data[start : start + 3] for start in range(0, len(data), 3)]
    given: Any = io.BufferedReader(SmallReads(pieces))
    with utflane.open(given, "utf-8") as file:
        assert file.read() == "größer " * 100


@pytest.mark.parametrize("start", [0, 1, 17 * 3855, 17 * 3856, 17 * 3857])
@pytest.mark.parametrize("encoding", ["utf-8", "latin1", "windows-1250", "shift_jis", "utf-8-sig"])
def test_the_first_non_ascii_text_decides_the_encoding(
    open_data: OpenData, start: int, encoding: str
) -> None:
    non_ascii = {"latin1": "café crème\n", "shift_jis": SENTENCES["ja"] + "\n"}.get(encoding, CZECH_LINE)
    text = PLAIN_ASCII[:start] + non_ascii + PLAIN_ASCII
    with open_data(text.encode(encoding)) as file:
        first_line_len = text.index("\n") + 1
        assert file.readline() == text[:first_line_len]
        assert file.read() == text[first_line_len:]
        assert file.encoding == encoding.removesuffix("-sig")
        assert file.detection is not None and file.detection.encoding == file.encoding


@pytest.mark.parametrize("non_ascii", ["café crème\n".encode(), "café crème\n".encode("latin1")])
def test_tell_and_seek_after_a_long_ascii_prefix(non_ascii: bytes, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(PLAIN_ASCII.encode() + non_ascii * 3)
    with utflane.open(path) as file:
        assert file.read(len(PLAIN_ASCII)) == PLAIN_ASCII
        cookies = [file.tell()]
        for _ in range(3):
            assert file.readline() == "café crème\n"
            cookies.append(file.tell())
        assert cookies == [len(PLAIN_ASCII) + i * len(non_ascii) for i in range(4)]
        for cookie in reversed(cookies[:3]):
            file.seek(cookie)
            assert file.readline() == "café crème\n" and file.tell() == cookie + len(non_ascii)
        assert file.seek(0) == 0 and file.read() == PLAIN_ASCII + "café crème\n" * 3
    with open_as_pipe(PLAIN_ASCII.encode() + non_ascii) as file:
        with pytest.raises(io.UnsupportedOperation):
            file.tell()
        with pytest.raises(io.UnsupportedOperation):
            file.seek(0)
        assert file.read() == PLAIN_ASCII + "café crème\n"


@pytest.mark.parametrize("text", [PLAIN_ASCII, ASCII_WITH_ESCAPES])
def test_utf8_after_a_long_ascii_prefix(open_data: OpenData, text: str) -> None:
    for ending in ["", "café crème\n", LINES[3] * 4000]:
        with open_data((text + ending).encode()) as file:
            assert file.read() == text + ending
    with open_data(b"short\n") as file:
        assert (file.encoding, file.read()) == ("ascii", "short\n")


@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace", "surrogateescape", "custom"])
@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis"])
def test_error_handlers_after_a_long_ascii_prefix(
    open_data: OpenData, errors: str, encoding: str
) -> None:
    def handler(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        return "\udc80<\ud800>", error.end

    codecs.register_error("custom", handler)
    japanese = (SENTENCES["ja"] + "\n").encode(encoding) * 9000
    data = PLAIN_ASCII.encode() + japanese + b"\xff \x80\n" + japanese
    with open_data(data, errors=errors) as file:
        assert file.errors == errors
        assert file.read() == data.decode("utflane-" + encoding, errors)
    with open_data(data) as file, pytest.raises(utflane.DecodeError) as caught:
        file.read()
    assert caught.value.offset == len(PLAIN_ASCII) + len(japanese)


UTF16_WITHOUT_MARK = (SENTENCES["de"] + "\n").encode("utf-16-le") * 9
UTF16_WITH_MARK = b"\xff\xfe" + UTF16_WITHOUT_MARK
UTF8_LINE = (SENTENCES["de"] + "\n").encode()


@pytest.mark.parametrize("repeats", [1, 2000])
@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (UTF8_LINE, UTF16_WITHOUT_MARK, ("utf-8", "utf-16le")),
        (UTF8_LINE, UTF16_WITH_MARK, ("utf-8", "utf-16le")),
        (PLAIN_ASCII.encode(), UTF16_WITHOUT_MARK, ("utf-8", "utf-16le")),
        (UTF16_WITH_MARK, UTF8_LINE * 9, ("utf-16le", "utf-8")),
        (UTF16_WITH_MARK, PLAIN_ASCII.encode(), ("utf-16le", "utf-8")),
    ],
)
def test_a_mixture_is_an_error_with_both_parts(
    open_data: OpenData, repeats: int, first: bytes, second: bytes, names: tuple[str, str]
) -> None:
    if first == UTF8_LINE:
        first *= repeats
    elif first == UTF16_WITH_MARK:
        first += UTF16_WITHOUT_MARK * (repeats // 9)
    with pytest.raises(utflane.DetectionError, match="^mixed: ") as caught, open_data(first + second) as file:
        try:
            file.read()
        finally:
            # The file reads nothing after the boundary of the two parts.
            with pytest.raises(utflane.DetectionError, match="^mixed: "):
                file.read()
    error = caught.value
    assert error.detection.parts == ((0, names[0]), (len(first), names[1]))
    assert error.detection.encoding is None
    assert f"{names[0]} up to byte {len(first)}, then {names[1]}" in str(error)
    unpickled = pickle.loads(pickle.dumps(error))
    assert unpickled.detection == error.detection
    assert unpickled.detection.parts == error.detection.parts
    with pytest.raises(LookupError, match=r"^mixed \("):
        utflane.decode(first + second)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("repeats", [0, 1, 9000])
def test_a_byte_order_mark_is_not_part_of_the_text(open_data: OpenData, encoding: str, repeats: int) -> None:
    data = (SENTENCES["de"] * repeats).encode(encoding)
    with open_data(data) as file:
        assert file.read() == SENTENCES["de"] * repeats
        assert file.detection is not None and file.detection.mark_length > 0
    assert utflane.decode(data).text == SENTENCES["de"] * repeats


def test_low_confidence_and_binary_data_after_an_ascii_prefix(open_data: OpenData) -> None:
    with pytest.raises(utflane.DetectionError, match="uncertain"):
        with open_data(PLAIN_ASCII.encode() + b"gr\xfcn", minimum="certain") as file:
            file.read()
    with pytest.raises(utflane.DetectionError, match="not text"):
        with open_data(PLAIN_ASCII.encode() + bytes(range(256)) * 400) as file:
            file.read()

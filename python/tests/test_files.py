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
#: More than `open` reads of a file before it returns.
PLAIN = "plain ascii line\n" * 8000
COLOURED = "\x1b[31mplain\x1b[0m ascii line\n" * 8000
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy\n"


@contextlib.contextmanager
def opened_by_pipe(data: bytes, **options: Any) -> Iterator[utflane.TextFile]:
    """The file that a thread writes to a pipe, in chunks of odd lengths."""
    receive, send = os.pipe()

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), os.fdopen(send, "wb", 0) as pipe:
            for at in range(0, len(data), 9973):
                pipe.write(data[at : at + 9973])

    thread = threading.Thread(target=write)
    thread.start()
    try:
        with utflane.open(receive, **options) as file:
            yield file
    finally:
        thread.join()


@contextlib.contextmanager
def opened_by_path(data: bytes, **options: Any) -> Iterator[utflane.TextFile]:
    path = pathlib.Path("text")
    path.write_bytes(data)
    with utflane.open(path, **options) as file:
        yield file


@pytest.fixture(params=[opened_by_path, opened_by_pipe])
def opened(
    request: pytest.FixtureRequest, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Opens a file of these bytes, that can be read twice or only once."""
    monkeypatch.chdir(tmp_path)
    return request.param


Opened = Callable[..., contextlib.AbstractContextManager[utflane.TextFile]]


@pytest.mark.parametrize("encoding", [*UNICODE, "utf-8-sig", "utf-16", "utf-32"])
def test_a_file_is_that_of_python(encoding: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "text"
    path.write_text("".join(LINES), encoding)
    with utflane.open(path) as file:
        assert isinstance(file, io.TextIOBase)
        assert file.detection is not None and file.readable() and not file.writable()
        assert list(file) == LINES
        assert file.seek(0) == 0
        assert file.tell() == 0
        assert file.readline() == LINES[0]
        place = file.tell()
        assert file.read(10) == LINES[1][:10]
        file.seek(place)
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


def test_newlines(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("ä\r\nö\rü\n".encode("utf-16le") * 50)
    for newline in [None, "", "\n", "\r\n", "\r"]:
        with open(path, encoding="utf-16le", newline=newline) as theirs, utflane.open(path, newline=newline) as ours:
            assert ours.readlines() == theirs.readlines()


def test_errors_have_their_place_in_the_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "text"
    good = "grün ".encode() * 30_000
    path.write_bytes(good + b"\xff" + good)
    with utflane.open(path, "utf-8") as file, pytest.raises(utflane.DecodeError) as caught:
        file.read()
    assert caught.value.offset == len(good)
    with utflane.open(path, "utf-8", "replace") as file:
        assert file.read().count("\ufffd") == 1


def test_what_is_no_text_or_unsure(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(bytes(range(8)) * 100)
    with pytest.raises(utflane.DetectionError, match="no text"):
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


def test_descriptors_files_and_pipes(tmp_path: pathlib.Path) -> None:
    data = "".join(LINES).encode("utf-16")
    path = tmp_path / "text"
    path.write_bytes(data)
    files: list[Any] = [os.open(path, os.O_RDONLY), str(path), os.fsencode(path)]
    files += [io.BytesIO(data), path.open("rb", 0)]
    for given in files:
        with utflane.open(given) as file:
            assert file.read() == "".join(LINES)
    with opened_by_pipe(data) as file:
        assert file.readlines() == LINES
        assert not file.seekable() and not file.isatty() and file.fileno() == file.name


def test_modes_of_open(tmp_path: pathlib.Path) -> None:
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


def test_other_packages_read_the_text(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "table.csv"
    for encoding in ["utf-16", "cp1252", "utf-8", "utf-8-sig"]:
        path.write_text("city,people\nMünchen,1510378\nKöln,1087353\n", encoding)
        with utflane.open(path) as file:
            assert polars.read_csv(file)["city"].to_list() == ["München", "Köln"]  # type: ignore[arg-type]
        with utflane.open(path) as file:
            assert pandas.read_csv(file)["city"].tolist() == ["München", "Köln"]
        with utflane.open(path) as file:
            assert [row["city"] for row in csv.DictReader(file)] == ["München", "Köln"]


class Slow(io.RawIOBase):
    """A file that can't be moved in, and gives few bytes at a time."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self.pieces.pop(0) if self.pieces else b""
        buffer[: len(piece)] = piece
        return len(piece)


def test_a_file_that_is_read_in_small_pieces() -> None:
    data = ("größer " * 100).encode()
    pieces = [data[at : at + 3] for at in range(0, len(data), 3)]
    given: Any = io.BufferedReader(Slow(pieces))
    with utflane.open(given, "utf-8") as file:
        assert file.read() == "größer " * 100


@pytest.mark.parametrize("start", [0, 1, 17 * 3855, 17 * 3856, 17 * 3857])
@pytest.mark.parametrize("encoding", ["utf-8", "latin1", "windows-1250", "shift_jis", "utf-8-sig"])
def test_text_beyond_ascii_decides_wherever_it_comes(
    opened: Opened, start: int, encoding: str
) -> None:
    late = {"latin1": "café crème\n", "shift_jis": SENTENCES["ja"] + "\n"}.get(encoding, CZECH)
    text = PLAIN[:start] + late + PLAIN
    with opened(text.encode(encoding)) as file:
        first = text.index("\n") + 1
        assert file.readline() == text[:first]
        assert file.read() == text[first:]
        assert file.encoding == encoding.removesuffix("-sig")
        assert file.detection is not None and file.detection.encoding == file.encoding


@pytest.mark.parametrize("late", ["café crème\n".encode(), "café crème\n".encode("latin1")])
def test_places_in_a_file_that_is_decided_late(late: bytes, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(PLAIN.encode() + late * 3)
    with utflane.open(path) as file:
        assert file.read(len(PLAIN)) == PLAIN
        places = [file.tell()]
        for _ in range(3):
            assert file.readline() == "café crème\n"
            places.append(file.tell())
        assert places == [len(PLAIN) + i * len(late) for i in range(4)]
        for place in reversed(places[:3]):
            file.seek(place)
            assert file.readline() == "café crème\n" and file.tell() == place + len(late)
        assert file.seek(0) == 0 and file.read() == PLAIN + "café crème\n" * 3
    with opened_by_pipe(PLAIN.encode() + late) as file:
        with pytest.raises(io.UnsupportedOperation):
            file.tell()
        with pytest.raises(io.UnsupportedOperation):
            file.seek(0)
        assert file.read() == PLAIN + "café crème\n"


@pytest.mark.parametrize("text", [PLAIN, COLOURED])
def test_ascii_is_utf8_so_far(opened: Opened, text: str) -> None:
    for late in ["", "café crème\n", LINES[3] * 4000]:
        with opened((text + late).encode()) as file:
            assert file.read() == text + late
    with opened(b"short\n") as file:
        assert (file.encoding, file.read()) == ("ascii", "short\n")


@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace", "surrogateescape", "ours"])
@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis"])
def test_error_handlers_of_a_file_that_is_decided_late(
    opened: Opened, errors: str, encoding: str
) -> None:
    def ours(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        return "\udc80<\ud800>", error.end

    codecs.register_error("ours", ours)
    late = (SENTENCES["ja"] + "\n").encode(encoding) * 9000
    data = PLAIN.encode() + late + b"\xff \x80\n" + late
    with opened(data, errors=errors) as file:
        assert file.errors == errors
        assert file.read() == data.decode("utflane-" + encoding, errors)
    with opened(data) as file, pytest.raises(utflane.DecodeError) as caught:
        file.read()
    assert caught.value.offset == len(PLAIN) + len(late)


UNMARKED = (SENTENCES["de"] + "\n").encode("utf-16-le") * 9
MARKED = b"\xff\xfe" + UNMARKED
UTF8 = (SENTENCES["de"] + "\n").encode()


@pytest.mark.parametrize("many", [1, 2000])
@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (UTF8, UNMARKED, ("utf-8", "utf-16le")),
        (UTF8, MARKED, ("utf-8", "utf-16le")),
        (PLAIN.encode(), UNMARKED, ("utf-8", "utf-16le")),
        (MARKED, UTF8 * 9, ("utf-16le", "utf-8")),
        (MARKED, PLAIN.encode(), ("utf-16le", "utf-8")),
    ],
)
def test_a_mixture_is_an_error_with_both_parts(
    opened: Opened, many: int, first: bytes, second: bytes, names: tuple[str, str]
) -> None:
    if first == UTF8:
        first *= many
    elif first == MARKED:
        first += UNMARKED * (many // 9)
    with pytest.raises(utflane.DetectionError, match="^mixed: ") as caught, opened(first + second) as file:
        try:
            file.read()
        finally:
            # Nothing is read beyond it.
            with pytest.raises(utflane.DetectionError, match="^mixed: "):
                file.read()
    error = caught.value
    assert error.detection.parts == ((0, names[0]), (len(first), names[1]))
    assert error.detection.encoding is None
    assert f"{names[0]} up to byte {len(first)}, then {names[1]}" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert again.detection == error.detection and again.detection.parts == error.detection.parts
    with pytest.raises(LookupError, match=r"^mixed \("):
        utflane.decode(first + second)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("many", [0, 1, 9000])
def test_a_byte_order_mark_is_no_text(opened: Opened, encoding: str, many: int) -> None:
    data = (SENTENCES["de"] * many).encode(encoding)
    with opened(data) as file:
        assert file.read() == SENTENCES["de"] * many
        assert file.detection is not None and file.detection.mark_length > 0
    assert utflane.decode(data).text == SENTENCES["de"] * many


def test_late_text_that_is_unsure_or_none(opened: Opened) -> None:
    with pytest.raises(utflane.DetectionError, match="unsure"):
        with opened(PLAIN.encode() + b"gr\xfcn", minimum="certain") as file:
            file.read()
    with pytest.raises(utflane.DetectionError, match="no text"):
        with opened(PLAIN.encode() + bytes(range(256)) * 400) as file:
            file.read()

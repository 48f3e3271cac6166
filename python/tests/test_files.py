import csv
import io
import os
import pathlib
import threading
from typing import Any

import pandas  # type: ignore[import-untyped]
import polars
import pytest
from texts import ENCODINGS, SENTENCES, UNICODE

import utflane

LINES = [f"{i}: {text}\n" for i in range(40) for text in SENTENCES.values()]


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
    receive, send = os.pipe()

    def write() -> None:
        with os.fdopen(send, "wb") as pipe:
            pipe.write(data)

    thread = threading.Thread(target=write)
    thread.start()
    with utflane.open(receive) as file:
        assert file.readlines() == LINES
    thread.join()


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

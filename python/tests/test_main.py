"""Tests of `python -m utflane`."""

import os
import pathlib
import stat
import subprocess
import sys

import pytest

RUSSIAN = "Съешь ещё этих мягких французских булок, да выпей чаю.\n" * 3


def run(*arguments: str, data: bytes = b"", directory: pathlib.Path | None = None) -> tuple[int, bytes, str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "utflane", *arguments]
    process = subprocess.run(command, input=data, capture_output=True, env=environment, cwd=directory, check=False)
    return process.returncode, process.stdout, process.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "data", "expected"),
    [
        (["check"], "grün\n".encode(), (0, b"", "")),
        (["check"], b"a\nb\xc3\xa4\xff", (1, b"-:2:3: byte 5: invalid lead byte (FF)\n", "")),
        (["check", "-e", "cp875"], b"\x81\xdc", (1, b"-:1:2: byte 1: ill-formed sequence (DC)\n", "")),
        (["convert", "-f", "cp037", "-t", "utf-8"], b"\xc8\x85", (0, b"He", "")),
        (["convert", "-t", "utf-8"], RUSSIAN.encode("koi8-r"), (0, RUSSIAN.encode(), "")),
        (["convert", "-f", "utf-8", "-t", "latin1", "--errors", "replace"], "5 €".encode(), (0, b"5 ?", "")),
        (["repair"], "fÃ¶rste\n".encode(), (0, "förste\n".encode(), "")),
        (["repair", "--mode", "nonsense"], b"a", (2, b"", None)),
        (["convert", "-f", "nonsense"], b"a", (2, b"", None)),
        (["convert", "-f", "utf-8"], b"a\xff", (1, b"", None)),
        (["convert"], b"\xff\xfe\xfd\x00\x01\x02\x03", (1, b"", None)),
        (["check", "missing.txt"], b"", (2, b"", "utflane: missing.txt: No such file or directory\n")),
        (["nonsense"], b"", (2, b"", None)),
        (["convert", "-i"], b"", (2, b"", None)),
    ],
)
def test_commands(arguments: list[str], data: bytes, expected: tuple[int, bytes, str | None]) -> None:
    status, out, err = run(*arguments, data=data)
    assert (status, out) == expected[:2], err
    assert err == expected[2] if expected[2] is not None else err


def test_detect() -> None:
    status, out, _ = run("detect", data=RUSSIAN.encode("cp1251"))
    assert (status, out.startswith(b"-: windows-1251 (likely): ")) == (0, True), out


def test_files_are_replaced(tmp_path: pathlib.Path) -> None:
    old, same = tmp_path / "old.txt", tmp_path / "same.txt"
    old.write_bytes(RUSSIAN.encode("cp1251"))
    old.chmod(0o640)
    same.write_text("plain")
    before = same.stat()
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\x00\xfe\x01\x80\x02")
    status, out, _ = run("convert", "-i", "old.txt", "bad.txt", "same.txt", directory=tmp_path)
    assert (status, out) == (1, b"")
    assert old.read_text(encoding="utf-8") == RUSSIAN
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert same.stat().st_ino == before.st_ino and same.stat().st_mtime_ns == before.st_mtime_ns
    assert bad.read_bytes() == b"\xff\x00\xfe\x01\x80\x02"
    assert run("convert", "-t", "utf-16", "-o", "new.txt", "old.txt", directory=tmp_path)[0] == 0
    assert (tmp_path / "new.txt").read_bytes().decode("utf-16") == RUSSIAN
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.txt", "new.txt", "old.txt", "same.txt"]

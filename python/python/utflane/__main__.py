"""The command `python -m utflane`: checks, converts, detects and repairs files.

It has the most used options of the command `utflane`, which is a program of its own, faster and with more options.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from . import DecodeError, EncodeError, UnknownEncodingError, __version__, decode, detect, encode, fix_mojibake, validate

if TYPE_CHECKING:
    from collections.abc import Callable

    from . import Invalid

SUCCESS, INVALID, TROUBLE = 0, 1, 2
EPILOG = "exit status: 0 valid or converted, 1 invalid text, 2 wrong usage or trouble with a file"


def _note(name: str, words: object) -> None:
    print(f"utflane: {name}: {words}", file=sys.stderr)


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _replace(name: str, data: bytes) -> None:
    """Replaces a file by a complete new one. Its rights are kept. Links are followed."""
    path = Path(name).resolve()
    descriptor, temporary = tempfile.mkstemp(prefix=".utflane-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        else:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _write(arguments: argparse.Namespace, name: str, before: bytes, after: bytes) -> None:
    """Writes a result where the options say. A file that would stay the same is not touched."""
    output = name if arguments.in_place else arguments.output
    if output in (None, "-"):
        sys.stdout.buffer.write(after)
    elif not (arguments.in_place and before == after):
        _replace(output, after)


def _place(data: bytes, found: Invalid) -> str:
    """Returns the line and the column of an error, counted from 1."""
    before = decode(data[: found.position], found.encoding).text
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def _check(arguments: argparse.Namespace, name: str) -> int:
    data = _read(name)
    found = validate(data, arguments.encoding)
    if found is None:
        return SUCCESS
    offending = data[found.position : found.position + found.length].hex(" ").upper()
    print(f"{name}:{_place(data, found)}: byte {found.position}: {found.kind} ({offending})")
    return INVALID


def _detect(arguments: argparse.Namespace, name: str) -> int:
    found = detect(_read(name))
    others = [other for other in found.candidates if other != found.encoding]
    tail = f"; or {', '.join(others)}" if others else ""
    print(f"{name}: {found.encoding or 'not text'} ({found.confidence}): {found.reason}{tail}")
    return SUCCESS


def _convert(arguments: argparse.Namespace, name: str) -> int:
    before = _read(name)
    if arguments.from_encoding == "auto":
        found = detect(before)
        if found.encoding is None or found.confidence == "guess":
            candidates = f": {' or '.join(found.candidates)}" if found.candidates else ""
            _note(name, f"no encoding is likely{candidates} ({found.reason}); name it with -f")
            return INVALID
    decoded = decode(before, arguments.from_encoding, arguments.errors)
    _write(arguments, name, before, encode(decoded.text, arguments.to_encoding, arguments.errors))
    if decoded.repairs:
        _note(name, f"{len(decoded.repairs)} repairs")
    return SUCCESS


def _repair(arguments: argparse.Namespace, name: str) -> int:
    before = _read(name)
    text = decode(before, "utf-8").text
    _write(arguments, name, before, encode(fix_mojibake(text, arguments.mode)))
    return SUCCESS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m utflane", description=(__doc__ or "").split("\n")[0], epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"utflane {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, work: Callable[[argparse.Namespace, str], int], words: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=words, description=words, epilog=EPILOG)
        command.add_argument("files", nargs="*", metavar="FILE", default=["-"], help="files; -, or none, is standard input")
        command.set_defaults(work=work)
        return command

    def add_output(command: argparse.ArgumentParser) -> None:
        output = command.add_mutually_exclusive_group()
        output.add_argument("-o", "--output", metavar="OUT", help="write OUT, which is replaced when all is written")
        output.add_argument("-i", "--in-place", action="store_true", help="replace each FILE by the result")

    check = add("check", _check, "report the first error of each file")
    check.add_argument("-e", "--encoding", default="utf-8", help="encoding of the files; auto detects it")
    add("detect", _detect, "detect the encoding of each file")
    convert = add("convert", _convert, "convert files from one encoding to another")
    convert.add_argument("-f", "--from-encoding", default="auto", metavar="ENC", help="the default, auto, detects it")
    convert.add_argument("-t", "--to-encoding", default="utf-8", metavar="ENC", help="the default is utf-8")
    convert.add_argument("--errors", default="strict", help="an error handler of Python, such as replace or ignore")
    add_output(convert)
    repair = add("repair", _repair, "undo double encoding in UTF-8 files")
    repair.add_argument("--mode", default="all", help="all, runs-all, once, runs, latin1 or windows-1252")
    add_output(repair)
    return parser


def _work(arguments: argparse.Namespace, name: str) -> int:
    try:
        status: int = arguments.work(arguments, name)
    except (DecodeError, EncodeError) as error:
        _note(name, error)
        return INVALID
    except UnknownEncodingError as error:
        _note(name, error)
        return INVALID if str(error).startswith(("mixed", "not text")) else TROUBLE
    except BrokenPipeError:
        raise
    except (OSError, LookupError, ValueError) as error:
        _note(name, getattr(error, "strerror", None) or error)
        return TROUBLE
    return status


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns the exit status: the worst of all files."""
    parser = _parser()
    parsed = parser.parse_args(arguments)
    if getattr(parsed, "in_place", False) and "-" in parsed.files:
        parser.error("-i needs files")
    if getattr(parsed, "output", None) and len(parsed.files) > 1:
        parser.error("-o takes one file; use -i for several")
    try:
        status = max(_work(parsed, name) for name in parsed.files)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return TROUBLE
    return status


if __name__ == "__main__":
    sys.exit(main())

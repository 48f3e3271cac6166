"""Checks that results contain no uninitialised memory, and do not depend on overridden methods.

All calls are made in two processes. The processes fill allocated and freed memory with different
bytes (`MALLOC_PERTURB_` of glibc), and write different texts to the buffers on the stack before each
call. All results must be the same.

    python python/tests/test_memory.py FILL
"""

import hashlib
import io
import os
import pathlib
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pyarrow  # type: ignore[import-untyped]
import pytest
from texts import ENCODINGS, SENTENCES, double_encoded

import utflane
from utflane.compat import charset_normalizer, chardet, ftfy

MODES: list[Any] = ["all", "once", "runs", "runs-all", "latin1", "windows-1252"]
ENCODING_NAMES = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "latin1", "ascii", "mutf-8", "cesu-8"]
ENCODING_NAMES += ["wtf-8", "wtf-16le", "windows-1252", "shift_jis", "gb18030", "iso-2022-jp", "utf-16", "utf-8-sig"]
DECODING_HANDLERS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "latin1"]
ENCODING_HANDLERS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "xmlcharrefreplace"]


class OverriddenStr(str):
    """A string whose methods return the results of another string."""

    size: int

    def __new__(cls, text: str, size: int) -> "OverriddenStr":
        instance = super().__new__(cls, text)
        instance.size = size
        return instance

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, _: Any) -> str:
        return "another"

    def __iter__(self) -> Iterator[str]:
        return iter("another")

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return b"another"

    def __eq__(self, _: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 5


class OverriddenBytes(bytes):
    """A `bytes` object whose methods return the results of another object."""

    def __len__(self) -> int:
        return 1000

    def __getitem__(self, _: Any) -> Any:
        return b"another"

    def __bytes__(self) -> bytes:
        return b"another"


class OverriddenList(list[Any]):
    """A list whose methods return a wrong length and wrong items."""

    size = 1 << 40

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, _: Any) -> Any:
        return "another"

    def __iter__(self) -> Iterator[Any]:
        return iter(["another"])


TEXT_LENGTHS = [0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 500, 4095, 4096, 4097, 9000]


def random_texts(rng: random.Random) -> Iterator[str]:
    """Yields texts of all kinds and lengths, some of which are double-encoded."""
    pieces = ["a", "plain ", "é", "€", "😀", "Ã©", "â‚¬", "ðŸ˜€", "Ã©\u00a0", "\0", "\ud800", "\udcff", *SENTENCES.values()]
    pieces += [double_encoded(SENTENCES["fr"]), double_encoded(SENTENCES["ja"], "cp1252")]
    for size in TEXT_LENGTHS:
        for _ in range(3):
            text = ""
            weights = [rng.random() ** 4 for _ in pieces]
            while len(text) < size:
                text += rng.choices(pieces, weights)[0]
            yield text[:size]
        yield ("Ã©" * size)[:size]


def random_data(rng: random.Random) -> Iterator[bytes]:
    """Yields bytes of all kinds and lengths, with ill-formed sequences at any offset."""
    for text in random_texts(rng):
        encoding = rng.choice(["utf-8", "utf-16-le", "utf-32-be", "latin-1", "shift_jis", "gb18030"])
        data = bytearray(text.encode(encoding, "ignore"))
        for _ in range(rng.choice([0, 0, 1, 1, 2, 20])):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        yield bytes(data)


def to_printable(result: Any) -> Any:
    """Returns the complete contents of a result in a form that can be printed."""
    if isinstance(result, utflane.Decoded):
        return result.text, result.encoding, [repr(repair) for repair in result.repairs]
    if isinstance(result, (utflane.ArrowArray, utflane.ArrowChunkedArray)):
        arrays = pyarrow.chunked_array(result) if isinstance(result, utflane.ArrowChunkedArray) else pyarrow.array(result)
        chunks = arrays.chunks if isinstance(result, utflane.ArrowChunkedArray) else [arrays]
        return [[bytes(buffer) if buffer else None for buffer in chunk.buffers()] for chunk in chunks]
    if isinstance(result, (pyarrow.Array, pyarrow.ChunkedArray)):
        return result.to_pylist()
    if isinstance(result, utflane.Explanation):
        return result.text, result.rounds, [repr(change) for change in result.changes]
    if isinstance(result, list):
        return [to_printable(item) for item in result]
    if isinstance(result, str):
        return str.__repr__(result)
    return result if isinstance(result, bytes) else repr(result)


def result_or_exception(call: Callable[[], Any]) -> Any:
    """Returns the result of a call, or the exception that the call raises."""
    try:
        return to_printable(call())
    except Exception as error:
        return type(error).__name__, [repr(argument) for argument in error.args]


def calls_with_text(text: str, rng: random.Random) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields calls with a text as the argument, each with a name."""
    for mode in MODES:
        yield f"fix_mojibake {mode}", partial(utflane.fix_mojibake, text, mode)
    yield "explain", lambda: utflane.explain(text, "runs-all")
    yield "fix_encoding", lambda: ftfy.fix_encoding(text)
    yield "a list", lambda: utflane.fix_mojibake([text, None, text])
    yield "Index", lambda: utflane.Index(text).convert([0, 0], "bytes", "code_points")
    for encoding in rng.sample(ENCODING_NAMES, 4):
        errors = rng.choice(ENCODING_HANDLERS)
        yield f"encode {encoding} {errors}", partial(utflane.encode, text, encoding, errors)
        yield f"codec {encoding} {errors}", partial(str.encode, text, "utflane-" + encoding, errors)
        yield f"codec {encoding} namereplace", partial(str.encode, text, "utflane-" + encoding, "namereplace")
    if type(text) is str:
        yield "a column", lambda: utflane.fix_mojibake(pyarrow.array([text, None, text]), "runs")
        yield "encode a column", lambda: utflane.encode(pyarrow.chunked_array([[text, None, text]]), "utf-16le")


def calls_with_data(data: bytes, rng: random.Random) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields calls with bytes as the argument, each with a name."""
    yield "detect", lambda: utflane.detect(data)
    yield "chardet", lambda: chardet.detect(data)
    yield "from_bytes", lambda: str(charset_normalizer.from_bytes(data).best())
    for encoding in [*rng.sample(ENCODING_NAMES, 4), "utf-8", "auto"]:
        errors = rng.choice(DECODING_HANDLERS)
        yield f"decode {encoding} {errors}", partial(utflane.decode, data, encoding, errors)
        yield f"decode a bytearray {encoding}", partial(utflane.decode, bytearray(data), encoding, errors)
        if encoding == "auto":
            continue
        chunk_len = rng.randrange(len(data) + 1) if type(data) is bytes else 1
        yield f"validate {encoding}", partial(utflane.validate, data, encoding)

        def decode_chunks(
            encoding: str = encoding, errors: str = errors, chunk_len: int = chunk_len
        ) -> list[str]:
            decoder = utflane.Decoder(encoding, errors)
            chunks = [memoryview(data)[:chunk_len], memoryview(data)[chunk_len:]]
            return [decoder.decode(chunks[0]), decoder.decode(chunks[1], True)]

        yield f"Decoder {encoding} {errors}", decode_chunks
        if errors != "latin1":
            yield f"codec {encoding} {errors}", partial(bytes.decode, data, "utflane-" + encoding, errors)
    yield "open", lambda: utflane.open(io.BytesIO(data), "utf-8", "replace").read()
    if type(data) is bytes:
        yield "decode a column", lambda: utflane.decode(pyarrow.array([data, None, b"x"]), "utf-8", "replace")
        yield "decode latin1", lambda: utflane.decode(pyarrow.chunked_array([[data, None], [data]]), "latin1")
        yield "validate a column", lambda: utflane.validate(pyarrow.array([data, None, b"\xff"]))
        yield "detect a column", lambda: utflane.detect(pyarrow.array([data, None]))


def all_calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields all calls with their names. They are the same in each process."""
    rng = random.Random(12)
    for text in random_texts(rng):
        wrong_lengths = [0, 1, len(text) + 1, len(text) + 7, 100, 4095, 5000]
        for given in [text, OverriddenStr(text, rng.choice(wrong_lengths)), OverriddenStr(text[:3], rng.choice(wrong_lengths))]:
            for name, call in calls_with_text(given, rng):
                yield f"{name} of {type(given).__name__} {str.__len__(given)}", call
    for data in random_data(rng):
        for given_data in [data, OverriddenBytes(data)]:
            for name, call in calls_with_data(given_data, rng):
                yield f"{name} of {type(given_data).__name__} {bytes.__len__(given_data)}", call


def fill_buffers(fill: int) -> None:
    """Fills the buffers on the stack with text that depends on `fill`."""
    text = "Ã©" * 2040 if fill & 1 else "â‚¬" * 1360
    utflane.fix_mojibake(text)
    utflane.decode(bytes([0x80 | fill]) * 40, "utf-8", "replace")


def main(fill: int) -> None:
    """Makes each call, and prints a line with the hash of its result."""
    for index, (name, call) in enumerate(all_calls()):
        fill_buffers(fill)
        digest = hashlib.sha256(repr(result_or_exception(call)).encode("utf-8", "surrogatepass")).hexdigest()
        print(index, name, digest[:16])


def test_results_do_not_depend_on_previous_memory() -> None:
    outputs = []
    for fill in [0xAA, 0x55]:
        environment = {**os.environ, "MALLOC_PERTURB_": str(fill), "PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0"}
        process = subprocess.run(
            [sys.executable, __file__, str(fill)], env=environment, capture_output=True, text=True, check=True
        )
        outputs.append(process.stdout.splitlines())
    first, second = outputs
    assert len(first) == len(second) > 2000
    assert [pair for pair in zip(first, second) if pair[0] != pair[1]] == []


@pytest.mark.parametrize("size", [0, 1, 100, 4095, 4096, 1 << 40])
def test_overridden_methods_of_a_str_are_ignored(size: int) -> None:
    assert utflane.fix_mojibake(OverriddenStr("Ã© andra", size)) == "é andra"
    for text in ["Ã©", "é ", "plain", "fÃ¶rste " * 1000, "â‚¬" * 2000, "Ã©\ud800 x", "a" * 5000, ""]:
        overridden = OverriddenStr(text, size)
        for mode in MODES:
            assert str.__eq__(utflane.fix_mojibake(overridden, mode), utflane.fix_mojibake(text, mode))
            assert utflane.explain(overridden, mode).rounds == utflane.explain(text, mode).rounds
        for errors in ["surrogateescape", "namereplace", "surrogatepass", "replace"]:
            if "\ud800" in text and errors == "surrogateescape":
                continue
            assert utflane.encode(overridden, "utf-8", "replace") == text.encode("utf-8", "replace")
            assert str.encode(overridden, "utflane-utf-8", errors) == text.encode("utf-8", errors)
        if "\ud800" not in text:
            assert utflane.Index(overridden).code_points == len(text)


def test_overridden_methods_of_bytes_are_ignored() -> None:
    data = OverriddenBytes(b"gr\xc3\xbc\xff")
    assert utflane.decode(data, "utf-8", "replace").text == "grü\ufffd"
    assert bytes.decode(data, "utflane-utf-8", "replace") == "grü\ufffd"
    assert utflane.Index(OverriddenBytes(b"abc")).bytes == 3
    with pytest.raises(utflane.DecodeError) as caught:
        utflane.decode(data, "utf-8")
    assert (caught.value.start, caught.value.end) == (4, 5)


def test_overridden_methods_of_a_list_are_ignored() -> None:
    texts = OverriddenList(["fÃ¶rste", None])
    assert utflane.fix_mojibake(texts) == ["förste", None]
    assert utflane.encode(texts) == ["fÃ¶rste".encode(), None]
    assert utflane.validate(OverriddenList([b"a", b"\xff"])) == [None, utflane.validate(b"\xff")]


class ListWithWrongLength(list[int]):
    """A list of numbers whose `__len__` returns a number that is too large."""

    def __len__(self) -> int:
        return 1 << 40


def test_a_wrong_length_of_a_list_of_offsets_is_ignored() -> None:
    assert utflane.Index("aé").convert(ListWithWrongLength([1, 3]), "bytes", "code_points") == [1, 2]
    with pytest.raises(IndexError) as caught:
        utflane.Index("aé").convert(ListWithWrongLength([1, 4]), "bytes", "code_points")
    assert caught.value.index == 1  # type: ignore[attr-defined]


if __name__ == "__main__":
    main(int(sys.argv[1]))

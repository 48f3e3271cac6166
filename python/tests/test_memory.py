"""No result has memory that nothing wrote, and no object's own answer is believed.

All calls are made in two processes, in which memory that is allocated or freed is filled with
different bytes (`MALLOC_PERTURB_` of glibc), and before each call different texts pass through the
buffers on the stack. All results must be the same.

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
from texts import ENCODINGS, SENTENCES, damaged

import utflane
from utflane.compat import charset_normalizer, chardet, ftfy

MODES: list[Any] = ["all", "once", "runs", "runs-all", "latin1", "windows-1252"]
ENCODING_NAMES = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "latin1", "ascii", "mutf-8", "cesu-8"]
ENCODING_NAMES += ["wtf-8", "wtf-16le", "windows-1252", "shift_jis", "gb18030", "iso-2022-jp", "utf-16", "utf-8-sig"]
DECODING = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "latin1"]
ENCODING = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "xmlcharrefreplace"]


class Liar(str):
    """A text whose methods answer for another one."""

    size: int

    def __new__(cls, text: str, size: int) -> "Liar":
        liar = super().__new__(cls, text)
        liar.size = size
        return liar

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


class LyingBytes(bytes):
    """Bytes whose methods answer for others."""

    def __len__(self) -> int:
        return 1000

    def __getitem__(self, _: Any) -> Any:
        return b"another"

    def __bytes__(self) -> bytes:
        return b"another"


class LyingList(list[Any]):
    """A list whose length is another one."""

    size = 1 << 40

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, _: Any) -> Any:
        return "another"

    def __iter__(self) -> Iterator[Any]:
        return iter(["another"])


SIZES = [0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 500, 4095, 4096, 4097, 9000]


def texts(rng: random.Random) -> Iterator[str]:
    """Texts of all kinds and lengths, damaged ones among them."""
    pieces = ["a", "plain ", "é", "€", "😀", "Ã©", "â‚¬", "ðŸ˜€", "Ã©\u00a0", "\0", "\ud800", "\udcff", *SENTENCES.values()]
    pieces += [damaged(SENTENCES["fr"]), damaged(SENTENCES["ja"], "cp1252")]
    for size in SIZES:
        for _ in range(3):
            text = ""
            weights = [rng.random() ** 4 for _ in pieces]
            while len(text) < size:
                text += rng.choices(pieces, weights)[0]
            yield text[:size]
        yield ("Ã©" * size)[:size]


def datas(rng: random.Random) -> Iterator[bytes]:
    """Bytes of all kinds and lengths, with ill-formed sequences at any offset."""
    for text in texts(rng):
        encoding = rng.choice(["utf-8", "utf-16-le", "utf-32-be", "latin-1", "shift_jis", "gb18030"])
        data = bytearray(text.encode(encoding, "ignore"))
        for _ in range(rng.choice([0, 0, 1, 1, 2, 20])):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        yield bytes(data)


def shown(result: Any) -> Any:
    """All that a result has, in a form that is printed."""
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
        return [shown(each) for each in result]
    if isinstance(result, str):
        return str.__repr__(result)
    return result if isinstance(result, bytes) else repr(result)


def answer(call: Callable[[], Any]) -> Any:
    """The result of a call, or the exception that it raises."""
    try:
        return shown(call())
    except Exception as error:
        return type(error).__name__, [repr(each) for each in error.args]


def of_text(text: str, rng: random.Random) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls that take a text."""
    for mode in MODES:
        yield f"fix_mojibake {mode}", partial(utflane.fix_mojibake, text, mode)
    yield "explain", lambda: utflane.explain(text, "runs-all")
    yield "fix_encoding", lambda: ftfy.fix_encoding(text)
    yield "a list", lambda: utflane.fix_mojibake([text, None, text])
    yield "Index", lambda: utflane.Index(text).convert([0, 0], "bytes", "code_points")
    for encoding in rng.sample(ENCODING_NAMES, 4):
        errors = rng.choice(ENCODING)
        yield f"encode {encoding} {errors}", partial(utflane.encode, text, encoding, errors)
        yield f"codec {encoding} {errors}", partial(str.encode, text, "utflane-" + encoding, errors)
        yield f"codec {encoding} namereplace", partial(str.encode, text, "utflane-" + encoding, "namereplace")
    if type(text) is str:
        yield "a column", lambda: utflane.fix_mojibake(pyarrow.array([text, None, text]), "runs")
        yield "encode a column", lambda: utflane.encode(pyarrow.chunked_array([[text, None, text]]), "utf-16le")


def of_data(data: bytes, rng: random.Random) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls that take bytes."""
    yield "detect", lambda: utflane.detect(data)
    yield "chardet", lambda: chardet.detect(data)
    yield "from_bytes", lambda: str(charset_normalizer.from_bytes(data).best())
    for encoding in [*rng.sample(ENCODING_NAMES, 4), "utf-8", "auto"]:
        errors = rng.choice(DECODING)
        yield f"decode {encoding} {errors}", partial(utflane.decode, data, encoding, errors)
        yield f"decode a bytearray {encoding}", partial(utflane.decode, bytearray(data), encoding, errors)
        if encoding == "auto":
            continue
        cut = rng.randrange(len(data) + 1) if type(data) is bytes else 1
        yield f"validate {encoding}", partial(utflane.validate, data, encoding)

        def chunks(encoding: str = encoding, errors: str = errors, cut: int = cut) -> list[str]:
            decoder = utflane.Decoder(encoding, errors)
            return [decoder.decode(memoryview(data)[:cut]), decoder.decode(memoryview(data)[cut:], True)]

        yield f"Decoder {encoding} {errors}", chunks
        if errors != "latin1":
            yield f"codec {encoding} {errors}", partial(bytes.decode, data, "utflane-" + encoding, errors)
    yield "open", lambda: utflane.open(io.BytesIO(data), "utf-8", "replace").read()
    if type(data) is bytes:
        yield "decode a column", lambda: utflane.decode(pyarrow.array([data, None, b"x"]), "utf-8", "replace")
        yield "decode latin1", lambda: utflane.decode(pyarrow.chunked_array([[data, None], [data]]), "latin1")
        yield "validate a column", lambda: utflane.validate(pyarrow.array([data, None, b"\xff"]))
        yield "detect a column", lambda: utflane.detect(pyarrow.array([data, None]))


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """All calls, the same ones in each process."""
    rng = random.Random(12)
    for text in texts(rng):
        sizes = [0, 1, len(text) + 1, len(text) + 7, 100, 4095, 5000]
        for given in [text, Liar(text, rng.choice(sizes)), Liar(text[:3], rng.choice(sizes))]:
            for name, call in of_text(given, rng):
                yield f"{name} of {type(given).__name__} {str.__len__(given)}", call
    for data in datas(rng):
        for given_data in [data, LyingBytes(data)]:
            for name, call in of_data(given_data, rng):
                yield f"{name} of {type(given_data).__name__} {bytes.__len__(given_data)}", call


def dirty(fill: int) -> None:
    """Sends texts through the buffers of earlier calls."""
    text = "Ã©" * 2040 if fill & 1 else "â‚¬" * 1360
    utflane.fix_mojibake(text)
    utflane.decode(bytes([0x80 | fill]) * 40, "utf-8", "replace")


def main(fill: int) -> None:
    """Prints a line for each call."""
    for index, (name, call) in enumerate(calls()):
        dirty(fill)
        digest = hashlib.sha256(repr(answer(call)).encode("utf-8", "surrogatepass")).hexdigest()
        print(index, name, digest[:16])


def test_results_do_not_depend_on_what_was_in_memory() -> None:
    outputs = []
    for fill in [0xAA, 0x55]:
        environment = {**os.environ, "MALLOC_PERTURB_": str(fill), "PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0"}
        process = subprocess.run(
            [sys.executable, __file__, str(fill)], env=environment, capture_output=True, text=True, check=True
        )
        outputs.append(process.stdout.splitlines())
    one, other = outputs
    assert len(one) == len(other) > 2000
    assert [line for line, twin in zip(one, other) if line != twin] == []


@pytest.mark.parametrize("size", [0, 1, 100, 4095, 4096, 1 << 40])
def test_a_text_has_the_length_that_it_has(size: int) -> None:
    assert utflane.fix_mojibake(Liar("Ã© andra", size)) == "é andra"
    for text in ["Ã©", "é ", "plain", "fÃ¶rste " * 1000, "â‚¬" * 2000, "Ã©\ud800 x", "a" * 5000, ""]:
        liar = Liar(text, size)
        for mode in MODES:
            assert str.__eq__(utflane.fix_mojibake(liar, mode), utflane.fix_mojibake(text, mode))
            assert utflane.explain(liar, mode).rounds == utflane.explain(text, mode).rounds
        for errors in ["surrogateescape", "namereplace", "surrogatepass", "replace"]:
            if "\ud800" in text and errors == "surrogateescape":
                continue
            assert utflane.encode(liar, "utf-8", "replace") == text.encode("utf-8", "replace")
            assert str.encode(liar, "utflane-utf-8", errors) == text.encode("utf-8", errors)
        if "\ud800" not in text:
            assert utflane.Index(liar).code_points == len(text)


def test_data_has_the_bytes_that_it_has() -> None:
    data = LyingBytes(b"gr\xc3\xbc\xff")
    assert utflane.decode(data, "utf-8", "replace").text == "grü\ufffd"
    assert bytes.decode(data, "utflane-utf-8", "replace") == "grü\ufffd"
    assert utflane.Index(LyingBytes(b"abc")).bytes == 3
    with pytest.raises(utflane.DecodeError) as caught:
        utflane.decode(data, "utf-8")
    assert (caught.value.start, caught.value.end) == (4, 5)


def test_a_list_has_the_items_that_it_has() -> None:
    texts = LyingList(["fÃ¶rste", None])
    assert utflane.fix_mojibake(texts) == ["förste", None]
    assert utflane.encode(texts) == ["fÃ¶rste".encode(), None]
    assert utflane.validate(LyingList([b"a", b"\xff"])) == [None, utflane.validate(b"\xff")]


class Offsets(list[int]):
    """A list of numbers that says that it is long."""

    def __len__(self) -> int:
        return 1 << 40


def test_offsets_are_those_that_are_there() -> None:
    assert utflane.Index("aé").convert(Offsets([1, 3]), "bytes", "code_points") == [1, 2]
    with pytest.raises(IndexError) as caught:
        utflane.Index("aé").convert(Offsets([1, 4]), "bytes", "code_points")
    assert caught.value.index == 1  # type: ignore[attr-defined]



if __name__ == "__main__":
    main(int(sys.argv[1]))

"""Columns of pyarrow, polars and pandas, by the PyCapsule interface."""

import gc
import random
from typing import Any, Literal

import pandas  # type: ignore[import-untyped]
import polars
import pyarrow  # type: ignore[import-untyped]
import pytest
from texts import ENCODINGS, SENTENCES, UNICODE, damaged

import utflane

TYPES = [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()]
BINARY = [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()]


def fix(column: Any, mode: Any = "all") -> Any:
    return pyarrow.array(utflane.fix_mojibake(column, mode))


@pytest.mark.parametrize("kind", TYPES)
def test_a_column_is_that_of_a_list(kind: Any) -> None:
    rng = random.Random(6)
    choices = [None, "", "plain", *SENTENCES.values(), *map(damaged, SENTENCES.values()), "först, fÃ¶rst"]
    for size in [0, 1, 2, 7, 8, 9, 100]:
        for _ in range(30):
            texts = [rng.choice(choices) for _ in range(size)]
            column = pyarrow.array(texts, kind)
            start = rng.randrange(size + 1)
            for part, expected in [(column, texts), (column[start:], texts[start:]), (column[: size - start], texts[: size - start])]:
                modes: list[Literal["all", "runs-all"]] = ["all", "runs-all"]
                for mode in modes:
                    fixed = fix(part, mode)
                    fixed.validate(full=True)
                    assert fixed.type == kind or kind == TYPES[2] and fixed.type == TYPES[1]
                    assert fixed.to_pylist() == utflane.fix_mojibake(expected, mode)


@pytest.mark.parametrize("kind", TYPES)
def test_what_is_undamaged_is_the_same_object(kind: Any) -> None:
    column = pyarrow.array([*SENTENCES.values(), None], kind)
    assert utflane.fix_mojibake(column) is column


def test_the_memory_lives_as_long_as_it_is_used() -> None:
    texts = [damaged(text) * 100 for text in SENTENCES.values()]
    result = utflane.fix_mojibake(pyarrow.array(texts))
    arrays = [pyarrow.array(result) for _ in range(3)]
    assert len(result) == len(texts)
    capsules = result.__arrow_c_array__()
    del result, capsules
    gc.collect()
    for array in arrays:
        assert array.to_pylist() == [text * 100 for text in SENTENCES.values()]
    before = pyarrow.total_allocated_bytes()
    for _ in range(100):
        fix(pyarrow.array(texts))
    gc.collect()
    assert pyarrow.total_allocated_bytes() <= before


def test_other_columns_are_refused() -> None:
    numbers = [pyarrow.array([1, 2]), pyarrow.array([1]).dictionary_encode(), pyarrow.table({"a": ["b"]})]
    for column in [*numbers, pyarrow.array([b"a"]), pyarrow.chunked_array([[b"a"]])]:
        with pytest.raises(TypeError, match="of strings is required"):
            utflane.fix_mojibake(column)
        with pytest.raises(TypeError, match="of strings is required"):
            utflane.encode(column)
    for column in numbers:
        functions: list[Any] = [utflane.detect, utflane.decode, utflane.validate]
        for function in functions:
            with pytest.raises(TypeError, match="values or strings is required"):
                function(column)


KEYS = [getattr(pyarrow, name)() for name in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]]


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("kind", [*TYPES, *BINARY])
def test_columns_of_categories_are_those_of_their_values(keys: Any, kind: Any) -> None:
    texts = ["FranÃ§ois", "Zoë", None, "", "x" * 40, "fÃ¶rst"]
    values: list[Any] = [text and text.encode() for text in texts] if kind in BINARY else [*texts]
    dictionary = pyarrow.array(values, kind)
    chosen = [5, 0, None, 1, 2, 3, 4, 0, 5, 0]
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(chosen, keys), dictionary)
    rows = [None if key is None else values[key] for key in chosen]
    for start in [0, 1, 3, 9, 10]:
        if kind in BINARY:
            assert list(utflane.decode(column[start:], "utf-8")) == [row and row.decode() for row in rows[start:]]
            assert list(utflane.validate(column[start:])) == [row if row is None else True for row in rows[start:]]
        else:
            assert list(utflane.fix_mojibake(column[start:])) == utflane.fix_mojibake(rows[start:])
            assert list(utflane.encode(column[start:], "utf-16")) == utflane.encode(rows[start:], "utf-16")
    if kind in TYPES:
        clean = pyarrow.chunked_array([pyarrow.array(["a", "b", "a"]).dictionary_encode()])
        assert utflane.fix_mojibake(clean) is clean


def test_keys_are_checked() -> None:
    for keys in [[0, 2], [0, -1], [127, 0]]:
        column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(keys, pyarrow.int8()), pyarrow.array(["a", "b"]), safe=False)
        with pytest.raises(ValueError, match="no dictionary"):
            utflane.fix_mojibake(column)
    empty = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0], pyarrow.int8()), pyarrow.array([], pyarrow.string()), safe=False)
    with pytest.raises(ValueError, match="no dictionary"):
        utflane.fix_mojibake(empty)


def test_categories_of_pandas_and_polars() -> None:
    texts = ["FranÃ§ois", "Zoë", None, "FranÃ§ois"]
    fixed = ["François", "Zoë", None, "François"]
    frame = pandas.DataFrame({"n": pandas.Series(texts, dtype="category")})
    frame["x"] = utflane.fix_mojibake(frame["n"])
    assert frame["x"].dropna().tolist() == ["François", "Zoë", "François"]
    given: Any = polars.Series(texts, dtype=polars.Categorical)
    assert polars.Series(utflane.fix_mojibake(given)).to_list() == fixed


@pytest.mark.parametrize("offsets", [[0, 5, 3], [2, 0, 6], [0, 2, 6], [0, 3, 5], [0, 3, 6]])
def test_offsets_are_checked(offsets: list[int]) -> None:
    starts = pyarrow.array(offsets, pyarrow.int32()).buffers()[1]
    text = pyarrow.py_buffer("aé€x".encode())
    column = pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, starts, text])
    if offsets == [0, 3, 6]:
        assert utflane.fix_mojibake(column) is column
    else:
        with pytest.raises(ValueError, match="enclose no text|not UTF-8"):
            utflane.fix_mojibake(column)


class Fake:
    """No capsules at all."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return 1, 2


def test_a_producer_without_capsules() -> None:
    with pytest.raises(TypeError):
        utflane.fix_mojibake(Fake())


class FailingStream:
    """A stream that fails after its first array."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        def batches() -> Any:
            yield pyarrow.record_batch([pyarrow.array(["a"])], ["name"])
            raise OSError("the disk is gone")

        schema = pyarrow.schema([("name", pyarrow.string())])
        return pyarrow.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__()


def test_a_stream_that_fails() -> None:
    with pytest.raises(ValueError, match="the disk is gone"):
        utflane.fix_mojibake(FailingStream())


def encoded_rows() -> list[bytes | None]:
    """Sentences in all encodings, and bytes that are in none."""
    rows: list[bytes | None] = [None, b"", b"plain", b"caf\xe9", b"a" * 40, bytes(range(256))]
    for language, text in SENTENCES.items():
        rows += [text.encode(encoding) for encoding in [*UNICODE, *ENCODINGS[language]]]
    return rows


def chunked(rows: list[Any], kind: Any, rng: random.Random) -> tuple[list[Any], Any]:
    """Some of the rows, as an array that is cut from a longer one, or as chunks of them."""
    chosen = [rng.choice(rows) for _ in range(rng.randrange(40))]
    start = rng.randrange(len(chosen) + 1)
    array = pyarrow.array(chosen, kind)
    if rng.random() < 0.5:
        return chosen[start:], array[start:]
    return chosen, pyarrow.chunked_array([array[:start], array[start:]], kind)


def taken(result: Any, column: Any) -> list[Any]:
    """The rows of a result, which is chunked if the column is."""
    is_chunked = isinstance(column, pyarrow.ChunkedArray)
    assert isinstance(result, utflane.ArrowChunkedArray if is_chunked else utflane.ArrowArray)
    assert len(result) == len(column)
    array = pyarrow.chunked_array(result) if is_chunked else pyarrow.array(result)
    array.validate(full=True)
    rows: list[Any] = array.to_pylist()
    return rows


@pytest.mark.parametrize("kind", BINARY)
def test_columns_of_bytes_are_those_of_lists(kind: Any) -> None:
    rng, rows = random.Random(7), encoded_rows()
    for _ in range(40):
        given, column = chunked(rows, kind, rng)
        assert taken(utflane.detect(column), column) == [found and found.encoding for found in utflane.detect(given)]
        for encoding in ["utf-8", "utf-16-le", "shift_jis"]:
            invalid = utflane.validate(given, encoding)
            valid = [None if row is None else error is None for row, error in zip(given, invalid)]
            assert taken(utflane.validate(column, encoding), column) == valid
            for errors in ["replace", "ignore", "latin1"]:
                texts = [text and text.text for text in utflane.decode(given, encoding, errors)]
                assert taken(utflane.decode(column, encoding, errors), column) == texts


@pytest.mark.parametrize("kind", TYPES)
def test_columns_of_strings_are_those_of_lists(kind: Any) -> None:
    rng = random.Random(8)
    texts = [None, "", "x", *SENTENCES.values(), *map(damaged, SENTENCES.values())]
    for _ in range(40):
        given, column = chunked(texts, kind, rng)
        for encoding in ["utf-8", "utf-8-sig", "utf-16", "latin1", "gb18030"]:
            expected = utflane.encode(given, encoding, "xmlcharrefreplace")
            assert taken(utflane.encode(column, encoding, "xmlcharrefreplace"), column) == expected
        fixed = utflane.fix_mojibake(column)
        if fixed is not column:
            assert taken(fixed, column) == utflane.fix_mojibake(given)
        else:
            assert utflane.fix_mojibake(given) == given


@pytest.mark.parametrize("kind", BINARY)
@pytest.mark.parametrize("is_chunked", [False, True])
def test_what_stays_the_same_is_not_copied(kind: Any, is_chunked: bool) -> None:
    rows = [text.encode() * 10 for text in SENTENCES.values()] + [None]
    array = pyarrow.array(rows, kind)[1:]
    column = pyarrow.chunked_array([array]) if is_chunked else array

    def only(result: Any) -> Any:
        return pyarrow.chunked_array(result).chunk(0) if is_chunked else pyarrow.array(result)

    def addresses(array: Any) -> list[Any]:
        return [buffer and buffer.address for buffer in array.buffers()]

    decoded = only(utflane.decode(column, "utf-8"))
    assert addresses(decoded) == addresses(array)
    again = only(utflane.encode(decoded if not is_chunked else pyarrow.chunked_array([decoded])))
    assert addresses(again) == addresses(array)
    assert again.type == kind
    del array, column
    gc.collect()
    assert decoded.to_pylist() == [row and row.decode() for row in rows[1:]]
    assert again.to_pylist() == rows[1:]


def test_an_error_has_the_row() -> None:
    column = pyarrow.chunked_array([[b"good", None], [b"good", b"b\xffad"]])
    with pytest.raises(UnicodeDecodeError) as caught:
        utflane.decode(column, "utf-8")
    assert (caught.value.object, caught.value.start, caught.value.index) == (b"b\xffad", 1, 3)  # type: ignore[attr-defined]
    with pytest.raises(LookupError, match="no text") as unknown:
        utflane.decode(pyarrow.array([b"good", bytes(range(8)) * 100]))
    assert unknown.value.index == 1  # type: ignore[attr-defined]
    with pytest.raises(UnicodeEncodeError) as refused:
        utflane.encode(pyarrow.array([None, "größer €"]), "latin1")
    assert (refused.value.start, refused.value.index) == (7, 1)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="surrogates") as escaped:
        utflane.decode(pyarrow.array([b"a\xff"]), "utf-8", "surrogateescape")
    assert escaped.value.index == 0  # type: ignore[attr-defined]


def test_series_of_polars_and_pandas() -> None:
    texts = [*SENTENCES.values(), None, "x", *map(damaged, SENTENCES.values())]
    fixed = utflane.fix_mojibake(texts)
    series = polars.Series(texts)
    assert polars.Series(utflane.fix_mojibake(series)).to_list() == fixed
    assert utflane.fix_mojibake(polars.Series(fixed[:3])).to_list() == fixed[:3]  # type: ignore[attr-defined]
    encoded = polars.Series(utflane.encode(series, "utf-16-be"))
    assert encoded.to_list() == utflane.encode(texts, "utf-16-be")
    assert polars.Series(utflane.decode(encoded, "utf-16-be")).to_list() == texts
    assert polars.Series(utflane.validate(encoded, "utf-16-be")).to_list() == [text and True for text in texts]
    names = polars.Series(utflane.detect(polars.Series([b"caf\xe9", None, "größer".encode()])))
    assert names.to_list() == ["latin1", None, "utf-8"]
    both = polars.concat([series, series], rechunk=False)
    assert polars.Series(utflane.fix_mojibake(both)).to_list() == fixed * 2
    frame = pandas.Series(texts, dtype="str")
    assert pyarrow.chunked_array(utflane.fix_mojibake(frame)).to_pylist() == fixed


def test_streams_live_as_long_as_they_are_used() -> None:
    texts = [damaged(text) * 10 for text in SENTENCES.values()]
    given = pyarrow.chunked_array([texts, texts])
    result = utflane.fix_mojibake(given)
    whole = pyarrow.chunked_array(result)
    stream = result.__arrow_c_stream__()
    del result, stream, given
    gc.collect()
    assert whole.to_pylist() == [text * 10 for text in SENTENCES.values()] * 2
    before = pyarrow.total_allocated_bytes()
    for _ in range(100):
        pyarrow.chunked_array(utflane.encode(pyarrow.chunked_array([texts, texts]), "utf-16"))
        pyarrow.chunked_array(utflane.encode(pyarrow.chunked_array([texts, texts])))
    gc.collect()
    assert pyarrow.total_allocated_bytes() <= before

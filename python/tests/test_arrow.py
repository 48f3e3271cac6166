"""Tests columns of pyarrow, polars and pandas, passed by the Arrow PyCapsule interface."""

import gc
import random
import re
from typing import Any, Literal

import pandas  # type: ignore[import-untyped]
import polars
import pyarrow  # type: ignore[import-untyped]
import pytest
from texts import ENCODINGS, SENTENCES, UNICODE, double_encoded

import utflane

STRING_TYPES = [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()]
BINARY_TYPES = [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()]


def fix_to_array(column: Any, mode: Any = "all") -> Any:
    return pyarrow.array(utflane.fix_mojibake(column, mode))


@pytest.mark.parametrize("kind", STRING_TYPES)
def test_repair_of_a_column_equals_repair_of_a_list(kind: Any) -> None:
    rng = random.Random(6)
    choices = [None, "", "plain", *SENTENCES.values(), *map(double_encoded, SENTENCES.values()), "först, fÃ¶rst"]
    for size in [0, 1, 2, 7, 8, 9, 100]:
        for _ in range(30):
            texts = [rng.choice(choices) for _ in range(size)]
            column = pyarrow.array(texts, kind)
            start = rng.randrange(size + 1)
            for part, expected in [(column, texts), (column[start:], texts[start:]), (column[: size - start], texts[: size - start])]:
                modes: list[Literal["all", "runs-all"]] = ["all", "runs-all"]
                for mode in modes:
                    fixed = fix_to_array(part, mode)
                    fixed.validate(full=True)
                    assert fixed.type == kind or kind == STRING_TYPES[2] and fixed.type == STRING_TYPES[1]
                    assert fixed.to_pylist() == utflane.fix_mojibake(expected, mode)


@pytest.mark.parametrize("kind", STRING_TYPES)
def test_a_column_without_double_encoding_is_returned_itself(kind: Any) -> None:
    column = pyarrow.array([*SENTENCES.values(), None], kind)
    assert utflane.fix_mojibake(column) is column


def test_arrays_keep_the_memory_of_a_result_alive() -> None:
    texts = [double_encoded(text) * 100 for text in SENTENCES.values()]
    result = utflane.fix_mojibake(pyarrow.array(texts))
    arrays = [pyarrow.array(result) for _ in range(3)]
    assert len(result) == len(texts)
    capsules = result.__arrow_c_array__()
    del result, capsules
    gc.collect()
    for array in arrays:
        assert array.to_pylist() == [text * 100 for text in SENTENCES.values()]
    allocated_before = pyarrow.total_allocated_bytes()
    for _ in range(100):
        fix_to_array(pyarrow.array(texts))
    gc.collect()
    assert pyarrow.total_allocated_bytes() <= allocated_before


def test_columns_of_other_types_are_rejected() -> None:
    other_columns = [pyarrow.array([1, 2]), pyarrow.array([1]).dictionary_encode(), pyarrow.table({"a": ["b"]})]
    for column in [*other_columns, pyarrow.array([b"a"]), pyarrow.chunked_array([[b"a"]])]:
        with pytest.raises(TypeError, match="of strings is required"):
            utflane.fix_mojibake(column)
        with pytest.raises(TypeError, match="of strings is required"):
            utflane.encode(column)
    for column in other_columns:
        functions: list[Any] = [utflane.detect, utflane.decode, utflane.validate]
        for function in functions:
            with pytest.raises(TypeError, match="values or strings is required"):
                function(column)


KEY_TYPES = [getattr(pyarrow, name)() for name in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]]


@pytest.mark.parametrize("key_type", KEY_TYPES)
@pytest.mark.parametrize("kind", [*STRING_TYPES, *BINARY_TYPES])
def test_dictionary_encoded_columns_equal_lists_of_values(key_type: Any, kind: Any) -> None:
    texts = ["FranÃ§ois", "Zoë", None, "", "x" * 40, "fÃ¶rst"]
    values: list[Any] = [text and text.encode() for text in texts] if kind in BINARY_TYPES else [*texts]
    dictionary = pyarrow.array(values, kind)
    keys = [5, 0, None, 1, 2, 3, 4, 0, 5, 0]
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(keys, key_type), dictionary)
    rows = [None if key is None else values[key] for key in keys]
    for start in [0, 1, 3, 9, 10]:
        if kind in BINARY_TYPES:
            assert list(utflane.decode(column[start:], "utf-8")) == [row and row.decode() for row in rows[start:]]
            assert list(utflane.validate(column[start:])) == [row if row is None else True for row in rows[start:]]
        else:
            assert list(utflane.fix_mojibake(column[start:])) == utflane.fix_mojibake(rows[start:])
            assert list(utflane.encode(column[start:], "utf-16")) == utflane.encode(rows[start:], "utf-16")
    if kind in STRING_TYPES:
        clean = pyarrow.chunked_array([pyarrow.array(["a", "b", "a"]).dictionary_encode()])
        assert utflane.fix_mojibake(clean) is clean


def test_keys_outside_the_dictionary_are_errors() -> None:
    for keys in [[0, 2], [0, -1], [127, 0]]:
        column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(keys, pyarrow.int8()), pyarrow.array(["a", "b"]), safe=False)
        with pytest.raises(ValueError, match="not in the dictionary"):
            utflane.fix_mojibake(column)
    empty = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0], pyarrow.int8()), pyarrow.array([], pyarrow.string()), safe=False)
    with pytest.raises(ValueError, match="not in the dictionary"):
        utflane.fix_mojibake(empty)


MISSING = [None, float("nan"), pandas.NA]
PANDAS_TEXT_TYPES = [(kind, missing) for kind in [object, "str", "string", "string[python]", "category"] for missing in MISSING]
POLARS_TEXT_TYPES: list[Any] = [polars.String, polars.Categorical, polars.Enum(["FranÃ§ois", "Zoë"])]


@pytest.mark.parametrize("kind, missing", [*PANDAS_TEXT_TYPES, (pandas.ArrowDtype(pyarrow.string()), None)])
def test_text_series_of_pandas(kind: Any, missing: Any) -> None:
    texts = ["FranÃ§ois", "Zoë", missing, "FranÃ§ois"]
    frame = pandas.DataFrame({"n": pandas.Series(texts, dtype=kind, index=[8, 5, 6, 7])})
    frame["fixed"] = utflane.fix_mojibake(frame["n"])
    assert frame["fixed"].index.tolist() == [8, 5, 6, 7]
    assert frame["fixed"].dropna().to_dict() == {8: "François", 5: "Zoë", 7: "François"}
    assert list(utflane.detect(frame["n"])) == ["utf-8", "utf-8", None, "utf-8"]
    assert list(utflane.validate(frame["n"])) == [True, True, None, True]
    assert list(utflane.encode(frame["fixed"], "latin1")) == [b"Fran\xe7ois", b"Zo\xeb", None, b"Fran\xe7ois"]


@pytest.mark.parametrize("kind", POLARS_TEXT_TYPES)
def test_text_series_of_polars(kind: Any) -> None:
    given: Any = polars.Series(["FranÃ§ois", "Zoë", None], dtype=kind)
    assert polars.Series(utflane.fix_mojibake(given)).to_list() == ["François", "Zoë", None]


BYTES = [b"caf\xe9", "größer".encode(), None]


@pytest.mark.parametrize(
    "series",
    [
        pandas.Series(BYTES, dtype=object),
        pandas.Series(BYTES, dtype=pandas.ArrowDtype(pyarrow.binary())),
        pandas.Series(BYTES, dtype="category"),
        polars.Series(BYTES, dtype=polars.Binary),
    ],
)
def test_binary_series_of_pandas_and_polars(series: Any) -> None:
    assert list(utflane.decode(series)) == ["café", "größer", None]
    assert list(utflane.detect(series)) == ["latin1", "utf-8", None]
    assert list(utflane.validate(series)) == [False, True, None]
    functions: list[Any] = [utflane.fix_mojibake, utflane.encode]
    for function in functions:
        with pytest.raises(TypeError, match="strings is required, not of binary values"):
            function(series)


NULLS = [
    pandas.Series([None, None], dtype=object),
    polars.Series([None, None]),
    pyarrow.nulls(2).dictionary_encode(),
    pyarrow.nulls(2),
    pyarrow.nulls(9)[7:],
    pyarrow.chunked_array([pyarrow.nulls(1), pyarrow.nulls(1)]),
]


@pytest.mark.parametrize("column", NULLS)
def test_columns_without_any_value_have_null_results(column: Any) -> None:
    assert utflane.fix_mojibake(column) is column
    functions: list[Any] = [utflane.decode, utflane.detect, utflane.validate, utflane.encode]
    for function in functions:
        assert list(function(column)) == [None, None]
    assert polars.Series(utflane.decode(column)).dtype == polars.String
    assert polars.Series(utflane.encode(column)).dtype == polars.Binary


def test_the_length_of_a_column_without_any_value() -> None:
    assert list(utflane.decode(pandas.Series([], dtype=object))) == []
    assert list(utflane.decode(pyarrow.chunked_array([], pyarrow.null()))) == []
    with pytest.raises(ValueError, match="impossible size"):
        utflane.decode(pyarrow.Array.from_buffers(pyarrow.null(), 2**62, [None]))


def test_series_of_other_types_are_rejected() -> None:
    functions: list[Any] = [utflane.fix_mojibake, utflane.decode, utflane.detect, utflane.validate, utflane.encode]
    for column, name in [
        (pandas.Series([1, 2]), "integers"),
        (pandas.Series([float("nan")]), "floats"),
        (pandas.Series([1, 2], dtype="category"), "integers"),
        (pandas.Series([True]), "booleans"),
        (polars.Series([["a"]]), "nested values"),
        (pandas.DataFrame({"a": ["b"]}), "structs (the rows of a table)"),
        (pandas.Series(["2026-01-01"], dtype="datetime64[ns]"), "times"),
    ]:
        for function in functions:
            with pytest.raises(TypeError, match=f"is required, not of {re.escape(name)} "):
                function(column)
    with pytest.raises(TypeError, match="int"):
        utflane.fix_mojibake(pandas.Series(["a", 1], dtype=object))


@pytest.mark.parametrize("offsets", [[0, 5, 3], [2, 0, 6], [0, 2, 6], [0, 3, 5], [0, 3, 6]])
def test_invalid_offsets_are_errors(offsets: list[int]) -> None:
    starts = pyarrow.array(offsets, pyarrow.int32()).buffers()[1]
    text = pyarrow.py_buffer("aé€x".encode())
    column = pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, starts, text])
    if offsets == [0, 3, 6]:
        assert utflane.fix_mojibake(column) is column
    else:
        with pytest.raises(ValueError, match="invalid offsets or views|not UTF-8"):
            utflane.fix_mojibake(column)


class WithoutCapsules:
    """An object that returns numbers instead of capsules."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return 1, 2


def test_a_producer_that_returns_no_capsules_is_an_error() -> None:
    with pytest.raises(TypeError):
        utflane.fix_mojibake(WithoutCapsules())


class FailingStream:
    """A stream that fails after its first array."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        def batches() -> Any:
            yield pyarrow.record_batch([pyarrow.array(["a"])], ["name"])
            raise OSError("the disk is gone")

        schema = pyarrow.schema([("name", pyarrow.string())])
        return pyarrow.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__()


def test_the_message_of_a_failing_stream_is_raised() -> None:
    with pytest.raises(ValueError, match="the disk is gone"):
        utflane.fix_mojibake(FailingStream())


def encoded_rows() -> list[bytes | None]:
    """Returns sentences in all encodings, and bytes that are not text in any encoding."""
    rows: list[bytes | None] = [None, b"", b"plain", b"caf\xe9", b"a" * 40, bytes(range(256))]
    for language, text in SENTENCES.items():
        rows += [text.encode(encoding) for encoding in [*UNICODE, *ENCODINGS[language]]]
    return rows


def random_column(rows: list[Any], kind: Any, rng: random.Random) -> tuple[list[Any], Any]:
    """Returns randomly chosen rows as a list, and the same rows as a column.

    The column is a slice of a longer array, or a chunked array.
    """
    chosen = [rng.choice(rows) for _ in range(rng.randrange(40))]
    start = rng.randrange(len(chosen) + 1)
    array = pyarrow.array(chosen, kind)
    if rng.random() < 0.5:
        return chosen[start:], array[start:]
    return chosen, pyarrow.chunked_array([array[:start], array[start:]], kind)


def checked_rows(result: Any, column: Any) -> list[Any]:
    """Returns the rows of a result. Checks that the result is chunked if the column is chunked."""
    is_chunked = isinstance(column, pyarrow.ChunkedArray)
    assert isinstance(result, utflane.ArrowChunkedArray if is_chunked else utflane.ArrowArray)
    assert len(result) == len(column)
    array = pyarrow.chunked_array(result) if is_chunked else pyarrow.array(result)
    array.validate(full=True)
    rows: list[Any] = array.to_pylist()
    return rows


@pytest.mark.parametrize("kind", BINARY_TYPES)
def test_results_for_binary_columns_equal_results_for_lists(kind: Any) -> None:
    rng, rows = random.Random(7), encoded_rows()
    for _ in range(40):
        row_list, column = random_column(rows, kind, rng)
        assert checked_rows(utflane.detect(column), column) == [found and found.encoding for found in utflane.detect(row_list)]
        for encoding in ["utf-8", "utf-16-le", "shift_jis"]:
            found_errors = utflane.validate(row_list, encoding)
            valid = [None if row is None else error is None for row, error in zip(row_list, found_errors)]
            assert checked_rows(utflane.validate(column, encoding), column) == valid
            for errors in ["replace", "ignore", "latin1"]:
                texts = [text and text.text for text in utflane.decode(row_list, encoding, errors)]
                assert checked_rows(utflane.decode(column, encoding, errors), column) == texts


@pytest.mark.parametrize("kind", STRING_TYPES)
def test_results_for_string_columns_equal_results_for_lists(kind: Any) -> None:
    rng = random.Random(8)
    texts = [None, "", "x", *SENTENCES.values(), *map(double_encoded, SENTENCES.values())]
    for _ in range(40):
        row_list, column = random_column(texts, kind, rng)
        for encoding in ["utf-8", "utf-8-sig", "utf-16", "latin1", "gb18030"]:
            expected = utflane.encode(row_list, encoding, "xmlcharrefreplace")
            assert checked_rows(utflane.encode(column, encoding, "xmlcharrefreplace"), column) == expected
        fixed = utflane.fix_mojibake(column)
        if fixed is not column:
            assert checked_rows(fixed, column) == utflane.fix_mojibake(row_list)
        else:
            assert utflane.fix_mojibake(row_list) == row_list


@pytest.mark.parametrize("kind", BINARY_TYPES)
@pytest.mark.parametrize("is_chunked", [False, True])
def test_unchanged_columns_share_memory(kind: Any, is_chunked: bool) -> None:
    rows = [text.encode() * 10 for text in SENTENCES.values()] + [None]
    array = pyarrow.array(rows, kind)[1:]
    column = pyarrow.chunked_array([array]) if is_chunked else array

    def only_chunk(result: Any) -> Any:
        return pyarrow.chunked_array(result).chunk(0) if is_chunked else pyarrow.array(result)

    def addresses(array: Any) -> list[Any]:
        return [buffer and buffer.address for buffer in array.buffers()]

    decoded = only_chunk(utflane.decode(column, "utf-8"))
    assert addresses(decoded) == addresses(array)
    encoded = only_chunk(utflane.encode(decoded if not is_chunked else pyarrow.chunked_array([decoded])))
    assert addresses(encoded) == addresses(array)
    assert encoded.type == kind
    del array, column
    gc.collect()
    assert decoded.to_pylist() == [row and row.decode() for row in rows[1:]]
    assert encoded.to_pylist() == rows[1:]


def test_an_error_has_the_index_of_the_row() -> None:
    column = pyarrow.chunked_array([[b"good", None], [b"good", b"b\xffad"]])
    with pytest.raises(UnicodeDecodeError) as caught:
        utflane.decode(column, "utf-8")
    assert (caught.value.object, caught.value.start, caught.value.index) == (b"b\xffad", 1, 3)  # type: ignore[attr-defined]
    with pytest.raises(LookupError, match="not text") as no_text:
        utflane.decode(pyarrow.array([b"good", bytes(range(8)) * 100]))
    assert no_text.value.index == 1  # type: ignore[attr-defined]
    with pytest.raises(UnicodeEncodeError) as unmappable:
        utflane.encode(pyarrow.array([None, "größer €"]), "latin1")
    assert (unmappable.value.start, unmappable.value.index) == (7, 1)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="surrogates") as surrogates:
        utflane.decode(pyarrow.array([b"a\xff"]), "utf-8", "surrogateescape")
    assert surrogates.value.index == 0  # type: ignore[attr-defined]


def test_series_of_polars() -> None:
    texts = [*SENTENCES.values(), None, "x", *map(double_encoded, SENTENCES.values())]
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


def test_chunked_arrays_keep_the_memory_of_a_stream_alive() -> None:
    texts = [double_encoded(text) * 10 for text in SENTENCES.values()]
    given = pyarrow.chunked_array([texts, texts])
    result = utflane.fix_mojibake(given)
    whole = pyarrow.chunked_array(result)
    stream = result.__arrow_c_stream__()
    del result, stream, given
    gc.collect()
    assert whole.to_pylist() == [text * 10 for text in SENTENCES.values()] * 2
    allocated_before = pyarrow.total_allocated_bytes()
    for _ in range(100):
        pyarrow.chunked_array(utflane.encode(pyarrow.chunked_array([texts, texts]), "utf-16"))
        pyarrow.chunked_array(utflane.encode(pyarrow.chunked_array([texts, texts])))
    gc.collect()
    assert pyarrow.total_allocated_bytes() <= allocated_before

"""Tests results and errors as objects: they are pickled, copied and compared.

Also tests columns and lists of other packages.
"""

import concurrent.futures
import copy
import importlib.metadata
import os
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy
import pandas  # type: ignore[import-untyped]
import polars
import pyarrow  # type: ignore[import-untyped]
import pytest
from texts import SENTENCES

import utflane
from utflane.compat.chardet import UniversalDetector, detect

CREATE_RESULTS: list[Callable[[], Any]] = [
    lambda: utflane.detect("größer".encode("utf-8-sig")),
    lambda: utflane.detect(b"gr\xfc"),
    lambda: utflane.detect(bytes(range(8)) * 100),
    lambda: utflane.decode(b"a\xff\xff\xffb\xe2\x82", "utf-8", "backslashreplace"),
    lambda: utflane.decode(b"plain"),
    lambda: utflane.decode(b"a\xff\xffb", "utf-8", "replace").repairs,
    lambda: utflane.decode(b"a\xffb", "utf-8", "replace").repairs[0],
    lambda: utflane.decode(b"a\xff", "utf-8", "surrogateescape"),
    lambda: utflane.validate(b"ab\xff", "utf-8"),
    lambda: utflane.explain("fÃ¶rst, fÃ¶rst \ud800", "runs"),
    lambda: utflane.explain("fÃ¶rst").changes[0],
    lambda: utflane.Index("größer"),
    lambda: utflane.Index("größer".encode() + b"\xff"),
]


def fields(result: Any) -> Any:
    """Returns all public fields of a result, as objects that can be compared."""
    if isinstance(result, (list, utflane.Repairs)):
        return [fields(item) for item in result]
    if not type(result).__module__.startswith("utflane"):
        return result
    names = [name for name in dir(result) if not name.startswith("_")]
    values = {name: getattr(result, name) for name in names}
    return type(result), repr(result), {name: fields(value) for name, value in values.items() if not callable(value)}


@pytest.mark.parametrize("create", CREATE_RESULTS)
def test_results_can_be_pickled_and_copied(create: Callable[[], Any]) -> None:
    result = create()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert fields(pickle.loads(pickle.dumps(result, protocol))) == fields(result)
    assert fields(copy.copy(result)) == fields(copy.deepcopy(result)) == fields(result)


def raised_exception(call: Callable[[], Any]) -> Exception:
    with pytest.raises(Exception) as caught:
        call()
    return caught.value


def test_errors_can_be_pickled_and_copied() -> None:
    bytes_and_str: Any = [b"a", "b"]
    errors = [
        raised_exception(lambda: utflane.decode([b"a", b"\xe2\x82"], "utf-8")),
        raised_exception(lambda: utflane.encode(["a", "€€"], "latin1")),
        raised_exception(lambda: utflane.decode(b"", "nothing")),
        raised_exception(lambda: utflane.decode(bytes_and_str)),
        utflane.DetectionError("not text", utflane.detect(b"")),
    ]
    for error in errors:
        for copied in [pickle.loads(pickle.dumps(error)), copy.copy(error)]:
            assert (type(copied), str(copied), copied.__dict__) == (type(error), str(error), error.__dict__)


def run_script(script: str) -> None:
    """Runs a script in a separate process."""
    path = os.pathsep.join([str(pathlib.Path(__file__).parent), *sys.path])
    process = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr


def raise_detection_error() -> None:
    raise utflane.DetectionError("not text", utflane.detect(bytes(range(8)) * 100))


def use_process_pool() -> None:
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        assert pool.submit(utflane.detect, b"gr\xfc").result() == utflane.detect(b"gr\xfc")
        error = pool.submit(raise_detection_error).exception()
        assert isinstance(error, utflane.DetectionError) and error.detection.encoding is None


def test_results_and_errors_pass_between_processes() -> None:
    run_script("import test_results; test_results.use_process_pool()")


def test_results_are_comparable() -> None:
    assert utflane.detect(b"a") == utflane.detect(b"a") != utflane.detect(b"\xff")
    assert hash(utflane.detect(b"a")) == hash(utflane.detect(b"a"))
    assert repr(utflane.detect(bytes(range(8)) * 100)).startswith("Detection(encoding=None,")
    assert utflane.validate(b"\xff") == utflane.validate(b"\xff") != utflane.validate(b"a\xff")


def test_the_version_and_the_compat_modules_exist() -> None:
    try:
        assert utflane.__version__ == importlib.metadata.version("utflane")
    except importlib.metadata.PackageNotFoundError:
        assert utflane.__version__
    run_script("import utflane; utflane.compat.ftfy.fix_encoding, utflane.compat.chardet.detect, utflane.compat.charset_normalizer")


def test_columns_are_sequences() -> None:
    texts = ["FranÃ§ois", None, "Zoë", "Ã\x85sa"]
    fixed = ["François", None, "Zoë", "Åsa"]
    rows = [text and text.encode("latin-1") for text in texts]
    columns: list[Any] = [pyarrow.array(texts), pyarrow.array(texts, pyarrow.string_view()), polars.Series(texts)]
    columns.append(pyarrow.chunked_array([texts[:1], texts[1:], []], pyarrow.string()))
    for column in columns:
        result = utflane.fix_mojibake(column)
        assert list(result) == fixed
        assert [result[i] for i in range(-4, 4)] == fixed * 2
        for index in [4, -5, 1 << 60]:
            with pytest.raises(IndexError):
                result[index]
    for column in [pyarrow.array(rows), pyarrow.array(rows, pyarrow.binary_view()), pyarrow.chunked_array([rows[:2], rows[2:]])]:
        assert list(utflane.validate(column)) == [row and utflane.validate(row) is None for row in rows]
        assert list(utflane.decode(column, "latin1")) == texts
        assert list(utflane.encode(pyarrow.array(texts), "latin1")) == rows
    frame = pandas.DataFrame({"n": texts})
    frame["x"] = utflane.fix_mojibake(frame["n"])
    assert frame["x"].dropna().tolist() == ["François", "Zoë", "Åsa"]
    column_object: Any = utflane.fix_mojibake(pyarrow.array(texts))
    assert numpy.array(column_object, dtype=object).tolist() == fixed


def test_missing_items_of_a_list_are_unchanged() -> None:
    nan = float("nan")
    given: Any = ["FranÃ§ois", nan, None, pandas.NA, pandas.NaT]
    assert utflane.fix_mojibake(given)[0] == "François"
    text_functions: list[Any] = [utflane.fix_mojibake, utflane.encode, utflane.explain]
    for function in text_functions:
        results = function(given)
        assert results[1] is nan and results[2] is None
        assert results[3] is pandas.NA and results[4] is pandas.NaT
    data_functions: list[Any] = [utflane.decode, utflane.detect, utflane.validate]
    for function in data_functions:
        assert function([b"a", nan, None])[1:] == [nan, None]
    with pytest.raises(TypeError, match="a str is required"):
        utflane.fix_mojibake(given + [1.5])


@pytest.mark.parametrize(
    "given",
    [
        numpy.array([b"ab", b"c"]),
        numpy.array(["ab", "c"]),
        numpy.array([b"a", b"b"], dtype=object),
        numpy.array([(1, 2)], dtype=[("a", "i4"), ("b", "i4")]),
    ],
)
def test_arrays_of_texts_or_records_are_rejected(given: Any) -> None:
    functions: list[Any] = [utflane.decode, utflane.detect, utflane.validate, utflane.Index]
    for function in functions:
        with pytest.raises(TypeError, match="tolist|bytes-like"):
            function(given)
    with pytest.raises(TypeError, match="a str is required"):
        utflane.fix_mojibake(given)


def test_an_error_of_a_list_has_the_index_of_the_item() -> None:
    bytes_and_str: Any = [b"a", "b"]
    calls: list[Callable[[], Any]] = [
        lambda: utflane.decode(bytes_and_str),
        lambda: utflane.decode([b"a", b"\xff"], "utf-8"),
        lambda: utflane.encode(["a", "€"], "latin1"),
        lambda: utflane.decode([b"a", bytes(range(8)) * 100]),
        lambda: utflane.Index("ab").convert([0, 9], "bytes", "bytes"),
        lambda: utflane.decode(pyarrow.array([b"a", b"\xff"]), "utf-8"),
    ]
    for call in calls:
        error = raised_exception(call)
        assert "item 1: " in str(error)
        assert error.index == 1  # type: ignore[attr-defined]


SUBINTERPRETER = """
import utflane
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
code = "try:\\n import utflane\\nexcept ImportError as error:\\n assert 'interpreter' in str(error)\\nelse:\\n raise SystemExit(3)"
failure = interpreters.run_string(interpreters.create(), code)
assert failure is None, failure
"""


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python 3.14 has another module for subinterpreters")
def test_import_fails_in_a_second_interpreter() -> None:
    run_script(SUBINTERPRETER)


def test_universal_detector_equals_detect() -> None:
    for text in SENTENCES.values():
        for data in [text.encode(), text.encode("utf-16"), text.encode("cp1251", "ignore")]:
            detector = UniversalDetector()
            for start in range(0, len(data), 7):
                detector.feed(data[start : start + 7])
            assert detector.close() is detector.result
            assert detector.done and detector.result["encoding"] == detect(data)["encoding"]
            detector.reset()
            assert not detector.done and detector.result["encoding"] is None

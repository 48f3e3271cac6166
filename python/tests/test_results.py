"""Results and errors as objects: pickled, copied, compared, in columns and lists of other packages."""

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

RESULTS: list[Callable[[], Any]] = [
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
    """All that a result has, as plain objects."""
    if isinstance(result, (list, utflane.Repairs)):
        return [fields(each) for each in result]
    if not type(result).__module__.startswith("utflane"):
        return result
    names = [name for name in dir(result) if not name.startswith("_")]
    values = {name: getattr(result, name) for name in names}
    return type(result), repr(result), {name: fields(each) for name, each in values.items() if not callable(each)}


@pytest.mark.parametrize("make", RESULTS)
def test_results_are_pickled_and_copied(make: Callable[[], Any]) -> None:
    result = make()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert fields(pickle.loads(pickle.dumps(result, protocol))) == fields(result)
    assert fields(copy.copy(result)) == fields(copy.deepcopy(result)) == fields(result)


def failure(call: Callable[[], Any]) -> Exception:
    with pytest.raises(Exception) as caught:
        call()
    return caught.value


def test_errors_are_pickled() -> None:
    wrong: Any = [b"a", "b"]
    failures = [
        failure(lambda: utflane.decode([b"a", b"\xe2\x82"], "utf-8")),
        failure(lambda: utflane.encode(["a", "€€"], "latin1")),
        failure(lambda: utflane.decode(b"", "nothing")),
        failure(lambda: utflane.decode(wrong)),
        utflane.DetectionError("no text", utflane.detect(b"")),
    ]
    for error in failures:
        for again in [pickle.loads(pickle.dumps(error)), copy.copy(error)]:
            assert (type(again), str(again), again.__dict__) == (type(error), str(error), error.__dict__)


def run(script: str) -> None:
    """Runs a script in a separate process."""
    path = os.pathsep.join([str(pathlib.Path(__file__).parent), *sys.path])
    process = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr


def no_text() -> None:
    raise utflane.DetectionError("no text", utflane.detect(bytes(range(8)) * 100))


def in_a_pool() -> None:
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        assert pool.submit(utflane.detect, b"gr\xfc").result() == utflane.detect(b"gr\xfc")
        error = pool.submit(no_text).exception()
        assert isinstance(error, utflane.DetectionError) and error.detection.encoding is None


def test_a_pool_of_processes() -> None:
    run("import test_results; test_results.in_a_pool()")


def test_results_are_compared() -> None:
    assert utflane.detect(b"a") == utflane.detect(b"a") != utflane.detect(b"\xff")
    assert hash(utflane.detect(b"a")) == hash(utflane.detect(b"a"))
    assert repr(utflane.detect(bytes(range(8)) * 100)).startswith("Detection(encoding=None,")
    assert utflane.validate(b"\xff") == utflane.validate(b"\xff") != utflane.validate(b"a\xff")


def test_the_package_has_its_parts() -> None:
    try:
        assert utflane.__version__ == importlib.metadata.version("utflane")
    except importlib.metadata.PackageNotFoundError:
        assert utflane.__version__
    run("import utflane; utflane.compat.ftfy.fix_encoding, utflane.compat.chardet.detect, utflane.compat.charset_normalizer")


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
    made: Any = utflane.fix_mojibake(pyarrow.array(texts))
    assert numpy.array(made, dtype=object).tolist() == fixed


def test_what_is_missing_in_a_list_stays() -> None:
    nan = float("nan")
    given: Any = ["FranÃ§ois", nan, None, pandas.NA, pandas.NaT]
    assert utflane.fix_mojibake(given)[0] == "François"
    by_text: list[Any] = [utflane.fix_mojibake, utflane.encode, utflane.explain]
    for function in by_text:
        found = function(given)
        assert found[1] is nan and found[2] is None and found[3] is pandas.NA and found[4] is pandas.NaT
    by_bytes: list[Any] = [utflane.decode, utflane.detect, utflane.validate]
    for function in by_bytes:
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
def test_arrays_of_texts_are_no_text(given: Any) -> None:
    functions: list[Any] = [utflane.decode, utflane.detect, utflane.validate, utflane.Index]
    for function in functions:
        with pytest.raises(TypeError, match="tolist|bytes-like"):
            function(given)
    with pytest.raises(TypeError, match="a str is required"):
        utflane.fix_mojibake(given)


def test_an_error_of_a_list_names_its_item() -> None:
    wrong: Any = [b"a", "b"]
    calls: list[Callable[[], Any]] = [
        lambda: utflane.decode(wrong),
        lambda: utflane.decode([b"a", b"\xff"], "utf-8"),
        lambda: utflane.encode(["a", "€"], "latin1"),
        lambda: utflane.decode([b"a", bytes(range(8)) * 100]),
        lambda: utflane.Index("ab").convert([0, 9], "bytes", "bytes"),
        lambda: utflane.decode(pyarrow.array([b"a", b"\xff"]), "utf-8"),
    ]
    for call in calls:
        error = failure(call)
        assert "item 1: " in str(error)
        assert error.index == 1  # type: ignore[attr-defined]


SUBINTERPRETER = """
import utflane
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
code = "try:\\n import utflane\\nexcept ImportError as error:\\n assert 'interpreter' in str(error)\\nelse:\\n raise SystemExit(3)"
found = interpreters.run_string(interpreters.create(), code)
assert found is None, found
"""


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the module of interpreters is another one")
def test_another_interpreter_of_the_process_is_refused() -> None:
    run(SUBINTERPRETER)


def test_universal_detector() -> None:
    for text in SENTENCES.values():
        for data in [text.encode(), text.encode("utf-16"), text.encode("cp1251", "ignore")]:
            detector = UniversalDetector()
            for at in range(0, len(data), 7):
                detector.feed(data[at : at + 7])
            assert detector.close() is detector.result
            assert detector.done and detector.result["encoding"] == detect(data)["encoding"]
            detector.reset()
            assert not detector.done and detector.result["encoding"] is None

"""Compares error handlers with Python's codecs: results, errors, and the calls of a handler."""

import codecs
import random
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from texts import SENTENCES

import utflane

BUILT_IN_HANDLERS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass", "namereplace"]
BUILT_IN_HANDLERS += ["xmlcharrefreplace"]
UNICODE = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-16", "utf-32"]

#: The calls of a handler: for each call, the start and the end of the error, and the text or data.
Calls = list[tuple[int, int, Any]]


def create_handlers(calls: Calls) -> dict[str, Callable[[Any], Any]]:
    """Returns handlers with valid and invalid results. They append their calls to `calls`."""

    def object_len(error: Any) -> int:
        return len(error.object)

    def exchange_object(error: Any) -> Any:
        if len(calls) < 2 and isinstance(error, UnicodeDecodeError):
            error.object = b"abc\xffdef"
        return "O", 2 if len(calls) < 3 else error.end

    functions: dict[str, Callable[[Any], Any]] = {
        "mark": lambda error: (f"<{error.end - error.start}>", error.end),
        "nothing": lambda error: ("", error.end),
        "skip": lambda error: ("S", min(object_len(error), error.end + error.start % 3)),
        "negative": lambda error: ("N", (error.end - object_len(error)) or error.end),
        "far": lambda error: ("F", object_len(error) + 5),
        "low": lambda error: ("L", -100),
        "surrogate": lambda error: ("\ud800", error.end),
        "letters": lambda error: ("é", error.end),
        "others": lambda error: ("€Ж", error.end),
        "bytes": lambda error: (b"xyz\xff", error.end),
        "one byte": lambda error: (b"x", error.end),
        "a bytearray": lambda error: (bytearray(b"x"), error.end),
        "no tuple": lambda error: "x",
        "a list": lambda error: ["x", error.end],
        "one item": lambda error: ("x",),
        "no number": lambda error: ("x", "y"),
        "too large": lambda error: ("x", 1 << 100),
        "a bool": lambda error: ("x", True if len(calls) < 3 else error.end),
        "exchanged": exchange_object,
        "back": lambda error: ("B", max(0, error.start - 1) if len(calls) < 4 else error.end),
        "raises": lambda error: 1 // 0,
        "raises it": codecs.strict_errors,
    }

    def recording(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def handler(error: Any) -> Any:
            calls.append((error.start, error.end, error.object))
            return function(error)

        return handler

    return {"utflane test " + name: recording(function) for name, function in functions.items()}


def result_and_calls(call: Callable[[], Any], calls: Calls) -> Any:
    """Returns the result or the exception of `call`, and the calls of handlers."""
    calls.clear()
    result: Any
    try:
        result = call()
    except UnicodeError as error:
        assert isinstance(error, (UnicodeDecodeError, UnicodeEncodeError))
        result = (error.start, error.end, error.object)
    except (OverflowError, TypeError) as error:
        result = type(error)
    except Exception as error:
        result = type(error), str(error.__cause__ or error)
    return result, calls.copy()


def register(name: str, handler: Callable[[Any], Any]) -> None:
    codecs.register_error(name, handler)


def register_handlers() -> tuple[Calls, list[str]]:
    """Registers handlers. Returns the list of calls, and the names of all handlers to test."""
    calls: Calls = []
    handlers = create_handlers(calls)
    for name, handler in handlers.items():
        codecs.register_error(name, handler)
    return calls, [*BUILT_IN_HANDLERS, *handlers]


@pytest.mark.parametrize("encoding", [*UNICODE, "latin-1", "ascii"])
def test_decoding_equals_python(encoding: str) -> None:
    calls, names = register_handlers()
    rng = random.Random(encoding)
    pieces = [b"a", b"\0", b"\xd8", b"\xdc", b"\xff", b"\x80", b"\xed\xa0\x80", b"\xe2\x82", b"\xf0\x9f", b"\xd8\0"]
    pieces += [text.encode(encoding, "ignore") for text in ["é", "😀", "A"]]
    if encoding in UNICODE:
        pieces.append("\ud800".encode(encoding, "surrogatepass"))
    for _ in range(150):
        data = b"".join(rng.choice(pieces) for _ in range(rng.randrange(9)))
        for errors in names:
            theirs = result_and_calls(lambda: data.decode(encoding, errors), calls)
            assert result_and_calls(lambda: data.decode("utflane-" + encoding, errors), calls) == theirs, (data, errors)
            if "exchanged" in errors:
                continue
            ours = result_and_calls(lambda: utflane.decode(data, encoding, errors).text, calls)
            assert ours == theirs or isinstance(theirs[0], tuple), (data, errors)


@pytest.mark.parametrize("encoding", [*UNICODE, "latin-1", "ascii", "cp1251", "koi8-r", "gb18030", "euc-jp", "shift_jis", "utf-8-sig"])
def test_encoding_equals_python(encoding: str) -> None:
    calls, names = register_handlers()
    rng = random.Random(encoding)
    pieces = ["a", "b", "é", "€", "Ж", "中", "😀", "\udc80", "\udcff", "\ud800", "\0"]
    if encoding == "gb18030":
        pieces.remove("€")  # Two versions of gb18030 encode it differently.
    if encoding == "euc-jp":
        pieces.remove("é")  # It is in JIS X 0212, which browsers decode, but do not encode.
    if encoding.startswith(("utf-16", "utf-32")):
        # Python 3.11 writes outside its buffer if a handler returns an earlier position.
        names = [name for name in names if not name.endswith((" back", " exchanged", " a bool"))]
    if encoding in ("gb18030", "euc-jp", "shift_jis"):
        # In these encodings, an unmappable replacement raises an error with the replacement as its
        # object.
        names = [name for name in names if not name.endswith((" surrogate", " letters", " others", " large"))]
    for _ in range(150):
        weights = [rng.random() ** 3 for _ in pieces]
        text = "".join(rng.choices(pieces, weights, k=rng.randrange(9)))
        for errors in names:
            theirs = result_and_calls(lambda: text.encode(encoding, errors), calls)
            assert result_and_calls(lambda: text.encode("utflane-" + encoding, errors), calls) == theirs, (text, errors)
            ours = result_and_calls(lambda: utflane.encode(text, encoding, errors), calls)
            assert ours == theirs or isinstance(theirs[0], tuple), (text, errors)


@pytest.mark.parametrize("position", [-100, -4, 4, 5, 1 << 40, -(1 << 40)])
def test_a_position_outside_the_text_is_an_error(position: int) -> None:
    codecs.register_error("utflane test position", lambda _: ("x", position))
    calls: list[Callable[[], Any]] = [
        lambda: b"a\xffb".decode("utflane-utf-8", "utflane test position"),
        lambda: utflane.decode(b"a\xffb", "utf-8", "utflane test position"),
        lambda: utflane.decode([b"a\xffb"], "shift_jis", "utflane test position"),
        lambda: utflane.Decoder("utf-8", "utflane test position").decode(b"a\xffb"),
        lambda: "a\ud800b".encode("utflane-utf-8", "utflane test position"),
        lambda: utflane.encode("a\ud800b", "utf-16-le", "utflane test position"),
        lambda: utflane.encode("a\ud800b", "gb18030", "utflane test position"),
    ]
    for call in calls:
        with pytest.raises(IndexError, match="out of bounds"):
            call()


def measure(call: Callable[[], Any]) -> tuple[Any, int, int]:
    """Returns the result of `call`, the number of calls of functions of this package, and the
    maximum number of bytes that Python had allocated.
    """
    call_count = 0

    def profile(_: Any, event: str, function: Any) -> None:
        nonlocal call_count
        call_count += event == "c_call" and str(getattr(function, "__module__", "")).startswith("utflane")

    tracemalloc.start()
    sys.setprofile(profile)
    try:
        result = call()
        sys.setprofile(None)
        return result, call_count, tracemalloc.get_traced_memory()[1]
    finally:
        sys.setprofile(None)
        tracemalloc.stop()


@pytest.mark.parametrize("errors", ["namereplace", "surrogatepass", "utflane test counted"])
def test_a_handler_is_called_once_for_each_error(errors: str) -> None:
    """One call converts the text. An error does not copy the rest of the text."""
    handler_calls = 0

    def handler(error: Any) -> tuple[str, int]:
        nonlocal handler_calls
        handler_calls += 1
        return "?", error.end

    codecs.register_error("utflane test counted", handler)
    functions: list[tuple[Any, Callable[[], Any]]] = []
    if errors != "namereplace":
        data = (b"x" * 999 + b"\xed\xa0\x80") * 2000
        text = data.decode("utf-8", errors)
        functions = [
            (text, lambda: data.decode("utflane-utf-8", errors)),
            (text, lambda: utflane.decode(data, "utf-8", errors).text),
        ]
    given = ("x" * 999 + ("中" if errors == "namereplace" else "\udcff")) * 2000
    encoding = "ascii" if errors == "namereplace" else "utf-8"
    encoded = given.encode(encoding, errors)
    functions += [
        (encoded, lambda: given.encode("utflane-" + encoding, errors)),
        (encoded, lambda: utflane.encode(given, encoding, errors)),
    ]
    for expected, function in functions:
        handler_calls = 0
        result, call_count, max_bytes = measure(function)
        assert result == expected
        assert call_count <= 1
        assert max_bytes < 10 * len(expected)
        if "counted" in errors:
            assert handler_calls == (6000 if isinstance(expected, str) else 2000)


def test_lists_and_columns_call_registered_handlers() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    register("utflane test mark", lambda error: ("<>", error.end))
    rows = [b"a\xff\xff", None, b"b", b"\xffc"]
    texts = ["a<><>", None, "b", "<>c"]
    decoded = utflane.decode(rows, "utf-8", "utflane test mark")
    assert [row and row.text for row in decoded] == texts
    column = utflane.decode(pyarrow.array(rows), "utf-8", "utflane test mark")
    assert pyarrow.array(column).to_pylist() == texts
    column = utflane.encode(pyarrow.array(["a€", None, "é"]), "ascii", "namereplace")
    assert pyarrow.array(column).to_pylist() == [b"a\\N{EURO SIGN}", None, b"\\N{LATIN SMALL LETTER E WITH ACUTE}"]
    register("utflane test raises", lambda error: 1 // 0)
    calls: list[Callable[[], Any]] = [
        lambda: utflane.decode(rows[2:], "utf-8", "utflane test raises"),
        lambda: utflane.decode(pyarrow.array(rows[2:]), "utf-8", "utflane test raises"),
        lambda: utflane.encode(["b", "é"], "ascii", "utflane test raises"),
        lambda: utflane.encode(pyarrow.array(["b", "é"]), "ascii", "utflane test raises"),
    ]
    for call in calls:
        with pytest.raises(ZeroDivisionError) as caught:
            call()
        assert caught.value.index == 1  # type: ignore[attr-defined]


def test_repairs_of_a_registered_handler_have_positions() -> None:
    decoded = utflane.decode(b"a\xed\xa0\x80b\xed\xb0\x80", "utf-8", "surrogatepass")
    assert decoded.text == "a\ud800b\udc00"
    repairs = [(repair.start, repair.end, repair.position, repair.length) for repair in decoded.repairs]
    assert repairs == [(1, 4, 1, 1), (5, 8, 3, 1)]


def test_an_unknown_handler_is_an_error() -> None:
    with pytest.raises(LookupError, match="error handler"):
        utflane.decode(b"", "utf-8", "utflane test unknown")
    with pytest.raises(LookupError, match="error handler"):
        utflane.encode("", "utf-8", "utflane test unknown")
    # Like Python's codecs, the codecs of this package look up a handler at the first error.
    assert b"a".decode("utflane-utf-8", "utflane test unknown") == "a"
    with pytest.raises(LookupError, match="error handler"):
        b"\xff".decode("utflane-utf-8", "utflane test unknown")


def test_surrogateescape_fails_in_utf16_and_utf32() -> None:
    for encoding in ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]:
        with pytest.raises(UnicodeEncodeError) as caught:
            utflane.encode("a\udce2b", encoding, "surrogateescape")
        assert (caught.value.start, caught.value.end) == (1, 2)


def test_decoding_in_chunks_equals_decoding_at_once() -> None:
    rng = random.Random(4)
    register("utflane test mark", lambda error: (f"<{error.end - error.start}>", error.end))
    pieces = [b"a", b"\xff", b"\xe2\x82", b"\xed\xa0\x80", b"\xd8", b"\0", *(text.encode() for text in SENTENCES.values())]
    for encoding in ["utf-8", "utf-16-be", "shift_jis", "iso-2022-jp"]:
        for errors in ["utflane test mark", "surrogatepass", "surrogateescape"]:
            for _ in range(60):
                data = b"".join(rng.choice(pieces) for _ in range(rng.randrange(9)))
                calls: Calls = []
                whole = result_and_calls(lambda: utflane.decode(data, encoding, errors).text, calls)
                size = rng.randrange(1, 9)
                chunks = [data[start : start + size] for start in range(0, len(data), size)]

                def decode_with_decoder() -> str:
                    decoder = utflane.Decoder(encoding, errors)
                    return "".join([*(decoder.decode(chunk) for chunk in chunks), decoder.decode(b"", True)])

                def decode_with_codec() -> str:
                    return "".join(codecs.iterdecode(iter(chunks), "utflane-" + encoding, errors))

                for call in [decode_with_decoder, decode_with_codec]:
                    found = result_and_calls(call, calls)
                    assert found == whole or isinstance(whole[0], tuple) and isinstance(found[0], tuple), data

"""Error handlers, compared with Python's codecs: results, errors, and the calls of a handler."""

import codecs
import random
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from texts import SENTENCES

import utflane

BUILT_IN = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass", "namereplace"]
BUILT_IN += ["xmlcharrefreplace"]
UNICODE = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-16", "utf-32"]

#: The calls of a handler: start, end, and the text or data.
Calls = list[tuple[int, int, Any]]


def handlers(calls: Calls) -> dict[str, Callable[[Any], Any]]:
    """Handlers that answer in all ways, right and wrong, and note their calls."""

    def size(error: Any) -> int:
        return len(error.object)

    def exchanged(error: Any) -> Any:
        if len(calls) < 2 and isinstance(error, UnicodeDecodeError):
            error.object = b"abc\xffdef"
        return "O", 2 if len(calls) < 3 else error.end

    answers: dict[str, Callable[[Any], Any]] = {
        "mark": lambda error: (f"<{error.end - error.start}>", error.end),
        "nothing": lambda error: ("", error.end),
        "skip": lambda error: ("S", min(size(error), error.end + error.start % 3)),
        "negative": lambda error: ("N", (error.end - size(error)) or error.end),
        "far": lambda error: ("F", size(error) + 5),
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
        "exchanged": exchanged,
        "back": lambda error: ("B", max(0, error.start - 1) if len(calls) < 4 else error.end),
        "raises": lambda error: 1 // 0,
        "raises it": codecs.strict_errors,
    }

    def noted(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def handler(error: Any) -> Any:
            calls.append((error.start, error.end, error.object))
            return answer(error)

        return handler

    return {"utflane test " + name: noted(answer) for name, answer in answers.items()}


def outcome(call: Callable[[], Any], calls: Calls) -> Any:
    """The result or the exception, and the calls."""
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


def registered() -> tuple[Calls, list[str]]:
    """The list of calls, and the names of the handlers that note them."""
    calls: Calls = []
    made = handlers(calls)
    for name, handler in made.items():
        codecs.register_error(name, handler)
    return calls, [*BUILT_IN, *made]


@pytest.mark.parametrize("encoding", [*UNICODE, "latin-1", "ascii"])
def test_decoding_is_that_of_python(encoding: str) -> None:
    calls, names = registered()
    rng = random.Random(encoding)
    pieces = [b"a", b"\0", b"\xd8", b"\xdc", b"\xff", b"\x80", b"\xed\xa0\x80", b"\xe2\x82", b"\xf0\x9f", b"\xd8\0"]
    pieces += [text.encode(encoding, "ignore") for text in ["é", "😀", "A"]]
    if encoding in UNICODE:
        pieces.append("\ud800".encode(encoding, "surrogatepass"))
    for _ in range(150):
        data = b"".join(rng.choice(pieces) for _ in range(rng.randrange(9)))
        for errors in names:
            theirs = outcome(lambda: data.decode(encoding, errors), calls)
            assert outcome(lambda: data.decode("utflane-" + encoding, errors), calls) == theirs, (data, errors)
            if "exchanged" in errors:
                continue
            ours = outcome(lambda: utflane.decode(data, encoding, errors).text, calls)
            assert ours == theirs or isinstance(theirs[0], tuple), (data, errors)


@pytest.mark.parametrize("encoding", [*UNICODE, "latin-1", "ascii", "cp1251", "koi8-r", "gb18030", "euc-jp", "shift_jis", "utf-8-sig"])
def test_encoding_is_that_of_python(encoding: str) -> None:
    calls, names = registered()
    rng = random.Random(encoding)
    pieces = ["a", "b", "é", "€", "Ж", "中", "😀", "\udc80", "\udcff", "\ud800", "\0"]
    if encoding == "gb18030":
        pieces.remove("€")  # of two versions
    if encoding == "euc-jp":
        pieces.remove("é")  # of JIS X 0212, which browsers only read
    if encoding.startswith(("utf-16", "utf-32")):
        # Python 3.11 writes beyond its buffer there, where a handler goes back.
        names = [name for name in names if not name.endswith((" back", " exchanged", " a bool"))]
    if encoding in ("gb18030", "euc-jp", "shift_jis"):
        # There, the error of a replacement has its own text.
        names = [name for name in names if not name.endswith((" surrogate", " letters", " others", " large"))]
    for _ in range(150):
        weights = [rng.random() ** 3 for _ in pieces]
        text = "".join(rng.choices(pieces, weights, k=rng.randrange(9)))
        for errors in names:
            theirs = outcome(lambda: text.encode(encoding, errors), calls)
            assert outcome(lambda: text.encode("utflane-" + encoding, errors), calls) == theirs, (text, errors)
            ours = outcome(lambda: utflane.encode(text, encoding, errors), calls)
            assert ours == theirs or isinstance(theirs[0], tuple), (text, errors)


@pytest.mark.parametrize("position", [-100, -4, 4, 5, 1 << 40, -(1 << 40)])
def test_a_position_outside_of_the_text_is_an_error(position: int) -> None:
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


def counted(call: Callable[[], Any]) -> tuple[Any, int, int]:
    """The result, the number of calls of our functions, and the most bytes that Python had."""
    ours = 0

    def profile(_: Any, event: str, function: Any) -> None:
        nonlocal ours
        ours += event == "c_call" and str(getattr(function, "__module__", "")).startswith("utflane")

    tracemalloc.start()
    sys.setprofile(profile)
    try:
        result = call()
        sys.setprofile(None)
        return result, ours, tracemalloc.get_traced_memory()[1]
    finally:
        sys.setprofile(None)
        tracemalloc.stop()


@pytest.mark.parametrize("errors", ["namereplace", "surrogatepass", "utflane test counted"])
def test_a_handler_is_called_once_for_each_error(errors: str) -> None:
    """The text is taken in one call, and no copy of the rest is made for an error."""
    calls = 0

    def handler(error: Any) -> tuple[str, int]:
        nonlocal calls
        calls += 1
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
        calls = 0
        result, ours, most = counted(function)
        assert result == expected
        assert ours <= 1
        assert most < 10 * len(expected)
        if "counted" in errors:
            assert calls == (6000 if isinstance(expected, str) else 2000)


def test_lists_and_columns_have_the_same_handlers() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    register("utflane test mark", lambda error: ("<>", error.end))
    rows = [b"a\xff\xff", None, b"b", b"\xffc"]
    texts = ["a<><>", None, "b", "<>c"]
    found = utflane.decode(rows, "utf-8", "utflane test mark")
    assert [each and each.text for each in found] == texts
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


def test_repairs_of_a_registered_handler_have_their_places() -> None:
    decoded = utflane.decode(b"a\xed\xa0\x80b\xed\xb0\x80", "utf-8", "surrogatepass")
    assert decoded.text == "a\ud800b\udc00"
    assert [(each.start, each.end, each.position, each.length) for each in decoded.repairs] == [(1, 4, 1, 1), (5, 8, 3, 1)]


def test_a_handler_that_is_unknown() -> None:
    with pytest.raises(LookupError, match="error handler"):
        utflane.decode(b"", "utf-8", "utflane test unknown")
    with pytest.raises(LookupError, match="error handler"):
        utflane.encode("", "utf-8", "utflane test unknown")
    # Like Python's codecs, ours look up a handler at the first error.
    assert b"a".decode("utflane-utf-8", "utflane test unknown") == "a"
    with pytest.raises(LookupError, match="error handler"):
        b"\xff".decode("utflane-utf-8", "utflane test unknown")


def test_escaped_bytes_of_wide_units() -> None:
    for encoding in ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]:
        with pytest.raises(UnicodeEncodeError) as caught:
            utflane.encode("a\udce2b", encoding, "surrogateescape")
        assert (caught.value.start, caught.value.end) == (1, 2)


def test_chunks_are_the_whole() -> None:
    rng = random.Random(4)
    register("utflane test mark", lambda error: (f"<{error.end - error.start}>", error.end))
    pieces = [b"a", b"\xff", b"\xe2\x82", b"\xed\xa0\x80", b"\xd8", b"\0", *(text.encode() for text in SENTENCES.values())]
    for encoding in ["utf-8", "utf-16-be", "shift_jis", "iso-2022-jp"]:
        for errors in ["utflane test mark", "surrogatepass", "surrogateescape"]:
            for _ in range(60):
                data = b"".join(rng.choice(pieces) for _ in range(rng.randrange(9)))
                calls: Calls = []
                whole = outcome(lambda: utflane.decode(data, encoding, errors).text, calls)
                size = rng.randrange(1, 9)
                chunks = [data[at : at + size] for at in range(0, len(data), size)]

                def decode() -> str:
                    decoder = utflane.Decoder(encoding, errors)
                    return "".join([*(decoder.decode(chunk) for chunk in chunks), decoder.decode(b"", True)])

                def by_codec() -> str:
                    return "".join(codecs.iterdecode(iter(chunks), "utflane-" + encoding, errors))

                for call in [decode, by_codec]:
                    found = outcome(call, calls)
                    assert found == whole or isinstance(whole[0], tuple) and isinstance(found[0], tuple), data

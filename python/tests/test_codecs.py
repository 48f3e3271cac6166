import codecs
import io
import random

import pytest
from texts import SENTENCES

import utflane

TEXT = "".join(SENTENCES.values()) + "\0 😀\n"


def names() -> list[str]:
    missing = ["mutf-8", "cesu-8", "wtf-8", "wtf-16le"]
    unicode = ["utf-8", "utf-16le", "utf-16", "utf-32be", "utf-8-sig", "gb18030"]
    return missing + ["utflane-" + name for name in unicode]


@pytest.mark.parametrize("name", names())
def test_a_codec_in_all_its_forms(name: str) -> None:
    data = TEXT.encode(name)
    assert data == utflane.encode(TEXT, name.removeprefix("utflane-"))
    assert data.decode(name) == TEXT
    assert codecs.decode(bytearray(data), name) == TEXT
    for size in [1, 7, 1000]:
        chunks = [data[at : at + size] for at in range(0, len(data), size)]
        assert "".join(codecs.iterdecode(iter(chunks), name)) == TEXT
        texts = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
        assert b"".join(codecs.iterencode(iter(texts), name)) == data
    reader = codecs.getreader(name)(io.BytesIO(data))
    assert reader.read() == TEXT
    reader = codecs.getreader(name)(io.BytesIO(data))
    assert reader.readline() == TEXT
    stream = io.BytesIO()
    writer = codecs.getwriter(name)(stream)
    writer.write(TEXT[:10])
    writer.write(TEXT[10:])
    assert stream.getvalue() == data
    wrapped = io.TextIOWrapper(io.BytesIO(data), name)
    assert wrapped.read(5) == TEXT[:5]
    assert wrapped.read() == TEXT[5:]


def test_names_that_python_lacks() -> None:
    assert "a\0😀".encode("mutf-8") == b"a\xc0\x80\xed\xa0\xbd\xed\xb8\x80"
    assert b"\xed\xa0\xbd\xed\xb8\x80".decode("cesu8") == "😀"
    assert b"\xed\xa0\x80".decode("wtf-8") == "\ud800"
    assert "\ud83d\ude00\ud800".encode("wtf-8") == b"\xf0\x9f\x98\x80\xed\xa0\x80"
    assert codecs.lookup("modified-utf-8").name == "mutf-8"
    for unknown in ["utflane-nothing", "utflane-auto", "mutf-9"]:
        with pytest.raises(LookupError):
            codecs.lookup(unknown)
    assert codecs.lookup("utf-8").name == "utf-8"


@pytest.mark.parametrize("errors", ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "mine"])
def test_errors_are_those_of_python(errors: str) -> None:
    def handler(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        return f"<{error.object[error.start : error.end].hex()}>", error.end

    codecs.register_error("mine", handler)
    rng = random.Random(3)
    pieces = [b"abc", "é€😀".encode(), b"\xff", b"\xe2\x82", b"\xed\xa0\x80"]
    for _ in range(300):
        data = b"".join(rng.choice(pieces) for _ in range(rng.randrange(12)))
        try:
            expected: object = data.decode("utf-8", errors)
        except UnicodeDecodeError as error:
            expected = (error.start, error.end)
        try:
            found: object = data.decode("utflane-utf-8", errors)
        except UnicodeDecodeError as error:
            found = (error.start, error.end)
        assert found == expected, data
        if isinstance(expected, str):
            chunks = [data[at : at + 1] for at in range(len(data))]
            assert "".join(codecs.iterdecode(iter(chunks), "utflane-utf-8", errors)) == expected


def test_errors_of_encoding_are_those_of_python() -> None:
    for errors in ["replace", "ignore", "xmlcharrefreplace", "backslashreplace", "namereplace", "surrogateescape"]:
        text = "a\udcff" if errors == "surrogateescape" else "a€b😀"
        assert text.encode("utflane-latin1", errors) == text.encode("latin-1", errors)
    with pytest.raises(UnicodeEncodeError) as caught:
        "ab€".encode("utflane-latin1")
    assert (caught.value.start, caught.value.end) == (2, 3)


def test_an_error_of_a_stream_has_its_offset() -> None:
    decoder = codecs.getincrementaldecoder("mutf-8")()
    decoder.decode(b"abc\xc3")
    with pytest.raises(utflane.DecodeError) as caught:
        decoder.decode(b"\xa9d\xff")
    assert caught.value.offset == 6

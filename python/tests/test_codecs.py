import codecs
import io
import pathlib
import random

import pytest
from texts import SENTENCES

import utflane

TEXT = "".join(SENTENCES.values()) + "\0 😀\n"


def codec_names() -> list[str]:
    missing_in_python = ["mutf-8", "cesu-8", "wtf-8", "wtf-16le"]
    unicode = ["utf-8", "utf-16le", "utf-16", "utf-32be", "utf-8-sig", "gb18030"]
    return missing_in_python + ["utflane-" + name for name in unicode]


@pytest.mark.parametrize("name", codec_names())
def test_all_interfaces_of_a_codec(name: str) -> None:
    data = TEXT.encode(name)
    assert data == utflane.encode(TEXT, name.removeprefix("utflane-"))
    assert data.decode(name) == TEXT
    assert codecs.decode(bytearray(data), name) == TEXT
    for size in [1, 7, 1000]:
        chunks = [data[start : start + size] for start in range(0, len(data), size)]
        assert "".join(codecs.iterdecode(iter(chunks), name)) == TEXT
        texts = [TEXT[start : start + size] for start in range(0, len(TEXT), size)]
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


def test_codecs_that_python_lacks() -> None:
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
def test_decoding_errors_equal_those_of_python(errors: str) -> None:
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
            chunks = [data[start : start + 1] for start in range(len(data))]
            assert "".join(codecs.iterdecode(iter(chunks), "utflane-utf-8", errors)) == expected


def test_encoding_errors_equal_those_of_python() -> None:
    for errors in ["replace", "ignore", "xmlcharrefreplace", "backslashreplace", "namereplace", "surrogateescape"]:
        text = "a\udcff" if errors == "surrogateescape" else "a€b😀"
        assert text.encode("utflane-latin1", errors) == text.encode("latin-1", errors)
    with pytest.raises(UnicodeEncodeError) as caught:
        "ab€".encode("utflane-latin1")
    assert (caught.value.start, caught.value.end) == (2, 3)


def test_an_error_in_a_stream_has_the_offset_in_the_stream() -> None:
    decoder = codecs.getincrementaldecoder("mutf-8")()
    decoder.decode(b"abc\xc3")
    with pytest.raises(utflane.DecodeError) as caught:
        decoder.decode(b"\xa9d\xff")
    assert caught.value.offset == 6


LANGUAGES_AND_ENCODINGS = [("ja", "shift_jis"), ("ja", "euc-jp"), ("ja", "iso-2022-jp"), ("zh", "gb18030"), ("zh", "gbk"), ("zh", "big5")]
LANGUAGES_AND_ENCODINGS += [("ko", "euc-kr"), ("de", "utf-8-sig"), ("ru", "utf-16"), ("el", "utf-32"), ("fr", "utf-8"), ("pl", "utf-16-be")]
LANGUAGES_AND_ENCODINGS += [("sv", "cp1252")]


@pytest.mark.parametrize(("language", "encoding"), LANGUAGES_AND_ENCODINGS)
def test_tell_and_seek_in_a_text_file(language: str, encoding: str, tmp_path: pathlib.Path) -> None:
    """Python's `TextIOWrapper` saves the state of the decoder, and restores it."""
    path = tmp_path / "text"
    text = "".join(f"{i} {SENTENCES[language]} abc\n" for i in range(300))
    text = "".join(c for c in text if c.encode(encoding, "ignore"))
    path.write_text(text, encoding)
    rng = random.Random(encoding)
    with path.open(encoding="utflane-" + encoding) as file:
        first_part = file.read(4321)
        file.tell()
        assert first_part + file.read() == text
        cookies = []
        file.seek(0)
        position = 0
        while position < len(text):
            cookies.append((file.tell(), position))
            size = rng.randrange(1, 2000)
            assert file.read(size) == text[position : position + size]
            position += size
        for cookie, position in rng.sample(cookies, len(cookies)):
            file.seek(cookie)
            assert file.read(50) == text[position : position + 50]
        file.seek(0)
        lines = [file.readline() for _ in range(10)]
        cookie = file.tell()
        rest = file.read()
        file.seek(cookie)
        assert file.read() == rest and "".join(lines) + rest == text
    with utflane.open(path, encoding) as our_file:
        assert our_file.readline() == lines[0]
        cookie = our_file.tell()
        second = our_file.readline()
        our_file.seek(cookie)
        assert our_file.readline() == second == lines[1]


@pytest.mark.parametrize(("language", "encoding"), LANGUAGES_AND_ENCODINGS)
def test_the_state_of_a_decoder_can_be_restored_after_each_byte(language: str, encoding: str) -> None:
    text = (SENTENCES[language] + " a\n") * 2
    data = text.encode(encoding, "ignore")
    text = data.decode(encoding)
    decoder = codecs.getincrementaldecoder("utflane-" + encoding)()
    states: list[tuple[tuple[bytes, int], int]] = []
    decoded = ""
    for offset in range(len(data)):
        state = decoder.getstate()
        assert isinstance(state[1], int) and len(state[0]) < 4
        states.append((state, len(decoded)))
        decoded += decoder.decode(data[offset : offset + 1])
    assert decoded + decoder.decode(b"", True) == text
    for offset, (state, position) in enumerate(states):
        other = codecs.getincrementaldecoder("utflane-" + encoding)()
        other.setstate(state)
        assert other.decode(data[offset:], True) == text[position:]
        assert other.getstate()[0] == b""
    decoder.reset()
    assert decoder.getstate() == (b"", 0)
    assert decoder.decode(data, True) == text


def test_all_states_of_iso_2022_jp() -> None:
    """Compares decoding byte by byte with decoding of the whole text.

    Python's `iso2022_jp` is not the reference, because it has no half-width katakana.
    """
    rng = random.Random(2)
    escapes = [b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B", b"\x1b$@", b"\x1b", b"\x1b$"]
    for _ in range(500):
        data = b"".join(rng.choice([*escapes, b"a", b"\x30\x21", b"\x21", b"\xff", b"\n"]) for _ in range(rng.randrange(12)))
        whole = data.decode("utflane-iso-2022-jp", "replace")
        decoder = codecs.getincrementaldecoder("utflane-iso-2022-jp")("replace")
        text = ""
        for offset in range(len(data)):
            state = decoder.getstate()
            decoder = codecs.getincrementaldecoder("utflane-iso-2022-jp")("replace")
            decoder.setstate(state)
            text += decoder.decode(data[offset : offset + 1])
        assert text + decoder.decode(b"", True) == whole, data


def test_the_offset_of_an_error_is_none_after_setstate() -> None:
    decoder = codecs.getincrementaldecoder("utflane-utf-8")()
    decoder.setstate((b"", 0))
    with pytest.raises(utflane.DecodeError) as caught:
        decoder.decode(b"a\xff")
    assert (caught.value.start, caught.value.offset) == (1, None)

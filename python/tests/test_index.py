import random

import pytest

import utflane


def test_conversions_of_offsets() -> None:
    rng = random.Random(2)
    text = "".join(rng.choice("aé€😀\n") for _ in range(3000))
    index = utflane.Index(text)
    assert (index.code_points, index.bytes) == (len(text), len(text.encode()))
    assert index.utf16_units == len(text.encode("utf-16-le")) // 2
    assert index.lines == text.count("\n") + 1
    for offset in [0, 1, 2, 1500, 2999, 3000, *(rng.randrange(3000) for _ in range(200))]:
        before = text[:offset]
        byte_offset = len(before.encode())
        assert index.convert(offset, "code_points", "bytes") == byte_offset
        assert index.convert(byte_offset, "bytes", "code_points") == offset
        utf16_offset = len(before.encode("utf-16-le")) // 2
        assert index.convert(offset, "code_points", "utf16_units") == utf16_offset
        line = before.count("\n")
        column = offset - (before.rfind("\n") + 1)
        assert index.position(offset) == (line, column)
        assert index.offset(line, column) == offset
    offsets = [0, 5, 10]
    assert index.convert(offsets, "code_points", "bytes") == [len(text[:offset].encode()) for offset in offsets]


def test_invalid_arguments_are_errors() -> None:
    index = utflane.Index("a\nb")
    with pytest.raises(IndexError):
        index.position(4)
    with pytest.raises(IndexError):
        index.convert([0, 9], "bytes", "bytes")
    with pytest.raises(IndexError):
        index.offset(2)
    assert index.offset(0, 100) == 1
    with pytest.raises(ValueError, match="one of bytes"):
        index.position(0, "lines")  # type: ignore[arg-type]
    with pytest.raises(OverflowError):
        index.position(-1)
    with pytest.raises(ValueError, match="surrogates"):
        utflane.Index("\ud800")
    with pytest.raises(TypeError):
        utflane.Index(5)  # type: ignore[arg-type]

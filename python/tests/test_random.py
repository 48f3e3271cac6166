"""Tests with random input: functions raise only the exceptions of this package."""

import random

import pytest

import utflane

NAMES = [name for name, _ in utflane.encodings()]
HANDLERS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape"]


@pytest.mark.parametrize("encoding", [*NAMES, "auto", "utf-8-sig"])
def test_random_bytes(encoding: str) -> None:
    rng = random.Random(encoding)
    for round_index in range(200):
        data = rng.randbytes(rng.randrange(40))
        if round_index % 2:
            data = bytes(byte if byte > 0x7F else 0x61 for byte in data)
        for errors in [*HANDLERS, "latin1"]:
            try:
                decoded = utflane.decode(data, encoding, errors)
            except utflane.DecodeError as error:
                assert errors in ("strict", "surrogateescape")
                assert 0 <= error.start < error.end <= len(data)
            except utflane.UnknownEncodingError:
                assert encoding == "auto" and utflane.detect(data).encoding is None
            else:
                previous_ends = [0, *(repair.end for repair in decoded.repairs)]
                assert all(repair.start >= end for repair, end in zip(decoded.repairs, previous_ends, strict=False))
                for repair in decoded.repairs:
                    assert repair.position + repair.length <= len(decoded.text)
                if errors == "strict" and encoding != "auto":
                    assert len(decoded.repairs) == 0 and utflane.validate(data, encoding) is None
                if encoding == "auto" or errors != "replace":
                    continue
                decoder = utflane.Decoder(encoding, errors)
                texts = [decoder.decode(data[i : i + 1]) for i in range(len(data))]
                assert "".join([*texts, decoder.decode(b"", True)]) == decoded.text


@pytest.mark.parametrize("encoding", NAMES)
def test_random_texts(encoding: str) -> None:
    rng = random.Random(encoding)
    for _ in range(200):
        text = "".join(rng.choice("aé€я日😀\u00a0\ud800\udcffÃ\x80") for _ in range(rng.randrange(20)))
        for errors in [*HANDLERS, "xmlcharrefreplace"]:
            try:
                utflane.encode(text, encoding, errors)
            except utflane.EncodeError as error:
                assert errors in ("strict", "surrogateescape")
                assert 0 <= error.start < error.end <= len(text)
        try:
            data = utflane.encode(text, encoding)
        except utflane.EncodeError:
            continue
        if encoding not in ("utf-16", "utf-32", "wtf-8", "wtf-16le", "wtf-16be"):
            assert utflane.decode(data, encoding).text == text


def test_random_double_encoding() -> None:
    rng = random.Random(5)
    for _ in range(3000):
        text = "".join(rng.choice("ÃÂâðŸ˜€\u00a0 a.é\x80\x9f¶я\ud800") for _ in range(rng.randrange(20)))
        for mode in ["all", "once", "runs", "runs-all", "latin1", "windows-1252"]:
            for spaces in [False, True]:
                if spaces and mode in ("latin1", "windows-1252"):
                    continue
                fixed = utflane.fix_mojibake(text, mode, no_break_spaces=spaces)  # type: ignore[call-overload]
                explained = utflane.explain(text, mode, no_break_spaces=spaces)  # type: ignore[call-overload]
                assert explained.text == fixed
                rebuilt, previous_end = "", 0
                for change in explained.changes:
                    assert text[change.start : change.end] == change.before
                    rebuilt += text[previous_end : change.start] + change.after
                    previous_end = change.end
                assert rebuilt + text[previous_end:] == fixed

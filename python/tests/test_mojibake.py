import random
from typing import Literal

import pytest
from texts import SENTENCES, double_encoded

import utflane


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_double_encoding_is_undone_and_other_text_is_unchanged(language: str, encoding: str) -> None:
    text = SENTENCES[language]
    assert utflane.fix_mojibake(text) is text
    once = double_encoded(text, encoding)
    assert utflane.fix_mojibake(once) == text
    assert utflane.fix_mojibake(double_encoded(once, encoding)) == text
    assert utflane.fix_mojibake(double_encoded(once, encoding), "once") == once
    assert utflane.fix_mojibake(once, "latin1" if encoding == "latin-1" else "windows-1252") == text


def test_modes_that_repair_parts_of_a_text() -> None:
    text = "först, fÃ¶rst, fÃƒÂ¶rst"
    assert utflane.fix_mojibake(text) == text
    assert utflane.fix_mojibake(text, "runs") == "först, först, fÃ¶rst"
    assert utflane.fix_mojibake(text, "runs-all") == "först, först, först"


def test_a_list_keeps_its_length_and_missing_items() -> None:
    texts = ["fÃ¶rst", None, "plain", ""]
    fixed = utflane.fix_mojibake(texts)
    assert fixed == ["först", None, "plain", ""]
    assert fixed[2] is texts[2]
    assert utflane.fix_mojibake(tuple(texts)) == fixed
    many = ["fÃ¶rst"] * 10_000 + ["x" * 100_000]
    assert utflane.fix_mojibake(many) == ["först"] * 10_000 + ["x" * 100_000]
    with pytest.raises(TypeError) as caught:
        utflane.fix_mojibake(["a"] * 5000 + [5])  # type: ignore[list-item]
    assert caught.value.index == 5000  # type: ignore[attr-defined]


def test_surrogates_are_unchanged() -> None:
    text = "\ud800 fÃ¶rst \udcff"
    assert utflane.fix_mojibake(text) is text
    assert utflane.fix_mojibake(text, "runs") == "\ud800 först \udcff"
    change = utflane.explain(text, "runs").changes[0]
    assert (change.start, change.end) == (3, 5)


@pytest.mark.parametrize("mode", ["runs-all", "all"])
@pytest.mark.parametrize("spaces", [False, True])
def test_explain_returns_the_changed_parts(mode: str, spaces: bool) -> None:
    prefix = "x, y 😀, " if mode == "runs-all" else "x, y, "
    for text in SENTENCES.values():
        given = prefix + double_encoded(double_encoded(text), "cp1252") + " end"
        explanation = utflane.explain(given, mode, no_break_spaces=spaces)  # type: ignore[call-overload]
        assert explanation.text == utflane.fix_mojibake(given, mode, no_break_spaces=spaces)  # type: ignore[call-overload]
        assert explanation.rounds == 2
        rebuilt, previous_end = "", 0
        for change in explanation.changes:
            assert given[change.start : change.end] == change.before != change.after
            rebuilt += given[previous_end : change.start] + change.after
            previous_end = change.end
        assert rebuilt + given[previous_end:] == explanation.text == prefix + text + " end"


def test_explain_restores_no_break_spaces() -> None:
    explanation = utflane.explain("dÃ©jÃ , Ã la carte", no_break_spaces=True)
    assert explanation.text == "déjà, à la carte"
    assert [change.after for change in explanation.changes] == ["é", "à", "à"]
    unchanged = utflane.explain("déjà")
    assert (unchanged.text, unchanged.rounds, unchanged.changes) == ("déjà", 0, [])


def test_invalid_arguments_are_errors() -> None:
    with pytest.raises(ValueError, match="one of all, once"):
        utflane.fix_mojibake("a", "some")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="no_break_spaces"):
        utflane.fix_mojibake("a", "latin1", no_break_spaces=True)
    with pytest.raises(TypeError, match="a str is required"):
        utflane.fix_mojibake(b"a")  # type: ignore[call-overload]


@pytest.mark.parametrize("spaces", [False, True])
def test_long_texts_are_repaired_like_short_texts(spaces: bool) -> None:
    characters = "".join(bytes([byte]).decode("cp1252", "ignore") for byte in range(0x80, 0xC0))
    beginnings = ["", "a" * 511, "a" * 512, "a" * 600, "é", "ö ", "Ã", "Ã ", "Ã\x9f", "Ãx", "я", "\ud800", "Ô…"]
    beginnings += ["Ð" + character for character in characters]
    for beginning in beginnings:
        for rest in ["fÃ¶rste ", "först ", "plain "]:
            short = beginning + rest
            long = beginning + rest * 1000
            fixed = utflane.fix_mojibake(short, no_break_spaces=spaces)
            assert (fixed == short) == (utflane.fix_mojibake(long, no_break_spaces=spaces) == long), short
            explained = utflane.explain(long, no_break_spaces=spaces)
            assert utflane.fix_mojibake(long, no_break_spaces=spaces) == explained.text


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
@pytest.mark.parametrize("mode", ["all", "once"])
def test_the_end_of_a_long_text_can_prevent_the_repair(encoding: str, mode: Literal["all", "once"]) -> None:
    """The beginning of each text is double-encoded. The end decides if the text is repaired."""
    clean = ["först ", "don’t ", "中文 ", "😀 ", "x ", "Łódź ", "é", "中"]
    ends = [
        "",
        "ö",  # a letter that is not double-encoded
        "Ã\x84",  # a sequence with a control character that only Latin-1 has
        "â‚¬",  # a sequence with a character that only windows-1252 has
        "Ã",  # half of a sequence
        "\ud800",  # a surrogate
        "\x9d",  # a control character
    ]
    for text in clean:
        once = double_encoded(text, encoding) * 3000
        for given in [once, double_encoded(once, "cp1252"), "plain " * 1000 + once]:
            for end in ends:
                expected = utflane.explain(given + end, mode).text
                assert utflane.fix_mojibake(given + end, mode) == expected, (text, end)
            assert utflane.fix_mojibake(given, mode) != given or text == "x "


@pytest.mark.parametrize("mode", ["all", "once"])
def test_explain_and_fix_mojibake_agree(mode: Literal["all", "once"]) -> None:
    """`explain` reads the UTF-8 of a text. `fix_mojibake` reads the code points of a short text."""
    rng = random.Random(9)
    continuations = [bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0xC0)]
    others = ["\x81", "\x84", "\0", "a", "Z", " ", "\n", "é", "я", "中", "😀", "\ud800", "\udfff", "ÿ", "ō"]
    pieces = [*SENTENCES.values(), *map(double_encoded, SENTENCES.values())]
    pieces += [double_encoded(piece, "cp1252") for piece in pieces]
    for _ in range(3000):
        if rng.random() < 0.5:
            leads = [chr(rng.randrange(0xC2, 0xF5)) for _ in range(4)]
            chosen = rng.choices([*leads, *continuations[:20], *others], k=rng.randrange(12))
        else:
            chosen = rng.choices([rng.choice(pieces), *pieces[:2], *others[:5]], [9, 0.1, 0.1, *[1] * 5], k=rng.randrange(9))
        text = "".join(chosen)
        assert utflane.fix_mojibake(text, mode) == utflane.explain(text, mode).text, repr(text)


@pytest.mark.parametrize("size", [0, 1, 2, 4093, 4094, 4095, 4096, 4097, 4098])
def test_short_texts_and_lengths_near_4096(size: int) -> None:
    for end in ["", "é", "€", "Ã©", "â‚¬", "ðŸ˜€", "Ã©\ud800", "Ã©😀"]:
        for text in ["a" * size + end, "Ã©" * (size // 2) + end, "ðŸ˜€" * (size // 4) + end]:
            for mode in "all", "once":
                fixed = utflane.fix_mojibake(text, mode)
                assert fixed == utflane.explain(text, mode).text
                assert utflane.fix_mojibake([text, None, text], mode) == [fixed, None, fixed]
                if fixed == text:
                    assert fixed is text

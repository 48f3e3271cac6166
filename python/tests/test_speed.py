"""Assertions far below the results of speed.py: they fail after a regression, not because of noise."""

from speed import WHOLE, detection, repair
from texts import SENTENCES, damaged


def test_repair() -> None:
    text = (SENTENCES["fr"] + "\n") * (WHOLE // len(SENTENCES["fr"]))
    clean = repair(text.split("\n"), text, 5)
    assert clean["a line"] > 10
    assert clean["a list"] > 10
    assert clean["whole"] > 100
    broken = damaged(text)
    assert repair(broken.split("\n"), broken, 5)["whole"] > 5


def test_detection() -> None:
    text = SENTENCES["fr"] * 100
    assert detection(text.encode(), 5) > 10
    assert detection(text.encode("utf-16-le"), 5) > 5

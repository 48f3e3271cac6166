"""Checks that the speeds are not far below the results of speed.py.

The limits are so low that a test fails only after a regression, not because of noise.
"""

from speed import WHOLE_CHARACTERS, measure_detection, measure_repair
from texts import SENTENCES, double_encoded


def test_speed_of_repair() -> None:
    text = (SENTENCES["fr"] + "\n") * (WHOLE_CHARACTERS // len(SENTENCES["fr"]))
    clean_ratios = measure_repair(text.split("\n"), text, 5)
    assert clean_ratios["a line"] > 10
    assert clean_ratios["a list"] > 10
    assert clean_ratios["whole"] > 100
    broken = double_encoded(text)
    assert measure_repair(broken.split("\n"), broken, 5)["whole"] > 5


def test_speed_of_detection() -> None:
    text = SENTENCES["fr"] * 100
    assert measure_detection(text.encode(), 5) > 10
    assert measure_detection(text.encode("utf-16-le"), 5) > 2

#!/usr/bin/env python3
"""Measures the speed of this package divided by the speed of ftfy, chardet and charset-normalizer.

    python python/tests/speed.py [FILE...]

All sides of a comparison are timed in turns, and each figure is the least of its turns: the time of
the processor, so that other programs count less. The files
are texts in UTF-8; without any, the sentences of the tests are repeated.
"""

from __future__ import annotations

import pathlib
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import charset_normalizer
import chardet
import ftfy
from texts import SENTENCES, WESTERN, damaged

import utflane
from utflane.compat import ftfy as our_ftfy

T = TypeVar("T")

#: Characters of a text that is measured as a whole.
WHOLE = 100_000


def seconds(
    sides: list[Callable[[T], object]], fresh: Callable[[], T], turns: int
) -> list[float]:
    """The minimum time of each package. Each call gets a separate argument: Python keeps the UTF-8 of
    a `str` that was asked for once.
    """
    calls, best = [], [float("inf")] * len(sides)
    for side in sides:
        argument = fresh()
        start = time.thread_time()
        side(argument)
        taken = time.thread_time() - start
        calls.append(max(1, min(64, int(0.002 / max(taken, 1e-7)))))
    for _ in range(turns):
        for i, side in enumerate(sides):
            arguments = [fresh() for _ in range(calls[i])]
            start = time.thread_time()
            for argument in arguments:
                side(argument)
            best[i] = min(best[i], (time.thread_time() - start) / calls[i])
    return best


def ratio(sides: list[Callable[[T], object]], fresh: Callable[[], T], turns: int) -> float:
    """How many times as fast the first side is as the fastest of the others."""
    first, *others = seconds(sides, fresh, turns)
    return min(others) / first


def repair(lines: list[str], whole: str, turns: int) -> dict[str, float]:
    """Ratios of the repair of a text: by line, as a list, by our `fix_encoding`, as a whole."""
    data = [line.encode() for line in lines[:200]]
    everything = whole.encode()

    def fresh() -> list[str]:
        return [line.decode() for line in data]

    def each(function: Callable[[str], str]) -> Callable[[list[str]], object]:
        return lambda texts: [function(text) for text in texts]

    theirs = each(ftfy.fix_encoding)
    return {
        "a line": ratio([each(utflane.fix_mojibake), theirs], fresh, turns),
        "a list": ratio([utflane.fix_mojibake, theirs], fresh, turns),
        "fix_encoding": ratio([each(our_ftfy.fix_encoding), theirs], fresh, turns),
        "whole": ratio([utflane.fix_mojibake, ftfy.fix_encoding], everything.decode, turns),
    }


def detection(data: bytes, turns: int) -> float:
    """The ratio of the detection of a text."""

    def normalizer(data: bytes) -> object:
        return charset_normalizer.from_bytes(data).best()

    return ratio([utflane.detect, chardet.detect, normalizer], lambda: data, turns)


def main() -> None:
    if sys.argv[1:]:
        texts = {path: pathlib.Path(path).read_text("utf-8")[:WHOLE] for path in sys.argv[1:]}
    else:
        texts = {name: (text + "\n") * (WHOLE // len(text)) for name, text in SENTENCES.items()}
    print("| text | damaged | a line | a list | fix_encoding | whole |\n|---|---|---|---|---|---|")
    for name, text in texts.items():
        for title, given in [("no", text), ("yes", damaged(text, "cp1252"))]:
            ratios = repair(given.split("\n"), given, 3)
            print(f"| {name} | {title} | " + " | ".join(f"{each:,.0f}" for each in ratios.values()) + " |")
    sizes = [100, 1_000, 10_000, 100_000]
    print("\n| text | encoding |" + "".join(f" {size:,} bytes |" for size in sizes) + "\n|---|---|" + "---|" * len(sizes))
    for name, text in texts.items():
        western = ["cp1252"] if name in WESTERN else []
        for encoding in ["utf-8", "utf-16-le", "utf-32-be", *western]:
            data = text.encode(encoding, "replace")
            measured = [detection(data[:size], 3) for size in sizes]
            print(f"| {name} | {encoding} | " + " | ".join(f"{each:,.1f}" for each in measured) + " |")


if __name__ == "__main__":
    main()

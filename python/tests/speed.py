#!/usr/bin/env python3
"""Measures the speed of this package divided by the speed of ftfy, chardet and charset-normalizer.

    python python/tests/speed.py [FILE...]

The functions of a comparison are timed alternately, in several rounds, and the minimum of all rounds
counts. The times are processor times, so that other programs matter less. The files are texts in
UTF-8. Without files, the sentences of the tests are repeated.
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
from texts import SENTENCES, WESTERN, double_encoded

import utflane
from utflane.compat import ftfy as our_ftfy

T = TypeVar("T")

#: The number of characters of a text that is measured as a whole.
WHOLE_CHARACTERS = 100_000


def measure_seconds(
    functions: list[Callable[[T], object]], new_argument: Callable[[], T], rounds: int
) -> list[float]:
    """Returns the minimum time of a call of each function, in seconds.

    Each call gets a new argument, because Python keeps the UTF-8 of a `str` after the first request.
    """
    calls_per_round, best = [], [float("inf")] * len(functions)
    for function in functions:
        argument = new_argument()
        start = time.thread_time()
        function(argument)
        duration = time.thread_time() - start
        calls_per_round.append(max(1, min(64, int(0.002 / max(duration, 1e-7)))))
    for _ in range(rounds):
        for i, function in enumerate(functions):
            arguments = [new_argument() for _ in range(calls_per_round[i])]
            start = time.thread_time()
            for argument in arguments:
                function(argument)
            best[i] = min(best[i], (time.thread_time() - start) / calls_per_round[i])
    return best


def measure_ratio(
    functions: list[Callable[[T], object]], new_argument: Callable[[], T], rounds: int
) -> float:
    """Returns the speed of the first function, divided by the speed of the fastest other one."""
    first, *others = measure_seconds(functions, new_argument, rounds)
    return min(others) / first


def measure_repair(lines: list[str], whole: str, rounds: int) -> dict[str, float]:
    """Returns the ratios for the repair of a text: line by line, as a list of lines, line by line
    with our `fix_encoding`, and as a whole.
    """
    data = [line.encode() for line in lines[:200]]
    whole_data = whole.encode()

    def new_lines() -> list[str]:
        return [line.decode() for line in data]

    def for_each(function: Callable[[str], str]) -> Callable[[list[str]], object]:
        return lambda texts: [function(text) for text in texts]

    theirs = for_each(ftfy.fix_encoding)
    return {
        "a line": measure_ratio([for_each(utflane.fix_mojibake), theirs], new_lines, rounds),
        "a list": measure_ratio([utflane.fix_mojibake, theirs], new_lines, rounds),
        "fix_encoding": measure_ratio([for_each(our_ftfy.fix_encoding), theirs], new_lines, rounds),
        "whole": measure_ratio(
            [utflane.fix_mojibake, ftfy.fix_encoding], whole_data.decode, rounds
        ),
    }


def measure_detection(data: bytes, rounds: int) -> float:
    """Returns the ratio for the detection of the encoding of a text."""

    def detect_by_normalizer(data: bytes) -> object:
        return charset_normalizer.from_bytes(data).best()

    return measure_ratio([utflane.detect, chardet.detect, detect_by_normalizer], lambda: data, rounds)


def main() -> None:
    if sys.argv[1:]:
        texts = {path: pathlib.Path(path).read_text("utf-8")[:WHOLE_CHARACTERS] for path in sys.argv[1:]}
    else:
        texts = {name: (text + "\n") * (WHOLE_CHARACTERS // len(text)) for name, text in SENTENCES.items()}
    print("| text | damaged | a line | a list | fix_encoding | whole |\n|---|---|---|---|---|---|")
    for name, text in texts.items():
        for title, given in [("no", text), ("yes", double_encoded(text, "cp1252"))]:
            ratios = measure_repair(given.split("\n"), given, 3)
            print(f"| {name} | {title} | " + " | ".join(f"{ratio:,.0f}" for ratio in ratios.values()) + " |")
    sizes = [100, 1_000, 10_000, 100_000]
    print("\n| text | encoding |" + "".join(f" {size:,} bytes |" for size in sizes) + "\n|---|---|" + "---|" * len(sizes))
    for name, text in texts.items():
        western = ["cp1252"] if name in WESTERN else []
        for encoding in ["utf-8", "utf-16-le", "utf-32-be", *western]:
            data = text.encode(encoding, "replace")
            ratios_by_size = [measure_detection(data[:size], 3) for size in sizes]
            print(f"| {name} | {encoding} | " + " | ".join(f"{ratio:,.1f}" for ratio in ratios_by_size) + " |")


if __name__ == "__main__":
    main()

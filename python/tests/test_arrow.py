"""Columns of pyarrow, by the PyCapsule interface."""

import gc
import random
from typing import Any, Literal

import pyarrow  # type: ignore[import-untyped]
import pytest
from texts import SENTENCES, damaged

import utflane

TYPES = [pyarrow.string(), pyarrow.large_string()]


def fix(column: Any, mode: Any = "all") -> Any:
    return pyarrow.array(utflane.fix_mojibake(column, mode))


@pytest.mark.parametrize("kind", TYPES)
def test_a_column_is_that_of_a_list(kind: Any) -> None:
    rng = random.Random(6)
    choices = [None, "", "plain", *SENTENCES.values(), *map(damaged, SENTENCES.values()), "först, fÃ¶rst"]
    for size in [0, 1, 2, 7, 8, 9, 100]:
        for _ in range(30):
            texts = [rng.choice(choices) for _ in range(size)]
            column = pyarrow.array(texts, kind)
            start = rng.randrange(size + 1)
            for part, expected in [(column, texts), (column[start:], texts[start:]), (column[: size - start], texts[: size - start])]:
                modes: list[Literal["all", "runs-all"]] = ["all", "runs-all"]
                for mode in modes:
                    fixed = fix(part, mode)
                    fixed.validate(full=True)
                    assert fixed.type == kind
                    assert fixed.to_pylist() == utflane.fix_mojibake(expected, mode)


@pytest.mark.parametrize("kind", TYPES)
def test_what_is_undamaged_is_the_same_object(kind: Any) -> None:
    column = pyarrow.array([*SENTENCES.values(), None], kind)
    assert utflane.fix_mojibake(column) is column


def test_the_memory_lives_as_long_as_it_is_used() -> None:
    texts = [damaged(text) * 100 for text in SENTENCES.values()]
    result = utflane.fix_mojibake(pyarrow.array(texts))
    arrays = [pyarrow.array(result) for _ in range(3)]
    assert len(result) == len(texts)
    capsules = result.__arrow_c_array__()
    del result, capsules
    gc.collect()
    for array in arrays:
        assert array.to_pylist() == [text * 100 for text in SENTENCES.values()]
    before = pyarrow.total_allocated_bytes()
    for _ in range(100):
        fix(pyarrow.array(texts))
    gc.collect()
    assert pyarrow.total_allocated_bytes() <= before


def test_other_columns_are_refused() -> None:
    for column in [pyarrow.array([1, 2]), pyarrow.array(["a"]).dictionary_encode(), pyarrow.array([b"a"])]:
        with pytest.raises(TypeError, match="strings is required"):
            utflane.fix_mojibake(column)


def test_a_table_of_chunks() -> None:
    chunked = pyarrow.chunked_array([["fÃ¶rst"], ["plain", None]])
    fixed = pyarrow.chunked_array([fix(chunk) for chunk in chunked.chunks])
    assert fixed.to_pylist() == ["först", "plain", None]


@pytest.mark.parametrize("offsets", [[0, 5, 3], [2, 0, 6], [0, 2, 6], [0, 3, 5], [0, 3, 6]])
def test_offsets_are_checked(offsets: list[int]) -> None:
    starts = pyarrow.array(offsets, pyarrow.int32()).buffers()[1]
    text = pyarrow.py_buffer("aé€x".encode())
    column = pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, starts, text])
    if offsets == [0, 3, 6]:
        assert utflane.fix_mojibake(column) is column
    else:
        with pytest.raises(ValueError, match="enclose no text|no UTF-8"):
            utflane.fix_mojibake(column)


class Fake:
    """No capsules at all."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return 1, 2


def test_a_producer_without_capsules() -> None:
    with pytest.raises(TypeError):
        utflane.fix_mojibake(Fake())

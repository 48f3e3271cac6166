"""Arrow arrays with wrong structures: each is an error, or the wrong field is ignored.

The sizes of the buffers stand nowhere in the interface, so they are believed.
"""

import ctypes
from typing import Any

import pyarrow  # type: ignore[import-untyped]
import pytest

import utflane


class Structure(ctypes.Structure):
    """`struct ArrowArray`."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ["length", "null_count", "offset", "n_buffers", "n_children"]),
        *((name, ctypes.c_void_p) for name in ["buffers", "children", "dictionary", "release", "private_data"]),
    ]


NEW = ctypes.pythonapi.PyCapsule_New
NEW.restype, NEW.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
POINTER = ctypes.pythonapi.PyCapsule_GetPointer
POINTER.restype, POINTER.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class Lying:
    """A column with some fields of its structure exchanged."""

    def __init__(self, column: Any, **fields: Any) -> None:
        self.capsules = column.__arrow_c_array__()
        self.structure = Structure.from_address(POINTER(self.capsules[1], b"arrow_array"))
        self.true = {name: getattr(self.structure, name) for name in fields}
        for name, value in fields.items():
            setattr(self.structure, name, value)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.capsules


def null_count(column: Any) -> int:
    capsules = column.__arrow_c_array__()
    return int(Structure.from_address(POINTER(capsules[1], b"arrow_array")).null_count)


FUNCTIONS: list[Any] = [
    lambda column: utflane.decode(column, "utf-8"),
    lambda column: utflane.decode(column, "latin1"),
    utflane.validate,
    utflane.detect,
]
KINDS = [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()]
HUGE = [1 << 40, 1 << 60, 1 << 61, 1 << 62, (1 << 63) - 1, -1, -(1 << 63)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [0, 1, 3, 4, -1, -7, 1 << 40])
def test_the_number_of_nulls_is_counted(kind: Any, count: int) -> None:
    rows = [b"a", None, b"b" * 20, None]
    for function in FUNCTIONS[:3]:
        result = function(Lying(pyarrow.array(rows, kind), null_count=count))
        assert null_count(result) == 2
        array = pyarrow.array(result)
        array.validate(full=True)
        assert array.null_count == 2
    # Without a bitmap there are none.
    full = pyarrow.array([b"a", b"b" * 20], kind)
    if count > 0:
        with pytest.raises(ValueError, match="nulls without"):
            utflane.decode(Lying(full, null_count=count), "utf-8")
    else:
        assert null_count(utflane.decode(Lying(full, null_count=count), "utf-8")) == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_impossible_sizes(kind: Any, function: Any) -> None:
    column = pyarrow.array([b"a", None, b"b" * 20], kind)
    lies: list[dict[str, Any]] = [{"length": size} for size in HUGE[1:]] + [{"offset": size} for size in HUGE[1:]]
    lies += [{"n_buffers": size} for size in [*HUGE[1:], 0, 1, 2]]
    lies.append({"buffers": None})
    lies += [{"length": (1 << 63) - 1, "offset": (1 << 63) - 1}]
    for lie in lies:
        lying = Lying(column, **lie)
        if "length" in lie and lie["length"] in (1 << 60, 1 << 61, 1 << 62) and kind != pyarrow.binary_view():
            continue  # A size that an address space might have.
        if "length" in lie and lie["length"] == 1 << 60 or "offset" in lie and 0 < lie["offset"] <= 1 << 61:
            continue
        with pytest.raises(ValueError, match="Arrow array"):
            function(lying)


def test_a_structure_is_taken_once() -> None:
    lying = Lying(pyarrow.array([b"a"]))
    assert list(utflane.decode(lying, "utf-8")) == ["a"]
    with pytest.raises(ValueError, match="released"):
        utflane.decode(lying, "utf-8")


@pytest.mark.parametrize("offsets", [[0, 1, 3, 4], [0, 1, 1, 4], [0, 1, 0, 4], [0, 1, 9, 4]])
def test_the_value_of_a_null_is_not_passed_on(offsets: list[int]) -> None:
    """Some programs read all bytes of a column of strings."""
    starts = pyarrow.array(offsets, pyarrow.int32()).buffers()[1]
    valid = pyarrow.py_buffer(bytes([0b101]))
    column = pyarrow.Array.from_buffers(pyarrow.binary(), 3, [valid, starts, pyarrow.py_buffer(b"a\xff\xfeb")])
    if offsets[2] == 3:
        text = pyarrow.array(utflane.decode(column, "utf-8"))
        text.validate(full=True)
        assert text.to_pylist() == ["a", None, "b"]
        assert b"\xff" not in bytes(text.buffers()[2])
        assert bytes(text.buffers()[2])[:2] == b"ab"
    else:
        with pytest.raises(ValueError, match="Arrow array|ill-formed|invalid|unexpected"):
            utflane.decode(column, "utf-8")


def test_the_view_of_a_null_is_not_passed_on() -> None:
    views = b"".join(len(value).to_bytes(4, "little") + value.ljust(12, b"\0") for value in [b"a", b"\xff\xfe", b"b"])
    column = pyarrow.Array.from_buffers(pyarrow.binary_view(), 3, [pyarrow.py_buffer(bytes([0b101])), pyarrow.py_buffer(views)])
    for given in [column, pyarrow.chunked_array([column, pyarrow.array([b"plain"], pyarrow.binary_view())])]:
        result = utflane.decode(given, "utf-8")
        text = pyarrow.array(result) if given is column else pyarrow.chunked_array(result)
        text.validate(full=True)
        assert text.to_pylist() == list(result) == ["a", None, "b", "plain"][: len(given)]
        assert text.type == pyarrow.large_string()

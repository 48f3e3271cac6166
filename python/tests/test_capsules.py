"""Tests Arrow arrays with a wrong field, which is an error or is ignored.

The C data interface does not pass the sizes of buffers, so wrong sizes cannot be detected.
"""

import ctypes
from typing import Any

import pyarrow  # type: ignore[import-untyped]
import pytest

import utflane


class ArrowArrayStructure(ctypes.Structure):
    """`struct ArrowArray` of the C data interface."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ["length", "null_count", "offset", "n_buffers", "n_children"]),
        *((name, ctypes.c_void_p) for name in ["buffers", "children", "dictionary", "release", "private_data"]),
    ]


CAPSULE_NEW = ctypes.pythonapi.PyCapsule_New
CAPSULE_NEW.restype, CAPSULE_NEW.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
CAPSULE_POINTER = ctypes.pythonapi.PyCapsule_GetPointer
CAPSULE_POINTER.restype, CAPSULE_POINTER.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class WithWrongFields:
    """A column with other values in some fields of its C structure."""

    def __init__(self, column: Any, **fields: Any) -> None:
        self.capsules = column.__arrow_c_array__()
        self.structure = ArrowArrayStructure.from_address(CAPSULE_POINTER(self.capsules[1], b"arrow_array"))
        self.true_fields = {name: getattr(self.structure, name) for name in fields}
        for name, value in fields.items():
            setattr(self.structure, name, value)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.capsules


def exported_null_count(column: Any) -> int:
    capsules = column.__arrow_c_array__()
    return int(ArrowArrayStructure.from_address(CAPSULE_POINTER(capsules[1], b"arrow_array")).null_count)


FUNCTIONS: list[Any] = [
    lambda column: utflane.decode(column, "utf-8"),
    lambda column: utflane.decode(column, "latin1"),
    utflane.validate,
    utflane.detect,
]
BINARY_TYPES = [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()]
IMPOSSIBLE_SIZES = [1 << 60, 1 << 61, 1 << 62, (1 << 63) - 1, -1, -(1 << 63)]


@pytest.mark.parametrize("kind", BINARY_TYPES)
@pytest.mark.parametrize("count", [0, 1, 3, 4, -1, -7, 1 << 40])
def test_a_wrong_null_count(kind: Any, count: int) -> None:
    rows = [b"a", None, b"b" * 20, None]
    for function in FUNCTIONS[:3]:
        result = function(WithWrongFields(pyarrow.array(rows, kind), null_count=count))
        assert exported_null_count(result) == 2
        array = pyarrow.array(result)
        array.validate(full=True)
        assert array.null_count == 2
    # Without a validity bitmap, the array has no nulls, and a positive count is an error.
    without_nulls = pyarrow.array([b"a", b"b" * 20], kind)
    if count > 0:
        with pytest.raises(ValueError, match="nulls, but no validity bitmap"):
            utflane.decode(WithWrongFields(without_nulls, null_count=count), "utf-8")
    else:
        assert exported_null_count(utflane.decode(WithWrongFields(without_nulls, null_count=count), "utf-8")) == 0


@pytest.mark.parametrize("kind", BINARY_TYPES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_impossible_sizes_are_errors(kind: Any, function: Any) -> None:
    column = pyarrow.array([b"a", None, b"b" * 20], kind)
    wrong_fields: list[dict[str, Any]] = [{"length": size} for size in IMPOSSIBLE_SIZES]
    wrong_fields += [{"offset": size} for size in IMPOSSIBLE_SIZES]
    wrong_fields += [{"n_buffers": size} for size in [*IMPOSSIBLE_SIZES, 0, 1, 2]]
    wrong_fields.append({"buffers": None})
    wrong_fields += [{"length": (1 << 63) - 1, "offset": (1 << 63) - 1}]
    for fields in wrong_fields:
        wrong_column = WithWrongFields(column, **fields)
        # Columns of these sizes fit into an address space, so the sizes are not rejected.
        if "length" in fields and fields["length"] in (1 << 60, 1 << 61, 1 << 62) and kind != pyarrow.binary_view():
            continue
        if "length" in fields and fields["length"] == 1 << 60 or "offset" in fields and 0 < fields["offset"] <= 1 << 61:
            continue
        with pytest.raises(ValueError, match="Arrow array"):
            function(wrong_column)


def test_a_structure_can_be_imported_only_once() -> None:
    column = WithWrongFields(pyarrow.array([b"a"]))
    assert list(utflane.decode(column, "utf-8")) == ["a"]
    with pytest.raises(ValueError, match="released"):
        utflane.decode(column, "utf-8")


@pytest.mark.parametrize("offsets", [[0, 1, 3, 4], [0, 1, 1, 4], [0, 1, 0, 4], [0, 1, 9, 4]])
def test_the_value_of_a_null_row_is_not_exported(offsets: list[int]) -> None:
    """Some programs read all bytes of a column of strings, so all its bytes must be UTF-8."""
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


def test_the_view_of_a_null_row_is_not_exported() -> None:
    views = b"".join(len(value).to_bytes(4, "little") + value.ljust(12, b"\0") for value in [b"a", b"\xff\xfe", b"b"])
    column = pyarrow.Array.from_buffers(pyarrow.binary_view(), 3, [pyarrow.py_buffer(bytes([0b101])), pyarrow.py_buffer(views)])
    for given in [column, pyarrow.chunked_array([column, pyarrow.array([b"plain"], pyarrow.binary_view())])]:
        result = utflane.decode(given, "utf-8")
        text = pyarrow.array(result) if given is column else pyarrow.chunked_array(result)
        text.validate(full=True)
        assert text.to_pylist() == list(result) == ["a", None, "b", "plain"][: len(given)]
        assert text.type == pyarrow.large_string()

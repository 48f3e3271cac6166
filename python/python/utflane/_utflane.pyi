from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol, TypeVar, final, overload

from typing_extensions import Buffer

__all__ = [
    "Change",
    "Decoded",
    "Decoder",
    "Detection",
    "Explanation",
    "Index",
    "Invalid",
    "Repair",
    "Repairs",
    "StringArray",
    "decode",
    "decode_prefix",
    "detect",
    "encode",
    "encodings",
    "explain",
    "fix_mojibake",
    "lookup",
    "validate",
]

_Mode = Literal["all", "once", "runs", "runs-all", "latin1", "windows-1252"]
_Unit = Literal["bytes", "code_points", "utf16_units"]
_Confidence = Literal["guess", "likely", "certain"]

@final
class Change:
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...

@final
class Explanation:
    @property
    def text(self) -> str: ...
    @property
    def rounds(self) -> int: ...
    @property
    def changes(self) -> list[Change]: ...

@final
class Detection:
    @property
    def encoding(self) -> str | None: ...
    @property
    def confidence(self) -> _Confidence: ...
    @property
    def reason(self) -> str: ...
    @property
    def candidates(self) -> list[str]: ...
    @property
    def mark_length(self) -> int: ...

@final
class Repair:
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def position(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def kind(self) -> str: ...

@final
class Repairs:
    def __len__(self, /) -> int: ...
    def __getitem__(self, index: int, /) -> Repair: ...
    def __iter__(self, /) -> Iterator[Repair]: ...

@final
class Decoded:
    @property
    def text(self) -> str: ...
    @property
    def repairs(self) -> Repairs: ...
    @property
    def encoding(self) -> str: ...
    def __str__(self, /) -> str: ...

@final
class Invalid:
    @property
    def position(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def incomplete(self) -> bool: ...
    @property
    def encoding(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Index:
    def __new__(cls, text: str | Buffer) -> Index: ...
    @property
    def bytes(self) -> int: ...
    @property
    def code_points(self) -> int: ...
    @property
    def utf16_units(self) -> int: ...
    @property
    def lines(self) -> int: ...
    @overload
    def convert(self, offset: int, from_unit: _Unit, to_unit: _Unit) -> int: ...
    @overload
    def convert(self, offset: Sequence[int], from_unit: _Unit, to_unit: _Unit) -> list[int]: ...
    def position(self, offset: int, unit: _Unit = "code_points") -> tuple[int, int]: ...
    def offset(self, line: int, column: int = 0, unit: _Unit = "code_points") -> int: ...

@final
class Decoder:
    def __new__(cls, encoding: str, errors: str = "strict") -> Decoder: ...
    def decode(self, data: Buffer, final: bool = False) -> str: ...
    def reset(self) -> None: ...
    @property
    def repairs(self) -> int: ...
    @property
    def encoding(self) -> str: ...
    @property
    def offset(self) -> int: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

@final
class StringArray:
    def __len__(self, /) -> int: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

_Data = TypeVar("_Data", bound=Buffer)

@overload
def fix_mojibake(text: str, mode: _Mode = "all", *, no_break_spaces: bool = False) -> str: ...
@overload
def fix_mojibake(
    text: list[str] | tuple[str, ...],
    mode: _Mode = "all",
    *,
    no_break_spaces: bool = False,
) -> list[str]: ...
@overload
def fix_mojibake(
    text: list[str | None] | tuple[str | None, ...],
    mode: _Mode = "all",
    *,
    no_break_spaces: bool = False,
) -> list[str | None]: ...
@overload
def fix_mojibake(
    text: _ArrowArray, mode: _Mode = "all", *, no_break_spaces: bool = False
) -> _ArrowArray: ...
@overload
def explain(text: str, mode: _Mode = "all", *, no_break_spaces: bool = False) -> Explanation: ...
@overload
def explain(
    text: list[str] | tuple[str, ...],
    mode: _Mode = "all",
    *,
    no_break_spaces: bool = False,
) -> list[Explanation]: ...
@overload
def explain(
    text: list[str | None] | tuple[str | None, ...],
    mode: _Mode = "all",
    *,
    no_break_spaces: bool = False,
) -> list[Explanation | None]: ...
@overload
def detect(data: Buffer, *, prefix: bool = False) -> Detection: ...
@overload
def detect(data: list[_Data] | tuple[_Data, ...], *, prefix: bool = False) -> list[Detection]: ...
@overload
def detect(
    data: list[_Data | None] | tuple[_Data | None, ...],
    *,
    prefix: bool = False,
) -> list[Detection | None]: ...
@overload
def decode(data: Buffer, encoding: str = "auto", errors: str = "strict") -> Decoded: ...
@overload
def decode(
    data: list[_Data] | tuple[_Data, ...],
    encoding: str = "auto",
    errors: str = "strict",
) -> list[Decoded]: ...
@overload
def decode(
    data: list[_Data | None] | tuple[_Data | None, ...],
    encoding: str = "auto",
    errors: str = "strict",
) -> list[Decoded | None]: ...
@overload
def encode(text: str, encoding: str = "utf-8", errors: str = "strict") -> bytes: ...
@overload
def encode(
    text: list[str] | tuple[str, ...],
    encoding: str = "utf-8",
    errors: str = "strict",
) -> list[bytes]: ...
@overload
def encode(
    text: list[str | None] | tuple[str | None, ...],
    encoding: str = "utf-8",
    errors: str = "strict",
) -> list[bytes | None]: ...
@overload
def validate(data: Buffer, encoding: str = "utf-8") -> Invalid | None: ...
@overload
def validate(
    data: list[_Data] | tuple[_Data, ...],
    encoding: str = "utf-8",
) -> list[Invalid | None]: ...
@overload
def validate(
    data: list[_Data | None] | tuple[_Data | None, ...],
    encoding: str = "utf-8",
) -> list[Invalid | None]: ...

def decode_prefix(data: Buffer, encoding: str, errors: str, last: bool) -> tuple[str, int]: ...
def lookup(label: str) -> str: ...
def encodings() -> list[tuple[str, list[str]]]: ...

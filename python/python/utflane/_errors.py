"""The exceptions of this package."""

from __future__ import annotations


def _format_index(index: int | None) -> str:
    return "" if index is None else f"item {index}: "


class DecodeError(UnicodeDecodeError):
    """The error for ill-formed bytes. `start` and `end` are byte offsets in `object`.

    `offset` is the byte offset in the complete text. It differs from `start` if a text is decoded in
    chunks. It is `None` if it is not known: after a `seek` in a file. If a list was decoded, `index`
    is the index of the item.
    """

    kind: str = ""
    offset: int | None = 0
    incomplete: bool = False
    index: int | None = None

    def __str__(self) -> str:
        return _format_index(self.index) + super().__str__()


class EncodeError(UnicodeEncodeError):
    """The error for a character that the encoding lacks. `start` is its position in `object`."""

    kind: str = ""
    index: int | None = None

    def __str__(self) -> str:
        return _format_index(self.index) + super().__str__()


class UnknownEncodingError(LookupError):
    """Raised for an unknown encoding name, or if no encoding can be detected because data is not text."""

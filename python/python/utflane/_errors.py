"""The exceptions of this package."""

from __future__ import annotations


def _item(index: int | None) -> str:
    return "" if index is None else f"item {index}: "


class DecodeError(UnicodeDecodeError):
    """Ill-formed bytes. `start` and `end` are their positions in `object`.

    `offset` is the place in the whole text, which differs from `start` where a text is decoded in
    pieces. It is `None` where nobody knows it: after a jump in a file. `index` is the number of the item where a list was decoded.
    """

    kind: str = ""
    offset: int | None = 0
    incomplete: bool = False
    index: int | None = None

    def __str__(self) -> str:
        return _item(self.index) + super().__str__()


class EncodeError(UnicodeEncodeError):
    """A character that the encoding does not have. `start` is its position in `object`."""

    kind: str = ""
    index: int | None = None

    def __str__(self) -> str:
        return _item(self.index) + super().__str__()


class UnknownEncodingError(LookupError):
    """A name that is no encoding, or data that is no text in any."""

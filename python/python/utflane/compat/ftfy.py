"""A replacement for `fix_encoding` of ftfy, which repairs double encoding through Latin-1 and windows-1252."""

from __future__ import annotations

from .._utflane import fix_mojibake

__all__ = ["fix_encoding"]


def fix_encoding(text: str) -> str:
    """Repairs double encoding of the complete text, and then of single runs."""
    whole = fix_mojibake(text, no_break_spaces=True)
    return fix_mojibake(whole, "runs-all", no_break_spaces=True)

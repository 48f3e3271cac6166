"""`fix_encoding` of ftfy: double encoding by way of Latin-1 and windows-1252 is undone."""

from __future__ import annotations

from .._utflane import fix_mojibake

__all__ = ["fix_encoding"]


def fix_encoding(text: str) -> str:
    """Returns `text` without double encoding, in all of it or in parts."""
    whole = fix_mojibake(text, no_break_spaces=True)
    return fix_mojibake(whole, "runs-all", no_break_spaces=True)

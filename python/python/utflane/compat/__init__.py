"""Drop-in replacements for functions of other packages. docs/python.md lists the differences of their results."""

from . import chardet, charset_normalizer, ftfy

__all__ = ["chardet", "charset_normalizer", "ftfy"]

"""Drop-in functions of other packages. docs/python.md lists where their results differ."""

from . import chardet, charset_normalizer, ftfy

__all__ = ["chardet", "charset_normalizer", "ftfy"]

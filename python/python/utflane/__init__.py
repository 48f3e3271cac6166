"""Repairs double encoding, detects encodings, and decodes with the position of each error.

Most functions take one text, a list of texts, or an Arrow column. README.md has examples.
Importing this package registers its codecs, so that `data.decode("mutf-8")` works.
"""

from . import compat
from ._codecs import register as _register
from ._errors import DecodeError, EncodeError, UnknownEncodingError
from ._files import DetectionError, TextFile, open
from ._utflane import (
    ArrowArray,
    ArrowChunkedArray,
    Change,
    Decoded,
    Decoder,
    Detection,
    Detector,
    Explanation,
    Index,
    Invalid,
    Repair,
    Repairs,
    __version__,
    decode,
    detect,
    encode,
    encodings,
    explain,
    fix_mojibake,
    lookup,
    validate,
)

__all__ = [
    "ArrowArray",
    "ArrowChunkedArray",
    "Change",
    "DecodeError",
    "Decoded",
    "Decoder",
    "Detection",
    "DetectionError",
    "Detector",
    "EncodeError",
    "Explanation",
    "Index",
    "Invalid",
    "Repair",
    "Repairs",
    "TextFile",
    "UnknownEncodingError",
    "__version__",
    "compat",
    "decode",
    "detect",
    "encode",
    "encodings",
    "explain",
    "fix_mojibake",
    "lookup",
    "open",
    "validate",
]

_register()

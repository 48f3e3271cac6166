"""Repairs double encoding, detects encodings, and decodes with the place of each error.

Every function takes one text or a list of them. README.md has examples; importing this package
registers its codecs, so that `data.decode("mutf-8")` works.
"""

from ._codecs import register as _register
from ._errors import DecodeError, EncodeError, UnknownEncodingError
from ._files import DetectionError, TextFile, open
from ._utflane import (
    Change,
    Decoded,
    Decoder,
    Detection,
    Explanation,
    Index,
    Invalid,
    Repair,
    Repairs,
    StringArray,
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
    "Change",
    "DecodeError",
    "Decoded",
    "Decoder",
    "Detection",
    "DetectionError",
    "EncodeError",
    "Explanation",
    "Index",
    "Invalid",
    "Repair",
    "Repairs",
    "StringArray",
    "TextFile",
    "UnknownEncodingError",
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

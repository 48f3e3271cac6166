//! The numbers of encodings.

use core::ffi::{CStr, c_char};

use utflane::Scheme;

use crate::memory;

/// An encoding: one of the constants `UTFLANE_UTF8` and so on. The numbers stay as they are in
/// later versions, which may add some.
pub type utflane_encoding = u32;

/// No encoding.
pub const UTFLANE_NO_ENCODING: u32 = 0;
/// UTF-8, as in RFC 3629.
pub const UTFLANE_UTF8: u32 = 1;
/// UTF-16, low byte first.
pub const UTFLANE_UTF16LE: u32 = 2;
/// UTF-16, high byte first.
pub const UTFLANE_UTF16BE: u32 = 3;
/// UTF-32, lowest byte first.
pub const UTFLANE_UTF32LE: u32 = 4;
/// UTF-32, highest byte first.
pub const UTFLANE_UTF32BE: u32 = 5;
/// ISO-8859-1: a byte is a code point. Not windows-1252.
pub const UTFLANE_LATIN1: u32 = 6;
/// US-ASCII: bytes 0x00 to 0x7F.
pub const UTFLANE_ASCII: u32 = 7;
/// CESU-8: UTF-8 of the code units of UTF-16.
pub const UTFLANE_CESU8: u32 = 8;
/// Java's Modified UTF-8: CESU-8 with NUL as C0 80.
pub const UTFLANE_MUTF8: u32 = 9;
/// WTF-8: UTF-8 that may contain unpaired surrogates.
pub const UTFLANE_WTF8: u32 = 10;
/// UTF-16 that may contain unpaired surrogates, low byte first.
pub const UTFLANE_WTF16LE: u32 = 11;
/// UTF-16 that may contain unpaired surrogates, high byte first.
pub const UTFLANE_WTF16BE: u32 = 12;

/// Each number with its encoding and name.
pub(crate) const ENCODINGS: [(utflane_encoding, Scheme, &CStr); 12] = [
    (UTFLANE_UTF8, Scheme::Utf8, c"utf-8"),
    (UTFLANE_UTF16LE, Scheme::Utf16Le, c"utf-16le"),
    (UTFLANE_UTF16BE, Scheme::Utf16Be, c"utf-16be"),
    (UTFLANE_UTF32LE, Scheme::Utf32Le, c"utf-32le"),
    (UTFLANE_UTF32BE, Scheme::Utf32Be, c"utf-32be"),
    (UTFLANE_LATIN1, Scheme::Latin1, c"latin1"),
    (UTFLANE_ASCII, Scheme::Ascii, c"ascii"),
    (UTFLANE_CESU8, Scheme::Cesu8, c"cesu-8"),
    (UTFLANE_MUTF8, Scheme::Mutf8, c"mutf-8"),
    (UTFLANE_WTF8, Scheme::Wtf8, c"wtf-8"),
    (UTFLANE_WTF16LE, Scheme::Wtf16Le, c"wtf-16le"),
    (UTFLANE_WTF16BE, Scheme::Wtf16Be, c"wtf-16be"),
];

/// Returns the encoding of a number.
pub(crate) fn scheme(encoding: utflane_encoding) -> Option<Scheme> {
    let at = (encoding as usize).checked_sub(1)?;
    ENCODINGS.get(at).map(|&(_, scheme, _)| scheme)
}

/// Returns the number of an encoding.
pub(crate) fn number(scheme: Scheme) -> utflane_encoding {
    let found = ENCODINGS.iter().find(|entry| entry.1 == scheme);
    found.map_or(UTFLANE_NO_ENCODING, |entry| entry.0)
}

/// Returns the name of an encoding, such as "utf-16le"; "none" for UTFLANE_NO_ENCODING and numbers
/// that are no encoding. The string is static.
///
/// @ingroup utflane_any
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn utflane_encoding_name(encoding: utflane_encoding) -> *const c_char {
    let found = ENCODINGS.iter().find(|entry| entry.0 == encoding);
    found.map_or(c"none", |entry| entry.2).as_ptr()
}

/// Returns the encoding that a label names ("UTF-8", "iso-8859-1", "utf-16le", ...), of any case;
/// UTFLANE_NO_ENCODING for others. `length` is in bytes.
///
/// @ingroup utflane_any
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_encoding_from_label(
    label: *const c_char,
    length: usize,
) -> utflane_encoding {
    // SAFETY: the caller keeps the header's contract of pointers.
    let label = unsafe { memory::source(label, length) };
    let label = label.and_then(|label| core::str::from_utf8(label).ok());
    let scheme = label.and_then(|label| Scheme::from_label(label).ok());
    scheme.map_or(UTFLANE_NO_ENCODING, number)
}

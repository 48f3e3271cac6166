//! simdutf's detection: by the byte order mark, or by the encodings in which the text is
//! well-formed.

use core::ffi::{c_char, c_int};

use utflane::{Scheme, bom};

use crate::memory;
use crate::simdutf::types::simdutf_encoding_type::{self, *};

/// Returns the encoding of a text, or SIMDUTF_ENCODING_UNSPECIFIED if the encoding is unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_autodetect_encoding(
    input: *const c_char,
    length: usize,
) -> simdutf_encoding_type {
    // SAFETY: the caller meets the header's requirements for pointers.
    let Some(input) = (unsafe { memory::source(input, length) }) else {
        return SIMDUTF_ENCODING_UNSPECIFIED;
    };
    if let Some(encoding) = detect_mark(input) {
        return encoding;
    }
    let found = CANDIDATES.iter().find(|(scheme, _)| scheme.is_valid(input));
    found.map_or(SIMDUTF_ENCODING_UNSPECIFIED, |&(_, encoding)| encoding)
}

/// Returns the set of possible encodings of a text, as bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_detect_encodings(input: *const c_char, length: usize) -> c_int {
    // SAFETY: the caller meets the header's requirements for pointers.
    let Some(input) = (unsafe { memory::source(input, length) }) else {
        return SIMDUTF_ENCODING_UNSPECIFIED as c_int;
    };
    if let Some(encoding) = detect_mark(input) {
        return encoding as c_int;
    }
    let well_formed = CANDIDATES.iter().filter(|(scheme, _)| scheme.is_valid(input));
    well_formed.fold(0, |set, &(_, encoding)| set | encoding as c_int)
}

/// The encodings that are tried for a text without a byte order mark, in this order.
const CANDIDATES: [(Scheme, simdutf_encoding_type); 3] = [
    (Scheme::Utf8, SIMDUTF_ENCODING_UTF8),
    (Scheme::Utf16Le, SIMDUTF_ENCODING_UTF16_LE),
    (Scheme::Utf32Le, SIMDUTF_ENCODING_UTF32_LE),
];

/// Returns the encoding of the byte order mark at the start of a text.
fn detect_mark(input: &[u8]) -> Option<simdutf_encoding_type> {
    Some(match bom::detect(input)? {
        Scheme::Utf8 => SIMDUTF_ENCODING_UTF8,
        Scheme::Utf16Le => SIMDUTF_ENCODING_UTF16_LE,
        Scheme::Utf16Be => SIMDUTF_ENCODING_UTF16_BE,
        Scheme::Utf32Le => SIMDUTF_ENCODING_UTF32_LE,
        Scheme::Utf32Be => SIMDUTF_ENCODING_UTF32_BE,
        _ => return None,
    })
}

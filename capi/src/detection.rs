//! The functions that detect the encoding of a text.

use core::ffi::{c_char, c_void};

use utflane::Scheme;
use utflane::detect::{Confidence, Detection, Reason, detect, detect_prefix};

use crate::encodings::{
    UTFLANE_NO_ENCODING, number, number_of_label, utflane_encoding, utflane_encoding_name,
};
use crate::memory;

/// Defines the numbers of an enum's variants, and a function that returns the number of a variant.
macro_rules! numbers {
    ($function:ident($enum:ident) -> $type:ident:
     $($variant:pat => $number:ident = $value:literal;)*) => {
        $(pub const $number: $type = $value;)*

        /// Returns the number of a variant.
        const fn $function(variant: $enum) -> $type {
            match variant {
                $($variant => $number,)*
            }
        }
    };
}

/// A confidence, as a number.
pub type utflane_confidence = u32;
/// The reason of a detection, as a number.
pub type utflane_reason = u32;

numbers! { confidence_number(Confidence) -> utflane_confidence:
    Confidence::Guess => UTFLANE_GUESS = 0;
    Confidence::Likely => UTFLANE_LIKELY = 1;
    Confidence::Certain => UTFLANE_CERTAIN = 2;
}

numbers! { reason_number(Reason) -> utflane_reason:
    Reason::Empty => UTFLANE_REASON_EMPTY = 1;
    Reason::Mark => UTFLANE_REASON_MARK = 2;
    Reason::Ascii => UTFLANE_REASON_ASCII = 3;
    Reason::Utf8 => UTFLANE_REASON_UTF8 = 4;
    Reason::DamagedUtf8 => UTFLANE_REASON_DAMAGED_UTF8 = 5;
    Reason::Cesu8 => UTFLANE_REASON_CESU8 = 6;
    Reason::Utf16 => UTFLANE_REASON_UTF16 = 7;
    Reason::Utf32 => UTFLANE_REASON_UTF32 = 8;
    Reason::Latin1 => UTFLANE_REASON_LATIN1 = 9;
    Reason::Windows1252 => UTFLANE_REASON_WINDOWS_1252 = 10;
    Reason::Legacy => UTFLANE_REASON_LEGACY = 11;
    Reason::Binary => UTFLANE_REASON_BINARY = 12;
    Reason::Mixed => UTFLANE_REASON_MIXED = 13;
    _ => UTFLANE_REASON_OTHER = 0;
}

/// The result of a detection.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utflane_detection {
    pub encoding: utflane_encoding,
    pub closest: utflane_encoding,
    pub confidence: utflane_confidence,
    pub reason: utflane_reason,
    pub mark_length: usize,
    pub boundary: usize,
    pub first: utflane_encoding,
    pub second: utflane_encoding,
}

/// Detects the encoding of a complete text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_detect(src: *const c_void, length: usize) -> utflane_detection {
    // SAFETY: the caller meets the header's requirements for pointers.
    let src = unsafe { memory::source(src, length) };
    src.map_or_else(utflane_detection::default, |src| detect(src).into())
}

/// Detects the encoding of a text of which only the first bytes are passed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_detect_prefix(
    src: *const c_void,
    length: usize,
) -> utflane_detection {
    // SAFETY: the caller meets the header's requirements for pointers.
    let src = unsafe { memory::source(src, length) };
    src.map_or_else(utflane_detection::default, |src| detect_prefix(src).into())
}

/// Returns the name of the detected encoding.
#[unsafe(no_mangle)]
pub extern "C" fn utflane_detection_name(detection: utflane_detection) -> *const c_char {
    match detection.reason {
        UTFLANE_REASON_LEGACY => c"unknown legacy encoding".as_ptr(),
        UTFLANE_REASON_BINARY => c"binary".as_ptr(),
        UTFLANE_REASON_MIXED => c"mixed".as_ptr(),
        _ => utflane_encoding_name(detection.encoding),
    }
}

impl From<Detection> for utflane_detection {
    fn from(found: Detection) -> Self {
        let number_or_none = |scheme: Option<Scheme>| scheme.map_or(UTFLANE_NO_ENCODING, number);
        let mixture = found.mixture();
        Self {
            encoding: found.scheme().map_or_else(|| number_of_label(found.name()), number),
            closest: number(found.closest()),
            confidence: confidence_number(found.confidence()),
            reason: reason_number(found.reason()),
            mark_length: found.mark_len(),
            // The boundary is an offset in a slice, so it fits into a `usize`.
            boundary: mixture.map_or(0, |parts| parts.boundary as usize),
            first: number_or_none(mixture.and_then(|parts| parts.first)),
            second: number_or_none(mixture.and_then(|parts| parts.second)),
        }
    }
}

//! The functions that detect the encoding of a text.

use core::ffi::{c_char, c_void};

use utflane::Scheme;
use utflane::detect::{Confidence, Detection, Reason, detect, detect_prefix};

use crate::encodings::{
    UTFLANE_NO_ENCODING, number, number_of_label, utflane_encoding, utflane_encoding_name,
};
use crate::memory;

/// A confidence, as a number.
pub type utflane_confidence = u32;

pub const UTFLANE_GUESS: u32 = 0;
pub const UTFLANE_LIKELY: u32 = 1;
pub const UTFLANE_CERTAIN: u32 = 2;

/// The reason of a detection, as a number.
pub type utflane_reason = u32;

pub const UTFLANE_REASON_OTHER: u32 = 0;
pub const UTFLANE_REASON_EMPTY: u32 = 1;
pub const UTFLANE_REASON_MARK: u32 = 2;
pub const UTFLANE_REASON_ASCII: u32 = 3;
pub const UTFLANE_REASON_UTF8: u32 = 4;
pub const UTFLANE_REASON_DAMAGED_UTF8: u32 = 5;
pub const UTFLANE_REASON_CESU8: u32 = 6;
pub const UTFLANE_REASON_UTF16: u32 = 7;
pub const UTFLANE_REASON_UTF32: u32 = 8;
pub const UTFLANE_REASON_LATIN1: u32 = 9;
pub const UTFLANE_REASON_WINDOWS_1252: u32 = 10;
pub const UTFLANE_REASON_LEGACY: u32 = 11;
pub const UTFLANE_REASON_BINARY: u32 = 12;
pub const UTFLANE_REASON_MIXED: u32 = 13;

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

/// Returns the number of a confidence.
const fn confidence_number(confidence: Confidence) -> utflane_confidence {
    match confidence {
        Confidence::Guess => UTFLANE_GUESS,
        Confidence::Likely => UTFLANE_LIKELY,
        Confidence::Certain => UTFLANE_CERTAIN,
    }
}

/// Returns the number of a reason.
const fn reason_number(reason: Reason) -> utflane_reason {
    match reason {
        Reason::Empty => UTFLANE_REASON_EMPTY,
        Reason::Mark => UTFLANE_REASON_MARK,
        Reason::Ascii => UTFLANE_REASON_ASCII,
        Reason::Utf8 => UTFLANE_REASON_UTF8,
        Reason::DamagedUtf8 => UTFLANE_REASON_DAMAGED_UTF8,
        Reason::Cesu8 => UTFLANE_REASON_CESU8,
        Reason::Utf16 => UTFLANE_REASON_UTF16,
        Reason::Utf32 => UTFLANE_REASON_UTF32,
        Reason::Latin1 => UTFLANE_REASON_LATIN1,
        Reason::Windows1252 => UTFLANE_REASON_WINDOWS_1252,
        Reason::Legacy => UTFLANE_REASON_LEGACY,
        Reason::Binary => UTFLANE_REASON_BINARY,
        Reason::Mixed => UTFLANE_REASON_MIXED,
        _ => UTFLANE_REASON_OTHER,
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

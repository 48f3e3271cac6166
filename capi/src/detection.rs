//! Detection of the encoding.

use core::ffi::{c_char, c_void};

use utflane::Scheme;
use utflane::detect::{Confidence, Detection, Reason, detect, detect_prefix};

use crate::encodings::{UTFLANE_NO_ENCODING, number, utflane_encoding, utflane_encoding_name};
use crate::memory;

/// How sure a detection is: one of the constants `UTFLANE_GUESS` and so on.
pub type utflane_confidence = u32;

/// Little is known: the text is short, or several encodings are as likely.
pub const UTFLANE_GUESS: u32 = 0;
/// Another encoding is possible, and much less likely.
pub const UTFLANE_LIKELY: u32 = 1;
/// By a byte order mark, or with more text than could fit by chance.
pub const UTFLANE_CERTAIN: u32 = 2;

/// What decided a detection: one of the constants `UTFLANE_REASON_EMPTY` and so on. Later versions
/// may add some.
pub type utflane_reason = u32;

/// A reason that this version of the header has no name for.
pub const UTFLANE_REASON_OTHER: u32 = 0;
/// There is no text.
pub const UTFLANE_REASON_EMPTY: u32 = 1;
/// A byte order mark.
pub const UTFLANE_REASON_MARK: u32 = 2;
/// All bytes are ASCII.
pub const UTFLANE_REASON_ASCII: u32 = 3;
/// Well-formed UTF-8.
pub const UTFLANE_REASON_UTF8: u32 = 4;
/// UTF-8 with few errors.
pub const UTFLANE_REASON_DAMAGED_UTF8: u32 = 5;
/// CESU-8.
pub const UTFLANE_REASON_CESU8: u32 = 6;
/// Reads as text in UTF-16.
pub const UTFLANE_REASON_UTF16: u32 = 7;
/// Reads as text in UTF-32.
pub const UTFLANE_REASON_UTF32: u32 = 8;
/// Latin-1.
pub const UTFLANE_REASON_LATIN1: u32 = 9;
/// Windows-1252, which this library does not convert.
pub const UTFLANE_REASON_WINDOWS_1252: u32 = 10;
/// Another legacy encoding, which this library does not convert.
pub const UTFLANE_REASON_LEGACY: u32 = 11;
/// Not text.
pub const UTFLANE_REASON_BINARY: u32 = 12;
/// Parts of the text are in different encodings.
pub const UTFLANE_REASON_MIXED: u32 = 13;

/// The result of a detection; all zeros for an invalid argument.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utflane_detection {
    /// The encoding; UTFLANE_NO_ENCODING if this library does not have it, or for data that is no
    /// text.
    pub encoding: utflane_encoding,
    /// The encoding, or else the first of ASCII, UTF-8 and Latin-1 that has all of the bytes.
    pub closest: utflane_encoding,
    /// How sure it is.
    pub confidence: utflane_confidence,
    /// What decided.
    pub reason: utflane_reason,
    /// Bytes of the byte order mark at the start of the text; 0 without one.
    pub mark_length: usize,
    /// With UTFLANE_REASON_MIXED: the bytes of the text before its second part, in another
    /// encoding. Otherwise 0.
    pub boundary: usize,
    /// The encoding of the first part; UTFLANE_NO_ENCODING for a legacy one, or without parts.
    pub first: utflane_encoding,
    /// The encoding of the second part; UTFLANE_NO_ENCODING for a legacy one, or without parts.
    pub second: utflane_encoding,
}

/// Detects the encoding of a whole text of `length` bytes. Any bytes may be passed.
///
/// @ingroup utflane_detect
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_detect(src: *const c_void, length: usize) -> utflane_detection {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    src.map_or(utflane_detection::INVALID, |src| detect(src).into())
}

/// Detects the encoding of a text that begins with these `length` bytes and continues: a sequence
/// that their end cuts is not an error.
///
/// @ingroup utflane_detect
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_detect_prefix(
    src: *const c_void,
    length: usize,
) -> utflane_detection {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    src.map_or(utflane_detection::INVALID, |src| detect_prefix(src).into())
}

/// Returns the name of what was detected: that of the encoding, or "windows-1252", "unknown legacy
/// encoding", "binary" or "mixed". The string is static.
///
/// @ingroup utflane_detect
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn utflane_detection_name(detection: utflane_detection) -> *const c_char {
    match detection.reason {
        UTFLANE_REASON_WINDOWS_1252 => c"windows-1252".as_ptr(),
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

impl utflane_detection {
    /// Nothing was read.
    const INVALID: Self = Self {
        encoding: UTFLANE_NO_ENCODING,
        closest: UTFLANE_NO_ENCODING,
        confidence: UTFLANE_GUESS,
        reason: UTFLANE_REASON_OTHER,
        mark_length: 0,
        boundary: 0,
        first: UTFLANE_NO_ENCODING,
        second: UTFLANE_NO_ENCODING,
    };
}

impl From<Detection> for utflane_detection {
    fn from(found: Detection) -> Self {
        let part = |scheme: Option<Scheme>| scheme.map_or(UTFLANE_NO_ENCODING, number);
        let mixture = found.mixture();
        Self {
            encoding: part(found.scheme()),
            closest: number(found.closest()),
            confidence: confidence_number(found.confidence()),
            reason: reason_number(found.reason()),
            mark_length: found.mark_len(),
            // An offset in a slice.
            boundary: mixture.map_or(0, |parts| parts.boundary as usize),
            first: part(mixture.and_then(|parts| parts.first)),
            second: part(mixture.and_then(|parts| parts.second)),
        }
    }
}

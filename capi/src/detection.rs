//! Detection of the encoding.

use core::ffi::{c_char, c_void};

use utflane::detect::{Confidence, Detection, Reason, detect, detect_prefix};

use crate::encodings::{UTFLANE_NO_ENCODING, number, utflane_encoding, utflane_encoding_name};
use crate::memory;

/// How sure a detection is.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum utflane_confidence {
    /// Little is known: the text is short, or several encodings are as likely.
    UTFLANE_GUESS = 0,
    /// Another encoding is possible, and much less likely.
    UTFLANE_LIKELY = 1,
    /// By a byte order mark, or with more text than could fit by chance.
    UTFLANE_CERTAIN = 2,
}

/// What decided a detection. Later versions may add some.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum utflane_reason {
    /// A reason that this version of the header has no name for.
    UTFLANE_REASON_OTHER = 0,
    /// There is no text.
    UTFLANE_REASON_EMPTY = 1,
    /// A byte order mark.
    UTFLANE_REASON_MARK = 2,
    /// All bytes are ASCII.
    UTFLANE_REASON_ASCII = 3,
    /// Well-formed UTF-8.
    UTFLANE_REASON_UTF8 = 4,
    /// UTF-8 with few errors.
    UTFLANE_REASON_DAMAGED_UTF8 = 5,
    /// CESU-8.
    UTFLANE_REASON_CESU8 = 6,
    /// Reads as text in UTF-16.
    UTFLANE_REASON_UTF16 = 7,
    /// Reads as text in UTF-32.
    UTFLANE_REASON_UTF32 = 8,
    /// Latin-1.
    UTFLANE_REASON_LATIN1 = 9,
    /// Windows-1252, which this library does not convert.
    UTFLANE_REASON_WINDOWS_1252 = 10,
    /// Another legacy encoding, which this library does not convert.
    UTFLANE_REASON_LEGACY = 11,
    /// Not text.
    UTFLANE_REASON_BINARY = 12,
}

/// The result of a detection.
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
}

/// Detects the encoding of a whole text of `length` bytes. Any bytes may be passed.
///
/// @ingroup utflane_detect
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_detect(src: *const c_void, length: usize) -> utflane_detection {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::input(src.cast::<u8>(), length) };
    detect(src).into()
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
    let src = unsafe { memory::input(src.cast::<u8>(), length) };
    detect_prefix(src).into()
}

/// Returns the name of what was detected: that of the encoding, or "windows-1252", "unknown legacy
/// encoding" or "binary". The string is static.
///
/// @ingroup utflane_detect
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn utflane_detection_name(detection: utflane_detection) -> *const c_char {
    match detection.reason {
        utflane_reason::UTFLANE_REASON_WINDOWS_1252 => c"windows-1252".as_ptr(),
        utflane_reason::UTFLANE_REASON_LEGACY => c"unknown legacy encoding".as_ptr(),
        utflane_reason::UTFLANE_REASON_BINARY => c"binary".as_ptr(),
        _ => utflane_encoding_name(detection.encoding),
    }
}

impl From<Confidence> for utflane_confidence {
    fn from(confidence: Confidence) -> Self {
        match confidence {
            Confidence::Guess => Self::UTFLANE_GUESS,
            Confidence::Likely => Self::UTFLANE_LIKELY,
            Confidence::Certain => Self::UTFLANE_CERTAIN,
        }
    }
}

impl From<Reason> for utflane_reason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Empty => Self::UTFLANE_REASON_EMPTY,
            Reason::Mark => Self::UTFLANE_REASON_MARK,
            Reason::Ascii => Self::UTFLANE_REASON_ASCII,
            Reason::Utf8 => Self::UTFLANE_REASON_UTF8,
            Reason::DamagedUtf8 => Self::UTFLANE_REASON_DAMAGED_UTF8,
            Reason::Cesu8 => Self::UTFLANE_REASON_CESU8,
            Reason::Utf16 => Self::UTFLANE_REASON_UTF16,
            Reason::Utf32 => Self::UTFLANE_REASON_UTF32,
            Reason::Latin1 => Self::UTFLANE_REASON_LATIN1,
            Reason::Windows1252 => Self::UTFLANE_REASON_WINDOWS_1252,
            Reason::Legacy => Self::UTFLANE_REASON_LEGACY,
            Reason::Binary => Self::UTFLANE_REASON_BINARY,
            _ => Self::UTFLANE_REASON_OTHER,
        }
    }
}

impl From<Detection> for utflane_detection {
    fn from(found: Detection) -> Self {
        Self {
            encoding: found.scheme().map_or(UTFLANE_NO_ENCODING, number),
            closest: number(found.closest()),
            confidence: found.confidence().into(),
            reason: found.reason().into(),
            mark_length: found.mark_len(),
        }
    }
}

//! The functions that detect the encoding of a text.

use core::ffi::{c_char, c_void};

use utflane_charset::{Confidence, Found, detect_text};

use crate::encodings::{UTFLANE_NO_ENCODING, number, number_of_label, utflane_encoding};
use crate::memory;

/// A confidence, as a number.
pub type utflane_confidence = u32;

pub const UTFLANE_GUESS: utflane_confidence = 0;
pub const UTFLANE_LIKELY: utflane_confidence = 1;
pub const UTFLANE_CERTAIN: utflane_confidence = 2;
const _: () = assert!(Confidence::Likely as utflane_confidence == UTFLANE_LIKELY);

/// The result of a detection.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct utflane_detection {
    pub encoding: utflane_encoding,
    pub confidence: utflane_confidence,
    pub probability: f32,
    pub first: utflane_encoding,
    pub second: utflane_encoding,
    pub mark_length: usize,
    pub boundary: usize,
    pub name: [c_char; 32],
    pub language: [c_char; 8],
    pub reason: [c_char; 96],
}

/// Detects the encoding of a complete text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_detect(src: *const c_void, length: usize) -> utflane_detection {
    // SAFETY: the caller meets the header's requirements for pointers.
    let src = unsafe { memory::source(src, length) };
    utflane_detection::new(src.map(|src| detect_text(src, true)))
}

/// Detects the encoding of a text of which only the first bytes are passed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_detect_prefix(
    src: *const c_void,
    length: usize,
) -> utflane_detection {
    // SAFETY: the caller meets the header's requirements for pointers.
    let src = unsafe { memory::source(src, length) };
    utflane_detection::new(src.map(|src| detect_text(src, false)))
}

impl utflane_detection {
    /// Converts an answer. Without an answer, for an invalid argument, all fields are 0.
    fn new(found: Option<Found>) -> Self {
        let found = found.as_ref();
        let mixture = found.and_then(|found| found.mixture);
        let parts = mixture.map_or([None; 2], |parts| [parts.first, parts.second]);
        let [first, second] = parts.map(|part| part.map_or(UTFLANE_NO_ENCODING, number));
        let name = found.map_or("", Found::name);
        Self {
            encoding: number_of_label(name),
            confidence: found.map_or(UTFLANE_GUESS, |found| found.confidence as u32),
            probability: found.map_or(0.0, |found| found.probability),
            first,
            second,
            mark_length: found.map_or(0, Found::mark_len),
            // The boundary is an offset in a slice, so it fits into a `usize`.
            boundary: mixture.map_or(0, |parts| parts.boundary as usize),
            name: c_chars(name),
            language: c_chars(found.and_then(|found| found.language).unwrap_or_default()),
            reason: c_chars(found.map_or("", |found| &found.reason)),
        }
    }
}

/// Returns a text as a C string, as much of it as fits before the NUL.
fn c_chars<const N: usize>(text: &str) -> [c_char; N] {
    let text = &text.as_bytes()[..text.len().min(N - 1)];
    core::array::from_fn(|i| text.get(i).map_or(0, |&byte| byte as c_char))
}

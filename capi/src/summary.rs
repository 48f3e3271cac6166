//! What one pass over UTF-8 tells.

use core::ffi::c_char;

use utflane::utf8::summary;

use crate::memory;
use crate::results::utflane_validation;

/// What one pass over UTF-8 tells. The counts are those of the bytes before the first error.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utflane_utf8_summary {
    /// The result of utflane_validate_utf8.
    pub validation: utflane_validation,
    /// Code points before the first error.
    pub code_points: usize,
    /// Code units of UTF-16 that they become.
    pub utf16_units: usize,
    /// Whether all bytes are ASCII; false with an error.
    pub is_ascii: bool,
    /// Whether all characters are in Latin-1; false with an error.
    pub fits_latin1: bool,
}

/// Validates UTF-8 and counts in one pass. `length` is in bytes.
///
/// @ingroup utflane_validate
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_summarize_utf8(
    src: *const c_char,
    length: usize,
) -> utflane_utf8_summary {
    // SAFETY: the caller keeps the header's contract of pointers.
    let Some(src) = (unsafe { memory::source(src, length) }) else {
        return utflane_utf8_summary {
            validation: utflane_validation::INVALID,
            code_points: 0,
            utf16_units: 0,
            is_ascii: false,
            fits_latin1: false,
        };
    };
    let summary = summary(src);
    utflane_utf8_summary {
        validation: utflane_validation::new(summary.to_result(), src.len(), 1),
        code_points: summary.code_points(),
        utf16_units: summary.utf16_units(),
        is_ascii: summary.is_ascii(),
        fits_latin1: summary.fits_latin1(),
    }
}

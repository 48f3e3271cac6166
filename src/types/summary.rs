//! The result of one pass over UTF-8.

use crate::types::error::Error;

/// The result of [`summary`](crate::utf8::summary).
///
/// The counts are counts of the valid prefix, `..valid_up_to`. The predicates are about all bytes,
/// and are false for ill-formed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Summary {
    /// The number of bytes before the first error, or the length of the text if there is no error.
    pub valid_up_to: usize,
    /// The number of code points of the valid prefix. This is also its length in UTF-32, and in
    /// Latin-1 if it [fits into Latin-1](Self::fits_latin1).
    pub code_points: usize,
    /// The number of UTF-16 code units of the valid prefix.
    pub utf16_units: usize,
    /// The first error, as [`validate`](crate::validate) reports it.
    pub error: Option<Error>,
    /// True if all bytes are ASCII.
    pub is_ascii: bool,
    /// True if the text is well-formed and has no character above U+00FF, as
    /// [`fits_latin1`](crate::utf8::fits_latin1) returns.
    pub fits_latin1: bool,
}

impl Summary {
    /// Returns the summary of `len` well-formed bytes.
    #[inline]
    pub(crate) fn well_formed(
        len: usize,
        code_points: usize,
        utf16_units: usize,
        fits_latin1: bool,
    ) -> Self {
        let is_ascii = code_points == len;
        Self { valid_up_to: len, code_points, utf16_units, error: None, is_ascii, fits_latin1 }
    }

    /// Returns the summary of a text with an error. The counts are the counts of the valid prefix.
    pub(crate) fn ill_formed(error: Error, code_points: usize, utf16_units: usize) -> Self {
        Self {
            valid_up_to: error.valid_up_to(),
            code_points,
            utf16_units,
            error: Some(error),
            is_ascii: false,
            fits_latin1: false,
        }
    }
}

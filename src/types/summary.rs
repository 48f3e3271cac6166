//! The result of one pass over UTF-8.

use crate::types::error::Error;

/// The result of [`summary`](crate::utf8::summary).
///
/// The counts are counts of the valid prefix, `..valid_up_to()`. The predicates are about all
/// bytes, and are false for ill-formed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Summary {
    valid_up_to: usize,
    code_points: usize,
    utf16_units: usize,
    error: Option<Error>,
    is_ascii: bool,
    fits_latin1: bool,
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

    /// Returns the number of bytes before the first error, or the length of the text if there is no
    /// error.
    #[must_use]
    #[inline]
    pub const fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    /// Returns the first error, as [`validate`](crate::validate) reports it.
    #[must_use]
    #[inline]
    pub const fn error(&self) -> Option<Error> {
        self.error
    }

    /// Returns the result of [`validate`](crate::validate).
    ///
    /// # Errors
    ///
    /// Returns the error of the first ill-formed sequence.
    #[inline]
    #[allow(clippy::wrong_self_convention, reason = "all methods of `Summary` borrow it")]
    pub const fn to_result(&self) -> Result<(), Error> {
        match self.error {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Returns true if all bytes are ASCII.
    #[must_use]
    #[inline]
    pub const fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// Returns true if the text is well-formed and has no character above U+00FF, as
    /// [`fits_latin1`](crate::utf8::fits_latin1) does.
    #[must_use]
    #[inline]
    pub const fn fits_latin1(&self) -> bool {
        self.fits_latin1
    }

    /// Returns the number of code points of the valid prefix. This is also its length in UTF-32,
    /// and in Latin-1 if it [fits into Latin-1](Self::fits_latin1).
    #[must_use]
    #[inline]
    pub const fn code_points(&self) -> usize {
        self.code_points
    }

    /// Returns the number of UTF-16 code units of the valid prefix.
    #[must_use]
    #[inline]
    pub const fn utf16_units(&self) -> usize {
        self.utf16_units
    }
}

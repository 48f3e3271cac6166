//! The error without a position.

use core::fmt;

/// The text is not well-formed UTF-8. Errors of [`compat`](crate::compat) have the position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Utf8Error;

impl fmt::Display for Utf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid utf-8 sequence")
    }
}

#[cfg(feature = "std")]
impl core::error::Error for Utf8Error {}

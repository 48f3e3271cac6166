//! The error without a position.

use core::fmt;

/// The error of a text that is not well-formed UTF-8. It has no position; errors of
/// [`compat`](crate::compat) have one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Utf8Error;

impl fmt::Display for Utf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid utf-8 sequence")
    }
}

#[cfg(feature = "std")]
impl core::error::Error for Utf8Error {}

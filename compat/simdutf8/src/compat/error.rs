//! The error with a position.

use core::fmt;

use utflane::Error;

/// The position and the length of the first ill-formed sequence of a text, as in
/// [`core::str::Utf8Error`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Utf8Error {
    valid_up_to: usize,
    error_len: Option<u8>,
}

impl Utf8Error {
    /// Returns the number of bytes before the ill-formed sequence. These bytes are well-formed.
    ///
    /// ```
    /// assert_eq!(simdutf8::compat::from_utf8(b"5 \xFF").unwrap_err().valid_up_to(), 2);
    /// ```
    #[must_use]
    #[inline]
    pub fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    /// Returns the length of the ill-formed sequence in bytes, 1 to 3. Returns `None` if the text
    /// ends inside a sequence that more bytes could complete.
    ///
    /// ```
    /// use simdutf8::compat::from_utf8;
    ///
    /// assert_eq!(from_utf8(b"5 \xE2\x82").unwrap_err().error_len(), None);
    /// assert_eq!(from_utf8(b"5 \xE2\x82 ").unwrap_err().error_len(), Some(2));
    /// ```
    #[must_use]
    #[inline]
    pub fn error_len(&self) -> Option<usize> {
        self.error_len.map(usize::from)
    }

    /// Converts an error of utflane.
    #[cold]
    #[inline(never)]
    pub(crate) fn from_utflane(error: Error) -> Self {
        // An ill-formed sequence has at most three bytes.
        let error_len = error.error_len().map(|len| len as u8);
        Self { valid_up_to: error.valid_up_to(), error_len }
    }
}

impl fmt::Display for Utf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { valid_up_to, error_len } = self;
        match error_len {
            Some(len) => {
                write!(f, "invalid utf-8 sequence of {len} bytes from index {valid_up_to}")
            }
            None => write!(f, "incomplete utf-8 byte sequence from index {valid_up_to}"),
        }
    }
}

#[cfg(feature = "std")]
impl core::error::Error for Utf8Error {}

//! What is particular to UTF-8: views as `&str`, and `String` from bytes, as the standard library names them.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
#[cfg(feature = "alloc")]
use core::fmt;

use crate::{Error, Utf8, validate};

/// Validates `src` and gives it as `&str`. No copy.
///
/// # Errors
///
/// Where [`core::str::from_utf8`] has one, with the same position and length.
///
/// ```
/// assert_eq!(utflane::utf8::from_bytes(b"caf\xC3\xA9"), Ok("café"));
/// assert_eq!(utflane::utf8::from_bytes(b"caf\xE9").unwrap_err().valid_up_to(), 3);
/// ```
#[inline]
pub fn from_bytes(src: &[u8]) -> Result<&str, Error> {
    validate::<Utf8>(src)?;
    // SAFETY: it has just been validated.
    Ok(unsafe { core::str::from_utf8_unchecked(src) })
}

/// Validates `src` and gives it as `&mut str`. No copy.
///
/// # Errors
///
/// As [`from_bytes`].
///
/// ```
/// let mut bytes = *b"shout";
/// utflane::utf8::from_bytes_mut(&mut bytes)?.make_ascii_uppercase();
/// assert_eq!(&bytes, b"SHOUT");
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn from_bytes_mut(src: &mut [u8]) -> Result<&mut str, Error> {
    validate::<Utf8>(src)?;
    // SAFETY: it has just been validated.
    Ok(unsafe { core::str::from_utf8_unchecked_mut(src) })
}

/// Validates `bytes` and makes them a `String`. No copy.
///
/// # Errors
///
/// As [`from_bytes`]; the error gives the bytes back.
///
/// ```
/// use utflane::utf8;
///
/// assert_eq!(utf8::into_string(b"ok".to_vec()).unwrap(), "ok");
/// let error = utf8::into_string(vec![b'n', 0xFF]).unwrap_err();
/// assert_eq!(error.error().valid_up_to(), 1);
/// assert_eq!(error.into_bytes(), [b'n', 0xFF]);
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn into_string(bytes: Vec<u8>) -> Result<String, IntoStringError> {
    match validate::<Utf8>(&bytes) {
        // SAFETY: it has just been validated.
        Ok(()) => Ok(unsafe { String::from_utf8_unchecked(bytes) }),
        Err(error) => Err(IntoStringError { bytes, error }),
    }
}

/// The error of [`into_string`]: what is wrong, and the bytes, unchanged.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntoStringError {
    bytes: Vec<u8>,
    error: Error,
}

#[cfg(feature = "alloc")]
impl IntoStringError {
    /// What is wrong.
    #[must_use]
    pub fn error(&self) -> Error {
        self.error
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, given back.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(feature = "alloc")]
impl fmt::Display for IntoStringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

#[cfg(feature = "alloc")]
impl core::error::Error for IntoStringError {}

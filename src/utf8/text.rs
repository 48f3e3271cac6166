//! UTF-8 as `&str` and `String`, named as in the standard library, and summaries.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
#[cfg(feature = "alloc")]
use core::fmt;

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "count")]
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Utf8;
use crate::operations::free::validate;
use crate::swar::words;
use crate::types::error::Error;
use crate::types::summary::Summary;
use crate::{generic, scalar};

/// Validates `src` and returns it as `&str`. No copy.
///
/// # Errors
///
/// The first ill-formed sequence, with the position and length of [`core::str::from_utf8`].
///
/// ```
/// assert_eq!(utflane::utf8::from_utf8(b"caf\xC3\xA9"), Ok("café"));
/// assert_eq!(utflane::utf8::from_utf8(b"caf\xE9").unwrap_err().valid_up_to(), 3);
/// ```
#[inline]
pub fn from_utf8(src: &[u8]) -> Result<&str, Error> {
    validate::<Utf8>(src)?;
    // SAFETY: it has just been validated.
    Ok(unsafe { core::str::from_utf8_unchecked(src) })
}

/// Validates `src` and returns it as `&mut str`. No copy.
///
/// # Errors
///
/// As [`from_utf8`].
///
/// ```
/// let mut bytes = *b"shout";
/// utflane::utf8::from_utf8_mut(&mut bytes)?.make_ascii_uppercase();
/// assert_eq!(&bytes, b"SHOUT");
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn from_utf8_mut(src: &mut [u8]) -> Result<&mut str, Error> {
    validate::<Utf8>(src)?;
    // SAFETY: it has just been validated.
    Ok(unsafe { core::str::from_utf8_unchecked_mut(src) })
}

/// [`from_utf8`] on a kernel.
#[inline]
pub(crate) fn from_utf8_on(src: &[u8], kernel: Kernel) -> Result<&str, Error> {
    kernel.validate::<Utf8>(src)?;
    // SAFETY: it has just been validated.
    Ok(unsafe { core::str::from_utf8_unchecked(src) })
}

/// [`from_utf8_mut`] on a kernel.
#[inline]
pub(crate) fn from_utf8_mut_on(src: &mut [u8], kernel: Kernel) -> Result<&mut str, Error> {
    kernel.validate::<Utf8>(src)?;
    // SAFETY: it has just been validated.
    Ok(unsafe { core::str::from_utf8_unchecked_mut(src) })
}

/// Validates `src`, counts it, and finds its range of characters: all that decides how to store or
/// convert a text, in one pass.
///
/// An error costs two more passes over the valid prefix, to count it.
///
/// ```
/// use utflane::utf8;
///
/// let summary = utf8::summary("naïve 😀".as_bytes());
/// assert_eq!(summary.to_result(), Ok(()));
/// assert_eq!((summary.code_points(), summary.utf16_units()), (7, 8));
/// assert!(!summary.fits_latin1());
///
/// let summary = utf8::summary(b"na\xC3\xAFve\xFF");
/// assert_eq!((summary.valid_up_to(), summary.code_points()), (6, 5));
/// assert_eq!(summary.error().unwrap().valid_up_to(), 6);
/// ```
#[cfg(feature = "count")]
#[must_use]
#[inline]
pub fn summary(src: &[u8]) -> Summary {
    if words::is_ascii_16(src) {
        return Summary::well_formed(src.len(), src.len(), src.len(), true);
    }
    if words::is_character(src) {
        return Summary::well_formed(src.len(), 1, 1 + src.len() / 4, src[0] <= 0xC3);
    }
    Kernel::active().utf8_summary(src)
}

/// Returns true if `src` is well-formed UTF-8 without a character above U+00FF: the text then
/// converts to Latin-1.
///
/// Its length in Latin-1 is then its number of code points. Stops within a few hundred bytes after
/// the first other character.
///
/// ```
/// use utflane::utf8;
///
/// assert!(utf8::fits_latin1("naïve".as_bytes()));
/// assert!(!utf8::fits_latin1("100 €".as_bytes())); // U+20AC
/// assert!(!utf8::fits_latin1(b"na\xEFve")); // Latin-1 already, so no UTF-8
/// ```
#[cfg(feature = "count")]
#[must_use]
#[inline]
pub fn fits_latin1(src: &[u8]) -> bool {
    words::is_ascii_16(src) || Kernel::active().utf8_fits_latin1(src)
}

/// [`summary`] on a kernel.
#[cfg(feature = "count")]
#[inline(never)]
pub(crate) fn summary_on(src: &[u8], kernel: Kernel) -> Summary {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::utf8::summary(src, |error| ill_formed(src, error, kernel)),
        |V, token| generic::count::summary::summary::<V>(
            token, src, |error| ill_formed(src, error, kernel)))
}

/// Returns the summary of bytes with an error. A separate function, so the counts are not
/// compiled into every kernel again.
#[cfg(feature = "count")]
#[cold]
#[inline(never)]
fn ill_formed(src: &[u8], error: Error, kernel: Kernel) -> Summary {
    let valid = &src[..error.valid_up_to()];
    let code_points = (const { pairs::count(Scheme::Utf8) })(valid, kernel);
    let utf16_units = (const { pairs::len(Scheme::Utf8, Scheme::Utf16Le) })(valid, kernel);
    Summary::ill_formed(error, code_points, utf16_units)
}

/// [`fits_latin1`] on a kernel.
#[cfg(feature = "count")]
#[inline(never)]
pub(crate) fn fits_latin1_on(src: &[u8], kernel: Kernel) -> bool {
    dispatch!(kernel,
        scalar => scalar::utf8::fits_latin1(src),
        |V, token| generic::from_utf8::fits_latin1::fits::<V>(token, src))
}

/// Validates `bytes` and makes them a `String`. No copy.
///
/// # Errors
///
/// As [`from_utf8`]; the error returns the bytes.
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

/// The error of [`into_string`]: the error of the text, and its bytes, unchanged.
///
/// ```
/// use utflane::utf8;
///
/// let error = utf8::into_string(b"caf\xE9".to_vec()).unwrap_err();
/// assert_eq!(error.error().valid_up_to(), 3);
/// assert_eq!(error.into_bytes(), b"caf\xE9");
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntoStringError {
    bytes: Vec<u8>,
    error: Error,
}

#[cfg(feature = "alloc")]
impl IntoStringError {
    /// Returns the error of the text.
    #[must_use]
    pub fn error(&self) -> Error {
        self.error
    }

    /// Returns the bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes by value.
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

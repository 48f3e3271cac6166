//! Converts bytes to `&str` and `String`, and summarizes texts. Functions that `core::str` also has
//! have the same names as there.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "count")]
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Utf8;
use crate::operations::free::validate;
use crate::swar::words;
use crate::types::error::Error;
#[cfg(feature = "alloc")]
use crate::types::error::IntoError;
use crate::types::summary::Summary;
use crate::{generic, scalar};

/// Validates `src` and returns it as `&str`, without a copy.
///
/// # Errors
///
/// Returns the error of the first ill-formed sequence. Its position and length are the same as in
/// [`core::str::from_utf8`].
///
/// ```
/// assert_eq!(utflane::utf8::from_utf8(b"caf\xC3\xA9"), Ok("café"));
/// assert_eq!(utflane::utf8::from_utf8(b"caf\xE9").unwrap_err().valid_up_to(), 3);
/// ```
#[inline]
pub fn from_utf8(src: &[u8]) -> Result<&str, Error> {
    validate::<Utf8>(src)?;
    // SAFETY: `src` must be well-formed UTF-8, and `validate` has just tested that.
    Ok(unsafe { core::str::from_utf8_unchecked(src) })
}

/// Validates `src` and returns it as `&mut str`, without a copy.
///
/// # Errors
///
/// Returns the same errors as [`from_utf8`].
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
    // SAFETY: `src` must be well-formed UTF-8, and `validate` has just tested that.
    Ok(unsafe { core::str::from_utf8_unchecked_mut(src) })
}

/// Validates `src`, counts its code points and UTF-16 units, and tests if it is ASCII or fits into
/// Latin-1. This is what a program needs to decide how to store or convert a text. Reads the text
/// once.
///
/// If there is an error, the valid prefix is read two more times to count it.
///
/// ```
/// use utflane::utf8;
///
/// let summary = utf8::summary("naïve 😀".as_bytes());
/// assert_eq!(summary.error, None);
/// assert_eq!((summary.code_points, summary.utf16_units), (7, 8));
/// assert!(!summary.fits_latin1);
///
/// let summary = utf8::summary(b"na\xC3\xAFve\xFF");
/// assert_eq!((summary.valid_up_to, summary.code_points), (6, 5));
/// assert_eq!(summary.error.unwrap().valid_up_to(), 6);
/// ```
#[cfg(feature = "count")]
#[must_use]
#[inline]
pub fn summary(src: &[u8]) -> Summary {
    if words::is_ascii_16(src) {
        // Each byte is one code point and one UTF-16 unit.
        return Summary::well_formed(src.len(), src.len(), src.len(), true);
    }
    if words::is_character(src) {
        // A character of four bytes has two UTF-16 units.
        return Summary::well_formed(src.len(), 1, 1 + src.len() / 4, src[0] <= 0xC3);
    }
    Kernel::active().utf8_summary(src)
}

/// Returns true if `src` is well-formed UTF-8 without a character above U+00FF. The text can then
/// be converted to Latin-1.
///
/// The length of the text in Latin-1 is its number of code points. The function stops reading
/// within a few hundred bytes after the first character above U+00FF or the first error.
///
/// ```
/// use utflane::utf8;
///
/// assert!(utf8::fits_latin1("naïve".as_bytes()));
/// assert!(!utf8::fits_latin1("100 €".as_bytes())); // U+20AC
/// assert!(!utf8::fits_latin1(b"na\xEFve")); // Latin-1, which is not UTF-8
/// ```
#[cfg(feature = "count")]
#[must_use]
#[inline]
pub fn fits_latin1(src: &[u8]) -> bool {
    words::is_ascii_16(src) || Kernel::active().utf8_fits_latin1(src)
}

/// Returns the summary of a text with an error. It is a separate function, so that the counting
/// code is not compiled again for every kernel.
#[cfg(feature = "count")]
#[cold]
#[inline(never)]
fn summarize_ill_formed(src: &[u8], error: Error, kernel: Kernel) -> Summary {
    let valid = &src[..error.valid_up_to()];
    let code_points = (const { pairs::count(Scheme::Utf8) })(valid, kernel);
    let utf16_units = (const { pairs::len(Scheme::Utf8, Scheme::Utf16Le) })(valid, kernel);
    Summary::ill_formed(error, code_points, utf16_units)
}

/// Validates `bytes` and converts them to a `String`, without a copy.
///
/// # Errors
///
/// Returns the same errors as [`from_utf8`]. The error contains the bytes.
///
/// ```
/// use utflane::utf8;
///
/// assert_eq!(utf8::into_string(b"ok".to_vec()).unwrap(), "ok");
/// let error = utf8::into_string(vec![b'n', 0xFF]).unwrap_err();
/// assert_eq!(error.error.valid_up_to(), 1);
/// assert_eq!(error.units, [b'n', 0xFF]);
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn into_string(bytes: Vec<u8>) -> Result<String, IntoError<u8>> {
    match validate::<Utf8>(&bytes) {
        // SAFETY: `bytes` must be well-formed UTF-8, and `validate` has just tested that.
        Ok(()) => Ok(unsafe { String::from_utf8_unchecked(bytes) }),
        Err(error) => Err(IntoError { error, units: bytes }),
    }
}

/// The functions of [`utf8`](crate::utf8) on a kernel.
impl Kernel {
    /// Calls `utf8::from_utf8` on this kernel.
    #[doc(hidden)]
    #[inline]
    pub fn from_utf8(self, src: &[u8]) -> Result<&str, Error> {
        self.validate::<Utf8>(src)?;
        // SAFETY: `src` must be well-formed UTF-8, and `validate` has just tested that.
        Ok(unsafe { core::str::from_utf8_unchecked(src) })
    }

    /// Calls `utf8::from_utf8_mut` on this kernel.
    #[doc(hidden)]
    #[inline]
    pub fn from_utf8_mut(self, src: &mut [u8]) -> Result<&mut str, Error> {
        self.validate::<Utf8>(src)?;
        // SAFETY: `src` must be well-formed UTF-8, and `validate` has just tested that.
        Ok(unsafe { core::str::from_utf8_unchecked_mut(src) })
    }

    /// Calls `utf8::summary` on this kernel.
    #[cfg(feature = "count")]
    #[doc(hidden)]
    #[must_use]
    #[inline(never)]
    pub fn utf8_summary(self, src: &[u8]) -> Summary {
        dispatch!(self, wide if src.len() >= 3 * WIDE_BYTES,
            scalar => scalar::utf8::summary(src, |error| summarize_ill_formed(src, error, self)),
            |V, token| generic::count::summary::summary::<V>(
                token, src, |error| summarize_ill_formed(src, error, self)))
    }

    /// Calls `utf8::fits_latin1` on this kernel.
    #[cfg(feature = "count")]
    #[doc(hidden)]
    #[must_use]
    #[inline(never)]
    pub fn utf8_fits_latin1(self, src: &[u8]) -> bool {
        dispatch!(self,
            scalar => scalar::utf8::fits_latin1(src),
            |V, token| generic::from_utf8::fits_latin1::fits::<V>(token, src))
    }
}

//! What is particular to UTF-8: views as `&str`, and `String` from bytes, as the standard library names them; summaries;
//! characters; places and boundaries; valid and invalid runs; and its [older definition](legacy).

mod boundary;
mod chars;
mod chunks;
pub mod legacy;
#[cfg(feature = "alloc")]
mod lossy;
pub(crate) mod places;

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
#[cfg(feature = "alloc")]
use core::fmt;

pub use self::boundary::{ceil_boundary, floor_boundary, is_boundary};
#[cfg(feature = "alloc")]
pub use self::chars::{str_to_chars, str_to_chars_append, to_chars, to_chars_append};
pub use self::chars::{str_to_chars_into_uninit, to_chars_into_uninit};
pub use self::chunks::{Chunk, Chunks, chunks};
#[cfg(feature = "alloc")]
pub use self::lossy::{into_string_lossy, lossy};
pub use self::places::{index_of, line_of, line_start, offset_at, offset_of, position_of};
use crate::encoding::pairs;
use crate::kernel::{dispatch, dispatch_long};
use crate::{Error, Kernel, Scheme, Utf8, generic, scalar, short, validate};

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

/// Validates `src`, counts it, and says how small its characters are: everything that decides how to store or convert a
/// text, in one pass.
///
/// An error costs two more passes over what stands in front of it, to count it.
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
#[must_use]
#[inline]
pub fn summary(src: &[u8]) -> Summary {
    if short::is_ascii_16(src) {
        return Summary::well_formed(src.len(), src.len(), src.len(), true);
    }
    if short::is_character(src) {
        return Summary::well_formed(src.len(), 1, 1 + src.len() / 4, src[0] <= 0xC3);
    }
    Kernel::active().utf8_summary(src)
}

/// Whether `src` is well-formed UTF-8 and no character is beyond U+00FF: whether its conversion to Latin-1 succeeds.
///
/// It then has as many bytes there as code points here. Stops within a few hundred bytes of what says no.
///
/// ```
/// use utflane::utf8;
///
/// assert!(utf8::fits_latin1("naïve".as_bytes()));
/// assert!(!utf8::fits_latin1("100 €".as_bytes())); // U+20AC
/// assert!(!utf8::fits_latin1(b"na\xEFve")); // Latin-1 already, so no UTF-8
/// ```
#[must_use]
#[inline]
pub fn fits_latin1(src: &[u8]) -> bool {
    short::fits_latin1(src) || Kernel::active().utf8_fits_latin1(src)
}

/// [`summary`] on a kernel.
#[inline(never)]
pub(crate) fn summary_on(kernel: Kernel, src: &[u8]) -> Summary {
    dispatch_long!(kernel, src.len(),
        scalar => scalar::utf8::summary(src),
        |V, token| generic::summary::summary::<V>(token, kernel, src))
}

/// [`fits_latin1`] on a kernel.
#[inline(never)]
pub(crate) fn fits_latin1_on(kernel: Kernel, src: &[u8]) -> bool {
    dispatch!(kernel,
        scalar => scalar::utf8::fits_latin1(src),
        |V, token| generic::latin1::fits::<V>(token, src))
}

/// What [`summary`] says of some bytes.
///
/// The counts are those of the valid prefix, `..valid_up_to()`. The answers are about all of the bytes: they are no where
/// something is ill-formed.
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
    /// Of `len` well-formed bytes.
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

    /// Of bytes with an error. By itself, so that the counts are not compiled into every kernel again.
    #[cold]
    #[inline(never)]
    pub(crate) fn ill_formed(kernel: Kernel, src: &[u8], error: Error) -> Self {
        let valid_up_to = error.valid_up_to();
        let valid = &src[..valid_up_to];
        Self {
            valid_up_to,
            code_points: (const { pairs::count(Scheme::Utf8) })(kernel, valid),
            utf16_units: (const { pairs::len(Scheme::Utf8, Scheme::Utf16Le) })(kernel, valid),
            error: Some(error),
            is_ascii: false,
            fits_latin1: false,
        }
    }

    /// Bytes in front of the first error; all of them if there is none.
    #[must_use]
    #[inline]
    pub const fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    /// The first place that is not well-formed, as [`validate`] reports it.
    #[must_use]
    #[inline]
    pub const fn error(&self) -> Option<Error> {
        self.error
    }

    /// What [`validate`] gives.
    ///
    /// # Errors
    ///
    /// The first place that is not well-formed.
    #[inline]
    pub const fn to_result(&self) -> Result<(), Error> {
        match self.error {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Whether all of it is ASCII.
    #[must_use]
    #[inline]
    pub const fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// Whether all of it is well-formed with no character beyond U+00FF, as [`fits_latin1`] says.
    #[must_use]
    #[inline]
    pub const fn fits_latin1(&self) -> bool {
        self.fits_latin1
    }

    /// Code points of the valid prefix: its length in UTF-32, and in Latin-1 if it [fits](Self::fits_latin1).
    #[must_use]
    #[inline]
    pub const fn code_points(&self) -> usize {
        self.code_points
    }

    /// UTF-16 code units of the valid prefix.
    #[must_use]
    #[inline]
    pub const fn utf16_units(&self) -> usize {
        self.utf16_units
    }
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

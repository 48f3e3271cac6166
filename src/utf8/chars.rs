//! Converts UTF-8 to `char`s, which are UTF-32 in a type whose values are always valid.

use alloc::vec::Vec;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::owned;
use crate::owned::ConversionToVec;
use crate::types::error::Error;

/// Validates `src` and returns its characters. Reads the text once.
///
/// To write into memory of the caller, [convert to UTF-32](crate::transcode_into) and view the
/// units as characters ([`utf32::as_chars`](crate::utf32::as_chars)).
///
/// # Errors
///
/// Returns the error of the first ill-formed sequence. Its position and length are the same as in
/// [`core::str::from_utf8`].
///
/// ```
/// use utflane::utf8;
///
/// assert_eq!(utf8::to_chars(b"n\xC3\xA9")?, ['n', 'é']);
/// assert_eq!(utf8::to_chars(b"n\xC3").unwrap_err().valid_up_to(), 1);
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn to_chars(src: &[u8]) -> Result<Vec<char>, Error> {
    Kernel::active().utf8_to_chars(src)
}

/// Returns the characters of `src`, as `src.chars().collect()` does.
///
/// ```
/// assert_eq!(utflane::utf8::str_to_chars("añ😀"), ['a', 'ñ', '😀']);
/// ```
#[must_use]
#[inline]
pub fn str_to_chars(src: &str) -> Vec<char> {
    Kernel::active().str_to_chars(src)
}

/// The conversion of bytes to characters, with validation.
static CHECKED: ConversionToVec =
    ConversionToVec::new(pairs::transcode(Scheme::Utf8, Scheme::UTF32), 1);
/// The conversion of a `&str` to characters, without validation.
static UNCHECKED: ConversionToVec = ConversionToVec::new(pairs::transcode_str(Scheme::UTF32), 1);

/// The functions of [`utf8`](crate::utf8) on a kernel.
impl Kernel {
    /// Calls `utf8::to_chars` on this kernel.
    ///
    /// # Errors
    ///
    /// Returns the error of the first ill-formed sequence.
    #[doc(hidden)]
    #[inline]
    pub fn utf8_to_chars(self, src: &[u8]) -> Result<Vec<char>, Error> {
        let units = owned::new::<u32>(Some(self), &CHECKED, src)?;
        // SAFETY: all units must be scalar values. A conversion from UTF-8 has written them, and
        // UTF-8 encodes only scalar values.
        Ok(unsafe { view::into_chars(units) })
    }

    /// Calls `utf8::str_to_chars` on this kernel.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn str_to_chars(self, src: &str) -> Vec<char> {
        let result = owned::new::<u32>(Some(self), &UNCHECKED, src.as_bytes());
        debug_assert!(result.is_ok(), "every character is a UTF-32 unit");
        // SAFETY: all units must be scalar values. They are the scalar values of the characters of
        // `src`.
        unsafe { view::into_chars(result.unwrap_or_default()) }
    }
}

//! Converts UTF-8 to `char`s, which are UTF-32 in a type whose values are always valid.
//!
//! No function writes into a `&mut [char]`, because a conversion may leave arbitrary bits in the
//! output after `written`, and a `char` must never hold arbitrary bits.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::scheme::Scheme;
#[cfg(feature = "alloc")]
use crate::encoding::unit::VecMut;
use crate::encoding::view;
#[cfg(feature = "alloc")]
use crate::owned;
#[cfg(feature = "alloc")]
use crate::owned::ConversionToVec;
#[cfg(feature = "alloc")]
use crate::types::error::Error;
use crate::types::progress::Progress;
use crate::types::progress::Units;

/// Validates `src` and returns its characters. Reads the text once.
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
#[cfg(feature = "alloc")]
#[inline]
pub fn to_chars(src: &[u8]) -> Result<Vec<char>, Error> {
    Kernel::active().utf8_to_chars(src)
}

/// Validates `src` and appends its characters to `out`.
///
/// # Errors
///
/// Returns the same errors as [`to_chars`]. The characters before the error have been appended.
///
/// ```
/// let mut out = vec!['¿'];
/// assert!(utflane::utf8::to_chars_append(b"Qu\xC3\xA9\xFF", &mut out).is_err());
/// assert_eq!(out, ['¿', 'Q', 'u', 'é']);
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn to_chars_append(src: &[u8], out: &mut Vec<char>) -> Result<(), Error> {
    Kernel::active().utf8_to_chars_append(src, out)
}

/// Validates `src` and writes as many of its characters to `dst` as fit. On return,
/// `dst[..written]` is initialised.
///
/// A `dst` of `src.len()` characters is always large enough. `read` counts bytes, and `written`
/// counts `char`s.
///
/// ```
/// use std::mem::MaybeUninit;
/// use utflane::{Stop, utf8};
///
/// let mut dst = [MaybeUninit::uninit(); 2];
/// let progress = utf8::to_chars_into_uninit("añ😀".as_bytes(), &mut dst);
/// assert_eq!((progress.read, progress.written, progress.stop), (3, 2, Stop::OutputFull));
/// // SAFETY: the first `written` characters must be initialised, and the function has done that.
/// let mut chars = dst[..progress.written].iter().map(|c| unsafe { c.assume_init() });
/// assert_eq!(chars.next_back(), Some('ñ'));
/// ```
#[inline]
pub fn to_chars_into_uninit(src: &[u8], dst: &mut [MaybeUninit<char>]) -> Progress {
    Kernel::active().utf8_to_chars_into_uninit(src, dst)
}

/// Returns the characters of `src`, as `src.chars().collect()` does.
///
/// ```
/// assert_eq!(utflane::utf8::str_to_chars("añ😀"), ['a', 'ñ', '😀']);
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn str_to_chars(src: &str) -> Vec<char> {
    Kernel::active().str_to_chars(src)
}

/// Appends the characters of `src` to `out`, as `out.extend(src.chars())` does.
///
/// ```
/// let mut out = vec!['π'];
/// utflane::utf8::str_to_chars_append("≈3", &mut out);
/// assert_eq!(out, ['π', '≈', '3']);
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn str_to_chars_append(src: &str, out: &mut Vec<char>) {
    Kernel::active().str_to_chars_append(src, out);
}

/// Like [`to_chars_into_uninit`], without validation.
///
/// ```
/// use std::mem::MaybeUninit;
///
/// let mut dst = [MaybeUninit::uninit(); 4];
/// assert_eq!(utflane::utf8::str_to_chars_into_uninit("añ", &mut dst).written, 2);
/// ```
#[inline]
pub fn str_to_chars_into_uninit(src: &str, dst: &mut [MaybeUninit<char>]) -> Progress {
    Kernel::active().str_to_chars_into_uninit(src, dst)
}

/// The conversion of bytes to characters, with validation.
const CHECKED: Conversion = pairs::transcode(Scheme::Utf8, Scheme::UTF32);
/// The conversion of a `&str` to characters, without validation.
const UNCHECKED: Conversion = pairs::transcode_str(Scheme::UTF32);

/// The conversion [`CHECKED`] into a vector.
#[cfg(feature = "alloc")]
static CHECKED_TO_VEC: ConversionToVec = ConversionToVec::new(CHECKED, 1);
/// The conversion [`UNCHECKED`] into a vector.
#[cfg(feature = "alloc")]
static UNCHECKED_TO_VEC: ConversionToVec = ConversionToVec::new(UNCHECKED, 1);

/// The functions of [`utf8`](crate::utf8) on a kernel.
impl Kernel {
    /// Calls `utf8::to_chars` on this kernel.
    ///
    /// # Errors
    ///
    /// Returns the error of the first ill-formed sequence.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn utf8_to_chars(self, src: &[u8]) -> Result<Vec<char>, Error> {
        let units = owned::new::<u32>(Some(self), &CHECKED_TO_VEC, src)?;
        // SAFETY: all units must be scalar values. A conversion from UTF-8 has written them, and
        // UTF-8 encodes only scalar values.
        Ok(unsafe { view::into_chars(units) })
    }

    /// Calls `utf8::to_chars_append` on this kernel.
    ///
    /// # Errors
    ///
    /// Returns the error of the first ill-formed sequence.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn utf8_to_chars_append(self, src: &[u8], out: &mut Vec<char>) -> Result<(), Error> {
        append(&CHECKED_TO_VEC, src, out, self)
    }

    /// Calls `utf8::to_chars_into_uninit` on this kernel.
    #[doc(hidden)]
    pub fn utf8_to_chars_into_uninit(self, src: &[u8], dst: &mut [MaybeUninit<char>]) -> Progress {
        CHECKED.run(self, src, view::char_bytes_uninit_mut(dst), Units::for_types::<u8, char>())
    }

    /// Calls `utf8::str_to_chars` on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn str_to_chars(self, src: &str) -> Vec<char> {
        let result = owned::new::<u32>(Some(self), &UNCHECKED_TO_VEC, src.as_bytes());
        debug_assert!(result.is_ok(), "every character is a UTF-32 unit");
        // SAFETY: all units must be scalar values. They are the scalar values of the characters of
        // `src`.
        unsafe { view::into_chars(result.unwrap_or_default()) }
    }

    /// Calls `utf8::str_to_chars_append` on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn str_to_chars_append(self, src: &str, out: &mut Vec<char>) {
        let result = append(&UNCHECKED_TO_VEC, src.as_bytes(), out, self);
        debug_assert_eq!(result, Ok(()), "every character is a UTF-32 unit");
    }

    /// Calls `utf8::str_to_chars_into_uninit` on this kernel.
    #[doc(hidden)]
    pub fn str_to_chars_into_uninit(self, src: &str, dst: &mut [MaybeUninit<char>]) -> Progress {
        UNCHECKED.run(
            self,
            src.as_bytes(),
            view::char_bytes_uninit_mut(dst),
            Units::for_types::<u8, char>(),
        )
    }
}

/// Converts `src` and appends its characters to `out`. If there is an error, the characters before
/// it have been appended.
#[cfg(feature = "alloc")]
fn append(
    to_vec: &ConversionToVec,
    src: &[u8],
    out: &mut Vec<char>,
    kernel: Kernel,
) -> Result<(), Error> {
    let mut units = view::into_units(core::mem::take(out));
    let result = owned::append(Some(kernel), to_vec, src, VecMut::U32(&mut units));
    // SAFETY: all units must be scalar values. The vector held `char`s, and the units that were
    // appended, also before an error, are scalar values because UTF-8 encodes only these.
    *out = unsafe { view::into_chars(units) };
    result
}

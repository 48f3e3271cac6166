//! UTF-8 as characters: UTF-32, which has the type to show that it is well-formed.
//!
//! There is no form that writes into a `&mut [char]`: what lies behind the progress is scratch, and a `char` must never
//! hold any.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use crate::Error;
use crate::encoding::pairs::{self, Conversion};
use crate::encoding::view;
#[cfg(feature = "alloc")]
use crate::owned::{self, Append, Job};
use crate::progress::Units;
use crate::{Kernel, Progress, Scheme};

/// Validates `src` and gives its characters.
///
/// # Errors
///
/// Where [`core::str::from_utf8`] has one, with the same position and length.
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
/// As [`to_chars`]; what stands in front of the error has been appended.
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

/// Validates `src` and writes as many of its characters as fit to `dst`. Afterwards `dst[..written]` is initialised.
///
/// As many `char`s as `src` has bytes are always enough.
///
/// ```
/// use std::mem::MaybeUninit;
/// use utflane::{Stop, utf8};
///
/// let mut dst = [MaybeUninit::uninit(); 2];
/// let progress = utf8::to_chars_into_uninit("añ😀".as_bytes(), &mut dst);
/// assert_eq!((progress.read, progress.written, progress.stop), (3, 2, Stop::OutputFull));
/// // SAFETY: that many have been initialised.
/// assert_eq!(dst[..progress.written].iter().map(|c| unsafe { c.assume_init() }).last(), Some('ñ'));
/// ```
#[inline]
pub fn to_chars_into_uninit(src: &[u8], dst: &mut [MaybeUninit<char>]) -> Progress {
    Kernel::active().utf8_to_chars_into_uninit(src, dst)
}

/// The characters of `src`, as `src.chars().collect()`.
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

/// Appends the characters of `src` to `out`, as `out.extend(src.chars())`.
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

/// [`to_chars_into_uninit`] without validation.
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

/// From bytes.
const CHECKED: Conversion = pairs::transcode(Scheme::Utf8, Scheme::UTF32);
/// From `&str`.
const UNCHECKED: Conversion = pairs::transcode_str(Scheme::UTF32);

/// Owned results from bytes.
#[cfg(feature = "alloc")]
static CHECKED_JOB: Job = Job::of(CHECKED, 1);
/// Owned results from `&str`.
#[cfg(feature = "alloc")]
static UNCHECKED_JOB: Job = Job::of(UNCHECKED, 1);

/// The functions of [`utf8`](crate::utf8) on a kernel.
impl Kernel {
    /// `utf8::to_chars` on this kernel.
    ///
    /// # Errors
    ///
    /// The first place that is not well-formed.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn utf8_to_chars(self, src: &[u8]) -> Result<Vec<char>, Error> {
        let units = owned::new::<u32>(Some(self), &CHECKED_JOB, src)?;
        // SAFETY: the units that a conversion from UTF-8 has written are scalar values: nothing else is well-formed there.
        Ok(unsafe { view::into_chars(units) })
    }

    /// `utf8::to_chars_append` on this kernel.
    ///
    /// # Errors
    ///
    /// The first place that is not well-formed.
    #[cfg(feature = "alloc")]
    pub fn utf8_to_chars_append(self, src: &[u8], out: &mut Vec<char>) -> Result<(), Error> {
        append(self, &CHECKED_JOB, src, out)
    }

    /// `utf8::to_chars_into_uninit` on this kernel.
    pub fn utf8_to_chars_into_uninit(self, src: &[u8], dst: &mut [MaybeUninit<char>]) -> Progress {
        CHECKED.run(self, src, view::char_bytes_uninit_mut(dst), Units::of::<u8, char>())
    }

    /// `utf8::str_to_chars` on this kernel.
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn str_to_chars(self, src: &str) -> Vec<char> {
        let result = owned::new::<u32>(Some(self), &UNCHECKED_JOB, src.as_bytes());
        debug_assert!(result.is_ok(), "every character is a unit of UTF-32");
        // SAFETY: the units are the scalar values of the characters of `src`.
        unsafe { view::into_chars(result.unwrap_or_default()) }
    }

    /// `utf8::str_to_chars_append` on this kernel.
    #[cfg(feature = "alloc")]
    pub fn str_to_chars_append(self, src: &str, out: &mut Vec<char>) {
        let result = append(self, &UNCHECKED_JOB, src.as_bytes(), out);
        debug_assert_eq!(result, Ok(()), "every character is a unit of UTF-32");
    }

    /// `utf8::str_to_chars_into_uninit` on this kernel.
    pub fn str_to_chars_into_uninit(self, src: &str, dst: &mut [MaybeUninit<char>]) -> Progress {
        UNCHECKED.run(
            self,
            src.as_bytes(),
            view::char_bytes_uninit_mut(dst),
            Units::of::<u8, char>(),
        )
    }
}

/// Appends what comes of `src`, which is UTF-8 or has an error.
#[cfg(feature = "alloc")]
fn append(kernel: Kernel, job: &Job, src: &[u8], out: &mut Vec<char>) -> Result<(), Error> {
    let mut units = view::into_units(core::mem::take(out));
    let result = u32::append(Some(kernel), job, src, &mut units);
    // SAFETY: there were `char`s in it, and what has been appended, in front of an error too, are scalar values: nothing
    // else is well-formed in UTF-8.
    *out = unsafe { view::into_chars(units) };
    result
}

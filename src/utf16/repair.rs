//! Repairs ill-formed UTF-16 with U+FFFD, and tests if a text fits into Latin-1 or ASCII.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};
use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "transcode")]
use crate::dispatch::pairs::repair::make_well_formed_fn;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
#[cfg(feature = "transcode")]
use crate::encoding::output::Output;
#[cfg(feature = "transcode")]
use crate::encoding::scheme::Scheme;
#[cfg(feature = "transcode")]
use crate::encoding::types::{Encoding, Utf16};
use crate::encoding::view;
#[cfg(feature = "alloc")]
use crate::operations::free::validate;
use crate::swar::utf16;
use crate::types::progress::{Progress, Stop};
use crate::{generic, scalar};

/// Replaces every unpaired surrogate by U+FFFD. Returns the number of replaced surrogates.
///
/// Reads the text once, and writes only where surrogates are unpaired.
///
/// ```
/// let mut text = [0x61, 0xD83D, 0x62, 0xD83D, 0xDE00]; // a, unpaired, b, 😀
/// assert_eq!(utflane::utf16::make_well_formed(&mut text), 1);
/// assert_eq!(text, [0x61, 0xFFFD, 0x62, 0xD83D, 0xDE00]);
/// ```
#[cfg(feature = "transcode")]
#[inline]
pub fn make_well_formed(text: &mut [u16]) -> usize {
    if has_no_surrogate(text) {
        return 0;
    }
    Kernel::active().utf16_make_well_formed(text)
}

/// Like [`make_well_formed`], for UTF-16LE: bytes of any alignment, with the low byte first.
///
/// A single byte after the last complete unit cannot hold U+FFFD. It is not changed and not
/// counted. A high surrogate before this byte is unpaired.
///
/// ```
/// let mut text = *b"a\0\x3D\xD8b\0!"; // a, unpaired, b, an incomplete unit
/// assert_eq!(utflane::utf16::make_well_formed_le(&mut text), 1);
/// assert_eq!(&text, b"a\0\xFD\xFFb\0!");
/// ```
#[cfg(feature = "transcode")]
#[inline]
pub fn make_well_formed_le(text: &mut [u8]) -> usize {
    if utf16::has_no_surrogate::<false>(text) {
        return 0;
    }
    Kernel::active().utf16_make_well_formed_le(text)
}

/// Like [`make_well_formed_le`], for UTF-16BE: bytes of any alignment, with the high byte first.
///
/// ```
/// let mut text = *b"\0a\xD8\x3D\0b!"; // a, unpaired, b, an incomplete unit
/// assert_eq!(utflane::utf16::make_well_formed_be(&mut text), 1);
/// assert_eq!(&text, b"\0a\xFF\xFD\0b!");
/// ```
#[cfg(feature = "transcode")]
#[inline]
pub fn make_well_formed_be(text: &mut [u8]) -> usize {
    if utf16::has_no_surrogate::<true>(text) {
        return 0;
    }
    Kernel::active().utf16_make_well_formed_be(text)
}

/// Copies as much of `src` as fits into `dst`, with U+FFFD for every unpaired surrogate.
///
/// `stop` is [`Stop::Done`], or [`Stop::OutputFull`] if `dst` is shorter than `src`. It is never an
/// error. `read` and `written` are equal. A surrogate pair is never split: if only its high
/// surrogate would fit, the output ends before the pair. `dst` may be uninitialised: see
/// [`Output`].
///
/// ```
/// use utflane::{Stop, utf16};
///
/// let text = [0x61, 0xDE00, 0xD83D, 0xDE00]; // a, unpaired, 😀
/// let mut dst = [0; 3];
/// let progress = utf16::well_formed_into(&text, &mut dst);
/// assert_eq!((progress.written, progress.stop), (2, Stop::OutputFull));
/// assert_eq!(dst[..2], [0x61, 0xFFFD]);
/// ```
#[cfg(feature = "transcode")]
#[inline]
pub fn well_formed_into(src: &[u16], dst: &mut (impl Output<u16> + ?Sized)) -> Progress {
    Kernel::active().utf16_well_formed_into(src, dst)
}

/// Returns `src` if it is well-formed. Otherwise returns a copy with U+FFFD for every unpaired
/// surrogate.
///
/// Well-formed text is only validated. In ill-formed text, the part before the first error is read
/// twice.
///
/// ```
/// use std::borrow::Cow;
/// use utflane::utf16;
///
/// assert!(matches!(utf16::to_well_formed(&[0xD83D, 0xDE00]), Cow::Borrowed(_)));
/// assert_eq!(*utf16::to_well_formed(&[0xDE00, 0xD83D]), [0xFFFD, 0xFFFD]);
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
#[must_use]
#[inline]
pub fn to_well_formed(src: &[u16]) -> Cow<'_, [u16]> {
    match validate::<Utf16>(src) {
        Ok(()) => Cow::Borrowed(src),
        Err(_) => Cow::Owned(copy_well_formed(src)),
    }
}

/// Returns true if no unit is above U+00FF. The text can then be converted to Latin-1.
///
/// Stops reading within a few hundred bytes after the first greater unit.
///
/// ```
/// use utflane::utf16;
///
/// assert!(utf16::fits_latin1(&[0x6E, 0xEF])); // nï
/// assert!(!utf16::fits_latin1(&[0x20AC])); // €
/// ```
#[cfg(feature = "count")]
#[must_use]
#[inline]
pub fn fits_latin1(src: &[u16]) -> bool {
    Kernel::active().utf16_fits_latin1(src)
}

/// Returns true if no unit is above U+007F. The text can then be converted to ASCII.
///
/// Stops reading within a few hundred bytes after the first greater unit.
///
/// ```
/// use utflane::utf16;
///
/// assert!(utf16::fits_ascii(&[0x6E, 0x6F])); // no
/// assert!(!utf16::fits_ascii(&[0x6E, 0xEF])); // nï
/// ```
#[cfg(feature = "count")]
#[must_use]
#[inline]
pub fn fits_ascii(src: &[u16]) -> bool {
    Kernel::active().utf16_fits_ascii(src)
}

/// Returns true if a text has at most eight units and no surrogates.
#[inline]
fn has_no_surrogate(text: &[u16]) -> bool {
    utf16::has_no_surrogate::<{ cfg!(target_endian = "big") }>(view::bytes(text))
}

/// Copies `src` to `dst`, which has the same length, and replaces unpaired surrogates by U+FFFD.
#[cfg(feature = "transcode")]
#[inline(never)]
fn copy_repaired(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 2 * WIDE_BYTES,
    scalar => {
        dst.copy_from_slice(view::as_uninit(src));
        // SAFETY: the copy in the line above has initialised these bytes.
        make_well_formed_fn(Utf16::SCHEME)(unsafe { view::init_mut(dst) }, kernel);
    },
    |V, token, src, dst| generic::repair::utf16::copy::<V>(token, src, dst));
}

/// Returns a copy with U+FFFD for every unpaired surrogate.
#[cfg(all(feature = "alloc", feature = "transcode"))]
#[cold]
#[inline(never)]
fn copy_well_formed(src: &[u16]) -> Vec<u16> {
    let mut units = Vec::with_capacity(src.len());
    let written = well_formed_into(src, units.spare_capacity_mut()).written;
    // SAFETY: the first `written` units must be initialised and within the capacity.
    // `well_formed_into` has initialised `written` units of the spare capacity.
    unsafe { units.set_len(written) };
    units
}

/// Returns true if no unit has a bit of `mask`.
#[inline(never)]
fn fits(src: &[u8], mask: u16, kernel: Kernel) -> bool {
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::utf16::has_no_bits(src, mask),
        |V, token, src, mask| generic::from_utf16::check::fits::<V>(token, src, mask))
}

/// The functions of [`utf16`](mod@crate::utf16) that repair and test, on a kernel.
impl Kernel {
    /// Calls [`utf16::make_well_formed`](make_well_formed) on this kernel.
    #[cfg(feature = "transcode")]
    #[doc(hidden)]
    #[inline]
    pub fn utf16_make_well_formed(self, text: &mut [u16]) -> usize {
        let repair = const { make_well_formed_fn(Utf16::SCHEME) };
        repair(view::bytes_mut(text), self)
    }

    /// Calls [`utf16::make_well_formed_le`](make_well_formed_le) on this kernel.
    #[cfg(feature = "transcode")]
    #[doc(hidden)]
    #[inline]
    pub fn utf16_make_well_formed_le(self, text: &mut [u8]) -> usize {
        let (units, _) = text.as_chunks_mut::<2>();
        let repair = const { make_well_formed_fn(Scheme::Utf16Le) };
        repair(units.as_flattened_mut(), self)
    }

    /// Calls [`utf16::make_well_formed_be`](make_well_formed_be) on this kernel.
    #[cfg(feature = "transcode")]
    #[doc(hidden)]
    #[inline]
    pub fn utf16_make_well_formed_be(self, text: &mut [u8]) -> usize {
        let (units, _) = text.as_chunks_mut::<2>();
        let repair = const { make_well_formed_fn(Scheme::Utf16Be) };
        repair(units.as_flattened_mut(), self)
    }

    /// Calls [`utf16::well_formed_into`](well_formed_into) on this kernel.
    #[cfg(feature = "transcode")]
    #[doc(hidden)]
    #[inline]
    pub fn utf16_well_formed_into(
        self,
        src: &[u16],
        dst: &mut (impl Output<u16> + ?Sized),
    ) -> Progress {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { dst.uninit_mut() };
        let has_top_bits =
            |index: usize, top: u16| src.get(index).is_some_and(|unit| unit & 0xFC00 == top);
        let mut len = src.len().min(dst.len());
        // Does not split a surrogate pair.
        if len > 0 && has_top_bits(len - 1, 0xD800) && has_top_bits(len, 0xDC00) {
            len -= 1;
        }
        copy_repaired(view::bytes(&src[..len]), view::bytes_uninit_mut(&mut dst[..len]), self);
        let stop = if len == src.len() { Stop::Done } else { Stop::OutputFull };
        Progress { read: len, written: len, stop }
    }

    /// Calls [`utf16::fits_latin1`](fits_latin1) on this kernel.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn utf16_fits_latin1(self, src: &[u16]) -> bool {
        fits(view::bytes(src), 0xFF00, self)
    }

    /// Calls [`utf16::fits_ascii`](fits_ascii) on this kernel.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn utf16_fits_ascii(self, src: &[u16]) -> bool {
        fits(view::bytes(src), 0xFF80, self)
    }
}

//! What is particular to UTF-16: repair of ill-formed text, as JavaScript's `toWellFormed` does it; what fits into Latin-1; places and
//! the order of code points.
//!
//! Half of a surrogate pair without the other half is the only thing that can be wrong with UTF-16, and each such unit
//! becomes one U+FFFD. So a repaired text is as long as it was, and repaired again it stays as it is.

mod places;

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};
use core::mem::MaybeUninit;

pub use self::places::{ceil_boundary, compare, floor_boundary, index_of, is_boundary, offset_of};
use crate::encoding::view;
use crate::kernel::{FROM_TWO_VECTORS, dispatch, dispatch_long};
use crate::{Kernel, Progress, Stop, generic, scalar, short};
#[cfg(feature = "alloc")]
use crate::{Utf16, validate};

/// Replaces every surrogate that is alone by U+FFFD; says how many there were.
///
/// One pass that writes only where something is wrong.
///
/// ```
/// let mut text = [0x61, 0xD83D, 0x62, 0xD83D, 0xDE00]; // a, half a pair, b, 😀
/// assert_eq!(utflane::utf16::make_well_formed(&mut text), 1);
/// assert_eq!(text, [0x61, 0xFFFD, 0x62, 0xD83D, 0xDE00]);
/// ```
#[inline]
pub fn make_well_formed(text: &mut [u16]) -> usize {
    if has_no_surrogate(text) {
        return 0;
    }
    Kernel::active().utf16_make_well_formed(text)
}

/// Copies as much of `src` as fits into `dst`, with every surrogate that is alone replaced by U+FFFD.
///
/// It stops with [`Stop::Done`], or with [`Stop::OutputFull`] if `dst` is shorter than `src`: never with an error. `read`
/// and `written` are the same, and a pair is never split: where only its first half would fit, the output ends in front of
/// it.
///
/// ```
/// use utflane::{Stop, utf16};
///
/// let text = [0x61, 0xDE00, 0xD83D, 0xDE00]; // a, half a pair, 😀
/// let mut dst = [0; 3];
/// let progress = utf16::well_formed_into(&text, &mut dst);
/// assert_eq!((progress.written, progress.stop), (2, Stop::OutputFull));
/// assert_eq!(dst[..2], [0x61, 0xFFFD]);
/// ```
#[inline]
pub fn well_formed_into(src: &[u16], dst: &mut [u16]) -> Progress {
    Kernel::active().utf16_well_formed_into(src, dst)
}

/// [`well_formed_into`] for an output that need not be initialised. Afterwards `dst[..written]` is.
///
/// ```
/// use std::mem::MaybeUninit;
///
/// let mut dst = [MaybeUninit::uninit(); 4];
/// assert_eq!(utflane::utf16::well_formed_into_uninit(&[0x61, 0xD800], &mut dst).written, 2);
/// ```
#[inline]
pub fn well_formed_into_uninit(src: &[u16], dst: &mut [MaybeUninit<u16>]) -> Progress {
    Kernel::active().utf16_well_formed_into_uninit(src, dst)
}

/// `src` if it is well-formed, else a copy with every surrogate that is alone replaced by U+FFFD.
///
/// Well-formed text costs a validation. Of any other, what stands in front of the first error is read twice.
///
/// ```
/// use std::borrow::Cow;
/// use utflane::utf16;
///
/// assert!(matches!(utf16::to_well_formed(&[0xD83D, 0xDE00]), Cow::Borrowed(_)));
/// assert_eq!(*utf16::to_well_formed(&[0xDE00, 0xD83D]), [0xFFFD, 0xFFFD]);
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn to_well_formed(src: &[u16]) -> Cow<'_, [u16]> {
    match validate::<Utf16>(src) {
        Ok(()) => Cow::Borrowed(src),
        Err(_) => Cow::Owned(well_formed_on(Kernel::active(), src)),
    }
}

/// Whether no unit is beyond U+00FF: whether conversion to Latin-1 succeeds.
///
/// Stops within a few hundred bytes of what says no.
///
/// ```
/// use utflane::utf16;
///
/// assert!(utf16::fits_latin1(&[0x6E, 0xEF])); // nï
/// assert!(!utf16::fits_latin1(&[0x20AC])); // €
/// ```
#[must_use]
#[inline]
pub fn fits_latin1(src: &[u16]) -> bool {
    match *src {
        [] => true,
        [only] => only < 0x100,
        _ => Kernel::active().utf16_fits_latin1(src),
    }
}

/// Whether a text of at most eight units has no surrogates. Of a longer one it says no.
#[inline]
fn has_no_surrogate(text: &[u16]) -> bool {
    short::utf16::has_no_surrogate::<{ cfg!(target_endian = "big") }>(view::bytes(text))
}

/// [`make_well_formed`] on a kernel.
#[inline(never)]
pub(crate) fn make_well_formed_on(kernel: Kernel, text: &mut [u8]) -> usize {
    dispatch_long!(kernel.for_bytes(text.len()), text.len() + FROM_TWO_VECTORS,
        scalar => scalar::utf16::repair(text),
        |V, token, text, ()| generic::utf16_repair::in_place::<V>(token, text))
}

/// [`well_formed_into_uninit`] on a kernel.
#[inline]
pub(crate) fn well_formed_into_on(
    kernel: Kernel,
    src: &[u16],
    dst: &mut [MaybeUninit<u16>],
) -> Progress {
    let is_half = |at: usize, half: u16| src.get(at).is_some_and(|unit| unit & 0xFC00 == half);
    let mut len = src.len().min(dst.len());
    if len > 0 && is_half(len - 1, 0xD800) && is_half(len, 0xDC00) {
        len -= 1;
    }
    copy_on(kernel, view::bytes(&src[..len]), view::bytes_uninit_mut(&mut dst[..len]));
    let stop = if len == src.len() { Stop::Done } else { Stop::OutputFull };
    Progress { read: len, written: len, stop }
}

/// Copies `src`, repaired, into `dst`, of the same length.
#[inline(never)]
fn copy_on(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    dispatch_long!(kernel.for_bytes(src.len()), src.len() + FROM_TWO_VECTORS,
        scalar => scalar::utf16::repair_into(src, dst),
        |V, token, src, dst| generic::utf16_repair::copy::<V>(token, src, dst));
}

/// A repaired copy, on a kernel.
#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
pub(crate) fn well_formed_on(kernel: Kernel, src: &[u16]) -> Vec<u16> {
    let mut units = Vec::with_capacity(src.len());
    let written = well_formed_into_on(kernel, src, units.spare_capacity_mut()).written;
    // SAFETY: a kernel function has initialised as many units of the spare capacity as it says that it has written.
    unsafe { units.set_len(written) };
    units
}

/// [`fits_latin1`] on a kernel.
#[inline(never)]
pub(crate) fn fits_latin1_on(kernel: Kernel, src: &[u8]) -> bool {
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::utf16::fits_latin1(src),
        |V, token| generic::utf16_check::fits_latin1::<V>(token, src))
}

//! Short texts in Latin-1 or ASCII.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::swar::units::{spread_7, spread_ends, write_bytes};
use crate::swar::words::{ONES, is_ascii_16, sum_of_bytes as sum, up_to_8, up_to_16};
use crate::types::progress::{Progress, Stop};

/// Converts up to eight bytes into UTF-16 and UTF-32, and up to 16 bytes of ASCII into UTF-8.
/// Returns as [`super::native`].
#[inline(always)]
pub(super) fn convert(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match to {
        Scheme::Utf8 if src.len() <= 16 => {
            if let [only @ 0x80..=0xFF] = *src {
                return write_bytes([0xC0 | only >> 6, only & 0xBF], dst);
            }
            is_ascii_16(src).then_some(())?;
        }
        Scheme::Utf16Le | Scheme::Utf32Le if src.len() <= 8 => {}
        _ => return None,
    }
    let dst = dst.get_mut(..src.len() * to.unit_size())?;
    if let (Scheme::Utf8, Some(first), Some(last)) = (to, src.first_chunk(), src.last_chunk()) {
        spread_ends::<8>(first, last, to, dst);
        return Some(dst.len());
    }
    spread_7(src, to, dst);
    Some(dst.len())
}

/// Returns the bytes of `src` that are not ASCII, if it has at most 16 bytes.
#[inline]
pub(crate) fn high(src: &[u8]) -> Option<usize> {
    let is = |byte: u8| usize::from(byte >> 7);
    match *src {
        [] => Some(0),
        [only] => Some(is(only)),
        // Two or three bytes, without a branch.
        [first, second, ..] if src.len() <= 3 => {
            Some(is(first) + is(second) + is(src[src.len() - 1]) * (src.len() - 2))
        }
        _ if src.len() <= 8 => Some(sum(up_to_8(src) >> 7 & ONES)),
        _ if src.len() <= 16 => {
            let [first, last] = up_to_16(src);
            Some(sum((first >> 7 & ONES) + (last >> 7 & ONES)))
        }
        _ => None,
    }
}

/// Copies Latin-1 to Latin-1. A copy needs no kernel.
#[inline(always)]
pub(crate) fn copied(src: &[MaybeUninit<u8>], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let Some(dst) = dst.get_mut(..src.len()) else { return filled(src, dst) };
    dst.copy_from_slice(src);
    Progress { read: src.len(), written: src.len(), stop: Stop::Done }
}

/// [`copied`] into too little room. Beside it, the two copies would become one of the smaller
/// length, for which the copy would have to wait.
#[cold]
#[inline(never)]
fn filled(src: &[MaybeUninit<u8>], dst: &mut [MaybeUninit<u8>]) -> Progress {
    dst.copy_from_slice(&src[..dst.len()]);
    Progress { read: dst.len(), written: dst.len(), stop: Stop::OutputFull }
}

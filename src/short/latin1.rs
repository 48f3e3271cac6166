//! A few bytes of Latin-1 or ASCII.

use core::mem::MaybeUninit;

use super::{HIGH, HIGH_128, ONES, is_ascii_16, put, put_at, sum, up_to_8, up_to_16};
use crate::Scheme;
use crate::progress::{Progress, Stop};

/// Converts up to eight bytes into UTF-16 and UTF-32, and into UTF-8 up to 16 of ASCII. As in [`super::native`].
#[inline(always)]
pub(super) fn convert(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match to {
        Scheme::Utf8 if src.len() <= 16 => {
            if let [only @ 0x80..=0xFF] = *src {
                return put([0xC0 | only >> 6, only & 0xBF], dst);
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

/// Converts a few bytes of Latin-1, each by a word of which one byte or two count; `None` if `dst` has no room for a word each.
/// Says how many bytes that gives.
#[inline(always)]
pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    dst.get(..2 * src.len())?;
    let mut written = 0;
    for &byte in src {
        let unit = u16::from(byte);
        let two = 0x80C0 | unit >> 6 | (unit & 0x3F) << 8;
        let word = if byte < 0x80 { unit } else { two };
        put_at(word.to_le_bytes(), dst, written)?;
        written += 1 + usize::from(byte >> 7);
    }
    Some(written)
}

/// Writes each of at most 32 bytes as a unit to `dst`, of as many units, by two pieces that overlap; says whether all are
/// ASCII.
#[inline(always)]
pub(crate) fn spread(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> bool {
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        spread_ends::<16>(first, last, to, dst);
        return (u128::from_ne_bytes(*first) | u128::from_ne_bytes(*last)) & HIGH_128 == 0;
    }
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        spread_ends::<8>(first, last, to, dst);
        return (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & HIGH == 0;
    }
    spread_7(src, to, dst)
}

/// [`spread`] of at most seven bytes.
#[inline(always)]
fn spread_7(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> bool {
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        spread_ends::<4>(first, last, to, dst);
        return (u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & HIGH as u32 == 0;
    }
    let mut all = 0;
    if to.unit_size() > 1 {
        for (at, &byte) in src.iter().enumerate() {
            piece(&[byte], to, dst, at);
            all |= byte;
        }
        return all.is_ascii();
    }
    // Without a branch: the first, the middle and the last, which may be the same.
    if let (Some(&first), Some(&last)) = (src.first(), src.last()) {
        let middle = src.len() / 2;
        piece(&[first], to, dst, 0);
        piece(&[src[middle]], to, dst, middle);
        piece(&[last], to, dst, src.len() - 1);
        all = first | src[middle] | last;
    }
    all.is_ascii()
}

/// Writes the bytes of two pieces as units, one at the front and one at the end of `dst`.
#[inline(always)]
fn spread_ends<const N: usize>(
    first: &[u8; N],
    last: &[u8; N],
    to: Scheme,
    dst: &mut [MaybeUninit<u8>],
) {
    let behind = dst.len() / to.unit_size() - N;
    piece(first, to, dst, 0);
    piece(last, to, dst, behind);
}

/// Writes each byte as a unit to `room`, from unit `at` on.
#[inline(always)]
fn piece<const N: usize>(bytes: &[u8; N], to: Scheme, room: &mut [MaybeUninit<u8>], at: usize) {
    /// Writes the bytes of units of one size.
    macro_rules! write {
        ($unit:ty, $order:ident, $size:literal) => {{
            let Some(room) = room.get_mut(at * $size..(at + N) * $size) else { return };
            for (byte, to) in bytes.iter().zip(room.as_chunks_mut::<$size>().0) {
                *to = <$unit>::from(*byte).$order().map(MaybeUninit::new);
            }
        }};
    }
    match to {
        Scheme::Utf16Le => write!(u16, to_le_bytes, 2),
        Scheme::Utf16Be => write!(u16, to_be_bytes, 2),
        Scheme::Utf32Le => write!(u32, to_le_bytes, 4),
        Scheme::Utf32Be => write!(u32, to_be_bytes, 4),
        _ => write!(u8, to_le_bytes, 1),
    }
}

/// Bytes of `src` that are not ASCII, if it has at most 16 bytes.
#[inline]
pub(crate) fn high(src: &[u8]) -> Option<usize> {
    let is = |byte: u8| usize::from(byte >> 7);
    match *src {
        [] => Some(0),
        [only] => Some(is(only)),
        // Two or three, without a branch.
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

/// What is the same in both needs no kernel: a copy, and the caller makes it.
#[inline]
pub(crate) fn copied(src: &[MaybeUninit<u8>], dst: &mut [MaybeUninit<u8>]) -> Progress {
    // Not a length for both cases: the copy would have to wait for it.
    if let Some(dst) = dst.get_mut(..src.len()) {
        dst.copy_from_slice(src);
        return Progress { read: src.len(), written: src.len(), stop: Stop::Done };
    }
    dst.copy_from_slice(&src[..dst.len()]);
    Progress { read: dst.len(), written: dst.len(), stop: Stop::OutputFull }
}

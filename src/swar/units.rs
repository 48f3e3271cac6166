//! Widens or encodes a few units in general registers, and writes them if they fit.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::swar::words::{HIGH_BITS, HIGH_BITS_128};

/// Writes `bytes` to the start of `dst` if they fit. Returns `N`, the number of bytes, else `None`.
#[inline]
pub(crate) fn write_bytes<const N: usize>(
    bytes: [u8; N],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let dst = dst.first_chunk_mut::<N>()?;
    for (to, byte) in dst.iter_mut().zip(bytes) {
        to.write(byte);
    }
    Some(N)
}

/// Writes `bytes` to `dst`, from byte `offset` on, if they fit. Returns `None` otherwise.
#[inline(always)]
pub(crate) fn write_at<const N: usize>(
    bytes: [u8; N],
    dst: &mut [MaybeUninit<u8>],
    offset: usize,
) -> Option<()> {
    write_bytes(bytes, dst.get_mut(offset..)?).map(|_| ())
}

/// Writes each byte of `src` as a unit to `dst`, in two overlapping parts. `src` has at most 32
/// bytes, and `dst` has the capacity for exactly `src.len()` units. Returns true if all bytes are
/// ASCII.
#[inline(always)]
pub(crate) fn spread(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> bool {
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        spread_ends::<16>(first, last, to, dst);
        return (u128::from_ne_bytes(*first) | u128::from_ne_bytes(*last)) & HIGH_BITS_128 == 0;
    }
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        spread_ends::<8>(first, last, to, dst);
        return (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & HIGH_BITS == 0;
    }
    spread_7(src, to, dst)
}

/// Does the same as [`spread`], for at most seven bytes.
#[inline(always)]
fn spread_7(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> bool {
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        spread_ends::<4>(first, last, to, dst);
        return (u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & HIGH_BITS as u32 == 0;
    }
    let mut any_bits = 0;
    if to.unit_size() > 1 {
        for (index, &byte) in src.iter().enumerate() {
            widen_bytes(&[byte], to, dst, index);
            any_bits |= byte;
        }
        return any_bits.is_ascii();
    }
    // Writes the first, the middle and the last byte, which may be the same, without branches.
    if let (Some(&first), Some(&last)) = (src.first(), src.last()) {
        let middle = src.len() / 2;
        widen_bytes(&[first], to, dst, 0);
        widen_bytes(&[src[middle]], to, dst, middle);
        widen_bytes(&[last], to, dst, src.len() - 1);
        any_bits = first | src[middle] | last;
    }
    any_bits.is_ascii()
}

/// Writes the bytes of `first` as units to the start of `dst`, and the bytes of `last` as units to
/// its end.
#[inline(always)]
fn spread_ends<const N: usize>(
    first: &[u8; N],
    last: &[u8; N],
    to: Scheme,
    dst: &mut [MaybeUninit<u8>],
) {
    let last_index = dst.len() / to.unit_size() - N;
    widen_bytes(first, to, dst, 0);
    widen_bytes(last, to, dst, last_index);
}

/// Writes each byte as a unit to `out`, from unit `index` on.
#[inline(always)]
pub(crate) fn widen_bytes<const N: usize>(
    bytes: &[u8; N],
    to: Scheme,
    out: &mut [MaybeUninit<u8>],
    index: usize,
) {
    /// Writes units of `$size` bytes.
    macro_rules! write {
        ($unit:ty, $order:ident, $size:literal) => {{
            let Some(out) = out.get_mut(index * $size..(index + N) * $size) else { return };
            for (byte, to) in bytes.iter().zip(out.as_chunks_mut::<$size>().0) {
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

/// Converts a few bytes of Latin-1. Stores two bytes for each, and keeps one or both of them.
/// Returns the number of bytes kept, or `None` if `dst` is shorter than two bytes for each byte of
/// `src`.
#[inline(always)]
pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    dst.get(..2 * src.len())?;
    let mut written = 0;
    for &byte in src {
        let unit = u16::from(byte);
        let two_byte = 0x80C0 | unit >> 6 | (unit & 0x3F) << 8;
        let encoded = if byte < 0x80 { unit } else { two_byte };
        write_at(encoded.to_le_bytes(), dst, written)?;
        written += 1 + usize::from(byte >> 7);
    }
    Some(written)
}

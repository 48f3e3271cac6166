//! Short texts in UTF-8, without a kernel: small enough to be inlined into the caller.
//!
//! A call through the kernel table takes longer than this code. Overlapping parts cover the lengths
//! between two sizes, so that the length selects one of few cases.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::swar::units::write_bytes;
use crate::swar::words::{HIGH_BITS, ONES, is_ascii_16, sum_of_bytes as sum, up_to_8, up_to_16};

/// Returns true if `src` is ASCII and at most 64 bytes long.
#[inline]
pub(crate) fn is_ascii_64(src: &[u8]) -> bool {
    if src.len() > 32 {
        return src.len() <= 64 && union_of_ends::<32>(src) & HIGH_BITS == 0;
    }
    if src.len() <= 16 {
        return is_ascii_16(src);
    }
    union_of_ends::<16>(src) & HIGH_BITS == 0
}

/// Returns the bitwise or of the words of the first and the last `N` bytes.
#[inline]
fn union_of_ends<const N: usize>(src: &[u8]) -> u64 {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return HIGH_BITS;
    };
    let mut all = 0;
    for (a, b) in first.as_chunks().0.iter().zip(last.as_chunks().0) {
        all |= u64::from_ne_bytes(*a) | u64::from_ne_bytes(*b);
    }
    all
}

/// Returns the number of continuation bytes of `src`, if it has at most 16 bytes.
#[inline]
pub(crate) fn continuations(src: &[u8]) -> Option<usize> {
    match src.len() {
        0..=3 => Some(continuations_3(src)),
        4..=8 => Some(sum(continuation(up_to_8(src)))),
        9..=16 => {
            let [first, last] = up_to_16(src);
            Some(sum(continuation(first) + continuation(last)))
        }
        _ => None,
    }
}

/// [`continuations`] of at most 3 bytes.
#[inline]
fn continuations_3(src: &[u8]) -> usize {
    let is = |byte: u8| usize::from(byte & 0xC0 == 0x80);
    match *src {
        [] => 0,
        [only] => is(only),
        // Two or three bytes, without a branch.
        [first, second, ..] => is(first) + is(second) + is(src[src.len() - 1]) * (src.len() - 2),
    }
}

/// Returns the UTF-16 code units of `src`, if it has at most 8 bytes: code for more would be too
/// large to be inlined.
#[inline]
pub(crate) fn utf16_units(src: &[u8]) -> Option<usize> {
    match *src {
        [] => Some(0),
        [only] => Some(units_of(only)),
        // Two or three bytes, without a branch.
        [first, second, ..] if src.len() <= 3 => {
            let last = units_of(src[src.len() - 1]) * (src.len() - 2);
            Some(units_of(first) + units_of(second) + last)
        }
        _ if src.len() <= 8 => Some(src.len() + sum(units_per_byte(up_to_8(src))) - 8),
        _ => None,
    }
}

/// Returns for each byte its UTF-16 code units: 0 for a continuation byte, 2 from 0xF0 on,
/// otherwise 1.
#[inline]
fn units_per_byte(word: u64) -> u64 {
    let four = (word >> 7) & (word >> 6) & (word >> 5) & (word >> 4) & ONES;
    ONES + four - continuation(word)
}

/// Returns the UTF-16 code units of a byte.
#[inline]
fn units_of(byte: u8) -> usize {
    usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)
}

/// Returns 01 for each continuation byte.
#[inline]
fn continuation(word: u64) -> u64 {
    (word >> 7) & !(word >> 6) & ONES
}

/// Returns true if `src` is one or two bytes of well-formed UTF-8 with no character beyond U+00FF,
/// or up to 16 bytes of ASCII.
#[inline]
pub(crate) fn fits_latin1(src: &[u8]) -> bool {
    is_ascii_16(src) || matches!(*src, [0xC2..=0xC3, 0x80..=0xBF])
}

/// Converts a short `&str`, if it fits and the scheme has its characters; returns the bytes
/// written.
#[inline]
pub(crate) fn from_str(src: &str, to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    // The first character decides how many are converted one by one. Longer text, and ASCII, are
    // faster in vectors and words.
    let few = match src.as_bytes() {
        [0xF0..=0xFF, ..] => 23,
        [0xE0..=0xEF, ..] => 11,
        bytes if bytes.len() > 3 && is_ascii_16(bytes) => 3,
        _ => 8,
    };
    if src.len() > few {
        return None;
    }
    let mut written = 0;
    for c in src.chars() {
        written += character(c, to, &mut dst[written..])?;
    }
    Some(written)
}

/// Writes a character to the start of `dst`, if it fits and the scheme has it; returns the bytes
/// written.
#[inline]
fn character(c: char, to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let point = u32::from(c);
    match to {
        Scheme::Utf32Le => write_bytes(point.to_le_bytes(), dst),
        Scheme::Utf32Be => write_bytes(point.to_be_bytes(), dst),
        Scheme::Utf16Le | Scheme::Utf16Be => {
            let bytes = |unit: u16| match to {
                Scheme::Utf16Le => unit.to_le_bytes(),
                _ => unit.to_be_bytes(),
            };
            if let Ok(unit) = u16::try_from(point) {
                return write_bytes(bytes(unit), dst);
            }
            let [a, b] = bytes((0xD7C0 + (point >> 10)) as u16);
            let [c, d] = bytes((0xDC00 | point & 0x3FF) as u16);
            write_bytes([a, b, c, d], dst)
        }
        Scheme::Latin1 | Scheme::Ascii if point <= to.largest() => write_bytes([point as u8], dst),
        // A copy is faster for unchanged bytes.
        _ => None,
    }
}

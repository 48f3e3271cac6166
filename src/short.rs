//! What a few bytes say, before a kernel is chosen: small enough to be part of the caller.
//!
//! A call that finds its way into a kernel takes longer than this takes. Parts that overlap cover the lengths between two
//! sizes, so that a length decides between few cases.

pub(crate) mod latin1;
pub(crate) mod utf16;
pub(crate) mod utf32;

use core::mem::MaybeUninit;

use crate::Scheme;

/// 01 in every byte; as a factor, it puts the sum of all bytes into the highest.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The high bit of every byte.
const HIGH: u64 = 0x80 * ONES;
/// The high bit of every byte of two words.
const HIGH_128: u128 = u128::MAX / 0xFF * 0x80;

/// Whether `src` is ASCII and at most 64 bytes long.
#[inline]
pub(crate) fn is_ascii_64(src: &[u8]) -> bool {
    if src.len() <= 16 {
        return is_ascii_16(src);
    }
    if src.len() > 64 {
        return false;
    }
    let all = if src.len() <= 32 { ends::<16>(src) } else { ends::<32>(src) };
    all & HIGH == 0
}

/// Whether `src` is ASCII and at most 16 bytes long.
#[inline]
pub(crate) fn is_ascii_16(src: &[u8]) -> bool {
    if src.len() < 4 {
        return is_ascii_3(src);
    }
    if src.len() > 16 {
        return false;
    }
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        return (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & HIGH == 0;
    }
    match (src.first_chunk(), src.last_chunk()) {
        (Some(first), Some(last)) => {
            (u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & HIGH as u32 == 0
        }
        _ => false,
    }
}

/// Whether `src`, of at most 3 bytes, is ASCII.
#[inline]
fn is_ascii_3(src: &[u8]) -> bool {
    match *src {
        [] => true,
        [only] => only < 0x80,
        [first, second, .., last] => (first | second | last) < 0x80,
        [first, last] => (first | last) < 0x80,
    }
}

/// The words of the first and the last `N` bytes, or-ed together.
#[inline]
fn ends<const N: usize>(src: &[u8]) -> u64 {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return HIGH;
    };
    let mut all = 0;
    for (a, b) in first.as_chunks().0.iter().zip(last.as_chunks().0) {
        all |= u64::from_ne_bytes(*a) | u64::from_ne_bytes(*b);
    }
    all
}

/// Whether `src` is one character beyond ASCII, in UTF-8.
#[inline]
pub(crate) fn is_character(src: &[u8]) -> bool {
    match *src {
        [b0, b1] => {
            let bytes = u16::from_be_bytes([b0, b1]);
            bytes & 0xE0C0 == 0xC080 && bytes >= 0xC280
        }
        [b0, b1, b2] => {
            let bytes = u32::from_be_bytes([0, b0, b1, b2]);
            let surrogate = 0xED_A080..=0xED_BFBF;
            bytes & 0xF0_C0C0 == 0xE0_8080 && bytes >= 0xE0_A080 && !surrogate.contains(&bytes)
        }
        [b0, b1, b2, b3] => {
            let bytes = u32::from_be_bytes([b0, b1, b2, b3]);
            bytes & 0xF8C0_C0C0 == 0xF080_8080 && (0xF090_8080..=0xF48F_BFBF).contains(&bytes)
        }
        _ => false,
    }
}

/// Continuation bytes of `src`, at most 16 bytes.
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
        // Two or three, without a branch.
        [first, second, ..] => is(first) + is(second) + is(src[src.len() - 1]) * (src.len() - 2),
    }
}

/// UTF-16 code units of `src`, at most 8 bytes: more would be too much to be inlined.
#[inline]
pub(crate) fn utf16_units(src: &[u8]) -> Option<usize> {
    match *src {
        [] => Some(0),
        [only] => Some(units_of(only)),
        // Two or three, without a branch.
        [first, second, ..] if src.len() <= 3 => {
            let last = units_of(src[src.len() - 1]) * (src.len() - 2);
            Some(units_of(first) + units_of(second) + last)
        }
        _ if src.len() <= 8 => Some(src.len() + sum(gain(up_to_8(src))) - 8),
        _ => None,
    }
}

/// By how much each byte stands for more UTF-16 code units than one, and 1: 0 for a continuation byte, 2 from F0 on.
#[inline]
fn gain(word: u64) -> u64 {
    let four = (word >> 7) & (word >> 6) & (word >> 5) & (word >> 4) & ONES;
    ONES + four - continuation(word)
}

/// UTF-16 code units that a byte stands for.
#[inline]
fn units_of(byte: u8) -> usize {
    usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)
}

/// 01 for each continuation byte.
#[inline]
fn continuation(word: u64) -> u64 {
    (word >> 7) & !(word >> 6) & ONES
}

/// The sum of the bytes of a word, if that is below 256.
#[inline]
fn sum(word: u64) -> usize {
    (word.wrapping_mul(ONES) >> 56) as usize
}

/// `src`, of 4 to 8 bytes, from the lowest byte on, and zeros.
#[inline]
fn up_to_8(src: &[u8]) -> u64 {
    let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) else { return 0 };
    let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
    u64::from(first) | u64::from(last) << (8 * (src.len() - 4))
}

/// `src`, of 9 to 16 bytes, from the lowest byte on, and zeros.
#[inline]
fn up_to_16(src: &[u8]) -> [u64; 2] {
    let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) else { return [0; 2] };
    [u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> (8 * (16 - src.len()))]
}

/// Whether `src` is one or two bytes of well-formed UTF-8 with no character beyond U+00FF, or up to 16 of ASCII.
#[inline]
pub(crate) fn fits_latin1(src: &[u8]) -> bool {
    is_ascii_16(src) || matches!(*src, [0xC2..=0xC3, 0x80..=0xBF])
}

/// Converts a short `&str` if it fits and the scheme has its characters; says how many bytes that gives.
#[inline]
pub(crate) fn from_str(src: &str, to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    // Few characters one after the other, by the first of them. More, and ASCII, are faster in vectors and words.
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

/// Writes a character to the front of `dst`, if it fits and the scheme has it; says how many bytes that took.
#[inline]
fn character(c: char, to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let point = u32::from(c);
    match to {
        Scheme::Utf32Le => put(point.to_le_bytes(), dst),
        Scheme::Utf32Be => put(point.to_be_bytes(), dst),
        Scheme::Utf16Le | Scheme::Utf16Be => {
            let bytes = |unit: u16| match to {
                Scheme::Utf16Le => unit.to_le_bytes(),
                _ => unit.to_be_bytes(),
            };
            if let Ok(unit) = u16::try_from(point) {
                return put(bytes(unit), dst);
            }
            let [a, b] = bytes((0xD7C0 + (point >> 10)) as u16);
            let [c, d] = bytes((0xDC00 | point & 0x3FF) as u16);
            put([a, b, c, d], dst)
        }
        Scheme::Latin1 | Scheme::Ascii if point <= to.largest() => put([point as u8], dst),
        // Bytes that stay what they are are copied faster.
        _ => None,
    }
}

/// Writes `bytes` to the front of `dst` if they fit.
#[inline]
fn put<const N: usize>(bytes: [u8; N], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let dst = dst.first_chunk_mut::<N>()?;
    for (to, byte) in dst.iter_mut().zip(bytes) {
        to.write(byte);
    }
    Some(N)
}

/// Converts a few units from one form in memory into another, if they fit and need nothing but themselves to be looked at;
/// says how many bytes that gives. Schemes on the wire take the call: this is in the caller, once for each pair.
#[inline(always)]
pub(crate) fn native(
    from: Scheme,
    to: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    // Relatives have no code here.
    if to as u8 != to.base() as u8 {
        return None;
    }
    match from {
        Scheme::Utf16Le => utf16::convert(src, to, dst),
        Scheme::Utf32Le => utf32::convert(src, to, dst),
        Scheme::Latin1 => latin1::convert(src, to, dst),
        _ => None,
    }
}

/// Writes `bytes` to `dst` from byte `at` on.
#[inline(always)]
fn put_at<const N: usize>(bytes: [u8; N], dst: &mut [MaybeUninit<u8>], at: usize) -> Option<()> {
    put(bytes, dst.get_mut(at..)?).map(|_| ())
}

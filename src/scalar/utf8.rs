//! UTF-8 (RFC 3629). The match in [`decode`] follows the syntax in section 4 of the RFC.

use core::mem::MaybeUninit;
use core::ops::RangeInclusive;

use crate::encoding::types::Utf8;
use crate::encoding::view;
use crate::scalar::code::{Decode, Encode, write_bytes};
use crate::types::error::{DecodeError, Error, ErrorKind};
use crate::types::progress::Reach;
use crate::types::summary::Summary;

/// Returns true if `byte` is `10xxxxxx` in binary.
#[inline]
pub(crate) const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the payload of a continuation byte: the low six bits.
#[inline]
pub(crate) const fn low6(byte: u8) -> u32 {
    (byte & 0x3F) as u32
}

/// Implements [`Decode::decode`], inlined into the callers.
#[inline(always)]
fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
    match *src {
        // UTF8-1
        [b0 @ 0x00..=0x7F, ..] => Ok((u32::from(b0), 1)),
        // UTF8-2
        [b0 @ 0xC2..=0xDF, b1 @ 0x80..=0xBF, ..] => Ok(((u32::from(b0) & 0x1F) << 6 | low6(b1), 2)),
        // UTF8-3: excludes overlong forms after 0xE0 and surrogates after 0xED.
        [b0 @ 0xE0, b1 @ 0xA0..=0xBF, b2 @ 0x80..=0xBF, ..]
        | [b0 @ 0xE1..=0xEC, b1 @ 0x80..=0xBF, b2 @ 0x80..=0xBF, ..]
        | [b0 @ 0xED, b1 @ 0x80..=0x9F, b2 @ 0x80..=0xBF, ..]
        | [b0 @ 0xEE..=0xEF, b1 @ 0x80..=0xBF, b2 @ 0x80..=0xBF, ..] => {
            Ok(((u32::from(b0) & 0x0F) << 12 | low6(b1) << 6 | low6(b2), 3))
        }
        // UTF8-4: excludes overlong forms after 0xF0 and values above U+10FFFF after 0xF4.
        [b0 @ 0xF0, b1 @ 0x90..=0xBF, b2 @ 0x80..=0xBF, b3 @ 0x80..=0xBF, ..]
        | [b0 @ 0xF1..=0xF3, b1 @ 0x80..=0xBF, b2 @ 0x80..=0xBF, b3 @ 0x80..=0xBF, ..]
        | [b0 @ 0xF4, b1 @ 0x80..=0x8F, b2 @ 0x80..=0xBF, b3 @ 0x80..=0xBF, ..] => {
            let c = (u32::from(b0) & 0x07) << 18 | low6(b1) << 12 | low6(b2) << 6 | low6(b3);
            Ok((c, 4))
        }
        _ => Err(decode_error(src)),
    }
}

impl Decode for Utf8 {
    #[inline(always)]
    fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
        decode(src)
    }
}

impl Utf8 {
    /// Returns the number of code points in `src`, without validation: the number of bytes that are
    /// not continuation bytes.
    pub(crate) fn count(src: &[u8]) -> usize {
        src.iter().filter(|&&byte| !is_continuation(byte)).count()
    }

    /// Returns the number of UTF-16 code units of the text, without validation.
    pub(crate) fn utf16_len(src: &[u8]) -> usize {
        // A character whose lead byte is 0xF0 or more becomes a surrogate pair: two units.
        Self::count(src) + Self::supplementary(src)
    }

    /// Returns the number of supplementary code points, without validation: the number of bytes
    /// from 0xF0 on.
    pub(crate) fn supplementary(src: &[u8]) -> usize {
        src.iter().filter(|&&byte| byte >= 0xF0).count()
    }
}

/// Returns the error of the sequence at the start of `src`, which is ill-formed or incomplete.
#[cold]
fn decode_error(src: &[u8]) -> DecodeError {
    let kind = error_kind(src);
    match maximal_subpart(src) {
        Some(len) => DecodeError::ill_formed(kind, len),
        None => DecodeError::incomplete(kind),
    }
}

/// Returns the second bytes that may follow a lead byte, and the length of its character in bytes.
/// Returns `None` if no character of several bytes begins with `lead`.
fn second_bytes_and_len(lead: u8) -> Option<(RangeInclusive<u8>, u8)> {
    Some(match lead {
        0xC2..=0xDF => (0x80..=0xBF, 2),
        0xE0 => (0xA0..=0xBF, 3),
        0xED => (0x80..=0x9F, 3),
        0xE1..=0xEF => (0x80..=0xBF, 3),
        0xF0 => (0x90..=0xBF, 4),
        0xF1..=0xF3 => (0x80..=0xBF, 4),
        0xF4 => (0x80..=0x8F, 4),
        _ => return None,
    })
}

/// Returns the number of bytes of the maximal subpart at the start of `src` (Unicode chapter 3.9,
/// "U+FFFD Substitution of Maximal Subparts"). The maximal subpart is the part that begins a
/// well-formed sequence, or one byte if there is no such part. Returns `None` if `src` ends inside
/// the subpart.
fn maximal_subpart(src: &[u8]) -> Option<u8> {
    let Some((seconds, count)) = second_bytes_and_len(*src.first()?) else {
        return Some(1);
    };
    if !seconds.contains(src.get(1)?) {
        return Some(1);
    }
    for len in 2..count {
        if !is_continuation(*src.get(usize::from(len))?) {
            return Some(len);
        }
    }
    unreachable!("the sequence is ill-formed")
}

/// Returns true if `src` is a well-formed sequence or the start of a well-formed sequence. `src`
/// consists of one byte and at least one continuation byte.
pub(crate) fn reaches(src: &[u8]) -> bool {
    let [lead, second, ..] = src else { return false };
    second_bytes_and_len(*lead)
        .is_some_and(|(seconds, count)| seconds.contains(second) && src.len() <= usize::from(count))
}

/// Returns the start of the character to which the continuation byte at `offset` belongs. Returns
/// `None` if the byte belongs to no character.
pub(crate) fn start_before(src: &[u8], offset: usize) -> Option<usize> {
    let floor = offset.saturating_sub(3);
    let start = floor + src[floor..offset].iter().rposition(|&byte| !is_continuation(byte))?;
    reaches(&src[start..=offset]).then_some(start)
}

/// Returns the kind of the error at the start of `src`. Tests, as simdutf does, the lead byte
/// first, then the number of continuation bytes, and the value last.
fn error_kind(src: &[u8]) -> ErrorKind {
    let count = match src[0] {
        0x80..=0xBF => return ErrorKind::TooLong,
        0xF8..=0xFF => return ErrorKind::InvalidLeadByte,
        0xF0..=0xF7 => 4,
        0xE0..=0xEF => 3,
        _ => 2,
    };
    if src.len() < count || !src[1..count].iter().all(|&byte| is_continuation(byte)) {
        return ErrorKind::TooShort;
    }
    match (src[0], src[1]) {
        (0xC0..=0xC1, _) | (0xE0, ..=0x9F) | (0xF0, ..=0x8F) => ErrorKind::Overlong,
        (0xED, _) => ErrorKind::Surrogate,
        _ => ErrorKind::TooLarge,
    }
}

impl Encode for Utf8 {
    #[inline]
    fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        encode(c, dst)
    }
}

/// Implements [`Encode::encode`], inlined into the callers.
#[inline(always)]
pub(super) fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let continuation = |shift: u32| 0x80 | (c >> shift) as u8 & 0x3F;
    match c {
        0..=0x7F => write_bytes([c as u8], dst),
        0x80..=0x7FF => write_bytes([0xC0 | (c >> 6) as u8, continuation(0)], dst),
        0x800..=0xFFFF => {
            write_bytes([0xE0 | (c >> 12) as u8, continuation(6), continuation(0)], dst)
        }
        _ => write_bytes(
            [0xF0 | (c >> 18) as u8, continuation(12), continuation(6), continuation(0)],
            dst,
        ),
    }
}

/// Returns the start of the character that contains byte `offset` of `src`, if everything before
/// `offset` is well-formed. Steps back over at most three continuation bytes.
pub(crate) fn character_start(src: &[u8], offset: usize) -> usize {
    let floor = offset.saturating_sub(3);
    let mut start = offset;
    while start > floor && src.get(start).is_none_or(|&byte| is_continuation(byte)) {
        start -= 1;
    }
    start
}

/// Validates UTF-8 like [`validate`](super::validate), but skips eight ASCII bytes at a time.
pub(crate) fn validate(src: &[u8]) -> Result<(), Error> {
    const NON_ASCII: u64 = 0x8080_8080_8080_8080;
    let mut read = 0;
    while read < src.len() {
        let rest = &src[read..];
        if rest.first_chunk().is_some_and(|word| u64::from_ne_bytes(*word) & NON_ASCII == 0) {
            read += 8;
            continue;
        }
        match decode(rest) {
            Ok((_, len)) => read += len,
            Err(error) => {
                return Err(Error::new(crate::encoding::scheme::Scheme::Utf8, read, error));
            }
        }
    }
    Ok(())
}

/// Returns true if `src` is well-formed and has no character above U+00FF.
pub(crate) fn fits_latin1(src: &[u8]) -> bool {
    let mut rest = src;
    loop {
        match *rest {
            [] => return true,
            [0x00..=0x7F, ref after @ ..] | [0xC2..=0xC3, 0x80..=0xBF, ref after @ ..] => {
                rest = after;
            }
            _ => return false,
        }
    }
}

/// Validates `src`, and copies the longest well-formed prefix that fits into `dst`.
pub(crate) fn copy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let capacity = src.len().min(dst.len());
    let valid = validate(&src[..capacity]).map_or_else(|error| error.valid_up_to(), |()| capacity);
    dst[..valid].copy_from_slice(view::as_uninit(&src[..valid]));
    Reach { read: valid, written: valid }
}

/// Validates and counts `src`, and tests if all characters fit into Latin-1. `ill_formed` returns
/// the summary of a text with an error.
pub(crate) fn summary(src: &[u8], ill_formed: impl FnOnce(Error) -> Summary) -> Summary {
    if let Err(error) = validate(src) {
        return ill_formed(error);
    }
    let (code_points, utf16_units) = (Utf8::count(src), Utf8::utf16_len(src));
    Summary::well_formed(src.len(), code_points, utf16_units, fits_latin1(src))
}

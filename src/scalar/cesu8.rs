//! CESU-8 (Unicode Technical Report 26) and Java's Modified UTF-8 (the Java Virtual Machine
//! Specification, 4.4.7). Both write each code unit of UTF-16 as one to three bytes.

use core::mem::MaybeUninit;
use core::ops::RangeInclusive;

use crate::encoding::types::{Cesu8, Mutf8, Utf8};
use crate::scalar::code::{Decode, Encode, write_bytes};
use crate::scalar::utf8::{is_continuation, low6};
use crate::types::error::{DecodeError, ErrorKind};

/// Decodes the first character of `src`: in Modified UTF-8, where NUL is `C0 80`, if `nul`, else in
/// CESU-8.
#[inline(always)]
fn decode(src: &[u8], nul: bool) -> Result<(u32, usize), DecodeError> {
    match *src {
        [0x00, ..] if nul => Err(DecodeError::ill_formed(ErrorKind::InvalidLeadByte, 1)),
        [0xC0, 0x80, ..] if nul => Ok((0, 2)),
        [
            0xED,
            b1 @ 0xA0..=0xAF,
            b2 @ 0x80..=0xBF,
            0xED,
            b4 @ 0xB0..=0xBF,
            b5 @ 0x80..=0xBF,
            ..,
        ] => {
            let (high, low) = (low6(b1) << 6 | low6(b2), low6(b4) << 6 | low6(b5));
            Ok((0x1_0000 + ((high & 0x3FF) << 10 | low & 0x3FF), 6))
        }
        [0xED, 0xA0..=0xFF, ..] | [0xF0..=0xFF, ..] | [0xC0, ..] => Err(decode_error(src, nul)),
        // All other sequences are as in UTF-8.
        _ => Utf8::decode(src),
    }
}

/// Returns the second bytes that may follow a lead byte, and the number of bytes of its code unit.
/// Returns `None` for a byte that is no lead byte. Low surrogates are excluded, because a pair
/// begins with a high surrogate.
fn shape(lead: u8, nul: bool) -> Option<(RangeInclusive<u8>, usize)> {
    match lead {
        0xC0 if nul => Some((0x80..=0x80, 2)),
        0xED => Some((0x80..=0xAF, 3)),
        _ => None,
    }
}

/// Returns the error of the sequence at the start of `src`, which is ill-formed, but not in the
/// same way as in UTF-8.
#[cold]
fn decode_error(src: &[u8], nul: bool) -> DecodeError {
    let kind = kind(src);
    let Some((second, count)) = shape(src[0], nul) else {
        return DecodeError::ill_formed(kind, 1);
    };
    match src.get(1) {
        None => return DecodeError::incomplete(kind),
        Some(byte) if !second.contains(byte) => return DecodeError::ill_formed(kind, 1),
        Some(_) => {}
    }
    match src.get(2) {
        None => return DecodeError::incomplete(kind),
        Some(&byte) if count > 2 && !is_continuation(byte) => {
            return DecodeError::ill_formed(kind, 2);
        }
        Some(_) => {}
    }
    // A high surrogate. A low surrogate must follow, or its start and the end of the input.
    match src[3..] {
        [] | [0xED] | [0xED, 0xB0..=0xBF] => DecodeError::incomplete(kind),
        _ => DecodeError::ill_formed(kind, 3),
    }
}

/// Returns the kind of the error at the start of `src`, decided in the same order as for UTF-8.
fn kind(src: &[u8]) -> ErrorKind {
    let count = match src[0] {
        0xF0.. => return ErrorKind::InvalidLeadByte,
        0xE0.. => 3,
        _ => 2,
    };
    if src.len() < count || !src[1..count].iter().all(|&byte| is_continuation(byte)) {
        ErrorKind::TooShort
    } else if count == 2 {
        ErrorKind::Overlong
    } else {
        ErrorKind::Surrogate
    }
}

/// Writes `c` as one or two UTF-16 code units of one to three bytes each.
#[inline(always)]
fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if c <= 0xFFFF {
        return Utf8::encode(c, dst);
    }
    let tail = |bits: u32| 0x80 | bits as u8 & 0x3F;
    let (high, low) = (0xD7C0 + (c >> 10), 0xDC00 | c & 0x3FF);
    write_bytes([0xED, tail(high >> 6), tail(high), 0xED, tail(low >> 6), tail(low)], dst)
}

impl Decode for Cesu8 {
    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
        decode(src, false)
    }
}

impl Decode for Mutf8 {
    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
        decode(src, true)
    }
}

impl Encode for Cesu8 {
    #[inline]
    fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        encode(c, dst)
    }
}

impl Encode for Mutf8 {
    #[inline]
    fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if c == 0 { write_bytes([0xC0, 0x80], dst) } else { encode(c, dst) }
    }
}

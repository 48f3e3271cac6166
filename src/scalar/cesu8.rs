//! CESU-8 (Unicode Technical Report 26) and Java's Modified UTF-8 (the Java Virtual Machine
//! Specification, 4.4.7). Both write each code unit of UTF-16 as one to three bytes.

use core::mem::MaybeUninit;
use core::ops::RangeInclusive;

use crate::encoding::types::{Cesu8, Mutf8, Utf8};
use crate::scalar::code::{Decode, Encode, write_bytes};
use crate::scalar::utf8::{is_continuation, low6};
use crate::types::error::{DecodeError, ErrorKind};

/// Decodes the first character of `src`, in Modified UTF-8 if `is_mutf8` is true, else in CESU-8.
/// In Modified UTF-8, NUL is 0xC0 0x80.
#[inline(always)]
fn decode(src: &[u8], is_mutf8: bool) -> Result<(u32, usize), DecodeError> {
    match *src {
        [0x00, ..] if is_mutf8 => Err(DecodeError::ill_formed(ErrorKind::InvalidLeadByte, 1)),
        [0xC0, 0x80, ..] if is_mutf8 => Ok((0, 2)),
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
        [0xED, 0xA0..=0xFF, ..] | [0xF0..=0xFF, ..] | [0xC0, ..] => {
            Err(decode_error(src, is_mutf8))
        }
        // All other sequences are decoded as in UTF-8.
        _ => Utf8::decode(src),
    }
}

/// Returns the second bytes that may follow a lead byte, and the length of the code unit in bytes.
/// Returns `None` for a byte that cannot begin a sequence that these encodings decode differently
/// from UTF-8. Low surrogates are excluded, because a pair begins with a high surrogate.
fn second_bytes_and_len(lead: u8, is_mutf8: bool) -> Option<(RangeInclusive<u8>, usize)> {
    match lead {
        0xC0 if is_mutf8 => Some((0x80..=0x80, 2)),
        0xED => Some((0x80..=0xAF, 3)),
        _ => None,
    }
}

/// Returns the error of the ill-formed sequence at the start of `src`, for which the rules of UTF-8
/// do not hold.
#[cold]
fn decode_error(src: &[u8], is_mutf8: bool) -> DecodeError {
    let kind = error_kind(src);
    let Some((second, len)) = second_bytes_and_len(src[0], is_mutf8) else {
        return DecodeError::ill_formed(kind, 1);
    };
    match src.get(1) {
        None => return DecodeError::incomplete(kind),
        Some(byte) if !second.contains(byte) => return DecodeError::ill_formed(kind, 1),
        Some(_) => {}
    }
    match src.get(2) {
        None => return DecodeError::incomplete(kind),
        Some(&byte) if len > 2 && !is_continuation(byte) => {
            return DecodeError::ill_formed(kind, 2);
        }
        Some(_) => {}
    }
    // The sequence is a high surrogate, which a low surrogate must follow. It is incomplete if the
    // input ends before or inside a possible low surrogate.
    match src[3..] {
        [] | [0xED] | [0xED, 0xB0..=0xBF] => DecodeError::incomplete(kind),
        _ => DecodeError::ill_formed(kind, 3),
    }
}

/// Returns the kind of the error at the start of `src`. The kinds are tested in the same order as
/// for UTF-8.
fn error_kind(src: &[u8]) -> ErrorKind {
    let len = match src[0] {
        0xF0.. => return ErrorKind::InvalidLeadByte,
        0xE0.. => 3,
        _ => 2,
    };
    if src.len() < len || !src[1..len].iter().all(|&byte| is_continuation(byte)) {
        ErrorKind::TooShort
    } else if len == 2 {
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
    // A continuation byte with the low six bits.
    let cont = |bits: u32| 0x80 | bits as u8 & 0x3F;
    let (high, low) = (0xD7C0 + (c >> 10), 0xDC00 | c & 0x3FF);
    write_bytes([0xED, cont(high >> 6), cont(high), 0xED, cont(low >> 6), cont(low)], dst)
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

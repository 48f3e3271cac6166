//! WTF-8 and potentially ill-formed UTF-16 (<https://simonsapin.github.io/wtf-8/>): encodings that
//! allow unpaired surrogates, which are decoded as code points.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Utf8, Utf16Be, Utf16Le, Wtf8};
use crate::scalar::code::{Decode, Encode};
use crate::scalar::utf8::{is_continuation, low6};
use crate::types::error::{DecodeError, Error, ErrorKind};

impl Decode for Wtf8 {
    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
        match *src {
            // A surrogate pair must be encoded as one four-byte character.
            [0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF, 0x80..=0xBF, ..] => {
                Err(DecodeError::ill_formed(ErrorKind::Surrogate, 6))
            }
            [0xED, b1 @ 0xA0..=0xBF, b2 @ 0x80..=0xBF, ..] => {
                Ok((0xD000 | low6(b1) << 6 | low6(b2), 3))
            }
            [0xED, 0xA0..=0xBF] => Err(DecodeError::incomplete(ErrorKind::TooShort)),
            [0xED, 0xA0..=0xBF, ..] => Err(DecodeError::ill_formed(ErrorKind::TooShort, 2)),
            _ => Utf8::decode(src),
        }
    }
}

impl Encode for Wtf8 {
    #[inline]
    fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        Utf8::encode(c, dst)
    }
}

/// Decodes the first code point of potentially ill-formed UTF-16 in `scheme`.
#[inline]
pub(crate) fn decode_units(scheme: Scheme, src: &[u8]) -> Result<(u32, usize), DecodeError> {
    let (decoded, read_unit): (_, fn([u8; 2]) -> u16) = match scheme {
        Scheme::Wtf16Be => (Utf16Be::decode(src), u16::from_be_bytes),
        _ => (Utf16Le::decode(src), u16::from_le_bytes),
    };
    match src.first_chunk() {
        Some(&first) => decoded.or(Ok((u32::from(read_unit(first)), 2))),
        None => decoded,
    }
}

/// Returns the number of code points of potentially ill-formed UTF-16, and the length of the text
/// in WTF-8, in bytes.
pub(crate) fn measure_units(scheme: Scheme, src: &[u8]) -> (usize, usize) {
    let (mut read, mut count, mut bytes) = (0, 0, 0);
    while let Ok((c, len)) = decode_units(scheme, &src[read..]) {
        read += len;
        count += 1;
        bytes += 1 + usize::from(c > 0x7F) + usize::from(c > 0x7FF) + usize::from(c > 0xFFFF);
        if read == src.len() {
            break;
        }
    }
    (count, bytes)
}

/// Returns the number of bytes at the end of a text in `scheme` that may begin a surrogate pair, if
/// more input follows.
pub(crate) fn incomplete_pair_len(scheme: Scheme, src: &[u8]) -> usize {
    let is_high = |unit: u16| unit & 0xFC00 == 0xD800;
    match scheme {
        Scheme::Wtf8 => match *src {
            [.., 0xED, 0xA0..=0xAF, last] if is_continuation(last) => 3,
            [.., 0xED, 0xA0..=0xAF, last, 0xED] if is_continuation(last) => 4,
            [.., 0xED, 0xA0..=0xAF, last, 0xED, 0xB0..=0xBF] if is_continuation(last) => 5,
            _ => 0,
        },
        Scheme::Wtf16Le | Scheme::Wtf16Be => {
            let fragment = src.len() % 2;
            match src[..src.len() - fragment].last_chunk() {
                Some(&last) if scheme == Scheme::Wtf16Le && is_high(u16::from_le_bytes(last)) => {
                    2 + fragment
                }
                Some(&last) if scheme == Scheme::Wtf16Be && is_high(u16::from_be_bytes(last)) => {
                    2 + fragment
                }
                _ => 0,
            }
        }
        _ => 0,
    }
}

/// Returns the part of a text that does not depend on later input. If the text may continue, this
/// is the text without the start of a surrogate pair at the end.
#[inline]
pub(crate) fn complete(scheme: Scheme, src: &[u8], may_continue: bool) -> &[u8] {
    if !may_continue || !scheme.has_surrogates() {
        return src;
    }
    &src[..src.len() - incomplete_pair_len(scheme, src)]
}

/// Returns the error for the bytes that [`complete`] leaves out, which begin at `offset`.
pub(crate) fn incomplete_end(scheme: Scheme, offset: usize) -> Error {
    Error::new(scheme, offset, DecodeError::incomplete(ErrorKind::Surrogate))
}

/// Returns true if all of `src` is the start of a surrogate pair that [`incomplete_pair_len`]
/// finds.
pub(crate) fn is_incomplete_pair(scheme: Scheme, src: &[u8]) -> bool {
    scheme.has_surrogates() && src.len() < 6 && incomplete_pair_len(scheme, src) == src.len()
}

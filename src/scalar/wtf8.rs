//! WTF-8 and potentially ill-formed UTF-16 (<https://simonsapin.github.io/wtf-8/>): what has lone surrogates as well. They are
//! read as what they are, code points.

use core::mem::MaybeUninit;

use super::utf8::{is_continuation, low6};
use super::{Decode, Encode};
use crate::error::{Error, ErrorKind, Flaw};
use crate::{Scheme, Utf8, Utf16Be, Utf16Le, Wtf8};

impl Decode for Wtf8 {
    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), Flaw> {
        match *src {
            // A pair is written as the one character that it is.
            [0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF, 0x80..=0xBF, ..] => {
                Err(Flaw::ill_formed(ErrorKind::Surrogate, 6))
            }
            [0xED, b1 @ 0xA0..=0xBF, b2 @ 0x80..=0xBF, ..] => {
                Ok((0xD000 | low6(b1) << 6 | low6(b2), 3))
            }
            [0xED, 0xA0..=0xBF] => Err(Flaw::incomplete(ErrorKind::TooShort)),
            [0xED, 0xA0..=0xBF, ..] => Err(Flaw::ill_formed(ErrorKind::TooShort, 2)),
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

/// The first code point of potentially ill-formed UTF-16 in `scheme`.
#[inline]
pub(super) fn decode_units(scheme: Scheme, src: &[u8]) -> Result<(u32, usize), Flaw> {
    let (decoded, unit): (_, fn([u8; 2]) -> u16) = match scheme {
        Scheme::Wtf16Be => (Utf16Be::decode(src), u16::from_be_bytes),
        _ => (Utf16Le::decode(src), u16::from_le_bytes),
    };
    match src.first_chunk() {
        Some(&first) => decoded.or(Ok((u32::from(unit(first)), 2))),
        None => decoded,
    }
}

/// Code points of potentially ill-formed UTF-16, and the bytes that they have in WTF-8.
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

/// Bytes at the end of a text in `scheme` that may be the beginning of a pair of surrogates, if it goes on.
pub(crate) fn half_pair(scheme: Scheme, src: &[u8]) -> usize {
    let high = |unit: u16| unit & 0xFC00 == 0xD800;
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
                Some(&last) if scheme == Scheme::Wtf16Le && high(u16::from_le_bytes(last)) => {
                    2 + fragment
                }
                Some(&last) if scheme == Scheme::Wtf16Be && high(u16::from_be_bytes(last)) => {
                    2 + fragment
                }
                _ => 0,
            }
        }
        _ => 0,
    }
}

/// As much of a text as doesn't depend on what comes behind it, if it may go on: all but the first half of a pair at its end.
#[inline]
pub(crate) fn settled(scheme: Scheme, src: &[u8], open: bool) -> &[u8] {
    if !open || !scheme.has_surrogates() {
        return src;
    }
    &src[..src.len() - half_pair(scheme, src)]
}

/// The error of what [`settled`] leaves out, where that begins.
pub(crate) fn unsettled(scheme: Scheme, at: usize) -> Error {
    Error::new(scheme, at, Flaw::incomplete(ErrorKind::Surrogate))
}

/// Whether all of `src` is what [`half_pair`] looks for.
pub(crate) fn is_half_pair(scheme: Scheme, src: &[u8]) -> bool {
    scheme.has_surrogates() && src.len() < 6 && half_pair(scheme, src) == src.len()
}

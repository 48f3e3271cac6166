//! UTF-16 as bytes in either order, Unicode chapter 3.9: D91 and D97..D98.

use core::mem::MaybeUninit;

use super::{Decode, Encode, put};
use crate::error::{ErrorKind, Flaw};
use crate::{Utf16Be, Utf16Le};

/// A scalar value above the first 65,536, from its pair of surrogates.
const fn from_pair(high: u16, low: u16) -> u32 {
    0x1_0000 + ((high as u32 - 0xD800) << 10) + (low as u32 - 0xDC00)
}

/// The first character of `src`, whose code units `unit` reads.
#[inline]
fn decode(src: &[u8], unit: fn([u8; 2]) -> u16) -> Result<(u32, usize), Flaw> {
    let Some((&first, rest)) = src.split_first_chunk::<2>() else {
        return Err(Flaw::incomplete(ErrorKind::TooShort));
    };
    match unit(first) {
        high @ 0xD800..=0xDBFF => match rest.first_chunk::<2>() {
            Some(&second) => match unit(second) {
                low @ 0xDC00..=0xDFFF => Ok((from_pair(high, low), 4)),
                _ => Err(Flaw::ill_formed(ErrorKind::Surrogate, 2)),
            },
            None => Err(Flaw::incomplete(ErrorKind::Surrogate)),
        },
        0xDC00..=0xDFFF => Err(Flaw::ill_formed(ErrorKind::Surrogate, 2)),
        c => Ok((u32::from(c), 2)),
    }
}

/// The code units of `src`; a fragment at its end is none.
fn units(src: &[u8], unit: fn([u8; 2]) -> u16) -> impl Iterator<Item = u16> {
    src.as_chunks::<2>().0.iter().map(move |&bytes| unit(bytes))
}

/// Whether no unit is beyond FF, in the machine's byte order.
pub(crate) fn fits_latin1(src: &[u8]) -> bool {
    units(src, u16::from_ne_bytes).all(|unit| unit <= 0xFF)
}

/// UTF-8 bytes that a code unit becomes, as one of a pair if it is a surrogate.
#[inline]
fn utf8_len_of(unit: u16) -> usize {
    match unit {
        0..=0x7F => 1,
        0x80..=0x7FF | 0xD800..=0xDFFF => 2,
        _ => 3,
    }
}

/// Writes `c` as code units that `bytes` puts into order.
#[inline]
fn encode(c: u32, dst: &mut [MaybeUninit<u8>], bytes: fn(u16) -> [u8; 2]) -> Option<usize> {
    if let Ok(unit) = u16::try_from(c) {
        return put(bytes(unit), dst);
    }
    let [h0, h1] = bytes((0xD7C0 + (c >> 10)) as u16);
    let [l0, l1] = bytes((0xDC00 | c & 0x3FF) as u16);
    put([h0, h1, l0, l1], dst)
}

/// What stands for half a pair that is alone, in memory.
pub(crate) const REPLACEMENT: [u8; 2] = 0xFFFD_u16.to_ne_bytes();

/// Replaces the halves of pairs that are alone, in the machine's byte order; says how many.
pub(crate) fn repair(text: &mut [u8]) -> usize {
    let units = text.as_chunks_mut::<2>().0;
    let (mut at, mut repairs) = (0, 0);
    while at < units.len() {
        if let Ok((_, len)) = decode(units[at..].as_flattened(), u16::from_ne_bytes) {
            at += len / 2;
        } else {
            units[at] = REPLACEMENT;
            repairs += 1;
            at += 1;
        }
    }
    repairs
}

/// The same into `dst`, of the length of `src`.
pub(crate) fn repair_into(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let mut at = 0;
    while at < src.len() {
        let unit = match decode(&src[at..], u16::from_ne_bytes) {
            // A pair is one unit and then another, which is then not seen without the first.
            Ok((_, len)) => &src[at..at + len],
            Err(_) => &REPLACEMENT[..],
        };
        for (to, &byte) in dst[at..].iter_mut().zip(unit) {
            to.write(byte);
        }
        at += unit.len();
    }
}

/// Both byte orders of a scheme: the same text, other names.
macro_rules! byte_order {
    ($scheme:ty, $read:expr, $write:expr) => {
        impl Decode for $scheme {
            #[inline]
            fn decode(src: &[u8]) -> Result<(u32, usize), Flaw> {
                decode(src, $read)
            }
        }

        impl $scheme {
            /// Code points in `src`, without validating: units that can't be the second half of a pair.
            pub(crate) fn count(src: &[u8]) -> usize {
                units(src, $read).filter(|unit| !(0xDC00..=0xDFFF).contains(unit)).count()
            }

            /// UTF-8 bytes that the text becomes, without validating.
            pub(crate) fn utf8_len(src: &[u8]) -> usize {
                units(src, $read).map(utf8_len_of).sum()
            }
        }

        impl Encode for $scheme {
            #[inline]
            fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
                encode(c, dst, $write)
            }
        }
    };
}

byte_order!(Utf16Le, u16::from_le_bytes, u16::to_le_bytes);
byte_order!(Utf16Be, u16::from_be_bytes, u16::to_be_bytes);

//! UTF-16 as bytes in either order: Unicode chapter 3.9, D91 and D97..D98.

use core::mem::MaybeUninit;

use crate::encoding::types::{Utf16Be, Utf16Le};
use crate::scalar::code::{Decode, Encode, write_bytes};
use crate::types::error::{DecodeError, ErrorKind};

/// Returns the scalar value of a surrogate pair.
const fn from_pair(high: u16, low: u16) -> u32 {
    0x1_0000 + ((high as u32 - 0xD800) << 10) + (low as u32 - 0xDC00)
}

/// Decodes the first character of `src`; `unit` reads its code units.
#[inline]
fn decode(src: &[u8], unit: fn([u8; 2]) -> u16) -> Result<(u32, usize), DecodeError> {
    let Some((&first, rest)) = src.split_first_chunk::<2>() else {
        return Err(DecodeError::incomplete(ErrorKind::TooShort));
    };
    match unit(first) {
        high @ 0xD800..=0xDBFF => match rest.first_chunk::<2>() {
            Some(&second) => match unit(second) {
                low @ 0xDC00..=0xDFFF => Ok((from_pair(high, low), 4)),
                _ => Err(DecodeError::ill_formed(ErrorKind::Surrogate, 2)),
            },
            None => Err(DecodeError::incomplete(ErrorKind::Surrogate)),
        },
        0xDC00..=0xDFFF => Err(DecodeError::ill_formed(ErrorKind::Surrogate, 2)),
        c => Ok((u32::from(c), 2)),
    }
}

/// Returns the code units of `src`, without an incomplete one at its end.
fn units(src: &[u8], unit: fn([u8; 2]) -> u16) -> impl Iterator<Item = u16> {
    src.as_chunks::<2>().0.iter().map(move |&bytes| unit(bytes))
}

/// Returns true if no unit has one of the bits `beyond`, in the byte order of the machine.
pub(crate) fn fits(src: &[u8], beyond: u16) -> bool {
    units(src, u16::from_ne_bytes).all(|unit| unit & beyond == 0)
}

/// Returns the number of bytes of a code unit in UTF-8. A surrogate counts as one of a pair.
#[inline]
fn utf8_len_of(unit: u16) -> usize {
    match unit {
        0..=0x7F => 1,
        0x80..=0x7FF | 0xD800..=0xDFFF => 2,
        _ => 3,
    }
}

/// Writes `c` as code units; `bytes` puts their bytes in order.
#[inline]
fn encode(c: u32, dst: &mut [MaybeUninit<u8>], bytes: fn(u16) -> [u8; 2]) -> Option<usize> {
    if let Ok(unit) = u16::try_from(c) {
        return write_bytes(bytes(unit), dst);
    }
    let [h0, h1] = bytes((0xD7C0 + (c >> 10)) as u16);
    let [l0, l1] = bytes((0xDC00 | c & 0x3FF) as u16);
    write_bytes([h0, h1, l0, l1], dst)
}

/// The replacement for an unpaired surrogate, in the byte order of the machine.
const REPLACEMENT: [u8; 2] = 0xFFFD_u16.to_ne_bytes();

/// Replaces unpaired surrogates; `unit` reads code units. Returns the number of repairs.
#[inline]
fn repair(text: &mut [u8], unit: fn([u8; 2]) -> u16, replacement: [u8; 2]) -> usize {
    let units = text.as_chunks_mut::<2>().0;
    let (mut at, mut repairs) = (0, 0);
    while at < units.len() {
        if let Ok((_, len)) = decode(units[at..].as_flattened(), unit) {
            at += len / 2;
        } else {
            units[at] = replacement;
            repairs += 1;
            at += 1;
        }
    }
    repairs
}

/// [`repair`] of a copy, in the byte order of the machine: writes to `dst`, which has the length of
/// `src`.
pub(crate) fn repair_into(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let (units, out) = (src.as_chunks::<2>().0, dst.as_chunks_mut::<2>().0);
    let mut at = 0;
    while at < units.len() {
        let (len, unit) = match decode(units[at..].as_flattened(), u16::from_ne_bytes) {
            Ok((_, len)) => (len / 2, units[at]),
            Err(_) => (1, REPLACEMENT),
        };
        out[at] = unit.map(MaybeUninit::new);
        if len == 2 {
            // A pair is skipped as a whole, so its low surrogate is not taken for an unpaired one.
            out[at + 1] = units[at + 1].map(MaybeUninit::new);
        }
        at += len;
    }
}

/// Implements both byte orders of a scheme, which differ in the functions that read and write a
/// unit.
macro_rules! byte_order {
    ($scheme:ty, $read:expr, $write:expr) => {
        impl Decode for $scheme {
            #[inline]
            fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
                decode(src, $read)
            }
        }

        impl $scheme {
            /// Returns the number of code points in `src`, without validation: units that cannot be
            /// a low surrogate.
            pub(crate) fn count(src: &[u8]) -> usize {
                units(src, $read).filter(|unit| !(0xDC00..=0xDFFF).contains(unit)).count()
            }

            /// Returns the number of bytes of the text in UTF-8, without validation.
            pub(crate) fn utf8_len(src: &[u8]) -> usize {
                units(src, $read).map(utf8_len_of).sum()
            }

            /// Replaces unpaired surrogates by U+FFFD. Returns the number of repairs.
            pub(crate) fn repair(text: &mut [u8]) -> usize {
                repair(text, $read, $write(0xFFFD))
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

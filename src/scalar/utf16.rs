//! UTF-16 as bytes in both byte orders: Unicode chapter 3.9, D91 and D97..D98.

use core::mem::MaybeUninit;

use crate::encoding::types::{Utf16Be, Utf16Le};
use crate::scalar::code::{Decode, Encode, write_bytes};
use crate::types::error::{DecodeError, ErrorKind};

/// Returns the scalar value of a surrogate pair.
const fn from_pair(high: u16, low: u16) -> u32 {
    0x1_0000 + ((high as u32 - 0xD800) << 10) + (low as u32 - 0xDC00)
}

/// Decodes the first character of `src`. `read_unit` reads a code unit.
#[inline]
fn decode(src: &[u8], read_unit: fn([u8; 2]) -> u16) -> Result<(u32, usize), DecodeError> {
    let Some((&first, rest)) = src.split_first_chunk::<2>() else {
        return Err(DecodeError::incomplete(ErrorKind::TooShort));
    };
    match read_unit(first) {
        high @ 0xD800..=0xDBFF => match rest.first_chunk::<2>() {
            Some(&second) => match read_unit(second) {
                low @ 0xDC00..=0xDFFF => Ok((from_pair(high, low), 4)),
                _ => Err(DecodeError::ill_formed(ErrorKind::Surrogate, 2)),
            },
            None => Err(DecodeError::incomplete(ErrorKind::Surrogate)),
        },
        0xDC00..=0xDFFF => Err(DecodeError::ill_formed(ErrorKind::Surrogate, 2)),
        c => Ok((u32::from(c), 2)),
    }
}

/// Returns the code units of `src`, without an incomplete unit at the end.
fn units(src: &[u8], read_unit: fn([u8; 2]) -> u16) -> impl Iterator<Item = u16> {
    src.as_chunks::<2>().0.iter().map(move |&bytes| read_unit(bytes))
}

/// Returns true if no unit of `src`, in the byte order of the machine, has a bit of `mask`.
pub(crate) fn has_no_bits(src: &[u8], mask: u16) -> bool {
    units(src, u16::from_ne_bytes).all(|unit| unit & mask == 0)
}

/// Returns the number of bytes of a code unit in UTF-8. A surrogate counts two bytes, because a
/// surrogate pair becomes four bytes.
#[inline]
fn unit_utf8_len(unit: u16) -> usize {
    match unit {
        0..=0x7F => 1,
        0x80..=0x7FF | 0xD800..=0xDFFF => 2,
        _ => 3,
    }
}

/// Writes `c` as code units. `unit_bytes` returns the bytes of a unit in the byte order.
#[inline]
fn encode(c: u32, dst: &mut [MaybeUninit<u8>], unit_bytes: fn(u16) -> [u8; 2]) -> Option<usize> {
    if let Ok(unit) = u16::try_from(c) {
        return write_bytes(unit_bytes(unit), dst);
    }
    let [h0, h1] = unit_bytes((0xD7C0 + (c >> 10)) as u16);
    let [l0, l1] = unit_bytes((0xDC00 | c & 0x3FF) as u16);
    write_bytes([h0, h1, l0, l1], dst)
}

/// Replaces unpaired surrogates. `read_unit` reads a code unit. Returns the number of replaced
/// surrogates.
#[inline]
fn repair(text: &mut [u8], read_unit: fn([u8; 2]) -> u16, replacement: [u8; 2]) -> usize {
    let units = text.as_chunks_mut::<2>().0;
    let (mut index, mut repairs) = (0, 0);
    while index < units.len() {
        if let Ok((_, len)) = decode(units[index..].as_flattened(), read_unit) {
            index += len / 2;
        } else {
            units[index] = replacement;
            repairs += 1;
            index += 1;
        }
    }
    repairs
}

/// Implements one byte order of UTF-16. `$read` and `$write` convert between the bytes of a unit
/// and the unit.
macro_rules! byte_order {
    ($scheme:ty, $read:expr, $write:expr) => {
        impl Decode for $scheme {
            #[inline]
            fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
                decode(src, $read)
            }
        }

        impl $scheme {
            /// Returns the number of code points in `src`, without validation: the number of units
            /// that are not low surrogates.
            pub(crate) fn count(src: &[u8]) -> usize {
                units(src, $read).filter(|unit| !(0xDC00..=0xDFFF).contains(unit)).count()
            }

            /// Returns the number of bytes of the text in UTF-8, without validation.
            pub(crate) fn utf8_len(src: &[u8]) -> usize {
                units(src, $read).map(unit_utf8_len).sum()
            }

            /// Replaces unpaired surrogates by U+FFFD. Returns the number of replaced surrogates.
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

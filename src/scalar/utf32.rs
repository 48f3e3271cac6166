//! UTF-32 as bytes in both byte orders: Unicode chapter 3.9, D90 and D99..D100.

use core::mem::MaybeUninit;

use crate::encoding::types::{Utf32Be, Utf32Le};
use crate::scalar::code::{Decode, Encode, write_bytes};
use crate::types::error::{DecodeError, ErrorKind};

/// Decodes the first character of `src`. `read_unit` reads a code unit.
#[inline]
fn decode(src: &[u8], read_unit: fn([u8; 4]) -> u32) -> Result<(u32, usize), DecodeError> {
    let Some(&first) = src.first_chunk::<4>() else {
        return Err(DecodeError::incomplete(ErrorKind::TooShort));
    };
    match read_unit(first) {
        0xD800..=0xDFFF => Err(DecodeError::ill_formed(ErrorKind::Surrogate, 4)),
        c @ ..=0x10_FFFF => Ok((c, 4)),
        _ => Err(DecodeError::ill_formed(ErrorKind::TooLarge, 4)),
    }
}

/// Returns the code units of UTF-32LE, without an incomplete unit at the end.
fn units(src: &[u8]) -> impl Iterator<Item = u32> {
    src.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes))
}

/// Returns the number of bytes of a code unit in UTF-8, without validation.
fn unit_utf8_len(unit: u32) -> usize {
    match unit {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x800..=0xFFFF => 3,
        _ => 4,
    }
}

/// Implements one byte order of UTF-32. `$read` and `$write` convert between the bytes of a unit
/// and the unit.
macro_rules! byte_order {
    ($scheme:ty, $read:expr, $write:expr) => {
        impl Decode for $scheme {
            #[inline]
            fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
                decode(src, $read)
            }
        }

        impl Encode for $scheme {
            #[inline]
            fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
                write_bytes($write(c), dst)
            }
        }
    };
}

byte_order!(Utf32Le, u32::from_le_bytes, u32::to_le_bytes);
byte_order!(Utf32Be, u32::from_be_bytes, u32::to_be_bytes);

impl Utf32Le {
    /// Returns the number of bytes of the text in UTF-8, without validation.
    pub(crate) fn utf8_len(src: &[u8]) -> usize {
        units(src).map(unit_utf8_len).sum()
    }

    /// Returns the number of UTF-16 code units of the text, without validation.
    pub(crate) fn utf16_len(src: &[u8]) -> usize {
        units(src).map(|unit| if unit > 0xFFFF { 2 } else { 1 }).sum()
    }
}

//! UTF-32 as bytes in either order, Unicode chapter 3.9: D90 and D99..D100.

use core::mem::MaybeUninit;

use super::{Decode, Encode, put};
use crate::error::{ErrorKind, Flaw};
use crate::{Utf32Be, Utf32Le};

/// The first character of `src`, whose code units `unit` reads.
#[inline]
fn decode(src: &[u8], unit: fn([u8; 4]) -> u32) -> Result<(u32, usize), Flaw> {
    let Some(&first) = src.first_chunk::<4>() else {
        return Err(Flaw::incomplete(ErrorKind::TooShort));
    };
    match unit(first) {
        0xD800..=0xDFFF => Err(Flaw::ill_formed(ErrorKind::Surrogate, 4)),
        c @ ..=0x10_FFFF => Ok((c, 4)),
        _ => Err(Flaw::ill_formed(ErrorKind::TooLarge, 4)),
    }
}

/// The code units of `src`; a fragment at its end is none.
fn units(src: &[u8], unit: fn([u8; 4]) -> u32) -> impl Iterator<Item = u32> {
    src.as_chunks::<4>().0.iter().map(move |&bytes| unit(bytes))
}

/// UTF-8 bytes that a code unit becomes, by the thresholds alone.
fn utf8_len_of(unit: u32) -> usize {
    match unit {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x800..=0xFFFF => 3,
        _ => 4,
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
            /// UTF-8 bytes that the text becomes, without validating.
            pub(crate) fn utf8_len(src: &[u8]) -> usize {
                units(src, $read).map(utf8_len_of).sum()
            }

            /// UTF-16 code units that the text becomes, without validating.
            pub(crate) fn utf16_len(src: &[u8]) -> usize {
                units(src, $read).map(|unit| if unit > 0xFFFF { 2 } else { 1 }).sum()
            }
        }

        impl Encode for $scheme {
            #[inline]
            fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
                put($write(c), dst)
            }
        }
    };
}

byte_order!(Utf32Le, u32::from_le_bytes, u32::to_le_bytes);
byte_order!(Utf32Be, u32::from_be_bytes, u32::to_be_bytes);

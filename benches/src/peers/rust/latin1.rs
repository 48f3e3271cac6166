//! Functions that read Latin-1 and ASCII.

use encoding_rs::mem;

use super::{FAILED, copy_if, fill, fill_utf8};

/// Converts with std: `encode_utf8` on every character.
#[inline]
pub fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    fill_utf8(dst, src.iter().map(|&byte| Some(char::from(byte))))
}

/// Converts with std: a widening loop.
#[inline]
pub fn latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    fill(dst, src.iter().map(|&byte| u16::from(byte)))
}

/// Converts with std: a widening loop.
#[inline]
pub fn latin1_to_utf32(src: &[u8], dst: &mut [u32]) -> usize {
    fill(dst, src.iter().map(|&byte| u32::from(byte)))
}

/// Converts with std: a widening loop, big-endian.
#[inline]
pub fn latin1_to_utf16be(src: &[u8], dst: &mut [u16]) -> usize {
    fill(dst, src.iter().map(|&byte| u16::from(byte).to_be()))
}

/// Converts with std: a widening loop, big-endian.
#[inline]
pub fn latin1_to_utf32be(src: &[u8], dst: &mut [u32]) -> usize {
    fill(dst, src.iter().map(|&byte| u32::from(byte).to_be()))
}

/// Converts with std: a copy.
#[inline]
pub fn latin1_to_latin1(src: &[u8], dst: &mut [u8]) -> usize {
    copy_if(src, dst, true)
}

/// Declares conversions from ASCII: `is_ascii`, then the conversion from Latin-1.
macro_rules! from_ascii {
    ($($name:ident: $from_latin1:ident => $unit:ty;)*) => {$(
        #[doc = concat!("Converts with std: `is_ascii`, then [`", stringify!($from_latin1), "`].")]
        #[inline]
        pub fn $name(src: &[u8], dst: &mut [$unit]) -> usize {
            if src.is_ascii() { $from_latin1(src, dst) } else { FAILED }
        }
    )*};
}

from_ascii! {
    ascii_to_utf16: latin1_to_utf16 => u16;
    ascii_to_utf16be: latin1_to_utf16be => u16;
    ascii_to_utf32: latin1_to_utf32 => u32;
    ascii_to_utf32be: latin1_to_utf32be => u32;
}

/// Declares conversions from ASCII with simdutf: validation, then the conversion from Latin-1.
#[cfg(feature = "simdutf")]
macro_rules! simdutf_from_ascii {
    ($($name:ident: $from_latin1:ident => $unit:ty;)*) => {$(
        #[doc = concat!(
            "Converts with simdutf: `validate_ascii`, then `", stringify!($from_latin1), "`."
        )]
        #[inline]
        pub fn $name(src: &[u8], dst: &mut [$unit]) -> usize {
            if simdutf::validate_ascii(src) {
                crate::peers::cpp::$from_latin1(src, dst)
            } else {
                FAILED
            }
        }
    )*};
}

#[cfg(feature = "simdutf")]
simdutf_from_ascii! {
    simdutf_ascii_to_utf16: convert_latin1_to_utf16 => u16;
    simdutf_ascii_to_utf16be: convert_latin1_to_utf16be => u16;
    simdutf_ascii_to_utf32: convert_latin1_to_utf32 => u32;
}

/// Converts with encoding_rs: `mem::copy_ascii_to_basic_latin`.
#[inline]
pub fn encoding_rs_ascii_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    let copied = mem::copy_ascii_to_basic_latin(src, dst);
    if copied == src.len() { copied } else { FAILED }
}

/// Converts with encoding_rs: `mem::convert_latin1_to_utf16`.
#[inline]
pub fn encoding_rs_latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    mem::convert_latin1_to_utf16(src, dst);
    src.len()
}

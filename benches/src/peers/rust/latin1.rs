//! From Latin-1 and ASCII.

use encoding_rs::mem;

use super::{FAILED, copy, fill, fill_utf8};

/// std: `encode_utf8`.
#[inline]
pub fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    fill_utf8(dst, src.iter().map(|&byte| Some(char::from(byte))))
}

/// std: a widening loop.
#[inline]
pub fn latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    fill(dst, src.iter().map(|&byte| u16::from(byte)))
}

/// std: a widening loop.
#[inline]
pub fn latin1_to_utf32(src: &[u8], dst: &mut [u32]) -> usize {
    fill(dst, src.iter().map(|&byte| u32::from(byte)))
}

/// std: a widening loop, big-endian.
#[inline]
pub fn latin1_to_utf16be(src: &[u8], dst: &mut [u16]) -> usize {
    fill(dst, src.iter().map(|&byte| u16::from(byte).to_be()))
}

/// std: a widening loop, big-endian.
#[inline]
pub fn latin1_to_utf32be(src: &[u8], dst: &mut [u32]) -> usize {
    fill(dst, src.iter().map(|&byte| u32::from(byte).to_be()))
}

/// std: a copy.
#[inline]
pub fn latin1_to_latin1(src: &[u8], dst: &mut [u8]) -> usize {
    copy(src, dst, true)
}

/// Conversions from ASCII as `is_ascii`, then that from Latin-1.
macro_rules! from_ascii {
    ($($name:ident: $of_latin1:ident => $unit:ty;)*) => {$(
        #[doc = concat!("std: `is_ascii`, then [`", stringify!($of_latin1), "`].")]
        #[inline]
        pub fn $name(src: &[u8], dst: &mut [$unit]) -> usize {
            if src.is_ascii() { $of_latin1(src, dst) } else { FAILED }
        }
    )*};
}

from_ascii! {
    ascii_to_utf16: latin1_to_utf16 => u16;
    ascii_to_utf16be: latin1_to_utf16be => u16;
    ascii_to_utf32: latin1_to_utf32 => u32;
    ascii_to_utf32be: latin1_to_utf32be => u32;
}

/// Conversions from ASCII with simdutf: validation, then that from Latin-1.
#[cfg(feature = "simdutf")]
macro_rules! simdutf_from_ascii {
    ($($name:ident: $of_latin1:ident => $unit:ty;)*) => {$(
        #[doc = concat!("simdutf: `validate_ascii`, then `", stringify!($of_latin1), "`.")]
        #[inline]
        pub fn $name(src: &[u8], dst: &mut [$unit]) -> usize {
            if simdutf::validate_ascii(src) {
                crate::peers::cpp::$of_latin1(src, dst)
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

/// encoding_rs: `mem::copy_ascii_to_basic_latin`.
#[inline]
pub fn encoding_rs_ascii_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    let copied = mem::copy_ascii_to_basic_latin(src, dst);
    if copied == src.len() { copied } else { FAILED }
}

/// encoding_rs: `mem::convert_latin1_to_utf16`.
#[inline]
pub fn encoding_rs_latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    mem::convert_latin1_to_utf16(src, dst);
    src.len()
}

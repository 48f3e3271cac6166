//! Functions that read UTF-16.

use std::char::decode_utf16;

use encoding_rs::mem;

use super::{FAILED, copy_if, fill, fill_utf8, try_fill};

/// Decodes the characters of UTF-16. An unpaired surrogate is `None`.
#[inline]
fn utf16_chars(src: &[u16]) -> impl Iterator<Item = Option<char>> {
    decode_utf16(src.iter().copied()).map(Result::ok)
}

/// Converts with std: `decode_utf16`, then `encode_utf8`.
#[inline]
pub fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    fill_utf8(dst, utf16_chars(src))
}

/// Converts with std: `decode_utf16`.
#[inline]
pub fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> usize {
    try_fill(dst, utf16_chars(src).map(|c| c.map(u32::from)))
}

/// Converts with std: `u8::try_from` on every unit.
#[inline]
pub fn utf16_to_latin1(src: &[u16], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(unit).ok()))
}

/// Converts with std: `u8::try_from` on every unit, and a test for ASCII.
#[inline]
pub fn utf16_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(unit).ok().filter(u8::is_ascii)))
}

/// Converts with encoding_rs: `mem::copy_basic_latin_to_ascii`.
#[inline]
pub fn encoding_rs_utf16_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    let copied = mem::copy_basic_latin_to_ascii(src, dst);
    if copied == src.len() { copied } else { FAILED }
}

/// Converts with simdutf: validation, then `change_endianness_utf16`.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_utf16le_to_utf16be(src: &[u16], dst: &mut [u16]) -> usize {
    if !simdutf::validate_utf16le(src) {
        return FAILED;
    }
    crate::peers::cpp::change_endianness_utf16(src, dst)
}

/// Converts with std: `decode_utf16`, then `swap_bytes` on every unit.
#[inline]
pub fn utf16le_to_utf16be(src: &[u16], dst: &mut [u16]) -> usize {
    if !decode_utf16(src.iter().map(|&unit| u16::from_le(unit))).all(|c| c.is_ok()) {
        return FAILED;
    }
    fill(dst, src.iter().map(|&unit| unit.swap_bytes()))
}

/// Converts with simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_to_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    copy_if(src, dst, simdutf::validate_utf16(src))
}

/// Converts with encoding_rs: `mem::utf16_valid_up_to`, then a copy.
#[inline]
pub fn encoding_rs_to_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    copy_if(src, dst, encoding_rs_is_utf16(src))
}

/// Converts with std: `decode_utf16`, then a copy.
#[inline]
pub fn utf16_to_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    copy_if(src, dst, is_utf16(src))
}

/// Repairs with encoding_rs: a copy, then `mem::ensure_utf16_validity`.
#[inline]
pub fn encoding_rs_to_well_formed(src: &[u16], dst: &mut [u16]) -> usize {
    let dst = &mut dst[..src.len()];
    dst.copy_from_slice(src);
    mem::ensure_utf16_validity(dst);
    src.len()
}

/// Repairs with std: `decode_utf16`, with unpaired surrogates replaced.
#[inline]
pub fn to_well_formed_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    let chars = decode_utf16(src.iter().copied());
    let mut written = 0;
    for c in chars {
        let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
        written += c.encode_utf16(&mut dst[written..]).len();
    }
    written
}

/// Repairs with std: `decode_utf16`, whose errors are overwritten by U+FFFD.
#[inline]
pub fn make_well_formed_utf16(text: &mut [u16]) -> usize {
    let (mut offset, mut repairs) = (0, 0);
    while offset < text.len() {
        let valid_len = decode_utf16(text[offset..].iter().copied())
            .map_while(|c| c.ok().map(char::len_utf16))
            .sum::<usize>();
        offset += valid_len;
        if let Some(unit) = text.get_mut(offset) {
            *unit = 0xFFFD;
            (offset, repairs) = (offset + 1, repairs + 1);
        }
    }
    repairs
}

/// Validates with std: `decode_utf16`.
#[must_use]
#[inline]
pub fn is_utf16(src: &[u16]) -> bool {
    utf16_chars(src).all(|c| c.is_some())
}

/// Validates with std: `decode_utf16` on units that are converted from big-endian.
#[must_use]
#[inline]
pub fn is_utf16be(src: &[u16]) -> bool {
    decode_utf16(src.iter().map(|&unit| u16::from_be(unit))).all(|c| c.is_ok())
}

/// Computes a length with std: the sum of `len_utf8` over `decode_utf16`.
#[must_use]
#[inline]
pub fn utf8_len_of_utf16(src: &[u16]) -> usize {
    utf16_chars(src).map(|c| c.map_or(3, char::len_utf8)).sum()
}

/// Validates with encoding_rs: `mem::utf16_valid_up_to`.
#[must_use]
#[inline]
pub fn encoding_rs_is_utf16(src: &[u16]) -> bool {
    mem::utf16_valid_up_to(src) == src.len()
}

/// Converts with encoding_rs: `mem::is_utf16_latin1`, then `mem::convert_utf16_to_latin1_lossy`.
#[inline]
pub fn encoding_rs_utf16_to_latin1(src: &[u16], dst: &mut [u8]) -> usize {
    if !mem::is_utf16_latin1(src) {
        return FAILED;
    }
    mem::convert_utf16_to_latin1_lossy(src, dst);
    src.len()
}

//! The standard library, encoding_rs and simdutf8, written as a careful user would, into a slice.

use std::char::decode_utf16;

use encoding_rs::{Encoding, mem};

use super::FAILED;

/// Writes units one by one and counts them.
#[inline]
fn fill<T>(dst: &mut [T], units: impl Iterator<Item = T>) -> usize {
    let mut written = 0;
    // The output is the longer one, so it is asked second: `zip` must not drop a unit it has taken.
    for (unit, slot) in units.zip(dst) {
        *slot = unit;
        written += 1;
    }
    written
}

/// Writes characters as UTF-8; `FAILED` at the first that is none.
#[inline]
fn fill_utf8(dst: &mut [u8], chars: impl Iterator<Item = Option<char>>) -> usize {
    let mut written = 0;
    for c in chars {
        let Some(c) = c else { return FAILED };
        written += c.encode_utf8(&mut dst[written..]).len();
    }
    written
}

/// Writes units one by one; `FAILED` at the first that is none.
#[inline]
fn try_fill<T>(dst: &mut [T], units: impl Iterator<Item = Option<T>>) -> usize {
    let mut written = 0;
    for (unit, slot) in units.zip(dst) {
        let Some(unit) = unit else { return FAILED };
        *slot = unit;
        written += 1;
    }
    written
}

/// Copies what has been found valid.
#[inline]
fn copy<T: Copy>(src: &[T], dst: &mut [T], valid: bool) -> usize {
    if !valid {
        return FAILED;
    }
    dst[..src.len()].copy_from_slice(src);
    src.len()
}

/// The characters of UTF-16.
#[inline]
fn utf16_chars(src: &[u16]) -> impl Iterator<Item = Option<char>> {
    decode_utf16(src.iter().copied()).map(Result::ok)
}

/// The characters of UTF-32.
#[inline]
fn utf32_chars(src: &[u32]) -> impl Iterator<Item = Option<char>> {
    src.iter().map(|&unit| char::from_u32(unit))
}

/// The characters of UTF-32 of the other byte order.
#[inline]
fn utf32be_chars(src: &[u32]) -> impl Iterator<Item = Option<char>> {
    src.iter().map(|&unit| char::from_u32(u32::from_be(unit)))
}

/// Writes characters as UTF-16; `FAILED` at the first that is none.
#[inline]
fn fill_utf16(
    dst: &mut [u16],
    chars: impl Iterator<Item = Option<char>>,
    order: fn(u16) -> u16,
) -> usize {
    let mut written = 0;
    for c in chars {
        let Some(c) = c else { return FAILED };
        for unit in c.encode_utf16(&mut [0; 2]) {
            dst[written] = order(*unit);
            written += 1;
        }
    }
    written
}

/// A character as Latin-1.
#[inline]
fn latin1(c: Option<char>) -> Option<u8> {
    u8::try_from(u32::from(c?)).ok()
}

/// Checked conversions from UTF-8: `from_utf8`, then that of a `str`.
macro_rules! checked {
    ($($name:ident: $of_str:ident => $unit:ty;)*) => {$(
        #[doc = concat!("std: `from_utf8`, then [`", stringify!($of_str), "`].")]
        #[inline]
        pub fn $name(src: &[u8], dst: &mut [$unit]) -> usize {
            std::str::from_utf8(src).map_or(FAILED, |src| $of_str(src, dst))
        }
    )*};
}

checked! {
    utf8_to_utf16: str_to_utf16 => u16;
    utf8_to_utf16be: str_to_utf16be => u16;
    utf8_to_utf16le: str_to_utf16le => u16;
    utf8_to_utf32: str_to_utf32 => u32;
    utf8_to_latin1: str_to_latin1 => u8;
}

/// std: `encode_utf16`.
#[inline]
pub fn str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    fill(dst, src.encode_utf16())
}

/// std: `encode_utf16`, big-endian.
#[inline]
pub fn str_to_utf16be(src: &str, dst: &mut [u16]) -> usize {
    fill(dst, src.encode_utf16().map(u16::to_be))
}

/// std: `encode_utf16`, little-endian.
#[inline]
pub fn str_to_utf16le(src: &str, dst: &mut [u16]) -> usize {
    fill(dst, src.encode_utf16().map(u16::to_le))
}

/// std: `chars`.
#[inline]
pub fn str_to_utf32(src: &str, dst: &mut [u32]) -> usize {
    fill(dst, src.chars().map(u32::from))
}

/// std: `chars`, each checked to be in Latin-1.
#[inline]
pub fn str_to_latin1(src: &str, dst: &mut [u8]) -> usize {
    try_fill(dst, src.chars().map(|c| latin1(Some(c))))
}

/// std: `decode_utf16`, then `encode_utf8`.
#[inline]
pub fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    fill_utf8(dst, utf16_chars(src))
}

/// simdutf: validation, then both counts, each over all of it.
#[cfg(feature = "simdutf")]
#[must_use]
#[inline]
pub fn simdutf_summary(src: &[u8]) -> usize {
    match simdutf::validate_utf8(src) {
        true => simdutf::count_utf8(src) + simdutf::utf16_length_from_utf8(src),
        false => FAILED,
    }
}

/// std: `decode_utf16`.
#[inline]
pub fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> usize {
    try_fill(dst, utf16_chars(src).map(|c| c.map(u32::from)))
}

/// std: `u8::try_from` on every unit.
#[inline]
pub fn utf16_to_latin1(src: &[u16], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(unit).ok()))
}

/// std: `from_u32`, then `encode_utf8`.
#[inline]
pub fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> usize {
    fill_utf8(dst, utf32_chars(src))
}

/// std: `from_u32`, then `encode_utf16`.
#[inline]
pub fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> usize {
    let mut written = 0;
    for c in utf32_chars(src) {
        let Some(c) = c else { return FAILED };
        written += c.encode_utf16(&mut dst[written..]).len();
    }
    written
}

/// std: `from_u32`, then `encode_utf16`, big-endian.
#[inline]
pub fn utf32_to_utf16be(src: &[u32], dst: &mut [u16]) -> usize {
    fill_utf16(dst, utf32_chars(src), u16::to_be)
}

/// std: `from_u32` on swapped units, then `encode_utf8`.
#[inline]
pub fn utf32be_to_utf8(src: &[u32], dst: &mut [u8]) -> usize {
    fill_utf8(dst, utf32be_chars(src))
}

/// std: `from_u32` on swapped units, then `encode_utf16`.
#[inline]
pub fn utf32be_to_utf16(src: &[u32], dst: &mut [u16]) -> usize {
    let mut written = 0;
    for c in utf32be_chars(src) {
        let Some(c) = c else { return FAILED };
        written += c.encode_utf16(&mut dst[written..]).len();
    }
    written
}

/// std: `u8::try_from` on every unit, swapped.
#[inline]
pub fn utf32be_to_latin1(src: &[u32], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(u32::from_be(unit)).ok()))
}

/// std: `u8::try_from` on every unit, and whether it is ASCII.
#[inline]
pub fn utf32_to_ascii(src: &[u32], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(unit).ok().filter(u8::is_ascii)))
}

/// std: `u8::try_from` on every unit, swapped, and whether it is ASCII.
#[inline]
pub fn utf32be_to_ascii(src: &[u32], dst: &mut [u8]) -> usize {
    let units = src.iter().map(|&unit| u32::from_be(unit));
    try_fill(dst, units.map(|unit| u8::try_from(unit).ok().filter(u8::is_ascii)))
}

/// simdutf: conversion to Latin-1, then whether that is ASCII.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_utf32_to_ascii(src: &[u32], dst: &mut [u8]) -> usize {
    let written = super::cpp::convert_utf32_to_latin1(src, dst);
    if simdutf::validate_ascii(&dst[..written]) { written } else { FAILED }
}

/// simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_to_utf32(src: &[u32], dst: &mut [u32]) -> usize {
    copy(src, dst, simdutf::validate_utf32(src))
}

/// std: `from_u32`, then a copy.
#[inline]
pub fn utf32_to_utf32(src: &[u32], dst: &mut [u32]) -> usize {
    copy(src, dst, is_utf32(src))
}

/// simdutf: validation, then `swap_bytes` on every unit.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_utf32le_to_utf32be(src: &[u32], dst: &mut [u32]) -> usize {
    if !simdutf::validate_utf32(src) {
        return FAILED;
    }
    swap(src, dst)
}

/// std: `from_u32`, then `swap_bytes` on every unit.
#[inline]
pub fn utf32le_to_utf32be(src: &[u32], dst: &mut [u32]) -> usize {
    if !is_utf32(src) {
        return FAILED;
    }
    swap(src, dst)
}

/// std: `swap_bytes` on every unit.
#[inline]
fn swap(src: &[u32], dst: &mut [u32]) -> usize {
    for (to, unit) in dst[..src.len()].iter_mut().zip(src) {
        *to = unit.swap_bytes();
    }
    src.len()
}

/// std: `u8::try_from` on every unit.
#[inline]
pub fn utf32_to_latin1(src: &[u32], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(unit).ok()))
}

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
            if simdutf::validate_ascii(src) { super::cpp::$of_latin1(src, dst) } else { FAILED }
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

/// std: `from_utf8`, then a copy.
#[inline]
pub fn utf8_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    copy(src, dst, std::str::from_utf8(src).is_ok())
}

/// simdutf8: `from_utf8`, then a copy.
#[inline]
pub fn simdutf8_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    copy(src, dst, simdutf8::basic::from_utf8(src).is_ok())
}

/// simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    copy(src, dst, simdutf::validate_utf8(src))
}

/// std: `is_ascii`, then a copy.
#[inline]
pub fn utf8_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    copy(src, dst, src.is_ascii())
}

/// simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    copy(src, dst, simdutf::validate_ascii(src))
}

/// encoding_rs: `mem::copy_ascii_to_ascii`.
#[inline]
pub fn encoding_rs_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    let copied = mem::copy_ascii_to_ascii(src, dst);
    if copied == src.len() { copied } else { FAILED }
}

/// std: `u8::try_from` on every unit, and whether it is ASCII.
#[inline]
pub fn utf16_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(unit).ok().filter(u8::is_ascii)))
}

/// encoding_rs: `mem::copy_basic_latin_to_ascii`.
#[inline]
pub fn encoding_rs_utf16_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    let copied = mem::copy_basic_latin_to_ascii(src, dst);
    if copied == src.len() { copied } else { FAILED }
}

/// simdutf: validation, then `change_endianness_utf16`.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_utf16le_to_utf16be(src: &[u16], dst: &mut [u16]) -> usize {
    if !simdutf::validate_utf16le(src) {
        return FAILED;
    }
    super::cpp::change_endianness_utf16(src, dst)
}

/// std: `decode_utf16`, then `swap_bytes` on every unit.
#[inline]
pub fn utf16le_to_utf16be(src: &[u16], dst: &mut [u16]) -> usize {
    if !decode_utf16(src.iter().map(|&unit| u16::from_le(unit))).all(|c| c.is_ok()) {
        return FAILED;
    }
    fill(dst, src.iter().map(|&unit| unit.swap_bytes()))
}

/// simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_to_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    copy(src, dst, simdutf::validate_utf16(src))
}

/// encoding_rs: `mem::utf16_valid_up_to`, then a copy.
#[inline]
pub fn encoding_rs_to_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    copy(src, dst, encoding_rs_is_utf16(src))
}

/// std: `decode_utf16`, then a copy.
#[inline]
pub fn utf16_to_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    copy(src, dst, is_utf16(src))
}

/// encoding_rs: a copy, then `mem::ensure_utf16_validity`.
#[inline]
pub fn encoding_rs_to_well_formed(src: &[u16], dst: &mut [u16]) -> usize {
    let dst = &mut dst[..src.len()];
    dst.copy_from_slice(src);
    mem::ensure_utf16_validity(dst);
    src.len()
}

/// std: `decode_utf16`, with what is no character replaced.
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

/// std: `decode_utf16`, whose errors are written back.
#[inline]
pub fn make_well_formed_utf16(text: &mut [u16]) -> usize {
    let (mut at, mut repairs) = (0, 0);
    while at < text.len() {
        let valid = decode_utf16(text[at..].iter().copied())
            .map_while(|c| c.ok().map(char::len_utf16))
            .sum::<usize>();
        at += valid;
        if let Some(unit) = text.get_mut(at) {
            *unit = 0xFFFD;
            (at, repairs) = (at + 1, repairs + 1);
        }
    }
    repairs
}

/// std: `decode_utf16`.
#[must_use]
#[inline]
pub fn is_utf16(src: &[u16]) -> bool {
    utf16_chars(src).all(|c| c.is_some())
}

/// std: `decode_utf16` on units of the other byte order where needed.
#[must_use]
#[inline]
pub fn is_utf16be(src: &[u16]) -> bool {
    decode_utf16(src.iter().map(|&unit| u16::from_be(unit))).all(|c| c.is_ok())
}

/// std: `from_u32`.
#[must_use]
#[inline]
pub fn is_utf32(src: &[u32]) -> bool {
    utf32_chars(src).all(|c| c.is_some())
}

/// std: `from_u32` on swapped units.
#[must_use]
#[inline]
pub fn is_utf32be(src: &[u32]) -> bool {
    utf32be_chars(src).all(|c| c.is_some())
}

/// std: the sum of `len_utf16`.
#[must_use]
#[inline]
pub fn utf16_len_of_utf32(src: &[u32]) -> usize {
    utf32_chars(src).map(|c| c.map_or(1, char::len_utf16)).sum()
}

/// std: the sum of `len_utf16` of swapped units.
#[must_use]
#[inline]
pub fn utf16_len_of_utf32be(src: &[u32]) -> usize {
    utf32be_chars(src).map(|c| c.map_or(1, char::len_utf16)).sum()
}

/// std: the sum of `len_utf8` of swapped units.
#[must_use]
#[inline]
pub fn utf8_len_of_utf32be(src: &[u32]) -> usize {
    utf32be_chars(src).map(|c| c.map_or(3, char::len_utf8)).sum()
}

/// std: the sum of `len_utf8` over `decode_utf16`.
#[must_use]
#[inline]
pub fn utf8_len_of_utf16(src: &[u16]) -> usize {
    utf16_chars(src).map(|c| c.map_or(3, char::len_utf8)).sum()
}

/// std: the sum of `len_utf8`.
#[must_use]
#[inline]
pub fn utf8_len_of_utf32(src: &[u32]) -> usize {
    utf32_chars(src).map(|c| c.map_or(3, char::len_utf8)).sum()
}

/// encoding_rs: `Encoding::utf8_valid_up_to`.
#[must_use]
#[inline]
pub fn encoding_rs_is_utf8(src: &[u8]) -> bool {
    Encoding::utf8_valid_up_to(src) == src.len()
}

/// encoding_rs: `mem::utf16_valid_up_to`.
#[must_use]
#[inline]
pub fn encoding_rs_is_utf16(src: &[u16]) -> bool {
    mem::utf16_valid_up_to(src) == src.len()
}

/// encoding_rs: `mem::convert_utf8_to_utf16_without_replacement`.
#[inline]
pub fn encoding_rs_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(FAILED)
}

/// encoding_rs: `mem::is_utf8_latin1`, then `mem::convert_utf8_to_latin1_lossy`, which wants to know.
#[inline]
pub fn encoding_rs_utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> usize {
    if !mem::is_utf8_latin1(src) {
        return FAILED;
    }
    mem::convert_utf8_to_latin1_lossy(src, dst)
}

/// encoding_rs: `mem::convert_utf8_to_latin1_lossy`, which takes for granted that the text is in Latin-1.
#[inline]
pub fn encoding_rs_str_to_latin1(src: &str, dst: &mut [u8]) -> usize {
    mem::convert_utf8_to_latin1_lossy(src.as_bytes(), dst)
}

/// encoding_rs: `mem::is_utf16_latin1`, then `mem::convert_utf16_to_latin1_lossy`.
#[inline]
pub fn encoding_rs_utf16_to_latin1(src: &[u16], dst: &mut [u8]) -> usize {
    if !mem::is_utf16_latin1(src) {
        return FAILED;
    }
    mem::convert_utf16_to_latin1_lossy(src, dst);
    src.len()
}

/// encoding_rs: `mem::convert_latin1_to_utf16`.
#[inline]
pub fn encoding_rs_latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    mem::convert_latin1_to_utf16(src, dst);
    src.len()
}

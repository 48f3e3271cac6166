//! Functions that read UTF-32.

use super::{FAILED, copy_if, fill_utf8, fill_utf16, try_fill};

/// Decodes the characters of UTF-32. An invalid unit is `None`.
#[inline]
fn utf32_chars(src: &[u32]) -> impl Iterator<Item = Option<char>> {
    src.iter().map(|&unit| char::from_u32(unit))
}

/// Decodes the characters of big-endian UTF-32. An invalid unit is `None`.
#[inline]
fn utf32be_chars(src: &[u32]) -> impl Iterator<Item = Option<char>> {
    src.iter().map(|&unit| char::from_u32(u32::from_be(unit)))
}

/// Converts with std: `from_u32`, then `encode_utf8`.
#[inline]
pub fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> usize {
    fill_utf8(dst, utf32_chars(src))
}

/// Converts with std: `from_u32`, then `encode_utf16`.
#[inline]
pub fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> usize {
    let mut written = 0;
    for c in utf32_chars(src) {
        let Some(c) = c else { return FAILED };
        written += c.encode_utf16(&mut dst[written..]).len();
    }
    written
}

/// Converts with std: `from_u32`, then `encode_utf16`, big-endian.
#[inline]
pub fn utf32_to_utf16be(src: &[u32], dst: &mut [u16]) -> usize {
    fill_utf16(dst, utf32_chars(src), u16::to_be)
}

/// Converts with std: `from_u32` on swapped units, then `encode_utf8`.
#[inline]
pub fn utf32be_to_utf8(src: &[u32], dst: &mut [u8]) -> usize {
    fill_utf8(dst, utf32be_chars(src))
}

/// Converts with std: `from_u32` on swapped units, then `encode_utf16`.
#[inline]
pub fn utf32be_to_utf16(src: &[u32], dst: &mut [u16]) -> usize {
    let mut written = 0;
    for c in utf32be_chars(src) {
        let Some(c) = c else { return FAILED };
        written += c.encode_utf16(&mut dst[written..]).len();
    }
    written
}

/// Converts with std: `u8::try_from` on every swapped unit.
#[inline]
pub fn utf32be_to_latin1(src: &[u32], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(u32::from_be(unit)).ok()))
}

/// Converts with std: `u8::try_from` on every unit, and a test for ASCII.
#[inline]
pub fn utf32_to_ascii(src: &[u32], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(unit).ok().filter(u8::is_ascii)))
}

/// Converts with std: `u8::try_from` on every swapped unit, and a test for ASCII.
#[inline]
pub fn utf32be_to_ascii(src: &[u32], dst: &mut [u8]) -> usize {
    let units = src.iter().map(|&unit| u32::from_be(unit));
    try_fill(dst, units.map(|unit| u8::try_from(unit).ok().filter(u8::is_ascii)))
}

/// Converts with simdutf: conversion to Latin-1, then a test for ASCII.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_utf32_to_ascii(src: &[u32], dst: &mut [u8]) -> usize {
    let written = crate::peers::cpp::convert_utf32_to_latin1(src, dst);
    if simdutf::validate_ascii(&dst[..written]) { written } else { FAILED }
}

/// Converts with simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_to_utf32(src: &[u32], dst: &mut [u32]) -> usize {
    copy_if(src, dst, simdutf::validate_utf32(src))
}

/// Converts with std: `from_u32`, then a copy.
#[inline]
pub fn utf32_to_utf32(src: &[u32], dst: &mut [u32]) -> usize {
    copy_if(src, dst, is_utf32(src))
}

/// Converts with simdutf: validation, then `swap_bytes` on every unit.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_utf32le_to_utf32be(src: &[u32], dst: &mut [u32]) -> usize {
    if !simdutf::validate_utf32(src) {
        return FAILED;
    }
    swap_units(src, dst)
}

/// Converts with std: `from_u32`, then `swap_bytes` on every unit.
#[inline]
pub fn utf32le_to_utf32be(src: &[u32], dst: &mut [u32]) -> usize {
    if !is_utf32(src) {
        return FAILED;
    }
    swap_units(src, dst)
}

/// Swaps the bytes of every unit.
#[inline]
fn swap_units(src: &[u32], dst: &mut [u32]) -> usize {
    for (to, unit) in dst[..src.len()].iter_mut().zip(src) {
        *to = unit.swap_bytes();
    }
    src.len()
}

/// Converts with std: `u8::try_from` on every unit.
#[inline]
pub fn utf32_to_latin1(src: &[u32], dst: &mut [u8]) -> usize {
    try_fill(dst, src.iter().map(|&unit| u8::try_from(unit).ok()))
}

/// Validates with std: `from_u32`.
#[must_use]
#[inline]
pub fn is_utf32(src: &[u32]) -> bool {
    utf32_chars(src).all(|c| c.is_some())
}

/// Validates with std: `from_u32` on swapped units.
#[must_use]
#[inline]
pub fn is_utf32be(src: &[u32]) -> bool {
    utf32be_chars(src).all(|c| c.is_some())
}

/// Computes a length with std: the sum of `len_utf16` over all characters.
#[must_use]
#[inline]
pub fn utf16_len_of_utf32(src: &[u32]) -> usize {
    utf32_chars(src).map(|c| c.map_or(1, char::len_utf16)).sum()
}

/// Computes a length with std: the sum of `len_utf16` over the characters of swapped units.
#[must_use]
#[inline]
pub fn utf16_len_of_utf32be(src: &[u32]) -> usize {
    utf32be_chars(src).map(|c| c.map_or(1, char::len_utf16)).sum()
}

/// Computes a length with std: the sum of `len_utf8` over the characters of swapped units.
#[must_use]
#[inline]
pub fn utf8_len_of_utf32be(src: &[u32]) -> usize {
    utf32be_chars(src).map(|c| c.map_or(3, char::len_utf8)).sum()
}

/// Computes a length with std: the sum of `len_utf8` over all characters.
#[must_use]
#[inline]
pub fn utf8_len_of_utf32(src: &[u32]) -> usize {
    utf32_chars(src).map(|c| c.map_or(3, char::len_utf8)).sum()
}

//! simdutf's detection, by the byte order mark or by the encodings in which the text is
//! well-formed, and its search for a character.

use core::ffi::{c_char, c_int};

use utflane::{Scheme, bom};

use crate::memory;
use crate::simdutf::forms::char16_t;
use crate::simdutf::types::simdutf_encoding_type;

/// The encodings, in the order in which they are tried: their bits, and the lengths of their byte
/// order marks in bytes.
const ENCODINGS: [(Scheme, simdutf_encoding_type, usize); 5] = [
    (Scheme::Utf8, 1, 3),
    (Scheme::Utf16Le, 2, 2),
    (Scheme::Utf16Be, 4, 2),
    (Scheme::Utf32Le, 8, 4),
    (Scheme::Utf32Be, 16, 4),
];

/// Returns the bits of the encodings that a text can have: of its byte order mark, or, without a
/// mark, of the encodings with the low byte first in which the text is well-formed.
fn possible_encodings(input: &[u8]) -> impl Iterator<Item = simdutf_encoding_type> {
    let mark = bom::detect(input);
    let is_possible = move |scheme: Scheme| match mark {
        Some(marked) => scheme == marked,
        None => !matches!(scheme, Scheme::Utf16Be | Scheme::Utf32Be) && scheme.is_valid(input),
    };
    ENCODINGS.iter().filter(move |entry| is_possible(entry.0)).map(|entry| entry.1)
}

/// Defines functions that read a text. An impossible pointer or length gives 0.
macro_rules! detection_functions {
    ($($(#[$doc:meta])* $name:ident -> $result:ty = $body:expr;)*) => { $(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(input: *const c_char, length: usize) -> $result {
            // SAFETY: the caller meets the header's requirements for pointers.
            unsafe { memory::source(input, length) }.map_or(0, $body)
        }
    )* };
}

detection_functions! {
    /// Returns the bit of the first possible encoding, or 0 if there is none.
    simdutf_autodetect_encoding -> simdutf_encoding_type =
        |input| possible_encodings(input).next().unwrap_or(0);

    /// Returns the set of possible encodings.
    simdutf_detect_encodings -> c_int =
        |input| possible_encodings(input).sum::<u32>() as c_int;

    /// Returns the bit of the encoding of the byte order mark, or 0 if there is none.
    simdutf_check_bom -> simdutf_encoding_type =
        |input| if bom::detect(input).is_some() { possible_encodings(input).sum() } else { 0 };
}

/// Returns the length of the byte order mark of an encoding, in bytes; 0 for other numbers.
#[unsafe(no_mangle)]
pub extern "C" fn simdutf_bom_byte_size(bom: simdutf_encoding_type) -> usize {
    ENCODINGS.iter().find(|entry| entry.1 == bom).map_or(0, |entry| entry.2)
}

/// Returns a pointer to the first unit from `start` to `end` that equals `character`, or `end`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_find(
    start: *const c_char,
    end: *const c_char,
    character: c_char,
) -> *const c_char {
    let length = (end as usize).wrapping_sub(start as usize);
    // SAFETY: the caller meets the header's requirements for pointers.
    let text = unsafe { memory::source(start, length) };
    let found = text.and_then(|text| memchr::memchr(character.to_ne_bytes()[0], text));
    found.map_or(end, |index| start.wrapping_add(index))
}

/// Returns a pointer to the first unit from `start` to `end` that equals `character`, or `end`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_find_utf16(
    start: *const char16_t,
    end: *const char16_t,
    character: char16_t,
) -> *const char16_t {
    let length = (end as usize).wrapping_sub(start as usize) / size_of::<char16_t>();
    // SAFETY: the caller meets the header's requirements for pointers.
    let text: Option<&[u8]> = unsafe { memory::source(start, length) };
    let found = text.and_then(|text| find_unit(text.as_chunks().0, character));
    found.map_or(end, |index| start.wrapping_add(index))
}

/// Returns the index of the first `unit`. The compiler vectorises the test of a block.
fn find_unit(units: &[[u8; 2]], unit: char16_t) -> Option<usize> {
    const BLOCK_UNITS: usize = 32;
    let is_unit = |bytes: &[u8; 2]| *bytes == unit.to_ne_bytes();
    let has_unit = |block: &[[u8; 2]]| block.iter().fold(false, |any, found| any | is_unit(found));
    let blocks = units.chunks_exact(BLOCK_UNITS).take_while(|block| !has_unit(block));
    let before = BLOCK_UNITS * blocks.count();
    units[before..].iter().position(is_unit).map(|index| before + index)
}

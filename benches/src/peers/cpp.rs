//! simdutf: its pointer functions as safe ones that check the capacity they need.

use simdutf::{ErrorCode, Result};

use super::FAILED;

pub use simdutf::{
    count_utf8, count_utf16, latin1_length_from_utf8, utf8_length_from_latin1,
    utf8_length_from_utf16, utf8_length_from_utf32, utf16_length_from_utf8,
    utf16_length_from_utf32, utf32_length_from_utf8, utf32_length_from_utf16, validate_ascii,
    validate_utf8, validate_utf16, validate_utf16be, validate_utf16le, validate_utf32,
};

/// True if a validation that also returns the position found no error.
macro_rules! validators {
    ($($name:ident: $unit:ty;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` as a verdict.")]
        #[must_use]
        #[inline]
        pub fn $name(src: &[$unit]) -> bool {
            simdutf::$name(src).error == ErrorCode::Success
        }
    )*};
}

validators! {
    validate_ascii_with_errors: u8;
    validate_utf8_with_errors: u8;
    validate_utf16_with_errors: u16;
    validate_utf16be_with_errors: u16;
    validate_utf32_with_errors: u32;
}

/// Units written, from either kind of result.
trait Written {
    fn written(self) -> usize;
}

impl Written for usize {
    #[inline]
    fn written(self) -> usize {
        self
    }
}

impl Written for Result {
    #[inline]
    fn written(self) -> usize {
        if self.error == ErrorCode::Success { self.count } else { FAILED }
    }
}

/// Conversions, each with the most units for one unit of its source.
macro_rules! converters {
    ($($name:ident: $source:ty => $unit:ty, $growth:literal;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` into a slice with capacity for the worst case.")]
        #[inline]
        pub fn $name(src: &$source, dst: &mut [$unit]) -> usize {
            assert!(dst.len() >= src.len() * $growth, "the output is too small");
            // SAFETY: both pointers come from slices, and the output holds the longest possible
            // result, as asserted. The `valid` functions, which need well-formed input, take a
            // `str`.
            let result = unsafe { simdutf::$name(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
            result.written()
        }
    )*};
}

converters! {
    convert_utf8_to_utf16: [u8] => u16, 1;
    convert_utf8_to_utf16_with_errors: [u8] => u16, 1;
    convert_utf8_to_utf16le: [u8] => u16, 1;
    convert_utf8_to_utf16le_with_errors: [u8] => u16, 1;
    convert_utf8_to_utf16be: [u8] => u16, 1;
    convert_utf8_to_utf16be_with_errors: [u8] => u16, 1;
    convert_utf8_to_utf32: [u8] => u32, 1;
    convert_utf8_to_utf32_with_errors: [u8] => u32, 1;
    convert_utf8_to_latin1: [u8] => u8, 1;
    convert_utf8_to_latin1_with_errors: [u8] => u8, 1;
    convert_valid_utf8_to_utf16: str => u16, 1;
    convert_valid_utf8_to_utf16le: str => u16, 1;
    convert_valid_utf8_to_utf16be: str => u16, 1;
    convert_valid_utf8_to_utf32: str => u32, 1;
    convert_utf16_to_utf8: [u16] => u8, 3;
    convert_utf16_to_utf8_with_errors: [u16] => u8, 3;
    convert_utf16le_to_utf8: [u16] => u8, 3;
    convert_utf16le_to_utf8_with_errors: [u16] => u8, 3;
    convert_utf16be_to_utf8: [u16] => u8, 3;
    convert_utf16be_to_utf8_with_errors: [u16] => u8, 3;
    convert_utf16_to_utf32: [u16] => u32, 1;
    convert_utf16_to_utf32_with_errors: [u16] => u32, 1;
    convert_utf16_to_latin1: [u16] => u8, 1;
    convert_utf16_to_latin1_with_errors: [u16] => u8, 1;
    convert_utf16be_to_utf32: [u16] => u32, 1;
    convert_utf16be_to_utf32_with_errors: [u16] => u32, 1;
    convert_utf16be_to_latin1: [u16] => u8, 1;
    convert_utf16be_to_latin1_with_errors: [u16] => u8, 1;
    convert_utf32_to_utf8: [u32] => u8, 4;
    convert_utf32_to_utf8_with_errors: [u32] => u8, 4;
    convert_utf32_to_utf16: [u32] => u16, 2;
    convert_utf32_to_utf16_with_errors: [u32] => u16, 2;
    convert_utf32_to_utf16be: [u32] => u16, 2;
    convert_utf32_to_utf16be_with_errors: [u32] => u16, 2;
    convert_utf32_to_latin1: [u32] => u8, 1;
    convert_latin1_to_utf8: [u8] => u8, 2;
    convert_latin1_to_utf16: [u8] => u16, 1;
    convert_latin1_to_utf16be: [u8] => u16, 1;
    convert_latin1_to_utf32: [u8] => u32, 1;
}

/// `convert_valid_utf8_to_latin1`, which also requires every character to be below U+0100: the
/// measured texts are such.
#[inline]
pub fn convert_valid_utf8_to_latin1(src: &str, dst: &mut [u8]) -> usize {
    assert!(dst.len() >= src.len(), "the output is too small");
    // SAFETY: both pointers come from slices, and every character becomes at most one byte for each
    // of its own.
    unsafe { simdutf::convert_valid_utf8_to_latin1(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// `change_endianness_utf16`, which doesn't validate.
#[inline]
pub fn change_endianness_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len(), "the output is too small");
    // SAFETY: both pointers come from slices, and the output has as many units.
    unsafe { simdutf::change_endianness_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
    src.len()
}

// The crate has no bindings for these functions. The names are the symbols that C++ compilers make
// where `size_t` is `unsigned long`.
unsafe extern "C" {
    #[link_name = "_ZN7simdutf20to_well_formed_utf16EPKDsmPDs"]
    fn well_formed(src: *const u16, len: usize, dst: *mut u16);
}

/// `to_well_formed_utf16`.
#[inline]
pub fn to_well_formed_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len(), "the output is too small");
    // SAFETY: both pointers come from slices, and the output has as many units.
    unsafe { well_formed(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
    src.len()
}

/// `to_well_formed_utf16` in place, which it allows; returns nothing.
#[inline]
pub fn make_well_formed_utf16(text: &mut [u16]) -> usize {
    let start = text.as_mut_ptr();
    // SAFETY: the pointer comes from a slice, and the output is the input.
    unsafe { well_formed(start, text.len(), start) };
    0
}

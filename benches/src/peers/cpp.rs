//! Safe wrappers for simdutf's functions on pointers. They check that the output has the capacity
//! that the function needs.

use simdutf::{ErrorCode, Result};

use super::FAILED;

pub use simdutf::{
    count_utf8, count_utf16, latin1_length_from_utf8, utf8_length_from_latin1,
    utf8_length_from_utf16, utf8_length_from_utf32, utf16_length_from_utf8,
    utf16_length_from_utf32, utf32_length_from_utf8, utf32_length_from_utf16, validate_ascii,
    validate_utf8, validate_utf16, validate_utf16be, validate_utf16le, validate_utf32,
};

/// Declares predicates by simdutf's validations that also return the position of an error.
macro_rules! validators {
    ($($name:ident: $unit:ty;)*) => {$(
        #[doc = concat!("Returns true if simdutf's `", stringify!($name), "` finds no error.")]
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

/// The result of a conversion of simdutf.
trait ConversionResult {
    /// Returns the number of written units, or [`FAILED`] after an error.
    fn written(self) -> usize;
}

impl ConversionResult for usize {
    #[inline]
    fn written(self) -> usize {
        self
    }
}

impl ConversionResult for Result {
    #[inline]
    fn written(self) -> usize {
        if self.error == ErrorCode::Success { self.count } else { FAILED }
    }
}

/// Declares conversions. Each has the maximum number of output units for one unit of its source.
macro_rules! converters {
    ($($name:ident: $source:ty => $unit:ty, $growth:literal;)*) => {$(
        #[doc = concat!(
            "Calls simdutf's `", stringify!($name), "`. `dst` must have capacity for the worst ",
            "case."
        )]
        #[inline]
        pub fn $name(src: &$source, dst: &mut [$unit]) -> usize {
            assert!(dst.len() >= src.len() * $growth, "the output is too short");
            // SAFETY: the pointers must be valid for the input and for the longest possible result.
            // Both come from slices, and the length of the output is asserted. The `valid`
            // functions also need well-formed input: their source is a `str`.
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

/// Calls simdutf's `convert_valid_utf8_to_latin1`. It requires every character to be below U+0100,
/// which is true for the measured texts.
#[inline]
pub fn convert_valid_utf8_to_latin1(src: &str, dst: &mut [u8]) -> usize {
    assert!(dst.len() >= src.len(), "the output is too short");
    // SAFETY: the pointers must be valid for the input and for the result. Both come from slices,
    // and the result has at most as many bytes as the input, for which the output has capacity.
    unsafe { simdutf::convert_valid_utf8_to_latin1(src.as_ptr(), src.len(), dst.as_mut_ptr()) }
}

/// Calls simdutf's `change_endianness_utf16`, which doesn't validate.
#[inline]
pub fn change_endianness_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len(), "the output is too short");
    // SAFETY: the pointers must be valid for the input and for as many units of output. Both come
    // from slices, and the length of the output is asserted.
    unsafe { simdutf::change_endianness_utf16(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
    src.len()
}

// The crate has no binding for this function. The name is the symbol that C++ compilers make if
// `size_t` is `unsigned long`.
unsafe extern "C" {
    #[link_name = "_ZN7simdutf20to_well_formed_utf16EPKDsmPDs"]
    fn to_well_formed(src: *const u16, len: usize, dst: *mut u16);
}

/// Calls simdutf's `to_well_formed_utf16`.
#[inline]
pub fn to_well_formed_utf16(src: &[u16], dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len(), "the output is too short");
    // SAFETY: the pointers must be valid for the input and for as many units of output. Both come
    // from slices, and the length of the output is asserted.
    unsafe { to_well_formed(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
    src.len()
}

/// Calls simdutf's `to_well_formed_utf16` in place, which simdutf allows. Returns 0, because
/// simdutf does not count the repairs.
#[inline]
pub fn make_well_formed_utf16(text: &mut [u16]) -> usize {
    let start = text.as_mut_ptr();
    // SAFETY: the pointer must be valid for reading and writing the text. It comes from a mutable
    // slice, which is both the input and the output.
    unsafe { to_well_formed(start, text.len(), start) };
    0
}

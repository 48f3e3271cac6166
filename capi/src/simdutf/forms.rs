//! The encodings of simdutf's functions, and the C types of their code units.

use core::ffi::c_char;

use utflane::{
    Ascii, Encoding, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf16Be, Wtf16Le,
};

/// A code unit of UTF-16.
pub type char16_t = u16;
/// A code unit of UTF-32.
pub type char32_t = u32;

/// An encoding, and the type of its code units in C.
pub trait CEncoding: Encoding<Unit = u8> {
    /// The type of a code unit in C, to which the pointers of texts and outputs point.
    type CUnit;
    /// The size of a code unit, in bytes.
    const SIZE: usize = size_of::<Self::CUnit>();
}

/// Implements [`CEncoding`] for each encoding, with its type of code units.
macro_rules! set_c_units {
    ($($encoding:ident: $unit:ident),*) => {
        $(impl CEncoding for $encoding { type CUnit = $unit; })*
    };
}

set_c_units!(Utf8: c_char, Latin1: c_char, Ascii: c_char, Utf16Le: char16_t, Utf16Be: char16_t);
set_c_units!(Wtf16Le: char16_t, Wtf16Be: char16_t, Utf32Le: char32_t, Utf32Be: char32_t);

#[cfg(target_endian = "big")]
pub(super) use utflane::Utf32Be as NativeUtf32;
/// UTF-32 in the machine's byte order.
#[cfg(target_endian = "little")]
pub(super) use utflane::Utf32Le as NativeUtf32;

//! The encodings of simdutf's functions, and the C types of their code units.

use core::ffi::c_char;

use utflane::{Ascii, Encoding, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};

use crate::memory;

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
set_c_units!(Utf32Le: char32_t, Utf32Be: char32_t);

#[cfg(target_endian = "big")]
pub(super) use utflane::Utf32Be as NativeUtf32;
/// UTF-32 in the machine's byte order.
#[cfg(target_endian = "little")]
pub(super) use utflane::Utf32Le as NativeUtf32;

/// Returns true if a pointer and a length are possible arguments: no units are at a null pointer,
/// and no memory has more than `isize::MAX` bytes.
#[inline(always)]
pub(super) fn is_possible<U>(pointer: *const U, length: usize) -> bool {
    length == 0 || !pointer.is_null() && length <= memory::max_units::<U>()
}

/// Returns the bytes of the `length` units at `text`.
///
/// # Safety
///
/// The same as for [`memory::source`]. [`is_possible`] returns true for the arguments.
#[inline(always)]
pub(super) unsafe fn input_bytes<'a, T>(text: *const T, length: usize) -> &'a [u8] {
    // SAFETY: the caller guarantees the pointer and the length. Bytes need no alignment.
    unsafe { memory::source(text, length) }.unwrap_or_default()
}

//! The encodings of simdutf's functions, with the units of C's pointers.

use core::ffi::c_char;

use utflane::{Ascii, Encoding, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};

use crate::memory;

/// A code unit of UTF-16.
pub type char16_t = u16;
/// A code unit of UTF-32.
pub type char32_t = u32;

/// An encoding whose bytes C holds in units of `CUnit`.
pub trait Form: Encoding<Unit = u8> {
    /// The unit of the pointers.
    type CUnit;
    /// Bytes of a unit.
    const SIZE: usize = size_of::<Self::CUnit>();
}

/// Names the unit of each encoding.
macro_rules! units {
    ($($encoding:ident: $unit:ident),*) => { $(impl Form for $encoding { type CUnit = $unit; })* };
}

units!(Utf8: c_char, Latin1: c_char, Ascii: c_char, Utf16Le: char16_t, Utf16Be: char16_t);
units!(Utf32Le: char32_t, Utf32Be: char32_t);

#[cfg(target_endian = "big")]
pub(super) use utflane::Utf32Be as NativeUtf32;
/// UTF-32 in the machine's byte order.
#[cfg(target_endian = "little")]
pub(super) use utflane::Utf32Le as NativeUtf32;

/// True if `length` units at `at` can be memory: a null pointer has none, and no memory has more
/// than `isize::MAX` bytes.
#[inline(always)]
pub(super) fn is_possible<U>(at: *const U, length: usize) -> bool {
    length == 0 || !at.is_null() && length <= memory::max_units::<U>()
}

/// Returns the bytes of `length` units at `text`.
///
/// # Safety
///
/// As for [`memory::source`], and [`is_possible`] is true.
#[inline(always)]
pub(super) unsafe fn input_bytes<'a, T>(text: *const T, length: usize) -> &'a [u8] {
    // SAFETY: the caller's promise. Bytes need no alignment.
    unsafe { memory::source(text, length) }.unwrap_or_default()
}

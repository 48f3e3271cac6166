//! Functions of Latin-1.

// Written by capi/generate.py: change that.

use core::ffi::c_char;

use crate::forms::{
    self, FormLatin1, FormUtf8, FormUtf16, FormUtf16Be, FormUtf16Le, FormUtf32, FormUtf32Be,
    FormUtf32Le, char16_t, char32_t,
};
use crate::results::utflane_result;

/// Returns the bytes of UTF-8 that a text in Latin-1 becomes.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf8_length_from_latin1(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormLatin1, FormUtf8>(src, length) }
}

/// Returns the 16-bit code units of UTF-16 that a text in Latin-1 becomes.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf16_length_from_latin1(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormLatin1, FormUtf16>(src, length) }
}

/// Returns the 32-bit code units of UTF-32 that a text in Latin-1 becomes.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf32_length_from_latin1(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormLatin1, FormUtf32>(src, length) }
}

/// Converts Latin-1 to UTF-8.
///
/// `length` is in bytes, `capacity` in bytes.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_latin1_to_utf8(
    src: *const c_char,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormLatin1, FormUtf8>(src, length, dst, capacity) }
}

/// Converts Latin-1 to native UTF-16.
///
/// `length` is in bytes, `capacity` in 16-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_latin1_to_utf16(
    src: *const c_char,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormLatin1, FormUtf16>(src, length, dst, capacity) }
}

/// Converts Latin-1 to UTF-16LE.
///
/// `length` is in bytes, `capacity` in 16-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_latin1_to_utf16le(
    src: *const c_char,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormLatin1, FormUtf16Le>(src, length, dst, capacity) }
}

/// Converts Latin-1 to UTF-16BE.
///
/// `length` is in bytes, `capacity` in 16-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_latin1_to_utf16be(
    src: *const c_char,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormLatin1, FormUtf16Be>(src, length, dst, capacity) }
}

/// Converts Latin-1 to native UTF-32.
///
/// `length` is in bytes, `capacity` in 32-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_latin1_to_utf32(
    src: *const c_char,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormLatin1, FormUtf32>(src, length, dst, capacity) }
}

/// Converts Latin-1 to UTF-32LE.
///
/// `length` is in bytes, `capacity` in 32-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_latin1_to_utf32le(
    src: *const c_char,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormLatin1, FormUtf32Le>(src, length, dst, capacity) }
}

/// Converts Latin-1 to UTF-32BE.
///
/// `length` is in bytes, `capacity` in 32-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_latin1_to_utf32be(
    src: *const c_char,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormLatin1, FormUtf32Be>(src, length, dst, capacity) }
}

/// Validates and copies Latin-1.
///
/// `length` is in bytes, `capacity` in bytes.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_latin1_to_latin1(
    src: *const c_char,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormLatin1, FormLatin1>(src, length, dst, capacity) }
}

//! Functions of UTF-8.

// Written by capi/generate.py: change that.

use core::ffi::c_char;

use crate::forms::{
    self, FormAscii, FormLatin1, FormUtf8, FormUtf16, FormUtf16Be, FormUtf16Le, FormUtf32,
    FormUtf32Be, FormUtf32Le, char16_t, char32_t,
};
use crate::results::{utflane_lossy_result, utflane_result, utflane_validation};

/// Validates UTF-8.
///
/// `length` and the result are in bytes.
///
/// @ingroup utflane_validate
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_validate_utf8(
    src: *const c_char,
    length: usize,
) -> utflane_validation {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::validate_form::<FormUtf8>(src, length) }
}

/// Validates ASCII.
///
/// `length` and the result are in bytes. A byte above 0x7F is UTFLANE_TOO_LARGE.
///
/// @ingroup utflane_validate
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_validate_ascii(
    src: *const c_char,
    length: usize,
) -> utflane_validation {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::validate_form::<FormAscii>(src, length) }
}

/// Returns the code points of a text in UTF-8.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_count_utf8(src: *const c_char, length: usize) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::count_form::<FormUtf8>(src, length) }
}

/// Returns the bytes of UTF-8 that a text in UTF-8 becomes with repairs.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf8_length_from_utf8_lossy(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form_lossy::<FormUtf8, FormUtf8>(src, length) }
}

/// Returns the 16-bit code units of UTF-16 that a text in UTF-8 becomes.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf16_length_from_utf8(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf8, FormUtf16>(src, length) }
}

/// Returns the 16-bit code units of UTF-16 that a text in UTF-8 becomes with repairs.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf16_length_from_utf8_lossy(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form_lossy::<FormUtf8, FormUtf16>(src, length) }
}

/// Returns the 32-bit code units of UTF-32 that a text in UTF-8 becomes.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf32_length_from_utf8(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf8, FormUtf32>(src, length) }
}

/// Returns the 32-bit code units of UTF-32 that a text in UTF-8 becomes with repairs.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf32_length_from_utf8_lossy(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form_lossy::<FormUtf8, FormUtf32>(src, length) }
}

/// Returns the bytes of Latin-1 that a text in UTF-8 becomes.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_latin1_length_from_utf8(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf8, FormLatin1>(src, length) }
}

/// Returns the bytes of Latin-1 that a text in UTF-8 becomes with repairs.
///
/// `length` is in bytes.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_latin1_length_from_utf8_lossy(
    src: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form_lossy::<FormUtf8, FormLatin1>(src, length) }
}

/// Validates and copies UTF-8.
///
/// `length` is in bytes, `capacity` in bytes.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf8(
    src: *const c_char,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf8, FormUtf8>(src, length, dst, capacity) }
}

/// Copies UTF-8 and repairs it.
///
/// `length` is in bytes, `capacity` in bytes.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf8_lossy(
    src: *const c_char,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf8, FormUtf8>(src, length, dst, capacity) }
}

/// Converts UTF-8 to native UTF-16.
///
/// `length` is in bytes, `capacity` in 16-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf16(
    src: *const c_char,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf8, FormUtf16>(src, length, dst, capacity) }
}

/// Converts UTF-8 to native UTF-16 and repairs it.
///
/// `length` is in bytes, `capacity` in 16-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf16_lossy(
    src: *const c_char,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf8, FormUtf16>(src, length, dst, capacity) }
}

/// Converts UTF-8 to UTF-16LE.
///
/// `length` is in bytes, `capacity` in 16-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf16le(
    src: *const c_char,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf8, FormUtf16Le>(src, length, dst, capacity) }
}

/// Converts UTF-8 to UTF-16LE and repairs it.
///
/// `length` is in bytes, `capacity` in 16-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf16le_lossy(
    src: *const c_char,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf8, FormUtf16Le>(src, length, dst, capacity) }
}

/// Converts UTF-8 to UTF-16BE.
///
/// `length` is in bytes, `capacity` in 16-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf16be(
    src: *const c_char,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf8, FormUtf16Be>(src, length, dst, capacity) }
}

/// Converts UTF-8 to UTF-16BE and repairs it.
///
/// `length` is in bytes, `capacity` in 16-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf16be_lossy(
    src: *const c_char,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf8, FormUtf16Be>(src, length, dst, capacity) }
}

/// Converts UTF-8 to native UTF-32.
///
/// `length` is in bytes, `capacity` in 32-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf32(
    src: *const c_char,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf8, FormUtf32>(src, length, dst, capacity) }
}

/// Converts UTF-8 to native UTF-32 and repairs it.
///
/// `length` is in bytes, `capacity` in 32-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf32_lossy(
    src: *const c_char,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf8, FormUtf32>(src, length, dst, capacity) }
}

/// Converts UTF-8 to UTF-32LE.
///
/// `length` is in bytes, `capacity` in 32-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf32le(
    src: *const c_char,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf8, FormUtf32Le>(src, length, dst, capacity) }
}

/// Converts UTF-8 to UTF-32LE and repairs it.
///
/// `length` is in bytes, `capacity` in 32-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf32le_lossy(
    src: *const c_char,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf8, FormUtf32Le>(src, length, dst, capacity) }
}

/// Converts UTF-8 to UTF-32BE.
///
/// `length` is in bytes, `capacity` in 32-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf32be(
    src: *const c_char,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf8, FormUtf32Be>(src, length, dst, capacity) }
}

/// Converts UTF-8 to UTF-32BE and repairs it.
///
/// `length` is in bytes, `capacity` in 32-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_utf32be_lossy(
    src: *const c_char,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf8, FormUtf32Be>(src, length, dst, capacity) }
}

/// Converts UTF-8 to Latin-1.
///
/// `length` is in bytes, `capacity` in bytes.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_latin1(
    src: *const c_char,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf8, FormLatin1>(src, length, dst, capacity) }
}

/// Converts UTF-8 to Latin-1 and repairs it.
///
/// `length` is in bytes, `capacity` in bytes.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf8_to_latin1_lossy(
    src: *const c_char,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf8, FormLatin1>(src, length, dst, capacity) }
}

//! Functions of UTF-16BE.

// Written by capi/generate.py: change that.

use core::ffi::c_char;

use crate::forms::{
    self, FormLatin1, FormUtf8, FormUtf16, FormUtf16Be, FormUtf16Le, FormUtf32, FormUtf32Be,
    FormUtf32Le, char16_t, char32_t,
};
use crate::results::{utflane_lossy_result, utflane_result, utflane_validation};

/// Validates UTF-16BE.
///
/// `length` and the result are in 16-bit code units.
///
/// @ingroup utflane_validate
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_validate_utf16be(
    src: *const char16_t,
    length: usize,
) -> utflane_validation {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::validate_form::<FormUtf16Be>(src, length) }
}

/// Returns the code points of a text in UTF-16BE.
///
/// `length` is in 16-bit code units.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_count_utf16be(src: *const char16_t, length: usize) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::count_form::<FormUtf16Be>(src, length) }
}

/// Returns the bytes of UTF-8 that a text in UTF-16BE becomes.
///
/// `length` is in 16-bit code units.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf8_length_from_utf16be(
    src: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf16Be, FormUtf8>(src, length) }
}

/// Returns the bytes of UTF-8 that a text in UTF-16BE becomes with repairs.
///
/// `length` is in 16-bit code units.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf8_length_from_utf16be_lossy(
    src: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form_lossy::<FormUtf16Be, FormUtf8>(src, length) }
}

/// Returns the 16-bit code units of UTF-16 that a text in UTF-16BE becomes with repairs.
///
/// `length` is in 16-bit code units.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf16_length_from_utf16be_lossy(
    src: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form_lossy::<FormUtf16Be, FormUtf16>(src, length) }
}

/// Returns the 32-bit code units of UTF-32 that a text in UTF-16BE becomes.
///
/// `length` is in 16-bit code units.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf32_length_from_utf16be(
    src: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf16Be, FormUtf32>(src, length) }
}

/// Returns the 32-bit code units of UTF-32 that a text in UTF-16BE becomes with repairs.
///
/// `length` is in 16-bit code units.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_utf32_length_from_utf16be_lossy(
    src: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form_lossy::<FormUtf16Be, FormUtf32>(src, length) }
}

/// Returns the bytes of Latin-1 that a text in UTF-16BE becomes.
///
/// `length` is in 16-bit code units.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_latin1_length_from_utf16be(
    src: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf16Be, FormLatin1>(src, length) }
}

/// Returns the bytes of Latin-1 that a text in UTF-16BE becomes with repairs.
///
/// `length` is in 16-bit code units.
///
/// @ingroup utflane_length
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_latin1_length_from_utf16be_lossy(
    src: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form_lossy::<FormUtf16Be, FormLatin1>(src, length) }
}

/// Converts UTF-16BE to UTF-8.
///
/// `length` is in 16-bit code units, `capacity` in bytes.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf8(
    src: *const char16_t,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf16Be, FormUtf8>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to UTF-8 and repairs it.
///
/// `length` is in 16-bit code units, `capacity` in bytes.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf8_lossy(
    src: *const char16_t,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf16Be, FormUtf8>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to native UTF-16.
///
/// `length` is in 16-bit code units, `capacity` in 16-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf16(
    src: *const char16_t,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf16Be, FormUtf16>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to native UTF-16 and repairs it.
///
/// `length` is in 16-bit code units, `capacity` in 16-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf16_lossy(
    src: *const char16_t,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf16Be, FormUtf16>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to UTF-16LE.
///
/// `length` is in 16-bit code units, `capacity` in 16-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf16le(
    src: *const char16_t,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf16Be, FormUtf16Le>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to UTF-16LE and repairs it.
///
/// `length` is in 16-bit code units, `capacity` in 16-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf16le_lossy(
    src: *const char16_t,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf16Be, FormUtf16Le>(src, length, dst, capacity) }
}

/// Validates and copies UTF-16BE.
///
/// `length` is in 16-bit code units, `capacity` in 16-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf16be(
    src: *const char16_t,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf16Be, FormUtf16Be>(src, length, dst, capacity) }
}

/// Copies UTF-16BE and repairs it.
///
/// `length` is in 16-bit code units, `capacity` in 16-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf16be_lossy(
    src: *const char16_t,
    length: usize,
    dst: *mut char16_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf16Be, FormUtf16Be>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to native UTF-32.
///
/// `length` is in 16-bit code units, `capacity` in 32-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf32(
    src: *const char16_t,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf16Be, FormUtf32>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to native UTF-32 and repairs it.
///
/// `length` is in 16-bit code units, `capacity` in 32-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf32_lossy(
    src: *const char16_t,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf16Be, FormUtf32>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to UTF-32LE.
///
/// `length` is in 16-bit code units, `capacity` in 32-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf32le(
    src: *const char16_t,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf16Be, FormUtf32Le>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to UTF-32LE and repairs it.
///
/// `length` is in 16-bit code units, `capacity` in 32-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf32le_lossy(
    src: *const char16_t,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf16Be, FormUtf32Le>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to UTF-32BE.
///
/// `length` is in 16-bit code units, `capacity` in 32-bit code units.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf32be(
    src: *const char16_t,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf16Be, FormUtf32Be>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to UTF-32BE and repairs it.
///
/// `length` is in 16-bit code units, `capacity` in 32-bit code units.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_utf32be_lossy(
    src: *const char16_t,
    length: usize,
    dst: *mut char32_t,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf16Be, FormUtf32Be>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to Latin-1.
///
/// `length` is in 16-bit code units, `capacity` in bytes.
///
/// @ingroup utflane_convert
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_latin1(
    src: *const char16_t,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form::<FormUtf16Be, FormLatin1>(src, length, dst, capacity) }
}

/// Converts UTF-16BE to Latin-1 and repairs it.
///
/// `length` is in 16-bit code units, `capacity` in bytes.
///
/// @ingroup utflane_lossy
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert_utf16be_to_latin1_lossy(
    src: *const char16_t,
    length: usize,
    dst: *mut c_char,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::convert_form_lossy::<FormUtf16Be, FormLatin1>(src, length, dst, capacity) }
}

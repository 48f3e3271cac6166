//! simdutf's validations.

// Written by capi/generate.py: change that.

use core::ffi::c_char;

use crate::forms::{
    FormAscii, FormUtf8, FormUtf16, FormUtf16Be, FormUtf16Le, FormUtf32, char16_t, char32_t,
};
use crate::simdutf::types::simdutf_result;
use crate::simdutf::validate;

/// `simdutf::validate_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf8(input: *const c_char, length: usize) -> bool {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::is_valid::<FormUtf8>(input, length) }
}

/// `simdutf::validate_utf8_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf8_with_errors(
    input: *const c_char,
    length: usize,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::with_errors::<FormUtf8>(input, length) }
}

/// `simdutf::validate_ascii`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_ascii(input: *const c_char, length: usize) -> bool {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::is_valid::<FormAscii>(input, length) }
}

/// `simdutf::validate_ascii_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_ascii_with_errors(
    input: *const c_char,
    length: usize,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::with_errors::<FormAscii>(input, length) }
}

/// `simdutf::validate_utf16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf16(input: *const char16_t, length: usize) -> bool {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::is_valid::<FormUtf16>(input, length) }
}

/// `simdutf::validate_utf16_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf16_with_errors(
    input: *const char16_t,
    length: usize,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::with_errors::<FormUtf16>(input, length) }
}

/// `simdutf::validate_utf16le`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf16le(input: *const char16_t, length: usize) -> bool {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::is_valid::<FormUtf16Le>(input, length) }
}

/// `simdutf::validate_utf16le_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf16le_with_errors(
    input: *const char16_t,
    length: usize,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::with_errors::<FormUtf16Le>(input, length) }
}

/// `simdutf::validate_utf16be`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf16be(input: *const char16_t, length: usize) -> bool {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::is_valid::<FormUtf16Be>(input, length) }
}

/// `simdutf::validate_utf16be_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf16be_with_errors(
    input: *const char16_t,
    length: usize,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::with_errors::<FormUtf16Be>(input, length) }
}

/// `simdutf::validate_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf32(input: *const char32_t, length: usize) -> bool {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::is_valid::<FormUtf32>(input, length) }
}

/// `simdutf::validate_utf32_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf32_with_errors(
    input: *const char32_t,
    length: usize,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::with_errors::<FormUtf32>(input, length) }
}

/// `simdutf::validate_utf16_as_ascii`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf16_as_ascii(
    input: *const char16_t,
    length: usize,
) -> bool {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::is_ascii::<FormUtf16>(input, length) }
}

/// `simdutf::validate_utf16le_as_ascii`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf16le_as_ascii(
    input: *const char16_t,
    length: usize,
) -> bool {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::is_ascii::<FormUtf16Le>(input, length) }
}

/// `simdutf::validate_utf16be_as_ascii`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_validate_utf16be_as_ascii(
    input: *const char16_t,
    length: usize,
) -> bool {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { validate::is_ascii::<FormUtf16Be>(input, length) }
}

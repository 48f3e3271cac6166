//! simdutf's conversions.

// Written by capi/generate.py: change that.

use core::ffi::c_char;

use crate::forms::{
    FormLatin1, FormUtf8, FormUtf16, FormUtf16Be, FormUtf16Le, FormUtf32, char16_t, char32_t,
};
use crate::simdutf::checked;
use crate::simdutf::types::simdutf_result;

/// `simdutf::convert_latin1_to_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_latin1_to_utf8(
    input: *const c_char,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormLatin1, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_latin1_to_utf16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_latin1_to_utf16(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormLatin1, FormUtf16>(input, length, output) }
}

/// `simdutf::convert_latin1_to_utf16le`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_latin1_to_utf16le(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormLatin1, FormUtf16Le>(input, length, output) }
}

/// `simdutf::convert_latin1_to_utf16be`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_latin1_to_utf16be(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormLatin1, FormUtf16Be>(input, length, output) }
}

/// `simdutf::convert_latin1_to_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_latin1_to_utf32(
    input: *const c_char,
    length: usize,
    output: *mut char32_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormLatin1, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_utf8_to_latin1`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_latin1(
    input: *const c_char,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf8, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_utf8_to_utf16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_utf16(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf8, FormUtf16>(input, length, output) }
}

/// `simdutf::convert_utf8_to_utf16le`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_utf16le(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf8, FormUtf16Le>(input, length, output) }
}

/// `simdutf::convert_utf8_to_utf16be`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_utf16be(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf8, FormUtf16Be>(input, length, output) }
}

/// `simdutf::convert_utf8_to_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_utf32(
    input: *const c_char,
    length: usize,
    output: *mut char32_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf8, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_utf16_to_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16_to_utf8(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf16_to_latin1`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16_to_latin1(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_utf16_to_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16_to_utf32(
    input: *const char16_t,
    length: usize,
    output: *mut char32_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_utf16le_to_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16le_to_utf8(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Le, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf16le_to_latin1`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16le_to_latin1(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Le, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_utf16le_to_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16le_to_utf32(
    input: *const char16_t,
    length: usize,
    output: *mut char32_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Le, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_utf16be_to_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16be_to_utf8(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Be, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf16be_to_latin1`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16be_to_latin1(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Be, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_utf16be_to_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16be_to_utf32(
    input: *const char16_t,
    length: usize,
    output: *mut char32_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Be, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_utf32_to_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf32_to_utf8(
    input: *const char32_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf32, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf32_to_utf16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf32_to_utf16(
    input: *const char32_t,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf32, FormUtf16>(input, length, output) }
}

/// `simdutf::convert_utf32_to_utf16le`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf32_to_utf16le(
    input: *const char32_t,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf32, FormUtf16Le>(input, length, output) }
}

/// `simdutf::convert_utf32_to_utf16be`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf32_to_utf16be(
    input: *const char32_t,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf32, FormUtf16Be>(input, length, output) }
}

/// `simdutf::convert_utf8_to_latin1_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_latin1_with_errors(
    input: *const c_char,
    length: usize,
    output: *mut c_char,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf8, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_utf8_to_utf16_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_utf16_with_errors(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf8, FormUtf16>(input, length, output) }
}

/// `simdutf::convert_utf8_to_utf16le_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_utf16le_with_errors(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf8, FormUtf16Le>(input, length, output) }
}

/// `simdutf::convert_utf8_to_utf16be_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_utf16be_with_errors(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf8, FormUtf16Be>(input, length, output) }
}

/// `simdutf::convert_utf8_to_utf32_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf8_to_utf32_with_errors(
    input: *const c_char,
    length: usize,
    output: *mut char32_t,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf8, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_utf16_to_utf8_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16_to_utf8_with_errors(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf16, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf16_to_latin1_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16_to_latin1_with_errors(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf16, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_utf16_to_utf32_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16_to_utf32_with_errors(
    input: *const char16_t,
    length: usize,
    output: *mut char32_t,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf16, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_utf16le_to_utf8_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16le_to_utf8_with_errors(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf16Le, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf16le_to_latin1_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16le_to_latin1_with_errors(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf16Le, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_utf16le_to_utf32_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16le_to_utf32_with_errors(
    input: *const char16_t,
    length: usize,
    output: *mut char32_t,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf16Le, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_utf16be_to_utf8_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16be_to_utf8_with_errors(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf16Be, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf16be_to_latin1_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16be_to_latin1_with_errors(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf16Be, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_utf16be_to_utf32_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16be_to_utf32_with_errors(
    input: *const char16_t,
    length: usize,
    output: *mut char32_t,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf16Be, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_utf32_to_utf8_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf32_to_utf8_with_errors(
    input: *const char32_t,
    length: usize,
    output: *mut c_char,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf32, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf32_to_latin1_with_errors`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf32_to_latin1_with_errors(
    input: *const char32_t,
    length: usize,
    output: *mut c_char,
) -> simdutf_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_errors::<FormUtf32, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_valid_utf8_to_latin1`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf8_to_latin1(
    input: *const c_char,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf8, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_valid_utf8_to_utf16le`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf8_to_utf16le(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf8, FormUtf16Le>(input, length, output) }
}

/// `simdutf::convert_valid_utf8_to_utf16be`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf8_to_utf16be(
    input: *const c_char,
    length: usize,
    output: *mut char16_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf8, FormUtf16Be>(input, length, output) }
}

/// `simdutf::convert_valid_utf8_to_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf8_to_utf32(
    input: *const c_char,
    length: usize,
    output: *mut char32_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf8, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_valid_utf16_to_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf16_to_utf8(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_valid_utf16_to_latin1`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf16_to_latin1(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_valid_utf16_to_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf16_to_utf32(
    input: *const char16_t,
    length: usize,
    output: *mut char32_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_valid_utf16le_to_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf16le_to_utf8(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Le, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_valid_utf16le_to_latin1`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf16le_to_latin1(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Le, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_valid_utf16le_to_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf16le_to_utf32(
    input: *const char16_t,
    length: usize,
    output: *mut char32_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Le, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_valid_utf16be_to_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf16be_to_utf8(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Be, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_valid_utf16be_to_latin1`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf16be_to_latin1(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Be, FormLatin1>(input, length, output) }
}

/// `simdutf::convert_valid_utf16be_to_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf16be_to_utf32(
    input: *const char16_t,
    length: usize,
    output: *mut char32_t,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf16Be, FormUtf32>(input, length, output) }
}

/// `simdutf::convert_valid_utf32_to_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_valid_utf32_to_utf8(
    input: *const char32_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::or_zero::<FormUtf32, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf16_to_utf8_with_replacement`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16_to_utf8_with_replacement(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_replacement::<FormUtf16, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf16le_to_utf8_with_replacement`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16le_to_utf8_with_replacement(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_replacement::<FormUtf16Le, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_utf16be_to_utf8_with_replacement`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16be_to_utf8_with_replacement(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::with_replacement::<FormUtf16Be, FormUtf8>(input, length, output) }
}

/// `simdutf::convert_latin1_to_utf8_safe`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_latin1_to_utf8_safe(
    input: *const c_char,
    length: usize,
    output: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::safe::<FormLatin1, FormUtf8>(input, length, output, capacity) }
}

/// `simdutf::convert_utf16_to_utf8_safe`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16_to_utf8_safe(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { checked::safe::<FormUtf16, FormUtf8>(input, length, output, capacity) }
}

//! simdutf's counts and lengths.

// Written by capi/generate.py: change that.

use core::ffi::c_char;

use crate::forms::{
    self, FormLatin1, FormUtf8, FormUtf16, FormUtf16Be, FormUtf16Le, FormUtf32, char16_t, char32_t,
};

/// `simdutf::count_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_count_utf8(input: *const c_char, length: usize) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::count_form::<FormUtf8>(input, length) }
}

/// `simdutf::count_utf16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_count_utf16(input: *const char16_t, length: usize) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::count_form::<FormUtf16>(input, length) }
}

/// `simdutf::count_utf16le`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_count_utf16le(input: *const char16_t, length: usize) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::count_form::<FormUtf16Le>(input, length) }
}

/// `simdutf::count_utf16be`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_count_utf16be(input: *const char16_t, length: usize) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::count_form::<FormUtf16Be>(input, length) }
}

/// `simdutf::utf8_length_from_latin1`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_utf8_length_from_latin1(
    input: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormLatin1, FormUtf8>(input, length) }
}

/// `simdutf::latin1_length_from_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_latin1_length_from_utf8(
    input: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf8, FormLatin1>(input, length) }
}

/// `simdutf::utf16_length_from_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_utf16_length_from_utf8(
    input: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf8, FormUtf16>(input, length) }
}

/// `simdutf::utf32_length_from_utf8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_utf32_length_from_utf8(
    input: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf8, FormUtf32>(input, length) }
}

/// `simdutf::utf8_length_from_utf16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_utf8_length_from_utf16(
    input: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf16, FormUtf8>(input, length) }
}

/// `simdutf::utf8_length_from_utf16le`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_utf8_length_from_utf16le(
    input: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf16Le, FormUtf8>(input, length) }
}

/// `simdutf::utf8_length_from_utf16be`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_utf8_length_from_utf16be(
    input: *const char16_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf16Be, FormUtf8>(input, length) }
}

/// `simdutf::utf8_length_from_utf32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_utf8_length_from_utf32(
    input: *const char32_t,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { forms::length_form::<FormUtf32, FormUtf8>(input, length) }
}

/// `simdutf::latin1_length_from_utf16`.
#[unsafe(no_mangle)]
pub extern "C" fn simdutf_latin1_length_from_utf16(length: usize) -> usize {
    length
}

/// `simdutf::latin1_length_from_utf32`.
#[unsafe(no_mangle)]
pub extern "C" fn simdutf_latin1_length_from_utf32(length: usize) -> usize {
    length
}

//! Validation, conversion, lengths and counts.

use core::ffi::c_void;

use utflane::utf8::summary;
use utflane::{Repair, Utf8, Utf16};

use crate::encodings::{NATIVE_UTF16, NativeUtf16, UTFLANE_UTF8, both, scheme, utflane_encoding};
use crate::memory;
use crate::pairs::{FUNCTIONS, convert, entry};
use crate::results::{
    utflane_lossy_result, utflane_result, utflane_utf8_summary, utflane_validation,
};

/// Validates a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_validate(
    encoding: utflane_encoding,
    src: *const c_void,
    length: usize,
) -> utflane_validation {
    match entry(&FUNCTIONS, encoding) {
        // SAFETY: the caller keeps the header's contract of pointers.
        Some(functions) => unsafe { (functions.validate)(src, length) },
        None => utflane_validation::default(),
    }
}

/// Validates UTF-8 and counts in one pass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_summarize_utf8(
    src: *const c_void,
    length: usize,
) -> utflane_utf8_summary {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    src.map_or_else(utflane_utf8_summary::default, |src| summary(src).into())
}

/// Converts as much as fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_convert(
    from: utflane_encoding,
    to: utflane_encoding,
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_result {
    // The pairs that most programs use are inlined. Short UTF-16 takes less time as code units.
    if (from, to) == (UTFLANE_UTF8, NATIVE_UTF16) {
        // SAFETY: the caller keeps the header's contract of pointers.
        return unsafe { convert::<Utf8, NativeUtf16>(src, length, dst, capacity) };
    }
    let is_aligned = src.cast::<u16>().is_aligned() && length.is_multiple_of(2);
    if (from, to) == (NATIVE_UTF16, UTFLANE_UTF8) && is_aligned {
        // SAFETY: the caller keeps the header's contract of pointers, and the units are aligned.
        return unsafe { convert::<Utf16, Utf8>(src, length, dst, capacity) };
    }
    match entry(&FUNCTIONS, from).and_then(|functions| entry(&functions.convert, to)) {
        // SAFETY: the caller keeps the header's contract of pointers.
        Some(convert) => unsafe { convert(src, length, dst, capacity) },
        None => utflane_result::default(),
    }
}

/// Converts as much as fits, with replacements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_convert_lossy(
    from: utflane_encoding,
    to: utflane_encoding,
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    // SAFETY: the caller keeps the header's contract of pointers.
    let dst = unsafe { memory::destination(dst, capacity) };
    match (both(from, to), src, dst) {
        (Some((from, to)), Some(src), Some(dst)) => {
            from.transcode_lossy_into_uninit(src, to, Repair::REPLACE, dst).into()
        }
        _ => utflane_lossy_result::default(),
    }
}

/// Returns the bytes that a well-formed text becomes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_length(
    from: utflane_encoding,
    to: utflane_encoding,
    src: *const c_void,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    both(from, to).zip(src).map_or(0, |((from, to), src)| from.len(src, to))
}

/// Returns the bytes that a text becomes with replacements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_length_lossy(
    from: utflane_encoding,
    to: utflane_encoding,
    src: *const c_void,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    let arguments = both(from, to).zip(src);
    arguments.map_or(0, |((from, to), src)| from.len_lossy(src, to, Repair::REPLACE))
}

/// Returns the most bytes that `length` bytes become, without replacements.
#[unsafe(no_mangle)]
pub extern "C" fn utflane_max_length(
    from: utflane_encoding,
    to: utflane_encoding,
    length: usize,
) -> usize {
    both(from, to).and_then(|(from, to)| from.max_len(length, to)).unwrap_or(usize::MAX)
}

/// Returns the code points of a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_count(
    encoding: utflane_encoding,
    src: *const c_void,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    scheme(encoding).zip(src).map_or(0, |(scheme, src)| scheme.count(src))
}

//! The functions that validate, convert, and compute lengths and counts.

use core::ffi::c_void;

use utflane::utf8::summary;
use utflane::{Utf8, Utf16};

use crate::conversion::Pair;
use crate::encodings::{NATIVE_UTF16, NativeUtf16, UTFLANE_UTF8, page, scheme, utflane_encoding};
use crate::memory;
use crate::pairs::{FUNCTIONS, convert, get_entry};
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
    match get_entry(&FUNCTIONS, encoding) {
        // SAFETY: the caller meets the header's requirements for pointers.
        Some(functions) => unsafe { (functions.validate)(src, length) },
        None => {
            // SAFETY: the caller meets the header's requirements for pointers.
            let src = unsafe { memory::source(src, length) };
            page(encoding).zip(src).map_or_else(utflane_validation::default, |(page, src)| {
                utflane_validation::new(page.validate(src), src.len())
            })
        }
    }
}

/// Validates UTF-8, and counts code points and UTF-16 code units, in one pass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_summarize_utf8(
    src: *const c_void,
    length: usize,
) -> utflane_utf8_summary {
    // SAFETY: the caller meets the header's requirements for pointers.
    let src = unsafe { memory::source(src, length) };
    src.map_or_else(utflane_utf8_summary::default, |src| summary(src).into())
}

/// Converts as much text as fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_convert(
    from: utflane_encoding,
    to: utflane_encoding,
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_result {
    // The two pairs that most programs use are inlined. For short UTF-16, conversion from `u16`
    // units is faster than conversion from bytes.
    if (from, to) == (UTFLANE_UTF8, NATIVE_UTF16) {
        // SAFETY: the caller meets the header's requirements for pointers.
        return unsafe { convert::<Utf8, NativeUtf16>(src, length, dst, capacity) };
    }
    let is_aligned = src.cast::<u16>().is_aligned() && length.is_multiple_of(2);
    if (from, to) == (NATIVE_UTF16, UTFLANE_UTF8) && is_aligned {
        // SAFETY: the caller meets the header's requirements for pointers. The units are aligned.
        return unsafe { convert::<Utf16, Utf8>(src, length, dst, capacity) };
    }
    match get_entry(&FUNCTIONS, from).and_then(|functions| get_entry(&functions.convert, to)) {
        // SAFETY: the caller meets the header's requirements for pointers.
        Some(convert) => unsafe { convert(src, length, dst, capacity) },
        None => {
            // SAFETY: the caller meets the header's requirements for pointers.
            let src = unsafe { memory::source(src, length) };
            // SAFETY: the caller meets the header's requirements for pointers.
            let dst = unsafe { memory::destination(dst, capacity) };
            let arguments = src.zip(dst).zip(Pair::new(from, to));
            let progress = arguments.and_then(|((src, dst), pair)| pair.convert(src, dst));
            progress.map_or_else(utflane_result::default, Into::into)
        }
    }
}

/// Converts as much text as fits, and replaces ill-formed sequences.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_convert_lossy(
    from: utflane_encoding,
    to: utflane_encoding,
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller meets the header's requirements for pointers.
    let src = unsafe { memory::source(src, length) };
    // SAFETY: the caller meets the header's requirements for pointers.
    let dst = unsafe { memory::destination(dst, capacity) };
    let arguments = src.zip(dst).zip(Pair::new(from, to));
    let progress = arguments.and_then(|((src, dst), pair)| pair.convert_lossy(src, dst));
    progress.map_or_else(utflane_lossy_result::default, Into::into)
}

/// Returns the number of bytes that a well-formed text becomes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_length(
    from: utflane_encoding,
    to: utflane_encoding,
    src: *const c_void,
    length: usize,
) -> usize {
    // SAFETY: the caller meets the header's requirements for pointers.
    let src = unsafe { memory::source(src, length) };
    src.zip(Pair::new(from, to)).and_then(|(src, pair)| pair.length(src, false)).unwrap_or(0)
}

/// Returns the number of bytes that a text becomes with replacements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_length_lossy(
    from: utflane_encoding,
    to: utflane_encoding,
    src: *const c_void,
    length: usize,
) -> usize {
    // SAFETY: the caller meets the header's requirements for pointers.
    let src = unsafe { memory::source(src, length) };
    src.zip(Pair::new(from, to)).and_then(|(src, pair)| pair.length(src, true)).unwrap_or(0)
}

/// Returns the maximum number of bytes that `length` bytes become, without replacements.
#[unsafe(no_mangle)]
pub extern "C" fn utflane_max_length(
    from: utflane_encoding,
    to: utflane_encoding,
    length: usize,
) -> usize {
    Pair::new(from, to).and_then(|pair| pair.max_length(length)).unwrap_or(usize::MAX)
}

/// Returns the number of code points of a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_count(
    encoding: utflane_encoding,
    src: *const c_void,
    length: usize,
) -> usize {
    // SAFETY: the caller meets the header's requirements for pointers.
    let src = unsafe { memory::source(src, length) };
    src.map_or(0, |src| match scheme(encoding) {
        Some(scheme) => scheme.count(src),
        None => page(encoding).map_or(0, |_| src.len()),
    })
}

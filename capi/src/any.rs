//! Functions for encodings chosen at run time, over bytes of any alignment.

use core::ffi::c_void;

use utflane::{Repair, Scheme};

use crate::encodings::{scheme, utflane_encoding};
use crate::memory;
use crate::results::{utflane_lossy_result, utflane_result, utflane_validation};

/// Validates `length` bytes as text in `encoding`.
///
/// For what is no encoding, the status is UTFLANE_INVALID_ARGUMENT.
///
/// @ingroup utflane_any
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_validate(
    encoding: utflane_encoding,
    src: *const c_void,
    length: usize,
) -> utflane_validation {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    match (scheme(encoding), src) {
        (Some(scheme), Some(src)) => utflane_validation::new(scheme.validate(src), src.len(), 1),
        _ => utflane_validation::INVALID,
    }
}

/// Returns the code points of `length` bytes of text in `encoding`; 0 for what is no encoding.
///
/// Ill-formed text is no error: see the group of counts.
///
/// @ingroup utflane_any
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_count(
    encoding: utflane_encoding,
    src: *const c_void,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    scheme(encoding).zip(src).map_or(0, |(scheme, src)| scheme.count(src))
}

/// Converts as much text from one encoding to another as fits. All sizes are bytes.
///
/// Stops before the first ill-formed sequence or unmappable character. For what is no encoding, the
/// status is UTFLANE_INVALID_ARGUMENT and nothing is written.
///
/// @ingroup utflane_any
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn utflane_convert(
    from: utflane_encoding,
    to: utflane_encoding,
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    let src = unsafe { memory::source(src, length) };
    // SAFETY: the caller keeps the header's contract of pointers.
    let dst = unsafe { memory::destination(dst, capacity) };
    match (both(from, to), src, dst) {
        (Some((from, to)), Some(src), Some(dst)) => {
            utflane_result::new(from.transcode_into_uninit(src, to, dst), 1, 1)
        }
        _ => utflane_result::INVALID,
    }
}

/// Converts as much text from one encoding to another as fits, and repairs it. All sizes are bytes.
///
/// U+FFFD replaces each ill-formed sequence; '?' replaces it, and each unmappable character, where
/// the target does not have U+FFFD. For what is no encoding, the status is
/// UTFLANE_INVALID_ARGUMENT and nothing is written.
///
/// @ingroup utflane_any
#[unsafe(no_mangle)]
#[must_use]
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
            let progress = from.transcode_lossy_into_uninit(src, to, Repair::REPLACE, dst);
            utflane_lossy_result::new(progress, 1, 1)
        }
        _ => utflane_lossy_result::INVALID,
    }
}

/// Returns the bytes of `to` that a well-formed text of `from` becomes; 0 for what is no encoding.
///
/// Ill-formed text is no error: see the group of lengths.
///
/// @ingroup utflane_any
#[unsafe(no_mangle)]
#[must_use]
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

/// Returns the bytes that utflane_convert_lossy writes, given room; 0 for what is no encoding.
///
/// @ingroup utflane_any
#[unsafe(no_mangle)]
#[must_use]
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

/// Returns the most bytes of `to` that `length` bytes of `from` become, whatever they are; SIZE_MAX
/// if that is more than a size_t holds, or for what is no encoding. Without repairs: a conversion
/// with repairs may need more.
///
/// @ingroup utflane_any
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn utflane_max_length(
    from: utflane_encoding,
    to: utflane_encoding,
    length: usize,
) -> usize {
    both(from, to).and_then(|(from, to)| from.max_len(length, to)).unwrap_or(usize::MAX)
}

/// Returns two encodings.
fn both(from: utflane_encoding, to: utflane_encoding) -> Option<(Scheme, Scheme)> {
    scheme(from).zip(scheme(to))
}

//! Validations and conversions that are compiled for their encodings. The choice by a
//! [`Scheme`](utflane::Scheme) would take several ns more, as much as a short text.

use core::ffi::c_void;

use utflane::{
    Ascii, Cesu8, Encoding, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be,
    Wtf16Le, is_valid, transcode_into_uninit, validate,
};

use crate::encodings::utflane_encoding;
use crate::memory;
use crate::results::{utflane_result, utflane_validation};

type Validate = unsafe fn(*const c_void, usize) -> utflane_validation;
type Convert = unsafe fn(*const c_void, usize, *mut c_void, usize) -> utflane_result;

/// The functions of texts of one encoding.
pub(crate) struct Functions {
    pub(crate) validate: Validate,
    pub(crate) convert: [Convert; 12],
}

/// Returns the functions of each encoding.
macro_rules! each {
    ($($encoding:ident)*) => {{
        const fn functions<A: Encoding<Unit = u8>>() -> Functions {
            Functions { validate: validation::<A>, convert: [$(convert::<A, $encoding>),*] }
        }
        [$(functions::<$encoding>()),*]
    }};
}

/// The functions of each encoding, in the order of their numbers.
pub(crate) static FUNCTIONS: [Functions; 12] = each!(
    Utf8 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii Cesu8 Mutf8 Wtf8 Wtf16Le Wtf16Be
);

/// Returns the entry of an encoding in a table.
#[inline(always)]
pub(crate) fn entry<T>(table: &[T; 12], encoding: utflane_encoding) -> Option<&T> {
    table.get((encoding as usize).wrapping_sub(1))
}

/// Validates a text of `A`.
///
/// # Safety
///
/// As for [`memory::source`].
unsafe fn validation<A: Encoding<Unit = u8>>(
    src: *const c_void,
    length: usize,
) -> utflane_validation {
    // SAFETY: the caller's promise.
    let Some(src) = (unsafe { memory::source(src, length) }) else {
        return utflane_validation::default();
    };
    // Outlined: the search for an error would need registers, also if there is none.
    match is_valid::<A>(src) {
        true => utflane_validation::new(Ok(()), src.len()),
        false => first_error::<A>(src),
    }
}

/// Locates the first error of a text that has one.
#[cold]
#[inline(never)]
fn first_error<A: Encoding<Unit = u8>>(src: &[u8]) -> utflane_validation {
    utflane_validation::new(validate::<A>(src), src.len())
}

/// Converts as much as fits.
///
/// # Safety
///
/// As for [`memory::source`] and [`memory::destination`]; `src` has whole, aligned units of `A`.
#[inline(always)]
pub(crate) unsafe fn convert<A: Encoding, B: Encoding<Unit = u8>>(
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_result {
    let unit = const { size_of::<A::Unit>() };
    // SAFETY: the caller's promise.
    let src = unsafe { memory::source(src.cast::<A::Unit>(), length / unit) };
    // SAFETY: the caller's promise.
    let dst = unsafe { memory::destination(dst, capacity) };
    let (Some(src), Some(dst)) = (src, dst) else { return utflane_result::default() };
    let result = utflane_result::from(transcode_into_uninit::<A, B>(src, dst));
    let error_length = result.error_length * unit as u32;
    utflane_result { read: result.read * unit, error_length, ..result }
}

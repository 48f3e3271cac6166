//! Validations and conversions that are compiled for each encoding and for each pair of encodings.
//! A choice by [`Scheme`](utflane::Scheme) at run time would take several nanoseconds more, as long
//! as the conversion of a short text.

use core::ffi::c_void;

use utflane::{
    Ascii, Cesu8, Encoding, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be,
    Wtf16Le, is_valid, transcode_into, validate,
};

use crate::encodings::utflane_encoding;
use crate::memory;
use crate::results::{utflane_result, utflane_validation};

type Validate = unsafe fn(*const c_void, usize) -> utflane_validation;
type Convert = unsafe fn(*const c_void, usize, *mut c_void, usize) -> utflane_result;

/// The functions for texts in one encoding.
pub(crate) struct Functions {
    pub(crate) validate: Validate,
    /// The conversion to each encoding, in the order of their numbers.
    pub(crate) convert: [Convert; 12],
}

/// Returns a table with the functions of each encoding.
macro_rules! function_table {
    ($($encoding:ident)*) => {{
        const fn functions<A: Encoding<Unit = u8>>() -> Functions {
            Functions { validate: validate_bytes::<A>, convert: [$(convert::<A, $encoding>),*] }
        }
        [$(functions::<$encoding>()),*]
    }};
}

/// The functions of each encoding, in the order of their numbers.
pub(crate) static FUNCTIONS: [Functions; 12] = function_table!(
    Utf8 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii Cesu8 Mutf8 Wtf8 Wtf16Le Wtf16Be
);

/// Returns the entry of an encoding in a table, or `None` if the number is unknown.
#[inline(always)]
pub(crate) fn get_entry<T>(table: &[T; 12], encoding: utflane_encoding) -> Option<&T> {
    table.get((encoding as usize).wrapping_sub(1))
}

/// Validates a text in the encoding `A`.
///
/// # Safety
///
/// The same as for [`memory::source`].
unsafe fn validate_bytes<A: Encoding<Unit = u8>>(
    src: *const c_void,
    length: usize,
) -> utflane_validation {
    // SAFETY: the caller guarantees the pointer and the length.
    let Some(src) = (unsafe { memory::source(src, length) }) else {
        return utflane_validation::default();
    };
    // `find_error` is not inlined: it would use registers here, also for texts without an error.
    match is_valid::<A>(src) {
        true => utflane_validation::new(Ok(()), src.len()),
        false => find_error::<A>(src),
    }
}

/// Locates the first error of an ill-formed text.
#[cold]
#[inline(never)]
fn find_error<A: Encoding<Unit = u8>>(src: &[u8]) -> utflane_validation {
    utflane_validation::new(validate::<A>(src), src.len())
}

/// Converts as much text as fits. All lengths are in bytes.
///
/// # Safety
///
/// The same as for [`memory::source`] and [`memory::destination`]. `src` is aligned for the units
/// of `A`, and `length` is a multiple of their size.
#[inline(always)]
pub(crate) unsafe fn convert<A: Encoding, B: Encoding<Unit = u8>>(
    src: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_result {
    let unit = const { size_of::<A::Unit>() };
    // SAFETY: the caller guarantees the pointer and the length.
    let src = unsafe { memory::source(src.cast::<A::Unit>(), length / unit) };
    // SAFETY: the caller guarantees the pointer and the capacity.
    let dst = unsafe { memory::destination(dst, capacity) };
    let (Some(src), Some(dst)) = (src, dst) else { return utflane_result::default() };
    let result = utflane_result::from(transcode_into::<A, B>(src, dst));
    let error_length = result.error_length * unit as u32;
    utflane_result { read: result.read * unit, error_length, ..result }
}

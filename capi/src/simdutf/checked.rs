//! simdutf's conversions of a text and an output that can be memory. For others they fail: nothing
//! is read or written.

use crate::forms::Form;
use crate::memory::is_possible;
use crate::simdutf::convert;
use crate::simdutf::types::simdutf_result;

/// True if a text and an output of unknown capacity can be memory.
#[inline(always)]
fn are_possible<T, U>(input: *const T, length: usize, output: *mut U) -> bool {
    is_possible(input, length) && (length == 0 || !output.is_null())
}

/// Converts a text, and returns the units written; 0 with an error.
///
/// # Safety
///
/// That of [`convert::or_zero`], except for arguments that can't be memory.
#[inline(always)]
pub(super) unsafe fn or_zero<A: Form, B: Form>(
    input: *const A::Unit,
    length: usize,
    output: *mut B::Unit,
) -> usize {
    if !are_possible(input, length, output) {
        return 0;
    }
    // SAFETY: the caller's promise; `are_possible`.
    unsafe { convert::or_zero::<A, B>(input, length, output) }
}

/// Converts a text, and returns the units written, or the first error.
///
/// # Safety
///
/// That of [`or_zero`].
#[inline(always)]
pub(super) unsafe fn with_errors<A: Form, B: Form>(
    input: *const A::Unit,
    length: usize,
    output: *mut B::Unit,
) -> simdutf_result {
    if !are_possible(input, length, output) {
        return simdutf_result::INVALID;
    }
    // SAFETY: the caller's promise; `are_possible`.
    unsafe { convert::with_errors::<A, B>(input, length, output) }
}

/// Converts a text with U+FFFD for ill-formed sequences, and returns the units written.
///
/// # Safety
///
/// That of [`convert::with_replacement`], except for arguments that can't be memory.
pub(super) unsafe fn with_replacement<A: Form, B: Form>(
    input: *const A::Unit,
    length: usize,
    output: *mut B::Unit,
) -> usize {
    if !are_possible(input, length, output) {
        return 0;
    }
    // SAFETY: the caller's promise; `are_possible`.
    unsafe { convert::with_replacement::<A, B>(input, length, output) }
}

/// Converts as many whole characters as fit, and returns the units written; 0 with an error.
///
/// # Safety
///
/// That of [`convert::safe`], except for arguments that can't be memory.
pub(super) unsafe fn safe<A: Form, B: Form>(
    input: *const A::Unit,
    length: usize,
    output: *mut B::Unit,
    capacity: usize,
) -> usize {
    if !is_possible(input, length) || !is_possible(output, capacity) {
        return 0;
    }
    // SAFETY: the caller's promise; `is_possible`.
    unsafe { convert::safe::<A, B>(input, length, output, capacity) }
}

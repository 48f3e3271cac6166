//! The generic validations, counts and lengths behind simdutf's functions.

use utflane::{Utf8, count, len, validate};

use crate::memory;
use crate::simdutf::forms::CEncoding;
use crate::simdutf::types::simdutf_result;

/// Returns true if a text is well-formed.
///
/// # Safety
///
/// The same as for [`memory::source`].
#[inline(always)]
pub(super) unsafe fn is_valid<A: CEncoding>(text: *const A::CUnit, length: usize) -> bool {
    // SAFETY: the caller guarantees the pointer and the length.
    let text = unsafe { memory::source(text, length) };
    text.is_some_and(utflane::is_valid::<A>)
}

/// Returns the first error, or success and the length of the text.
///
/// # Safety
///
/// The same as for [`memory::source`].
#[inline(always)]
pub(super) unsafe fn validate_with_errors<A: CEncoding>(
    text: *const A::CUnit,
    length: usize,
) -> simdutf_result {
    // SAFETY: the caller guarantees the pointer and the length.
    let Some(text) = (unsafe { memory::source(text, length) }) else {
        return simdutf_result::INVALID;
    };
    simdutf_result::new(validate::<A>(text), text.len() / A::SIZE, A::SIZE)
}

/// Returns true if all units are ASCII, so that each becomes one byte of UTF-8.
///
/// # Safety
///
/// The same as for [`memory::source`].
pub(super) unsafe fn is_ascii<A: CEncoding>(text: *const A::CUnit, length: usize) -> bool {
    // SAFETY: the caller guarantees the pointer and the length.
    let Some(text) = (unsafe { memory::source::<_, u8>(text, length) }) else { return false };
    // The text is examined in blocks: the first block that is not ASCII ends the loop. A block is
    // ASCII if it has as many bytes in UTF-8 as units.
    text.chunks(4096).all(|block| len::<A, Utf8>(block) == block.len() / A::SIZE)
}

/// Returns the number of code points of a text.
///
/// # Safety
///
/// The same as for [`memory::source`].
#[inline(always)]
pub(super) unsafe fn count_code_points<A: CEncoding>(
    text: *const A::CUnit,
    length: usize,
) -> usize {
    // SAFETY: the caller guarantees the pointer and the length.
    let text = unsafe { memory::source(text, length) };
    text.map_or(0, count::<A>)
}

/// Returns the number of units that a text becomes in the encoding `B`.
///
/// # Safety
///
/// The same as for [`memory::source`].
#[inline(always)]
pub(super) unsafe fn compute_length<A: CEncoding, B: CEncoding>(
    text: *const A::CUnit,
    length: usize,
) -> usize {
    // SAFETY: the caller guarantees the pointer and the length.
    let text = unsafe { memory::source(text, length) };
    text.map_or(0, |text| len::<A, B>(text) / B::SIZE)
}

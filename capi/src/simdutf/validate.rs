//! The bodies of simdutf's validations, counts and lengths.

use utflane::{Utf8, count, len, validate};

use crate::memory;
use crate::simdutf::forms::Form;
use crate::simdutf::types::simdutf_result;

/// Returns true if a text is well-formed.
///
/// # Safety
///
/// As for [`memory::source`].
#[inline(always)]
pub(super) unsafe fn is_valid<A: Form>(text: *const A::CUnit, length: usize) -> bool {
    // SAFETY: the caller's promise.
    let text = unsafe { memory::source(text, length) };
    text.is_some_and(utflane::is_valid::<A>)
}

/// Returns the first error, or the length of the text.
///
/// # Safety
///
/// As for [`memory::source`].
#[inline(always)]
pub(super) unsafe fn with_errors<A: Form>(text: *const A::CUnit, length: usize) -> simdutf_result {
    // SAFETY: the caller's promise.
    let Some(text) = (unsafe { memory::source(text, length) }) else {
        return simdutf_result::INVALID;
    };
    simdutf_result::new(validate::<A>(text), text.len() / A::SIZE, A::SIZE)
}

/// Returns true if all units are ASCII, so that each becomes one byte of UTF-8.
///
/// # Safety
///
/// As for [`memory::source`].
pub(super) unsafe fn is_ascii<A: Form>(text: *const A::CUnit, length: usize) -> bool {
    // SAFETY: the caller's promise.
    let Some(text) = (unsafe { memory::source::<_, u8>(text, length) }) else { return false };
    // In blocks, so that the first block that is not ASCII ends the loop.
    text.chunks(4096).all(|block| len::<A, Utf8>(block) == block.len() / A::SIZE)
}

/// Returns the code points of a text.
///
/// # Safety
///
/// As for [`memory::source`].
#[inline(always)]
pub(super) unsafe fn code_points<A: Form>(text: *const A::CUnit, length: usize) -> usize {
    // SAFETY: the caller's promise.
    let text = unsafe { memory::source(text, length) };
    text.map_or(0, count::<A>)
}

/// Returns the units of `B` that a text of `A` becomes.
///
/// # Safety
///
/// As for [`memory::source`].
#[inline(always)]
pub(super) unsafe fn length<A: Form, B: Form>(text: *const A::CUnit, length: usize) -> usize {
    // SAFETY: the caller's promise.
    let text = unsafe { memory::source(text, length) };
    text.map_or(0, |text| len::<A, B>(text) / B::SIZE)
}

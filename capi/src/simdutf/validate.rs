//! The bodies of simdutf's validations.

use utflane::{Utf8, len, validate};

use crate::forms::Form;
use crate::memory;
use crate::simdutf::types::simdutf_result;

/// Returns whether a text is well-formed.
///
/// # Safety
///
/// That of [`memory::source`].
#[inline(always)]
pub(super) unsafe fn is_valid<A: Form>(text: *const A::Unit, length: usize) -> bool {
    // SAFETY: the caller's promise.
    let text = unsafe { memory::source(text, length) };
    text.is_some_and(utflane::is_valid::<A::Encoding>)
}

/// Returns the first error, or the length of the text.
///
/// # Safety
///
/// That of [`memory::source`].
#[inline(always)]
pub(super) unsafe fn with_errors<A: Form>(text: *const A::Unit, length: usize) -> simdutf_result {
    // SAFETY: the caller's promise.
    let Some(text) = (unsafe { memory::source(text, length) }) else {
        return simdutf_result::INVALID;
    };
    simdutf_result::new(validate::<A::Encoding>(text), text.len() / A::SIZE, A::SIZE)
}

/// Returns whether all units are ASCII: those that become one byte of UTF-8.
///
/// # Safety
///
/// That of [`memory::source`].
pub(super) unsafe fn is_ascii<A: Form>(text: *const A::Unit, length: usize) -> bool {
    // SAFETY: the caller's promise.
    let Some(text) = (unsafe { memory::source::<_, u8>(text, length) }) else { return false };
    // In blocks, so that the first others end it.
    text.chunks(4096).all(|block| len::<A::Encoding, Utf8>(block) == block.len() / A::SIZE)
}

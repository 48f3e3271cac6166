//! The generic validations and lengths behind simdutf's functions.

use utflane::{Repair, Scheme, Utf8, len, measure_lossy, split_incomplete, validate};

use crate::simdutf::forms::CEncoding;
use crate::simdutf::types::simdutf_error_code::*;
use crate::simdutf::types::simdutf_result;

/// Returns the first error, or success and the length of the text.
#[inline(always)]
pub(super) fn validate_with_errors<A: CEncoding>(text: &[u8]) -> simdutf_result {
    simdutf_result::new(validate::<A>(text), text.len() / A::SIZE, A::SIZE)
}

/// Returns true if all units are ASCII, so that each becomes one byte of UTF-8.
pub(super) fn is_ascii<A: CEncoding>(text: &[u8]) -> bool {
    // The text is examined in blocks: the first block that is not ASCII ends the loop. A block is
    // ASCII if it has as many bytes in UTF-8 as units.
    text.chunks(4096).all(|block| len::<A, Utf8>(block) == block.len() / A::SIZE)
}

/// Returns the number of units that a text becomes in the encoding `B`.
#[inline(always)]
pub(super) fn compute_length<A: CEncoding, B: CEncoding>(text: &[u8]) -> usize {
    len::<A, B>(text) / B::SIZE
}

/// Returns the number of units before an incomplete sequence at the end of a text.
pub(super) fn trim_partial<A: CEncoding>(text: &[u8]) -> usize {
    split_incomplete::<A>(text).0.len() / A::SIZE
}

/// Returns the number of bytes that a text becomes in UTF-8 with replacements, and an error code if
/// the text contains surrogates.
pub(super) fn utf8_length_with_replacement<A: CEncoding>(text: &[u8]) -> simdutf_result {
    let count = measure_lossy::<A, Utf8>(text, Repair::REPLACE).len;
    let high_byte = usize::from(A::SCHEME == Scheme::Utf16Le);
    let is_surrogate = |unit: &[u8; 2]| unit[high_byte] & 0xF8 == 0xD8;
    // The loop over a block has no branch, so the compiler vectorises it.
    let has_surrogate =
        |block: &[[u8; 2]]| block.iter().fold(false, |any, unit| any | is_surrogate(unit));
    let has_surrogates = text.as_chunks::<2>().0.chunks(64).any(has_surrogate);
    let error = if has_surrogates { SIMDUTF_ERROR_SURROGATE } else { SIMDUTF_ERROR_SUCCESS };
    simdutf_result { error, count }
}

//! The generic validations and lengths behind simdutf's functions.

use utflane::{Utf8, len, split_incomplete, validate};

use crate::simdutf::forms::CEncoding;
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

//! simdutf's functions that replace unpaired surrogates, or change the byte order. Their output may
//! be the input.

use core::mem::MaybeUninit;

use utflane::{Repair, Scheme, Utf8, measure_lossy, transcode_lossy_into};

use crate::memory;
use crate::simdutf::forms::CEncoding;
use crate::simdutf::types::simdutf_error_code::*;
use crate::simdutf::types::simdutf_result;

/// Converts each unit to one unit. Replaces each unpaired surrogate with U+FFFD, except from WTF-16
/// to WTF-16. Converts a block of the text into a buffer and then copies the buffer, so that no
/// reference to the input exists when the output is written. Does nothing for impossible arguments.
///
/// # Safety
///
/// `len` units can be read at `input` and written at `output`. Input and output are the same
/// memory, or do not overlap.
pub(super) unsafe fn convert_units<A: CEncoding, B: CEncoding<CUnit = A::CUnit>>(
    input: *const A::CUnit,
    len: usize,
    output: *mut B::CUnit,
) {
    const BUFFER_UNITS: usize = 1024;
    let mut buffer = [const { MaybeUninit::<u8>::uninit() }; 2 * BUFFER_UNITS];
    if !memory::is_possible(input, len) || !memory::is_possible(output, len) {
        return;
    }
    let mut done = 0;
    while done < len {
        // The unit after the block shows whether a high surrogate at its end is unpaired.
        let most = (len - done).min(BUFFER_UNITS + 1);
        // SAFETY: the caller guarantees that the units can be read.
        let text = unsafe { memory::source(input.wrapping_add(done), most) }.unwrap_or_default();
        // Each unit becomes one unit. A surrogate pair is never split: a pair that does not fit is
        // left for the next block.
        let units = transcode_lossy_into::<A, B>(text, Repair::REPLACE, &mut buffer).written / 2;
        let from = buffer.as_ptr().cast();
        // SAFETY: the caller guarantees that the units can be written. The buffer holds them.
        unsafe { output.wrapping_add(done).cast::<u8>().copy_from(from, 2 * units) };
        done += units;
    }
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

//! simdutf's repair of UTF-16, whose output may be its input.

use core::mem::MaybeUninit;

use utflane::{Repair, Scheme, Utf8, len_lossy, transcode_lossy_into_uninit};

use crate::memory;
use crate::simdutf::forms::{Form, input_bytes, is_possible};
use crate::simdutf::types::simdutf_error_code::*;
use crate::simdutf::types::simdutf_result;

/// Repairs a text block by block, through a buffer: no reference to the input is left when the
/// output is written.
///
/// # Safety
///
/// `len` units can be read at `input` and written at `output`; both are the same memory, or don't
/// overlap. Nothing is done if they can't be memory.
pub(super) unsafe fn to_well_formed<A: Form, B: Form<CUnit = A::CUnit>>(
    input: *const A::CUnit,
    len: usize,
    output: *mut B::CUnit,
) {
    const BUFFER_UNITS: usize = 1024;
    let mut buffer = [const { MaybeUninit::<u8>::uninit() }; 2 * BUFFER_UNITS];
    if !is_possible(input, len) || !is_possible(output, len) {
        return;
    }
    let mut done = 0;
    while done < len {
        // The unit after a buffer's text shows if the last one is unpaired.
        let most = (len - done).min(BUFFER_UNITS + 1);
        // SAFETY: the caller's promise.
        let text = unsafe { input_bytes(input.wrapping_add(done), most) };
        // Each unit becomes one unit, and no pair is split: a pair that does not fit is left for
        // the next block.
        let units =
            transcode_lossy_into_uninit::<A, B>(text, Repair::REPLACE, &mut buffer).written / 2;
        let from = buffer.as_ptr().cast();
        // SAFETY: the caller's promise, and the buffer is another memory.
        unsafe { output.wrapping_add(done).cast::<u8>().copy_from(from, 2 * units) };
        done += units;
    }
}

/// Returns the length in UTF-8 of a text with replacements, and an error code if it has surrogates.
///
/// # Safety
///
/// As for [`memory::source`].
pub(super) unsafe fn length_utf8<A: Form>(input: *const A::CUnit, length: usize) -> simdutf_result {
    // SAFETY: the caller's promise.
    let Some(text) = (unsafe { memory::source(input, length) }) else {
        return simdutf_result::INVALID;
    };
    let count = len_lossy::<A, Utf8>(text, Repair::REPLACE);
    let high_byte = usize::from(A::SCHEME == Scheme::Utf16Le);
    let is_surrogate = |unit: &[u8; 2]| unit[high_byte] & 0xF8 == 0xD8;
    // Blocks without a branch are compiled to vectors.
    let mut blocks = text.as_chunks::<2>().0.chunks(64);
    let found = blocks.any(|block| block.iter().fold(false, |any, unit| any | is_surrogate(unit)));
    let error = if found { SIMDUTF_ERROR_SURROGATE } else { SIMDUTF_ERROR_SUCCESS };
    simdutf_result { error, count }
}

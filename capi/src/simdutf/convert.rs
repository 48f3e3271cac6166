//! The generic conversions behind simdutf's functions, whose outputs have no capacity parameter.
//!
//! A caller of simdutf only guarantees capacity for the result, and the result of an ill-formed
//! text is shorter than the length function returns. utflane's vector code may overwrite its whole
//! output as scratch space. Therefore each conversion writes into a buffer, and only the result is
//! copied to the caller's output.

use core::mem::MaybeUninit;

use utflane::{Error, Repair, Scheme, Stop, transcode_into, transcode_lossy_into};

use crate::memory;
use crate::simdutf::forms::CEncoding;
use crate::simdutf::types::simdutf_error_code::*;
use crate::simdutf::types::{simdutf_error_code, simdutf_result};

/// The size of the buffer. The buffer and its input fit into half of a first-level cache of 32 KiB.
const BUFFER_BYTES: usize = 1 << 13;

/// Converts as many whole characters as fit into `capacity` units. Returns the number of units
/// written, or 0 if there is an error.
///
/// # Safety
///
/// `output` has `capacity` units, or the capacity for the result, or for the result of the text
/// before its first error.
#[inline(always)]
pub(super) unsafe fn convert_or_zero<A: CEncoding, B: CEncoding>(
    input: &[u8],
    output: *mut B::CUnit,
    capacity: usize,
) -> usize {
    // SAFETY: the caller guarantees the capacity of the output.
    unsafe { convert_strict::<A, B>(input, output, capacity) }.unwrap_or(0)
}

/// Like [`convert_or_zero`], but returns the first error.
///
/// # Safety
///
/// The same as for [`convert_or_zero`].
#[inline(always)]
pub(super) unsafe fn convert_with_errors<A: CEncoding, B: CEncoding>(
    input: &[u8],
    output: *mut B::CUnit,
    capacity: usize,
) -> simdutf_result {
    // SAFETY: the caller guarantees the capacity of the output.
    match unsafe { convert_strict::<A, B>(input, output, capacity) } {
        Ok(count) => simdutf_result { error: SIMDUTF_ERROR_SUCCESS, count },
        Err((at, error)) => {
            let error = match B::SCHEME {
                Scheme::Latin1 => latin1_error_code(A::SCHEME, &input[at..]),
                _ => error.kind().into(),
            };
            simdutf_result { error, count: at / A::SIZE }
        }
    }
}

/// Converts a text, and replaces ill-formed sequences by U+FFFD. Returns the number of units
/// written.
///
/// # Safety
///
/// `output` has `capacity` units, or the capacity for the result with replacements.
pub(super) unsafe fn convert_with_replacement<A: CEncoding, B: CEncoding>(
    input: &[u8],
    output: *mut B::CUnit,
    capacity: usize,
) -> usize {
    let convert = |text: &[u8], buffer: &mut [MaybeUninit<u8>]| {
        let progress = transcode_lossy_into::<A, B>(text, Repair::REPLACE, buffer);
        (progress.read, progress.written, None)
    };
    // SAFETY: the caller guarantees the capacity of the output.
    unsafe { convert_through_buffer(input, output, capacity, convert) }.unwrap_or(0)
}

/// Converts as many whole characters as fit into `capacity` units. Returns the number of units
/// written, or the byte offset of the first error and the error.
///
/// # Safety
///
/// The same as for [`convert_or_zero`].
#[inline(always)]
unsafe fn convert_strict<A: CEncoding, B: CEncoding>(
    input: &[u8],
    output: *mut B::CUnit,
    capacity: usize,
) -> Result<usize, (usize, Error)> {
    let convert = |text: &[u8], buffer: &mut [MaybeUninit<u8>]| {
        let progress = transcode_into::<A, B>(text, buffer);
        let error = if let Stop::Error(error) = progress.stop { Some(error) } else { None };
        (progress.read, progress.written, error)
    };
    // SAFETY: the caller guarantees the capacity of the output.
    unsafe { convert_through_buffer(input, output, capacity, convert) }
}

/// Converts `input` part by part into a buffer, and copies the result of each part to `output`, as
/// long as whole characters fit. Returns the number of units written, or the byte offset of the
/// error and the error.
///
/// `convert` converts as many characters as fit. It returns the number of bytes read, the number of
/// bytes that it wrote and that are initialised, and the error at which it stopped.
///
/// # Safety
///
/// `output` has `capacity` units, or the capacity for everything that `convert` writes.
#[inline(always)]
unsafe fn convert_through_buffer<Unit>(
    input: &[u8],
    output: *mut Unit,
    capacity: usize,
    convert: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> (usize, usize, Option<Error>),
) -> Result<usize, (usize, Error)> {
    let mut buffer = [const { MaybeUninit::uninit() }; BUFFER_BYTES];
    let capacity = capacity.saturating_mul(size_of::<Unit>());
    let (mut read, mut written) = (0, 0);
    while read < input.len() {
        let limit = BUFFER_BYTES.min(capacity - written);
        let (more_read, more_written, error) = convert(&input[read..], &mut buffer[..limit]);
        let part = &buffer[..more_written];
        let to = output.cast::<MaybeUninit<u8>>().wrapping_add(written);
        // SAFETY: the caller guarantees the capacity of the output. The buffer does not overlap it.
        unsafe { to.copy_from_nonoverlapping(part.as_ptr(), part.len()) };
        read += more_read;
        written += more_written;
        if let Some(error) = error {
            return Err((read, error));
        }
        if more_read == 0 {
            break;
        }
    }
    Ok(written / size_of::<Unit>())
}

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

/// Returns simdutf's error code for the sequence at the start of `text`, which cannot be converted
/// to Latin-1. simdutf's converters to Latin-1 examine only sequences of two bytes, so these codes
/// differ from the codes of validation.
#[cold]
fn latin1_error_code(from: Scheme, text: &[u8]) -> simdutf_error_code {
    let [first, ..] = *text else { return SIMDUTF_ERROR_OTHER };
    match (from, first) {
        (Scheme::Utf8, 0x80..=0xBF) => SIMDUTF_ERROR_TOO_LONG,
        (Scheme::Utf8, 0xC0..=0xDF) => match text.get(1) {
            Some(0x80..=0xBF) if first < 0xC2 => SIMDUTF_ERROR_OVERLONG,
            Some(0x80..=0xBF) => SIMDUTF_ERROR_TOO_LARGE,
            _ => SIMDUTF_ERROR_TOO_SHORT,
        },
        (Scheme::Utf8, 0xF8..) => SIMDUTF_ERROR_HEADER_BITS,
        _ => SIMDUTF_ERROR_TOO_LARGE,
    }
}

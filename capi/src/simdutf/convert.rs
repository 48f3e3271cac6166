//! The bodies of simdutf's conversions, whose outputs have no capacity.
//!
//! A caller of simdutf promises room for what the length function returns, or for the most that a
//! text of this length becomes. Vector code may write scratch up to the end of its output, so each
//! block of the text is measured first, and its output ends there. Blocks stay in the cache between
//! the two passes.

use utflane::{
    Encoding, Error, Repair, Scheme, Stop, len, len_lossy, max_len, transcode_into_uninit,
    transcode_lossy_into_uninit,
};

use crate::forms::Form;
use crate::memory;
use crate::simdutf::types::simdutf_error_code::*;
use crate::simdutf::types::{simdutf_error_code, simdutf_result};

/// Bytes of a block.
const BLOCK: usize = 1 << 14;

/// Converts a text, and returns the units written; 0 with an error.
///
/// # Safety
///
/// That of [`memory::input`], and `output` has the room that the length function returns, or that
/// any text of this length needs.
#[inline(always)]
pub(super) unsafe fn or_zero<A: Form, B: Form>(
    input: *const A::Unit,
    length: usize,
    output: *mut B::Unit,
) -> usize {
    // SAFETY: the caller's promise.
    let input = unsafe { memory::input(input, length) };
    // SAFETY: the caller's promise.
    unsafe { blocks::<A, B>(input, output) }.unwrap_or(0)
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
    // SAFETY: the caller's promise.
    let input = unsafe { memory::input(input, length) };
    // SAFETY: the caller's promise.
    match unsafe { blocks::<A, B>(input, output) } {
        Ok(count) => simdutf_result { error: SIMDUTF_ERROR_SUCCESS, count },
        Err((at, error)) => {
            let error = match B::Encoding::SCHEME {
                Scheme::Latin1 => code_to_latin1(A::Encoding::SCHEME, &input[at..]),
                _ => error.kind().into(),
            };
            simdutf_result { error, count: at / A::SIZE }
        }
    }
}

/// Converts a text with U+FFFD for ill-formed sequences, and returns the units written.
///
/// # Safety
///
/// That of [`memory::input`], and `output` has the room that the length with replacements is.
pub(super) unsafe fn with_replacement<A: Form, B: Form>(
    input: *const A::Unit,
    length: usize,
    output: *mut B::Unit,
) -> usize {
    // SAFETY: the caller's promise.
    let input = unsafe { memory::input(input, length) };
    let (mut read, mut written) = (0, 0);
    while read < input.len() {
        let rest = &input[read..];
        let block = &rest[..block_len(A::Encoding::SCHEME, rest)];
        let room = len_lossy::<A::Encoding, B::Encoding>(block, Repair::REPLACE) / B::SIZE;
        // SAFETY: the lengths of the blocks before are part of the caller's promise.
        let at = unsafe { output.add(written) };
        // SAFETY: and so is that of this block.
        let dst = unsafe { memory::output(at, room) };
        // It fits, and does not fail.
        let _ =
            transcode_lossy_into_uninit::<A::Encoding, B::Encoding>(block, Repair::REPLACE, dst);
        read += block.len();
        written += room;
    }
    written
}

/// Converts as many whole characters as fit, and returns the units written; 0 with an error.
///
/// # Safety
///
/// That of [`memory::input`] and [`memory::output`].
pub(super) unsafe fn safe<A: Form, B: Form>(
    input: *const A::Unit,
    length: usize,
    output: *mut B::Unit,
    capacity: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let input = unsafe { memory::input(input, length) };
    // SAFETY: the caller's promise.
    let output = unsafe { memory::output(output, capacity) };
    let progress = transcode_into_uninit::<A::Encoding, B::Encoding>(input, output);
    match progress.stop {
        Stop::Done | Stop::OutputFull => progress.written / B::SIZE,
        Stop::Error(_) => 0,
    }
}

/// Converts a text, and returns the units written, or the first error and its position in bytes.
///
/// # Safety
///
/// `output` has the room that [`or_zero`] asks for.
#[inline(always)]
unsafe fn blocks<A: Form, B: Form>(
    input: &[u8],
    output: *mut B::Unit,
) -> Result<usize, (usize, Error)> {
    let (mut read, mut written) = (0, 0);
    while read < input.len() {
        let rest = &input[read..];
        let block = &rest[..block_len(A::Encoding::SCHEME, rest)];
        let most = max_len::<A::Encoding, B::Encoding>(block.len()).unwrap_or(usize::MAX);
        let room = len::<A::Encoding, B::Encoding>(block).min(most) / B::SIZE;
        // SAFETY: the lengths of the blocks before are part of the caller's promise.
        let at = unsafe { output.add(written) };
        // SAFETY: and so is that of this block.
        let room = unsafe { memory::output(at, room) };
        let progress = transcode_into_uninit::<A::Encoding, B::Encoding>(block, room);
        if let Stop::Error(error) = progress.stop {
            return Err((read + error.valid_up_to(), error));
        }
        // All of a block without an error fits: its length was measured.
        read += block.len();
        written += progress.written / B::SIZE;
    }
    Ok(written)
}

/// Returns the length of the first block of a text, which cuts no sequence.
#[inline(always)]
fn block_len(scheme: Scheme, text: &[u8]) -> usize {
    if text.len() <= BLOCK { text.len() } else { BLOCK - cut_off(scheme, &text[..BLOCK]) }
}

/// Returns the bytes at the end of a text that begin a sequence, which may continue.
#[inline(never)]
pub(super) fn cut_off(scheme: Scheme, text: &[u8]) -> usize {
    match scheme {
        // The lead byte of a long sequence, if continuation bytes alone are after it.
        Scheme::Utf8 => {
            let tail = text.iter().rev().take(3);
            let continuations = tail.take_while(|byte| **byte & 0xC0 == 0x80).count();
            let lead = text.iter().nth_back(continuations);
            if lead.is_some_and(|byte| *byte >= 0xC0) { continuations + 1 } else { 0 }
        }
        // A high surrogate.
        Scheme::Utf16Le | Scheme::Utf16Be => {
            let high_byte = text.iter().nth_back(usize::from(scheme == Scheme::Utf16Be));
            if high_byte.is_some_and(|byte| byte & 0xFC == 0xD8) { 2 } else { 0 }
        }
        _ => 0,
    }
}

/// Returns simdutf's code for the sequence at the start of `text`, which does not become Latin-1:
/// its converters look at a two-byte sequence alone.
#[cold]
fn code_to_latin1(from: Scheme, text: &[u8]) -> simdutf_error_code {
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

//! Converts the ASCII prefix of a text, and ASCII runs after it.
//!
//! The prefix is converted before the code for [a few](super::medium) or [many](super::convert)
//! vectors runs, because that code loads more constants than a short text has steps. The prefix has
//! a separate function, which does not have to save registers on the stack.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKAHEAD_BYTES, STEP};
use crate::generic::ascii;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar::utf8::is_continuation;

/// Widens the ASCII steps at the start of `src`, which is longer than a step. `dst` has capacity
/// for one unit for each byte. Returns the number of bytes converted; no continuation byte follows
/// these bytes.
#[inline(always)]
pub(crate) fn ascii_prefix<V: Vector, T: Target>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let last = src.len() - STEP;
    let mut read = 0;
    // All steps except the last step, which ends with the text and may overlap the step before it.
    let steps = src[..src.len() - 1].as_chunks::<STEP>().0.iter();
    for (step, out) in steps.zip(dst.chunks_exact_mut(T::UNIT_BYTES * STEP)) {
        if ascii::any_high_bit::<V>(token, step, 0..STEP) {
            // A continuation byte after ASCII is an error. Leave the step before it to the code
            // that looks back and detects the error.
            return if read > 0 && is_continuation(step[0]) { read - STEP } else { read };
        }
        target.widen_all::<V>(token, step, out);
        read += STEP;
    }
    let (Some(step), Some(out)) =
        (src.last_chunk::<STEP>(), dst.get_mut(T::UNIT_BYTES * last..T::UNIT_BYTES * src.len()))
    else {
        return read;
    };
    if ascii::any_high_bit::<V>(token, step, 0..STEP) {
        return if src.get(read).is_some_and(|&byte| is_continuation(byte)) {
            read - STEP
        } else {
            read
        };
    }
    target.widen_all::<V>(token, step, out);
    src.len()
}

/// Widens ASCII steps at the start of `src`, two steps at a time, while no continuation byte
/// follows them and `dst` has capacity. The text before `src` must be empty or end with ASCII.
/// Returns the number of bytes read.
#[inline(always)]
pub(crate) fn ascii_run<V: Vector, T: Target>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let mut run = 0;
    let mut outputs = dst.chunks_exact_mut(T::UNIT_BYTES * 2 * STEP);
    while let (Some(bytes), Some(out)) =
        (src[run..].first_chunk::<{ 2 * STEP + LOOKAHEAD_BYTES }>(), outputs.next())
    {
        if ascii::any_high_bit::<V>(token, bytes, 0..2 * STEP) || is_continuation(bytes[2 * STEP]) {
            break;
        }
        target.widen_all::<V>(token, &bytes[..2 * STEP], out);
        run += 2 * STEP;
    }
    run
}

//! The ASCII prefix of a text.
//!
//! It is converted before the code for [a few](super::medium) or [many](super::convert) vectors
//! runs, which loads more constants than a short text has steps. Its separate function saves no
//! registers on the stack.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::generic::ascii;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar::utf8::is_continuation;

/// Widens the steps of ASCII at the start of `src`, of more than a step. `dst` has capacity for a
/// unit for each byte. Returns the number of bytes; no continuation byte follows them.
#[inline(always)]
pub(crate) fn ascii_prefix<V: Vector, T: Target<V>>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let swapped = target.is_swapped();
    let last = src.len() - STEP;
    let mut read = 0;
    // All steps except the last one, which ends with the text and overlaps.
    let steps = src[..src.len() - 1].as_chunks::<STEP>().0.iter();
    for (step, out) in steps.zip(dst.chunks_exact_mut(T::SIZE * STEP)) {
        if ascii::any_high::<V>(token, step, 0..STEP) {
            // A step before a continuation byte is left to the code that looks back and detects it.
            return if read > 0 && is_continuation(step[0]) { read - STEP } else { read };
        }
        widen::<V, T>(target, token, swapped, step, out);
        read += STEP;
    }
    let (Some(step), Some(out)) =
        (src.last_chunk(), dst.get_mut(T::SIZE * last..T::SIZE * src.len()))
    else {
        return read;
    };
    if ascii::any_high::<V>(token, step, 0..STEP) {
        return if src.get(read).is_some_and(|&byte| is_continuation(byte)) {
            read - STEP
        } else {
            read
        };
    }
    widen::<V, T>(target, token, swapped, step, out);
    src.len()
}

/// Widens a step of ASCII.
#[inline(always)]
fn widen<V: Vector, T: Target<V>>(
    target: T,
    token: V::Token,
    swapped: bool,
    step: &[u8; STEP],
    out: &mut [MaybeUninit<u8>],
) {
    let mut at = 0;
    while at < STEP {
        target.widen_run(swapped, V::load(token, step, at), out, at);
        at += V::LANES;
    }
}

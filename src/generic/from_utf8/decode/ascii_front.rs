//! ASCII at the front of a text, where a vector is a step.
//!
//! This comes before the code for [a few](super::medium) or [many](super::convert) vectors, which
//! has more constants than a short text has steps. It is called in a function of its own, which
//! saves no registers.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar::utf8::is_continuation;

/// Widens the steps of ASCII at the front of `src`, of more than a step. `dst` has room for a unit
/// for each byte. Returns the number of bytes. No continuation byte follows.
#[inline(always)]
pub(crate) fn ascii_front<V: Vector, T: Target<V>>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    const { assert!(V::LANES == STEP, "a vector is a step") };
    let last = src.len() - STEP;
    let mut read = 0;
    // All steps but the last one, which ends with the text and overlaps.
    let steps = src[..src.len() - 1].chunks_exact(STEP);
    for (step, room) in steps.zip(dst.chunks_exact_mut(T::SIZE * STEP)) {
        let bytes = V::load(token, step, 0);
        if bytes.any_high() {
            // A step before a continuation byte is left to code that looks back to it.
            return if read > 0 && is_continuation(src[read]) { read - STEP } else { read };
        }
        target.widen_run(false, bytes, room, 0);
        read += STEP;
    }
    let bytes = V::load(token, src, last);
    if bytes.any_high() {
        return if is_continuation(src[read]) { read - STEP } else { read };
    }
    target.widen_run(false, bytes, &mut dst[T::SIZE * last..T::SIZE * src.len()], 0);
    src.len()
}

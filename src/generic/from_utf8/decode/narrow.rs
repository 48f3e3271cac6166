//! Characters of one and two bytes by single vectors, where stores are [masked](Vector::Masked).
//!
//! This comes before the other code for [a few](super::medium) or [many](super::convert) vectors,
//! which has more constants than a short text has steps.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar::utf8::is_continuation;
use crate::types::progress::Reach;

/// Widens the steps of ASCII at the front of `src`, of at least a step. `dst` has room for a unit
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

/// How far [`convert_narrow`] has come.
pub(crate) enum Narrow {
    /// To the end of the conversion.
    Ended(Reach),
    /// To a step that is not well-formed, or has longer characters.
    Until(Reach),
}

/// Converts `src` after the first `read` bytes, which are [ASCII](ascii_front), as long as there
/// are only characters of one and two bytes.
#[inline(always)]
pub(crate) fn convert_narrow<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut read: usize,
) -> Narrow {
    let splat = |byte| V::splat(token, byte);
    let mut written = T::SIZE * read;
    let last = src.len() - V::LANES;
    loop {
        let start = read.min(last);
        // The last step overlaps, and its first units are written again.
        let again = read - start;
        let bytes = V::load(token, src, start);
        // Before the start of the text, the place wraps to one that isn't there.
        let before = src.get(start.wrapping_sub(1)).copied().unwrap_or(0);
        let ended = !src.get(start + V::LANES).is_some_and(|&byte| is_continuation(byte));
        if !bytes.any_high() && before < 0x80 && ended {
            let base = written - T::SIZE * again;
            written = base + T::SIZE * V::LANES;
            target.widen_run(false, bytes, &mut dst[base..written], 0);
        } else {
            if bytes.any_from(token, 0xE0) {
                break;
            }
            // All bytes before are well-formed, but the last one may ask for more.
            let continuation = V::bits(&[bytes.continuation()]);
            let lead = V::bits(&[bytes.high()]) & !continuation;
            let asked = lead << 1 | u64::from(before >= 0xC0);
            let overlong = || V::bits(&[bytes.and(splat(0xFE)).equal(splat(0xC0))]) != 0;
            let is_cut_off = start == last && lead >> 63 != 0;
            if CHECK && (continuation != asked || overlong()) || is_cut_off {
                break;
            }
            let ends = !lead & u64::MAX >> 1 | u64::from(ended) << 63;
            let old = ends & V::first_bits(again);
            let base = written - T::SIZE * old.count_ones() as usize;
            let room = &mut dst[base..base + T::SIZE * V::LANES];
            let back = match start {
                0 => bytes.shifted::<1>(),
                _ => V::load(token, src, start - 1),
            };
            target.put_two_byte(bytes, back, ends, room);
            written = base + T::SIZE * ends.count_ones() as usize;
        }
        read = start + V::LANES;
        if start == last {
            return Narrow::Ended(Reach { read, written });
        }
    }
    Narrow::Until(Reach { read, written })
}

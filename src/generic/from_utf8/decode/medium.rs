//! Conversion of texts of a few vectors by single vectors, where a vector is a whole step.
//!
//! The fast lane needs a window around each step, so the two ends of a text take code of their own.
//! In a text of a few steps that is most of the work. Here one loop takes all steps: the first one
//! looks back to zeros, and the last one ends with the text and overlaps the step before.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::from_utf8::ascii_runs::incomplete_at_end;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::single::resume;
use crate::generic::from_utf8::decode::sizes::{UP_TO_FOUR_BYTES, UP_TO_THREE_BYTES};
use crate::generic::from_utf8::decode::step_input::RegisterWindow;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar::utf8::is_continuation;
use crate::types::progress::Reach;

/// The least number of bytes: the last step can look back.
const MEDIUM_MIN_BYTES: usize = STEP + LOOKBEHIND_BYTES;
/// The most bytes. For longer texts, the runs of the fast lane are worth its ends.
const MEDIUM_MAX_BYTES: usize = 512;

/// Returns true if [`convert_medium`] converts `len` bytes, whose units take at most `most` bytes,
/// into `out` bytes.
#[inline(always)]
pub(crate) fn fits(most: usize, len: usize, capacity: usize) -> bool {
    (MEDIUM_MIN_BYTES..=MEDIUM_MAX_BYTES).contains(&len) && capacity >= most
}

/// Converts `src`, which [fits] into `dst`, after the first `read` bytes, which have been converted
/// and are ASCII.
#[inline(always)]
pub(crate) fn convert_medium<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut read: usize,
) -> Reach {
    const { assert!(V::LANES == STEP, "a vector is a step") };
    let mut written = T::SIZE * read;
    let decoder = Utf8Decoder::<V>::new(token);
    let swapped = target.is_swapped();
    let last = src.len() - V::LANES;
    loop {
        let start = read.min(last);
        let step = Step {
            // Before the start of the text, the offset wraps to one that isn't there.
            window: src
                .get(start.wrapping_sub(LOOKBEHIND_BYTES)..)
                .and_then(|bytes| bytes.first_chunk()),
            next: src.get(start + STEP),
            again: read - start,
            written,
        };
        let bytes = V::load(token, src, start);
        let end = if !bytes.any_high() && step.is_apart() {
            let base = written - T::SIZE * step.again;
            let end = base + T::SIZE * V::LANES;
            target.widen_run(swapped, bytes, &mut dst[base..end], 0);
            Some(end)
        } else {
            step.convert::<V, T, CHECK>(target, &decoder, bytes, dst)
        };
        let Some(end) = end else {
            return resume::<V, T>(target, src, dst, read, written);
        };
        (read, written) = (start + V::LANES, end);
        if start == last {
            // Text known to be well-formed may also be cut off, if the caller takes it in pieces.
            if incomplete_at_end(token, bytes).any() {
                return resume::<V, T>(target, src, dst, read, written);
            }
            return Reach { read, written };
        }
    }
}

/// The surroundings of a step.
#[derive(Clone, Copy)]
struct Step<'a> {
    /// The bytes of the step, and those that it looks back to. `None` at the start of the text.
    window: Option<&'a [u8; LOOKBEHIND_BYTES + STEP]>,
    /// The byte after the step.
    next: Option<&'a u8>,
    /// The number of positions that have been decoded before, at the front.
    again: usize,
    /// The number of bytes written, up to and with these.
    written: usize,
}

impl Step<'_> {
    /// Returns true if no character lies across the ends of the step, which is ASCII.
    #[inline(always)]
    fn is_apart(self) -> bool {
        self.window.is_none_or(|bytes| bytes[LOOKBEHIND_BYTES - 1] < 0x80)
            && !self.next.is_some_and(|&byte| is_continuation(byte))
    }

    /// Decodes the step and returns the new number of bytes written, or `None` if it contains
    /// ill-formed or unmappable input.
    #[inline(always)]
    fn convert<V: Vector, T: Target<V>, const CHECK: bool>(
        self,
        target: T,
        decoder: &Utf8Decoder<V>,
        bytes: V,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let input = match self.window {
            Some(bytes) => RegisterWindow::after(decoder.token, bytes, self.next),
            None => RegisterWindow::first(bytes, self.next),
        };
        // All bytes of the step, and all that it looks back to, are in one of the two.
        let most = bytes.max(decoder.load(input, 0, LOOKBEHIND_BYTES));
        if most.any_from(decoder.token, 0xF0) {
            self.convert_of::<V, T, UP_TO_FOUR_BYTES, CHECK>(target, decoder, input, dst)
        } else {
            self.convert_of::<V, T, UP_TO_THREE_BYTES, CHECK>(target, decoder, input, dst)
        }
    }

    /// [`convert`](Self::convert) without characters of more than `LONGEST` bytes.
    #[inline(always)]
    fn convert_of<V: Vector, T: Target<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        target: T,
        decoder: &Utf8Decoder<V>,
        input: RegisterWindow<V>,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let keep = target.find_character_ends::<_, LONGEST, CHECK>(decoder, input)?;
        let again = keep & !(u64::MAX << self.again);
        let base = self.written - T::SIZE * again.count_ones() as usize;
        let out = &mut dst[base..base + T::SIZE * V::LANES];
        Some(base + T::SIZE * target.emit::<_, LONGEST>(decoder, input, keep, out))
    }
}

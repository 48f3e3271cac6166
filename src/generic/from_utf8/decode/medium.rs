//! Conversion of texts of a few vectors, for vectors of a whole step.
//!
//! The fast lane needs a window around each step, so the two ends of a text are decoded by other
//! code, which is most of the work in a text of a few steps. Here one loop decodes all steps:
//!
//! 1. Load a step. The first one looks back to zeros. The last one ends with the text and overlaps
//!    the step before; the units of the positions that overlap are written again.
//! 2. If it is ASCII and no character is split across its ends, widen it.
//! 3. Else decode it, with the code for up to three or up to four bytes.

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

/// The fewest bytes: the last step can look back.
const MEDIUM_MIN_BYTES: usize = STEP + LOOKBEHIND_BYTES;
/// The most bytes. In longer texts, the runs of the fast lane save more than its ends cost.
const MEDIUM_MAX_BYTES: usize = 512;

/// Returns true if [`convert_medium`] can convert `len` bytes, whose units have at most `most`
/// bytes, into `capacity` bytes.
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
            // Before the start of the text, the offset wraps and is out of bounds.
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
            // Text known to be well-formed may also end inside a sequence, if it is a chunk.
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
    /// The bytes of the step, and the bytes that it looks back to, or `None` at the start of the
    /// text.
    window: Option<&'a [u8; LOOKBEHIND_BYTES + STEP]>,
    /// The byte after the step.
    next: Option<&'a u8>,
    /// The number of positions at the start of the step that have been decoded before.
    again: usize,
    /// The number of bytes written, including the units of these positions.
    written: usize,
}

impl Step<'_> {
    /// Returns true if no character is split across the ends of the step, which is ASCII.
    #[inline(always)]
    fn is_apart(self) -> bool {
        self.window.is_none_or(|bytes| bytes[LOOKBEHIND_BYTES - 1] < 0x80)
            && !self.next.is_some_and(|&byte| is_continuation(byte))
    }

    /// Decodes the step. Returns the new number of bytes written, or `None` if there is an
    /// ill-formed sequence or an unmappable character.
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
        // These two vectors contain all bytes of the step and all bytes that it looks back to.
        let most = bytes.max(decoder.load(input, 0, LOOKBEHIND_BYTES));
        if most.any_from(decoder.token, 0xF0) {
            self.convert_of::<V, T, UP_TO_FOUR_BYTES, CHECK>(target, decoder, input, dst)
        } else {
            self.convert_of::<V, T, UP_TO_THREE_BYTES, CHECK>(target, decoder, input, dst)
        }
    }

    /// [`convert`](Self::convert) if no character has more than `LONGEST` bytes.
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

//! Converts texts of a few vectors, on instruction sets whose vectors are a whole step.
//!
//! The fast loop of [`convert`](super::convert) needs a window around each step, so other code
//! decodes the start and the end of a text. In a text of a few steps, that is most of the work.
//! Here one loop decodes all steps:
//!
//! 1. Load a step. The first step looks back to zeros. The last step ends with the text and
//!    overlaps the step before it; the units of the positions that overlap are written again.
//! 2. If the step is ASCII and no character is split across its start or end, widen it.
//! 3. Else decode the step, with the code for characters of up to three or up to four bytes.

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

/// The minimum length of a text, in bytes: the last step must be able to look back.
const MEDIUM_MIN_BYTES: usize = STEP + LOOKBEHIND_BYTES;
/// The maximum length of a text, in bytes. In longer texts, the runs of the fast loop save more
/// than the separate code for the start and the end costs.
const MEDIUM_MAX_BYTES: usize = 512;

/// Returns true if [`convert_medium`] can convert `len` bytes into `capacity` bytes. The output has
/// at most `max_output_len` bytes.
#[inline(always)]
pub(crate) fn fits(max_output_len: usize, len: usize, capacity: usize) -> bool {
    (MEDIUM_MIN_BYTES..=MEDIUM_MAX_BYTES).contains(&len) && capacity >= max_output_len
}

/// Converts `src`, which [fits] into `dst`, after the first `read` bytes, which are ASCII and have
/// been converted.
#[inline(always)]
pub(crate) fn convert_medium<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut read: usize,
) -> Reach {
    const { assert!(V::LANES == STEP, "a vector is a whole step") };
    let mut written = T::UNIT_BYTES * read;
    let decoder = Utf8Decoder::<V>::new(token);
    let last = src.len() - V::LANES;
    loop {
        let start = read.min(last);
        let step = Step {
            // If the window would begin before the text, the offset wraps and is out of bounds.
            window: src
                .get(start.wrapping_sub(LOOKBEHIND_BYTES)..)
                .and_then(|bytes| bytes.first_chunk()),
            next: src.get(start + STEP),
            repeated: read - start,
            written,
        };
        let bytes = V::load(token, src, start);
        let end = if !bytes.any_high_bit() && step.splits_no_character() {
            let base = written - T::UNIT_BYTES * step.repeated;
            let end = base + T::UNIT_BYTES * V::LANES;
            target.widen(bytes, &mut dst[base..end], 0);
            Some(end)
        } else {
            step.convert::<V, T, CHECK>(target, &decoder, bytes, dst)
        };
        let Some(end) = end else {
            return resume(target, src, dst, read, written);
        };
        (read, written) = (start + V::LANES, end);
        if start == last {
            // Text that is known to be well-formed may also end inside a sequence, if it is a
            // chunk.
            if incomplete_at_end(token, bytes).any() {
                return resume(target, src, dst, read, written);
            }
            return Reach { read, written };
        }
    }
}

/// A step of the conversion: the bytes around it, and the progress before it.
#[derive(Clone, Copy)]
struct Step<'a> {
    /// The bytes of the step, and the bytes that it looks back to, or `None` at the start of the
    /// text.
    window: Option<&'a [u8; LOOKBEHIND_BYTES + STEP]>,
    /// The byte after the step, or `None` at the end of the text.
    next: Option<&'a u8>,
    /// The number of positions at the start of the step that have been decoded already.
    repeated: usize,
    /// The number of bytes written, including the units of these positions.
    written: usize,
}

impl Step<'_> {
    /// Returns true if no character is split across the start or the end of the step. The step must
    /// be ASCII.
    #[inline(always)]
    fn splits_no_character(self) -> bool {
        self.window.is_none_or(|bytes| bytes[LOOKBEHIND_BYTES - 1] < 0x80)
            && !self.next.is_some_and(|&byte| is_continuation(byte))
    }

    /// Decodes the step, whose bytes are `bytes`. Returns the new number of bytes written, or
    /// `None` if there is an ill-formed sequence or an unmappable character.
    #[inline(always)]
    fn convert<V: Vector, T: Target, const CHECK: bool>(
        self,
        target: T,
        decoder: &Utf8Decoder<V>,
        bytes: V,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let input = match self.window {
            Some(bytes) => RegisterWindow::from_later(decoder.token, bytes, self.next),
            None => RegisterWindow::from_first(bytes, self.next),
        };
        // These two vectors contain all bytes of the step and all bytes that it looks back to.
        let largest = bytes.max(decoder.load(input, 0, LOOKBEHIND_BYTES));
        if largest.any_at_least(decoder.token, 0xF0) {
            self.convert_up_to::<V, T, UP_TO_FOUR_BYTES, CHECK>(target, decoder, input, dst)
        } else {
            self.convert_up_to::<V, T, UP_TO_THREE_BYTES, CHECK>(target, decoder, input, dst)
        }
    }

    /// Does the same as [`convert`](Self::convert), if no character has more than `LONGEST` bytes.
    #[inline(always)]
    fn convert_up_to<V: Vector, T: Target, const LONGEST: usize, const CHECK: bool>(
        self,
        target: T,
        decoder: &Utf8Decoder<V>,
        input: RegisterWindow<V>,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let keep = target.find_character_ends::<_, _, LONGEST, CHECK>(decoder, input)?;
        let repeated = keep & !(u64::MAX << self.repeated);
        let base = self.written - T::UNIT_BYTES * repeated.count_ones() as usize;
        let out = &mut dst[base..base + T::UNIT_BYTES * V::LANES];
        Some(base + T::UNIT_BYTES * target.emit::<_, _, LONGEST>(decoder, input, keep, out))
    }
}

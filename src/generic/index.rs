//! Counts of blocks for an index: code points, UTF-16 units and line feeds in one pass.
//!
//! A stride is asked for line feeds, and whether it is ASCII; only if it isn't, it is looked at again, in the nearest cache,
//! for what makes the other counts differ from its length.

use super::count;
use crate::arch::Vector;
use crate::index::{BLOCK, Counts};

/// Bytes that are looked at together.
const STRIDE: usize = 256;

/// Strides of a block.
const STRIDES: usize = BLOCK / STRIDE;

/// Vectors that collect each count.
const SUMS: usize = 2;
/// What a lane can take.
const _: () = assert!(BLOCK / 16 / SUMS <= 255);

/// The counts of each block.
#[inline(always)]
pub(crate) fn count_blocks<V: Vector>(
    token: V::Token,
    blocks: &[[u8; BLOCK]],
    counts: &mut [Counts<u16>],
) {
    let mut tally = Tally::<V>::new(token);
    let mut counts = counts.iter_mut();
    // A loop over strides, not over blocks: that of a block would be unrolled, and all of the block loaded at once.
    let mut strides = 0;
    for stride in blocks.as_flattened().as_chunks::<STRIDE>().0 {
        tally.see(token, stride);
        strides += 1;
        if strides == STRIDES {
            strides = 0;
            if let Some(counts) = counts.next() {
                *counts = tally.sum_up();
            }
            tally = Tally::new(token);
        }
    }
}

/// What has been counted of a block, by lane.
struct Tally<V: Vector> {
    lines: [V; SUMS],
    continuations: [V; SUMS],
    fours: [V; SUMS],
}

impl<V: Vector> Tally<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        let none = [V::splat(token, 0); SUMS];
        Self { lines: none, continuations: none, fours: none }
    }

    /// Counts a stride.
    #[inline(always)]
    fn see(&mut self, token: V::Token, stride: &[u8; STRIDE]) {
        let newline = V::splat(token, b'\n');
        let mut any = [V::splat(token, 0); SUMS];
        let mut k = 0;
        while k < STRIDE / V::LANES {
            let (bytes, sum) = (V::load(token, stride, k * V::LANES), k % SUMS);
            self.lines[sum] = self.lines[sum].wrapping_sub(V::of_mask(bytes.equal(newline)));
            any[sum] = any[sum].or(bytes);
            k += 1;
        }
        if any[0].or(any[1]).any_high() {
            self.see_beyond_ascii(token, stride);
        }
    }

    /// Counts continuation bytes, and bytes from F0 on.
    #[inline(always)]
    fn see_beyond_ascii(&mut self, token: V::Token, stride: &[u8; STRIDE]) {
        let mut k = 0;
        while k < STRIDE / V::LANES {
            let (bytes, sum) = (V::load(token, stride, k * V::LANES), k % SUMS);
            let continuation = count::continuation(bytes);
            let four = count::four(token, bytes);
            self.continuations[sum] = self.continuations[sum].wrapping_sub(continuation);
            self.fours[sum] = self.fours[sum].wrapping_sub(four);
            k += 1;
        }
    }

    /// The counts.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a block has few of everything")]
    fn sum_up(&self) -> Counts<u16> {
        let code_points = BLOCK as u16 - V::sum(&self.continuations) as u16;
        let utf16_units = code_points + V::sum(&self.fours) as u16;
        Counts { code_points, utf16_units, lines: V::sum(&self.lines) as u16 }
    }
}

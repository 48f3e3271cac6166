//! Counts of blocks for an index: code points, UTF-16 units and line feeds in one pass.
//!
//! 1. In each stride of 256 bytes, count line feeds, and test it for ASCII.
//! 2. If a stride is not ASCII, load it again, from the nearest cache, and count continuation bytes
//!    and bytes from 0xF0 on.
//! 3. At the end of a block, sum the lanes. Code points are the bytes minus the continuation bytes.
//!    UTF-16 units are the code points plus the bytes from 0xF0 on.

use crate::arch::vector::Vector;
use crate::generic::count::utf8 as count;
use crate::types::counts::{CHECKPOINT_BYTES, Counts};

/// Bytes that are searched together.
const SEARCH_STRIDE_BYTES: usize = 256;

/// Strides of a block.
const CHECKPOINT_STRIDES: usize = CHECKPOINT_BYTES / SEARCH_STRIDE_BYTES;

/// Vectors that collect each count.
const INDEX_SUM_VECTORS: usize = 2;
/// The largest sum that a lane can hold.
const _: () = assert!(CHECKPOINT_BYTES / 16 / INDEX_SUM_VECTORS <= 255);

/// Counts each block into `counts`.
#[inline(always)]
pub(crate) fn count_blocks<V: Vector>(
    token: V::Token,
    blocks: &[[u8; CHECKPOINT_BYTES]],
    counts: &mut [Counts<u16>],
) {
    let mut tally = Tally::<V>::new(token);
    let mut counts = counts.iter_mut();
    // A loop over strides, not over blocks: LLVM would unroll an inner loop, and load the whole
    // block at once.
    let mut strides = 0;
    for stride in blocks.as_flattened().as_chunks::<SEARCH_STRIDE_BYTES>().0 {
        tally.count_stride(token, stride);
        strides += 1;
        if strides == CHECKPOINT_STRIDES {
            strides = 0;
            if let Some(counts) = counts.next() {
                *counts = tally.sum_up();
            }
            tally = Tally::new(token);
        }
    }
}

/// The counts of a block, by lane.
struct Tally<V: Vector> {
    /// Line feeds.
    lines: [V; INDEX_SUM_VECTORS],
    /// Continuation bytes.
    continuations: [V; INDEX_SUM_VECTORS],
    /// Bytes from 0xF0 on.
    four_byte: [V; INDEX_SUM_VECTORS],
}

impl<V: Vector> Tally<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        let none = [V::splat(token, 0); INDEX_SUM_VECTORS];
        Self { lines: none, continuations: none, four_byte: none }
    }

    /// Counts a stride.
    #[inline(always)]
    fn count_stride(&mut self, token: V::Token, stride: &[u8; SEARCH_STRIDE_BYTES]) {
        let newline = V::splat(token, b'\n');
        let mut any = [V::splat(token, 0); INDEX_SUM_VECTORS];
        let mut k = 0;
        while k < SEARCH_STRIDE_BYTES / V::LANES {
            let (bytes, sum) = (V::load(token, stride, k * V::LANES), k % INDEX_SUM_VECTORS);
            self.lines[sum] = self.lines[sum].wrapping_sub(V::from_mask(bytes.equal(newline)));
            any[sum] = any[sum].or(bytes);
            k += 1;
        }
        if any[0].or(any[1]).any_high() {
            self.count_beyond_ascii(token, stride);
        }
    }

    /// Counts continuation bytes, and bytes from 0xF0 on.
    #[inline(always)]
    fn count_beyond_ascii(&mut self, token: V::Token, stride: &[u8; SEARCH_STRIDE_BYTES]) {
        let mut k = 0;
        while k < SEARCH_STRIDE_BYTES / V::LANES {
            let (bytes, sum) = (V::load(token, stride, k * V::LANES), k % INDEX_SUM_VECTORS);
            let continuation = count::continuation(bytes);
            let four = count::four_byte(token, bytes);
            self.continuations[sum] = self.continuations[sum].wrapping_sub(continuation);
            self.four_byte[sum] = self.four_byte[sum].wrapping_sub(four);
            k += 1;
        }
    }

    /// Returns the counts.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a block has few of everything")]
    fn sum_up(&self) -> Counts<u16> {
        let code_points = CHECKPOINT_BYTES as u16 - V::sum(&self.continuations) as u16;
        let utf16_units = code_points + V::sum(&self.four_byte) as u16;
        Counts { code_points, utf16_units, lines: V::sum(&self.lines) as u16 }
    }
}

//! Counts the code points, UTF-16 units and line feeds of each block of an index, in one pass. A
//! block has [`CHECKPOINT_BYTES`] bytes.
//!
//! 1. In each stride of 256 bytes, count line feeds, and test the stride for ASCII.
//! 2. If a stride is not ASCII, load it again, from the nearest cache, and count continuation bytes
//!    and bytes of 0xF0 or above.
//! 3. At the end of a block, sum the lanes. The number of code points is the number of bytes minus
//!    the number of continuation bytes. The number of UTF-16 units is the number of code points
//!    plus the number of bytes of 0xF0 or above.

use crate::arch::vector::Vector;
use crate::generic::count::utf8 as count;
use crate::types::counts::{CHECKPOINT_BYTES, Counts};

/// The size of a stride, in bytes.
const STRIDE_BYTES: usize = 256;

/// The number of strides in a block.
const BLOCK_STRIDES: usize = CHECKPOINT_BYTES / STRIDE_BYTES;

/// The number of vectors that collect each count.
const INDEX_SUM_VECTORS: usize = 2;
/// The sum in a lane is at most 255.
const _: () = assert!(CHECKPOINT_BYTES / 16 / INDEX_SUM_VECTORS <= 255);

/// Counts each block, and writes the results to `counts`.
#[inline(always)]
pub(crate) fn count_blocks<V: Vector>(
    token: V::Token,
    blocks: &[[u8; CHECKPOINT_BYTES]],
    counts: &mut [Counts<u16>],
) {
    let mut tally = Tally::<V>::new(token);
    let mut counts = counts.iter_mut();
    // This loop is over strides instead of blocks, because LLVM would unroll an inner loop, and
    // load a whole block at once.
    let mut strides = 0;
    for stride in blocks.as_flattened().as_chunks::<STRIDE_BYTES>().0 {
        tally.count_stride(token, stride);
        strides += 1;
        if strides == BLOCK_STRIDES {
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
    /// The number of line feeds.
    lines: [V; INDEX_SUM_VECTORS],
    /// The number of continuation bytes.
    continuations: [V; INDEX_SUM_VECTORS],
    /// The number of bytes of 0xF0 or above.
    four_byte: [V; INDEX_SUM_VECTORS],
}

impl<V: Vector> Tally<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        let zeros = [V::splat(token, 0); INDEX_SUM_VECTORS];
        Self { lines: zeros, continuations: zeros, four_byte: zeros }
    }

    /// Adds the counts of a stride.
    #[inline(always)]
    fn count_stride(&mut self, token: V::Token, stride: &[u8; STRIDE_BYTES]) {
        let newline = V::splat(token, b'\n');
        let mut all_bytes = [V::splat(token, 0); INDEX_SUM_VECTORS];
        let mut k = 0;
        while k < STRIDE_BYTES / V::LANES {
            let (bytes, sum) = (V::load(token, stride, k * V::LANES), k % INDEX_SUM_VECTORS);
            self.lines[sum] = self.lines[sum].wrapping_sub(V::from_mask(bytes.equal(newline)));
            all_bytes[sum] = all_bytes[sum].or(bytes);
            k += 1;
        }
        if all_bytes[0].or(all_bytes[1]).any_high_bit() {
            self.count_beyond_ascii(token, stride);
        }
    }

    /// Adds the numbers of continuation bytes and of bytes of 0xF0 or above in a stride.
    #[inline(always)]
    fn count_beyond_ascii(&mut self, token: V::Token, stride: &[u8; STRIDE_BYTES]) {
        let mut k = 0;
        while k < STRIDE_BYTES / V::LANES {
            let (bytes, sum) = (V::load(token, stride, k * V::LANES), k % INDEX_SUM_VECTORS);
            let continuation = count::continuation(bytes);
            let four = count::four_byte(token, bytes);
            self.continuations[sum] = self.continuations[sum].wrapping_sub(continuation);
            self.four_byte[sum] = self.four_byte[sum].wrapping_sub(four);
            k += 1;
        }
    }

    /// Returns the counts of the block.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "no count exceeds CHECKPOINT_BYTES")]
    fn sum_up(&self) -> Counts<u16> {
        let code_points = CHECKPOINT_BYTES as u16 - V::sum(&self.continuations) as u16;
        let utf16_units = code_points + V::sum(&self.four_byte) as u16;
        Counts { code_points, utf16_units, lines: V::sum(&self.lines) as u16 }
    }
}

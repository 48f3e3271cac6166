//! Counts the code points, UTF-16 units and line feeds of each block of an index. A block has
//! [`CHECKPOINT_BYTES`] bytes, and stays in the nearest cache.
//!
//! 1. Count line feeds, and test the block for ASCII.
//! 2. If the block is not ASCII, count continuation bytes and bytes of 0xF0 or above. The number of
//!    code points is the number of bytes minus the number of continuation bytes. The number of
//!    UTF-16 units is the number of code points plus the number of bytes of 0xF0 or above.

use crate::arch::vector::Vector;
use crate::generic::ascii;
use crate::generic::count::utf8::{Continuations, FourByte, Newlines, surplus_of_blocks};
use crate::types::counts::{CHECKPOINT_BYTES, Counts};

/// Counts each block, and writes the results to `counts`.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "no count exceeds CHECKPOINT_BYTES")]
pub(crate) fn count_blocks<V: Vector>(
    token: V::Token,
    blocks: &[[u8; CHECKPOINT_BYTES]],
    counts: &mut [Counts<u16>],
) {
    for (block, counts) in blocks.iter().zip(counts) {
        let parts = block.as_chunks().0;
        let (mut continuations, mut four_byte) = (0, 0);
        if !ascii::is_long_run::<V>(token, block) {
            continuations = surplus_of_blocks::<V, Continuations>(token, parts) as u16;
            four_byte = surplus_of_blocks::<V, FourByte>(token, parts) as u16;
        }
        let code_points = CHECKPOINT_BYTES as u16 - continuations;
        let lines = surplus_of_blocks::<V, Newlines>(token, parts) as u16;
        *counts = Counts { code_points, utf16_units: code_points + four_byte, lines };
    }
}

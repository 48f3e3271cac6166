//! Counts of blocks for an index: code points, UTF-16 units and line feeds in one pass.
//!
//! A block is first asked for line feeds, and whether it is ASCII; only if it isn't, it is looked at again, in the cache, for
//! what makes the other counts differ from its length.

use crate::arch::Vector;
use crate::index::{BLOCK, Counts};

/// The counts of each block.
#[inline(always)]
pub(crate) fn count_blocks<V: Vector>(
    token: V::Token,
    blocks: &[[u8; BLOCK]],
    counts: &mut [Counts<u16>],
) {
    for (block, counts) in blocks.iter().zip(counts) {
        *counts = count_block::<V>(token, block);
    }
}

/// Vectors that collect.
const SUMS: usize = 4;
/// What a lane can take.
const _: () = assert!(BLOCK / 16 / SUMS <= 255);

/// The counts of a block.
#[inline(always)]
fn count_block<V: Vector>(token: V::Token, block: &[u8; BLOCK]) -> Counts<u16> {
    let (zero, newline) = (V::splat(token, 0), V::splat(token, b'\n'));
    let (mut lines, mut any) = ([zero; SUMS], [zero; SUMS]);
    let mut at = 0;
    while at < BLOCK {
        let mut k = 0;
        while k < SUMS {
            let bytes = V::load(token, block, at + k * V::LANES);
            lines[k] = lines[k].wrapping_sub(V::of_mask(bytes.equal(newline)));
            any[k] = any[k].or(bytes);
            k += 1;
        }
        at += SUMS * V::LANES;
    }
    let lines = V::sum(&lines) as u16;
    let (mut code_points, mut utf16_units) = (BLOCK as u16, BLOCK as u16);
    if any[0].or(any[1]).or(any[2].or(any[3])).any_high() {
        let (continuations, fours) = count_beyond_ascii::<V>(token, block);
        code_points -= continuations;
        utf16_units = code_points + fours;
    }
    Counts { code_points, utf16_units, lines }
}

/// Continuation bytes, and bytes from F0 on.
#[inline(always)]
fn count_beyond_ascii<V: Vector>(token: V::Token, block: &[u8; BLOCK]) -> (u16, u16) {
    // What is left of a byte from F0 on is 80 and more.
    let (zero, below_four) = (V::splat(token, 0), V::splat(token, 0xF0 - 0x80));
    let (mut continuations, mut fours) = ([zero; SUMS], [zero; SUMS]);
    let mut at = 0;
    while at < BLOCK {
        let mut k = 0;
        while k < SUMS {
            let bytes = V::load(token, block, at + k * V::LANES);
            let four = V::of_mask(bytes.saturating_sub(below_four).high());
            continuations[k] = continuations[k].wrapping_sub(V::of_mask(bytes.continuation()));
            fours[k] = fours[k].wrapping_sub(four);
            k += 1;
        }
        at += SUMS * V::LANES;
    }
    (V::sum(&continuations) as u16, V::sum(&fours) as u16)
}

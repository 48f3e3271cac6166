//! Left packing: leaving out lanes, for instruction sets without a compress instruction.
//!
//! 1. Eight bits of the mask select a row of a shuffle table: the bytes to keep of eight 16-bit
//!    lanes, or of four 32-bit lanes.
//! 2. A shuffle by the row moves these bytes to the front.
//! 3. The whole vector is stored. The next group overwrites the bytes after the kept ones.
//!
//! This file computes the bits that select a row, and the offset in the output.

/// Returns the bits of `keep` for the lanes of vector `k`; a vector has `lanes` lanes. The result
/// has 32 bits, because 32-bit instructions are shorter.
#[inline(always)]
pub(super) const fn part(keep: u64, k: usize, lanes: usize) -> u32 {
    debug_assert!(lanes <= 32);
    #[expect(clippy::cast_possible_truncation, reason = "a vector has at most 32 lanes")]
    let bits = (keep >> (k * lanes)) as u32;
    bits & (u32::MAX >> (32 - lanes))
}

/// Returns the number of set bits of `lanes` that are lower than bit `bit`.
#[inline(always)]
fn count_bits_below(lanes: u32, bit: usize) -> usize {
    (lanes & ((1 << bit) - 1)).count_ones() as usize
}

/// Implements `Vector::kept_before`. It counts in 32-bit halves of `keep`.
#[inline(always)]
pub(super) fn kept_before(keep: u64, group: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
    let (low, high) = (keep as u32, (keep >> 32) as u32);
    match group {
        0..4 => count_bits_below(low, 8 * group),
        4 => low.count_ones() as usize,
        _ => low.count_ones() as usize + count_bits_below(high, 8 * group - 32),
    }
}

/// Returns the eight bits of `lanes` for a group: the index of its shuffle row.
#[inline(always)]
pub(super) fn of_group(lanes: u32, group: usize) -> usize {
    (lanes >> (8 * group) & 0xFF) as usize
}

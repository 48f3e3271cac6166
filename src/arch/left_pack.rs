//! Left packing: leaving out lanes, for instruction sets without an instruction for it.
//!
//! 1. Eight bits of the mask select a row of a shuffle table: the bytes to keep of eight 16-bit
//!    lanes, or of four 32-bit lanes.
//! 2. A shuffle by the row moves these bytes to the front.
//! 3. They are stored as a whole vector. The next group overwrites the rest.
//!
//! This file computes the bits that select a row, and the offset in the output.

/// Returns the bits of vector `k` of `lanes` lanes. 32 bits, because their instructions are
/// shorter.
#[inline(always)]
pub(super) const fn part(keep: u64, k: usize, lanes: usize) -> u32 {
    debug_assert!(lanes <= 32);
    #[expect(clippy::cast_possible_truncation, reason = "a vector has at most 32 lanes")]
    let bits = (keep >> (k * lanes)) as u32;
    bits & (u32::MAX >> (32 - lanes))
}

/// Returns the number of set bits of `lanes` below bit `bit`.
#[inline(always)]
fn before(lanes: u32, bit: usize) -> usize {
    (lanes & ((1 << bit) - 1)).count_ones() as usize
}

/// Implements `Vector::kept_before`, by 32-bit halves.
#[inline(always)]
pub(super) fn kept_before(keep: u64, group: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
    let (low, high) = (keep as u32, (keep >> 32) as u32);
    match group {
        0..4 => before(low, 8 * group),
        4 => low.count_ones() as usize,
        _ => low.count_ones() as usize + before(high, 8 * group - 32),
    }
}

/// Returns the eight bits of a group.
#[inline(always)]
pub(super) fn of_group(lanes: u32, group: usize) -> usize {
    (lanes >> (8 * group) & 0xFF) as usize
}

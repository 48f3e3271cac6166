//! Left packing: how sets without an instruction for it leave out lanes.
//!
//! A row of a table names the bytes to keep of eight 16-bit lanes, or of four 32-bit lanes, and a
//! shuffle by the row moves them to the front. The next eight overwrite the rest. This file has the
//! bits that choose a row, and the place where its lanes go.

/// The bits of vector `k` of so many lanes. Half a word: its instructions are shorter.
#[inline(always)]
pub(super) const fn part(keep: u64, k: usize, lanes: usize) -> u32 {
    debug_assert!(lanes <= 32);
    #[expect(clippy::cast_possible_truncation, reason = "a vector has at most 32 lanes")]
    let bits = (keep >> (k * lanes)) as u32;
    bits & (u32::MAX >> (32 - lanes))
}

/// Set bits of `lanes` below bit `bit`.
#[inline(always)]
fn before(lanes: u32, bit: usize) -> usize {
    (lanes & ((1 << bit) - 1)).count_ones() as usize
}

/// The body of `Vector::kept_before`, by half words.
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

/// The eight bits of a group.
#[inline(always)]
pub(super) fn of_group(lanes: u32, group: usize) -> usize {
    (lanes >> (8 * group) & 0xFF) as usize
}

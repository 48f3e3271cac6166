//! Counts of code points, UTF-16 code units, four-byte characters and newlines in UTF-8, and the
//! length of Latin-1 in UTF-8, without validation.
//!
//! Each count is computed from a *surplus*, which is the sum of the weights of all bytes:
//!
//! * The number of code points is the number of bytes minus the surplus. A continuation byte has
//!   weight 1.
//! * The number of UTF-16 units is the number of bytes minus the surplus. A continuation byte has
//!   weight 1. A byte of 0xF0 or above has weight -1, because its character has two units.
//! * The length of Latin-1 in UTF-8 is the number of bytes plus the surplus. A byte of 0x80 or
//!   above has weight 1.
//! * The number of four-byte characters, or of newlines, is the surplus.
//!
//! The surplus is computed in three steps:
//!
//! 1. Compute the negated weight of each byte, by a comparison or a lookup, and subtract it from
//!    one of four vectors of sums.
//! 2. Before a lane may overflow, add the lanes to the total, and clear them.
//! 3. The last vector ends at the end of the text. A mask zeroes the bytes that have already been
//!    counted; a zero has weight 0. In long texts, a masked first vector makes the other loads
//!    aligned.

use crate::arch::optional::{LookUpOps, MaskedOps, Presence};
use crate::arch::vector::Vector;
use crate::generic::edge_lanes;
use crate::swar::words;

/// The number of bytes that one pass of the loop counts.
pub(crate) const COUNT_BLOCK_BYTES: usize = 128;

/// The number of vectors that collect the surplus.
const SUM_VECTORS: usize = 4;

/// Returns the number of code points: the number of bytes that are not `0b10xxxxxx`.
#[inline(always)]
pub(crate) fn code_points<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    src.len().wrapping_sub(surplus::<V, Continuations>(token, src))
}

/// Returns the number of UTF-16 code units: the number of code points plus the number of bytes of
/// 0xF0 or above.
#[inline(always)]
pub(crate) fn utf16_units<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    src.len().wrapping_sub(surplus::<V, ContinuationsAndPairs>(token, src))
}

/// Returns the length of the Latin-1 text `src` in UTF-8, in bytes.
#[inline(always)]
pub(crate) fn utf8_bytes_of_latin1<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    src.len().wrapping_add(surplus::<V, Latin1>(token, src))
}

/// Returns the number of four-byte characters: the number of bytes of 0xF0 or above.
#[inline(always)]
pub(crate) fn supplementary<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    surplus::<V, FourByte>(token, src)
}

/// Returns the number of line feeds.
#[inline(always)]
pub(crate) fn newlines<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    surplus::<V, Newlines>(token, src)
}

/// A quantity for which each byte counts zero, one or two times.
pub(crate) trait Sought {
    /// True if the quantity is the number of bytes minus the surplus; false if it is the surplus.
    const COUNTS_OTHERS: bool;

    /// True if some lanes count twice.
    const COUNTS_TWICE: bool = false;

    /// Returns two masks. The first has the lanes that count, or with
    /// [`COUNTS_OTHERS`](Self::COUNTS_OTHERS) the lanes that do not count. The second has the lanes
    /// that count twice, if [`COUNTS_TWICE`](Self::COUNTS_TWICE); else it is not used.
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2];
}

/// A quantity whose surplus is counted.
pub(crate) trait Quantity: Sought {
    /// The negated weights by the upper six bits of a byte: 0xFF, which is -1, for weight 1, and 1
    /// for weight -1. `None` if these bits do not determine the weight.
    const NEGATED_WEIGHTS: Option<&'static [u8; 64]>;

    /// Returns the negated weights of `bytes`, without a lookup in
    /// [`NEGATED_WEIGHTS`](Self::NEGATED_WEIGHTS).
    #[inline(always)]
    fn compare<V: Vector>(token: V::Token, bytes: V) -> V {
        let [counted, _] = Self::lanes(token, bytes);
        V::from_mask(counted)
    }
}

/// The number of continuation bytes.
pub(crate) struct Continuations;

impl Sought for Continuations {
    const COUNTS_OTHERS: bool = true;

    #[inline(always)]
    fn lanes<V: Vector>(_: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.continuation(); 2]
    }
}

impl Quantity for Continuations {
    const NEGATED_WEIGHTS: Option<&'static [u8; 64]> = {
        static WEIGHTS: [u8; 64] = minus_one_from(0x80, 0xC0);
        Some(&WEIGHTS)
    };
}

/// The number of continuation bytes minus the number of bytes of 0xF0 or above.
pub(crate) struct ContinuationsAndPairs;

impl Sought for ContinuationsAndPairs {
    const COUNTS_OTHERS: bool = true;
    const COUNTS_TWICE: bool = true;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.continuation(), bytes.at_least(token, 0xF0)]
    }
}

impl Quantity for ContinuationsAndPairs {
    const NEGATED_WEIGHTS: Option<&'static [u8; 64]> = {
        static WEIGHTS: [u8; 64] = {
            let mut weights = minus_one_from(0x80, 0xC0);
            [weights[60], weights[61], weights[62], weights[63]] = [1; 4];
            weights
        };
        Some(&WEIGHTS)
    };

    #[inline(always)]
    fn compare<V: Vector>(token: V::Token, bytes: V) -> V {
        /// The negated weights by the high nibble of a byte.
        const BY_NIBBLE: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1];
        bytes.high_nibble().lookup16(V::table(token, &BY_NIBBLE))
    }
}

/// The number of bytes of 0xF0 or above.
pub(crate) struct FourByte;

impl Sought for FourByte {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.at_least(token, 0xF0); 2]
    }
}

impl Quantity for FourByte {
    const NEGATED_WEIGHTS: Option<&'static [u8; 64]> = {
        static WEIGHTS: [u8; 64] = minus_one_from(0xF0, 0x100);
        Some(&WEIGHTS)
    };
}

/// The number of bytes of 0x80 or above.
struct Latin1;

impl Sought for Latin1 {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(_: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.high_bit_mask(); 2]
    }
}

impl Quantity for Latin1 {
    const NEGATED_WEIGHTS: Option<&'static [u8; 64]> = {
        static WEIGHTS: [u8; 64] = minus_one_from(0x80, 0x100);
        Some(&WEIGHTS)
    };
}

/// The number of line feeds.
pub(crate) struct Newlines;

impl Sought for Newlines {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.equal(V::splat(token, b'\n')); 2]
    }
}

impl Quantity for Newlines {
    const NEGATED_WEIGHTS: Option<&'static [u8; 64]> = None;
}

/// Returns a table by the upper six bits of a byte: -1 for the bytes from `start` on and before
/// `end`, else 0.
const fn minus_one_from(start: usize, end: usize) -> [u8; 64] {
    let mut table = [0; 64];
    let mut i = start / 4;
    while i < end / 4 {
        table[i] = 0xFF;
        i += 1;
    }
    table
}

/// Returns the negated weights of `bytes`.
#[inline(always)]
pub(super) fn negated_weights<V: Vector, Q: Quantity>(token: V::Token, bytes: V) -> V {
    match (V::LookUp::OPS, Q::NEGATED_WEIGHTS) {
        (Some(ops), Some(table)) => ops.looked_up(bytes, table),
        _ => Q::compare(token, bytes),
    }
}

/// The minimum length, in bytes, for which aligned loads are faster.
const ALIGNED_MIN_BYTES: usize = 1024;

/// Returns the surplus of `src`. A negative surplus wraps around.
#[inline(always)]
fn surplus<V: Vector, Q: Quantity>(token: V::Token, src: &[u8]) -> usize {
    if V::takes_short_path(src.len(), 32) {
        return surplus_short::<V::Vector16, Q>(V::token_of_16_bytes(token), src);
    }
    if src.len() >= ALIGNED_MIN_BYTES {
        return surplus_long::<V, Q>(token, src);
    }
    if let Some(ops) = V::LookUp::OPS {
        return surplus_in_lanes::<V, Q>(ops, token, src);
    }
    let mut sums = [initial::<V, Q>(token); SUM_VECTORS];
    let (blocks, rest) = src.as_chunks::<COUNT_BLOCK_BYTES>();
    for block in blocks {
        add_block::<V, Q>(token, &mut sums, block);
    }
    add_tail::<V, Q>(token, &mut sums, src, rest.len());
    total::<V, Q, SUM_VECTORS>(&sums)
}

/// [`surplus`] for at most 32 bytes, by one or two vectors of 16 bytes.
#[inline(always)]
fn surplus_short<V: Vector, Q: Quantity>(token: V::Token, src: &[u8]) -> usize {
    let mut sum = initial::<V, Q>(token);
    if src.len() <= 16 {
        sum = add::<V, Q>(token, sum, V::from_words(token, words::padded16(src)));
        return total::<V, Q, 1>(&[sum]);
    }
    let start = src.len() - V::LANES;
    let tail = V::load(token, src, start).and(edge_lanes::last_lanes::<V>(token, start));
    sum = add::<V, Q>(token, sum, V::load(token, src, 0));
    total::<V, Q, 1>(&[add::<V, Q>(token, sum, tail)])
}

/// [`surplus`] for at most 127 vectors, by sums in the lanes of one vector.
#[inline(always)]
fn surplus_in_lanes<V: Vector, Q: Quantity>(ops: V::LookUp, token: V::Token, src: &[u8]) -> usize {
    let mut sum = initial::<V, Q>(token);
    let vectors = src.chunks_exact(V::LANES);
    let rest = vectors.remainder();
    for vector in vectors {
        sum = add::<V, Q>(token, sum, V::load(token, vector, 0));
    }
    if !rest.is_empty() {
        sum = add::<V, Q>(token, sum, ops.load_first(token, rest));
    }
    total::<V, Q, 1>(&[sum])
}

/// [`surplus`] for at least [`ALIGNED_MIN_BYTES`] bytes, with aligned loads.
#[inline(always)]
fn surplus_long<V: Vector, Q: Quantity>(token: V::Token, src: &[u8]) -> usize {
    let mut sums = [initial::<V, Q>(token); SUM_VECTORS];
    let mut sum: usize = 0;
    let at = src.as_ptr().align_offset(V::LANES).min(V::LANES);
    let head = V::load(token, src, 0).and(edge_lanes::first_lanes::<V>(token, at));
    sums[0] = add::<V, Q>(token, sums[0], head);
    let (mut blocks, rest) = src[at..].as_chunks::<COUNT_BLOCK_BYTES>();
    loop {
        let (group, remaining) = blocks.split_at(blocks.len().min(full_lane_blocks::<V, Q>()));
        for block in group {
            add_block::<V, Q>(token, &mut sums, block);
        }
        blocks = remaining;
        if blocks.is_empty() {
            break;
        }
        sum = sum.wrapping_add(total::<V, Q, SUM_VECTORS>(&sums));
        sums = [initial::<V, Q>(token); SUM_VECTORS];
    }
    add_tail::<V, Q>(token, &mut sums, src, rest.len());
    sum.wrapping_add(total::<V, Q, SUM_VECTORS>(&sums))
}

/// Returns the initial value of a lane: above zero if weights may be negative.
const fn lane_bias<Q: Quantity>() -> u8 {
    if Q::COUNTS_TWICE { 0x80 } else { 0 }
}

/// Returns the maximum number of blocks before the lanes are summed. A lane can change by 255 in
/// one direction, or by 127 in either direction. The head, the tail and the vectors after the last
/// block change it by less than 12.
const fn full_lane_blocks<V: Vector, Q: Quantity>() -> usize {
    (if Q::COUNTS_TWICE { 127 } else { 255 } - 12)
        / (COUNT_BLOCK_BYTES / V::LANES).div_ceil(SUM_VECTORS)
}

/// Returns the surplus of some blocks, as few as [`full_lane_blocks`] allows.
#[inline(always)]
pub(crate) fn surplus_of_blocks<V: Vector, Q: Quantity>(
    token: V::Token,
    blocks: &[[u8; COUNT_BLOCK_BYTES]],
) -> usize {
    debug_assert!(blocks.len() <= full_lane_blocks::<V, Q>());
    let mut sums = [initial::<V, Q>(token); SUM_VECTORS];
    for block in blocks {
        add_block::<V, Q>(token, &mut sums, block);
    }
    total::<V, Q, SUM_VECTORS>(&sums)
}

/// Returns a vector of sums before the first byte.
#[inline(always)]
fn initial<V: Vector, Q: Quantity>(token: V::Token) -> V {
    V::splat(token, lane_bias::<Q>())
}

/// Adds the weight of each byte to its lane.
#[inline(always)]
fn add<V: Vector, Q: Quantity>(token: V::Token, sums: V, bytes: V) -> V {
    sums.wrapping_sub(negated_weights::<V, Q>(token, bytes))
}

/// Adds the surplus of a block.
#[inline(always)]
fn add_block<V: Vector, Q: Quantity>(
    token: V::Token,
    sums: &mut [V; SUM_VECTORS],
    block: &[u8; COUNT_BLOCK_BYTES],
) {
    let mut k = 0;
    while k < COUNT_BLOCK_BYTES / V::LANES {
        let (sum, bytes) = (k % SUM_VECTORS, V::load(token, block, k * V::LANES));
        sums[sum] = add::<V, Q>(token, sums[sum], bytes);
        k += 1;
    }
}

/// Adds the surplus of the last `rest_len` bytes of `src`, which are less than a block.
#[inline(always)]
fn add_tail<V: Vector, Q: Quantity>(
    token: V::Token,
    sums: &mut [V; SUM_VECTORS],
    src: &[u8],
    rest_len: usize,
) {
    let mut at = src.len() - rest_len;
    while at + V::LANES <= src.len() {
        sums[1] = add::<V, Q>(token, sums[1], V::load(token, src, at));
        at += V::LANES;
    }
    // The last vector ends at the end of the input. A mask clears the bytes that have already been
    // counted.
    let tail = V::load(token, src, src.len() - V::LANES);
    let tail = tail.and(edge_lanes::last_lanes::<V>(token, src.len() - at));
    sums[2] = add::<V, Q>(token, sums[2], tail);
}

/// Returns the sum of the surplus in all lanes.
#[inline(always)]
fn total<V: Vector, Q: Quantity, const N: usize>(sums: &[V; N]) -> usize {
    (V::sum(sums) as usize).wrapping_sub(usize::from(lane_bias::<Q>()) * V::LANES * N)
}

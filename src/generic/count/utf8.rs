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
//!
//! In short texts, the bits of masks are counted.

use core::marker::PhantomData;

use crate::arch::optional::{LookUpOps, MaskedOps, Presence};
use crate::arch::vector::Vector;
use crate::generic::edge_lanes;
use crate::swar::words;

/// The number of bytes that one pass of the loop counts.
pub(crate) const COUNT_BLOCK_BYTES: usize = 128;

/// The minimum length, in bytes, for which sums in lanes take less time than counting the bits of
/// two masks for each vector.
const LANE_SUMS_MIN_BYTES: usize = 192;

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

/// A quantity to count: the weights of the bytes.
pub(crate) trait Quantity {
    /// The initial value of a lane: above zero if weights may be negative.
    const LANE_BIAS: u8;

    /// Returns the constant that bytes are compared with, or looked up in.
    #[inline(always)]
    fn constant<V: Vector>(token: V::Token) -> V {
        V::splat(token, 0)
    }

    /// Returns the negated weights of `bytes`: 0xFF, which is -1, for weight 1, and 1 for weight
    /// -1.
    fn negated_weights<V: Vector>(bytes: V, constant: V) -> V;

    /// Returns a mask of the bytes of weight 1, and a mask of the bytes of weight -1.
    fn masks<V: Vector>(token: V::Token, bytes: V) -> [Option<V::Mask>; 2];
}

/// The number of continuation bytes.
pub(crate) struct Continuations;

impl Quantity for Continuations {
    const LANE_BIAS: u8 = 0;

    #[inline(always)]
    fn negated_weights<V: Vector>(bytes: V, _: V) -> V {
        continuation(bytes)
    }

    #[inline(always)]
    fn masks<V: Vector>(_: V::Token, bytes: V) -> [Option<V::Mask>; 2] {
        [Some(bytes.continuation()), None]
    }
}

/// The number of continuation bytes minus the number of bytes of 0xF0 or above.
pub(crate) struct ContinuationsAndPairs;

impl Quantity for ContinuationsAndPairs {
    const LANE_BIAS: u8 = 0x80;

    #[inline(always)]
    fn constant<V: Vector>(token: V::Token) -> V {
        V::table(token, &NEGATED_NIBBLE_WEIGHTS)
    }

    #[inline(always)]
    fn negated_weights<V: Vector>(bytes: V, table: V) -> V {
        match V::LookUp::OPS {
            Some(ops) => ops.looked_up(bytes, &CONTINUATIONS_AND_PAIRS),
            None => bytes.high_nibble().lookup16(table),
        }
    }

    #[inline(always)]
    fn masks<V: Vector>(token: V::Token, bytes: V) -> [Option<V::Mask>; 2] {
        [Some(bytes.continuation()), Some(bytes.at_least(token, 0xF0))]
    }
}

/// The number of bytes of 0xF0 or above.
pub(crate) struct FourByte;

impl Quantity for FourByte {
    const LANE_BIAS: u8 = 0;

    #[inline(always)]
    fn constant<V: Vector>(token: V::Token) -> V {
        V::splat(token, 0xF0 - 0x80)
    }

    #[inline(always)]
    fn negated_weights<V: Vector>(bytes: V, threshold: V) -> V {
        match V::LookUp::OPS {
            Some(ops) => ops.looked_up(bytes, &FOUR_BYTE),
            // Exactly the bytes of 0xF0 or above stay 0x80 or above.
            None => V::from_mask(bytes.saturating_sub(threshold).high_bit_mask()),
        }
    }

    #[inline(always)]
    fn masks<V: Vector>(token: V::Token, bytes: V) -> [Option<V::Mask>; 2] {
        [Some(bytes.at_least(token, 0xF0)), None]
    }
}

/// The number of bytes of 0x80 or above.
struct Latin1;

impl Quantity for Latin1 {
    const LANE_BIAS: u8 = 0;

    #[inline(always)]
    fn negated_weights<V: Vector>(bytes: V, _: V) -> V {
        match V::LookUp::OPS {
            Some(ops) => ops.looked_up(bytes, &HIGH),
            None => V::from_mask(bytes.high_bit_mask()),
        }
    }

    #[inline(always)]
    fn masks<V: Vector>(_: V::Token, bytes: V) -> [Option<V::Mask>; 2] {
        [Some(bytes.high_bit_mask()), None]
    }
}

/// The number of line feeds.
pub(crate) struct Newlines;

impl Quantity for Newlines {
    const LANE_BIAS: u8 = 0;

    #[inline(always)]
    fn constant<V: Vector>(token: V::Token) -> V {
        V::splat(token, b'\n')
    }

    #[inline(always)]
    fn negated_weights<V: Vector>(bytes: V, newline: V) -> V {
        V::from_mask(bytes.equal(newline))
    }

    #[inline(always)]
    fn masks<V: Vector>(token: V::Token, bytes: V) -> [Option<V::Mask>; 2] {
        [Some(bytes.equal(V::splat(token, b'\n'))), None]
    }
}

/// The negated weights of [`ContinuationsAndPairs`], by the high nibble of a byte.
const NEGATED_NIBBLE_WEIGHTS: [u8; 16] =
    [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1];

/// [`NEGATED_NIBBLE_WEIGHTS`], by the upper six bits of a byte.
static CONTINUATIONS_AND_PAIRS: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = NEGATED_NIBBLE_WEIGHTS[i / 4];
        i += 1;
    }
    table
};

/// The negated weights of [`Continuations`], by the upper six bits of a byte.
static CONTINUATIONS: [u8; 64] = {
    let mut table = CONTINUATIONS_AND_PAIRS;
    [table[60], table[61], table[62], table[63]] = [0; 4];
    table
};

/// The negated weights of [`FourByte`], by the upper six bits of a byte.
static FOUR_BYTE: [u8; 64] = {
    let mut table = [0; 64];
    [table[60], table[61], table[62], table[63]] = [0xFF; 4];
    table
};

/// The negated weights of [`Latin1`], by the upper six bits of a byte.
static HIGH: [u8; 64] = {
    let mut table = [0xFF; 64];
    let mut i = 0;
    while i < 32 {
        table[i] = 0;
        i += 1;
    }
    table
};

/// The minimum length, in bytes, for which aligned loads are faster.
const ALIGNED_MIN_BYTES: usize = 1024;

/// Returns 0xFF for each continuation byte, else 0.
#[inline(always)]
pub(crate) fn continuation<V: Vector>(bytes: V) -> V {
    match V::LookUp::OPS {
        Some(ops) => ops.looked_up(bytes, &CONTINUATIONS),
        None => V::from_mask(bytes.continuation()),
    }
}

/// Returns 0xFF for each byte of 0xF0 or above, else 0.
#[inline(always)]
pub(crate) fn four_byte<V: Vector>(token: V::Token, bytes: V) -> V {
    FourByte::negated_weights(bytes, FourByte::constant(token))
}

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
        // Counting the bits of two masks takes longer than a sum in lanes.
        if Q::LANE_BIAS > 0 && src.len() >= LANE_SUMS_MIN_BYTES {
            return surplus_in_lanes::<V, Q>(ops, token, src);
        }
        return surplus_in_bits::<V, Q>(ops, token, src);
    }
    let counter = Counter::<V, Q>::new(token);
    let mut sums = [counter.initial; SUM_VECTORS];
    let (blocks, rest) = src.as_chunks::<COUNT_BLOCK_BYTES>();
    for block in blocks {
        counter.add_block(token, &mut sums, block);
    }
    counter.add_tail(token, &mut sums, src, rest.len());
    counter.total(&sums)
}

/// [`surplus`] for at most 32 bytes, by one or two vectors of 16 bytes.
#[inline(always)]
fn surplus_short<V: Vector, Q: Quantity>(token: V::Token, src: &[u8]) -> usize {
    let counter = Counter::<V, Q>::new(token);
    if src.len() <= 16 {
        let bytes = V::from_words(token, words::padded16(src));
        return counter.total(&[counter.add(counter.initial, bytes)]);
    }
    let start = src.len() - V::LANES;
    let tail = V::load(token, src, start).and(edge_lanes::last_lanes::<V>(token, start));
    let sums = counter.add(counter.initial, V::load(token, src, 0));
    counter.total(&[counter.add(sums, tail)])
}

/// [`surplus`] for less than [`ALIGNED_MIN_BYTES`] bytes, by counting the bits of masks.
#[inline(always)]
fn surplus_in_bits<V: Vector, Q: Quantity>(ops: V::LookUp, token: V::Token, src: &[u8]) -> usize {
    let count =
        |mask: Option<V::Mask>| mask.map_or(0, |mask| V::bits(&[mask]).count_ones() as usize);
    let mut rest = src;
    let mut sum: usize = 0;
    loop {
        let bytes = match rest.split_at_checked(V::LANES) {
            Some((vector, after)) => {
                rest = after;
                V::load(token, vector, 0)
            }
            None => ops.load_first(token, core::mem::take(&mut rest)),
        };
        let [plus_one, minus_one] = Q::masks(token, bytes);
        sum = sum.wrapping_add(count(plus_one)).wrapping_sub(count(minus_one));
        if rest.is_empty() {
            return sum;
        }
    }
}

/// [`surplus`] for at most 127 vectors, by sums in the lanes of one vector.
#[inline(always)]
fn surplus_in_lanes<V: Vector, Q: Quantity>(ops: V::LookUp, token: V::Token, src: &[u8]) -> usize {
    let counter = Counter::<V, Q>::new(token);
    let mut sum = counter.initial;
    let vectors = src.chunks_exact(V::LANES);
    let rest = vectors.remainder();
    for vector in vectors {
        sum = counter.add(sum, V::load(token, vector, 0));
    }
    if !rest.is_empty() {
        sum = counter.add(sum, ops.load_first(token, rest));
    }
    counter.total(&[sum])
}

/// [`surplus`] for at least [`ALIGNED_MIN_BYTES`] bytes, with aligned loads.
#[inline(always)]
fn surplus_long<V: Vector, Q: Quantity>(token: V::Token, src: &[u8]) -> usize {
    let counter = Counter::<V, Q>::new(token);
    let mut sums = [counter.initial; SUM_VECTORS];
    let mut total: usize = 0;
    let at = src.as_ptr().align_offset(V::LANES).min(V::LANES);
    let head = V::load(token, src, 0).and(edge_lanes::first_lanes::<V>(token, at));
    sums[0] = counter.add(sums[0], head);
    let (mut blocks, rest) = src[at..].as_chunks::<COUNT_BLOCK_BYTES>();
    loop {
        let (group, remaining) =
            blocks.split_at(blocks.len().min(Counter::<V, Q>::FULL_LANE_BLOCKS));
        for block in group {
            counter.add_block(token, &mut sums, block);
        }
        blocks = remaining;
        if blocks.is_empty() {
            break;
        }
        total = total.wrapping_add(counter.total(&sums));
        sums = [counter.initial; SUM_VECTORS];
    }
    counter.add_tail(token, &mut sums, src, rest.len());
    total.wrapping_add(counter.total(&sums))
}

/// Adds the weights of bytes to sums. Holds the constants for this in registers.
pub(crate) struct Counter<V, Q> {
    /// The initial value of each lane.
    initial: V,
    /// The result of [`Quantity::constant`].
    constant: V,
    /// The quantity to count.
    quantity: PhantomData<Q>,
}

impl<V: Vector, Q: Quantity> Counter<V, Q> {
    /// The maximum number of blocks before the lanes are summed. A lane can change by 255 in one
    /// direction, or by 127 in either direction. The head, the tail and the vectors after the last
    /// block change it by less than 12.
    const FULL_LANE_BLOCKS: usize = (if Q::LANE_BIAS > 0 { 127 } else { 255 } - 12)
        / (COUNT_BLOCK_BYTES / V::LANES).div_ceil(SUM_VECTORS);

    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        let initial = V::splat(token, Q::LANE_BIAS);
        Self { initial, constant: Q::constant(token), quantity: PhantomData }
    }

    /// Returns the surplus of at most [`FULL_LANE_BLOCKS`](Self::FULL_LANE_BLOCKS) blocks.
    #[inline(always)]
    pub(crate) fn count_surplus(
        &self,
        token: V::Token,
        blocks: &[[u8; COUNT_BLOCK_BYTES]],
    ) -> usize {
        let mut sums = [self.initial; SUM_VECTORS];
        for block in blocks {
            self.add_block(token, &mut sums, block);
        }
        self.total(&sums)
    }

    /// Adds the weight of each byte to its lane.
    #[inline(always)]
    fn add(&self, sums: V, bytes: V) -> V {
        sums.wrapping_sub(Q::negated_weights(bytes, self.constant))
    }

    /// Adds the surplus of a block.
    #[inline(always)]
    fn add_block(
        &self,
        token: V::Token,
        sums: &mut [V; SUM_VECTORS],
        block: &[u8; COUNT_BLOCK_BYTES],
    ) {
        let mut k = 0;
        while k < COUNT_BLOCK_BYTES / V::LANES {
            sums[k % SUM_VECTORS] =
                self.add(sums[k % SUM_VECTORS], V::load(token, block, k * V::LANES));
            k += 1;
        }
    }

    /// Adds the surplus of the last `rest_len` bytes of `src`, which are less than a block.
    #[inline(always)]
    fn add_tail(&self, token: V::Token, sums: &mut [V; SUM_VECTORS], src: &[u8], rest_len: usize) {
        let mut at = src.len() - rest_len;
        while at + V::LANES <= src.len() {
            sums[1] = self.add(sums[1], V::load(token, src, at));
            at += V::LANES;
        }
        // The last vector ends at the end of the input. A mask clears the bytes that have already
        // been counted.
        let tail = V::load(token, src, src.len() - V::LANES);
        sums[2] = self.add(sums[2], tail.and(edge_lanes::last_lanes::<V>(token, src.len() - at)));
    }

    /// Returns the sum of the surplus in all lanes.
    #[inline(always)]
    fn total<const N: usize>(&self, sums: &[V; N]) -> usize {
        (V::sum(sums) as usize).wrapping_sub(usize::from(Q::LANE_BIAS) * V::LANES * N)
    }
}

//! Converts many sorted positions in UTF-8 between bytes, code points and UTF-16 units, in one
//! pass.
//!
//! 1. Count the units in the whole blocks before the next position, in the source metric (`from`)
//!    and in the target metric (`to`).
//! 2. Convert the next 64 bytes to two 64-bit masks: one marks the bytes that begin characters, the
//!    other marks the bytes that count twice in UTF-16.
//! 3. For each position in these 64 bytes, [select](Selection) the byte by its count in the source
//!    metric, and count the bits before that byte in the target metric.
//! 4. Continue with 1.
//!
//! The conversions of positions in the same 64 bytes do not depend on each other.

use crate::arch::vector::Vector;
use crate::generic::count::utf8::{
    COUNT_BLOCK_BYTES, Continuations, ContinuationsAndPairs, surplus_of_blocks,
};
use crate::generic::position::utf8::{POSITION_BLOCK_BYTES, TEXT_BYTES_PER_WORD, bits_at};
use crate::scalar::position::units_since_character_start;
use crate::swar::select::Selection;
use crate::types::position::{Metric, PositionsToConvert};

/// The size in bytes of a block near the next position. It is smaller than
/// [`POSITION_BLOCK_BYTES`].
const SMALL_BLOCK_BYTES: usize = COUNT_BLOCK_BYTES;

/// The masks of up to 64 bytes.
#[derive(Clone, Copy)]
struct Word {
    /// The bytes that begin characters.
    leads: u64,
    /// The bytes that count twice in UTF-16.
    twice: u64,
    /// The number of bytes.
    len: usize,
}

/// The length of the text that has been counted.
#[derive(Clone, Copy, Default)]
struct Done {
    /// The number of bytes.
    bytes: usize,
    /// The number of units in the source metric.
    from: usize,
    /// The number of units in the target metric.
    to: usize,
}

/// Returns the number of units of a block. The length of the block is not a constant, so the loop
/// is not unrolled.
#[inline(always)]
fn count_block<V: Vector>(token: V::Token, block: &[u8], metric: Metric) -> usize {
    let blocks = block.as_chunks().0;
    // May wrap below 0, for a block that ends after the lead byte of a four-byte character. The
    // subtraction below then wraps back.
    let bytes_minus_units = match metric {
        Metric::Bytes => 0,
        Metric::CodePoints => surplus_of_blocks::<V, Continuations>(token, blocks),
        Metric::Utf16 => surplus_of_blocks::<V, ContinuationsAndPairs>(token, blocks),
    };
    block.len().wrapping_sub(bytes_minus_units)
}

impl Word {
    /// Returns the masks of the 64 bytes of `src` from byte `at` on, or of the rest of `src` if it
    /// is shorter.
    #[inline(always)]
    fn load<V: Vector>(token: V::Token, src: &[u8], at: usize) -> Self {
        let (leads, twice) = bits_at::<V, ContinuationsAndPairs>(token, src, at);
        let len = TEXT_BYTES_PER_WORD.min(src.len() - at);
        Self { leads, twice, len }
    }

    /// Returns masks with as many set bits as there are units in `metric`. For bytes, the counts of
    /// the result are not used.
    #[inline(always)]
    fn in_metric(self, metric: Metric) -> Self {
        match metric {
            Metric::Utf16 => self,
            Metric::Bytes | Metric::CodePoints => Self { twice: 0, ..self },
        }
    }

    /// Returns the number of units of all bytes, in the metric of the masks.
    #[inline(always)]
    fn count(self) -> usize {
        (self.leads.count_ones() + self.twice.count_ones()) as usize
    }

    /// Returns the number of units before byte `offset`.
    #[inline(always)]
    fn count_before(self, offset: usize) -> usize {
        let below = if offset < TEXT_BYTES_PER_WORD { !(u64::MAX << offset) } else { u64::MAX };
        ((self.leads & below).count_ones() + (self.twice & below).count_ones()) as usize
    }
}

/// Converts the positions of `job`. Returns the number of converted positions. It is smaller than
/// the number of positions if a position is after the end of `src`, or if
/// [`PositionsToConvert::exact`] stops the conversion. `src` is not empty.
#[inline(always)]
pub(crate) fn convert<V: Vector>(
    token: V::Token,
    src: &[u8],
    job: PositionsToConvert<'_>,
) -> usize {
    match job.from {
        Metric::Bytes => convert_from::<V, true>(token, src, job),
        _ => convert_from::<V, false>(token, src, job),
    }
}

/// Does the same as [`convert`]. `BYTES` is true if `job.from` is [`Metric::Bytes`]: without
/// separate code, a position takes half as long again.
#[inline(always)]
fn convert_from<V: Vector, const BYTES: bool>(
    token: V::Token,
    src: &[u8],
    job: PositionsToConvert<'_>,
) -> usize {
    let PositionsToConvert { from, to, exact, positions } = job;
    let (mut next, mut done) = (0, Done::default());
    while let Some(&first) = positions.get(next) {
        count_blocks_before::<V, BYTES>(token, src, (from, to), first, &mut done);
        let word = Word::load::<V>(token, src, done.bytes);
        let (counted, wanted) = (word.in_metric(from), word.in_metric(to));
        let word_units = if BYTES { word.len } else { counted.count() };
        let is_last = done.bytes + word.len == src.len();
        let selection = Selection::new(counted.leads, counted.twice);
        while let Some(position) = positions.get_mut(next) {
            let n = *position - done.from;
            if n >= word_units && !is_last {
                break;
            }
            let offset = if n >= word_units {
                if n > word_units {
                    return next;
                }
                word.len
            } else if BYTES {
                n
            } else {
                let offset = selection.select(n);
                if counted.twice >> offset & 1 != 0 && exact && counted.count_before(offset) != n {
                    return next;
                }
                offset
            };
            *position = match to {
                Metric::Bytes => done.bytes + offset,
                _ => done.to + wanted.count_before(offset),
            };
            if BYTES && offset < word.len && word.leads >> offset & 1 == 0 {
                *position -= units_since_character_start(src, done.bytes + offset, to);
            }
            next += 1;
        }
        done.from += word_units;
        done.to += wanted.count();
        done.bytes += word.len;
    }
    next
}

/// Counts the units in the whole blocks before position `first`, and adds them to `done`. At least
/// one byte of the text is left.
#[inline(always)]
fn count_blocks_before<V: Vector, const BYTES: bool>(
    token: V::Token,
    src: &[u8],
    (from, to): (Metric, Metric),
    first: usize,
    done: &mut Done,
) {
    loop {
        let (units_left, bytes_left) = (first - done.from, src.len() - done.bytes);
        let size = if units_left >= POSITION_BLOCK_BYTES && bytes_left > POSITION_BLOCK_BYTES {
            POSITION_BLOCK_BYTES
        } else if units_left >= SMALL_BLOCK_BYTES && bytes_left > SMALL_BLOCK_BYTES {
            SMALL_BLOCK_BYTES
        } else {
            return;
        };
        let block = &src[done.bytes..done.bytes + size];
        let block_units = if BYTES { size } else { count_block::<V>(token, block, from) };
        // A byte may count twice, so the block may contain the position.
        if !BYTES && block_units > units_left {
            return;
        }
        done.from += block_units;
        done.to += if from == to { block_units } else { count_block::<V>(token, block, to) };
        done.bytes += size;
    }
}

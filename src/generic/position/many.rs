//! Converts many sorted positions in UTF-8 between bytes, code points and UTF-16 units, in one
//! pass.
//!
//! 1. Count the blocks before the next position, in both metrics.
//! 2. Convert the next 64 bytes to two words of bits: one has the bytes that begin characters, the
//!    other the bytes that count twice in UTF-16.
//! 3. For each position in these 64 bytes, [select](Selection) the byte by its count in the first
//!    metric, and count the bits before that byte in the second metric.
//! 4. Continue with 1.
//!
//! The conversions of positions in the same 64 bytes do not depend on each other.

use crate::arch::vector::Vector;
use crate::generic::count::utf8::{
    COUNT_BLOCK_BYTES, Continuations, ContinuationsAndPairs, Counter,
};
use crate::generic::position::utf8::{
    MASK_WORD_BYTES, POSITION_BLOCK_BYTES, bits_of_tail, bits_of_word,
};
use crate::scalar::position::units_before_in_character;
use crate::swar::select::Selection;
use crate::types::position::{Metric, PositionsToConvert};

/// The size of the smaller blocks, in bytes.
const SMALL_BLOCK_BYTES: usize = COUNT_BLOCK_BYTES;

/// The counters that count blocks.
struct Counters<V: Vector> {
    code_points: Counter<V, Continuations>,
    utf16_units: Counter<V, ContinuationsAndPairs>,
}

/// The bits of up to 64 bytes.
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
    /// The number of units in the first metric.
    from: usize,
    /// The number of units in the second metric.
    to: usize,
}

impl<V: Vector> Counters<V> {
    /// Returns the number of units of a block. The length of the block is not a constant, so the
    /// loop is not unrolled.
    #[inline(always)]
    fn count_block(&self, token: V::Token, block: &[u8], metric: Metric) -> usize {
        let surplus = match metric {
            Metric::Bytes => 0,
            Metric::CodePoints => self.code_points.of_blocks(token, block.as_chunks().0),
            Metric::Utf16 => self.utf16_units.of_blocks(token, block.as_chunks().0),
        };
        block.len().wrapping_sub(surplus)
    }
}

impl Word {
    /// Returns the bits of the bytes of `src` from byte `at` on: of 64 bytes, or of the rest.
    #[inline(always)]
    fn load<V: Vector>(token: V::Token, src: &[u8], at: usize) -> Self {
        let rest = &src[at..];
        let ((leads, twice), len) = match rest.first_chunk::<MASK_WORD_BYTES>() {
            Some(word) => (bits_of_word::<V, ContinuationsAndPairs>(token, word), MASK_WORD_BYTES),
            None => (bits_of_tail::<V, ContinuationsAndPairs>(token, src, rest.len()), rest.len()),
        };
        Self { leads, twice, len }
    }

    /// Returns the bits for counts in `metric`.
    #[inline(always)]
    fn in_metric(self, metric: Metric) -> Self {
        match metric {
            Metric::Utf16 => self,
            Metric::Bytes | Metric::CodePoints => Self { twice: 0, ..self },
        }
    }

    /// Returns the number of units of all bytes, in the metric of the bits.
    #[inline(always)]
    fn count(self) -> usize {
        (self.leads.count_ones() + self.twice.count_ones()) as usize
    }

    /// Returns the number of units before byte `offset`.
    #[inline(always)]
    fn count_before(self, offset: usize) -> usize {
        let below = if offset < MASK_WORD_BYTES { !(u64::MAX << offset) } else { u64::MAX };
        ((self.leads & below).count_ones() + (self.twice & below).count_ones()) as usize
    }
}

/// Converts the positions of `job`. Returns the number of converted positions. It is less than all
/// positions if a position is after the end of `src`, or if [`PositionsToConvert::exact`] stops the
/// conversion. `src` is not empty.
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

/// Does the same as [`convert`], from bytes with `BYTES`, and else from another metric.
#[inline(always)]
fn convert_from<V: Vector, const BYTES: bool>(
    token: V::Token,
    src: &[u8],
    job: PositionsToConvert<'_>,
) -> usize {
    let PositionsToConvert { from, to, exact, positions } = job;
    let counters =
        Counters::<V> { code_points: Counter::new(token), utf16_units: Counter::new(token) };
    let (mut next, mut done) = (0, Done::default());
    while let Some(&first) = positions.get(next) {
        count_blocks_before::<V, BYTES>(token, src, &counters, (from, to), first, &mut done);
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
                *position -= units_before_in_character(src, done.bytes + offset, to);
            }
            next += 1;
        }
        done.from += word_units;
        done.to += wanted.count();
        done.bytes += word.len;
    }
    next
}

/// Counts whole blocks before position `first`, and adds them to `done`. At least one byte of the
/// text is left.
#[inline(always)]
fn count_blocks_before<V: Vector, const BYTES: bool>(
    token: V::Token,
    src: &[u8],
    counters: &Counters<V>,
    (from, to): (Metric, Metric),
    first: usize,
    done: &mut Done,
) {
    loop {
        let (left, rest) = (first - done.from, src.len() - done.bytes);
        let size = if left >= POSITION_BLOCK_BYTES && rest > POSITION_BLOCK_BYTES {
            POSITION_BLOCK_BYTES
        } else if left >= SMALL_BLOCK_BYTES && rest > SMALL_BLOCK_BYTES {
            SMALL_BLOCK_BYTES
        } else {
            return;
        };
        let block = &src[done.bytes..done.bytes + size];
        let block_units = if BYTES { size } else { counters.count_block(token, block, from) };
        // A byte may count twice, so the block may contain the position.
        if !BYTES && block_units > left {
            return;
        }
        done.from += block_units;
        done.to += match to {
            Metric::Bytes => size,
            _ if !BYTES && from == to => block_units,
            _ => counters.count_block(token, block, to),
        };
        done.bytes += size;
    }
}

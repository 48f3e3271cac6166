//! Many sorted positions in UTF-8, converted between bytes, code points and UTF-16 units in one
//! pass.
//!
//! 1. Count the blocks before the next position, in both metrics, without looking for it.
//! 2. Convert the next 64 bytes to bits: the bytes that begin characters, and the bytes that count
//!    twice in UTF-16.
//! 3. For each position in this word, [select](Selection) its byte by its count in the first
//!    metric, and count the bits before that byte in the second metric.
//! 4. Continue with 1.
//!
//! The positions of a word do not depend on each other.

use crate::arch::vector::Vector;
use crate::generic::count::utf8::{
    COUNT_BLOCK_BYTES, Continuations, ContinuationsAndPairs, Counter,
};
use crate::generic::position::utf8::{
    MASK_WORD_BYTES, POSITION_BLOCK_BYTES, bits_of_tail, bits_of_word,
};
use crate::scalar::position::inside;
use crate::swar::select::Selection;
use crate::types::position::{Metric, PositionsToConvert};

/// Bytes of the smaller blocks.
const SMALL_BLOCK_BYTES: usize = COUNT_BLOCK_BYTES;

/// The counters of blocks.
struct Counters<V: Vector> {
    code_points: Counter<V, Continuations>,
    utf16_units: Counter<V, ContinuationsAndPairs>,
}

/// Up to 64 bytes as bits: the bytes that begin characters, and the bytes that count twice in
/// UTF-16.
#[derive(Clone, Copy)]
struct Word {
    leads: u64,
    twice: u64,
    /// The number of bytes.
    len: usize,
}

/// The progress of a conversion: bytes, and units in both metrics.
#[derive(Clone, Copy, Default)]
struct Done {
    bytes: usize,
    from: usize,
    to: usize,
}

impl<V: Vector> Counters<V> {
    /// Returns the number of units of a block. Its length is not a constant, so the loop is not
    /// unrolled.
    #[inline(always)]
    fn of_block(&self, token: V::Token, block: &[u8], metric: Metric) -> usize {
        let surplus = match metric {
            Metric::Bytes => 0,
            Metric::CodePoints => self.code_points.of_blocks(token, block.as_chunks().0),
            Metric::Utf16 => self.utf16_units.of_blocks(token, block.as_chunks().0),
        };
        block.len().wrapping_sub(surplus)
    }
}

impl Word {
    /// Returns the bits of the next bytes of `src`, from `at` on: 64, or the rest.
    #[inline(always)]
    fn at<V: Vector>(token: V::Token, src: &[u8], at: usize) -> Self {
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

    /// Returns the number of units, in the metric of the bits.
    #[inline(always)]
    fn count(self) -> usize {
        (self.leads.count_ones() + self.twice.count_ones()) as usize
    }

    /// Returns the number of units before byte `offset`.
    #[inline(always)]
    fn before(self, offset: usize) -> usize {
        let below = if offset < MASK_WORD_BYTES { !(u64::MAX << offset) } else { u64::MAX };
        ((self.leads & below).count_ones() + (self.twice & below).count_ones()) as usize
    }
}

/// Converts positions. Returns their number, or the number before the first at which
/// [`PositionsToConvert::exact`] stops. `src` is not empty.
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

/// [`convert`] from bytes, or else from another metric.
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
        skip::<V, BYTES>(token, src, &counters, (from, to), first, &mut done);
        let word = Word::at::<V>(token, src, done.bytes);
        let (counted, wanted) = (word.in_metric(from), word.in_metric(to));
        let here = if BYTES { word.len } else { counted.count() };
        let is_last = done.bytes + word.len == src.len();
        let selection = Selection::new(counted.leads, counted.twice);
        while let Some(position) = positions.get_mut(next) {
            let n = *position - done.from;
            if n >= here && !is_last {
                break;
            }
            let offset = if n >= here {
                if n > here {
                    return next;
                }
                word.len
            } else if BYTES {
                n
            } else {
                let offset = selection.select(n);
                if counted.twice >> offset & 1 != 0 && exact && counted.before(offset) != n {
                    return next;
                }
                offset
            };
            *position = match to {
                Metric::Bytes => done.bytes + offset,
                _ => done.to + wanted.before(offset),
            };
            if BYTES && offset < word.len && word.leads >> offset & 1 == 0 {
                *position -= inside(src, done.bytes + offset, to);
            }
            next += 1;
        }
        done.from += here;
        done.to += wanted.count();
        done.bytes += word.len;
    }
    next
}

/// Counts the blocks before position `first`, except the last word of the text.
#[inline(always)]
fn skip<V: Vector, const BYTES: bool>(
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
        let here = if BYTES { size } else { counters.of_block(token, block, from) };
        // A byte may count twice.
        if !BYTES && here > left {
            return;
        }
        done.from += here;
        done.to += match to {
            Metric::Bytes => size,
            _ if !BYTES && from == to => here,
            _ => counters.of_block(token, block, to),
        };
        done.bytes += size;
    }
}

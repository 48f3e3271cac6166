//! The length of UTF-32 in UTF-8 and UTF-16, without validation.
//!
//! 1. Shift each unit right by seven bits, and pack two vectors into 16-bit lanes. All thresholds
//!    are multiples of 0x80, so the lower bits do not matter.
//! 2. Compare with the thresholds. Each mask is -1, and is [subtracted](super::passes) from a sum:
//!    one for each byte above one. For UTF-16, compare the upper halves with zero.
//! 3. The last vector ends with the text. Units that have been counted are masked by zero, which
//!    counts nothing.
//!
//! Instruction sets with lookups use [`wide`] instead.

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::Presence;
use crate::arch::vector::Vector;
use crate::generic::count::passes::{SUM_VECTORS, passes, sum_of};
use crate::generic::count::wide;
use crate::generic::edge_lanes::last_lanes;
use crate::generic::from_utf32::check::whole_units;
use crate::swar::words;

/// The most passes before a lane may overflow: each adds at most three. The vectors after the last
/// pass do not overflow it either.
const UTF32_PASSES_MAX: usize = 0x5000;

/// Returns the number of bytes in UTF-8: one for each unit, and one more from 0x80, 0x800 and
/// 0x10000 on each.
#[inline(always)]
pub(crate) fn utf8_len<V: Lanes32>(token: V::Token, src: &[u8]) -> usize
where
    V::Half: Lanes32,
{
    let text = whole_units(src);
    if let Some(ops) = V::LookUp::OPS {
        return text.len() / 4 + wide::extra_utf8_bytes_of_utf32::<V>(ops, token, text);
    }
    text.len() / 4 + sums::<V, ExtraBytes>(token, text).0
}

/// Returns the number of code units in UTF-16: two for each unit, and one less below 0x10000.
#[inline(always)]
pub(crate) fn utf16_len<V: Lanes32>(token: V::Token, src: &[u8]) -> usize
where
    V::Half: Lanes32,
{
    let text = whole_units(src);
    if let Some(ops) = V::LookUp::OPS {
        return text.len() / 4 + wide::count_pairs::<V>(ops, token, text);
    }
    let (singles, lanes) = sums::<V, SingleUnits>(token, text);
    text.len() / 4 + lanes - singles
}

/// A number for each unit, at most three.
trait Quantity {
    /// Adds the numbers of two vectors to `sums`.
    fn add_counts<V: Lanes32>(limits: &Limits<V>, sums: V, first: V, second: V) -> V;
}

/// The number of bytes minus one.
struct ExtraBytes;

impl Quantity for ExtraBytes {
    #[inline(always)]
    fn add_counts<V: Lanes32>(limits: &Limits<V>, sums: V, first: V, second: V) -> V {
        let packed = V::narrow_saturating(first.shr32::<7>(), second.shr32::<7>());
        let twos = packed.above16(limits.zero);
        let threes = packed.above16(limits.two);
        sums.sub16(twos.add16(threes)).sub16(packed.above16(limits.three))
    }
}

/// One for each unit that is a single unit in UTF-16.
struct SingleUnits;

impl Quantity for SingleUnits {
    #[inline(always)]
    fn add_counts<V: Lanes32>(limits: &Limits<V>, sums: V, first: V, second: V) -> V {
        sums.sub16(V::uppers(first, second).equal16(limits.zero))
    }
}

/// The largest units of one, two and three bytes, without their lower seven bits.
struct Limits<V> {
    zero: V,
    two: V,
    three: V,
}

impl<V: Lanes32> Limits<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self {
            zero: V::splat(token, 0),
            two: V::splat16(token, 0x7FF >> 7),
            three: V::splat16(token, 0xFFFF >> 7),
        }
    }
}

/// Returns the sum for all units, and the number of lanes that were counted: the units and the
/// masked lanes.
#[inline(always)]
fn sums<V: Lanes32, Q: Quantity>(token: V::Token, text: &[u8]) -> (usize, usize)
where
    V::Half: Lanes32,
{
    if text.len() < 16 {
        let token = V::half(token);
        let units = V::Half::of_words(token, words::padded16(text));
        let limits = Limits::new(token);
        let sums = Q::add_counts(&limits, limits.zero, units, limits.zero);
        return (V::Half::sum(&[sums]) as usize, V::Half::LANES / 2);
    }
    if text.len() < V::LANES {
        return sums_of_vectors::<V::Half, Q>(V::half(token), text);
    }
    sums_of_vectors::<V, Q>(token, text)
}

/// [`sums`] for at least a vector.
#[inline(always)]
fn sums_of_vectors<V: Lanes32, Q: Quantity>(token: V::Token, text: &[u8]) -> (usize, usize) {
    let limits = Limits::<V>::new(token);
    if text.len() < 2 * SUM_VECTORS * V::LANES {
        // No lane reaches 256.
        let (sum, counted) = count_tail::<V, Q>(token, &limits, text, 0, limits.zero);
        return (V::sum(&[sum]) as usize, counted / 4);
    }
    let (mut sums, total, at) = passes::<V, 2>(
        token,
        text,
        UTF32_PASSES_MAX,
        #[inline(always)]
        |sums, [first, second]| Q::add_counts(&limits, sums, first, second),
    );
    let (sum, counted) = count_tail::<V, Q>(token, &limits, text, at, sums[0]);
    sums[0] = sum;
    (total + sum_of(token, &sums), (at + counted) / 4)
}

/// Adds the numbers of the units from `from` on, less than a pass. Also returns the number of bytes
/// that were counted.
#[inline(always)]
fn count_tail<V: Lanes32, Q: Quantity>(
    token: V::Token,
    limits: &Limits<V>,
    text: &[u8],
    from: usize,
    mut sum: V,
) -> (V, usize) {
    let mut at = from;
    while let Some(two) = text.get(at..at + 2 * V::LANES) {
        let (first, second) = (V::load(token, two, 0), V::load(token, two, V::LANES));
        sum = Q::add_counts(limits, sum, first, second);
        at += 2 * V::LANES;
    }
    // A vector, and the last one, which ends with the text. The units that have been counted are
    // masked.
    let mut first = limits.zero;
    let mut one = at;
    if let Some(vector) = text.get(at..at + V::LANES) {
        first = V::load(token, vector, 0);
        one += V::LANES;
    }
    let tail = V::load(token, text, text.len() - V::LANES);
    let tail = tail.and(last_lanes::<V>(token, text.len() - one));
    (Q::add_counts(limits, sum, first, tail), at + 2 * V::LANES - from)
}

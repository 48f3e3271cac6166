//! The length of UTF-32 in UTF-8 and UTF-16, without validation.
//!
//! 1. Shift each unit right by seven bits, and pack two vectors into 16-bit lanes. All thresholds
//!    are multiples of 0x80, so the lower bits do not matter.
//! 2. For UTF-8, compare with the thresholds. A mask is -1, and is [subtracted](super::passes) from
//!    a sum, so each byte after the first adds one. For UTF-16, compare the upper halves of the
//!    units with zero.
//! 3. The last vector ends at the end of the text. A mask sets the units that have already been
//!    counted to zero. For UTF-8, a zero adds nothing. For UTF-16, a zero is one lane and one
//!    single unit, which cancel out.
//!
//! Instruction sets with lookups use [`wide`] instead.

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::Presence;
use crate::arch::vector::Vector;
use crate::generic::count::passes::{SUM_VECTORS, passes, sum_lanes};
use crate::generic::count::wide;
use crate::generic::edge_lanes::last_lanes;
use crate::generic::from_utf32::check::whole_units;
use crate::swar::words;

/// The maximum number of passes before the lanes are summed. A pass adds at most three to a lane,
/// so a lane does not overflow in these passes and the vectors after the last pass.
const UTF32_PASSES_MAX: usize = 0x5000;

/// Returns the length in UTF-8, in bytes: one byte for each unit, plus one if the unit is at least
/// 0x80, plus one if it is at least 0x800, plus one if it is at least 0x10000.
#[inline(always)]
pub(crate) fn utf8_len<V: Lanes32>(token: V::Token, src: &[u8]) -> usize
where
    V::Vector16: Lanes32,
{
    let text = whole_units(src);
    if let Some(ops) = V::LookUp::OPS {
        return text.len() / 4 + wide::extra_utf8_bytes_of_utf32::<V>(ops, token, text);
    }
    text.len() / 4 + sums::<V, ExtraBytes>(token, text).0
}

/// Returns the length in UTF-16, in code units: one for a unit below 0x10000, and two for any other
/// unit.
#[inline(always)]
pub(crate) fn utf16_len<V: Lanes32>(token: V::Token, src: &[u8]) -> usize
where
    V::Vector16: Lanes32,
{
    let text = whole_units(src);
    if let Some(ops) = V::LookUp::OPS {
        return text.len() / 4 + wide::count_pairs::<V>(ops, token, text);
    }
    let (singles, lanes) = sums::<V, SingleUnits>(token, text);
    text.len() / 4 + lanes - singles
}

/// A quantity to count: a number from zero to three for each unit.
trait Quantity {
    /// Adds the counts of two vectors to `sums`.
    fn add_counts<V: Lanes32>(limits: &Limits<V>, sums: V, first: V, second: V) -> V;
}

/// The number of bytes in UTF-8 minus one.
struct ExtraBytes;

impl Quantity for ExtraBytes {
    #[inline(always)]
    fn add_counts<V: Lanes32>(limits: &Limits<V>, sums: V, first: V, second: V) -> V {
        let packed = V::narrow32_signed_unordered(first.shr32::<7>(), second.shr32::<7>());
        let above_one_byte = packed.above16_signed(limits.zero);
        let above_two_bytes = packed.above16_signed(limits.two_byte);
        let above_three_bytes = packed.above16_signed(limits.three_byte);
        sums.sub16(above_one_byte.add16(above_two_bytes)).sub16(above_three_bytes)
    }
}

/// The number of units that become a single unit in UTF-16.
struct SingleUnits;

impl Quantity for SingleUnits {
    #[inline(always)]
    fn add_counts<V: Lanes32>(limits: &Limits<V>, sums: V, first: V, second: V) -> V {
        sums.sub16(V::high_halves16(first, second).equal16(limits.zero))
    }
}

/// The largest units that have one, two and three bytes in UTF-8, without their lower seven bits.
struct Limits<V> {
    zero: V,
    two_byte: V,
    three_byte: V,
}

impl<V: Lanes32> Limits<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self {
            zero: V::splat(token, 0),
            two_byte: V::splat16(token, 0x7FF >> 7),
            three_byte: V::splat16(token, 0xFFFF >> 7),
        }
    }
}

/// Returns the sum of the counts of all units, and the number of lanes that were counted, which
/// includes the lanes that were masked.
#[inline(always)]
fn sums<V: Lanes32, Q: Quantity>(token: V::Token, text: &[u8]) -> (usize, usize)
where
    V::Vector16: Lanes32,
{
    if text.len() < 16 {
        let token = V::token_of_16_bytes(token);
        let units = V::Vector16::from_words(token, words::padded16(text));
        let limits = Limits::new(token);
        let sums = Q::add_counts(&limits, limits.zero, units, limits.zero);
        return (V::Vector16::sum(&[sums]) as usize, V::Vector16::LANES / 2);
    }
    if text.len() < V::LANES {
        return sums_of_vectors::<V::Vector16, Q>(V::token_of_16_bytes(token), text);
    }
    sums_of_vectors::<V, Q>(token, text)
}

/// [`sums`] for a text of at least one vector.
#[inline(always)]
fn sums_of_vectors<V: Lanes32, Q: Quantity>(token: V::Token, text: &[u8]) -> (usize, usize) {
    let limits = Limits::<V>::new(token);
    if text.len() < 2 * SUM_VECTORS * V::LANES {
        // The sum in each 16-bit lane stays below 256, so the sum of bytes is exact.
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
    (total + sum_lanes(token, &sums), (at + counted) / 4)
}

/// Adds the counts of the units from byte `from` on, less than a pass, to `sum`. Returns the new
/// sum, and the number of bytes that were counted, which includes masked bytes.
#[inline(always)]
fn count_tail<V: Lanes32, Q: Quantity>(
    token: V::Token,
    limits: &Limits<V>,
    text: &[u8],
    from: usize,
    mut sum: V,
) -> (V, usize) {
    let mut at = from;
    while let Some(two_vectors) = text.get(at..at + 2 * V::LANES) {
        let (first, second) =
            (V::load(token, two_vectors, 0), V::load(token, two_vectors, V::LANES));
        sum = Q::add_counts(limits, sum, first, second);
        at += 2 * V::LANES;
    }
    // Count one more vector if there is one, and the last vector, which ends at the end of the
    // text. A mask clears the units that have already been counted.
    let mut first = limits.zero;
    let mut counted_end = at;
    if let Some(vector) = text.get(at..at + V::LANES) {
        first = V::load(token, vector, 0);
        counted_end += V::LANES;
    }
    let tail = V::load(token, text, text.len() - V::LANES);
    let tail = tail.and(last_lanes::<V>(token, text.len() - counted_end));
    (Q::add_counts(limits, sum, first, tail), at + 2 * V::LANES - from)
}

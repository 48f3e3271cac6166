//! The number of code points in UTF-16, and the length of UTF-16 in UTF-8, without validation.
//!
//! 1. Compare some bits of each unit. To count code points, find low surrogates. To measure the
//!    length in UTF-8, find units below 0x80, units below 0x800, and surrogates, and add up the
//!    *missing bytes*: three minus the number of bytes of a unit.
//! 2. A comparison gives a mask, which is -1. [Subtract](super::passes) the mask from a sum in a
//!    16-bit lane.
//! 3. The last vector ends at the end of the text. A mask sets the units that have already been
//!    counted to zero, and a zero has two missing bytes.
//! 4. The number of code points is the number of units minus the number of low surrogates. The
//!    length in UTF-8 is three bytes for each lane minus the missing bytes.
//!
//! The byte order is a run-time argument. Instruction sets with lookups use [`wide`] instead.

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::Presence;
use crate::generic::count::passes::{passes, sum_lanes};
use crate::generic::count::wide;
use crate::generic::edge_lanes::last_lanes;
use crate::generic::from_utf16::check::whole_units;
use crate::swar::words;
use crate::tables::{Lanes, UnitOrder};

/// The maximum number of passes before the lanes are summed. A pass adds at most two to a lane, so
/// a lane does not overflow in these passes and the vectors after the last pass.
const UTF16_PASSES_MAX: usize = 0x7000;

/// Returns the number of code points: the number of units that are not low surrogates.
#[inline(always)]
pub(crate) fn code_points<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
) -> usize {
    let text = whole_units(src);
    if let Some(ops) = V::LookUp::OPS {
        return text.len() / 2 - wide::count_low_surrogates::<V>(ops, order, token, text);
    }
    text.len() / 2 - sums::<V, LowSurrogates>(order, token, text).0
}

/// Returns the length in UTF-8, in bytes: one byte for a unit below 0x80, two for a unit below
/// 0x800 or a surrogate, and three for any other unit.
#[inline(always)]
pub(crate) fn utf8_len<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
) -> usize {
    let text = whole_units(src);
    if let Some(ops) = V::LookUp::OPS {
        return text.len() / 2 + wide::extra_utf8_bytes_of_utf16::<V>(ops, order, token, text);
    }
    let (missing, lanes) = sums::<V, MissingBytes>(order, token, text);
    text.len() / 2 + 2 * lanes - missing
}

/// A quantity to count: zero, one or two for each unit.
trait Quantity {
    /// Adds the counts of `units` to `sums`.
    fn add_counts<V: Lanes16>(masks: &Masks<V>, sums: V, units: V) -> V;
}

/// The number of low surrogates.
struct LowSurrogates;

impl Quantity for LowSurrogates {
    #[inline(always)]
    fn add_counts<V: Lanes16>(masks: &Masks<V>, sums: V, units: V) -> V {
        sums.sub16(units.and(masks.kind_mask).equal16(masks.low_bits))
    }
}

/// Three minus the number of bytes in UTF-8: one for a unit below 0x80, and one more for a unit
/// below 0x800 or a surrogate.
struct MissingBytes;

impl Quantity for MissingBytes {
    #[inline(always)]
    fn add_counts<V: Lanes16>(masks: &Masks<V>, sums: V, units: V) -> V {
        let ascii = units.and(masks.above_ascii).equal16(masks.zero);
        let upper_bits = units.and(masks.surrogate_mask);
        let below_three =
            upper_bits.equal16(masks.zero).or(upper_bits.equal16(masks.surrogate_bits));
        sums.sub16(ascii).sub16(below_three)
    }
}

/// The masks and bits that identify ranges of units, in the byte order of the text.
struct Masks<V> {
    zero: V,
    /// The bits that ASCII lacks.
    above_ascii: V,
    /// The bits that identify surrogates.
    surrogate_mask: V,
    /// These bits in a surrogate.
    surrogate_bits: V,
    /// The bits that distinguish high and low surrogates.
    kind_mask: V,
    /// These bits in a low surrogate.
    low_bits: V,
}

impl<V: Lanes16> Masks<V> {
    #[inline(always)]
    fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        let load = |lanes: &'static Lanes| V::load(token, lanes, 0);
        Self {
            zero: V::splat(token, 0),
            above_ascii: load(&order.above_ascii),
            surrogate_mask: load(&order.top),
            surrogate_bits: load(&order.surrogate),
            kind_mask: load(&order.kind_mask),
            low_bits: load(&order.low),
        }
    }
}

/// Returns the sum of the counts of all units, and the number of lanes that were counted, which
/// includes the lanes that were masked. Callers guarantee: `V` has 16 bytes if the text is shorter
/// than 32 bytes.
#[inline(always)]
fn sums<V: Lanes16, Q: Quantity>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &[u8],
) -> (usize, usize) {
    let masks = Masks::<V>::new(order, token);
    if V::LANES == 16 && text.len() < 16 {
        let units = V::from_words(token, words::padded16(text));
        let sums = Q::add_counts(&masks, masks.zero, units);
        return (V::sum(&[sums]) as usize, V::LANES / 2);
    }
    let (mut sums, total, mut at) = passes::<V, 1>(
        token,
        text,
        UTF16_PASSES_MAX,
        #[inline(always)]
        |sums, [units]| Q::add_counts(&masks, sums, units),
    );
    while at + V::LANES <= text.len() {
        sums[1] = Q::add_counts(&masks, sums[1], V::load(token, text, at));
        at += V::LANES;
    }
    // The last vector ends at the end of the text. A mask clears the units that have already been
    // counted.
    let tail =
        V::load(token, text, text.len() - V::LANES).and(last_lanes::<V>(token, text.len() - at));
    sums[2] = Q::add_counts(&masks, sums[2], tail);
    (total + sum_lanes(token, &sums), (at + V::LANES) / 2)
}

//! Code points in UTF-16, and its length in UTF-8, without validation.
//!
//! 1. Compare some bits of each unit. For code points, find low surrogates. For bytes, find units
//!    below 0x80, units below 0x800, and surrogates: the number of bytes less than three.
//! 2. A comparison gives a mask, which is -1. [Subtract](super::passes) it from a sum in a 16-bit
//!    lane.
//! 3. The last vector ends with the text. Units that have been counted are masked by zero, which
//!    counts as two bytes less than three.
//! 4. The result is the number of units minus the low surrogates, or three bytes for each lane
//!    minus the sum.
//!
//! The byte order is a value. Instruction sets with lookups use [`wide`] instead.

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::Presence;
use crate::generic::count::passes::{passes, sum_of};
use crate::generic::count::wide;
use crate::generic::edge_lanes::last_lanes;
use crate::generic::from_utf16::check::whole_units;
use crate::swar::words;
use crate::tables::{Lanes, UnitOrder};

/// The most passes before a lane may overflow: each adds at most two. The vectors after the last
/// pass do not overflow it either.
const UTF16_PASSES_MAX: usize = 0x7000;

/// Returns the number of code points: the units except low surrogates.
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

/// Returns the number of bytes in UTF-8: one for each unit, one more from 0x80 on, and a third from
/// 0x800 on if the unit is no surrogate.
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
    let (less, lanes) = sums::<V, BytesBelowThree>(order, token, text);
    text.len() / 2 + 2 * lanes - less
}

/// A number for each unit, at most two.
trait Quantity {
    /// Adds the numbers of `units` to `sums`.
    fn add_counts<V: Lanes16>(masks: &Masks<V>, sums: V, units: V) -> V;
}

/// One for each low surrogate.
struct LowSurrogates;

impl Quantity for LowSurrogates {
    #[inline(always)]
    fn add_counts<V: Lanes16>(masks: &Masks<V>, sums: V, units: V) -> V {
        sums.sub16(units.and(masks.half).equal16(masks.low))
    }
}

/// Three minus the number of bytes: one for a unit below 0x80, and one for a unit below 0x800 or a
/// surrogate.
struct BytesBelowThree;

impl Quantity for BytesBelowThree {
    #[inline(always)]
    fn add_counts<V: Lanes16>(masks: &Masks<V>, sums: V, units: V) -> V {
        let ascii = units.and(masks.above_ascii).equal16(masks.zero);
        let top = units.and(masks.top);
        let two = top.equal16(masks.zero).or(top.equal16(masks.surrogate));
        sums.sub16(ascii).sub16(two)
    }
}

/// The bits that decide the ranges, in the byte order of the text.
struct Masks<V> {
    /// Zero.
    zero: V,
    /// The bits that ASCII lacks.
    above_ascii: V,
    /// The bits that identify surrogates.
    top: V,
    /// The `top` bits of a surrogate.
    surrogate: V,
    /// The bits that distinguish high and low surrogates.
    half: V,
    /// The `half` bits of a low surrogate.
    low: V,
}

impl<V: Lanes16> Masks<V> {
    #[inline(always)]
    fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        let load = |lanes: &'static Lanes| V::load(token, lanes, 0);
        Self {
            zero: V::splat(token, 0),
            above_ascii: load(&order.above_ascii),
            top: load(&order.top),
            surrogate: load(&order.surrogate),
            half: load(&order.half),
            low: load(&order.low),
        }
    }
}

/// Returns the sum for all units, and the number of lanes that were counted: the units and the
/// masked lanes. Callers guarantee: `V` has 16 bytes if the text is shorter than 32 bytes.
#[inline(always)]
fn sums<V: Lanes16, Q: Quantity>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &[u8],
) -> (usize, usize) {
    let masks = Masks::<V>::new(order, token);
    if V::LANES == 16 && text.len() < 16 {
        let units = V::of_words(token, words::padded16(text));
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
    // The last vector ends with the text. The units that have been counted are masked.
    let tail =
        V::load(token, text, text.len() - V::LANES).and(last_lanes::<V>(token, text.len() - at));
    sums[2] = Q::add_counts(&masks, sums[2], tail);
    (total + sum_of(token, &sums), (at + V::LANES) / 2)
}

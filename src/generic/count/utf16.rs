//! Code points in UTF-16, and its length in UTF-8, without validation.
//!
//! Each count depends only on the range of a unit, among a few, which a comparison of some of its
//! bits decides. The byte order is a value. A comparison gives a mask, which is -1 and is
//! subtracted from a sum in a 16-bit lane.
//!
//! A unit that has been counted before is masked by zero, which is no low surrogate, and counts as
//! two bytes less than three.

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::Presence;
use crate::generic::count::passes::{passes, sum_of};
use crate::generic::count::wide;
use crate::generic::edge_lanes::last_lanes;
use crate::generic::from_utf16::check::whole_units;
use crate::swar::words;
use crate::tables::{Lanes, UnitOrder};

/// Passes after which a lane could be full: each adds at most two. The limit leaves space for the
/// vectors after the last pass.
const UTF16_PASSES_MAX: usize = 0x7000;

/// Returns the number of code points: units that are no low surrogates.
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

/// The number of bytes less than three: one below 0x80, and one below 0x800 or for a surrogate.
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
    /// The bits that ASCII does not have.
    above_ascii: V,
    /// The bits that identify surrogates.
    top: V,
    /// The `top` bits of a surrogate.
    surrogate: V,
    /// The bits that tell high and low surrogates apart.
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

/// Returns the sum for all units, and the number of lanes that were counted: the units, and some
/// zeros. Callers guarantee: `V` has 16 bytes if the text is shorter than 32 bytes.
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
    // The last vector ends with the text; units that have been counted are masked.
    let tail =
        V::load(token, text, text.len() - V::LANES).and(last_lanes::<V>(token, text.len() - at));
    sums[2] = Q::add_counts(&masks, sums[2], tail);
    (total + sum_of(token, &sums), (at + V::LANES) / 2)
}

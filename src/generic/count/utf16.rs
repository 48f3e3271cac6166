//! The number of code points in UTF-16, and the length of UTF-16 in UTF-8, without validation.
//!
//! 1. Compare some bits of each unit. To count code points, find low surrogates. To measure the
//!    length in UTF-8, find units below 0x80, units below 0x800, and surrogates, and add up the
//!    *missing bytes*: three minus the number of bytes of a unit.
//! 2. A comparison gives a mask, which is -1. Subtract the mask from a [sum](super::sums) in a
//!    16-bit lane. A masked zero has two missing bytes.
//! 3. The number of code points is the number of units minus the number of low surrogates. The
//!    length in UTF-8 is three bytes for each lane minus the missing bytes.
//!
//! The byte order is a run-time argument. Instruction sets with lookups use [`wide`] instead.

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::Presence;
use crate::generic::count::sums::sum;
use crate::generic::count::wide;
use crate::generic::from_utf16::check::whole_units;
use crate::tables::{Lanes, UnitOrder};

/// Returns the number of code points: the number of units that are not low surrogates. Callers
/// guarantee: `V` has 16 bytes if the text is shorter than a vector.
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
    let load = |lanes: &'static Lanes| V::load(token, lanes, 0);
    let (kind_mask, low) = (load(&order.kind_mask), load(&order.low));
    let (low_surrogates, _) = sum::<V, 1>(
        token,
        text,
        #[inline(always)]
        |sums, [units]| sums.sub16(units.and(kind_mask).equal16(low)),
    );
    text.len() / 2 - low_surrogates
}

/// Returns the length in UTF-8, in bytes: one byte for a unit below 0x80, two for a unit below
/// 0x800 or a surrogate, and three for any other unit. Callers guarantee: `V` has 16 bytes if the
/// text is shorter than a vector.
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
    let load = |lanes: &'static Lanes| V::load(token, lanes, 0);
    let (above_ascii, top) = (load(&order.above_ascii), load(&order.top));
    let (surrogate, zero) = (load(&order.surrogate), V::splat(token, 0));
    let (missing, counted) = sum::<V, 1>(
        token,
        text,
        #[inline(always)]
        |sums, [units]| {
            let ascii = units.and(above_ascii).equal16(zero);
            let top_bits = units.and(top);
            let below_three = top_bits.equal16(zero).or(top_bits.equal16(surrogate));
            sums.sub16(ascii).sub16(below_three)
        },
    );
    text.len() / 2 + counted - missing
}

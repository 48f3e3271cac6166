//! The length of UTF-32 in UTF-8 and UTF-16, without validation.
//!
//! 1. Shift each unit right by seven bits, and pack two vectors into 16-bit lanes. All thresholds
//!    are multiples of 0x80, so the lower bits do not matter.
//! 2. For UTF-8, compare with the thresholds. A mask is -1, and is subtracted from a
//!    [sum](super::sums), so each byte after the first adds one. For UTF-16, compare the upper
//!    halves of the units with zero.
//! 3. For UTF-8, a masked zero adds nothing. For UTF-16, a zero is one lane and one single unit,
//!    which cancel out.
//!
//! Instruction sets with lookups use [`wide`] instead.

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::Presence;
use crate::generic::count::sums::sum;
use crate::generic::count::wide;
use crate::generic::from_utf32::check::whole_units;

/// Returns the length in UTF-8, in bytes: one byte for each unit, plus one if the unit is at least
/// 0x80, plus one if it is at least 0x800, plus one if it is at least 0x10000.
#[inline(always)]
pub(crate) fn utf8_len<V: Lanes32>(token: V::Token, src: &[u8]) -> usize
where
    V::Vector16: Lanes32,
{
    let text = whole_units(src);
    let extra_bytes = if let Some(ops) = V::LookUp::OPS {
        wide::extra_utf8_bytes_of_utf32::<V>(ops, token, text)
    } else if text.len() < V::LANES {
        extra_bytes::<V::Vector16>(V::token_of_16_bytes(token), text)
    } else {
        extra_bytes::<V>(token, text)
    };
    text.len() / 4 + extra_bytes
}

/// Returns the length in UTF-16, in code units: one for a unit below 0x10000, and two for any other
/// unit.
#[inline(always)]
pub(crate) fn utf16_len<V: Lanes32>(token: V::Token, src: &[u8]) -> usize
where
    V::Vector16: Lanes32,
{
    let text = whole_units(src);
    let pairs = if let Some(ops) = V::LookUp::OPS {
        wide::count_pairs::<V>(ops, token, text)
    } else if text.len() < V::LANES {
        count_pairs::<V::Vector16>(V::token_of_16_bytes(token), text)
    } else {
        count_pairs::<V>(token, text)
    };
    text.len() / 4 + pairs
}

/// Returns the number of bytes in UTF-8 minus the number of units.
#[inline(always)]
fn extra_bytes<V: Lanes32>(token: V::Token, text: &[u8]) -> usize {
    // The largest units that have one, two and three bytes, without their lower seven bits.
    let one_byte = V::splat(token, 0);
    let two_byte = V::splat16(token, 0x7FF >> 7);
    let three_byte = V::splat16(token, 0xFFFF >> 7);
    let (extra_bytes, _) = sum::<V, 2>(
        token,
        text,
        #[inline(always)]
        |sums, [first, second]| {
            let packed = V::narrow32_signed_unordered(first.shr32::<7>(), second.shr32::<7>());
            let above_one_byte = packed.above16_signed(one_byte);
            let above_two_bytes = packed.above16_signed(two_byte);
            let above_three_bytes = packed.above16_signed(three_byte);
            sums.sub16(above_one_byte.add16(above_two_bytes)).sub16(above_three_bytes)
        },
    );
    extra_bytes
}

/// Returns the number of units that are surrogate pairs in UTF-16.
#[inline(always)]
fn count_pairs<V: Lanes32>(token: V::Token, text: &[u8]) -> usize {
    let zero = V::splat(token, 0);
    let (singles, counted) = sum::<V, 2>(
        token,
        text,
        #[inline(always)]
        |sums, [first, second]| sums.sub16(V::high_halves16(first, second).equal16(zero)),
    );
    counted / 4 - singles
}

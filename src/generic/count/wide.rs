//! Counts and lengths of UTF-16 and UTF-32 for vectors of 64 bytes that can [look
//! up](Vector::LookUp) bytes in tables of 64 bytes. With such vectors, a lookup takes half as long
//! as a comparison.
//!
//! 1. Reduce each unit to a byte: two vectors of 16-bit units to their upper bytes, four vectors of
//!    32-bit units to their numbers of leading zeros.
//! 2. Look up the count in a table. For the length of UTF-16 in UTF-8, add one if the unit is not
//!    ASCII.
//! 3. Sum the counts in two vectors. Before a lane may overflow, add the lanes to the total, and
//!    clear them.
//! 4. Load the last vectors with masks. The zeros after the end of the text add nothing.

use crate::arch::lanes16::Lanes16;
use crate::arch::lanes32::Lanes32;
use crate::arch::optional::{LookUpOps, MaskedOps};
use crate::arch::vector::Vector;
use crate::generic::vectors;
use crate::tables::UnitOrder;

/// 1 for a low surrogate, else 0, by the upper six bits of a unit.
static LOW_SURROGATES: [u8; 64] = {
    let mut lows = [0; 64];
    lows[0xDC >> 2] = 1;
    lows
};

/// 1 for a unit of 0x800 or above that is not a surrogate, else 0, by the upper six bits of the
/// unit.
static THREE_BYTE_UNITS: [u8; 64] = {
    let mut three_byte = [1; 64];
    [three_byte[0], three_byte[1], three_byte[0xD8 >> 2], three_byte[0xDC >> 2]] = [0; 4];
    three_byte
};

/// The number of bytes in UTF-8 minus one, by the number of leading zeros of a code point.
static EXTRA_UTF8_BYTES: [u8; 64] = table_by_leading_zeros([25, 21, 16]);

/// The number of units in UTF-16 minus one, by the number of leading zeros of a code point.
static EXTRA_UTF16_UNITS: [u8; 64] = table_by_leading_zeros([16, 0, 0]);

/// Returns a table by the number of leading zeros. An entry is the number of `limits` that are
/// greater than the number of leading zeros.
const fn table_by_leading_zeros(limits: [usize; 3]) -> [u8; 64] {
    let mut table = [0; 64];
    let mut zeros = 0;
    while zeros <= 32 {
        table[zeros] =
            (zeros < limits[0]) as u8 + (zeros < limits[1]) as u8 + (zeros < limits[2]) as u8;
        zeros += 1;
    }
    table
}

/// Returns the number of low surrogates in UTF-16.
#[inline(always)]
pub(crate) fn count_low_surrogates<V: Lanes16>(
    ops: V::LookUp,
    order: &'static UnitOrder,
    token: V::Token,
    text: &[u8],
) -> usize {
    let upper_row = V::row8(token, &order.upper);
    sum::<V, 2>(
        ops,
        token,
        text,
        #[inline(always)]
        |[first, second]| ops.looked_up(V::packed8(first, second, upper_row), &LOW_SURROGATES),
    )
}

/// Returns the number of bytes in UTF-8 minus the number of UTF-16 units.
#[inline(always)]
pub(crate) fn extra_utf8_bytes_of_utf16<V: Lanes16>(
    ops: V::LookUp,
    order: &'static UnitOrder,
    token: V::Token,
    text: &[u8],
) -> usize {
    let (upper_row, lower_row) = (V::row8(token, &order.upper), V::row8(token, &order.lower));
    let (high, one) = (V::splat(token, 0x80), V::splat(token, 1));
    sum::<V, 2>(
        ops,
        token,
        text,
        #[inline(always)]
        |[first, second]| {
            let upper = V::packed8(first, second, upper_row);
            let beyond_ascii = V::packed8(first, second, lower_row).and(high).or(upper).min(one);
            ops.looked_up(upper, &THREE_BYTE_UNITS).add(beyond_ascii)
        },
    )
}

/// Returns the number of bytes in UTF-8 minus the number of UTF-32 units.
#[inline(always)]
pub(crate) fn extra_utf8_bytes_of_utf32<V: Lanes32>(
    ops: V::LookUp,
    token: V::Token,
    text: &[u8],
) -> usize {
    sum::<V, 4>(
        ops,
        token,
        text,
        #[inline(always)]
        |units| ops.by_leading_zeros(units, &EXTRA_UTF8_BYTES),
    )
}

/// Returns the number of UTF-32 units that are surrogate pairs in UTF-16.
#[inline(always)]
pub(crate) fn count_pairs<V: Lanes32>(ops: V::LookUp, token: V::Token, text: &[u8]) -> usize {
    sum::<V, 4>(
        ops,
        token,
        text,
        #[inline(always)]
        |units| ops.by_leading_zeros(units, &EXTRA_UTF16_UNITS),
    )
}

/// The number of vectors of sums.
const WIDE_SUM_VECTORS: usize = 2;

/// The maximum number of passes before the lanes are summed. A count is at most 3, and at most two
/// more counts are added to a lane after the passes.
const WIDE_PASSES_MAX: usize = 255 / 3 - 2;

/// Returns the sum of the counts of all units. `count` returns the counts of `N` vectors.
#[inline(always)]
fn sum<V: Vector, const N: usize>(
    ops: V::LookUp,
    token: V::Token,
    text: &[u8],
    count: impl Fn([V; N]) -> V,
) -> usize {
    let (step_bytes, pass_bytes) = (N * V::LANES, WIDE_SUM_VECTORS * N * V::LANES);
    let mut rest = text;
    let mut total = 0;
    loop {
        let mut sums = [V::splat(token, 0); WIDE_SUM_VECTORS];
        let (passes, after) =
            rest.split_at((rest.len() / pass_bytes).min(WIDE_PASSES_MAX) * pass_bytes);
        for block in passes.chunks_exact(pass_bytes) {
            sums[0] = sums[0].add(count(vectors::load(token, block, 0)));
            sums[1] = sums[1].add(count(vectors::load(token, block, step_bytes)));
        }
        rest = after;
        if rest.len() < pass_bytes {
            if rest.len() >= step_bytes {
                sums[0] = sums[0].add(count(vectors::load(token, rest, 0)));
                rest = &rest[step_bytes..];
            }
            if rest.is_empty() {
                return total + V::sum(&sums) as usize;
            }
            let mut units = [V::splat(token, 0); N];
            let mut k = 0;
            while k < N {
                units[k] = ops.load_first(token, &rest[rest.len().min(k * V::LANES)..]);
                k += 1;
            }
            sums[1] = sums[1].add(count(units));
            return total + V::sum(&sums) as usize;
        }
        total += V::sum(&sums) as usize;
    }
}

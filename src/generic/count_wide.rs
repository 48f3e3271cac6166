//! Counts and lengths of UTF-16 and UTF-32 for vectors of 64 bytes that [look up](Vector::LOOKS_UP) in tables as long: a
//! comparison makes a mask there, of which there is one a cycle, and a byte from a table takes half as long.
//!
//! What is asked of a 16-bit unit stands in its upper byte, but for whether it is ASCII; what is asked of a 32-bit unit is how
//! many leading zeros it has. So two vectors of units, or four, become one of bytes, and these are added up. Behind the end are
//! zeros, of which nothing is counted.

use crate::arch::Vector;
use crate::arch::lanes16::Lanes16;
use crate::arch::lanes32::Lanes32;
use crate::tables::UnitOrder;

/// Low surrogates, by the upper six bits.
static LOWS: [u8; 64] = {
    let mut lows = [0; 64];
    lows[0xDC >> 2] = 1;
    lows
};

/// Units from 800 on that are no surrogates, by the upper six bits.
static THREES: [u8; 64] = {
    let mut threes = [1; 64];
    [threes[0], threes[1], threes[0xD8 >> 2], threes[0xDC >> 2]] = [0; 4];
    threes
};

/// Bytes more than one in UTF-8, by leading zeros.
static MORE: [u8; 64] = by_zeros([25, 21, 16]);

/// Units more than one in UTF-16, by leading zeros.
static PAIRS: [u8; 64] = by_zeros([16, 0, 0]);

/// One for each of `limits` that a number of leading zeros is below.
const fn by_zeros(limits: [usize; 3]) -> [u8; 64] {
    let mut table = [0; 64];
    let mut zeros = 0;
    while zeros <= 32 {
        table[zeros] =
            (zeros < limits[0]) as u8 + (zeros < limits[1]) as u8 + (zeros < limits[2]) as u8;
        zeros += 1;
    }
    table
}

/// Low surrogates in UTF-16.
#[inline(always)]
pub(super) fn lows<V: Lanes16>(order: &'static UnitOrder, token: V::Token, text: &[u8]) -> usize {
    let upper = V::row8(token, &order.upper);
    sum::<V, 2>(
        token,
        text,
        #[inline(always)]
        |[first, second]| V::packed8(first, second, upper).looked_up(&LOWS),
    )
}

/// Bytes more than one for each unit of UTF-16 in UTF-8.
#[inline(always)]
pub(super) fn more_of_utf16<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &[u8],
) -> usize {
    let (upper, lower) = (V::row8(token, &order.upper), V::row8(token, &order.lower));
    let (high, one) = (V::splat(token, 0x80), V::splat(token, 1));
    sum::<V, 2>(
        token,
        text,
        #[inline(always)]
        |[first, second]| {
            let upper = V::packed8(first, second, upper);
            let beyond_ascii = V::packed8(first, second, lower).and(high).or(upper).min(one);
            upper.looked_up(&THREES).add(beyond_ascii)
        },
    )
}

/// Bytes more than one for each unit of UTF-32 in UTF-8.
#[inline(always)]
pub(super) fn more_of_utf32<V: Lanes32>(token: V::Token, text: &[u8]) -> usize {
    sum::<V, 4>(
        token,
        text,
        #[inline(always)]
        |units| V::by_leading_zeros(units, &MORE),
    )
}

/// Units of UTF-32 that are two of UTF-16.
#[inline(always)]
pub(super) fn pairs<V: Lanes32>(token: V::Token, text: &[u8]) -> usize {
    sum::<V, 4>(
        token,
        text,
        #[inline(always)]
        |units| V::by_leading_zeros(units, &PAIRS),
    )
}

/// Vectors of sums.
const SUMS: usize = 2;

/// Turns after which a lane could be full: an answer is at most 3, and there are two more behind the turns.
const TURNS: usize = 255 / 3 - 2;

/// The sum of the answers for all units, which are asked for `N` vectors at a time.
#[inline(always)]
fn sum<V: Vector, const N: usize>(
    token: V::Token,
    text: &[u8],
    answer: impl Fn([V; N]) -> V,
) -> usize {
    let (step, turn) = (N * V::LANES, SUMS * N * V::LANES);
    let mut rest = text;
    let mut whole = 0;
    loop {
        let mut sums = [V::splat(token, 0); SUMS];
        let (now, behind) = rest.split_at((rest.len() / turn).min(TURNS) * turn);
        for block in now.chunks_exact(turn) {
            sums[0] = sums[0].add(answer(loaded(token, block)));
            sums[1] = sums[1].add(answer(loaded(token, &block[step..])));
        }
        rest = behind;
        if rest.len() < turn {
            if rest.len() >= step {
                sums[0] = sums[0].add(answer(loaded(token, rest)));
                rest = &rest[step..];
            }
            if rest.is_empty() {
                return whole + V::sum(&sums) as usize;
            }
            let mut units = [V::splat(token, 0); N];
            let mut k = 0;
            while k < N {
                units[k] = V::load_first(token, &rest[rest.len().min(k * V::LANES)..]);
                k += 1;
            }
            sums[1] = sums[1].add(answer(units));
            return whole + V::sum(&sums) as usize;
        }
        whole += V::sum(&sums) as usize;
    }
}

/// The first vectors of `text`.
#[inline(always)]
fn loaded<V: Vector, const N: usize>(token: V::Token, text: &[u8]) -> [V; N] {
    let mut vectors = [V::splat(token, 0); N];
    let mut k = 0;
    while k < N {
        vectors[k] = V::load(token, text, k * V::LANES);
        k += 1;
    }
    vectors
}

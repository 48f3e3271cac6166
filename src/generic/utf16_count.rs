//! Code points in UTF-16, and its length in UTF-8, without validation.
//!
//! Of every unit it is only asked which of a few ranges it is in, and that is a comparison of some of its bits, in either
//! byte order, which is a value. The answers are masks, which are -1 and are subtracted from sums in 16-bit lanes.
//!
//! A unit that is masked since it has been seen before is zero: no low surrogate, and two bytes less than three.

use super::count::last;
use super::count_wide;
use super::utf16_check::whole_units;
use super::words;
use crate::arch::lanes16::Lanes16;
use crate::tables::{Lanes, UnitOrder};

/// Vectors in a turn of the loop, each with a sum of its own.
const SUMS: usize = 4;

/// Turns after which a lane could be full, which takes two a turn: and the vectors that make no turn are some more.
const TURNS: usize = 0x7000;

/// Code points: units that are no low surrogates.
#[inline(always)]
pub(crate) fn code_points<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
) -> usize {
    let text = whole_units(src);
    if V::LOOKS_UP {
        return text.len() / 2 - count_wide::lows::<V>(order, token, text);
    }
    text.len() / 2 - sums::<V, Lows>(order, token, text).0
}

/// Bytes in UTF-8: one for each unit, one more from 80 on, and a third from 800 on if it is no surrogate.
#[inline(always)]
pub(crate) fn utf8_len<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
) -> usize {
    let text = whole_units(src);
    if V::LOOKS_UP {
        return text.len() / 2 + count_wide::more_of_utf16::<V>(order, token, text);
    }
    let (less, lanes) = sums::<V, Less>(order, token, text);
    text.len() / 2 + 2 * lanes - less
}

/// What is counted of each unit, at most two.
trait Question {
    /// Adds the answers to `sums`.
    fn answer<V: Lanes16>(masks: &Masks<V>, sums: V, units: V) -> V;
}

/// Whether it is a low surrogate.
struct Lows;

impl Question for Lows {
    #[inline(always)]
    fn answer<V: Lanes16>(masks: &Masks<V>, sums: V, units: V) -> V {
        sums.sub16(units.and(masks.half).equal16(masks.low))
    }
}

/// How many bytes less than three it takes: one if it is below 80, one if it is below 800 or a surrogate.
struct Less;

impl Question for Less {
    #[inline(always)]
    fn answer<V: Lanes16>(masks: &Masks<V>, sums: V, units: V) -> V {
        let ascii = units.and(masks.above_ascii).equal16(masks.zero);
        let top = units.and(masks.top);
        let two = top.equal16(masks.zero).or(top.equal16(masks.surrogate));
        sums.sub16(ascii).sub16(two)
    }
}

/// The bits that tell the ranges, in a byte order.
struct Masks<V> {
    zero: V,
    above_ascii: V,
    top: V,
    surrogate: V,
    half: V,
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

/// The answers for all units, and how many lanes were asked: those of the units, and some that were zero. Of less than 32
/// bytes only vectors of 16 are made.
#[inline(always)]
fn sums<V: Lanes16, Q: Question>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &[u8],
) -> (usize, usize) {
    let masks = Masks::<V>::new(order, token);
    if V::LANES == 16 && text.len() < 16 {
        let units = V::of_words(token, words::padded16(text));
        let sums = Q::answer(&masks, masks.zero, units);
        return (V::sum(&[sums]) as usize, V::LANES / 2);
    }
    let turn = SUMS * V::LANES;
    let mut sums = [masks.zero; SUMS];
    let (mut at, mut whole) = (0, 0);
    while text.len() - at >= turn {
        let end = at + (text.len() - at).min(TURNS * turn) / turn * turn;
        while at < end {
            let block = &text[at..at + turn];
            let mut k = 0;
            while k < SUMS {
                sums[k] = Q::answer(&masks, sums[k], V::load(token, block, k * V::LANES));
                k += 1;
            }
            at += turn;
        }
        if end + turn <= text.len() {
            whole += sum_of(token, &sums);
            sums = [masks.zero; SUMS];
        }
    }
    while at + V::LANES <= text.len() {
        sums[1] = Q::answer(&masks, sums[1], V::load(token, text, at));
        at += V::LANES;
    }
    // The last vector ends with the text; what it sees again is masked.
    let tail = V::load(token, text, text.len() - V::LANES).and(last::<V>(token, text.len() - at));
    sums[2] = Q::answer(&masks, sums[2], tail);
    (whole + sum_of(token, &sums), (at + V::LANES) / 2)
}

/// The sum of the lanes of all sums.
#[inline(always)]
fn sum_of<V: Lanes16>(token: V::Token, sums: &[V; SUMS]) -> usize {
    let low = V::splat16(token, 0xFF);
    let lows = [sums[0].and(low), sums[1].and(low), sums[2].and(low), sums[3].and(low)];
    let highs =
        [sums[0].shr16::<8>(), sums[1].shr16::<8>(), sums[2].shr16::<8>(), sums[3].shr16::<8>()];
    V::sum(&lows) as usize + 256 * V::sum(&highs) as usize
}

//! The length of UTF-32 in UTF-8 and UTF-16, without validation: what each unit takes more than one, by thresholds.
//!
//! All thresholds are multiples of 80, so units are compared without their lower seven bits; that leaves numbers which two
//! vectors can be packed into 16-bit lanes by. The answers are masks, which are -1 and are subtracted from sums. A unit that
//! is masked since it has been seen before is zero, which takes nothing more.

use super::count::last;
use super::count_wide;
use super::utf32_check::whole_units;
use super::words;
use crate::arch::Vector;
use crate::arch::lanes32::Lanes32;

/// Sums, each of two vectors in a turn of the loop.
const SUMS: usize = 4;

/// Turns after which a lane could be full, which takes three a turn: and the vectors that make no turn are some more.
const TURNS: usize = 0x5000;

/// Bytes in UTF-8: one for each unit, and more from 80, 800 and 10000 on.
#[inline(always)]
pub(crate) fn utf8_len<V: Lanes32>(token: V::Token, src: &[u8]) -> usize
where
    V::Half: Lanes32,
{
    let text = whole_units(src);
    if V::LOOKS_UP {
        return text.len() / 4 + count_wide::more_of_utf32::<V>(token, text);
    }
    text.len() / 4 + sums::<V, More>(token, text).0
}

/// Code units in UTF-16: two for each unit, less one below 10000.
#[inline(always)]
pub(crate) fn utf16_len<V: Lanes32>(token: V::Token, src: &[u8]) -> usize
where
    V::Half: Lanes32,
{
    let text = whole_units(src);
    if V::LOOKS_UP {
        return text.len() / 4 + count_wide::pairs::<V>(token, text);
    }
    let (singles, lanes) = sums::<V, Singles>(token, text);
    text.len() / 4 + lanes - singles
}

/// What is counted of each unit, at most three.
trait Question {
    /// Adds the answers for two vectors to `sums`.
    fn answer<V: Lanes32>(limits: &Limits<V>, sums: V, first: V, second: V) -> V;
}

/// How many bytes more than one it takes.
struct More;

impl Question for More {
    #[inline(always)]
    fn answer<V: Lanes32>(limits: &Limits<V>, sums: V, first: V, second: V) -> V {
        let pressed = V::pressed(first.shr32::<7>(), second.shr32::<7>());
        let twos = pressed.above16(limits.zero);
        let threes = pressed.above16(limits.two);
        sums.sub16(twos.add16(threes)).sub16(pressed.above16(limits.three))
    }
}

/// Whether it is one unit.
struct Singles;

impl Question for Singles {
    #[inline(always)]
    fn answer<V: Lanes32>(limits: &Limits<V>, sums: V, first: V, second: V) -> V {
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

/// The answers for all units, and how many lanes were asked: those of the units, and some that were zero.
#[inline(always)]
fn sums<V: Lanes32, Q: Question>(token: V::Token, text: &[u8]) -> (usize, usize)
where
    V::Half: Lanes32,
{
    if text.len() < 16 {
        let token = V::half(token);
        let units = V::Half::of_words(token, words::padded16(text));
        let limits = Limits::new(token);
        let sums = Q::answer(&limits, limits.zero, units, limits.zero);
        return (V::Half::sum(&[sums]) as usize, V::Half::LANES / 2);
    }
    if text.len() < V::LANES {
        return sums_of_vectors::<V::Half, Q>(V::half(token), text);
    }
    sums_of_vectors::<V, Q>(token, text)
}

/// [`sums`] of at least a vector.
#[inline(always)]
fn sums_of_vectors<V: Lanes32, Q: Question>(token: V::Token, text: &[u8]) -> (usize, usize) {
    let limits = Limits::<V>::new(token);
    let turn = 2 * SUMS * V::LANES;
    if text.len() < turn {
        // No lane comes to 256.
        let (sum, asked) = rest::<V, Q>(token, &limits, text, 0, limits.zero);
        return (V::sum(&[sum]) as usize, asked / 4);
    }
    let mut sums = [limits.zero; SUMS];
    let (mut at, mut whole) = (0, 0);
    while text.len() - at >= turn {
        let end = at + (text.len() - at).min(TURNS * turn) / turn * turn;
        while at < end {
            let block = &text[at..at + turn];
            let mut k = 0;
            while k < SUMS {
                let first = V::load(token, block, 2 * k * V::LANES);
                let second = V::load(token, block, (2 * k + 1) * V::LANES);
                sums[k] = Q::answer(&limits, sums[k], first, second);
                k += 1;
            }
            at += turn;
        }
        if end + turn <= text.len() {
            whole += sum_of(token, &sums);
            sums = [limits.zero; SUMS];
        }
    }
    let (sum, asked) = rest::<V, Q>(token, &limits, text, at, sums[0]);
    sums[0] = sum;
    (whole + sum_of(token, &sums), (at + asked) / 4)
}

/// Adds the answers for what is less than a turn from `at` on; also says of how many bytes they are.
#[inline(always)]
fn rest<V: Lanes32, Q: Question>(
    token: V::Token,
    limits: &Limits<V>,
    text: &[u8],
    from: usize,
    mut sum: V,
) -> (V, usize) {
    let mut at = from;
    while let Some(two) = text.get(at..at + 2 * V::LANES) {
        let (first, second) = (V::load(token, two, 0), V::load(token, two, V::LANES));
        sum = Q::answer(limits, sum, first, second);
        at += 2 * V::LANES;
    }
    // A vector, and the last one, which ends with the text; what it sees again is masked.
    let mut first = limits.zero;
    let mut one = at;
    if let Some(vector) = text.get(at..at + V::LANES) {
        first = V::load(token, vector, 0);
        one += V::LANES;
    }
    let tail = V::load(token, text, text.len() - V::LANES);
    let tail = tail.and(last::<V>(token, text.len() - one));
    (Q::answer(limits, sum, first, tail), at + 2 * V::LANES - from)
}

/// The sum of the lanes of all sums.
#[inline(always)]
fn sum_of<V: Lanes32>(token: V::Token, sums: &[V; SUMS]) -> usize {
    let low = V::splat16(token, 0xFF);
    let lows = [sums[0].and(low), sums[1].and(low), sums[2].and(low), sums[3].and(low)];
    let highs =
        [sums[0].shr16::<8>(), sums[1].shr16::<8>(), sums[2].shr16::<8>(), sums[3].shr16::<8>()];
    V::sum(&lows) as usize + 256 * V::sum(&highs) as usize
}

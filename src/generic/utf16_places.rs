//! The n-th code point of UTF-16 in the machine's byte order: blocks are [counted](super::utf16_count), the one that has it is
//! looked at as [bits](super::utf16_halves), which units are no low surrogates.

use super::select::select;
use super::utf16_count::code_points;
use super::utf16_halves::{BLOCK as WORD, Finder};
use super::words;
use crate::arch::lanes16::Lanes16;
use crate::tables::{BIG_UNITS, LITTLE_UNITS, UnitOrder};

/// Bytes counted before it is asked whether that is enough.
const BLOCK: usize = 2048;

/// The machine's byte order.
pub(crate) const NATIVE: &UnitOrder =
    if cfg!(target_endian = "big") { &BIG_UNITS } else { &LITTLE_UNITS };

/// Where code point `n` begins, in bytes; if there is none, how many there are.
#[inline(always)]
pub(crate) fn code_point<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    n: usize,
) -> Result<usize, usize> {
    let mut left = n;
    let (mut rest, mut at) = (src, 0);
    while let Some(block) = rest.first_chunk::<BLOCK>() {
        let here = code_points::<V>(NATIVE, token, block);
        if here > left {
            rest = block;
            break;
        }
        left -= here;
        rest = &rest[BLOCK..];
        at += BLOCK;
    }
    let finder = Finder::<V>::new(NATIVE, token);
    while let Some(word) = rest.first_chunk::<WORD>() {
        let ones = !finder.of_block(word).low;
        let here = ones.count_ones() as usize;
        if here > left {
            return Ok(at + 2 * select(ones, 0, left));
        }
        left -= here;
        rest = &rest[WORD..];
        at += WORD;
    }
    if !rest.is_empty() {
        let ones = !lows_of_rest(&finder, token, src, rest.len()) & ((1 << (rest.len() / 2)) - 1);
        let here = ones.count_ones() as usize;
        if here > left {
            return Ok(at + 2 * select(ones, 0, left));
        }
        left -= here;
    }
    Err(n - left)
}

/// The low surrogates among the last bytes of `src`, so many, less than 128.
#[inline(always)]
fn lows_of_rest<V: Lanes16>(finder: &Finder<V>, token: V::Token, src: &[u8], rest: usize) -> u64 {
    if let Some(word) = src.last_chunk::<WORD>() {
        // What has been seen before is shifted out.
        return finder.of_block(word).low >> ((WORD - rest) / 2);
    }
    // Then `rest` is all there is.
    if src.len() < V::LANES {
        return finder.of_vector(V::of_words(token, words::padded(src))).low;
    }
    let (mut lows, mut at) = (0, 0);
    while at + V::LANES <= src.len() {
        lows |= finder.of_vector(V::load(token, src, at)).low << (at / 2);
        at += V::LANES;
    }
    if at < src.len() {
        let last = src.len() - V::LANES;
        lows |= finder.of_vector(V::load(token, src, last)).low >> ((at - last) / 2) << (at / 2);
    }
    lows
}

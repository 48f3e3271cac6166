//! Finds code point `n` in UTF-16 in the byte order of the machine.
//!
//! 1. [Count](crate::generic::count::utf16) the code points of whole blocks, up to the block that
//!    contains code point `n`.
//! 2. In that block, make a word for each 64 units: a [bit](crate::generic::from_utf16::surrogates)
//!    for each unit, which is 1 unless the unit is a low surrogate. Stop at the word that contains
//!    the code point.
//! 3. [Select](select) the bit in that word.

use crate::arch::lanes16::Lanes16;
use crate::generic::count::utf16::code_points;
use crate::generic::from_utf16::surrogates::{Finder, SURROGATE_BLOCK_BYTES};
use crate::swar::select::select;
use crate::swar::words;
use crate::tables::{BIG_UNITS, LITTLE_UNITS, UnitOrder};

/// The number of bytes that are counted at a time.
const UTF16_BLOCK_BYTES: usize = 2048;

/// The byte order of the machine.
pub(crate) const NATIVE: &UnitOrder =
    if cfg!(target_endian = "big") { &BIG_UNITS } else { &LITTLE_UNITS };

/// Returns the byte offset of code point `n`. If there are not more than `n` code points, returns
/// `Err` with their number.
#[inline(always)]
pub(crate) fn code_point<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    n: usize,
) -> Result<usize, usize> {
    let mut left = n;
    let (mut rest, mut at) = (src, 0);
    while let Some(block) = rest.first_chunk::<UTF16_BLOCK_BYTES>() {
        let count_in_block = code_points::<V>(NATIVE, token, block);
        if count_in_block > left {
            rest = block;
            break;
        }
        left -= count_in_block;
        rest = &rest[UTF16_BLOCK_BYTES..];
        at += UTF16_BLOCK_BYTES;
    }
    let finder = Finder::<V>::new(NATIVE, token);
    while let Some(block) = rest.first_chunk::<SURROGATE_BLOCK_BYTES>() {
        let ones = !finder.of_block(block).low;
        let count_in_word = ones.count_ones() as usize;
        if count_in_word > left {
            return Ok(at + 2 * select(ones, 0, left));
        }
        left -= count_in_word;
        rest = &rest[SURROGATE_BLOCK_BYTES..];
        at += SURROGATE_BLOCK_BYTES;
    }
    if !rest.is_empty() {
        let ones = !low_surrogates_of_tail(&finder, token, src, rest.len())
            & ((1 << (rest.len() / 2)) - 1);
        let count_in_word = ones.count_ones() as usize;
        if count_in_word > left {
            return Ok(at + 2 * select(ones, 0, left));
        }
        left -= count_in_word;
    }
    Err(n - left)
}

/// Returns the bits of the low surrogates in the last `rest` bytes of `src`. `rest` is less than
/// 128.
#[inline(always)]
fn low_surrogates_of_tail<V: Lanes16>(
    finder: &Finder<V>,
    token: V::Token,
    src: &[u8],
    rest: usize,
) -> u64 {
    if let Some(block) = src.last_chunk::<SURROGATE_BLOCK_BYTES>() {
        // The shift removes the units before the last `rest` bytes.
        return finder.of_block(block).low >> ((SURROGATE_BLOCK_BYTES - rest) / 2);
    }
    // The last `rest` bytes are all of `src`.
    if src.len() < V::LANES {
        return finder.of_vector(V::from_words(token, words::padded(src))).low;
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

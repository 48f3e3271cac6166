//! Finds code point `n` in UTF-16 in the byte order of the machine.
//!
//! 1. [Count](crate::generic::count::utf16) the code points of whole blocks, up to the block that
//!    contains code point `n`.
//! 2. In that block, make a word for each 64 units: a [bit](crate::generic::from_utf16::surrogates)
//!    for each unit, which is 1 unless the unit is a low surrogate. Stop at the word that contains
//!    the code point.
//! 3. Select the bit in that word.

use crate::arch::lanes16::Lanes16;
use crate::generic::count::utf16::code_points;
use crate::generic::from_utf16::surrogates::{Finder, SURROGATE_BLOCK_BYTES};
use crate::generic::position::utf8::{Search, bits_of_short, find_by};
use crate::tables::{BIG_UNITS, LITTLE_UNITS, UnitOrder};

/// The byte order of the machine.
pub(crate) const NATIVE: &UnitOrder =
    if cfg!(target_endian = "big") { &BIG_UNITS } else { &LITTLE_UNITS };

/// A search for code points.
struct CodePoints<V: Lanes16> {
    token: V::Token,
    finder: Finder<V>,
}

impl<V: Lanes16> Search for CodePoints<V> {
    const WORD_BYTES: usize = SURROGATE_BLOCK_BYTES;
    const BLOCK_BYTES: usize = 2048;

    #[inline(always)]
    fn count_block(&self, block: &[u8]) -> usize {
        code_points::<V>(NATIVE, self.token, block)
    }

    #[inline(always)]
    fn bits_at(&self, src: &[u8], at: usize) -> (u64, u64) {
        let rest = src.len() - at;
        if rest >= SURROGATE_BLOCK_BYTES {
            return (!self.finder.of_block(&src[at..at + SURROGATE_BLOCK_BYTES]).low, 0);
        }
        let lows = if let Some(block) = src.last_chunk::<SURROGATE_BLOCK_BYTES>() {
            // The shift removes the units before the last `rest` bytes.
            self.finder.of_block(block).low >> ((SURROGATE_BLOCK_BYTES - rest) / 2)
        } else {
            let (lows, _) = bits_of_short::<V>(
                self.token,
                src,
                2,
                #[inline(always)]
                |units| (self.finder.of_vector(units).low, 0),
            );
            lows
        };
        (!lows & ((1 << (rest / 2)) - 1), 0)
    }
}

/// Returns the byte offset of code point `n`. If there are not more than `n` code points, returns
/// `Err` with their number.
#[inline(always)]
pub(crate) fn code_point<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    n: usize,
) -> Result<usize, usize> {
    find_by(&CodePoints::<V> { token, finder: Finder::new(NATIVE, token) }, src, n)
}

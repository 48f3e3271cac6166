//! Counts a quantity, such as code points, before each of many sorted positions, for rows that are
//! measured together.
//!
//! 1. Convert the whole text to words of bits, one word for 64 bytes, and store the count before
//!    each word.
//! 2. The count before a position is the count before its word plus the number of bits before the
//!    position in the word.
//!
//! No branch depends on a position: a test if the next position is in the same word would be
//! mispredicted for half of short rows.

use crate::arch::vector::Vector;
use crate::generic::count::utf8::{Continuations, ContinuationsAndPairs, Sought};
use crate::generic::position::utf8::{TEXT_BYTES_PER_WORD, bits_at};
use crate::types::position::COUNTED_MAX_BYTES;

/// The quantity that counts the code points of UTF-8.
pub(crate) type CodePoints = Continuations;

/// The quantity that counts the UTF-16 units that UTF-8 converts to.
pub(crate) type Utf16Units = ContinuationsAndPairs;

/// The quantity that counts the UTF-8 bytes that Latin-1 converts to.
pub(crate) struct Latin1Bytes;

impl Sought for Latin1Bytes {
    const COUNTS_OTHERS: bool = true;
    const COUNTS_TWICE: bool = true;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [V::splat(token, 0).high_bit_mask(), bytes.high_bit_mask()]
    }
}

/// The quantity that counts the bytes of UTF-8 that begin characters above U+00FF.
pub(crate) struct AboveLatin1;

impl Sought for AboveLatin1 {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.at_least(token, 0xC4); 2]
    }
}

/// The bits of up to 64 bytes, and the count before these bytes.
#[derive(Clone, Copy)]
struct Word {
    /// The bytes that count.
    ones: u64,
    /// The bytes that count twice.
    twos: u64,
    /// The count before the bytes.
    before: usize,
}

/// Replaces each of `positions`, which are byte offsets, with the count of `Q` before it.
/// `positions` are sorted, and at most the length of `src`. `src` is not empty and has at most
/// [`COUNTED_MAX_BYTES`] bytes.
#[inline(always)]
pub(crate) fn counts_before<V: Vector, Q: Sought>(
    token: V::Token,
    src: &[u8],
    positions: &mut [usize],
) {
    // There is one more word, because the end of the text may be a position.
    let mut words =
        [Word { ones: 0, twos: 0, before: 0 }; COUNTED_MAX_BYTES / TEXT_BYTES_PER_WORD + 1];
    let mut before = 0;
    for (at, word) in (0..=src.len()).step_by(TEXT_BYTES_PER_WORD).zip(&mut words) {
        let (ones, twos) =
            if at < src.len() { bits_at::<V, Q>(token, src, at) } else { Default::default() };
        *word = Word { ones, twos, before };
        before += (ones.count_ones() + twos.count_ones()) as usize;
    }
    for position in positions {
        let word = words[*position / TEXT_BYTES_PER_WORD];
        let below = !(u64::MAX << (*position % TEXT_BYTES_PER_WORD));
        let count = (word.ones & below).count_ones() + (word.twos & below).count_ones();
        *position = word.before + count as usize;
    }
}

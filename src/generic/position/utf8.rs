//! Finds the n-th code point, UTF-16 unit, line feed or line end in UTF-8, the end of the first
//! line and the start of the last line, and the first byte that CESU-8 or Modified UTF-8 lacks.
//!
//! 1. [Count](crate::generic::count) blocks up to the block that contains the position.
//! 2. In that block, convert 64 bytes at a time to a word of bits, up to the word that contains the
//!    position.
//! 3. [`select`] the bit in that word.

use core::marker::PhantomData;

use crate::arch::vector::Vector;
use crate::generic::count::utf8::{Newlines, Quantity, Sought, surplus_of_blocks};
use crate::swar::select::select;
use crate::swar::words;

/// The number of bytes that are counted at a time.
pub(super) const POSITION_BLOCK_BYTES: usize = 512;

/// The number of bytes of text whose bits form a 64-bit word.
pub(super) const TEXT_BYTES_PER_WORD: usize = 64;

/// The quantity that counts carriage returns.
struct CarriageReturns;

impl Sought for CarriageReturns {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.equal(V::splat(token, b'\r')); 2]
    }
}

/// The quantity that counts bytes of 0xF0 or above and NULs.
pub(crate) struct FourByteOrNul;

impl Sought for FourByteOrNul {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        // Only 0 and the bytes of 0xF0 and above become 0xEF or above.
        [bytes.wrapping_sub(V::splat(token, 1)).at_least(token, 0xEF); 2]
    }
}

/// Returns the byte offset of the last byte of line end `n`. A line end is a `\r\n`, or a single
/// `\r` or `\n`. If there are not more than `n` line ends, returns `Err` with their number.
#[inline(always)]
pub(crate) fn line_end<V: Vector>(token: V::Token, src: &[u8], n: usize) -> Result<usize, usize> {
    let (mut left, mut at) = (n, 0);
    while at < src.len() {
        let (feeds, _) = bits_at::<V, Newlines>(token, src, at);
        let (returns, _) = bits_at::<V, CarriageReturns>(token, src, at);
        // In `\r\n`, only the `\n` ends the line.
        let next = src.get(at + TEXT_BYTES_PER_WORD);
        let before_feeds = feeds >> 1 | u64::from(next == Some(&b'\n')) << 63;
        let ends = feeds | returns & !before_feeds;
        let count_in_word = sum(ends, 0);
        if count_in_word > left {
            return Ok(at + select(ends, 0, left));
        }
        left -= count_in_word;
        at += TEXT_BYTES_PER_WORD;
    }
    Err(n - left)
}

/// A quantity to search for in a text.
pub(super) trait Search {
    /// The number of bytes whose units form a word of 64 bits.
    const WORD_BYTES: usize;

    /// The number of bytes that are counted at a time.
    const BLOCK_BYTES: usize;

    /// Returns the count in a block.
    fn count_block(&self, block: &[u8]) -> usize;

    /// Returns two words of bits for the units of `src` from byte `at` on: the units that count,
    /// and the units that count twice. No bits are set after the end of `src`.
    fn bits_at(&self, src: &[u8], at: usize) -> (u64, u64);
}

/// A search for a quantity in UTF-8.
struct Utf8Search<V: Vector, Q> {
    token: V::Token,
    quantity: PhantomData<Q>,
}

impl<V: Vector, Q: Sought + Quantity> Search for Utf8Search<V, Q> {
    const WORD_BYTES: usize = TEXT_BYTES_PER_WORD;
    const BLOCK_BYTES: usize = POSITION_BLOCK_BYTES;

    #[inline(always)]
    fn count_block(&self, block: &[u8]) -> usize {
        let surplus = surplus_of_blocks::<V, Q>(self.token, block.as_chunks().0);
        if Q::COUNTS_OTHERS { block.len().wrapping_sub(surplus) } else { surplus }
    }

    #[inline(always)]
    fn bits_at(&self, src: &[u8], at: usize) -> (u64, u64) {
        bits_at::<V, Q>(self.token, src, at)
    }
}

/// Returns the offset of the first byte with which the count exceeds `n`: of code point `n`, of the
/// character that contains UTF-16 unit `n`, or of line feed `n`. If the count does not exceed `n`,
/// returns `Err` with the whole count.
#[inline(always)]
pub(crate) fn find<V: Vector, Q: Sought + Quantity>(
    token: V::Token,
    src: &[u8],
    n: usize,
) -> Result<usize, usize> {
    find_by(&Utf8Search::<V, Q> { token, quantity: PhantomData }, src, n)
}

/// Returns the byte offset of the first unit with which the count exceeds `n`, or `Err` with the
/// whole count.
#[inline(always)]
pub(super) fn find_by<S: Search>(search: &S, src: &[u8], n: usize) -> Result<usize, usize> {
    let (mut left, mut at) = (n, 0);
    while let Some(block) = src.get(at..at + S::BLOCK_BYTES) {
        let count_in_block = search.count_block(block);
        if count_in_block > left {
            break;
        }
        left -= count_in_block;
        at += S::BLOCK_BYTES;
    }
    while at < src.len() {
        let (ones, twos) = search.bits_at(src, at);
        let count_in_word = sum(ones, twos);
        if count_in_word > left {
            return Ok(at + S::WORD_BYTES / 64 * select(ones, twos, left));
        }
        left -= count_in_word;
        at += S::WORD_BYTES;
    }
    Err(n - left)
}

/// Returns the number of bits that are set in two words.
#[inline(always)]
fn sum(ones: u64, twos: u64) -> usize {
    (ones.count_ones() + twos.count_ones()) as usize
}

/// Returns two words of bits for 64 bytes: the bytes that count, and the bytes that count twice.
#[inline(always)]
pub(super) fn bits_of_word<V: Vector, Q: Sought>(
    token: V::Token,
    word: &[u8; TEXT_BYTES_PER_WORD],
) -> (u64, u64) {
    let first = Q::lanes(token, V::load(token, word, 0));
    let (mut ones, mut twos) = ([first[0]; 4], [first[1]; 4]);
    let mut k = 1;
    while k < TEXT_BYTES_PER_WORD / V::LANES {
        [ones[k], twos[k]] = Q::lanes(token, V::load(token, word, k * V::LANES));
        k += 1;
    }
    let ones = V::bits(&ones[..TEXT_BYTES_PER_WORD / V::LANES]);
    let twos = if Q::COUNTS_TWICE { V::bits(&twos[..TEXT_BYTES_PER_WORD / V::LANES]) } else { 0 };
    (if Q::COUNTS_OTHERS { !ones } else { ones }, twos)
}

/// Does the same as [`bits_of_word`], for the bytes of `src` from byte `at` on, up to 64. `at` is
/// less than the length of `src`.
#[inline(always)]
pub(super) fn bits_at<V: Vector, Q: Sought>(token: V::Token, src: &[u8], at: usize) -> (u64, u64) {
    if let Some(word) = src[at..].first_chunk() {
        return bits_of_word::<V, Q>(token, word);
    }
    let rest = src.len() - at;
    if let Some(word) = src.last_chunk() {
        // The shift removes the bytes before the last `rest` bytes.
        let (ones, twos) = bits_of_word::<V, Q>(token, word);
        return (ones >> (TEXT_BYTES_PER_WORD - rest), twos >> (TEXT_BYTES_PER_WORD - rest));
    }
    // The last `rest` bytes are all of `src`.
    let (ones, twos) = bits_of_short::<V>(
        token,
        src,
        1,
        #[inline(always)]
        |bytes| {
            let lanes = Q::lanes(token, bytes);
            let twos = if Q::COUNTS_TWICE { V::bits(&lanes[1..]) } else { 0 };
            (V::bits(&lanes[..1]), twos)
        },
    );
    let tail_bits = (1 << rest) - 1;
    (if Q::COUNTS_OTHERS { !ones & tail_bits } else { ones & tail_bits }, twos & tail_bits)
}

/// Returns two words of bits for the units of `src`, which are less than 64 and have `unit_bytes`
/// bytes. `bits` returns the bits of a vector. The bits after the end of `src` are the bits of
/// zeros. Vectors of 64 lanes are not used for texts that are shorter than a vector.
#[inline(always)]
pub(super) fn bits_of_short<V: Vector>(
    token: V::Token,
    src: &[u8],
    unit_bytes: usize,
    bits: impl Fn(V) -> (u64, u64),
) -> (u64, u64) {
    if src.len() < V::LANES {
        return bits(V::from_words(token, words::padded(src)));
    }
    let (mut ones, mut twos, mut at) = (0, 0, 0);
    while at < src.len() {
        // The last vector ends with the text. Units that are loaded twice give the same bits.
        let start = at.min(src.len() - V::LANES);
        let (vector_ones, vector_twos) = bits(V::load(token, src, start));
        ones |= vector_ones << (start / unit_bytes);
        twos |= vector_twos << (start / unit_bytes);
        at = start + V::LANES;
    }
    (ones, twos)
}

/// Returns the offset of the first byte that counts, or the length of `src`.
#[inline(always)]
pub(crate) fn find_first<V: Vector, Q: Sought>(token: V::Token, src: &[u8]) -> usize {
    let mut at = 0;
    while at < src.len() {
        let (ones, _) = bits_at::<V, Q>(token, src, at);
        if ones != 0 {
            return at + ones.trailing_zeros() as usize;
        }
        at += TEXT_BYTES_PER_WORD;
    }
    src.len()
}

/// Returns the byte offset of the start of the last line.
#[inline(always)]
pub(crate) fn last_line<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    let mut end = src.len();
    while end > 0 {
        // The first word may include bytes after `end`, which have no line feed.
        let at = end.saturating_sub(TEXT_BYTES_PER_WORD);
        let (ones, _) = bits_at::<V, Newlines>(token, src, at);
        if ones != 0 {
            return at + (u64::BITS - ones.leading_zeros()) as usize;
        }
        end = at;
    }
    0
}

/// Returns the length, in bytes, of the common prefix of two texts of equal length.
#[inline(always)]
pub(crate) fn common<V: Vector>(token: V::Token, a: &[u8], b: &[u8]) -> usize {
    debug_assert_eq!(a.len(), b.len());
    let equal_lanes = |a: V, b: V| V::bits(&[a.equal(b)]).trailing_ones() as usize;
    let Some(last) = a.len().checked_sub(V::LANES) else {
        let (a_words, b_words) = (words::padded(a), words::padded(b));
        let equal = equal_lanes(V::from_words(token, a_words), V::from_words(token, b_words));
        return equal.min(a.len());
    };
    let mut at = 0;
    while at < a.len() {
        // The last vector ends with the texts and may overlap the vector before it.
        let start = at.min(last);
        let equal = equal_lanes(V::load(token, a, start), V::load(token, b, start));
        if equal < V::LANES {
            return start + equal;
        }
        at = start + V::LANES;
    }
    a.len()
}

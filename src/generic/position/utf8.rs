//! Finds the n-th code point, UTF-16 unit, line feed or line end in UTF-8, the end of the first
//! line and the start of the last line, and the first byte that CESU-8 or Modified UTF-8 lacks.
//!
//! 1. [Count](crate::generic::count) blocks up to the block that contains the position.
//! 2. In that block, convert 64 bytes at a time to a word of bits, up to the word that contains the
//!    position.
//! 3. [`select`] the bit in that word.

use crate::arch::vector::Vector;
use crate::generic::count::utf8::{
    Continuations, ContinuationsAndPairs, Counter, FourByte, Newlines, Quantity,
};
use crate::swar::select::select;
use crate::swar::words;

/// The number of bytes that are counted at a time.
pub(super) const POSITION_BLOCK_BYTES: usize = 512;

/// The number of bytes of each text that are compared together.
const COMPARE_STRIDE_BYTES: usize = 128;

/// The number of bytes of text whose bits form a 64-bit word.
pub(super) const TEXT_BYTES_PER_WORD: usize = 64;

/// A quantity for which each byte counts zero, one or two times.
pub(crate) trait Sought {
    /// True if the quantity is the number of bytes minus the count of a [`Counter`]; false if it is
    /// that count.
    const COUNTS_OTHERS: bool;

    /// Returns two masks. The first has the lanes that count, or with
    /// [`COUNTS_OTHERS`](Self::COUNTS_OTHERS) the lanes that do not count. The second has the lanes
    /// that count twice.
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2];

    /// True if some lanes count twice.
    const COUNTS_TWICE: bool = false;
}

impl Sought for Continuations {
    const COUNTS_OTHERS: bool = true;

    #[inline(always)]
    fn lanes<V: Vector>(_: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.continuation(); 2]
    }
}

impl Sought for ContinuationsAndPairs {
    const COUNTS_OTHERS: bool = true;
    const COUNTS_TWICE: bool = true;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        // Only bytes of 0xF0 and above stay 0x80 or above.
        [bytes.continuation(), bytes.saturating_sub(V::splat(token, 0xF0 - 0x80)).high_bit_mask()]
    }
}

impl Sought for Newlines {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.equal(V::splat(token, b'\n')); 2]
    }
}

/// The quantity that counts carriage returns.
struct CarriageReturns;

impl Sought for CarriageReturns {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.equal(V::splat(token, b'\r')); 2]
    }
}

impl Sought for FourByte {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.at_least(token, 0xF0); 2]
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
    let (mut left, mut rest) = (n, src);
    while !rest.is_empty() {
        let (feeds, returns) = if let Some(word) = rest.first_chunk() {
            (
                bits_of_word::<V, Newlines>(token, word).0,
                bits_of_word::<V, CarriageReturns>(token, word).0,
            )
        } else {
            let len = rest.len();
            (
                bits_of_tail::<V, Newlines>(token, src, len).0,
                bits_of_tail::<V, CarriageReturns>(token, src, len).0,
            )
        };
        // In `\r\n`, only the `\n` ends the line.
        let before_feeds = feeds >> 1
            | u64::from(rest.get(TEXT_BYTES_PER_WORD) == Some(&b'\n')) << (TEXT_BYTES_PER_WORD - 1);
        let ends = feeds | returns & !before_feeds;
        let count_in_word = sum(ends, 0);
        if count_in_word > left {
            return Ok(src.len() - rest.len() + select(ends, 0, left));
        }
        left -= count_in_word;
        rest = rest.get(TEXT_BYTES_PER_WORD..).unwrap_or_default();
    }
    Err(n - left)
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
    let counter = Counter::<V, Q>::new(token);
    let mut left = n;
    let (mut rest, mut at) = (src, 0);
    while let Some(block) = rest.first_chunk::<POSITION_BLOCK_BYTES>() {
        let surplus = counter.count_surplus(token, block.as_chunks().0);
        let count_in_block =
            if Q::COUNTS_OTHERS { POSITION_BLOCK_BYTES.wrapping_sub(surplus) } else { surplus };
        if count_in_block > left {
            rest = block;
            break;
        }
        left -= count_in_block;
        rest = &rest[POSITION_BLOCK_BYTES..];
        at += POSITION_BLOCK_BYTES;
    }
    while let Some(word) = rest.first_chunk::<TEXT_BYTES_PER_WORD>() {
        let (ones, twos) = bits_of_word::<V, Q>(token, word);
        let count_in_word = sum(ones, twos);
        if count_in_word > left {
            return Ok(at + select(ones, twos, left));
        }
        left -= count_in_word;
        rest = &rest[TEXT_BYTES_PER_WORD..];
        at += TEXT_BYTES_PER_WORD;
    }
    if !rest.is_empty() {
        let (ones, twos) = bits_of_tail::<V, Q>(token, src, rest.len());
        let count_in_word = sum(ones, twos);
        if count_in_word > left {
            return Ok(at + select(ones, twos, left));
        }
        left -= count_in_word;
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

/// Does the same as [`bits_of_word`], for the last `rest` bytes of `src`. `rest` is less than 64.
#[inline(always)]
pub(super) fn bits_of_tail<V: Vector, Q: Sought>(
    token: V::Token,
    src: &[u8],
    rest: usize,
) -> (u64, u64) {
    let tail_bits = (1 << rest) - 1;
    if let Some(word) = src.last_chunk::<TEXT_BYTES_PER_WORD>() {
        // The shift removes the bytes before the last `rest` bytes.
        let (ones, twos) = bits_of_word::<V, Q>(token, word);
        return (ones >> (TEXT_BYTES_PER_WORD - rest), twos >> (TEXT_BYTES_PER_WORD - rest));
    }
    // The last `rest` bytes are all of `src`.
    let (mut ones, mut twos) = (0, 0);
    let mut add_bits = |bytes: V, at: usize, skipped: usize| {
        let lanes = Q::lanes(token, bytes);
        ones |= V::bits(&lanes[..1]) >> skipped << at;
        if Q::COUNTS_TWICE {
            twos |= V::bits(&lanes[1..]) >> skipped << at;
        }
    };
    if src.len() < V::LANES {
        // Zeros follow the text in the vector. Vectors of 64 lanes are not used for short texts.
        add_bits(V::from_words(token, words::padded(src)), 0, 0);
    } else {
        let mut at = 0;
        while at + V::LANES <= src.len() {
            add_bits(V::load(token, src, at), at, 0);
            at += V::LANES;
        }
        if at < src.len() {
            let last = src.len() - V::LANES;
            add_bits(V::load(token, src, last), at, at - last);
        }
    }
    (if Q::COUNTS_OTHERS { !ones & tail_bits } else { ones & tail_bits }, twos & tail_bits)
}

/// Returns the offset of the first byte that counts, or the length of `src`.
#[inline(always)]
pub(crate) fn find_first<V: Vector, Q: Sought>(token: V::Token, src: &[u8]) -> usize {
    let mut rest = src;
    while let Some(word) = rest.first_chunk::<TEXT_BYTES_PER_WORD>() {
        let (ones, _) = bits_of_word::<V, Q>(token, word);
        if ones != 0 {
            return src.len() - rest.len() + ones.trailing_zeros() as usize;
        }
        rest = &rest[TEXT_BYTES_PER_WORD..];
    }
    if rest.is_empty() {
        return src.len();
    }
    let (ones, _) = bits_of_tail::<V, Q>(token, src, rest.len());
    src.len() - rest.len() + (ones.trailing_zeros() as usize).min(rest.len())
}

/// Returns the byte offset of the start of the last line.
#[inline(always)]
pub(crate) fn last_line<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    let mut rest = src;
    while let Some(word) = rest.last_chunk::<TEXT_BYTES_PER_WORD>() {
        let (ones, _) = bits_of_word::<V, Newlines>(token, word);
        if ones != 0 {
            return rest.len() - ones.leading_zeros() as usize;
        }
        rest = &rest[..rest.len() - TEXT_BYTES_PER_WORD];
    }
    // The rest is the start of the text. The bytes after the rest have no line feed.
    let (ones, _) = if rest.is_empty() {
        (0, 0)
    } else if let Some(word) = src.first_chunk::<TEXT_BYTES_PER_WORD>() {
        bits_of_word::<V, Newlines>(token, word)
    } else {
        bits_of_tail::<V, Newlines>(token, rest, rest.len())
    };
    (u64::BITS - ones.leading_zeros()) as usize
}

/// Returns the length, in bytes, of the common prefix of two texts of equal length.
#[inline(always)]
pub(crate) fn common<V: Vector>(token: V::Token, a: &[u8], b: &[u8]) -> usize {
    debug_assert_eq!(a.len(), b.len());
    let difference_bits = |a: V, b: V| V::bits(&[a.equal(b)]) ^ V::first_bits(V::LANES);
    let mut at = 0;
    // Find the first stride with a difference.
    while let (Some(a), Some(b)) = (
        a[at..].first_chunk::<COMPARE_STRIDE_BYTES>(),
        b[at..].first_chunk::<COMPARE_STRIDE_BYTES>(),
    ) {
        let mut differences = V::splat(token, 0);
        let mut k = 0;
        while k < COMPARE_STRIDE_BYTES / V::LANES {
            let (first, second) =
                (V::load(token, a, k * V::LANES), V::load(token, b, k * V::LANES));
            differences = differences.or(first.xor(second));
            k += 1;
        }
        if differences.any() {
            break;
        }
        at += COMPARE_STRIDE_BYTES;
    }
    while at + V::LANES <= a.len() {
        let bits = difference_bits(V::load(token, a, at), V::load(token, b, at));
        if bits != 0 {
            return at + bits.trailing_zeros() as usize;
        }
        at += V::LANES;
    }
    if at == a.len() {
        return at;
    }
    if let Some(last) = a.len().checked_sub(V::LANES) {
        let bits = difference_bits(V::load(token, a, last), V::load(token, b, last));
        return if bits == 0 { a.len() } else { last + bits.trailing_zeros() as usize };
    }
    let bits = difference_bits(
        V::from_words(token, words::padded(a)),
        V::from_words(token, words::padded(b)),
    );
    if bits == 0 { a.len() } else { bits.trailing_zeros() as usize }
}

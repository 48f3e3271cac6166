//! The n-th of what can be [counted](super::count) in UTF-8: code points, UTF-16 units, line feeds; and the ends of lines.
//!
//! Blocks are counted as a count of all would, as long as what is asked for is not among them. In the block that has it, 64
//! bytes at a time are bits, and in the last word of these it is [selected](super::select).

use super::count::{self, Asked, Continuations, ContinuationsAndPairs, Counter, Newlines};
use super::select::select;
use super::words;
use crate::arch::Vector;

/// Bytes counted before it is asked whether that is enough.
const BLOCK: usize = 512;

/// Bytes of two texts that are compared together.
const STRIDE: usize = 128;

/// Bytes that are looked at as bits of a word.
const WORD: usize = 64;

/// What can be found.
trait Sought: Asked {
    /// Whether it is what is left of the bytes when the surplus is taken away, and not the surplus itself.
    const REST: bool;

    /// The lanes that count: those that do, or those that don't, and those that count once more.
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2];

    /// Whether lanes ever count once more.
    const TWICE: bool = false;
}

impl Sought for Continuations {
    const REST: bool = true;

    #[inline(always)]
    fn lanes<V: Vector>(_: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.continuation(); 2]
    }
}

impl Sought for ContinuationsAndPairs {
    const REST: bool = true;
    const TWICE: bool = true;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        // From F0 on, what is left is 80 and more.
        [bytes.continuation(), bytes.saturating_sub(V::splat(token, 0xF0 - 0x80)).high()]
    }
}

impl Sought for Newlines {
    const REST: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(token: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.equal(V::splat(token, b'\n')); 2]
    }
}

/// Where code point `n` begins; if there is none, how many there are.
#[inline(always)]
pub(crate) fn code_point<V: Vector>(token: V::Token, src: &[u8], n: usize) -> Result<usize, usize> {
    find::<V, Continuations>(token, src, n)
}

/// Where the character begins that has UTF-16 unit `n`; if there is none, how many units there are.
#[inline(always)]
pub(crate) fn utf16_unit<V: Vector>(token: V::Token, src: &[u8], n: usize) -> Result<usize, usize> {
    find::<V, ContinuationsAndPairs>(token, src, n)
}

/// Where line feed `n` is; if there is none, how many there are.
#[inline(always)]
pub(crate) fn newline<V: Vector>(token: V::Token, src: &[u8], n: usize) -> Result<usize, usize> {
    find::<V, Newlines>(token, src, n)
}

/// Where the sum of what counts is above `n` for the first time; if it never is, the sum.
#[inline(always)]
fn find<V: Vector, Q: Sought>(token: V::Token, src: &[u8], n: usize) -> Result<usize, usize> {
    let counter = Counter::<V, Q>::new(token);
    let mut left = n;
    let (mut rest, mut at) = (src, 0);
    while let Some(block) = rest.first_chunk::<BLOCK>() {
        let surplus = counter.of_blocks(token, block.as_chunks().0);
        let here = if Q::REST { BLOCK.wrapping_sub(surplus) } else { surplus };
        if here > left {
            rest = block;
            break;
        }
        left -= here;
        rest = &rest[BLOCK..];
        at += BLOCK;
    }
    while let Some(word) = rest.first_chunk::<WORD>() {
        let (ones, twos) = bits_of_word::<V, Q>(token, word);
        let here = sum(ones, twos);
        if here > left {
            return Ok(at + select(ones, twos, left));
        }
        left -= here;
        rest = &rest[WORD..];
        at += WORD;
    }
    if !rest.is_empty() {
        let (ones, twos) = bits_of_rest::<V, Q>(token, src, rest.len());
        let here = sum(ones, twos);
        if here > left {
            return Ok(at + select(ones, twos, left));
        }
        left -= here;
    }
    Err(n - left)
}

/// How much two words count.
#[inline(always)]
fn sum(ones: u64, twos: u64) -> usize {
    (ones.count_ones() + twos.count_ones()) as usize
}

/// The bits of 64 bytes: what counts, and what counts once more.
#[inline(always)]
fn bits_of_word<V: Vector, Q: Sought>(token: V::Token, word: &[u8; WORD]) -> (u64, u64) {
    let first = Q::lanes(token, V::load(token, word, 0));
    let (mut ones, mut twos) = ([first[0]; 4], [first[1]; 4]);
    let mut k = 1;
    while k < WORD / V::LANES {
        [ones[k], twos[k]] = Q::lanes(token, V::load(token, word, k * V::LANES));
        k += 1;
    }
    let ones = V::bits(&ones[..WORD / V::LANES]);
    let twos = if Q::TWICE { V::bits(&twos[..WORD / V::LANES]) } else { 0 };
    (if Q::REST { !ones } else { ones }, twos)
}

/// The bits of the last bytes of `src`, so many, less than 64.
#[inline(always)]
fn bits_of_rest<V: Vector, Q: Sought>(token: V::Token, src: &[u8], rest: usize) -> (u64, u64) {
    let own = (1 << rest) - 1;
    if let Some(word) = src.last_chunk::<WORD>() {
        // What has been seen before is shifted out.
        let (ones, twos) = bits_of_word::<V, Q>(token, word);
        return (ones >> (WORD - rest), twos >> (WORD - rest));
    }
    // Then `rest` is all there is.
    let (mut ones, mut twos) = (0, 0);
    let mut add = |bytes: V, at: usize, seen: usize| {
        let lanes = Q::lanes(token, bytes);
        ones |= V::bits(&lanes[..1]) >> seen << at;
        if Q::TWICE {
            twos |= V::bits(&lanes[1..]) >> seen << at;
        }
    };
    if src.len() < V::LANES {
        // Behind them are zeros; vectors have at most 64 lanes, and those with as many are not for short texts.
        add(V::of_words(token, words::padded(src)), 0, 0);
    } else {
        let mut at = 0;
        while at + V::LANES <= src.len() {
            add(V::load(token, src, at), at, 0);
            at += V::LANES;
        }
        if at < src.len() {
            let last = src.len() - V::LANES;
            add(V::load(token, src, last), at, at - last);
        }
    }
    (if Q::REST { !ones & own } else { ones & own }, twos & own)
}

/// Where the first line ends: in front of its line feed, or with the text.
#[inline(always)]
pub(crate) fn first_line<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    let mut rest = src;
    while let Some(word) = rest.first_chunk::<WORD>() {
        let (ones, _) = bits_of_word::<V, Newlines>(token, word);
        if ones != 0 {
            return src.len() - rest.len() + ones.trailing_zeros() as usize;
        }
        rest = &rest[WORD..];
    }
    if rest.is_empty() {
        return src.len();
    }
    let (ones, _) = bits_of_rest::<V, Newlines>(token, src, rest.len());
    src.len() - rest.len() + (ones.trailing_zeros() as usize).min(rest.len())
}

/// Where the last line begins.
#[inline(always)]
pub(crate) fn last_line<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    let mut rest = src;
    while let Some(word) = rest.last_chunk::<WORD>() {
        let (ones, _) = bits_of_word::<V, Newlines>(token, word);
        if ones != 0 {
            return rest.len() - ones.leading_zeros() as usize;
        }
        rest = &rest[..rest.len() - WORD];
    }
    // What is left stands in front of what has been seen, in which there is none: the first word, or the end of a text.
    let (ones, _) = if rest.is_empty() {
        (0, 0)
    } else if let Some(word) = src.first_chunk::<WORD>() {
        bits_of_word::<V, Newlines>(token, word)
    } else {
        bits_of_rest::<V, Newlines>(token, rest, rest.len())
    };
    (u64::BITS - ones.leading_zeros()) as usize
}

/// Bytes at the front that are the same in both, which are equally long.
#[inline(always)]
pub(crate) fn common<V: Vector>(token: V::Token, a: &[u8], b: &[u8]) -> usize {
    debug_assert_eq!(a.len(), b.len());
    let differ = |a: V, b: V| V::bits(&[a.equal(b)]) ^ V::first_bits(V::LANES);
    let mut at = 0;
    // Strides of which it is only asked whether anything differs.
    while let (Some(a), Some(b)) =
        (a[at..].first_chunk::<STRIDE>(), b[at..].first_chunk::<STRIDE>())
    {
        let mut all = V::splat(token, 0);
        let mut k = 0;
        while k < STRIDE / V::LANES {
            all = all.or(V::load(token, a, k * V::LANES).xor(V::load(token, b, k * V::LANES)));
            k += 1;
        }
        if all.any() {
            break;
        }
        at += STRIDE;
    }
    while at + V::LANES <= a.len() {
        let bits = differ(V::load(token, a, at), V::load(token, b, at));
        if bits != 0 {
            return at + bits.trailing_zeros() as usize;
        }
        at += V::LANES;
    }
    if at == a.len() {
        return at;
    }
    if let Some(last) = a.len().checked_sub(V::LANES) {
        let bits = differ(V::load(token, a, last), V::load(token, b, last));
        return if bits == 0 { a.len() } else { last + bits.trailing_zeros() as usize };
    }
    let bits = differ(V::of_words(token, words::padded(a)), V::of_words(token, words::padded(b)));
    if bits == 0 { a.len() } else { bits.trailing_zeros() as usize }
}

/// Line feeds in a text.
#[inline(always)]
pub(crate) fn newlines<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    count::newlines::<V>(token, src)
}

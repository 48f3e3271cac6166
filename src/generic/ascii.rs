//! Is it all ASCII? Vectors are or-ed together, and one test of the high bits serves up to 256 bytes. What is left at the
//! end is tested together with what stands in front of it.

use core::ops::Range;

use super::words;
use crate::arch::Vector;

/// Bytes in front of the first that is not ASCII.
#[inline(always)]
pub(crate) fn valid_up_to<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    if V::is_within(src.len(), words::SHORT) {
        return words::ascii_up_to(src);
    }
    // A first and a last part that overlap, and one test.
    if src.len() <= 4 * BLOCK {
        let high = if src.len() <= BLOCK {
            ends_any_high::<V, { BLOCK / 2 }>(token, src)
        } else if src.len() <= 2 * BLOCK {
            ends_any_high::<V, BLOCK>(token, src)
        } else {
            ends_any_high::<V, { 2 * BLOCK }>(token, src)
        };
        return if high { first_high::<V>(token, src, 0) } else { src.len() };
    }
    let mut at = 0;
    while let Some(block) = src[at..].first_chunk::<{ 4 * BLOCK }>() {
        if any_high::<V>(token, block, 0..4 * BLOCK) {
            return first_high::<V>(token, src, at);
        }
        at += 4 * BLOCK;
    }
    match src.last_chunk::<{ 4 * BLOCK }>() {
        Some(block) if any_high::<V>(token, block, 0..4 * BLOCK) => first_high::<V>(token, src, at),
        _ => src.len(),
    }
}

/// Whether any byte of the first and the last `N` is 80 or more, where there are as many.
#[inline(always)]
fn ends_any_high<V: Vector, const N: usize>(token: V::Token, src: &[u8]) -> bool {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return false;
    };
    let (mut all, mut at) = (V::splat(token, 0), 0);
    while at < N {
        all = all.or(V::load(token, first, at)).or(V::load(token, last, at));
        at += V::LANES;
    }
    all.any_high()
}

/// The first byte that is 80 or more. One is there, not in front of `at`; `src` is longer than [`words::SHORT`].
#[inline(always)]
fn first_high<V: Vector>(token: V::Token, src: &[u8], at: usize) -> usize {
    if V::is_within(src.len(), BLOCK - 1) {
        let high = ends(src).map_or(0, |(first, last)| high_bits::<V>(token, first, last));
        let at = high.trailing_zeros() as usize;
        // Of the second half, the last lane is the last byte.
        return if at < BLOCK / 2 { at } else { src.len() + at - BLOCK };
    }
    // In the block behind the run, or in the last one, of which a part is known.
    let at = run::<V>(token, src, at).min(src.len() - BLOCK);
    let high = ends(&src[at..at + BLOCK]).map_or(0, |(a, b)| high_bits::<V>(token, a, b));
    at + high.trailing_zeros() as usize
}

/// Bytes of a block.
const BLOCK: usize = 64;

/// The first and the last half of a block, of at least as many bytes.
#[inline(always)]
fn ends(src: &[u8]) -> Option<(&[u8; BLOCK / 2], &[u8; BLOCK / 2])> {
    Some((src.first_chunk()?, src.last_chunk()?))
}

/// Bits of the bytes of both halves that are not ASCII.
#[inline(always)]
fn high_bits<V: Vector>(token: V::Token, first: &[u8; BLOCK / 2], last: &[u8; BLOCK / 2]) -> u64 {
    let halves = [first, last];
    if V::LANES == BLOCK {
        let mut block = [0; BLOCK];
        block[..BLOCK / 2].copy_from_slice(first);
        block[BLOCK / 2..].copy_from_slice(last);
        return V::bits(&[V::load(token, &block, 0).high()]);
    }
    if V::LANES == BLOCK / 2 {
        return V::bits(&halves.map(|half| V::load(token, half, 0).high()));
    }
    let quarter = |k: usize| V::load(token, halves[k / 2], k % 2 * V::LANES).high();
    V::bits(&[quarter(0), quarter(1), quarter(2), quarter(3)])
}

/// Whether `src`, of 32 to 96 bytes, is ASCII.
#[inline(always)]
pub(crate) fn is_short_run<V: Vector>(token: V::Token, src: &[u8]) -> bool {
    let Some((first, last)) = ends(src) else { return false };
    let mut all =
        any_of::<V>(token, first, 0..BLOCK / 2).or(any_of::<V>(token, last, 0..BLOCK / 2));
    if let Some(middle) = src[BLOCK / 2..].first_chunk::<{ BLOCK / 2 }>()
        && src.len() > BLOCK
    {
        all = all.or(any_of::<V>(token, middle, 0..BLOCK / 2));
    }
    !all.any_high()
}

/// The end of a run of ASCII from `at` on, as far as blocks show it: a place up to 63 bytes in front of the first byte
/// that is not ASCII, or the end of `src`.
#[inline(always)]
pub(crate) fn run<V: Vector>(token: V::Token, src: &[u8], mut at: usize) -> usize {
    // Where the run ends at once, as it often does, one block is all that is tested.
    if !is_run::<V, BLOCK>(token, src, at) {
        return end_of_run::<V>(token, src, at);
    }
    at += BLOCK;
    while is_run::<V, { 4 * BLOCK }>(token, src, at) {
        at += 4 * BLOCK;
    }
    if is_rest::<V>(token, src, at) {
        return src.len();
    }
    if is_run::<V, { 2 * BLOCK }>(token, src, at) {
        at += 2 * BLOCK;
    }
    if is_run::<V, BLOCK>(token, src, at) {
        at += BLOCK;
    }
    end_of_run::<V>(token, src, at)
}

/// Whether at most three blocks are left at `at`, a block or more behind the beginning, and all are ASCII: parts that
/// overlap, and one test.
#[inline(always)]
fn is_rest<V: Vector>(token: V::Token, src: &[u8], at: usize) -> bool {
    let rest = src.len() - at;
    if rest <= BLOCK {
        return src.last_chunk::<BLOCK>().is_some_and(
            #[inline(always)]
            |last| !any_high::<V>(token, last, 0..BLOCK),
        );
    }
    let (Some(first), Some(last)) =
        (src[at..].first_chunk::<BLOCK>(), src.last_chunk::<{ 2 * BLOCK }>())
    else {
        return false;
    };
    if rest > 3 * BLOCK {
        return false;
    }
    let all = any_of::<V>(token, first, 0..BLOCK).or(any_of::<V>(token, last, 0..2 * BLOCK));
    !all.any_high()
}

/// `at`, or the end of `src` if there is less than a block of ASCII left. It is tested with what stands in front of it.
#[inline(always)]
fn end_of_run<V: Vector>(token: V::Token, src: &[u8], at: usize) -> usize {
    match src.last_chunk::<BLOCK>() {
        Some(last) if src.len() - at < BLOCK && !any_high::<V>(token, last, 0..BLOCK) => src.len(),
        _ => at,
    }
}

/// Whether there are `N` bytes from `at` on, all of them ASCII.
#[inline(always)]
fn is_run<V: Vector, const N: usize>(token: V::Token, src: &[u8], at: usize) -> bool {
    src[at..].first_chunk::<N>().is_some_and(
        #[inline(always)]
        |block| !any_high::<V>(token, block, 0..N),
    )
}

/// Whether any byte of `bytes[range]` is 80 or more. The length of the range is a multiple of 64.
#[inline(always)]
pub(crate) fn any_high<V: Vector>(token: V::Token, bytes: &[u8], range: Range<usize>) -> bool {
    any_of::<V>(token, bytes, range).any_high()
}

/// The vectors of `bytes[range]`, or-ed together.
#[inline(always)]
fn any_of<V: Vector>(token: V::Token, bytes: &[u8], range: Range<usize>) -> V {
    let mut all = V::load(token, bytes, range.start);
    let mut at = range.start + V::LANES;
    while at < range.end {
        all = all.or(V::load(token, bytes, at));
        at += V::LANES;
    }
    all
}

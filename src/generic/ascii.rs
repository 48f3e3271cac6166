//! ASCII validation.
//!
//! 1. A text of at most [`LOADED_MAX_BYTES`](words::LOADED_MAX_BYTES) bytes is tested as words.
//! 2. A text of at most 256 bytes is tested as a first and a last part of the same length, which
//!    may overlap. The vectors of both parts are combined by OR, and the high bits are tested once.
//! 3. In longer texts, blocks of 256 bytes are tested in this way, up to the first block that is
//!    not ASCII. The last block ends at the end of the text and overlaps the block before it.
//! 4. After a failed test, a search finds the block of 64 bytes with the first byte that is not
//!    ASCII. A mask of the high bits in this block gives the offset of the byte.

use core::ops::Range;

use crate::arch::hint::rare;
use crate::arch::vector::Vector;
use crate::swar::words;

/// Validates that `src` is ASCII. `Err` holds the offset of the first byte that is not ASCII.
#[inline(always)]
pub(crate) fn check<V: Vector>(token: V::Token, src: &[u8]) -> Result<(), usize> {
    // The branches are in such an order that every length takes at most one jump.
    if rare::<V>(V::takes_short_path(src.len(), words::LOADED_MAX_BYTES)) {
        if words::is_ascii(src) {
            return Ok(());
        }
        return Err(words::ascii_up_to(src));
    }
    let mut at = 0;
    let is_not_ascii = if rare::<V>(src.len() > 4 * ASCII_BLOCK_BYTES) {
        at = long_run_end::<V>(token, src, 0);
        // Either the run has ended before a block that is not ASCII, or less than 256 bytes are
        // left.
        src.last_chunk::<{ 4 * ASCII_BLOCK_BYTES }>().is_some_and(
            #[inline(always)]
            |block| {
                src.len() - at >= 4 * ASCII_BLOCK_BYTES
                    || any_high_bit::<V>(token, block, 0..4 * ASCII_BLOCK_BYTES)
            },
        )
    } else if rare::<V>(src.len() <= ASCII_BLOCK_BYTES) {
        any_high_in_head_or_tail::<V, { ASCII_BLOCK_BYTES / 2 }>(token, src)
    } else if rare::<V>(src.len() <= 2 * ASCII_BLOCK_BYTES) {
        any_high_in_head_or_tail::<V, ASCII_BLOCK_BYTES>(token, src)
    } else {
        any_high_in_head_or_tail::<V, { 2 * ASCII_BLOCK_BYTES }>(token, src)
    };
    if rare::<V>(is_not_ascii) {
        return Err(first_high::<V>(token, src, at));
    }
    Ok(())
}

/// Returns true if any of the first or the last `N` bytes is 0x80 or above. `src` has at least `N`
/// bytes.
#[inline(always)]
fn any_high_in_head_or_tail<V: Vector, const N: usize>(token: V::Token, src: &[u8]) -> bool {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return false;
    };
    let (mut all, mut at) = (V::splat(token, 0), 0);
    while at < N {
        all = all.or(V::load(token, first, at)).or(V::load(token, last, at));
        at += V::LANES;
    }
    all.any_high_bit()
}

/// Returns the offset of the first byte of 0x80 or above. Callers guarantee: there is such a byte,
/// the bytes before `at` are ASCII, and `src` is longer than [`words::LOADED_MAX_BYTES`].
#[inline(always)]
fn first_high<V: Vector>(token: V::Token, src: &[u8], at: usize) -> usize {
    let mut at = ascii_run_end::<V>(token, src, at);
    loop {
        // The last vector ends with the text. It is never out of bounds.
        let start = at.min(src.len().wrapping_sub(V::LANES));
        let Some(vector) = src.get(start..start + V::LANES) else { return at };
        let high = V::bits(&[V::load(token, vector, 0).high_bit_mask()]);
        if high != 0 {
            return start + high.trailing_zeros() as usize;
        }
        at = start + V::LANES;
    }
}

/// The size of a block, in bytes.
const ASCII_BLOCK_BYTES: usize = 64;

/// Returns true if `src`, of 32 to 96 bytes, is ASCII.
#[inline(always)]
pub(crate) fn is_short_run<V: Vector>(token: V::Token, src: &[u8]) -> bool {
    const HALF: usize = ASCII_BLOCK_BYTES / 2;
    let (Some(first), Some(last)) = (src.first_chunk::<HALF>(), src.last_chunk::<HALF>()) else {
        return false;
    };
    let mut all = or_vectors::<V>(token, first, 0..HALF).or(or_vectors::<V>(token, last, 0..HALF));
    if src.len() > ASCII_BLOCK_BYTES
        && let Some(middle) = src[HALF..].first_chunk::<HALF>()
    {
        all = all.or(or_vectors::<V>(token, middle, 0..HALF));
    }
    !all.any_high_bit()
}

/// Returns the end of the run of ASCII blocks from `at` on: an offset at most 63 bytes before the
/// first byte that is not ASCII, or the end of `src`.
#[inline(always)]
pub(crate) fn ascii_run_end<V: Vector>(token: V::Token, src: &[u8], mut at: usize) -> usize {
    // Many runs end in the first block, so test a single block first.
    if !is_run::<V, ASCII_BLOCK_BYTES>(token, src, at) {
        return extend_to_end::<V>(token, src, at);
    }
    at = long_run_end::<V>(token, src, at + ASCII_BLOCK_BYTES);
    if is_ascii_tail::<V>(token, src, at) {
        return src.len();
    }
    if is_run::<V, { 2 * ASCII_BLOCK_BYTES }>(token, src, at) {
        at += 2 * ASCII_BLOCK_BYTES;
    }
    if is_run::<V, ASCII_BLOCK_BYTES>(token, src, at) {
        at += ASCII_BLOCK_BYTES;
    }
    extend_to_end::<V>(token, src, at)
}

/// Returns true if at most three blocks are left from `at` on, and all their bytes are ASCII. The
/// tested parts may overlap, and one test covers all of them. Callers guarantee: `at` is at least
/// the size of a block.
#[inline(always)]
pub(crate) fn is_ascii_tail<V: Vector>(token: V::Token, src: &[u8], at: usize) -> bool {
    let rest = src.len() - at;
    if rest <= ASCII_BLOCK_BYTES {
        return src.last_chunk::<ASCII_BLOCK_BYTES>().is_some_and(
            #[inline(always)]
            |last| !any_high_bit::<V>(token, last, 0..ASCII_BLOCK_BYTES),
        );
    }
    let (Some(first), Some(last)) = (
        src[at..].first_chunk::<ASCII_BLOCK_BYTES>(),
        src.last_chunk::<{ 2 * ASCII_BLOCK_BYTES }>(),
    ) else {
        return false;
    };
    if rest > 3 * ASCII_BLOCK_BYTES {
        return false;
    }
    let all = or_vectors::<V>(token, first, 0..ASCII_BLOCK_BYTES).or(or_vectors::<V>(
        token,
        last,
        0..2 * ASCII_BLOCK_BYTES,
    ));
    !all.any_high_bit()
}

/// Returns the end of `src` if less than a block is left from `at` on and these bytes are ASCII,
/// else `at`. The test includes bytes before `at`.
#[inline(always)]
fn extend_to_end<V: Vector>(token: V::Token, src: &[u8], at: usize) -> usize {
    match src.last_chunk::<ASCII_BLOCK_BYTES>() {
        Some(last)
            if src.len() - at < ASCII_BLOCK_BYTES
                && !any_high_bit::<V>(token, last, 0..ASCII_BLOCK_BYTES) =>
        {
            src.len()
        }
        _ => at,
    }
}

/// Returns the end of the consecutive ASCII blocks of 256 bytes that begin at `at`.
#[inline(always)]
fn long_run_end<V: Vector>(token: V::Token, src: &[u8], at: usize) -> usize {
    let mut rest = src.get(at..).unwrap_or_default();
    while let Some((block, after)) = rest.split_first_chunk::<{ 4 * ASCII_BLOCK_BYTES }>()
        && !any_high_bit::<V>(token, block, 0..4 * ASCII_BLOCK_BYTES)
    {
        rest = after;
    }
    src.len() - rest.len()
}

/// Returns true if `src`, whose length is a multiple of 256, is ASCII.
#[cfg(all(feature = "alloc", feature = "count"))]
#[inline(always)]
pub(crate) fn is_long_run<V: Vector>(token: V::Token, src: &[u8]) -> bool {
    long_run_end::<V>(token, src, 0) == src.len()
}

/// Returns true if there are at least `N` bytes from `at` on, and the first `N` of them are ASCII.
#[inline(always)]
fn is_run<V: Vector, const N: usize>(token: V::Token, src: &[u8], at: usize) -> bool {
    // `at` is always in bounds. `get` is used instead of an index, because code that may panic
    // would save registers on the stack.
    src.get(at..).and_then(<[u8]>::first_chunk::<N>).is_some_and(
        #[inline(always)]
        |block| !any_high_bit::<V>(token, block, 0..N),
    )
}

/// Returns true if any byte of `bytes[range]` is 0x80 or above. The length of the range is a
/// multiple of 64.
#[inline(always)]
pub(crate) fn any_high_bit<V: Vector>(token: V::Token, bytes: &[u8], range: Range<usize>) -> bool {
    or_vectors::<V>(token, bytes, range).any_high_bit()
}

/// Returns the OR of the vectors of `bytes[range]`.
#[inline(always)]
fn or_vectors<V: Vector>(token: V::Token, bytes: &[u8], range: Range<usize>) -> V {
    let mut all = V::splat(token, 0);
    let mut at = range.start;
    while at < range.end {
        all = all.or(V::load(token, bytes, at));
        at += V::LANES;
    }
    all
}

//! Copies of ASCII, up to the first other byte. They are the whole conversion to and from ASCII,
//! and copy the blocks of [UTF-8 to UTF-8](super::from_utf8::copy).
//!
//! 1. Copy a block of 64 bytes, then blocks of 128, each before it is tested. The output after the
//!    progress is scratch space, so other bytes may be copied too.
//! 2. After the first block that is not ASCII, or that does not fit, copy single vectors. The last
//!    one ends with the input and overlaps. The high bits of a vector as a mask give the end.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::encoding::view;
use crate::swar::words;
use crate::swar::words::is_character;
use crate::types::progress::Reach;

/// Bytes of a long run that are tested together.
const LONG_RUN_BYTES: usize = 2 * STEP;

/// Copies the ASCII prefix of `src` to `dst`, as much as fits. Returns the number of bytes.
#[inline(always)]
pub(crate) fn ascii<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let fits = src.len().min(dst.len());
    let (src, dst) = (&src[..fits], &mut dst[..fits]);
    if V::is_within(fits, words::LOADED_MAX_BYTES) {
        return if short(src, dst) { fits } else { first_high(words::padded(src)) };
    }
    let mut at = copy_ascii_run::<V>(token, src, dst);
    while at < fits {
        // The last vector ends with the input. It overlaps bytes that are ASCII.
        let from = at.min(fits - V::LANES);
        let bytes = V::load(token, src, from);
        bytes.store_bytes(dst, from);
        let high = V::bits(&[bytes.high()]);
        if high != 0 {
            return from + high.trailing_zeros() as usize;
        }
        at = from + V::LANES;
    }
    fits
}

/// Copies a short text if it is ASCII and fits.
#[inline(always)]
pub(crate) fn short_ascii(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    if src.len() > words::LOADED_MAX_BYTES {
        return None;
    }
    let len = src.len();
    short(src, dst.get_mut(..len)?).then_some(Reach { read: len, written: len })
}

/// Copies a short text if it is ASCII or a single character and fits.
#[inline(always)]
pub(crate) fn short_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    if src.len() > words::LOADED_MAX_BYTES {
        return None;
    }
    let len = src.len();
    let known = short(src, dst.get_mut(..len)?) || is_character(src);
    known.then_some(Reach { read: len, written: len })
}

/// Returns the offset of the first byte of `words` that is 0x80 or above.
#[inline(always)]
fn first_high(words: [u64; words::LOADED_MAX_BYTES / 8]) -> usize {
    let mut at = 0;
    for word in words {
        let high = word & (u64::MAX / 0xFF * 0x80);
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at
}

/// Copies blocks of 64 bytes from the start of `src` to `dst`, while they are ASCII and fit.
/// Returns the number of bytes.
#[inline(always)]
pub(crate) fn copy_ascii_run<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let mut at = 0;
    while let (Some(from), Some(to)) = (src[at..].first_chunk(), dst[at..].first_chunk_mut()) {
        if block::<V, STEP>(token, from, to).any_high() {
            break;
        }
        at += STEP;
        while let (Some(from), Some(to)) = (src[at..].first_chunk(), dst[at..].first_chunk_mut()) {
            if block::<V, LONG_RUN_BYTES>(token, from, to).any_high() {
                break;
            }
            at += LONG_RUN_BYTES;
        }
    }
    at
}

/// Copies a block. A lane of the result is 0x80 or above if one of its bytes is not ASCII.
#[inline(always)]
pub(crate) fn block<V: Vector, const N: usize>(
    token: V::Token,
    src: &[u8; N],
    dst: &mut [MaybeUninit<u8>; N],
) -> V {
    let mut all = V::splat(token, 0);
    let mut at = 0;
    while at < N {
        let bytes = V::load(token, src, at);
        bytes.store_bytes(dst, at);
        all = all.or(bytes);
        at += V::LANES;
    }
    all
}

/// Copies `src`, of at most [`LOADED_MAX_BYTES`](words::LOADED_MAX_BYTES) bytes, to `dst`, of the
/// same length, as two overlapping words. Returns true if it is ASCII.
#[inline(always)]
pub(crate) fn short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    /// Tries words of one size.
    macro_rules! try_words {
        ($($word:ty),*) => {$(
            if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
                const HIGH_BITS: $word = <$word>::MAX / 0xFF * 0x80;
                copy(dst.first_chunk_mut(), first);
                copy(dst.last_chunk_mut(), last);
                let both = <$word>::from_ne_bytes(*first) | <$word>::from_ne_bytes(*last);
                return both & HIGH_BITS == 0;
            }
        )*};
    }
    if src.len() < 4 {
        return shortest(src, dst);
    }
    try_words!(u128, u64, u32);
    true
}

/// [`short`] of at most three bytes: the first, the middle and the last, which may be the same.
#[inline(always)]
fn shortest(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    let (Some(&first), Some(&last)) = (src.first(), src.last()) else { return true };
    let (end, middle) = (src.len() - 1, src.len() / 2);
    if dst.len() > end {
        dst[0].write(first);
        dst[middle].write(src[middle]);
        dst[end].write(last);
    }
    (first | src[middle] | last).is_ascii()
}

/// Copies a word.
#[inline(always)]
fn copy<const N: usize>(dst: Option<&mut [MaybeUninit<u8>; N]>, src: &[u8; N]) {
    if let (Some(dst), Some(src)) = (dst, view::as_uninit(src).first_chunk()) {
        *dst = *src;
    }
}

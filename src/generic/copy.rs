//! Functions that copy ASCII up to the first byte that is not ASCII: the conversions to and from
//! ASCII, and the copies of short texts of other conversions. [UTF-8 to
//! UTF-8](super::from_utf8::copy) copies its blocks by the same functions.
//!
//! 1. Copy a block of 64 bytes, then blocks of 128 bytes. Each block is copied before it is tested:
//!    the output after the returned length is scratch space, so bytes that are not ASCII may be
//!    copied there.
//! 2. After the last whole block of 64 bytes that is ASCII and fits, copy single vectors. The last
//!    vector ends at the end of the input and overlaps the vector before it. A mask of the high
//!    bits of a vector gives the end of the ASCII prefix.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::encoding::view;
use crate::scalar::utf8::character_start;
use crate::swar::words;
use crate::swar::words::is_character;
use crate::types::progress::Reach;

/// After a first block of ASCII, this many bytes are tested together.
const LONG_BLOCK_BYTES: usize = 2 * STEP;

/// Copies as many bytes of the ASCII prefix of `src` to `dst` as fit. Returns the number of bytes.
#[inline(always)]
pub(crate) fn ascii<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    if V::takes_short_path(len, words::LOADED_MAX_BYTES) {
        return if short(src, dst) { len } else { first_high(words::padded(src)) };
    }
    let mut at = copy_ascii_run::<V>(token, src, dst);
    while at < len {
        // The last vector ends at the end of the input. It overlaps bytes that are known to be
        // ASCII.
        let from = at.min(len - V::LANES);
        let bytes = V::load(token, src, from);
        bytes.store_bytes(dst, from);
        let high = V::bits(&[bytes.high_bit_mask()]);
        if high != 0 {
            return from + high.trailing_zeros() as usize;
        }
        at = from + V::LANES;
    }
    len
}

/// Copies as many bytes as fit.
#[inline(always)]
pub(crate) fn bytes(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    if let Some(dst) = dst.get_mut(..src.len()) {
        dst.copy_from_slice(view::as_uninit(src));
        return Reach { read: src.len(), written: src.len() };
    }
    copy_start(src, dst)
}

/// Fills `dst`. Inlined, LLVM would merge this copy and the copy of all bytes into one copy of the
/// smaller length, which has to wait for the comparison.
#[cold]
#[inline(never)]
fn copy_start(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    dst.copy_from_slice(view::as_uninit(&src[..dst.len()]));
    Reach { read: dst.len(), written: dst.len() }
}

/// Copies the characters that fit into `dst` from `src`, which is known to be UTF-8.
#[inline(always)]
pub(crate) fn known_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let len = src.len().min(dst.len());
    // A character that does not fit completely is left out.
    let read = if len < src.len() { character_start(src, len) } else { len };
    dst[..read].copy_from_slice(view::as_uninit(&src[..read]));
    Reach { read, written: read }
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
    let is_well_formed = short(src, dst.get_mut(..len)?) || is_character(src);
    is_well_formed.then_some(Reach { read: len, written: len })
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

/// Copies blocks of 64 or 128 bytes from the start of `src` to `dst`, while they are ASCII and fit.
/// Returns the number of bytes.
#[inline(always)]
pub(crate) fn copy_ascii_run<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let mut at = 0;
    while let (Some(from), Some(to)) = (src[at..].first_chunk(), dst[at..].first_chunk_mut()) {
        if block::<V, STEP>(token, from, to).any_high_bit() {
            break;
        }
        at += STEP;
        while let (Some(from), Some(to)) = (src[at..].first_chunk(), dst[at..].first_chunk_mut()) {
            if block::<V, LONG_BLOCK_BYTES>(token, from, to).any_high_bit() {
                break;
            }
            at += LONG_BLOCK_BYTES;
        }
    }
    at
}

/// Copies a block. Returns the OR of the vectors of the block: a lane is 0x80 or above if a byte in
/// this lane is not ASCII.
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

/// Copies `src` to `dst` as two overlapping words. Returns true if `src` is ASCII. Callers
/// guarantee: `src` has at most [`LOADED_MAX_BYTES`](words::LOADED_MAX_BYTES) bytes, and `dst` has
/// the same length.
#[inline(always)]
pub(crate) fn short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    /// Copies the text as words of the first type in the list that is not longer than the text.
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
        return copy_up_to_three(src, dst);
    }
    try_words!(u128, u64, u32);
    true
}

/// [`short`] for at most three bytes: copies the first, the middle and the last byte, which may be
/// the same byte.
#[inline(always)]
fn copy_up_to_three(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    let (Some(&first), Some(&last)) = (src.first(), src.last()) else { return true };
    let (end, middle) = (src.len() - 1, src.len() / 2);
    if dst.len() > end {
        dst[0].write(first);
        dst[middle].write(src[middle]);
        dst[end].write(last);
    }
    (first | src[middle] | last).is_ascii()
}

/// Copies a word of `N` bytes.
#[inline(always)]
fn copy<const N: usize>(dst: Option<&mut [MaybeUninit<u8>; N]>, src: &[u8; N]) {
    if let (Some(dst), Some(src)) = (dst, view::as_uninit(src).first_chunk()) {
        *dst = *src;
    }
}

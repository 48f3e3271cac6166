//! ASCII from one place to another, as far as it goes: the whole of the conversions into and out of ASCII, and the
//! beginning of those of [UTF-8 into itself](super::utf8_to_utf8).
//!
//! What is not ASCII may be copied too, as scratch, before it is seen.

use core::mem::MaybeUninit;

use super::utf8_to_utf8::Stop;
use super::words;
use crate::arch::Vector;
use crate::arch::window::STEP;
use crate::encoding::view;
use crate::progress::Reach;
use crate::short::is_character;

/// Bytes of a long run that are tested together.
const LONG: usize = 2 * STEP;

/// Copies ASCII at the front of `src` to `dst`, as far as it goes and fits; says how many bytes.
#[inline(always)]
pub(crate) fn ascii<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let fits = src.len().min(dst.len());
    let (src, dst) = (&src[..fits], &mut dst[..fits]);
    if V::is_within(fits, words::SHORT) {
        return if short(src, dst) { fits } else { first_high(words::padded(src)) };
    }
    let mut at = run::<V, ()>(token, src, dst);
    while at < fits {
        // The last vector ends with the input. What it sees again is ASCII.
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

/// Copies a short text that is ASCII and fits; `None` if it is none.
#[inline(always)]
pub(crate) fn short_ascii(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    if src.len() > words::SHORT {
        return None;
    }
    let len = src.len();
    short(src, dst.get_mut(..len)?).then_some(Reach { read: len, written: len })
}

/// Copies a short text that is ASCII or a single character and fits; `None` if it is none.
#[inline(always)]
pub(crate) fn short_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    if src.len() > words::SHORT {
        return None;
    }
    let len = src.len();
    let known = short(src, dst.get_mut(..len)?) || is_character(src);
    known.then_some(Reach { read: len, written: len })
}

/// The first byte of some words that is 80 or more.
#[inline(always)]
fn first_high(words: [u64; words::SHORT / 8]) -> usize {
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

/// Copies blocks of 64 at the front of `src` that are all ASCII, and nothing that stops `S`, to `dst` of the same length; says
/// how many bytes.
#[inline(always)]
pub(super) fn run<V: Vector, S: Stop<V>>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let mut at = 0;
    let mut nowhere = [MaybeUninit::uninit(); LONG];
    while let (Some(from), Some(to)) =
        (src[at..].first_chunk(), room::<V, S, _>(dst, at, &mut nowhere))
    {
        if block::<V, S, STEP>(token, from, to).any_high() {
            break;
        }
        at += STEP;
        while let (Some(from), Some(to)) =
            (src[at..].first_chunk(), room::<V, S, _>(dst, at, &mut nowhere))
        {
            if block::<V, S, LONG>(token, from, to).any_high() {
                break;
            }
            at += LONG;
        }
    }
    at
}

/// The room for `N` bytes from `at` on; where nothing is written, one that nobody reads.
#[inline(always)]
pub(super) fn room<'a, V: Vector, S: Stop<V>, const N: usize>(
    dst: &'a mut [MaybeUninit<u8>],
    at: usize,
    nowhere: &'a mut [MaybeUninit<u8>],
) -> Option<&'a mut [MaybeUninit<u8>; N]> {
    if S::WRITE { dst[at..].first_chunk_mut() } else { nowhere.first_chunk_mut() }
}

/// Copies a block. Lanes of 80 and more are such as have not been ASCII in one of its vectors, or stop `S`.
#[inline(always)]
pub(super) fn block<V: Vector, S: Stop<V>, const N: usize>(
    token: V::Token,
    src: &[u8; N],
    dst: &mut [MaybeUninit<u8>; N],
) -> V {
    let mut all = V::splat(token, if S::NUL { 0x7F } else { 0 });
    let mut at = 0;
    while at < N {
        let bytes = V::load(token, src, at);
        bytes.store_bytes(dst, at);
        // Of what is seen as signed numbers, ASCII but for NUL is above 0.
        all = if S::NUL { all.min_signed(bytes) } else { all.or(bytes) };
        at += V::LANES;
    }
    if S::NUL { all.or(all.wrapping_sub(V::splat(token, 1))) } else { all }
}

/// Copies `src`, of at most [`SHORT`](words::SHORT) bytes, to `dst` of the same length, by two overlapping words; says
/// whether it is ASCII.
#[inline(always)]
pub(super) fn short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    /// Tries words of one size.
    macro_rules! try_words {
        ($($word:ty),*) => {$(
            if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
                const HIGH: $word = <$word>::MAX / 0xFF * 0x80;
                copy(dst.first_chunk_mut(), first);
                copy(dst.last_chunk_mut(), last);
                return (<$word>::from_ne_bytes(*first) | <$word>::from_ne_bytes(*last)) & HIGH == 0;
            }
        )*};
    }
    if src.len() < 4 {
        return shortest(src, dst);
    }
    try_words!(u128, u64, u32);
    true
}

/// [`short`] of up to three bytes: the first, the middle and the last, which may be the same.
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

//! Finds the sequences of 64 bytes of UTF-8 at once, well-formed and ill-formed, as bits.
//!
//! Ill-formed sequences are maximal subparts.
//!
//! 1. Convert a block of 64 bytes to five words of bits: bytes from 0x80 on, continuation bytes,
//!    bytes from 0xE0 on, bytes from 0xF0 on, and bytes that the byte before permits as a second
//!    byte, by the tables of the [check](crate::generic::from_utf8::check).
//! 2. `second`: continuation bytes after a lead byte that permits them. `third`: continuation bytes
//!    after `second` if the lead byte is from 0xE0 on. `fourth`: continuation bytes after `third`
//!    if the lead byte is from 0xF0 on.
//! 3. All other bytes start a sequence.
//! 4. A sequence is well-formed if it has as many bytes as its lead byte requires; else it is
//!    ill-formed.
//!
//! A sequence that starts in the last three of the 64 bytes belongs to the next block. Blocks are
//! always 61 bytes apart, so the next block does not depend on the result of this one, except for
//! three bits: which of its first bytes continue a sequence.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
use crate::encoding::types::Utf8;
use crate::generic::from_utf8::check::{Utf8Checker, WRONG_SECOND, find_error_from};
use crate::scalar::code::Decode;
use crate::scalar::utf8::character_start;

/// Bytes of a block.
pub(crate) const SEQUENCE_BLOCK_BYTES: usize = 64;

/// Bytes from one block to the next: a sequence that starts in them ends in the block.
pub(crate) const STRIDE: usize = SEQUENCE_BLOCK_BYTES - 3;

/// The sequences of a block, a bit for each byte.
#[derive(Clone, Copy)]
pub(crate) struct Sequences {
    /// The starts of sequences. After the stride, also the starts that belong to the next block.
    pub(crate) starts: u64,
    /// The starts of ill-formed sequences.
    pub(crate) ill_formed: u64,
    /// Bytes that continue a sequence.
    pub(crate) continued: u64,
}

impl Sequences {
    /// Returns the sequences that start in the first `len` bytes of `block`. The bytes in `carry`
    /// continue a sequence that starts before it.
    #[inline(always)]
    pub(crate) fn find<V: Vector>(
        checker: &Utf8Checker<V>,
        token: V::Token,
        block: &[u8],
        len: usize,
        carry: u64,
    ) -> Self {
        let own = first(len);
        let high = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).high(),
        );
        // No two adjacent bytes from 0x80 on: each is isolated, so each is ill-formed. The bytes
        // after the stride belong to the next block.
        if (high & (high << 1)) | carry == 0 {
            return Self { starts: u64::MAX, ill_formed: high & own, continued: 0 };
        }
        let continuation = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).continuation(),
        );
        let three = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).at_least(token, 0xE0),
        );
        let four = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).at_least(token, 0xF0),
        );
        let zero = V::splat(token, 0);
        let allowed = bits::<V>(
            #[inline(always)]
            |k| {
                let back = if k == 0 {
                    vector::<V>(token, block, 0).shifted::<1>()
                } else {
                    V::load(token, &block[V::LANES - 1..], (k - 1) * V::LANES)
                };
                checker
                    .special(vector::<V>(token, block, k), back)
                    .and(V::splat(token, WRONG_SECOND))
                    .equal(zero)
            },
        );
        let lead = high & !continuation & own;
        let second = continuation & (lead << 1) & allowed;
        let third = continuation & (second << 1) & (three << 2);
        let fourth = continuation & (third << 1) & (four << 3);
        let continued = second | third | fourth;
        let starts = !(continued | carry);
        let well_formed = !high
            | lead & !three & (second >> 1)
            | three & !four & (third >> 2)
            | four & (fourth >> 3);
        Self { starts, ill_formed: starts & !well_formed & own, continued }
    }
}

/// Loads vector `k` of a block.
#[inline(always)]
fn vector<V: Vector>(token: V::Token, block: &[u8], k: usize) -> V {
    V::load(token, block, k * V::LANES)
}

/// Returns the masks of a block as bits.
#[inline(always)]
fn bits<V: Vector>(mask: impl Fn(usize) -> V::Mask) -> u64 {
    match V::LANES {
        64 => V::bits(&[mask(0)]),
        32 => V::bits(&[mask(0), mask(1)]),
        _ => V::bits(&[mask(0), mask(1), mask(2), mask(3)]),
    }
}

/// Returns the lowest `n` bits, at most 64.
#[inline(always)]
fn first(n: usize) -> u64 {
    if n < 64 { (1 << n) - 1 } else { u64::MAX }
}

/// Returns the number of bytes of `src` before an incomplete sequence at its end.
pub(crate) fn complete_len(src: &[u8]) -> usize {
    let start = character_start(src, src.len().saturating_sub(1));
    match src.get(start..).filter(|last| !last.is_empty()).map(Utf8::decode) {
        Some(Err(error)) if error.len == 0 => start,
        _ => src.len(),
    }
}

/// Returns a bit for each byte of the first block of `window` that is not ASCII. Returns `None`
/// unless all of them are isolated, and therefore ill-formed.
#[inline(always)]
pub(crate) fn isolated_bytes<V: Vector, const N: usize>(
    token: V::Token,
    window: &[u8; N],
) -> Option<u64> {
    let high = bits::<V>(
        #[inline(always)]
        |k| vector::<V>(token, window, k).high(),
    );
    let next = u64::from(window[SEQUENCE_BLOCK_BYTES] >> 7);
    (high & (high << 1) | (high >> (SEQUENCE_BLOCK_BYTES - 1) & next) == 0).then_some(high)
}

/// Copies the first block of `src`. A copy of a fixed size is faster than a copy of the required
/// length, which is unpredictable.
#[inline(always)]
pub(crate) fn store_block<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let (src, dst) = (&src[..SEQUENCE_BLOCK_BYTES], &mut dst[..SEQUENCE_BLOCK_BYTES]);
    let mut at = 0;
    while at < SEQUENCE_BLOCK_BYTES {
        V::load(token, src, at).store_bytes(dst, at);
        at += V::LANES;
    }
}

/// Returns the length of the well-formed prefix of `src`, and the length of the ill-formed sequence
/// after it: 0 if there is none.
#[inline(always)]
pub(crate) fn find_ill_formed<V: Vector>(token: V::Token, src: &[u8]) -> (usize, usize) {
    let checker = Utf8Checker::<V>::new(token);
    // The bytes before are well-formed, except that a sequence may continue there.
    let mut at = character_start(src, find_error_from::<V>(token, src, 0).saturating_sub(1));
    while at < src.len() {
        let mut block = [0; SEQUENCE_BLOCK_BYTES];
        let rest = &src[at..];
        let len = rest.len().min(SEQUENCE_BLOCK_BYTES);
        copy_short(&mut block[..len], &rest[..len]);
        // The zeros after the end continue no sequence.
        let own = if rest.len() > SEQUENCE_BLOCK_BYTES { STRIDE } else { len };
        let Sequences { starts, ill_formed, continued, .. } =
            Sequences::find::<V>(&checker, token, &block, own, 0);
        if ill_formed != 0 {
            let begin = ill_formed.trailing_zeros();
            let end = (starts & (u64::MAX << begin << 1)).trailing_zeros();
            return (at + begin as usize, (end as usize).min(len) - begin as usize);
        }
        // The next block starts at the end of a sequence.
        at += own + (continued >> own.min(SEQUENCE_BLOCK_BYTES - 1)).trailing_ones() as usize;
    }
    (src.len(), 0)
}

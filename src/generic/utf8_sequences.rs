//! The sequences of UTF-8, well-formed and not, of 64 bytes at once.
//!
//! Maximal subparts as bits. A byte is *covered* if it goes on what begins in front of it: the second byte of a sequence is
//! if the lead byte allows it, the third if the second is, the fourth if the third is. Every other byte begins something,
//! and what it begins is good if as many bytes as the lead byte wants are covered. So all sequences of 64 bytes, good and
//! bad, are known from five words of bits, whatever there is of each. Whether a second byte is allowed is what the tables of
//! the [check](super::utf8) say.
//!
//! What begins in the last three of the 64 bytes is left to the next ones, so these begin 61 bytes further on, always: what
//! follows must not wait for what has been found. That they begin inside a sequence is three bits.

use core::mem::MaybeUninit;

use super::utf8::{Checker, WRONG_SECOND, nearer};
use crate::Utf8;
use crate::arch::Vector;
use crate::arch::window::copy_short;
use crate::scalar::{Decode, utf8::character_start};

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 64;

/// Bytes from one block to the next: the longest sequence that begins in front of that ends in the block.
pub(super) const STRIDE: usize = BLOCK - 3;

/// Blocks that are looked at before anything is done about them. How much there is to do nobody foresees, and the wrong guess
/// of a branch costs less where it need not wait for vectors.
pub(super) const GROUP: usize = 4;

/// The sequences of a block, a bit for each byte.
#[derive(Clone, Copy)]
pub(super) struct Sequences {
    /// Where they begin. Behind the stride, also what is left to the next block.
    pub(super) starts: u64,
    /// Where those begin that are ill-formed.
    pub(super) bad: u64,
    /// Where those of four bytes begin that are well-formed.
    pub(super) fours: u64,
    /// Bytes that go on a sequence which begins in front of them.
    pub(super) covered: u64,
}

impl Sequences {
    /// Those that begin in the first `len` bytes of `block`, of which those in `carry` go on one that begins in front of it.
    #[inline(always)]
    pub(super) fn of<V: Vector>(
        checker: &Checker<V>,
        token: V::Token,
        block: &[u8],
        len: usize,
        carry: u64,
    ) -> Self {
        let mine = first(len);
        let high = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).high(),
        );
        // No two beside each other: each of them is alone, and none is right. What is behind the stride is for the next block.
        if (high & (high << 1)) | carry == 0 {
            return Self { starts: u64::MAX, bad: high & mine, fours: 0, covered: 0 };
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
        let lead = high & !continuation & mine;
        let second = continuation & (lead << 1) & allowed;
        let third = continuation & (second << 1) & (three << 2);
        let fourth = continuation & (third << 1) & (four << 3);
        let covered = second | third | fourth;
        let starts = !(covered | carry);
        let fours = four & (fourth >> 3);
        let good = !high | lead & !three & (second >> 1) | three & !four & (third >> 2) | fours;
        Self { starts, bad: starts & !good & mine, fours, covered }
    }
}

/// Vector `k` of a block.
#[inline(always)]
fn vector<V: Vector>(token: V::Token, block: &[u8], k: usize) -> V {
    V::load(token, block, k * V::LANES)
}

/// The masks of a block as bits.
#[inline(always)]
fn bits<V: Vector>(mask: impl Fn(usize) -> V::Mask) -> u64 {
    match V::LANES {
        64 => V::bits(&[mask(0)]),
        32 => V::bits(&[mask(0), mask(1)]),
        _ => V::bits(&[mask(0), mask(1), mask(2), mask(3)]),
    }
}

/// The lowest `n` bits, at most 64.
#[inline(always)]
pub(super) fn first(n: usize) -> u64 {
    if n < 64 { (1 << n) - 1 } else { u64::MAX }
}

/// Bytes of `src` in front of a sequence that its end cuts.
pub(super) fn closed(src: &[u8]) -> usize {
    let start = character_start(src, src.len().saturating_sub(1));
    match src.get(start..).filter(|last| !last.is_empty()).map(Utf8::decode) {
        Some(Err(flaw)) if flaw.len == 0 => start,
        _ => src.len(),
    }
}

/// Where bytes of the block that `window` begins with are not ASCII, if each of them stands alone, and so is ill-formed.
#[inline(always)]
pub(super) fn lone_bytes<V: Vector, const N: usize>(
    token: V::Token,
    window: &[u8; N],
) -> Option<u64> {
    let high = bits::<V>(
        #[inline(always)]
        |k| vector::<V>(token, window, k).high(),
    );
    let next = u64::from(window[BLOCK] >> 7);
    (high & (high << 1) | (high >> (BLOCK - 1) & next) == 0).then_some(high)
}

/// Copies the first block of `src`, whatever is needed of it: nobody foresees how much that is.
#[inline(always)]
pub(super) fn store_block<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let (src, dst) = (&src[..BLOCK], &mut dst[..BLOCK]);
    let mut at = 0;
    while at < BLOCK {
        V::load(token, src, at).store_bytes(dst, at);
        at += V::LANES;
    }
}

/// How much of `src` is well-formed, and how many bytes the sequence behind that has, which is not: none if there is none.
#[inline(always)]
pub(crate) fn first_bad<V: Vector>(token: V::Token, src: &[u8]) -> (usize, usize) {
    let checker = Checker::<V>::new(token);
    // In front of that only a sequence may be wrong that goes on there.
    let mut at = character_start(src, nearer::<V>(token, src, 0).saturating_sub(1));
    while at < src.len() {
        let mut block = [0; BLOCK];
        let rest = &src[at..];
        let len = rest.len().min(BLOCK);
        copy_short(&mut block[..len], &rest[..len]);
        // Behind the end are zeros, which nothing goes on with.
        let mine = if rest.len() > BLOCK { STRIDE } else { len };
        let Sequences { starts, bad, covered, .. } =
            Sequences::of::<V>(&checker, token, &block, mine, 0);
        if bad != 0 {
            let begin = bad.trailing_zeros();
            let end = (starts & (u64::MAX << begin << 1)).trailing_zeros();
            return (at + begin as usize, (end as usize).min(len) - begin as usize);
        }
        // The next one begins with a character.
        at += mine + (covered >> mine.min(BLOCK - 1)).trailing_ones() as usize;
    }
    (src.len(), 0)
}

//! Repair of UTF-16 in the machine's byte order: every half of a pair that is alone becomes U+FFFD, in place or on the way
//! into a copy.
//!
//! 64 units without surrogates are one test. Of those with some, bits say which are alone, and only where there are any the
//! bits become masks and choose. What is alone depends on the units on either side and nothing else, and a replaced one
//! changes nothing for them, since it had no part in a pair: so blocks at the end may overlap, also in place.

use core::mem::MaybeUninit;

use super::utf16_check::{Checker, whole_units};
use super::utf16_halves::{BLOCK, Finder, Halves};
use super::words;
use crate::arch::lanes16::Lanes16;
use crate::scalar::put;
use crate::scalar::utf16::REPLACEMENT;
use crate::tables::Little;

/// Lane `i` has bit `i`, for units of which as many are told by bits.
const BITS: [u8; 32] = {
    let mut bits = [0; 32];
    let mut lane = 0;
    while lane < 16 {
        [bits[2 * lane], bits[2 * lane + 1]] = (1_u16 << lane).to_le_bytes();
        lane += 1;
    }
    bits
};

/// The code unit at `at`, or 0 if there is none.
#[inline(always)]
fn unit(text: &[u8], at: usize) -> u16 {
    text.get(at..at + 2).map_or(0, |unit| u16::from_le_bytes([unit[0], unit[1]]))
}

/// 1 if the unit in front of `at` is a high half.
#[inline(always)]
fn open(text: &[u8], at: usize) -> u64 {
    u64::from(at > 0 && unit(text, at - 2) & 0xFC00 == 0xD800)
}

/// 1 if the unit at `at` is a low half.
#[inline(always)]
fn closed(text: &[u8], at: usize) -> u64 {
    u64::from(unit(text, at) & 0xFC00 == 0xDC00)
}

/// Repairs `text`; says how many units.
#[inline(always)]
pub(crate) fn in_place<V: Lanes16>(token: V::Token, text: &mut [u8]) -> usize
where
    V::Half: Lanes16,
{
    if text.len() < 16 {
        let mut alone = alone_of_few(&Repairer::<V::Half>::new(V::half(token)), text);
        let repairs = alone.count_ones() as usize;
        while alone != 0 {
            let at = 2 * alone.trailing_zeros() as usize;
            text[at..at + 2].copy_from_slice(&REPLACEMENT);
            alone &= alone - 1;
        }
        return repairs;
    }
    if text.len() < V::LANES {
        return short_in_place(&Repairer::<V::Half>::new(V::half(token)), text);
    }
    let repairer = Repairer::<V>::new(token);
    if text.len() < BLOCK {
        return short_in_place(&repairer, text);
    }
    let mut repairs = 0;
    let mut at = 0;
    while at < text.len() {
        // The last block ends with the text.
        let start = at.min(text.len() - BLOCK);
        if repairer.has_surrogates(&text[start..start + BLOCK]) {
            let halves = repairer.finder.of_block::<Little>(&text[start..start + BLOCK]);
            let open = open(text, start);
            if !halves.are_paired(open) || halves.open() != 0 {
                let alone = halves.alone(open, closed(text, start + BLOCK));
                repairer.replace(&mut text[start..start + BLOCK], alone);
                repairs += alone.count_ones() as usize;
            }
        }
        at = start + BLOCK;
    }
    repairs
}

/// [`in_place`] of at least a vector and less than a block.
#[inline(always)]
fn short_in_place<V: Lanes16>(repairer: &Repairer<V>, text: &mut [u8]) -> usize {
    let alone = repairer.alone_of_short(text);
    if alone != 0 {
        repairer.replace(text, alone);
    }
    alone.count_ones() as usize
}

/// Copies `src`, repaired, to `dst`, of the same length.
#[inline(always)]
pub(crate) fn copy<V: Lanes16>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>])
where
    V::Half: Lanes16,
{
    // Says to the compiler what is so anyway.
    let (src, dst) = (whole_units(src), &mut dst[..src.len()]);
    if src.len() < 16 {
        return few(&Repairer::<V::Half>::new(V::half(token)), src, dst);
    }
    if src.len() < V::LANES {
        return short_copy(&Repairer::<V::Half>::new(V::half(token)), src, dst);
    }
    let repairer = Repairer::<V>::new(token);
    if src.len() < BLOCK {
        return short_copy(&repairer, src, dst);
    }
    let mut at = 0;
    while at < src.len() {
        let start = at.min(src.len() - BLOCK);
        let (block, room) = (&src[start..start + BLOCK], &mut dst[start..start + BLOCK]);
        if repairer.copy(block, room) {
            let halves = repairer.finder.of_block::<Little>(block);
            let open = open(src, start);
            if !halves.are_paired(open) || halves.open() != 0 {
                let alone = halves.alone(open, closed(src, start + BLOCK));
                repairer.copy_replaced(block, room, alone);
            }
        }
        at = start + BLOCK;
    }
}

/// [`copy`] of at least a vector and less than a block.
#[inline(always)]
fn short_copy<V: Lanes16>(repairer: &Repairer<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let alone = repairer.alone_of_short(src);
    repairer.copy_replaced(src, dst, alone);
}

/// [`copy`] of less than eight units: two words that overlap.
#[inline(always)]
fn few<V: Lanes16>(repairer: &Repairer<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    if let (Some(first), Some(last)) = (src.first_chunk::<8>(), src.last_chunk::<8>()) {
        put(*first, dst);
        put(*last, &mut dst[src.len() - 8..]);
    } else {
        for (to, unit) in dst.chunks_exact_mut(2).zip(src.as_chunks::<2>().0) {
            put(*unit, to);
        }
    }
    let mut alone = alone_of_few(repairer, src);
    while alone != 0 {
        put(REPLACEMENT, &mut dst[2 * alone.trailing_zeros() as usize..]);
        alone &= alone - 1;
    }
}

/// The halves that are alone among less than eight units.
#[inline(always)]
fn alone_of_few<V: Lanes16>(repairer: &Repairer<V>, text: &[u8]) -> u64 {
    // Behind the end are zeros, which are no surrogates.
    let units = V::of_words(repairer.token, words::padded16(text));
    repairer.finder.of_vector::<Little>(units).alone(0, 0)
}

/// The constants of a repair.
struct Repairer<V: Lanes16> {
    token: V::Token,
    checker: Checker<V>,
    finder: Finder<V>,
}

impl<V: Lanes16> Repairer<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { token, checker: Checker::new::<Little>(token), finder: Finder::new(token) }
    }

    /// Whether there are any surrogates in a block.
    #[inline(always)]
    fn has_surrogates(&self, block: &[u8]) -> bool {
        let mut surrogates = self.checker.surrogates(V::load(self.token, block, 0));
        let mut at = V::LANES;
        while at < BLOCK {
            surrogates = surrogates.or(self.checker.surrogates(V::load(self.token, block, at)));
            at += V::LANES;
        }
        surrogates.any()
    }

    /// Copies a block as it is; says whether there are any surrogates in it.
    #[inline(always)]
    fn copy(&self, block: &[u8], room: &mut [MaybeUninit<u8>]) -> bool {
        let mut at = 0;
        while at < BLOCK {
            V::load(self.token, block, at).store_bytes(room, at);
            at += V::LANES;
        }
        self.has_surrogates(block)
    }

    /// The halves that are alone in a text of at least a vector and less than a block.
    #[inline(always)]
    fn alone_of_short(&self, text: &[u8]) -> u64 {
        let last = text.len() - V::LANES;
        let tail = V::load(self.token, text, last);
        let mut surrogates = self.checker.surrogates(tail);
        let mut at = 0;
        while at < last {
            surrogates = surrogates.or(self.checker.surrogates(V::load(self.token, text, at)));
            at += V::LANES;
        }
        if !surrogates.any() {
            return 0;
        }
        // What is seen twice is the same both times.
        let Halves { mut high, mut low } = self.finder.of_vector::<Little>(tail);
        (high, low) = (high << (last / 2), low << (last / 2));
        let mut at = 0;
        while at < last {
            let halves = self.finder.of_vector::<Little>(V::load(self.token, text, at));
            (high, low) = (high | halves.high << (at / 2), low | halves.low << (at / 2));
            at += V::LANES;
        }
        Halves { high, low }.alone(0, 0)
    }

    /// `units` with those of them replaced whose bits are set.
    #[inline(always)]
    fn replaced(&self, units: V, alone: u64) -> V {
        let bits = V::load(self.token, &BITS, 0);
        let mask = V::splat16(self.token, alone as u16).and(bits).equal16(bits);
        mask.select(V::splat16(self.token, 0xFFFD), units)
    }

    /// Replaces those of the units of `text`, at least a vector and at most a block, whose bits are set.
    #[inline(always)]
    fn replace(&self, text: &mut [u8], alone: u64) {
        let last = text.len() - V::LANES;
        let mut at = 0;
        while at < last {
            let units = V::load(self.token, text, at);
            self.replaced(units, alone >> (at / 2)).store_over(text, at);
            at += V::LANES;
        }
        let units = V::load(self.token, text, last);
        self.replaced(units, alone >> (last / 2)).store_over(text, last);
    }

    /// The same on the way to `room`, of the length of `text`.
    #[inline(always)]
    fn copy_replaced(&self, text: &[u8], room: &mut [MaybeUninit<u8>], alone: u64) {
        let last = text.len() - V::LANES;
        let mut at = 0;
        while at < last {
            let units = V::load(self.token, text, at);
            self.replaced(units, alone >> (at / 2)).store_bytes(room, at);
            at += V::LANES;
        }
        let units = V::load(self.token, text, last);
        self.replaced(units, alone >> (last / 2)).store_bytes(room, last);
    }
}

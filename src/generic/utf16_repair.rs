//! Repair of UTF-16 in the machine's byte order: every half of a pair that is alone becomes U+FFFD, in place or on the way
//! into a copy.
//!
//! 64 units without surrogates are one test. Of those with some, bits say which are alone, and only where there are any the
//! bits become masks and choose. What is alone depends on the units on either side and nothing else, and a replaced one
//! changes nothing for them, since it had no part in a pair: so blocks at the end may overlap, also in place.

use core::mem::MaybeUninit;

use super::utf16_check::{Checker, whole_units};
use super::utf16_halves::{BLOCK, CALM, Finder, Halves};
use super::words;
use crate::arch::lanes16::Lanes16;
use crate::scalar::put;
use crate::scalar::utf16::REPLACEMENT;
use crate::tables::LITTLE_UNITS;

/// Units of a block that are replaced one by one.
const FEW: u32 = 3;

/// Blocks behind an error that are replaced in, with masks, without a question whether there is anything to replace: the
/// answer is often another one in what is spoilt.
const CAREFUL: u32 = 16;

/// The code unit at `at`, or 0 if there is none.
#[inline(always)]
fn unit(text: &[u8], at: usize) -> u16 {
    text.get(at..at + 2).map_or(0, |unit| u16::from_le_bytes([unit[0], unit[1]]))
}

/// 1 if the unit in front of `at` is a high half.
#[inline(always)]
fn is_open(text: &[u8], at: usize) -> u64 {
    u64::from(at > 0 && unit(text, at - 2) & 0xFC00 == 0xD800)
}

/// 1 if the unit at `at` is a low half.
#[inline(always)]
fn closed(text: &[u8], at: usize) -> u64 {
    u64::from(unit(text, at) & 0xFC00 == 0xDC00)
}

/// Repairs `text`; says how many units. Of less than 32 bytes only vectors of 16 are made.
#[inline(always)]
pub(crate) fn in_place<V: Lanes16>(token: V::Token, text: &mut [u8]) -> usize {
    let repairer = Repairer::<V>::new(token);
    if V::LANES == 16 && text.len() < 16 {
        let alone = alone_of_few(&repairer, text);
        replace_few(text, alone);
        return alone.count_ones() as usize;
    }
    if V::is_within(text.len(), BLOCK - 1) {
        return short_in_place(&repairer, text);
    }
    long_in_place(&repairer, text)
}

/// [`in_place`] of at least a block.
#[inline(always)]
fn long_in_place<V: Lanes16>(repairer: &Repairer<V>, text: &mut [u8]) -> usize {
    let (mut repairs, mut at, mut open) = (0, 0, 0);
    loop {
        // Without surrogates.
        at = repairer.checker.run(text, at);
        if Checker::<V>::RUN > BLOCK && repairer.checker.is_end_of_run(text, at) {
            return repairs;
        }
        // With some; and blocks of both kinds in turns.
        let mut calm = 0;
        while at + BLOCK <= text.len() && calm < CALM {
            let halves = repairer.finder.of_block(&text[at..at + BLOCK]);
            if !halves.are_paired(open) {
                // What is in front of the block is known to be alone only now, as its own last unit will be.
                if halves.is_alone_in_front(open) {
                    text[at - 2..at].copy_from_slice(&REPLACEMENT);
                    repairs += 1;
                }
                let alone = halves.alone(open, 1);
                repairer.replace(&mut text[at..at + BLOCK], alone);
                repairs += alone.count_ones() as usize;
            }
            open = halves.open();
            calm = if halves.are_none() { calm + 1 } else { 0 };
            at += BLOCK;
        }
        if at + BLOCK > text.len() {
            break;
        }
    }
    if at == text.len() && open > 0 {
        text[at - 2..].copy_from_slice(&REPLACEMENT);
        return repairs + 1;
    }
    if at < text.len() {
        // The last block ends with the text.
        let start = text.len() - BLOCK;
        let halves = repairer.finder.of_block(&text[start..]);
        let alone = halves.alone(is_open(text, start), 0);
        if alone != 0 {
            repairer.replace(&mut text[start..], alone);
            repairs += alone.count_ones() as usize;
        }
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
pub(crate) fn copy<V: Lanes16>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    // Says to the compiler what is so anyway.
    let (src, dst) = (whole_units(src), &mut dst[..src.len()]);
    let repairer = Repairer::<V>::new(token);
    if V::LANES == 16 && src.len() < 16 {
        return few(&repairer, src, dst);
    }
    if V::is_within(src.len(), BLOCK - 1) {
        return short_copy(&repairer, src, dst);
    }
    long_copy(&repairer, src, dst);
}

/// [`copy`] of at least a block.
#[inline(always)]
fn long_copy<V: Lanes16>(repairer: &Repairer<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let (mut at, mut open, mut careful) = (0, 0, 0);
    let mut calm;
    // A single block is not looked at in two ways.
    let several = src.len() >= 2 * BLOCK;
    loop {
        // Without surrogates.
        while several
            && at + BLOCK <= src.len()
            && !repairer.copy(&src[at..at + BLOCK], &mut dst[at..at + BLOCK])
        {
            at += BLOCK;
        }
        // With some; and blocks of both kinds in turns.
        calm = if at + BLOCK <= src.len() { 0 } else { CALM };
        while at + BLOCK <= src.len() && calm < CALM {
            let (block, room) = (&src[at..at + BLOCK], &mut dst[at..at + BLOCK]);
            let halves = repairer.finder.of_block(block);
            if V::LANES == 64 && careful > 0 {
                careful -= 1;
                let alone = halves.alone(open, closed(src, at + BLOCK));
                repairer.copy_replaced(block, room, alone);
            } else {
                repairer.copy_as_it_is(block, room);
                if !halves.are_paired(open) {
                    let alone = halves.alone(open, closed(src, at + BLOCK));
                    repairer.replace_in_copy(block, room, alone);
                    // What is in front of the block is known to be alone only now.
                    if halves.is_alone_in_front(open) {
                        put(REPLACEMENT, &mut dst[at - 2..]);
                    }
                    careful = CAREFUL;
                }
            }
            open = halves.open();
            calm = if halves.are_none() { calm + 1 } else { 0 };
            at += BLOCK;
        }
        if at + BLOCK > src.len() {
            break;
        }
    }
    if at == src.len() && open > 0 {
        put(REPLACEMENT, &mut dst[at - 2..]);
    }
    if at < src.len() {
        if calm > 0 && repairer.copy_end(&src[at - V::LANES..], &mut dst[at - V::LANES..]) {
            return;
        }
        // The last block ends with the text.
        let start = src.len() - BLOCK;
        let (block, room) = (&src[start..], &mut dst[start..]);
        repairer.copy_as_it_is(block, room);
        let alone = repairer.finder.of_block(block).alone(is_open(src, start), 0);
        repairer.replace_in_copy(block, room, alone);
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
    replace_few_in_copy(dst, alone_of_few(repairer, src));
}

/// Replaces units one by one.
#[inline(always)]
fn replace_few(text: &mut [u8], mut alone: u64) {
    while alone != 0 {
        let at = 2 * alone.trailing_zeros() as usize;
        text[at..at + 2].copy_from_slice(&REPLACEMENT);
        alone &= alone - 1;
    }
}

/// The same in a copy.
#[inline(always)]
fn replace_few_in_copy(copy: &mut [MaybeUninit<u8>], mut alone: u64) {
    while alone != 0 {
        put(REPLACEMENT, &mut copy[2 * alone.trailing_zeros() as usize..]);
        alone &= alone - 1;
    }
}

/// The halves that are alone among less than eight units.
#[inline(always)]
fn alone_of_few<V: Lanes16>(repairer: &Repairer<V>, text: &[u8]) -> u64 {
    // Behind the end are zeros, which are no surrogates.
    let units = V::of_words(repairer.token, words::padded16(text));
    repairer.finder.of_vector(units).alone(0, 0)
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
        let order = &LITTLE_UNITS;
        Self { token, checker: Checker::new(order, token), finder: Finder::new(order, token) }
    }

    /// Copies a block as it is; says whether there are any surrogates in it.
    #[inline(always)]
    fn copy(&self, block: &[u8], room: &mut [MaybeUninit<u8>]) -> bool {
        self.copy_as_it_is(block, room);
        self.checker.has_surrogates(block)
    }

    /// Copies what is longer than a vector and shorter than a block and a vector, if there are no surrogates behind the first
    /// vector.
    #[inline(always)]
    fn copy_end(&self, text: &[u8], room: &mut [MaybeUninit<u8>]) -> bool {
        let last = text.len() - V::LANES;
        let units = V::load(self.token, text, last);
        units.store_bytes(room, last);
        let mut surrogates = self.checker.marked(units);
        let mut at = V::LANES;
        while at < last {
            let units = V::load(self.token, text, at);
            units.store_bytes(room, at);
            surrogates = surrogates.either_marked16(self.checker.marked(units));
            at += V::LANES;
        }
        !surrogates.any_marked16()
    }

    /// Copies a block.
    #[inline(always)]
    fn copy_as_it_is(&self, block: &[u8], room: &mut [MaybeUninit<u8>]) {
        let mut at = 0;
        while at < BLOCK {
            V::load(self.token, block, at).store_bytes(room, at);
            at += V::LANES;
        }
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
        let Halves { mut high, mut low } = self.finder.of_vector(tail);
        (high, low) = (high << (last / 2), low << (last / 2));
        let mut at = 0;
        while at < last {
            let halves = self.finder.of_vector(V::load(self.token, text, at));
            (high, low) = (high | halves.high << (at / 2), low | halves.low << (at / 2));
            at += V::LANES;
        }
        Halves { high, low }.alone(0, 0)
    }

    /// `units` with those of them replaced whose bits are set.
    #[inline(always)]
    fn replaced(&self, units: V, alone: u64) -> V {
        units.replaced16(self.token, alone, V::splat16(self.token, 0xFFFD))
    }

    /// Replaces those of the units of `text`, at least a vector and at most a block, whose bits are set.
    #[inline(always)]
    fn replace(&self, text: &mut [u8], alone: u64) {
        if V::LANES < 64 && alone.count_ones() <= FEW {
            return replace_few(text, alone);
        }
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

    /// The same in a copy of `text`.
    #[inline(always)]
    fn replace_in_copy(&self, text: &[u8], room: &mut [MaybeUninit<u8>], alone: u64) {
        if V::LANES < 64 && alone.count_ones() <= FEW {
            return replace_few_in_copy(room, alone);
        }
        self.copy_replaced(text, room, alone);
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

//! Repair of UTF-16: U+FFFD replaces each unpaired surrogate, in place or in a copy. The byte order
//! is a value, so a repair in place is compiled once for both; copies are in that of the machine.
//!
//! One test shows that 64 units have no surrogates. If they have some, bits tell which are
//! unpaired, and only if there are any, the bits become masks that select the replacements. Whether
//! a surrogate is unpaired depends only on the units on either side of it. A replacement does not
//! change the result for them, since an unpaired surrogate had no part in a pair. So blocks at the
//! end may overlap, also in place.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::generic::from_utf16::check::{Utf16Checker, whole_units};
use crate::generic::from_utf16::surrogates::{
    CLEAN_RUN, Finder, SURROGATE_BLOCK_BYTES, Surrogates,
};
use crate::scalar::code::write_bytes as put;
use crate::swar::words;
use crate::tables::{LITTLE_UNITS, UnitOrder};

/// The largest number of units of a block that are replaced one by one.
const FEW: u32 = 3;

/// Blocks after an error in which units are replaced by masks, without a test: in ill-formed text,
/// the result of a test would often change.
const CAREFUL: u32 = 16;

/// Repairs `text`, whole units in this order. Returns the number of replaced units. A text shorter
/// than 32 bytes comes here only with vectors of 16 bytes.
#[inline(always)]
pub(crate) fn in_place<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &mut [u8],
) -> usize {
    let repairer = Repairer::<V>::new(order, token);
    if V::LANES == 16 && text.len() < 16 {
        let unpaired = unpaired_of_few(&repairer, text);
        repairer.replace_few(text, unpaired);
        return unpaired.count_ones() as usize;
    }
    if V::is_within(text.len(), SURROGATE_BLOCK_BYTES - 1) {
        return short_in_place(&repairer, text);
    }
    long_in_place(&repairer, text)
}

/// [`in_place`] of at least a block.
#[inline(always)]
fn long_in_place<V: Lanes16>(repairer: &Repairer<V>, text: &mut [u8]) -> usize {
    let (mut repairs, mut at, mut high_before) = (0, 0, 0);
    loop {
        // Blocks without surrogates.
        at = repairer.checker.end_of_clean_run(text, at);
        if Utf16Checker::<V>::RUN > SURROGATE_BLOCK_BYTES
            && repairer.checker.is_end_of_run(text, at)
        {
            return repairs;
        }
        // Blocks with surrogates, and blocks of both kinds in turn.
        let mut clean_run = 0;
        while at + SURROGATE_BLOCK_BYTES <= text.len() && clean_run < CLEAN_RUN {
            let surrogates = repairer.finder.of_block(&text[at..at + SURROGATE_BLOCK_BYTES]);
            if !surrogates.are_paired(high_before) {
                // The unit before the block is known to be unpaired only now; the same will hold
                // for the last unit of this block.
                if surrogates.leaves_high_unpaired(high_before) {
                    text[at - 2..at].copy_from_slice(&repairer.replacement);
                    repairs += 1;
                }
                let unpaired = surrogates.unpaired(high_before, 1);
                repairer.replace(&mut text[at..at + SURROGATE_BLOCK_BYTES], unpaired);
                repairs += unpaired.count_ones() as usize;
            }
            high_before = surrogates.ends_with_high();
            clean_run = if surrogates.are_none() { clean_run + 1 } else { 0 };
            at += SURROGATE_BLOCK_BYTES;
        }
        if at + SURROGATE_BLOCK_BYTES > text.len() {
            break;
        }
    }
    if at == text.len() && high_before > 0 {
        text[at - 2..].copy_from_slice(&repairer.replacement);
        return repairs + 1;
    }
    if at < text.len() {
        // The last block ends with the text.
        let start = text.len() - SURROGATE_BLOCK_BYTES;
        let surrogates = repairer.finder.of_block(&text[start..]);
        let unpaired = surrogates.unpaired(repairer.after_high(text, start), 0);
        if unpaired != 0 {
            repairer.replace(&mut text[start..], unpaired);
            repairs += unpaired.count_ones() as usize;
        }
    }
    repairs
}

/// [`in_place`] of at least a vector and less than a block.
#[inline(always)]
fn short_in_place<V: Lanes16>(repairer: &Repairer<V>, text: &mut [u8]) -> usize {
    let unpaired = repairer.unpaired_of_short(text);
    if unpaired != 0 {
        repairer.replace(text, unpaired);
    }
    unpaired.count_ones() as usize
}

/// Copies `src`, repaired, to `dst`, of the same length.
#[inline(always)]
pub(crate) fn copy<V: Lanes16>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    // The slices tell the compiler that the length is even and that both lengths are equal.
    let (src, dst) = (whole_units(src), &mut dst[..src.len()]);
    let repairer = Repairer::<V>::new(&LITTLE_UNITS, token);
    if V::LANES == 16 && src.len() < 16 {
        return few(&repairer, src, dst);
    }
    if V::is_within(src.len(), SURROGATE_BLOCK_BYTES - 1) {
        return short_copy(&repairer, src, dst);
    }
    long_copy(&repairer, src, dst);
}

/// [`copy`] of at least a block.
#[inline(always)]
fn long_copy<V: Lanes16>(repairer: &Repairer<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let (mut at, mut high_before, mut careful) = (0, 0, 0);
    let mut clean_run;
    // A single block is not tested twice.
    let several = src.len() >= 2 * SURROGATE_BLOCK_BYTES;
    loop {
        // Blocks without surrogates.
        while several
            && at + SURROGATE_BLOCK_BYTES <= src.len()
            && !repairer.copy(
                &src[at..at + SURROGATE_BLOCK_BYTES],
                &mut dst[at..at + SURROGATE_BLOCK_BYTES],
            )
        {
            at += SURROGATE_BLOCK_BYTES;
        }
        // Blocks with surrogates, and blocks of both kinds in turn.
        clean_run = if at + SURROGATE_BLOCK_BYTES <= src.len() { 0 } else { CLEAN_RUN };
        while at + SURROGATE_BLOCK_BYTES <= src.len() && clean_run < CLEAN_RUN {
            let (block, room) =
                (&src[at..at + SURROGATE_BLOCK_BYTES], &mut dst[at..at + SURROGATE_BLOCK_BYTES]);
            let surrogates = repairer.finder.of_block(block);
            if V::LANES == 64 && careful > 0 {
                careful -= 1;
                let low_after = repairer.before_low(src, at + SURROGATE_BLOCK_BYTES);
                let unpaired = surrogates.unpaired(high_before, low_after);
                repairer.copy_replaced(block, room, unpaired);
            } else {
                repairer.copy_as_it_is(block, room);
                if !surrogates.are_paired(high_before) {
                    let low_after = repairer.before_low(src, at + SURROGATE_BLOCK_BYTES);
                    let unpaired = surrogates.unpaired(high_before, low_after);
                    repairer.replace_in_copy(block, room, unpaired);
                    // The unit before the block is known to be unpaired only now.
                    if surrogates.leaves_high_unpaired(high_before) {
                        put(repairer.replacement, &mut dst[at - 2..]);
                    }
                    careful = CAREFUL;
                }
            }
            high_before = surrogates.ends_with_high();
            clean_run = if surrogates.are_none() { clean_run + 1 } else { 0 };
            at += SURROGATE_BLOCK_BYTES;
        }
        if at + SURROGATE_BLOCK_BYTES > src.len() {
            break;
        }
    }
    if at == src.len() && high_before > 0 {
        put(repairer.replacement, &mut dst[at - 2..]);
    }
    if at < src.len() {
        if clean_run > 0 && repairer.copy_end(&src[at - V::LANES..], &mut dst[at - V::LANES..]) {
            return;
        }
        // The last block ends with the text.
        let start = src.len() - SURROGATE_BLOCK_BYTES;
        let (block, room) = (&src[start..], &mut dst[start..]);
        repairer.copy_as_it_is(block, room);
        let unpaired = repairer.finder.of_block(block).unpaired(repairer.after_high(src, start), 0);
        repairer.replace_in_copy(block, room, unpaired);
    }
}

/// [`copy`] of at least a vector and less than a block.
#[inline(always)]
fn short_copy<V: Lanes16>(repairer: &Repairer<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let unpaired = repairer.unpaired_of_short(src);
    repairer.copy_replaced(src, dst, unpaired);
}

/// [`copy`] of less than eight units: two overlapping words.
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
    repairer.replace_few_in_copy(dst, unpaired_of_few(repairer, src));
}

/// The unpaired surrogates among less than eight units.
#[inline(always)]
fn unpaired_of_few<V: Lanes16>(repairer: &Repairer<V>, text: &[u8]) -> u64 {
    // Zeros stand after the end; they are no surrogates.
    let units = V::of_words(repairer.token, words::padded16(text));
    repairer.finder.of_vector(units).unpaired(0, 0)
}

/// The constants of a repair, in registers.
struct Repairer<V: Lanes16> {
    order: &'static UnitOrder,
    token: V::Token,
    /// The bytes of U+FFFD.
    replacement: [u8; 2],
    checker: Utf16Checker<V>,
    finder: Finder<V>,
}

impl<V: Lanes16> Repairer<V> {
    #[inline(always)]
    fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        Self {
            order,
            token,
            replacement: order.unit(0xFFFD).to_le_bytes(),
            checker: Utf16Checker::new(order, token),
            finder: Finder::new(order, token),
        }
    }

    /// The code unit at `at`, or 0 if there is none.
    #[inline(always)]
    fn unit(&self, text: &[u8], at: usize) -> u16 {
        text.get(at..at + 2)
            .map_or(0, |unit| self.order.unit(u16::from_le_bytes([unit[0], unit[1]])))
    }

    /// 1 if the unit before `at` is a high surrogate.
    #[inline(always)]
    fn after_high(&self, text: &[u8], at: usize) -> u64 {
        u64::from(at > 0 && self.unit(text, at - 2) & 0xFC00 == 0xD800)
    }

    /// 1 if the unit at `at` is a low surrogate.
    #[inline(always)]
    fn before_low(&self, text: &[u8], at: usize) -> u64 {
        u64::from(self.unit(text, at) & 0xFC00 == 0xDC00)
    }

    /// Replaces units one by one.
    #[inline(always)]
    fn replace_few(&self, text: &mut [u8], mut unpaired: u64) {
        while unpaired != 0 {
            let at = 2 * unpaired.trailing_zeros() as usize;
            text[at..at + 2].copy_from_slice(&self.replacement);
            unpaired &= unpaired - 1;
        }
    }

    /// [`replace_few`](Self::replace_few) in a copy.
    #[inline(always)]
    fn replace_few_in_copy(&self, copy: &mut [MaybeUninit<u8>], mut unpaired: u64) {
        while unpaired != 0 {
            put(self.replacement, &mut copy[2 * unpaired.trailing_zeros() as usize..]);
            unpaired &= unpaired - 1;
        }
    }

    /// Copies a block unchanged. Returns whether it contains surrogates.
    #[inline(always)]
    fn copy(&self, block: &[u8], room: &mut [MaybeUninit<u8>]) -> bool {
        self.copy_as_it_is(block, room);
        self.checker.has_surrogates(block)
    }

    /// Copies a text that is longer than a vector and shorter than a block and a vector. Returns
    /// whether there are no surrogates after the first vector.
    #[inline(always)]
    fn copy_end(&self, text: &[u8], room: &mut [MaybeUninit<u8>]) -> bool {
        let last = text.len() - V::LANES;
        let units = V::load(self.token, text, last);
        units.store_bytes(room, last);
        let search = &self.checker.search;
        let mut least = search.lifted(units);
        let mut at = V::LANES;
        while at < last {
            let units = V::load(self.token, text, at);
            units.store_bytes(room, at);
            least = least.min(search.lifted(units));
            at += V::LANES;
        }
        !search.is_among(least)
    }

    /// Copies a block unchanged.
    #[inline(always)]
    fn copy_as_it_is(&self, block: &[u8], room: &mut [MaybeUninit<u8>]) {
        let mut at = 0;
        while at < SURROGATE_BLOCK_BYTES {
            V::load(self.token, block, at).store_bytes(room, at);
            at += V::LANES;
        }
    }

    /// The unpaired surrogates in a text of at least a vector and less than a block.
    #[inline(always)]
    fn unpaired_of_short(&self, text: &[u8]) -> u64 {
        let last = text.len() - V::LANES;
        let tail = V::load(self.token, text, last);
        // Two vectors are the whole of most such texts.
        let head = self.checker.surrogates(V::load(self.token, text, 0));
        let mut surrogates = self.checker.surrogates(tail).or(head);
        let mut at = V::LANES;
        while at < last {
            surrogates = surrogates.or(self.checker.surrogates(V::load(self.token, text, at)));
            at += V::LANES;
        }
        if !surrogates.any() {
            return 0;
        }
        // Units that are loaded twice give the same bits both times.
        let Surrogates { mut high, mut low } = self.finder.of_vector(tail);
        (high, low) = (high << (last / 2), low << (last / 2));
        let mut at = 0;
        while at < last {
            let surrogates = self.finder.of_vector(V::load(self.token, text, at));
            (high, low) = (high | surrogates.high << (at / 2), low | surrogates.low << (at / 2));
            at += V::LANES;
        }
        Surrogates { high, low }.unpaired(0, 0)
    }

    /// `units`, with replacements for those whose bits are set in `unpaired`.
    #[inline(always)]
    fn replaced(&self, units: V, unpaired: u64) -> V {
        units.blend16(self.token, unpaired, V::splat16(self.token, self.order.unit(0xFFFD)))
    }

    /// Replaces the units of `text` whose bits are set in `unpaired`. `text` has at least a vector
    /// and at most a block.
    #[inline(always)]
    fn replace(&self, text: &mut [u8], unpaired: u64) {
        if V::LANES < 64 && unpaired.count_ones() <= FEW {
            return self.replace_few(text, unpaired);
        }
        let last = text.len() - V::LANES;
        let mut at = 0;
        while at < last {
            let units = V::load(self.token, text, at);
            self.replaced(units, unpaired >> (at / 2)).store_over(text, at);
            at += V::LANES;
        }
        let units = V::load(self.token, text, last);
        self.replaced(units, unpaired >> (last / 2)).store_over(text, last);
    }

    /// [`replace`](Self::replace) in `room`, which holds a copy of `text`.
    #[inline(always)]
    fn replace_in_copy(&self, text: &[u8], room: &mut [MaybeUninit<u8>], unpaired: u64) {
        if V::LANES < 64 && unpaired.count_ones() <= FEW {
            return self.replace_few_in_copy(room, unpaired);
        }
        self.copy_replaced(text, room, unpaired);
    }

    /// Copies `text` to `room`, of the same length, with the same replacements.
    #[inline(always)]
    fn copy_replaced(&self, text: &[u8], room: &mut [MaybeUninit<u8>], unpaired: u64) {
        let last = text.len() - V::LANES;
        let mut at = 0;
        while at < last {
            let units = V::load(self.token, text, at);
            self.replaced(units, unpaired >> (at / 2)).store_bytes(room, at);
            at += V::LANES;
        }
        let units = V::load(self.token, text, last);
        self.replaced(units, unpaired >> (last / 2)).store_bytes(room, last);
    }
}

//! Is it UTF-16? Most of it has no surrogates at all, and that is one comparison of each unit's upper bits. Where there are
//! some, each low one must stand behind a high one and behind each high one a low one: in long texts the bits of whole blocks
//! say so, in short ones the same lanes of two loads, one unit apart.
//!
//! The two bytes of a unit are compared as they are: in the other byte order it is the constants that are swapped, and these
//! come with the order, which is a value, so all of this is compiled once for both.

use super::utf16_halves::{BLOCK, CALM, Finder};
use super::utf16_tiny::unit;
use super::words;
use crate::arch::Vector;
use crate::arch::lanes16::Lanes16;
use crate::tables::UnitOrder;

/// Vectors that are tested together.
const TOGETHER: usize = 4;

/// Whether `src` is well-formed; if not, how many bytes are known to be. Of less than 32 bytes only vectors of 16 are made.
#[inline(always)]
pub(crate) fn check<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
) -> Result<(), usize> {
    let text = whole_units(src);
    let checker = Checker::<V>::new(order, token);
    let known = if V::LANES == 16 && text.len() < 16 {
        // Behind the end are zeros, which are no surrogates.
        let units = V::of_words(token, words::padded16(text));
        if checker.wrong(units, units.shifted::<2>()).any() { 0 } else { text.len() }
    } else if V::is_within(text.len(), BLOCK - 1) {
        checker.short(text)
    } else {
        checker.long(text)
    };
    if known == src.len() { Ok(()) } else { Err(known) }
}

/// Whether no unit of `src`, in the machine's byte order, is beyond FF.
#[inline(always)]
pub(crate) fn fits_latin1<V: Lanes16>(token: V::Token, src: &[u8]) -> bool {
    const UPPER: u64 = 0xFF00_FF00_FF00_FF00;
    if V::LANES == 16 && src.len() < 16 {
        let [first, second, ..] = words::padded16(src);
        return (first | second) & UPPER == 0;
    }
    let upper = V::splat16(token, 0xFF00);
    let mut rest = src;
    while let Some((block, behind)) = rest.split_at_checked(2 * TOGETHER * V::LANES) {
        let mut all = V::load(token, block, 0);
        let mut k = 1;
        while k < 2 * TOGETHER {
            all = all.or(V::load(token, block, k * V::LANES));
            k += 1;
        }
        if all.and(upper).any() {
            return false;
        }
        rest = behind;
    }
    // Single vectors; the last one ends with the text.
    let mut all = V::load(token, src, src.len() - V::LANES);
    while let Some((vector, behind)) = rest.split_at_checked(V::LANES) {
        all = all.or(V::load(token, vector, 0));
        rest = behind;
    }
    !all.and(upper).any()
}

/// `src` without the half of a unit at its end.
#[inline(always)]
pub(super) fn whole_units(src: &[u8]) -> &[u8] {
    &src[..src.len() & !1]
}

/// Whether `text[..at]` doesn't end inside a pair, or the pair goes on there.
#[inline(always)]
pub(super) fn is_ended(order: &'static UnitOrder, text: &[u8], at: usize) -> bool {
    unit(order, &text[at - 2..]) & 0xFC00 != 0xD800
        || at < text.len() && unit(order, &text[at..]) & 0xFC00 == 0xDC00
}

/// `at`, or the place in front of the pair that it stands in.
#[inline(always)]
pub(super) fn boundary(order: &'static UnitOrder, text: &[u8], at: usize) -> usize {
    let half = |at: usize| text.get(at..at + 2).map_or(0, |bytes| unit(order, bytes)) & 0xFC00;
    if at > 0 && half(at) == 0xDC00 && half(at - 2) == 0xD800 { at - 2 } else { at }
}

/// The constants of a check, as units in a byte order.
pub(super) struct Checker<V: Vector> {
    order: &'static UnitOrder,
    token: V::Token,
    /// The bits that tell surrogates, and what they are in one.
    top: (V, V),
    /// The bits that tell high and low surrogates, and what they are in these.
    half: (V, V, V),
}

impl<V: Lanes16> Checker<V> {
    #[inline(always)]
    pub(super) fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        let surrogate = V::load(token, &order.surrogate, 0);
        Self {
            order,
            token,
            top: (V::load(token, &order.top, 0), surrogate),
            half: (V::load(token, &order.half, 0), surrogate, V::load(token, &order.low, 0)),
        }
    }

    /// [Marks](Lanes16::marked16) the surrogates of some units.
    #[inline(always)]
    pub(super) fn marked(&self, units: V) -> V {
        units.marked16(self.top.0, self.top.1)
    }

    /// The surrogates of some units.
    #[inline(always)]
    pub(super) fn surrogates(&self, units: V) -> V {
        units.and(self.top.0).equal16(self.top.1)
    }

    /// Low surrogates without a high one in front, and what stands behind a high one and is none. `before` are the units in
    /// front of each.
    #[inline(always)]
    fn wrong(&self, units: V, before: V) -> V {
        let low = units.and(self.half.0).equal16(self.half.2);
        low.xor(before.and(self.half.0).equal16(self.half.1))
    }

    /// [`wrong`](Self::wrong) of the units at `at`.
    #[inline(always)]
    pub(super) fn wrong_at(&self, text: &[u8], at: usize) -> V {
        let units = V::load(self.token, text, at);
        match at {
            0 => self.wrong(units, units.shifted::<2>()),
            _ => self.wrong(units, V::load(self.token, text, at - 2)),
        }
    }

    /// How far a text of a vector or a few is well-formed: to its end, or 0.
    #[inline(always)]
    fn short(&self, text: &[u8]) -> usize {
        if self.is_calm_from(text, 0) {
            return text.len();
        }
        let last = text.len() - V::LANES;
        let mut wrong = self.wrong_at(text, last);
        let mut at = 0;
        while at < last {
            wrong = wrong.or(self.wrong_at(text, at));
            at += V::LANES;
        }
        if wrong.any() || !is_ended(self.order, text, text.len()) { 0 } else { text.len() }
    }

    /// How far a longer text is well-formed: to its end, or a place less than a block in front of the error.
    #[inline(always)]
    fn long(&self, text: &[u8]) -> usize {
        if Self::RUN == BLOCK {
            return self.mixed(text, 0);
        }
        // What has no surrogates at all is done before anything else is made ready.
        let at = self.run(text, 0);
        if self.is_end_of_run(text, at) { text.len() } else { self.mixed(text, at) }
    }

    /// [`long`](Self::long) from `at` on, in front of which there are no surrogates.
    #[inline(always)]
    fn mixed(&self, text: &[u8], mut at: usize) -> usize {
        let finder = Finder::<V>::new(self.order, self.token);
        let mut open = 0;
        // Where it has been looked for surrogates, there are some.
        let mut calm = if Self::RUN == BLOCK { CALM } else { 0 };
        while at + BLOCK <= text.len() {
            // Without surrogates.
            if calm == CALM {
                at = self.run(text, at);
                if Self::RUN > BLOCK && self.is_end_of_run(text, at) {
                    return text.len();
                }
                calm = 0;
            }
            // With some; and blocks of both kinds in turns.
            while at + BLOCK <= text.len() && calm < CALM {
                let halves = finder.of_block(&text[at..at + BLOCK]);
                if !halves.are_paired(open) {
                    return at - 2 * open as usize;
                }
                open = halves.open();
                calm = if halves.are_none() { calm + 1 } else { 0 };
                at += BLOCK;
            }
        }
        let known = at - 2 * open as usize;
        if at < text.len() {
            // The last block ends with the text.
            let start = text.len() - BLOCK;
            let block = &text[start..];
            if Self::RUN == BLOCK && open == 0 && !self.has_surrogates(block) {
                return text.len();
            }
            let halves = finder.of_block(block);
            let open = u64::from(unit(self.order, &text[start - 2..]) & 0xFC00 == 0xD800);
            let well_formed = halves.are_paired(open) && halves.open() == 0;
            return if well_formed { text.len() } else { known };
        }
        known
    }

    /// Bytes that are asked at once whether they have surrogates, where it is likely that there are many more without.
    pub(super) const RUN: usize = if V::LANES < 64 { BLOCK } else { 4 * BLOCK };

    /// The end of what has no surrogates from `at` on, in steps of [`RUN`](Self::RUN).
    #[inline(always)]
    pub(super) fn run(&self, text: &[u8], mut at: usize) -> usize {
        while at + Self::RUN <= text.len() && !self.has_surrogates(&text[at..at + Self::RUN]) {
            at += Self::RUN;
        }
        at
    }

    /// Whether less than a run is left at `at`, and that has no surrogates.
    #[inline(always)]
    pub(super) fn is_end_of_run(&self, text: &[u8], at: usize) -> bool {
        text.len() - at < Self::RUN && (at == text.len() || self.is_calm_from(text, at))
    }

    /// Whether there are no surrogates from `at` on in a text of at least a vector. The last vector ends with the text.
    #[inline(always)]
    fn is_calm_from(&self, text: &[u8], mut at: usize) -> bool {
        let last = text.len() - V::LANES;
        let mut surrogates = self.marked(V::load(self.token, text, last));
        while at < last {
            surrogates = surrogates.either_marked16(self.marked(V::load(self.token, text, at)));
            at += V::LANES;
        }
        !surrogates.any_marked16()
    }

    /// Whether there are any surrogates in a block, or in a few.
    #[inline(always)]
    pub(super) fn has_surrogates(&self, block: &[u8]) -> bool {
        let mut surrogates = self.marked(V::load(self.token, block, 0));
        let mut at = V::LANES;
        while at < block.len() {
            surrogates = surrogates.either_marked16(self.marked(V::load(self.token, block, at)));
            at += V::LANES;
        }
        surrogates.any_marked16()
    }

    /// Whether there is something wrong in the block at `at`.
    #[inline(always)]
    pub(super) fn is_wrong(&self, text: &[u8], at: usize) -> bool {
        let mut wrong = self.wrong_at(text, at);
        let mut k = 1;
        while k < TOGETHER {
            let at = at + k * V::LANES;
            wrong = wrong
                .or(self.wrong(V::load(self.token, text, at), V::load(self.token, text, at - 2)));
            k += 1;
        }
        wrong.any() || !is_ended(self.order, text, at + TOGETHER * V::LANES)
    }
}

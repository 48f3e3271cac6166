//! Validation of UTF-8 with no character of more than two bytes: pairs of a lead byte and a
//! continuation byte, and ASCII.
//!
//! This needs no tables, and half the instructions. Texts of a kilobyte at most, of which the first
//! block is ASCII, are taken for such, until a larger character comes: they may have only a few
//! blocks that are not ASCII, and the tables alone would take as long to load as one of these to
//! check.

use crate::arch::hint::cold_path;
use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::ascii;
use crate::generic::from_utf8::ascii_runs::{
    Block, ascii_blocks, incomplete_at_end, incomplete_before, largest,
};

/// The check of text without bytes from 0xE0 on.
pub(crate) struct Pairs<V: Vector> {
    /// Bit 7 of a lane: a lead byte without a continuation byte after it, or the other way round.
    unpaired: V,
    /// The least byte of each lane, with bits 6 and 7 flipped: 0 and 1 are C0 and C1, which are no
    /// lead bytes. The byte before a block counts, and not its last one: that is cut off, or the
    /// next block is checked too.
    least: V,
}

impl<V: Vector> Pairs<V> {
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        Self { unpaired: V::splat(token, 0), least: V::splat(token, 0xFF) }
    }

    #[inline(always)]
    pub(crate) fn check(&mut self, token: V::Token, block: &Block) {
        let mut at = 0;
        while at < STEP {
            let bytes = V::load(token, V::suffix(block, LOOKBEHIND_BYTES), at);
            let before = V::load(token, V::suffix(block, LOOKBEHIND_BYTES - 1), at);
            let leads = before.saturating_sub(V::splat(token, 0x40));
            self.unpaired = self.unpaired.or(bytes.continuation_marks(token).xor(leads));
            self.least = self.least.min(before.xor(V::splat(token, 0xC0)));
            at += V::LANES;
        }
    }

    /// Lanes that are not zero where an error is.
    #[inline(always)]
    pub(crate) fn errors(&self, token: V::Token) -> V {
        let no_leads = V::splat(token, 2).saturating_sub(self.least);
        self.unpaired.and(V::splat(token, 0x80)).or(no_leads)
    }
}

/// Returns true if the rest of `src` is well-formed and has no character of more than two bytes.
/// `rest` is the end of `src` from [`LOOKBEHIND_BYTES`] bytes before it on; ASCII is before it.
/// `of_first` has the largest bytes of its first block.
///
/// A block with a larger character ends this at once, and the caller begins again with the rest.
/// Pairs that are wrong are known at the end.
#[inline(always)]
pub(crate) fn is_valid_tail<V: Vector>(
    token: V::Token,
    src: &[u8],
    rest: &[u8],
    of_first: V,
) -> bool {
    let Some(block) = rest.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>() else {
        cold_path();
        return false;
    };
    if of_first.any_from(token, 0xE0) {
        return false;
    }
    let mut pairs = Pairs::<V>::new(token);
    pairs.check(token, block);
    let mut cut = V::splat(token, 0);
    let mut ahead = &rest[STEP..];
    // Often ASCII follows. The loop would load its constants before it asks.
    if let Some(block) = ahead.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>()
        && !ascii::any_high::<V>(token, V::suffix(block, LOOKBEHIND_BYTES), 0..STEP)
    {
        cut = incomplete_before(token, block);
        // Nothing is left where the text ends with ASCII.
        ahead = ascii_blocks::<V>(token, src, &ahead[STEP..]).unwrap_or_default();
    }
    while let Some(block) = ahead.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>() {
        if ascii::any_high::<V>(token, V::suffix(block, LOOKBEHIND_BYTES), 0..STEP) {
            if largest::<V>(token, V::suffix(block, LOOKBEHIND_BYTES)).any_from(token, 0xE0) {
                return false;
            }
            pairs.check(token, block);
            ahead = &ahead[STEP..];
        } else {
            cut = cut.or(incomplete_before(token, block));
            ahead = ascii_blocks::<V>(token, src, &ahead[STEP..]).unwrap_or_default();
        }
    }
    let Some(last) = src.last_chunk::<{ LOOKBEHIND_BYTES + STEP }>() else { return false };
    if ahead.len() > LOOKBEHIND_BYTES {
        if largest::<V>(token, V::suffix(last, LOOKBEHIND_BYTES)).any_from(token, 0xE0) {
            return false;
        }
        pairs.check(token, last);
    }
    cut =
        cut.or(incomplete_at_end(token, V::load(token, last, LOOKBEHIND_BYTES + STEP - V::LANES)));
    !pairs.errors(token).or(cut).any()
}

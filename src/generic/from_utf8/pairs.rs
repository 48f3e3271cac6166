//! Validation of UTF-8 with no character of more than two bytes: pairs of a lead byte and a
//! continuation byte, and ASCII.
//!
//! 1. A block with a byte from 0xE0 on ends this check, and the caller starts again with the
//!    tables.
//! 2. Unpaired bytes: `is_continuation(byte) != (byte before >= 0xC0)`, or-ed over all blocks.
//! 3. Overlong sequences: the least byte, after flipping its upper two bits, is 0 or 1 for C0 or
//!    C1.
//! 4. A sequence that is incomplete before a block of ASCII, or at the end.
//! 5. At the end, one test of all of these.
//!
//! This needs no tables, and half the instructions. It is tried for texts of at most a kilobyte
//! whose first block is ASCII: such a text may have only a few blocks that are not ASCII, and
//! loading the tables takes as long as checking one of these.

use crate::arch::hint::cold_path;
use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::ascii;
use crate::generic::from_utf8::ascii_runs::{
    Block, ascii_blocks, incomplete_at_end, incomplete_before, largest,
};

/// The check of text without bytes from 0xE0 on.
pub(crate) struct Pairs<V: Vector> {
    /// Bit 7 of a lane is set after a lead byte without a continuation byte, or a continuation byte
    /// without a lead byte.
    unpaired: V,
    /// The least byte of each lane, with bits 6 and 7 flipped: 0 and 1 are C0 and C1, which begin
    /// no sequence. It includes the byte before a block, but not the last byte of the block: a lead
    /// byte there is incomplete, or the next block is checked too.
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

    /// Returns lanes that are not zero if there is an error.
    #[inline(always)]
    pub(crate) fn errors(&self, token: V::Token) -> V {
        let no_leads = V::splat(token, 2).saturating_sub(self.least);
        self.unpaired.and(V::splat(token, 0x80)).or(no_leads)
    }
}

/// Returns true if the rest of `src` is well-formed and has no character of more than two bytes.
/// `rest` is a suffix of `src`, with [`LOOKBEHIND_BYTES`] bytes of ASCII before it. `of_first` has
/// the largest bytes of its first block.
///
/// A block with a larger character ends this at once. Ill-formed pairs are detected only at the
/// end.
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
    // Often ASCII follows. The loop would load its constants before it tests.
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

//! Validates UTF-8 that has only characters of one or two bytes: ASCII, and pairs of a lead byte
//! and a continuation byte.
//!
//! 1. If a block has a byte of 0xE0 or above, this check ends, and the caller starts again with the
//!    tables.
//! 2. Find unpaired bytes: `is_continuation(byte) != (byte before >= 0xC0)`, combined over all
//!    blocks with a bitwise or.
//! 3. Find overlong sequences: keep the least byte, after flipping the upper two bits of each byte.
//!    This maps 0xC0 and 0xC1 to 0 and 1.
//! 4. Find sequences that are incomplete before an ASCII block or at the end.
//! 5. At the end, test all of these errors once.
//!
//! This check needs no tables, and half the instructions of the [check](super::check) with tables.
//! It is tried for texts of at most a kilobyte whose first block is ASCII: such a text may have
//! only a few blocks that are not ASCII, and loading the tables takes as long as checking one such
//! block.

use crate::arch::hint::cold_path;
use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::ascii;
use crate::generic::from_utf8::ascii_runs::{
    Block, incomplete_at_end, incomplete_before, largest, skip_ascii_blocks,
};

/// The errors that have been found so far in text without bytes of 0xE0 or above.
pub(crate) struct TwoByteChecker<V: Vector> {
    /// Has a lane with bit 7 set if there was a lead byte without a continuation byte, or a
    /// continuation byte without a lead byte.
    unpaired: V,
    /// The least byte of each lane, with bits 6 and 7 flipped: 0 and 1 are 0xC0 and 0xC1, which
    /// begin no sequence. [`check`](Self::check) looks at the byte before each byte, so the last
    /// byte of a block is included when the next block is checked. If the next block is ASCII, and
    /// therefore skipped, `incomplete_before` detects a lead byte there.
    least: V,
}

impl<V: Vector> TwoByteChecker<V> {
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        Self { unpaired: V::splat(token, 0), least: V::splat(token, 0xFF) }
    }

    /// Checks a block.
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

    /// Returns a vector with a lane that is not zero if there was an error.
    #[inline(always)]
    pub(crate) fn errors(&self, token: V::Token) -> V {
        let overlong = V::splat(token, 2).saturating_sub(self.least);
        self.unpaired.and(V::splat(token, 0x80)).or(overlong)
    }
}

/// Returns true if the end of `src` is well-formed and has no character of more than two bytes.
/// `rest` is a suffix of `src` that begins with [`LOOKBEHIND_BYTES`] bytes of ASCII.
/// `first_block_max` has the largest byte of each lane over the first block after these.
///
/// At a block with a larger character, this function returns at once. It detects ill-formed pairs
/// only at the end.
#[inline(always)]
pub(crate) fn is_valid_tail<V: Vector>(
    token: V::Token,
    src: &[u8],
    rest: &[u8],
    first_block_max: V,
) -> bool {
    let Some(block) = rest.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>() else {
        cold_path();
        return false;
    };
    if first_block_max.any_at_least(token, 0xE0) {
        return false;
    }
    let mut checker = TwoByteChecker::<V>::new(token);
    checker.check(token, block);
    let mut incomplete = V::splat(token, 0);
    let mut suffix = &rest[STEP..];
    // Often the next block is ASCII. This branch avoids the loop below, which would first load its
    // constants.
    if let Some(block) = suffix.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>()
        && !ascii::any_high_bit::<V>(token, V::suffix(block, LOOKBEHIND_BYTES), 0..STEP)
    {
        incomplete = incomplete_before(token, block);
        // If the rest of the text is ASCII, nothing is left.
        suffix = skip_ascii_blocks::<V>(token, src, &suffix[STEP..]).unwrap_or_default();
    }
    while let Some(block) = suffix.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>() {
        if ascii::any_high_bit::<V>(token, V::suffix(block, LOOKBEHIND_BYTES), 0..STEP) {
            if largest::<V>(token, V::suffix(block, LOOKBEHIND_BYTES)).any_at_least(token, 0xE0) {
                return false;
            }
            checker.check(token, block);
            suffix = &suffix[STEP..];
        } else {
            incomplete = incomplete.or(incomplete_before(token, block));
            suffix = skip_ascii_blocks::<V>(token, src, &suffix[STEP..]).unwrap_or_default();
        }
    }
    let Some(last) = src.last_chunk::<{ LOOKBEHIND_BYTES + STEP }>() else { return false };
    if suffix.len() > LOOKBEHIND_BYTES {
        if largest::<V>(token, V::suffix(last, LOOKBEHIND_BYTES)).any_at_least(token, 0xE0) {
            return false;
        }
        checker.check(token, last);
    }
    incomplete = incomplete
        .or(incomplete_at_end(token, V::load(token, last, LOOKBEHIND_BYTES + STEP - V::LANES)));
    !checker.errors(token).or(incomplete).any()
}

//! Validates blocks of UTF-8 that have only characters of one or two bytes: ASCII, and pairs of a
//! lead byte and a continuation byte.
//!
//! 1. Find unpaired bytes: `is_continuation(byte) != (byte before >= 0xC0)`, combined over all
//!    blocks with a bitwise or.
//! 2. Find overlong sequences: keep the least byte, after flipping the upper two bits of each byte.
//!    This maps 0xC0 and 0xC1 to 0 and 1.
//! 3. At the end, test all of these errors once.
//!
//! This check needs no tables, and half the instructions of the [check](super::check) with tables.

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::from_utf8::ascii_runs::Block;

/// The errors that have been found so far in text without bytes of 0xE0 or above.
pub(crate) struct TwoByteChecker<V: Vector> {
    /// Has a lane with bit 7 set if there was a lead byte without a continuation byte, or a
    /// continuation byte without a lead byte.
    unpaired: V,
    /// The least byte of each lane, with bits 6 and 7 flipped: 0 and 1 are 0xC0 and 0xC1, which
    /// begin no sequence. [`check`](Self::check) looks at the byte before each byte, so the last
    /// byte of a block is included when the next block is checked. The caller detects a sequence
    /// that is incomplete before a block that is skipped.
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
            self.check_vector(token, bytes, before);
            at += V::LANES;
        }
    }

    /// Checks a vector. `before` begins one byte before it.
    #[inline(always)]
    pub(crate) fn check_vector(&mut self, token: V::Token, bytes: V, before: V) {
        let leads = before.saturating_sub(V::splat(token, 0x40));
        self.unpaired = self.unpaired.or(bytes.continuation_marks(token).xor(leads));
        self.least = self.least.min(before.xor(V::splat(token, 0xC0)));
    }

    /// Returns a vector with a lane that is not zero if there was an error.
    #[inline(always)]
    pub(crate) fn errors(&self, token: V::Token) -> V {
        let overlong = V::splat(token, 2).saturating_sub(self.least);
        self.unpaired.and(V::splat(token, 0x80)).or(overlong)
    }
}

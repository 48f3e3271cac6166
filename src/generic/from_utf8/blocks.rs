//! Validation of UTF-8 in blocks, where only the end matters: no block is judged, so
//! nothing depends on a branch but the question whether it is ASCII.

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::ascii;
use crate::generic::from_utf8::check::Utf8Checker;

/// The blocks of a text so far. Their errors are collected, without a branch.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<V: Vector> {
    /// The last vector; zeros before the start.
    last: V,
    /// Lanes that are not zero if the last block that is not ASCII ends inside a sequence.
    incomplete: V,
    /// Lanes with an error are not zero.
    errors: V,
}

impl<V: Vector> Blocks<V> {
    /// No blocks yet.
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        let zeros = V::splat(token, 0);
        Self { last: zeros, incomplete: zeros, errors: zeros }
    }

    /// Checks the next block.
    #[inline(always)]
    pub(crate) fn push(&mut self, token: V::Token, block: &[u8; STEP]) {
        if ascii::any_high::<V>(token, block, 0..STEP) {
            let checker = Utf8Checker::<V>::new(token);
            let first = V::load(token, block, 0);
            self.errors = self.errors.or(checker.errors(
                first,
                first.shifted_after::<1>(self.last),
                first.shifted_after::<2>(self.last),
                first.shifted_after::<3>(self.last),
            ));
            let mut at = V::LANES;
            while at < STEP {
                self.errors =
                    self.errors.or(checker.errors_at(token, block, at - LOOKBEHIND_BYTES, &mut ()));
                at += V::LANES;
            }
            let most = V::load(token, &COMPLETE_END, STEP - V::LANES);
            self.incomplete = V::load(token, block, STEP - V::LANES).saturating_sub(most);
        } else {
            // Again for more ASCII, where it changes nothing.
            self.errors = self.errors.or(self.incomplete);
        }
        self.last = V::load(token, block, STEP - V::LANES);
    }

    /// Returns true if the text so far is well-formed, and complete.
    #[inline(always)]
    pub(crate) fn are_well_formed(&self) -> bool {
        !self.errors.or(self.incomplete).any()
    }
}

/// Anything, and then the largest three bytes at the end of a block that cut no sequence.
static COMPLETE_END: [u8; STEP] = {
    let mut most = [0xFF; STEP];
    [most[STEP - 3], most[STEP - 2], most[STEP - 1]] = [0xEF, 0xDF, 0xBF];
    most
};

//! Validates UTF-8 in blocks, with one result at the end. The only branch for a block is the test
//! for ASCII.

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::ascii;
use crate::generic::from_utf8::check::Utf8Checker;

/// The state of the validation of a text in blocks.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<V: Vector> {
    /// The last vector of the last block, or zeros before the first block.
    last: V,
    /// Has a lane that is not zero if the last block that is not ASCII ends inside a sequence.
    incomplete: V,
    /// Has a lane that is not zero if there was an error.
    errors: V,
}

impl<V: Vector> Blocks<V> {
    /// Returns the state before the first block.
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
            let limits = V::load(token, &COMPLETE_END, STEP - V::LANES);
            self.incomplete = V::load(token, block, STEP - V::LANES).saturating_sub(limits);
        } else {
            // No sequence continues in ASCII. After another ASCII block, this changes nothing.
            self.errors = self.errors.or(self.incomplete);
        }
        self.last = V::load(token, block, STEP - V::LANES);
    }

    /// Returns true if the text so far is well-formed and does not end inside a sequence.
    #[inline(always)]
    pub(crate) fn are_well_formed(&self) -> bool {
        !self.errors.or(self.incomplete).any()
    }
}

/// The largest bytes of a block that ends with a complete sequence: 0xFF except for the last three
/// bytes.
static COMPLETE_END: [u8; STEP] = {
    let mut limits = [0xFF; STEP];
    [limits[STEP - 3], limits[STEP - 2], limits[STEP - 1]] = [0xEF, 0xDF, 0xBF];
    limits
};

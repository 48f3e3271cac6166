//! Validates UTF-8 in blocks, with one result at the end. The only branch for a block is the test
//! for ASCII.

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::generic::ascii;
use crate::generic::from_utf8::ascii_runs::incomplete_at_end;
use crate::generic::from_utf8::check::Utf8Checker;

/// The state of the validation of a text in blocks.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<V: Vector> {
    /// The last vector of the last block, or zeros before the first block.
    last: V,
    /// Nonzero if the last non-ASCII block ends inside a sequence.
    incomplete: V,
    /// Nonzero if there was an error.
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
        if ascii::any_high_bit::<V>(token, block, 0..STEP) {
            let checker = Utf8Checker::<V>::new(token);
            let errors = checker.errors_of_block_after(token, block, self.last);
            self.errors = self.errors.or(errors);
            self.incomplete = incomplete_at_end(token, V::load(token, block, STEP - V::LANES));
        } else {
            // A sequence that is incomplete before an ASCII block is an error. If the last block
            // was ASCII too, `incomplete` has been added before.
            self.errors = self.errors.or(self.incomplete);
        }
        self.last = V::load(token, block, STEP - V::LANES);
    }

    /// Returns true if the text so far is well-formed and does not end inside a sequence.
    #[inline(always)]
    pub(crate) fn is_well_formed(&self) -> bool {
        !self.errors.or(self.incomplete).any()
    }
}

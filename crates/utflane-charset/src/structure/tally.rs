//! Adds up what a text has in one encoding.

use super::Structure;
use super::costs::STEPS_PER_BIT;

/// The cost in bits of an ill-formed sequence: more than any character.
const ERROR_BITS: u32 = 24;

/// The number of characters for each error after the first one. A text with more errors is not in
/// the encoding.
const CHARACTERS_PER_ERROR: usize = 32;

/// What a text has in one encoding so far.
pub(super) struct Tally {
    structure: Structure,
    steps: u32,
}

impl Tally {
    pub(super) fn new(encoding: &'static str, language: Option<&'static str>) -> Self {
        let structure = Structure {
            encoding,
            language,
            errors: 0,
            valid_up_to: usize::MAX,
            characters: 0,
            bytes: 0,
            ascii_bytes: 0,
            bits: 0,
            is_cut: false,
        };
        Self { structure, steps: 0 }
    }

    /// Adds a character and its cost in steps.
    #[inline]
    pub(super) fn add_character(&mut self, bytes: &[u8], steps: u32) {
        self.structure.characters += 1;
        self.structure.bytes += bytes.len();
        self.structure.ascii_bytes += bytes.iter().filter(|byte| byte.is_ascii()).count();
        self.steps = self.steps.saturating_add(steps);
    }

    /// Adds an ill-formed sequence at `offset`. Returns `None` if there are too many.
    pub(super) fn add_error(&mut self, offset: usize) -> Option<()> {
        let structure = &mut self.structure;
        structure.valid_up_to = structure.valid_up_to.min(offset);
        structure.errors += 1;
        self.steps = self.steps.saturating_add(ERROR_BITS * STEPS_PER_BIT);
        (structure.errors <= 1 + structure.characters / CHARACTERS_PER_ERROR).then_some(())
    }

    /// Sets the name of the encoding, and its language.
    pub(super) fn rename(&mut self, encoding: &'static str, language: &'static str) {
        (self.structure.encoding, self.structure.language) = (encoding, Some(language));
    }

    /// Notes that the text ends inside a character, which begins at `offset`.
    pub(super) fn cut(&mut self, offset: usize) {
        self.structure.is_cut = true;
        self.structure.valid_up_to = self.structure.valid_up_to.min(offset);
    }

    /// Returns the sums for a text of `len` bytes.
    pub(super) fn finish(mut self, len: usize) -> Structure {
        self.structure.valid_up_to = self.structure.valid_up_to.min(len);
        self.structure.bits = self.steps / STEPS_PER_BIT;
        self.structure
    }

    /// Returns the cost so far, in bits.
    pub(super) fn bits(&self) -> u32 {
        self.steps / STEPS_PER_BIT
    }

    /// Returns the number of characters so far.
    pub(super) fn characters(&self) -> usize {
        self.structure.characters
    }
}

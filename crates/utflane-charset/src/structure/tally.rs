//! Adds up what a text has in one encoding.

use super::Structure;
use super::costs::STEPS_PER_BIT;

/// The cost in bits of an ill-formed sequence: more than any character.
const ERROR_BITS: u32 = 24;

/// The cost in bits of an incomplete character at the end: of its first byte.
const CUT_BITS: u32 = 6;

/// The number of characters for each error after the first one. A text with more errors is not in
/// the encoding.
const CHARACTERS_PER_ERROR: usize = 32;

/// What a text has in one encoding so far.
pub(super) struct Tally {
    structure: Structure,
    steps: u32,
    /// The bits that any length of a character has.
    lens: usize,
    /// A bit for each of the characters; different characters may share a bit.
    seen: u64,
}

impl Tally {
    pub(super) fn new(encoding: &'static str, language: Option<&'static str>) -> Self {
        let structure = Structure {
            encoding,
            language,
            errors: 0,
            valid_up_to: usize::MAX,
            characters: 0,
            different: 0,
            bytes: 0,
            ascii_bytes: 0,
            bits: 0,
            is_cut: false,
        };
        Self { structure, steps: 0, lens: 0, seen: 0 }
    }

    /// Adds a character and its cost in steps.
    #[inline(always)]
    pub(super) fn add_character(&mut self, bytes: &[u8], steps: u32) {
        self.structure.characters += 1;
        self.structure.bytes += bytes.len();
        self.lens |= bytes.len();
        let sum = bytes.iter().fold(0, |sum: u32, &byte| sum.wrapping_mul(37) + u32::from(byte));
        self.seen |= 1 << (sum % u64::BITS);
        // Only the second of two bytes can be ASCII, and in GB18030 two of four bytes.
        let ascii = bytes.get(1).is_some_and(u8::is_ascii);
        self.structure.ascii_bytes += usize::from(ascii) * (bytes.len() / 2);
        self.steps = self.steps.saturating_add(steps);
    }

    /// Adds a cost in bits.
    pub(super) fn add_bits(&mut self, bits: u32) {
        self.steps = self.steps.saturating_add(bits * STEPS_PER_BIT);
    }

    /// Adds an ill-formed sequence at `offset`. Returns `None` if there are too many.
    pub(super) fn add_error(&mut self, offset: usize) -> Option<()> {
        let structure = &mut self.structure;
        structure.valid_up_to = structure.valid_up_to.min(offset);
        structure.errors += 1;
        let is_in_limit = structure.errors <= 1 + structure.characters / CHARACTERS_PER_ERROR;
        self.add_bits(ERROR_BITS);
        is_in_limit.then_some(())
    }

    /// Sets the name of the encoding, and its language.
    pub(super) fn rename(&mut self, encoding: &'static str, language: &'static str) {
        (self.structure.encoding, self.structure.language) = (encoding, Some(language));
    }

    /// Adds a character that the end of the text cuts. It begins at `offset`.
    pub(super) fn cut(&mut self, offset: usize) {
        self.add_bits(CUT_BITS);
        self.structure.is_cut = true;
        self.structure.valid_up_to = self.structure.valid_up_to.min(offset);
    }

    /// Returns the sums for a text of `len` bytes.
    pub(super) fn finish(mut self, len: usize) -> Structure {
        self.structure.valid_up_to = self.structure.valid_up_to.min(len);
        self.structure.bits = self.steps / STEPS_PER_BIT;
        self.structure.different = self.seen.count_ones() as usize;
        self.structure
    }

    /// Returns the cost so far, in bits.
    pub(super) fn bits(&self) -> u32 {
        self.steps / STEPS_PER_BIT
    }

    /// Returns true if a character has four bytes.
    pub(super) fn has_four_bytes(&self) -> bool {
        self.lens & 4 != 0
    }

    /// Returns the number of characters so far.
    pub(super) fn characters(&self) -> usize {
        self.structure.characters
    }
}

//! The characters of East Asian encodings: which bytes they consist of, as data.

use super::costs::{Costs, STEPS_PER_BIT};

/// Marks a byte that does not occur at this position of a character.
const NONE: u8 = 0xFF;

/// Inclusive ranges of bytes.
type Ranges = &'static [(u8, u8)];

/// The bytes of the sets with 94 x 94 cells.
pub(super) const CELLS_94: Ranges = &[(0xA1, 0xFE)];

/// Characters of the same length: their bytes and their costs.
pub(super) struct Form {
    /// The index of each byte among the first bytes, or [`NONE`].
    first: [u8; 256],
    /// The index of each byte among the second bytes, or [`NONE`].
    second: [u8; 256],
    /// A range for each byte after the second byte.
    further: Ranges,
    /// The number of bytes.
    len: usize,
    /// The costs of the characters in the first rows.
    costs: Option<&'static Costs>,
    /// The number of rows of `costs` for each first byte.
    rows: usize,
    /// The class of all other characters, and their cost in steps in this class.
    other: (u8, u32),
}

/// What the start of a text is.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// A character: the number of bytes, the class, and the cost in steps in this class.
    Character(usize, u8, u32),
    /// Bytes that are no character, or an unassigned one.
    IllFormed,
    /// The first bytes of a character.
    Incomplete,
}

impl Form {
    /// Returns the form of characters of one byte, or of two if `second` is not empty. `other` is
    /// the class of the characters, and their cost in steps in this class.
    pub(super) const fn new(first: Ranges, second: Ranges, other: (u8, u32)) -> Self {
        Self {
            first: index_of_bytes(first),
            second: index_of_bytes(second),
            further: &[],
            len: if second.is_empty() { 1 } else { 2 },
            costs: None,
            rows: 1,
            other,
        }
    }

    /// Adds the costs of the characters in the first rows. Each first byte has `rows` rows, 1 or 2.
    pub(super) const fn with_costs(self, costs: &'static Costs, rows: usize) -> Self {
        Self { costs: Some(costs), rows, ..self }
    }

    /// Adds a byte in each of these ranges.
    pub(super) const fn with_further(self, further: Ranges) -> Self {
        Self { further, len: 2 + further.len(), ..self }
    }

    /// Reads the character at the start of `text`, which is not empty. Returns `None` if the first
    /// two bytes are not those of this form.
    #[inline(always)]
    pub(super) fn read(&self, text: &[u8]) -> Option<Step> {
        let first = self.first[usize::from(text[0])];
        if first == NONE {
            return None;
        }
        if self.len == 1 {
            return Some(self.step(first, 0));
        }
        let Some(&byte) = text.get(1) else { return Some(Step::Incomplete) };
        let second = self.second[usize::from(byte)];
        if second == NONE {
            return None;
        }
        for (i, &(low, high)) in self.further.iter().enumerate() {
            match text.get(2 + i) {
                None => return Some(Step::Incomplete),
                Some(&byte) if low <= byte && byte <= high => {}
                Some(_) => return Some(Step::IllFormed),
            }
        }
        Some(self.step(first, second))
    }

    /// Returns the character of these two indexes, or an error if it is unassigned.
    #[inline(always)]
    fn step(&self, first: u8, second: u8) -> Step {
        let (class, steps) = self.other;
        let Some(costs) = self.costs else { return Step::Character(self.len, class, steps) };
        let (mut row, mut cell) = (usize::from(first) * self.rows, usize::from(second));
        if cell >= costs.row_cells {
            row += 1;
            cell -= costs.row_cells;
        }
        match costs.cell(row, cell) {
            Some((_, None)) => Step::IllFormed,
            Some((class, Some(steps))) => Step::Character(self.len, class, steps),
            None => Step::Character(self.len, class, steps),
        }
    }
}

/// Returns a class and a cost of `bits` bits, for characters that no table has.
pub(super) const fn flat(class: u8, bits: u32) -> (u8, u32) {
    (class, bits * STEPS_PER_BIT)
}

/// Returns the index of each byte in `ranges`, or [`NONE`].
const fn index_of_bytes(ranges: Ranges) -> [u8; 256] {
    let mut indexes = [NONE; 256];
    let (mut range, mut index) = (0, 0);
    while range < ranges.len() {
        let (first, last) = ranges[range];
        let mut byte = first as usize;
        while byte <= last as usize {
            indexes[byte] = index;
            index += 1;
            byte += 1;
        }
        range += 1;
    }
    indexes
}

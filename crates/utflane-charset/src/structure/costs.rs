//! The costs of East Asian characters in bits, from the tables that `train.py` writes.

/// The unit of costs: four steps are one bit.
pub(super) const STEPS_PER_BIT: u32 = 4;

/// The class of an ASCII letter or digit. Classes are the lines and columns of a table's first
/// lines, as in `train.py`.
pub(super) const ASCII_LETTER: u8 = 0;
/// The class of any other ASCII character, and of the start of the text.
pub(super) const OTHER_ASCII: u8 = 1;
/// The class of punctuation, also a row's class in the tables.
pub(super) const PUNCTUATION: u8 = 2;
/// The class of signs, and of Greek and Cyrillic letters.
pub(super) const OTHER_SIGN: u8 = 6;
/// The class of half-width katakana.
pub(super) const NARROW: u8 = 7;
/// The class of ideographs of the second level and of extensions.
pub(super) const RARE: u8 = 9;

/// The number of classes.
const CLASSES: usize = 10;
/// The length of the lines for the classes, with line feeds.
const ROWS_START: usize = CLASSES * (CLASSES + 1);

/// The costs of one language in one set of characters.
pub(super) struct Costs {
    /// The text of the table: a line for each class, then a line for each row of the set.
    table: &'static [u8],
    /// The number of cells in a row.
    pub(super) row_cells: usize,
}

/// Japanese in JIS X 0208: rows 1 to 84.
pub(super) static JAPANESE: Costs = Costs::new(include_bytes!("costs/japanese.costs"), 94);
/// Korean in KS X 1001: rows 1 to 40, without the rows of ideographs.
pub(super) static KOREAN: Costs = Costs::new(include_bytes!("costs/korean.costs"), 94);
/// Korean in Johab: syllables.
pub(super) static JOHAB: Costs = Costs::new(include_bytes!("costs/johab.costs"), 188);
/// Simplified Chinese in GB 2312: rows 1 to 55, without the ideographs of level 2.
pub(super) static SIMPLIFIED: Costs = Costs::new(include_bytes!("costs/simplified.costs"), 94);
/// Traditional Chinese in Big5: lead bytes 0xA1 to 0xC6, without the ideographs of level 2.
pub(super) static TRADITIONAL: Costs = Costs::new(include_bytes!("costs/traditional.costs"), 157);
/// Traditional Chinese in plane 1 of CNS 11643.
pub(super) static TAIWAN: Costs = Costs::new(include_bytes!("costs/taiwan.costs"), 94);

impl Costs {
    const fn new(table: &'static [u8], row_cells: usize) -> Self {
        assert!((table.len() - ROWS_START).is_multiple_of(row_cells + 2));
        Self { table, row_cells }
    }

    /// Returns the cost in steps of a character of class `after` after one of class `before`.
    pub(super) fn class_steps(&self, before: u8, after: u8) -> u32 {
        let line = usize::from(before) * (CLASSES + 1);
        u32::from(self.table[line + usize::from(after)] - b'0')
    }

    /// Returns the class of a row and the cost in steps of one of its cells in this class: `None`
    /// if the cell is unassigned. Returns `None` if the row is beyond the table.
    #[inline(always)]
    pub(super) fn cell(&self, row: usize, cell: usize) -> Option<(u8, Option<u32>)> {
        let start = ROWS_START + row * (self.row_cells + 2);
        let line = self.table.get(start..start + self.row_cells + 1)?;
        let steps = line[1 + cell].checked_sub(b'0').map(u32::from);
        Some((line[0] - b'0', steps))
    }
}

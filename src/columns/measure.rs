//! Lengths and counts of rows.
//!
//! 1. In a block of ASCII, the measure of a row is its length.
//! 2. If each byte counts by itself, count the bytes before each bound of a block at once. The
//!    measure of a row is the difference of two counts.
//! 3. Else measure the rows one by one.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Range;

use crate::columns::convert::is_ascii_transparent;
use crate::columns::rows::{RowBounds, Rows};
use crate::columns::sequences::{self, ROWS_BLOCK_BYTES, Sequence, Visitor};
use crate::dispatch::function::{CountsBefore, Measure};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
use crate::encoding::scheme::Scheme;

/// A measurement of rows.
#[derive(Clone, Copy)]
pub(crate) struct Measurement {
    pub(crate) kernel: Kernel,
    pub(crate) from: Scheme,
    pub(crate) measure: Measure,
    /// The function that counts the bytes before each bound, if each byte counts by itself.
    pub(crate) before: Option<CountsBefore>,
    /// The caller's units for each unit that is measured.
    pub(crate) scale: usize,
    /// True if each byte of ASCII is one unit.
    pub(crate) ascii_is_one: bool,
}

impl Measurement {
    /// Measures all rows. A row that is null has no units.
    pub(crate) fn run(&self, rows: &Rows<'_>, out: &mut Vec<usize>) {
        out.clear();
        out.reserve(rows.len());
        let mut run = Run { measurement: *self, out, positions: Vec::new() };
        let Ok(()) = sequences::visit(rows, 0..rows.len(), &mut run);
    }

    /// Returns the units of a row.
    #[inline]
    fn of_row(&self, text: &[u8]) -> usize {
        (self.measure)(text, self.kernel).saturating_mul(self.scale)
    }
}

/// A measurement, and its result so far.
struct Run<'a> {
    measurement: Measurement,
    out: &'a mut Vec<usize>,
    positions: Vec<usize>,
}

impl Visitor for Run<'_> {
    type Error = Infallible;

    #[inline(never)]
    fn sequence<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
    ) -> Result<(), Infallible> {
        let mut first = range.start;
        while first < range.end {
            let end = sequence.block_end(first..range.end, ROWS_BLOCK_BYTES);
            self.block(sequence, first..end);
            first = end;
        }
        Ok(())
    }

    fn single(&mut self, _: usize, text: &[u8]) -> Result<(), Infallible> {
        self.out.push(self.measurement.of_row(text));
        Ok(())
    }
}

impl Run<'_> {
    /// Measures a block of rows.
    fn block<B: RowBounds>(&mut self, sequence: &Sequence<'_, B>, range: Range<usize>) {
        let Measurement { kernel, from, before, scale, ascii_is_one, .. } = self.measurement;
        let (text, bounds) = (sequence.text(range.clone()), sequence.bounds);
        let rows = self.out.len();
        if ascii_is_one && is_ascii_transparent(from) && check_ascii(text, kernel).is_ok() {
            self.out.extend(range.clone().map(|row| bounds.row(row).len() * scale));
        } else if let Some(before) = before
            && text.len() <= ROWS_BLOCK_BYTES
        {
            sequence.ends_in_text(range.clone(), &mut self.positions);
            before(text, &mut self.positions, kernel);
            let mut sum = 0;
            self.out.extend(self.positions.iter().map(|&end| {
                let units = (end - sum) * scale;
                sum = end;
                units
            }));
        } else {
            let measurement = &self.measurement;
            self.out.extend(range.clone().map(|row| match sequence.is_null(row) {
                true => 0,
                false => measurement.of_row(sequence.row(row)),
            }));
            return;
        }
        if sequence.until_null_with_text(range.clone()) < range.end {
            for (units, row) in self.out[rows..].iter_mut().zip(range) {
                if sequence.is_null(row) {
                    *units = 0;
                }
            }
        }
    }
}

/// Returns true if each character of ASCII is one unit of the scheme: NUL has two in Modified
/// UTF-8.
pub(crate) const fn ascii_is_one(scheme: Scheme) -> bool {
    !matches!(scheme, Scheme::Mutf8)
}

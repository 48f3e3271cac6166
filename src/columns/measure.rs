//! Measures the lengths and the counts of rows.
//!
//! 1. In a block of ASCII, the measure of a row is its length.
//! 2. If the measure is a sum over the bytes, count the bytes before each bound of a block with one
//!    call. The measure of a row is the difference of two counts.
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

/// A measurement of rows: what is measured, and how.
#[derive(Clone, Copy)]
pub(crate) struct Measurement {
    pub(crate) kernel: Kernel,
    pub(crate) from: Scheme,
    pub(crate) measure: Measure,
    /// The function that counts before each bound of a block, if the measure is a sum over the
    /// bytes.
    pub(crate) counts_before: Option<CountsBefore>,
    /// The number of the caller's units in each unit that is measured.
    pub(crate) scale: usize,
    /// True if each byte of ASCII text is one unit.
    pub(crate) ascii_is_one_unit: bool,
}

impl Measurement {
    /// Replaces the content of `out` with the measure of each row. The measure of a null row is 0.
    pub(crate) fn measure_rows(&self, rows: &Rows<'_>, out: &mut Vec<usize>) {
        out.clear();
        out.reserve(rows.len());
        let mut visitor = MeasureVisitor { measurement: *self, out, ends: Vec::new() };
        let Ok(()) = sequences::visit(rows, 0..rows.len(), &mut visitor);
    }

    /// Returns the number of units of a row.
    #[inline]
    fn measure_row(&self, text: &[u8]) -> usize {
        (self.measure)(text, self.kernel).saturating_mul(self.scale)
    }
}

/// Appends the measures of rows to `out`.
struct MeasureVisitor<'a> {
    measurement: Measurement,
    out: &'a mut Vec<usize>,
    /// The ends of the rows of a block in its text, then the counts before these ends.
    ends: Vec<usize>,
}

impl Visitor for MeasureVisitor<'_> {
    type Error = Infallible;

    #[inline(never)]
    fn visit_sequence<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
    ) -> Result<(), Infallible> {
        let mut first = range.start;
        while first < range.end {
            let end = sequence.block_end(first..range.end, ROWS_BLOCK_BYTES);
            self.measure_block(sequence, first..end);
            first = end;
        }
        Ok(())
    }

    fn visit_row(&mut self, _: usize, text: &[u8]) -> Result<(), Infallible> {
        self.out.push(self.measurement.measure_row(text));
        Ok(())
    }
}

impl MeasureVisitor<'_> {
    /// Measures a block of rows.
    fn measure_block<B: RowBounds>(&mut self, sequence: &Sequence<'_, B>, range: Range<usize>) {
        let Measurement { kernel, from, counts_before, scale, ascii_is_one_unit, .. } =
            self.measurement;
        let (text, bounds) = (sequence.text(range.clone()), sequence.bounds);
        let rows_before = self.out.len();
        if ascii_is_one_unit && is_ascii_transparent(from) && check_ascii(text, kernel).is_ok() {
            self.out.extend(range.clone().map(|row| bounds.row(row).len() * scale));
        } else if let Some(counts_before) = counts_before
            && text.len() <= ROWS_BLOCK_BYTES
        {
            sequence.write_ends(range.clone(), &mut self.ends);
            counts_before(text, &mut self.ends, kernel);
            let mut previous = 0;
            self.out.extend(self.ends.iter().map(|&count| {
                let units = (count - previous) * scale;
                previous = count;
                units
            }));
        } else {
            let measurement = &self.measurement;
            self.out.extend(range.clone().map(|row| match sequence.is_null(row) {
                true => 0,
                false => measurement.measure_row(sequence.row(row)),
            }));
            return;
        }
        if sequence.find_null_with_text(range.clone()) < range.end {
            for (units, row) in self.out[rows_before..].iter_mut().zip(range) {
                if sequence.is_null(row) {
                    *units = 0;
                }
            }
        }
    }
}

/// Returns true if each ASCII character is one unit of the scheme. In Modified UTF-8, NUL has two
/// units.
pub(crate) const fn ascii_is_one_unit(scheme: Scheme) -> bool {
    !matches!(scheme, Scheme::Mutf8)
}

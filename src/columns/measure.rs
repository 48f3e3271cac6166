//! Measures the lengths and the counts of rows.
//!
//! 1. In a block of ASCII, the measure of a row is its length.
//! 2. If the measure is a sum over the bytes, count the bytes before each bound of a block with one
//!    call. The measure of a row is the difference of two counts.
//! 3. Else measure the rows one by one.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Range;

use crate::columns::find::is_ascii_transparent;
use crate::columns::rows::Rows;
use crate::columns::sequences::{self, ROWS_BLOCK_BYTES, Sequence, Visitor};
use crate::dispatch::function::Measure;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
use crate::dispatch::pairs::columns::{CountsBefore, counts_before_fn};
use crate::dispatch::pairs::table as pairs;
use crate::encoding::scheme::Scheme;

/// A measurement of rows: what is measured, and how.
#[derive(Clone, Copy)]
pub(crate) struct Measurement {
    from: Scheme,
    measure: Measure,
    /// The function that counts before each bound of a block, if the measure is a sum over the
    /// bytes.
    counts_before: Option<CountsBefore>,
    /// The number of the caller's units in each unit that is measured.
    scale: usize,
    /// True if each byte of ASCII text is one unit.
    ascii_is_one_unit: bool,
}

impl Measurement {
    /// Returns the measurement of the length in the encoding `to`, whose units have `to_unit_bytes`
    /// bytes.
    pub(crate) const fn of_len(from: Scheme, to: Scheme, to_unit_bytes: usize) -> Self {
        Self {
            from,
            measure: pairs::len(from, to),
            counts_before: counts_before_fn(from, to),
            scale: to.unit_size() / to_unit_bytes,
            // In Modified UTF-8, NUL has two units.
            ascii_is_one_unit: !matches!(to, Scheme::Mutf8),
        }
    }

    /// Returns the measurement of the number of code points.
    pub(crate) const fn of_count(from: Scheme) -> Self {
        Self {
            from,
            measure: pairs::count(from),
            counts_before: counts_before_fn(from, Scheme::Utf32Le),
            scale: 1,
            ascii_is_one_unit: true,
        }
    }

    /// Replaces the content of `out` with the measure of each row. The measure of a null row is 0.
    pub(crate) fn measure_rows(&self, kernel: Kernel, rows: &Rows<'_>, out: &mut Vec<usize>) {
        out.clear();
        out.reserve(rows.len());
        let mut visitor = MeasureVisitor { kernel, measurement: *self, out, ends: Vec::new() };
        let Ok(()) = sequences::visit(rows, 0..rows.len(), &mut visitor);
    }

    /// Returns the number of units of a row.
    #[inline]
    fn measure_row(&self, kernel: Kernel, text: &[u8]) -> usize {
        (self.measure)(text, kernel).saturating_mul(self.scale)
    }
}

/// Appends the measures of rows to `out`.
struct MeasureVisitor<'a> {
    kernel: Kernel,
    measurement: Measurement,
    out: &'a mut Vec<usize>,
    /// The ends of the rows of a block in its text, then the counts before these ends.
    ends: Vec<usize>,
}

impl Visitor for MeasureVisitor<'_> {
    type Error = Infallible;

    #[inline(never)]
    fn visit_sequence(
        &mut self,
        sequence: &Sequence<'_>,
        range: Range<usize>,
    ) -> Result<(), Infallible> {
        for block in sequence.rows.blocks(range, ROWS_BLOCK_BYTES) {
            self.measure_block(sequence, block);
        }
        Ok(())
    }

    fn visit_row(&mut self, _: usize, text: &[u8]) -> Result<(), Infallible> {
        self.out.push(self.measurement.measure_row(self.kernel, text));
        Ok(())
    }
}

impl MeasureVisitor<'_> {
    /// Measures a block of rows.
    fn measure_block(&mut self, sequence: &Sequence<'_>, range: Range<usize>) {
        let Measurement { from, counts_before, scale, ascii_is_one_unit, .. } = self.measurement;
        let (kernel, rows) = (self.kernel, &sequence.rows);
        let text = rows.text(range.clone());
        let is_ascii =
            ascii_is_one_unit && is_ascii_transparent(from) && check_ascii(text, kernel).is_ok();
        let counts_before = counts_before.filter(|_| text.len() <= ROWS_BLOCK_BYTES);
        if !is_ascii && counts_before.is_none() {
            let measurement = &self.measurement;
            self.out.extend(range.map(|row| match sequence.is_null(row) {
                true => 0,
                false => measurement.measure_row(kernel, rows.row(row)),
            }));
            return;
        }
        let rows_before = self.out.len();
        rows.write_ends(range.clone(), &mut self.ends);
        if !is_ascii && let Some(counts_before) = counts_before {
            counts_before(text, &mut self.ends, kernel);
        }
        let mut previous = 0;
        self.out.extend(self.ends.iter().map(|&count| {
            let units = (count - previous) * scale;
            previous = count;
            units
        }));
        if sequence.find_null_with_text(range.clone()) < range.end {
            for (units, row) in self.out[rows_before..].iter_mut().zip(range) {
                if sequence.is_null(row) {
                    *units = 0;
                }
            }
        }
    }
}

//! Lengths and counts of rows.

use alloc::vec::Vec;
use core::ops::Range;

use crate::columns::convert::is_plain;
use crate::columns::rows::{Borders, Layout, Rows};
use crate::dispatch::function::Measure;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
use crate::encoding::scheme::Scheme;

/// A measurement of rows.
#[derive(Clone, Copy)]
pub(crate) struct Measurement {
    pub(crate) kernel: Kernel,
    pub(crate) from: Scheme,
    pub(crate) measure: Measure,
    /// Units in which the caller counts, for each unit that is measured.
    pub(crate) scale: usize,
    /// Whether each byte of ASCII is one unit.
    pub(crate) ascii_is_one: bool,
}

/// Bytes of a block that is tested for ASCII.
const BLOCK: usize = 16 * 1024;

impl Measurement {
    /// Measures all rows. A row that is null has no units.
    pub(crate) fn run(&self, rows: &Rows<'_>, out: &mut Vec<usize>) {
        out.clear();
        out.reserve(rows.len());
        match rows.layout {
            Layout::Offsets32(values, ref borders) => self.run_blocks(rows, values, borders, out),
            Layout::Offsets64(values, ref borders) => self.run_blocks(rows, values, borders, out),
            Layout::Fixed(values, ref borders) => self.run_blocks(rows, values, borders, out),
            Layout::Views(..) => self.run_singly(rows, 0..rows.len(), out),
        }
    }

    /// Measures rows that follow each other in `values`.
    #[inline(never)]
    fn run_blocks(
        &self,
        rows: &Rows<'_>,
        values: &[u8],
        borders: &impl Borders,
        out: &mut Vec<usize>,
    ) {
        let (mut first, last) = (0, borders.rows());
        while first < last {
            let start = borders.border(first);
            let end = borders.rows_within(first, start.saturating_add(BLOCK)).max(first + 1);
            let text = &values[start..borders.border(end)];
            let ascii = self.ascii_is_one
                && is_plain(self.from)
                && !(first..end).any(|row| rows.is_null(row))
                && check_ascii(text, self.kernel).is_ok();
            if ascii {
                out.extend((first..end).map(|row| borders.row(row).len() * self.scale));
            } else {
                self.run_singly(rows, first..end, out);
            }
            first = end;
        }
    }

    /// Measures rows one by one.
    fn run_singly(&self, rows: &Rows<'_>, range: Range<usize>, out: &mut Vec<usize>) {
        out.extend(range.map(|row| {
            if rows.is_null(row) {
                return 0;
            }
            (self.measure)(rows.row(row).bytes(), self.kernel).saturating_mul(self.scale)
        }));
    }
}

/// Whether each character of ASCII is one unit of the scheme: NUL has two in Modified UTF-8.
pub(crate) const fn ascii_is_one(scheme: Scheme) -> bool {
    !matches!(scheme, Scheme::Mutf8)
}

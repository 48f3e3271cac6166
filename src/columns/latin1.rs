//! Finds the rows whose characters are all below U+0100.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Range;

use crate::columns::convert;
use crate::columns::find::{Search, is_ascii_transparent};
use crate::columns::rows::Rows;
use crate::columns::sequences::{self, ROWS_BLOCK_BYTES, Sequence, Visitor};
use crate::columns::{bits, errors};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
use crate::dispatch::pairs::columns::count_above_latin1_before;
use crate::encoding::scheme::Scheme;
use crate::owned::ConversionToVec;

/// Replaces the content of `bitmap` with one bit for each row: 1 if the row is well-formed and not
/// null, and all its characters are below U+0100. Returns the number of rows that are not null and
/// have a 0. `to_vec` is the conversion to Latin-1.
pub(crate) fn mark_fitting(
    search: &Search,
    to_vec: &ConversionToVec,
    rows: &Rows<'_>,
    bitmap: &mut Vec<u8>,
) -> usize {
    use Scheme::{Ascii, Cesu8, Latin1, Mutf8, Utf8, Wtf8};
    match search.validation.scheme {
        Latin1 | Ascii => errors::mark_valid_rows(search, rows, bitmap),
        // The lead bytes of a well-formed row tell if its characters are below U+0100.
        scheme @ (Utf8 | Wtf8 | Cesu8 | Mutf8) => {
            let rows_outside_latin1 = errors::mark_valid_rows(search, rows, bitmap);
            let (kernel, ends_or_counts) = (search.kernel, Vec::new());
            let mut visitor =
                Latin1Visitor { scheme, kernel, bitmap, rows_outside_latin1, ends_or_counts };
            let Ok(()) = sequences::visit(rows, 0..rows.len(), &mut visitor);
            visitor.rows_outside_latin1
        }
        _ => convert::mark_convertible(search.kernel, to_vec, rows, bitmap),
    }
}

/// Clears the bits of the rows that have characters above U+00FF.
struct Latin1Visitor<'a> {
    scheme: Scheme,
    kernel: Kernel,
    bitmap: &'a mut [u8],
    /// The number of rows so far that do not fit into Latin-1.
    rows_outside_latin1: usize,
    /// First the end of each row in the block's text. Then each end is replaced with the number of
    /// characters above U+00FF before it.
    ends_or_counts: Vec<usize>,
}

impl Latin1Visitor<'_> {
    /// Clears the bit of a row that has characters above U+00FF. The bit may be zero already, if
    /// the row is null or ill-formed.
    #[inline]
    fn clear(&mut self, row: usize) {
        self.rows_outside_latin1 += usize::from(bits::is_set(self.bitmap, row));
        bits::clear(self.bitmap, row);
    }
}

impl Visitor for Latin1Visitor<'_> {
    type Error = Infallible;

    #[inline(never)]
    fn visit_sequence(
        &mut self,
        sequence: &Sequence<'_>,
        range: Range<usize>,
    ) -> Result<(), Infallible> {
        let rows = &sequence.rows;
        for block in rows.blocks(range, ROWS_BLOCK_BYTES) {
            let text = rows.text(block.clone());
            if text.len() > ROWS_BLOCK_BYTES {
                self.visit_row(sequence.first + block.start, text)?;
            } else if !is_ascii_transparent(self.scheme) || check_ascii(text, self.kernel).is_err()
            {
                let mut ends_or_counts = core::mem::take(&mut self.ends_or_counts);
                rows.write_ends(block.clone(), &mut ends_or_counts);
                count_above_latin1_before(text, &mut ends_or_counts, self.kernel);
                let mut count_before = 0;
                for (row, &count) in block.zip(&ends_or_counts) {
                    if count != count_before {
                        self.clear(sequence.first + row);
                    }
                    count_before = count;
                }
                self.ends_or_counts = ends_or_counts;
            }
        }
        Ok(())
    }

    fn visit_row(&mut self, row: usize, text: &[u8]) -> Result<(), Infallible> {
        if text.chunks(ROWS_BLOCK_BYTES).any(|segment| {
            let mut end_or_count = [segment.len()];
            count_above_latin1_before(segment, &mut end_or_count, self.kernel);
            end_or_count != [0]
        }) {
            self.clear(row);
        }
        Ok(())
    }
}

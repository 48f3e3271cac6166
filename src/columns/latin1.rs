//! The rows whose characters are all below U+0100.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Range;

use crate::columns::convert::{self, is_ascii_transparent};
use crate::columns::find::Search;
use crate::columns::rows::{RowBounds, Rows};
use crate::columns::sequences::{self, ROWS_BLOCK_BYTES, Sequence, Visitor};
use crate::columns::{bits, errors};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
use crate::dispatch::pairs::prefix::above_latin1;
use crate::encoding::scheme::Scheme;
use crate::owned::ConversionToVec;

/// Replaces the content of `bitmap` by a bit for each row: 1 if it is well-formed, not null, and
/// all its characters are below U+0100. Returns the number of rows that are not null and have a 0.
/// `to_vec` is the conversion to Latin-1.
pub(crate) fn fits(
    search: &Search,
    to_vec: &ConversionToVec,
    rows: &Rows<'_>,
    bitmap: &mut Vec<u8>,
) -> usize {
    use Scheme::{Ascii, Cesu8, Latin1, Mutf8, Utf8, Wtf8};
    match search.validation.scheme {
        Latin1 | Ascii => errors::validity(search, rows, bitmap),
        // The lead bytes of a row decide, if it is well-formed.
        scheme @ (Utf8 | Wtf8 | Cesu8 | Mutf8) => {
            let bad = errors::validity(search, rows, bitmap);
            let positions = Vec::new();
            let mut run = Run { scheme, kernel: search.kernel, bitmap, bad, positions };
            let Ok(()) = sequences::visit(rows, 0..rows.len(), &mut run);
            run.bad
        }
        _ => convert::fits(search.kernel, to_vec, rows, bitmap),
    }
}

/// A search for rows with characters above U+00FF.
struct Run<'a> {
    scheme: Scheme,
    kernel: Kernel,
    bitmap: &'a mut [u8],
    /// Rows that do not fit, so far.
    bad: usize,
    positions: Vec<usize>,
}

impl Run<'_> {
    /// Clears the bit of a row that has such characters. It may be null, or ill-formed.
    #[inline]
    fn clear(&mut self, row: usize) {
        self.bad += usize::from(bits::is_set(self.bitmap, row));
        bits::clear(self.bitmap, row);
    }
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
            let text = sequence.text(first..end);
            if text.len() > ROWS_BLOCK_BYTES {
                self.single(sequence.first + first, text)?;
            } else if !is_ascii_transparent(self.scheme) || check_ascii(text, self.kernel).is_err()
            {
                let mut positions = core::mem::take(&mut self.positions);
                sequence.ends_in_text(first..end, &mut positions);
                above_latin1(text, &mut positions, self.kernel);
                let mut before = 0;
                for (row, &count) in (first..end).zip(&positions) {
                    if count != before {
                        self.clear(sequence.first + row);
                    }
                    before = count;
                }
                self.positions = positions;
            }
            first = end;
        }
        Ok(())
    }

    fn single(&mut self, row: usize, text: &[u8]) -> Result<(), Infallible> {
        if text.chunks(ROWS_BLOCK_BYTES).any(|text| {
            let mut count = [text.len()];
            above_latin1(text, &mut count, self.kernel);
            count != [0]
        }) {
            self.clear(row);
        }
        Ok(())
    }
}

//! Iteration over the ill-formed rows with their errors, the first error, and the number of errors.

use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::ops::{ControlFlow, Range};

use crate::columns::bits;
use crate::columns::error::{RowError, RowErrorKind};
use crate::columns::find::{Found, Search};
use crate::columns::rows::{Fixed, Layout, Rows};
use crate::columns::views;
use crate::encoding::scheme::Scheme;

/// Rows that are searched before their errors are returned.
const ERROR_BATCH_ROWS: usize = 1024;

/// The ill-formed rows of a column, in order: see [`Column::errors`](super::Column::errors).
#[derive(Clone, Debug)]
pub struct Errors<'a> {
    search: Search,
    rows: Rows<'a>,
    /// Bytes of a unit in which errors count.
    unit: usize,
    /// The first row that has not been searched.
    next: usize,
    /// The ill-formed rows of the batch before `next` that have not been returned, the first row
    /// of the batch in the lowest bit.
    found: [u64; ERROR_BATCH_ROWS / 64],
    first: usize,
}

impl<'a> Errors<'a> {
    /// Creates the iterator.
    pub(crate) fn new(search: Search, rows: Rows<'a>, unit: usize) -> Self {
        Self { search, rows, unit, next: 0, found: [0; ERROR_BATCH_ROWS / 64], first: 0 }
    }
}

impl Iterator for Errors<'_> {
    type Item = RowError;

    fn next(&mut self) -> Option<RowError> {
        loop {
            for (at, word) in self.found.iter_mut().enumerate() {
                while *word != 0 {
                    let row = self.first + 64 * at + word.trailing_zeros() as usize;
                    *word &= *word - 1;
                    if let Some(error) = error_of(&self.search, &self.rows, row) {
                        return Some(error.in_units(self.unit));
                    }
                }
            }
            if self.next == self.rows.len() {
                return None;
            }
            let first = self.next;
            self.first = first;
            self.next = self.rows.len().min(first.saturating_add(ERROR_BATCH_ROWS));
            let found = &mut self.found;
            let _ = run(&self.search, &self.rows, first..self.next, |row| {
                found[(row - first) / 64] |= 1 << ((row - first) % 64);
                ControlFlow::Continue(())
            });
        }
    }
}

impl FusedIterator for Errors<'_> {}

/// Calls `found` with each ill-formed row of `range` that is not null.
fn run(
    search: &Search,
    rows: &Rows<'_>,
    range: Range<usize>,
    mut found: impl Found,
) -> ControlFlow<()> {
    let mut present = |row| if rows.is_null(row) { ControlFlow::Continue(()) } else { found(row) };
    match rows.layout {
        // Any bytes are Latin-1, and empty rows are well-formed.
        _ if search.validation.scheme == Scheme::Latin1 => ControlFlow::Continue(()),
        Layout::Fixed(_, Fixed { width: 0, .. }) => ControlFlow::Continue(()),
        Layout::Offsets32(values, ref bounds) => {
            search.run_blocks(values, bounds, range, &mut present)
        }
        Layout::Offsets64(values, ref bounds) => {
            search.run_blocks(values, bounds, range, &mut present)
        }
        Layout::Fixed(values, ref bounds) => search.run_blocks(values, bounds, range, &mut present),
        Layout::Views(all, buffers) => views::run(search, all, buffers, range, &mut present),
    }
}

/// Returns the error of a row, if it is ill-formed. Positions count bytes.
fn error_of(search: &Search, rows: &Rows<'_>, row: usize) -> Option<RowError> {
    let text = rows.row(row);
    let error = search.validation.run(search.kernel, text.bytes()).err()?;
    Some(RowError::new(row, RowErrorKind::Text(error)))
}

/// Returns the first ill-formed row as an error. Positions count bytes.
pub(crate) fn check(search: &Search, rows: &Rows<'_>) -> Result<(), RowError> {
    let mut first = None;
    let _ = run(search, rows, 0..rows.len(), |row| {
        first = Some(row);
        ControlFlow::Break(())
    });
    match first.and_then(|row| error_of(search, rows, row)) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Replaces the content of `bitmap` by a bit for each row, 1 where it is well-formed and not null.
/// Returns the number of ill-formed rows.
pub(crate) fn validity(search: &Search, rows: &Rows<'_>, bitmap: &mut Vec<u8>) -> usize {
    match rows.nulls {
        Some(nulls) => nulls.copy_to(rows.len(), bitmap),
        None => bits::fill(rows.len(), bitmap),
    }
    let mut bad = 0;
    let _ = run(search, rows, 0..rows.len(), |row| {
        bits::clear(bitmap, row);
        bad += 1;
        ControlFlow::Continue(())
    });
    bad
}

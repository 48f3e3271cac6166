//! An iterator over the ill-formed rows with their errors, the first error, and the bitmap of the
//! well-formed rows.

use alloc::vec::{self, Vec};
use core::iter::FusedIterator;
use core::ops::{ControlFlow, Range};

use crate::columns::bits;
use crate::columns::error::{RowError, RowErrorKind};
use crate::columns::find::{Found, Search};
use crate::columns::rows::{Layout, Rows};
use crate::columns::views;
use crate::encoding::scheme::Scheme;

/// The number of rows that are searched before their errors are returned.
const ERROR_BATCH_ROWS: usize = 1024;

/// The ill-formed rows of a column, in order: see [`Column::errors`](super::Column::errors).
#[derive(Clone, Debug)]
pub struct Errors<'a> {
    search: Search,
    rows: Rows<'a>,
    /// The size in bytes of one unit. Errors give their positions in units.
    unit_size: usize,
    /// The first row that has not been searched.
    next_row: usize,
    /// The ill-formed rows before `next_row` that have not been returned.
    found: vec::IntoIter<usize>,
}

impl<'a> Errors<'a> {
    /// Creates the iterator.
    pub(crate) fn new(search: Search, rows: Rows<'a>, unit_size: usize) -> Self {
        Self { search, rows, unit_size, next_row: 0, found: Vec::new().into_iter() }
    }
}

impl Iterator for Errors<'_> {
    type Item = RowError;

    fn next(&mut self) -> Option<RowError> {
        loop {
            for row in self.found.by_ref() {
                if let Some(error) = row_error(&self.search, &self.rows, row) {
                    return Some(error.in_units(self.unit_size));
                }
            }
            if self.next_row == self.rows.len() {
                return None;
            }
            let first = self.next_row;
            self.next_row = self.rows.len().min(first + ERROR_BATCH_ROWS);
            let mut found = Vec::new();
            find_ill_formed(&self.search, &self.rows, first..self.next_row, |row| {
                found.push(row);
                ControlFlow::Continue(())
            });
            self.found = found.into_iter();
        }
    }
}

impl FusedIterator for Errors<'_> {}

/// Calls `on_found` with each ill-formed row of `range` that is not null.
fn find_ill_formed(
    search: &Search,
    rows: &Rows<'_>,
    range: Range<usize>,
    mut on_found: impl Found,
) {
    // All bytes are well-formed Latin-1.
    if search.validation.scheme == Scheme::Latin1 {
        return;
    }
    let mut found = |row| if rows.is_null(row) { ControlFlow::Continue(()) } else { on_found(row) };
    let _ = match rows.layout {
        Layout::Adjacent(ref rows) => search.search_blocks(rows, range, &mut found),
        Layout::Views(all_views, buffers) => {
            views::find_ill_formed(search, all_views, buffers, range, &mut found)
        }
    };
}

/// Returns the error of row `row`, or `None` if the row is well-formed. Positions are in bytes.
fn row_error(search: &Search, rows: &Rows<'_>, row: usize) -> Option<RowError> {
    let text = rows.row(row);
    let error = search.validation.run(search.kernel, &text).err()?;
    Some(RowError { row, kind: RowErrorKind::Text(error) })
}

/// Returns the first ill-formed row as an error. Positions are in bytes.
pub(crate) fn check(search: &Search, rows: &Rows<'_>) -> Result<(), RowError> {
    let mut first = None;
    find_ill_formed(search, rows, 0..rows.len(), |row| {
        first = Some(row);
        ControlFlow::Break(())
    });
    first.and_then(|row| row_error(search, rows, row)).map_or(Ok(()), Err)
}

/// Replaces the content of `bitmap` with one bit for each row: 1 if the row is well-formed and not
/// null. Returns the number of ill-formed rows.
pub(crate) fn mark_valid_rows(search: &Search, rows: &Rows<'_>, bitmap: &mut Vec<u8>) -> usize {
    match rows.validity {
        Some(validity) => validity.copy_to(rows.len(), bitmap),
        None => bits::fill_with_ones(rows.len(), bitmap),
    }
    let mut ill_formed_rows = 0;
    find_ill_formed(search, rows, 0..rows.len(), |row| {
        bits::clear(bitmap, row);
        ill_formed_rows += 1;
        ControlFlow::Continue(())
    });
    ill_formed_rows
}

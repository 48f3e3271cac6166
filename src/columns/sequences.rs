//! The rows of a column as sequences: rows that follow each other in one text.
//!
//! Rows between offsets, and rows of one width, are one text already. Short rows that views name
//! are copied into one: a copy of a few bytes costs less than a call for each row.

use alloc::vec;
use alloc::vec::Vec;
use core::hint::{black_box, select_unpredictable};
use core::ops::Range;

use crate::columns::bits::Bits;
use crate::columns::offset::{Offset, any_continuation};
use crate::columns::rows::{Layout, RowBounds, Rows, lens};
use crate::dispatch::kernel::Kernel;
use crate::types::views::{INLINE_MAX_BYTES, view_parts};

/// Bytes of a block of rows that are converted or measured at once.
pub(crate) const ROWS_BLOCK_BYTES: usize = crate::types::position::COUNTED_MAX_BYTES;

/// The most rows of such a block: the bounds of short rows are as large as their texts.
pub(crate) const BLOCK_ROWS: usize = 2048;

/// The longest row that is copied.
const COPIED_ROW_MAX_BYTES: usize = 128;

/// The most rows that are copied together.
const COPIED_ROWS_MAX: usize = 1024;

/// Rows of a column that follow each other in one text.
pub(crate) struct Sequence<'a, B> {
    pub(crate) values: &'a [u8],
    pub(crate) bounds: &'a B,
    /// The number of the first row in the column.
    pub(crate) first: usize,
    /// The nulls among the rows. Without them, a row that is null is empty.
    nulls: Option<Bits<'a>>,
}

impl<B: RowBounds> Sequence<'_, B> {
    /// Returns true if a row is null.
    #[inline]
    pub(crate) fn is_null(&self, row: usize) -> bool {
        self.nulls.is_some_and(|nulls| !nulls.get(row))
    }

    /// Returns the bytes of a row.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[u8] {
        &self.values[self.bounds.row(row)]
    }

    /// Returns the bytes of these rows.
    #[inline]
    pub(crate) fn text(&self, range: Range<usize>) -> &[u8] {
        &self.values[self.bounds.bound(range.start)..self.bounds.bound(range.end)]
    }

    /// Replaces the content of `ends` by the ends of these rows in their [`text`](Self::text).
    #[inline]
    pub(crate) fn ends_in_text(&self, range: Range<usize>, ends: &mut Vec<usize>) {
        let start = self.bounds.bound(range.start);
        ends.clear();
        ends.extend((range.start + 1..=range.end).map(|row| self.bounds.bound(row) - start));
    }

    /// Returns the end of a block that begins with the first row of `range`: rows of up to `bytes`
    /// bytes, or one row.
    pub(crate) fn block_end(&self, range: Range<usize>, bytes: usize) -> usize {
        let limit = self.bounds.bound(range.start).saturating_add(bytes);
        let within = self.bounds.rows_within(range.start, limit).max(range.start + 1);
        within.min(range.end).min(range.start + BLOCK_ROWS)
    }

    /// Returns the first row of `range` that is null and not empty, or the end.
    pub(crate) fn until_null_with_text(&self, mut range: Range<usize>) -> usize {
        let end = range.end;
        if self.nulls.is_none() {
            return end;
        }
        range.find(|&row| self.is_null(row) && !self.bounds.row(row).is_empty()).unwrap_or(end)
    }
}

/// Receives the rows of a column, in order.
pub(crate) trait Visitor {
    /// The error that ends the iteration.
    type Error;

    /// Receives the rows of `range` of a sequence.
    fn sequence<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
    ) -> Result<(), Self::Error>;

    /// Receives a row that is not null.
    fn single(&mut self, row: usize, text: &[u8]) -> Result<(), Self::Error>;
}

/// Calls `visitor` with the rows of `range`.
pub(crate) fn visit<V: Visitor>(
    rows: &Rows<'_>,
    range: Range<usize>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let nulls = rows.nulls;
    match rows.layout {
        Layout::Offsets32(values, ref bounds) => {
            visitor.sequence(&Sequence { values, bounds, first: 0, nulls }, range)
        }
        Layout::Offsets64(values, ref bounds) => {
            visitor.sequence(&Sequence { values, bounds, first: 0, nulls }, range)
        }
        Layout::Fixed(values, ref bounds) => {
            visitor.sequence(&Sequence { values, bounds, first: 0, nulls }, range)
        }
        Layout::Views(views, buffers) => visit_views(rows, views, buffers, range, visitor),
    }
}

/// The bounds between rows that have been copied.
struct Copied<'a>(&'a [i32]);

impl RowBounds for Copied<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.0.len() - 1
    }

    #[inline(always)]
    fn bound(&self, at: usize) -> usize {
        self.0[at].to_size()
    }

    fn any_continuation(&self, text: &[u8], range: Range<usize>, kernel: Kernel) -> bool {
        any_continuation(text, &self.0[range], kernel)
    }
}

/// [`visit`] for views.
#[inline(never)]
fn visit_views<V: Visitor>(
    rows: &Rows<'_>,
    views: &[u128],
    buffers: &[&[u8]],
    range: Range<usize>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let mut text = vec![0; ROWS_BLOCK_BYTES];
    let mut bounds = vec![0_i32; COPIED_ROWS_MAX + 1];
    let mut first = range.start;
    while first < range.end {
        let last = range.end.min(first + COPIED_ROWS_MAX);
        let copy = copy_of(lens(&views[first..last]).1);
        while first < last {
            let copied = copy(
                &views[first..last],
                buffers,
                Nulls { bits: rows.nulls, first },
                &mut text,
                &mut bounds,
            );
            if copied > 0 {
                let bounds = Copied(&bounds[..=copied]);
                let values = &text[..bounds.bound(copied)];
                let sequence = Sequence { values, bounds: &bounds, first, nulls: None };
                visitor.sequence(&sequence, 0..copied)?;
                first += copied;
            } else {
                visitor.single(first, rows.row(first).bytes())?;
                first += 1;
            }
        }
    }
    Ok(())
}

/// The nulls of the rows from row `first` on.
#[derive(Clone, Copy)]
struct Nulls<'a> {
    bits: Option<Bits<'a>>,
    first: usize,
}

/// Copies the texts of views and writes the bounds after the first, which is zero. Returns the
/// number of rows before one that is too long.
type CopyViews = fn(&[u128], &[&[u8]], Nulls<'_>, &mut [u8], &mut [i32]) -> usize;

/// Returns the function for texts of up to `most` bytes.
fn copy_of(most: usize) -> CopyViews {
    match most {
        ..=INLINE_MAX_BYTES => copy::<INLINE_MAX_BYTES>,
        13..=32 => copy::<32>,
        33..=96 => copy::<96>,
        _ => copy::<0>,
    }
}

/// Returns a [`CopyViews`] for texts of up to `MOST` bytes, or of any length if it is 0.
#[inline(never)]
fn copy<const MOST: usize>(
    views: &[u128],
    buffers: &[&[u8]],
    nulls: Nulls<'_>,
    text: &mut [u8],
    bounds: &mut [i32],
) -> usize {
    // If LLVM knew that this is 0, it would branch on the length.
    let none = black_box(0);
    let mut at = 0;
    for (number, (&view, bound)) in views.iter().zip(&mut bounds[1..]).enumerate() {
        let (len, buffer, offset) = view_parts(view);
        let is_long = len > INLINE_MAX_BYTES;
        let buffer_if_long = select_unpredictable(is_long, buffer, none);
        let offset_if_long = select_unpredictable(is_long, offset, none);
        if nulls.bits.is_some_and(|bits| !bits.get(nulls.first + number)) {
            // The row becomes empty.
        } else if MOST > INLINE_MAX_BYTES
            && let Some(bytes) = buffers
                .get(buffer_if_long)
                .and_then(|bytes| bytes.get(offset_if_long..)?.first_chunk::<MOST>())
        {
            // A fixed number of bytes, because short and long texts may alternate in any way. The
            // bytes after a text are overwritten by the next one, or are after the last one.
            let text = &mut text[at..at + MOST];
            text.copy_from_slice(bytes);
            let mut start = [0; 16];
            start.copy_from_slice(&bytes[..16]);
            let start = u128::from_le_bytes(start);
            let start = select_unpredictable(is_long, start, view >> (8 * (16 - INLINE_MAX_BYTES)));
            text[..16].copy_from_slice(&start.to_le_bytes());
            at += len;
        } else if len <= INLINE_MAX_BYTES {
            text[at..at + INLINE_MAX_BYTES]
                .copy_from_slice(&view.to_le_bytes()[16 - INLINE_MAX_BYTES..]);
            at += len;
        } else if len <= COPIED_ROW_MAX_BYTES {
            text[at..at + len].copy_from_slice(&buffers[buffer][offset..offset + len]);
            at += len;
        } else {
            return number;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "a place in a block"
        )]
        {
            *bound = at as i32;
        }
        if at + COPIED_ROW_MAX_BYTES > ROWS_BLOCK_BYTES {
            return number + 1;
        }
    }
    views.len()
}

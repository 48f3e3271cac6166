//! Visits the rows of a column as sequences: rows that follow each other in one text.
//!
//! In columns with offsets or with a fixed width, the rows already follow each other in one text.
//! Short rows of view columns are copied into one text, because a copy of a few bytes costs less
//! than a call for each row.

use alloc::vec;
use alloc::vec::Vec;
use core::hint::{black_box, select_unpredictable};
use core::ops::Range;

use crate::columns::bits::Bits;
use crate::columns::offset::{Offset, any_continuation};
use crate::columns::rows::{Layout, RowBounds, Rows, min_and_max_len};
use crate::dispatch::kernel::Kernel;
use crate::types::views::{INLINE_MAX_BYTES, view_parts};

/// The maximum number of bytes of a block of rows that is converted or measured with one call.
pub(crate) const ROWS_BLOCK_BYTES: usize = crate::types::position::COUNTED_MAX_BYTES;

/// The maximum number of rows of such a block. It limits the memory for the bounds: if the rows are
/// short, the bounds need as much memory as the text.
pub(crate) const BLOCK_ROWS: usize = 2048;

/// The length in bytes of the longest row that is copied.
const COPIED_ROW_MAX_BYTES: usize = 128;

/// The maximum number of rows that are copied together.
const COPIED_ROWS_MAX: usize = 1024;

/// Rows of a column that follow each other in one text.
pub(crate) struct Sequence<'a, B> {
    pub(crate) values: &'a [u8],
    pub(crate) bounds: &'a B,
    /// The index in the column of the first row.
    pub(crate) first: usize,
    /// The validity bitmap of the column. If it is `None`, null rows are empty.
    validity: Option<Bits<'a>>,
}

impl<B: RowBounds> Sequence<'_, B> {
    /// Returns true if a row is null.
    #[inline]
    pub(crate) fn is_null(&self, row: usize) -> bool {
        self.validity.is_some_and(|bits| !bits.get(row))
    }

    /// Returns the bytes of a row.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[u8] {
        &self.values[self.bounds.row(row)]
    }

    /// Returns the text of the rows of `range`.
    #[inline]
    pub(crate) fn text(&self, range: Range<usize>) -> &[u8] {
        &self.values[self.bounds.bound(range.start)..self.bounds.bound(range.end)]
    }

    /// Replaces the content of `ends` with the ends of the rows of `range`, as byte offsets in
    /// their [`text`](Self::text).
    #[inline]
    pub(crate) fn write_ends(&self, range: Range<usize>, ends: &mut Vec<usize>) {
        let start = self.bounds.bound(range.start);
        ends.clear();
        ends.extend((range.start + 1..=range.end).map(|row| self.bounds.bound(row) - start));
    }

    /// Returns the row at which a block ends that begins with the first row of `range`. The block
    /// has one row, or several rows of at most `bytes` bytes together.
    pub(crate) fn block_end(&self, range: Range<usize>, bytes: usize) -> usize {
        let limit = self.bounds.bound(range.start).saturating_add(bytes);
        let within = self.bounds.rows_within(range.start, limit).max(range.start + 1);
        within.min(range.end).min(range.start + BLOCK_ROWS)
    }

    /// Returns the first row of `range` that is null and not empty, or the end of `range`.
    pub(crate) fn find_null_with_text(&self, mut range: Range<usize>) -> usize {
        let end = range.end;
        if self.validity.is_none() {
            return end;
        }
        range.find(|&row| self.is_null(row) && !self.bounds.row(row).is_empty()).unwrap_or(end)
    }
}

/// A visitor that receives the rows of a column, in order.
pub(crate) trait Visitor {
    /// The error that ends the iteration.
    type Error;

    /// Receives the rows of `range` of a sequence.
    fn visit_sequence<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
    ) -> Result<(), Self::Error>;

    /// Receives a single row that is not null.
    fn visit_row(&mut self, row: usize, text: &[u8]) -> Result<(), Self::Error>;
}

/// Calls `visitor` with the rows of `range`.
pub(crate) fn visit<V: Visitor>(
    rows: &Rows<'_>,
    range: Range<usize>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let validity = rows.validity;
    match rows.layout {
        Layout::Offsets32(values, ref bounds) => {
            visitor.visit_sequence(&Sequence { values, bounds, first: 0, validity }, range)
        }
        Layout::Offsets64(values, ref bounds) => {
            visitor.visit_sequence(&Sequence { values, bounds, first: 0, validity }, range)
        }
        Layout::Fixed(values, ref bounds) => {
            visitor.visit_sequence(&Sequence { values, bounds, first: 0, validity }, range)
        }
        Layout::Views(views, buffers) => visit_views(rows, views, buffers, range, visitor),
    }
}

/// The bounds between rows that have been copied into one text.
struct Copied<'a>(&'a [i32]);

impl RowBounds for Copied<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.0.len() - 1
    }

    #[inline(always)]
    fn bound(&self, index: usize) -> usize {
        self.0[index].to_size()
    }

    fn any_continuation(&self, text: &[u8], range: Range<usize>, kernel: Kernel) -> bool {
        any_continuation(text, &self.0[range], kernel)
    }
}

/// Like [`visit`], for views.
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
        let end = range.end.min(first + COPIED_ROWS_MAX);
        let (_, max_len) = min_and_max_len(&views[first..end]);
        let copy = copy_function(max_len);
        while first < end {
            let copied = copy(
                &views[first..end],
                buffers,
                Nulls { bits: rows.validity, first },
                &mut text,
                &mut bounds,
            );
            if copied > 0 {
                let bounds = Copied(&bounds[..=copied]);
                let values = &text[..bounds.bound(copied)];
                let sequence = Sequence { values, bounds: &bounds, first, validity: None };
                visitor.visit_sequence(&sequence, 0..copied)?;
                first += copied;
            } else {
                visitor.visit_row(first, rows.row(first).bytes())?;
                first += 1;
            }
        }
    }
    Ok(())
}

/// The validity bitmap of the column, for rows from row `first` on.
#[derive(Clone, Copy)]
struct Nulls<'a> {
    bits: Option<Bits<'a>>,
    first: usize,
}

/// A function that copies the texts of views, and writes the ends of the rows to the bounds after
/// the first bound, which is zero. Returns the number of copied rows. It stops before a row that is
/// too long, or when the text is full.
type CopyViews = fn(&[u128], &[&[u8]], Nulls<'_>, &mut [u8], &mut [i32]) -> usize;

/// Returns the function for texts of up to `max_len` bytes.
fn copy_function(max_len: usize) -> CopyViews {
    match max_len {
        ..=INLINE_MAX_BYTES => copy::<INLINE_MAX_BYTES>,
        13..=32 => copy::<32>,
        33..=96 => copy::<96>,
        _ => copy::<0>,
    }
}

/// Implements [`CopyViews`] for texts of up to `MAX_LEN` bytes, or of any length if `MAX_LEN` is 0.
#[inline(never)]
fn copy<const MAX_LEN: usize>(
    views: &[u128],
    buffers: &[&[u8]],
    nulls: Nulls<'_>,
    text: &mut [u8],
    bounds: &mut [i32],
) -> usize {
    // If LLVM knew that the value is 0, it would branch on the length.
    let zero = black_box(0);
    let mut written = 0;
    for (index, (&view, bound)) in views.iter().zip(&mut bounds[1..]).enumerate() {
        let (len, buffer, offset) = view_parts(view);
        let is_long = len > INLINE_MAX_BYTES;
        let buffer_if_long = select_unpredictable(is_long, buffer, zero);
        let offset_if_long = select_unpredictable(is_long, offset, zero);
        if nulls.bits.is_some_and(|bits| !bits.get(nulls.first + index)) {
            // A null row becomes empty.
        } else if MAX_LEN > INLINE_MAX_BYTES
            && let Some(bytes) = buffers
                .get(buffer_if_long)
                .and_then(|bytes| bytes.get(offset_if_long..)?.first_chunk::<MAX_LEN>())
        {
            // Copies a fixed number of bytes: short and long texts may alternate in any order, so a
            // branch on the length would be mispredicted. The next text overwrites the bytes after
            // this text, and the bytes after the last text are ignored.
            let text = &mut text[written..written + MAX_LEN];
            text.copy_from_slice(bytes);
            let mut start = [0; 16];
            start.copy_from_slice(&bytes[..16]);
            let start = u128::from_le_bytes(start);
            let start = select_unpredictable(is_long, start, view >> (8 * (16 - INLINE_MAX_BYTES)));
            text[..16].copy_from_slice(&start.to_le_bytes());
            written += len;
        } else if len <= INLINE_MAX_BYTES {
            text[written..written + INLINE_MAX_BYTES]
                .copy_from_slice(&view.to_le_bytes()[16 - INLINE_MAX_BYTES..]);
            written += len;
        } else if len <= COPIED_ROW_MAX_BYTES {
            text[written..written + len].copy_from_slice(&buffers[buffer][offset..offset + len]);
            written += len;
        } else {
            return index;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "an offset in a block is less than 2^31"
        )]
        {
            *bound = written as i32;
        }
        if written + COPIED_ROW_MAX_BYTES > ROWS_BLOCK_BYTES {
            return index + 1;
        }
    }
    views.len()
}

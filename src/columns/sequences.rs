//! Visits the rows of a column as sequences: rows that follow each other in one text.
//!
//! In columns with offsets or with a fixed width, the rows already follow each other in one text.
//! Short rows of view columns are copied into one text, because a copy of a few bytes costs less
//! than a call for each row.

use alloc::vec;
use core::hint::{black_box, select_unpredictable};
use core::ops::Range;

use crate::columns::bits::Bits;
use crate::columns::offset::sealed::Bounds;
use crate::columns::rows::{AdjacentRows, Layout, Rows};
use crate::types::views::{INLINE_MAX_BYTES, view_parts};

/// The maximum number of bytes of a block of rows that is converted or measured with one call.
pub(crate) const ROWS_BLOCK_BYTES: usize = crate::types::position::COUNTED_MAX_BYTES;

/// The length in bytes of the longest row that is copied.
const COPIED_ROW_MAX_BYTES: usize = 128;

/// The maximum number of rows that are copied together.
const COPIED_ROWS_MAX: usize = 1024;

/// Rows of a column that follow each other in one text.
pub(crate) struct Sequence<'a> {
    pub(crate) rows: AdjacentRows<'a>,
    /// The index in the column of the first row.
    pub(crate) first: usize,
    /// The validity bitmap of these rows. If it is `None`, null rows are empty.
    validity: Option<Bits<'a>>,
}

impl Sequence<'_> {
    /// Returns true if a row is null.
    #[inline]
    pub(crate) fn is_null(&self, row: usize) -> bool {
        self.validity.is_some_and(|bits| !bits.get(row))
    }

    /// Returns the first row of `range` that is null and not empty, or the end of `range`.
    pub(crate) fn find_null_with_text(&self, mut range: Range<usize>) -> usize {
        let end = range.end;
        if self.validity.is_none() {
            return end;
        }
        range.find(|&row| self.is_null(row) && !self.rows.row(row).is_empty()).unwrap_or(end)
    }
}

/// A visitor that receives the rows of a column, in order.
pub(crate) trait Visitor {
    /// The error that ends the iteration.
    type Error;

    /// Receives the rows of `range` of a sequence.
    fn visit_sequence(
        &mut self,
        sequence: &Sequence<'_>,
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
    match rows.layout {
        Layout::Adjacent(adjacent) => {
            let sequence = Sequence { rows: adjacent, first: 0, validity: rows.validity };
            visitor.visit_sequence(&sequence, range)
        }
        Layout::Views(views, buffers) => visit_views(rows, views, buffers, range, visitor),
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
        let max_len = views[first..end].iter().fold(0, |max, &view| max.max(view_parts(view).0));
        let copy = copy_function(max_len);
        while first < end {
            let nulls = rows.validity.map(|bits| bits.skip(first));
            let copied = copy(&views[first..end], buffers, nulls, &mut text, &mut bounds);
            if copied > 0 {
                let bounds = Bounds::Offsets32(&bounds[..=copied], 0);
                let rows = AdjacentRows { values: &text, bounds };
                let sequence = Sequence { rows, first, validity: None };
                visitor.visit_sequence(&sequence, 0..copied)?;
                first += copied;
            } else {
                visitor.visit_row(first, &rows.row(first))?;
                first += 1;
            }
        }
    }
    Ok(())
}

/// A function that copies the texts of views, and writes the ends of the rows to the bounds after
/// the first bound, which is zero. Returns the number of copied rows. It stops before a row that is
/// too long, or when the text is full.
type CopyViews = fn(&[u128], &[&[u8]], Option<Bits<'_>>, &mut [u8], &mut [i32]) -> usize;

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
    nulls: Option<Bits<'_>>,
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
        if nulls.is_some_and(|bits| !bits.get(index)) {
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

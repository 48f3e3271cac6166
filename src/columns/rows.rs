//! The layouts of the rows of a column: offsets, a width, or views.

use core::hint::{black_box, select_unpredictable};
use core::ops::Range;

use crate::columns::bits::Bits;
use crate::columns::error::{RowError, RowErrorKind};
use crate::columns::offset::sealed::{OffsetList, Sealed};
use crate::columns::offset::{self, Offset};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::views::are_within;
use crate::types::views::{INLINE_MAX_BYTES, view_parts};

/// The rows of a column. All offsets are in bytes, and each row lies inside the values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    pub(crate) layout: Layout<'a>,
    /// One bit for each row: 0 if the row is null. `None` if the column has no nulls.
    pub(crate) validity: Option<Bits<'a>>,
}

/// The layout of the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout<'a> {
    /// Values and 32-bit offsets: each row extends from one offset to the next.
    Offsets32(&'a [u8], Scaled<'a, i32>),
    /// Values and 64-bit offsets: each row extends from one offset to the next.
    Offsets64(&'a [u8], Scaled<'a, i64>),
    /// Values of rows that all have the same number of bytes.
    Fixed(&'a [u8], Fixed),
    /// Arrow's views, and the buffers that they refer to.
    Views(&'a [u128], &'a [&'a [u8]]),
}

/// The bounds between rows that follow each other in one text.
pub(crate) trait RowBounds {
    /// Returns the number of rows.
    fn rows(&self) -> usize;

    /// Returns the byte offset at which row `index` begins and the row before it ends. There is one
    /// more bound than rows.
    fn bound(&self, index: usize) -> usize;

    /// Returns true if the byte of `text` at one of the bounds of `range` is a continuation byte.
    fn any_continuation(&self, text: &[u8], range: Range<usize>, kernel: Kernel) -> bool;

    /// Returns the range of the bytes of a row.
    #[inline(always)]
    fn row(&self, row: usize) -> Range<usize> {
        self.bound(row)..self.bound(row + 1)
    }

    /// Returns the first row from `first` on that ends after `limit`, or the number of rows if all
    /// rows end by `limit`. Reads few bounds after the result.
    fn rows_within(&self, first: usize, limit: usize) -> usize {
        let (mut low, mut step) = (first, 64);
        let mut high = loop {
            let next = low.saturating_add(step).min(self.rows());
            if self.bound(next) > limit {
                break next;
            }
            low = next;
            if next == self.rows() {
                return next;
            }
            step *= 2;
        };
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.bound(middle) > limit { high = middle } else { low = middle }
        }
        low
    }
}

/// Offsets that count units. A unit has `1 << unit_log2` bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled<'a, O> {
    pub(crate) offsets: &'a [O],
    pub(crate) unit_log2: u32,
}

#[cfg(feature = "rayon")]
impl<O: Offset> Scaled<'_, O> {
    /// Returns the bounds of the rows of `range`.
    fn part(self, range: Range<usize>) -> Self {
        Self { offsets: &self.offsets[range.start..=range.end], ..self }
    }
}

impl<O: Offset> RowBounds for Scaled<'_, O> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    #[inline(always)]
    fn bound(&self, index: usize) -> usize {
        self.offsets[index].to_size() << self.unit_log2
    }

    fn any_continuation(&self, text: &[u8], range: Range<usize>, kernel: Kernel) -> bool {
        debug_assert_eq!(self.unit_log2, 0, "only byte encodings have continuation bytes");
        offset::any_continuation(text, &self.offsets[range], kernel)
    }
}

/// Rows of a fixed width, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    pub(crate) width: usize,
    pub(crate) rows: usize,
}

impl RowBounds for Fixed {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn bound(&self, index: usize) -> usize {
        index * self.width
    }

    fn any_continuation(&self, text: &[u8], mut range: Range<usize>, kernel: Kernel) -> bool {
        let mut offsets = [0; BATCH_ROWS];
        while let Some(text) = text.get(self.bound(range.start)..)
            && !range.is_empty()
        {
            let offsets = &mut offsets[..range.len().min(BATCH_ROWS)];
            for (row, offset) in offsets.iter_mut().enumerate() {
                // An offset that does not fit the type is larger than the length of any text.
                *offset = i32::try_from(row * self.width).unwrap_or(i32::MAX);
            }
            // The text is cut after the byte at the last bound. Otherwise it could have few bounds
            // for its length.
            let end = (offsets.len() - 1) * self.width + 1;
            let text = &text[..text.len().min(end)];
            if i32::any_continuation(text, offsets, kernel) {
                return true;
            }
            range.start += offsets.len();
        }
        false
    }
}

/// The maximum number of rows of width 0. No memory limits their number, and a result has up to
/// eight bytes for each row.
const MAX_ROWS_WITHOUT_WIDTH: usize = 1 << 24;

/// The number of rows that are tested together.
const BATCH_ROWS: usize = 512;

/// Returns the smallest and the largest length of these rows, in bytes.
#[inline]
pub(crate) fn min_and_max_len(views: &[u128]) -> (usize, usize) {
    views.iter().fold((usize::MAX, 0), |(min, max), &view| {
        let (len, ..) = view_parts(view);
        (min.min(len), max.max(len))
    })
}

/// Returns the index of the first view whose text lies outside the buffers.
fn find_outside(views: &[u128], buffers: &[&[u8]]) -> Option<usize> {
    // `none` is 0. If LLVM knew the value, it would branch on the length.
    let none = black_box(0);
    let is_outside = |&view: &u128| {
        let (len, buffer, offset) = view_parts(view);
        // Short and long texts may alternate in any order, so a branch on the length would be
        // mispredicted. A short text is treated as an empty text in the first buffer.
        let long = |part: usize| select_unpredictable(len > INLINE_MAX_BYTES, part, none);
        let end = long(len) as u64 + long(offset) as u64;
        end > buffers.get(long(buffer)).map_or(0, |buffer| buffer.len() as u64)
    };
    // In most columns no view is outside, so the loop has no early exit.
    if !views.iter().fold(false, |any, view| any | is_outside(view)) {
        return None;
    }
    views.iter().position(is_outside)
}

/// The bytes of a row.
pub(crate) enum Row<'a> {
    /// A row that is borrowed from the values.
    Borrowed(&'a [u8]),
    /// A short row that its view holds: the bytes, and the length of the row.
    Inline([u8; INLINE_MAX_BYTES], usize),
}

impl Row<'_> {
    /// Returns the bytes.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Row::Borrowed(bytes) => bytes,
            Row::Inline(bytes, len) => &bytes[..*len],
        }
    }
}

impl<'a> Rows<'a> {
    /// Creates rows between offsets, which count units of `1 << unit_log2` bytes.
    pub(crate) fn from_offsets<O: Offset>(
        values: &'a [u8],
        unit_log2: u32,
        offsets: &'a [O],
    ) -> Result<Self, RowError> {
        let decreasing = offset::check_order(offsets).err();
        let units = values.len() >> unit_log2;
        // The offsets are sorted up to the first row whose offsets decrease, so in this part the
        // rows outside the values are the last rows.
        let sorted = decreasing.map_or(offsets, |row| &offsets[..=row]);
        if let [_, .., last] = sorted
            && !is_within(*last, units)
        {
            let inside = sorted.partition_point(|&offset| is_within(offset, units));
            let row = inside.saturating_sub(1);
            return Err(RowError { row, kind: RowErrorKind::OutsideValues });
        }
        if let Some(row) = decreasing {
            let is_negative = row == 0 && offsets[0] < O::default();
            let kind =
                if is_negative { RowErrorKind::OutsideValues } else { RowErrorKind::OffsetFalls };
            return Err(RowError { row, kind });
        }
        let layout = match offset::list(offsets) {
            OffsetList::I32(offsets) => Layout::Offsets32(values, Scaled { offsets, unit_log2 }),
            OffsetList::I64(offsets) => Layout::Offsets64(values, Scaled { offsets, unit_log2 }),
        };
        Ok(Self { layout, validity: None })
    }

    /// Creates rows of `width` bytes.
    pub(crate) fn from_width(
        values: &'a [u8],
        width: usize,
        rows: usize,
    ) -> Result<Self, RowError> {
        let (most, kind) = match values.len().checked_div(width) {
            Some(inside) => (inside, RowErrorKind::OutsideValues),
            None => (MAX_ROWS_WITHOUT_WIDTH, RowErrorKind::TooManyRows),
        };
        if rows > most {
            return Err(RowError { row: most, kind });
        }
        Ok(Self { layout: Layout::Fixed(values, Fixed { width, rows }), validity: None })
    }

    /// Creates rows from views.
    pub(crate) fn of_views(views: &'a [u128], buffers: &'a [&'a [u8]]) -> Result<Self, RowError> {
        Self::of_views_on(Kernel::active(), views, buffers)
    }

    /// Like [`of_views`](Self::of_views), on a kernel.
    fn of_views_on(
        kernel: Kernel,
        views: &'a [u128],
        buffers: &'a [&'a [u8]],
    ) -> Result<Self, RowError> {
        // Usually, all long texts of a batch are in one buffer, and one test covers the batch.
        let mut buffer = 0;
        for (batch, views) in views.chunks(BATCH_ROWS).enumerate() {
            let limit = buffers.get(buffer).map_or(0, |buffer| buffer.len());
            let limit = u32::try_from(limit).unwrap_or(u32::MAX);
            if are_within(views, (buffer as u32, limit), kernel) {
                continue;
            }
            if let Some(row) = find_outside(views, buffers) {
                let row = batch * BATCH_ROWS + row;
                return Err(RowError { row, kind: RowErrorKind::OutsideValues });
            }
            let last = views
                .iter()
                .map(|&view| view_parts(view))
                .rfind(|&(len, ..)| len > INLINE_MAX_BYTES);
            buffer = last.map_or(buffer, |(_, buffer, _)| buffer);
        }
        Ok(Self { layout: Layout::Views(views, buffers), validity: None })
    }

    /// Returns the same rows with nulls: a row is null if its bit in the bitmap is 0.
    pub(crate) fn with_nulls(self, bytes: &'a [u8], offset: usize) -> Result<Self, RowError> {
        let nulls = Bits::new(bytes, offset);
        if nulls.len() < self.len() {
            return Err(RowError { row: nulls.len(), kind: RowErrorKind::NoNullBit });
        }
        Ok(Self { validity: Some(nulls), ..self })
    }

    /// Returns the rows of `range` as a column of their own. `range` is not empty.
    #[cfg(feature = "rayon")]
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let layout = match self.layout {
            Layout::Offsets32(values, bounds) => {
                Layout::Offsets32(values, bounds.part(range.clone()))
            }
            Layout::Offsets64(values, bounds) => {
                Layout::Offsets64(values, bounds.part(range.clone()))
            }
            Layout::Fixed(values, Fixed { width, .. }) => {
                let values = &values[range.start * width..range.end * width];
                Layout::Fixed(values, Fixed { width, rows: range.len() })
            }
            Layout::Views(views, buffers) => Layout::Views(&views[range.clone()], buffers),
        };
        Self { layout, validity: self.validity.map(|bits| bits.skip(range.start)) }
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        match self.layout {
            Layout::Offsets32(_, ref bounds) => bounds.rows(),
            Layout::Offsets64(_, ref bounds) => bounds.rows(),
            Layout::Fixed(_, fixed) => fixed.rows,
            Layout::Views(views, _) => views.len(),
        }
    }

    /// Returns the number of bytes of all rows.
    pub(crate) fn byte_len(&self) -> usize {
        match self.layout {
            Layout::Offsets32(_, ref bounds) => byte_len_between(bounds),
            Layout::Offsets64(_, ref bounds) => byte_len_between(bounds),
            Layout::Fixed(_, ref bounds) => byte_len_between(bounds),
            Layout::Views(views, _) => {
                views.iter().fold(0, |sum: usize, &view| sum.saturating_add(view_parts(view).0))
            }
        }
    }

    /// Returns true if a row is null.
    #[inline]
    pub(crate) fn is_null(&self, row: usize) -> bool {
        self.validity.is_some_and(|bits| !bits.get(row))
    }

    /// Returns the bytes of a row, even if the row is null.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> Row<'a> {
        match self.layout {
            Layout::Offsets32(values, ref bounds) => Row::Borrowed(&values[bounds.row(row)]),
            Layout::Offsets64(values, ref bounds) => Row::Borrowed(&values[bounds.row(row)]),
            Layout::Fixed(values, ref bounds) => Row::Borrowed(&values[bounds.row(row)]),
            Layout::Views(views, buffers) => {
                let view = views[row];
                let (len, buffer, offset) = view_parts(view);
                if len > INLINE_MAX_BYTES {
                    return Row::Borrowed(&buffers[buffer][offset..offset + len]);
                }
                let bytes = view.to_le_bytes();
                let mut text = [0; INLINE_MAX_BYTES];
                text.copy_from_slice(&bytes[4..]);
                Row::Inline(text, len)
            }
        }
    }
}

/// Returns the number of bytes between the first bound and the last.
fn byte_len_between(bounds: &impl RowBounds) -> usize {
    match bounds.rows() {
        0 => 0,
        rows => bounds.bound(rows) - bounds.bound(0),
    }
}

/// Returns true if an offset is at most `units`.
fn is_within<O: Offset>(offset: O, units: usize) -> bool {
    // If `O` cannot hold `units`, every offset is smaller.
    O::of_size(units).is_none_or(|units| offset <= units)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Views that lie outside or inside their buffers, at every index among other views, on every
    /// kernel.
    #[test]
    fn every_kernel_finds_views_outside_their_buffers() {
        let view = |len: u128, buffer: u128, offset: u128| offset << 96 | buffer << 64 | len;
        let buffers = [&[b'a'; 100][..], &[b'a'; 300]];
        let (short, long) = (view(12, 9, 400), view(13, 0, 87));
        let outside = [view(13, 0, 88), view(13, 2, 0), view(101, 0, 0), view(1 << 31, 0, 0)];
        let inside = [view(13, 1, 287), view(300, 1, 0), view(0, 7, 1 << 31)];
        for kernel in Kernel::available() {
            for (len, first) in [(1, long), (33, short), (35, long), (70, short)] {
                let view = |row| if row % 9 == 0 { first } else { short };
                let mut views: Vec<_> = (0..len).map(view).collect();
                let is_vector = kernel != Kernel::SCALAR;
                assert_eq!(are_within(&views, (0, 100), kernel), is_vector, "{kernel}");
                for row in 0..len {
                    let original = views[row];
                    for outside in outside {
                        views[row] = outside;
                        let error = Rows::of_views_on(kernel, &views, &buffers).err();
                        let want = RowError { row, kind: RowErrorKind::OutsideValues };
                        assert_eq!(error, Some(want));
                    }
                    for inside in inside {
                        views[row] = inside;
                        assert!(Rows::of_views_on(kernel, &views, &buffers).is_ok(), "{kernel}");
                    }
                    views[row] = original;
                }
            }
        }
    }
}

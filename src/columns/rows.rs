//! The layouts of the rows of a column: offsets, a width, or views.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::hint::{black_box, select_unpredictable};
use core::ops::Range;

use crate::columns::bits::Bits;
use crate::columns::error::{RowError, RowErrorKind};
use crate::columns::offset::sealed::Bounds;
use crate::columns::offset::{self, Offset};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::columns::are_within;
use crate::types::views::{INLINE_MAX_BYTES, view_parts};

/// The rows of a column. Each row lies inside the values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    pub(crate) layout: Layout<'a>,
    /// One bit for each row: 0 if the row is null. `None` if the column has no nulls.
    pub(crate) validity: Option<Bits<'a>>,
}

/// The layout of the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout<'a> {
    /// Values and offsets, or values of a fixed width.
    Adjacent(AdjacentRows<'a>),
    /// Arrow's views, and the buffers that they refer to.
    Views(&'a [u128], &'a [&'a [u8]]),
}

/// Rows that follow each other in one text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdjacentRows<'a> {
    pub(crate) values: &'a [u8],
    pub(crate) bounds: Bounds<'a>,
}

impl<'a> AdjacentRows<'a> {
    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        match self.bounds {
            Bounds::Offsets32(offsets, _) => offsets.len().saturating_sub(1),
            Bounds::Offsets64(offsets, _) => offsets.len().saturating_sub(1),
            Bounds::Fixed(_, rows) => rows,
        }
    }

    /// Returns the byte offset at which row `index` begins and the row before it ends. There is one
    /// more bound than rows.
    #[inline]
    pub(crate) fn bound(&self, index: usize) -> usize {
        match self.bounds {
            Bounds::Offsets32(offsets, unit_log2) => offsets[index].to_size() << unit_log2,
            Bounds::Offsets64(offsets, unit_log2) => offsets[index].to_size() << unit_log2,
            Bounds::Fixed(width, _) => index * width,
        }
    }

    /// Returns the text of the rows of `range`.
    #[inline]
    pub(crate) fn text(&self, range: Range<usize>) -> &'a [u8] {
        &self.values[self.bound(range.start)..self.bound(range.end)]
    }

    /// Returns the bytes of a row.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &'a [u8] {
        self.text(row..row + 1)
    }

    /// Returns the first row of `range` that ends after `limit`, or the end of `range`.
    pub(crate) fn rows_within(&self, range: Range<usize>, limit: usize) -> usize {
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low.midpoint(high);
            if self.bound(middle + 1) > limit { high = middle } else { low = middle + 1 }
        }
        low
    }

    /// Returns the row at which a block ends that begins with the first row of `range`. The block
    /// has one row, or several rows of at most `bytes` bytes together. The number of rows is
    /// limited too: if rows are short, their bounds need as much memory as the text.
    pub(crate) fn block_end(&self, range: Range<usize>, bytes: usize) -> usize {
        let limit = self.bound(range.start).saturating_add(bytes);
        let last = range.end.min(range.start + bytes / 8);
        self.rows_within(range.start..last, limit).max(range.start + 1)
    }

    /// Returns the blocks of the rows of `range`: see [`block_end`](Self::block_end).
    pub(crate) fn blocks(
        &self,
        range: Range<usize>,
        bytes: usize,
    ) -> impl Iterator<Item = Range<usize>> {
        let mut first = range.start;
        core::iter::from_fn(move || {
            (first < range.end).then(|| {
                let block = first..self.block_end(first..range.end, bytes);
                first = block.end;
                block
            })
        })
    }

    /// Replaces the content of `ends` with the ends of the rows of `range`, as byte offsets in
    /// their [`text`](Self::text).
    pub(crate) fn write_ends(&self, range: Range<usize>, ends: &mut Vec<usize>) {
        let start = self.bound(range.start);
        let indexes = range.start + 1..range.end + 1;
        ends.clear();
        match self.bounds {
            Bounds::Offsets32(offsets, unit_log2) => {
                let offsets = offsets[indexes].iter();
                ends.extend(offsets.map(|offset| (offset.to_size() << unit_log2) - start));
            }
            Bounds::Offsets64(offsets, unit_log2) => {
                let offsets = offsets[indexes].iter();
                ends.extend(offsets.map(|offset| (offset.to_size() << unit_log2) - start));
            }
            Bounds::Fixed(width, _) => ends.extend((1..=range.len()).map(|row| row * width)),
        }
    }

    /// Returns the rows of `range`.
    #[cfg(feature = "rayon")]
    fn part(&self, range: Range<usize>) -> Self {
        let offsets = range.start..range.end + 1;
        let (values, bounds) = match self.bounds {
            Bounds::Offsets32(all, log2) => (self.values, Bounds::Offsets32(&all[offsets], log2)),
            Bounds::Offsets64(all, log2) => (self.values, Bounds::Offsets64(&all[offsets], log2)),
            Bounds::Fixed(width, _) => {
                (self.text(range.clone()), Bounds::Fixed(width, range.len()))
            }
        };
        Self { values, bounds }
    }
}

/// The maximum number of rows of width 0. No memory limits their number, and a result has up to
/// eight bytes for each row.
const MAX_ROWS_WITHOUT_WIDTH: usize = 1 << 24;

/// The number of views that are tested together.
const BATCH_ROWS: usize = 512;

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

impl<'a> Rows<'a> {
    /// Creates rows between offsets, which count units of `1 << unit_log2` bytes.
    pub(crate) fn from_offsets<O: Offset>(
        values: &'a [u8],
        unit_log2: u32,
        offsets: &'a [O],
    ) -> Result<Self, RowError> {
        let decreasing = offset::find_decrease(offsets);
        let units = values.len() >> unit_log2;
        // The offsets are sorted up to the first row whose offsets decrease, so in this part the
        // rows outside the values are the last rows, unless the first offset is negative.
        let sorted = decreasing.map_or(offsets, |row| &offsets[..=row]);
        let outside = match (offsets, sorted) {
            ([first, _, ..], _) if *first < O::default() => Some(0),
            (_, [_, .., last]) if !is_within(*last, units) => {
                let inside = sorted.partition_point(|&offset| is_within(offset, units));
                Some(inside.saturating_sub(1))
            }
            _ => None,
        };
        if let Some(row) = outside {
            return Err(RowError { row, kind: RowErrorKind::OutsideValues });
        }
        if let Some(row) = decreasing {
            return Err(RowError { row, kind: RowErrorKind::OffsetFalls });
        }
        Ok(Self::adjacent(values, O::bounds(offsets, unit_log2)))
    }

    /// Returns rows without nulls.
    fn adjacent(values: &'a [u8], bounds: Bounds<'a>) -> Self {
        Self { layout: Layout::Adjacent(AdjacentRows { values, bounds }), validity: None }
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
        Ok(Self::adjacent(values, Bounds::Fixed(width, rows)))
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
            Layout::Adjacent(rows) => Layout::Adjacent(rows.part(range.clone())),
            Layout::Views(views, buffers) => Layout::Views(&views[range.clone()], buffers),
        };
        Self { layout, validity: self.validity.map(|bits| bits.skip(range.start)) }
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        match self.layout {
            Layout::Adjacent(rows) => rows.len(),
            Layout::Views(views, _) => views.len(),
        }
    }

    /// Returns the number of bytes of all rows.
    pub(crate) fn byte_len(&self) -> usize {
        match self.layout {
            Layout::Adjacent(rows) if rows.len() == 0 => 0,
            Layout::Adjacent(rows) => rows.bound(rows.len()) - rows.bound(0),
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

    /// Returns the bytes of a row, even if the row is null. A view holds short bytes itself.
    pub(crate) fn row(&self, row: usize) -> Cow<'a, [u8]> {
        match self.layout {
            Layout::Adjacent(rows) => Cow::Borrowed(rows.row(row)),
            Layout::Views(views, buffers) => {
                let (len, buffer, offset) = view_parts(views[row]);
                if len > INLINE_MAX_BYTES {
                    return Cow::Borrowed(&buffers[buffer][offset..offset + len]);
                }
                Cow::Owned(views[row].to_le_bytes()[4..4 + len].to_vec())
            }
        }
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

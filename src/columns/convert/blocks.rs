//! Blocks of rows that are converted at once.

use core::ops::Range;

use crate::columns::convert::{Converter, is_ascii_transparent, push_end};
use crate::columns::error::RowError;
use crate::columns::find::{first_split, has_whole_units};
use crate::columns::offset::Offset;
use crate::columns::output_offsets::OutputOffsets;
use crate::columns::rows::RowBounds;
use crate::columns::sequences::{ROWS_BLOCK_BYTES, Sequence};
use crate::dispatch::pairs::check::check_ascii;
use crate::encoding::scheme::Scheme;
use crate::encoding::unit::Unit;
use crate::encoding::view;
use crate::types::position::{Metric, PositionsToConvert};
use crate::utf8::positions;

/// Bytes of a block after a failure, which doubles until the next: failures come in groups.
const RETRY_BLOCK_BYTES: usize = 512;

/// Bytes after the start of a row that fails in which rows are converted one by one.
const AFTER_FAILURE_BYTES: usize = 64;

/// Small blocks in which ends were not known, one after the other, that count.
const MISSES_MAX: u32 = 5;

impl<U: Unit, O: Offset> Converter<'_, U, O> {
    /// Converts rows at once, up to the first that fails, and a few after it one by one. Returns
    /// the next row.
    pub(super) fn push_block<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
    ) -> Result<usize, RowError> {
        let (conversion, bounds) = (self.to_vec.conversion, sequence.bounds);
        let text = sequence.text(range.clone());
        let start = bounds.bound(range.start);
        let is_ascii = is_ascii_transparent(conversion.from)
            && conversion.to != Scheme::Mutf8
            && check_ascii(text, self.kernel).is_ok();
        if is_ascii {
            let before = self.texts.values.len();
            let _ = self.convert(text);
            let scale = conversion.to.unit_size() / size_of::<U>();
            self.push_output_offsets(sequence, range.clone(), before, |end| (end - start) * scale)?;
            return Ok(self.succeeded(range.end));
        }
        if matches!(self.output_offsets, OutputOffsets::Unknown)
            || self.singly > 0
            || !has_whole_units(conversion.from, bounds, range.clone())
        {
            self.leave_singly(self.singly.saturating_sub(text.len()));
            self.push_rows(sequence, range.clone())?;
            return Ok(range.end);
        }
        let before = self.texts.values.len();
        let read = self.convert(text);
        if matches!(self.output_offsets, OutputOffsets::SameUnits)
            && !self.is_same_units(before, read)
        {
            return self.push_again(sequence, range, before);
        }
        let mut end = range.end;
        if read < text.len() {
            end = bounds.rows_within(range.start, start + read).min(range.end - 1);
        }
        if let Some(cut) =
            first_split(conversion, sequence.values, bounds, range.start..end, self.kernel)
        {
            end = cut - 1;
        }
        self.keep(sequence, range.start..end, before)?;
        if end == range.end {
            return Ok(self.succeeded(end));
        }
        self.block = RETRY_BLOCK_BYTES;
        let limit = bounds.bound(end).saturating_add(AFTER_FAILURE_BYTES);
        let near = bounds.rows_within(end, limit).clamp(end + 1, range.end);
        self.push_rows(sequence, end..near)?;
        Ok(near)
    }

    /// Returns true if the values after the first `before` have as many units as the text that was
    /// read.
    fn is_same_units(&self, before: usize, read: usize) -> bool {
        let conversion = self.to_vec.conversion;
        let written = (self.texts.values.len() - before) * size_of::<U>();
        written / conversion.to.unit_size() == read / conversion.from.unit_size()
    }

    /// Drops the values after the first `before`, of a block whose output offsets cannot be
    /// computed. It is then converted in small blocks, or row by row if it is a small block.
    /// Returns the next row.
    #[inline(never)]
    fn push_again<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
        before: usize,
    ) -> Result<usize, RowError> {
        self.texts.values.truncate(before);
        self.block = RETRY_BLOCK_BYTES;
        if sequence.text(range.clone()).len() > RETRY_BLOCK_BYTES {
            return Ok(range.start);
        }
        // After consecutive blocks of this kind, fewer blocks are tried.
        self.misses = MISSES_MAX.min(self.misses + 1);
        self.leave_singly(RETRY_BLOCK_BYTES << self.misses);
        self.push_rows(sequence, range.clone())?;
        Ok(range.end)
    }

    /// Sets the bytes that are converted row by row, from now on.
    fn leave_singly(&mut self, bytes: usize) {
        if self.singly.max(bytes) > 0 {
            self.block = bytes.clamp(RETRY_BLOCK_BYTES, ROWS_BLOCK_BYTES);
        }
        self.singly = bytes;
    }

    /// Returns `next`, after a block without a failure.
    fn succeeded(&mut self, next: usize) -> usize {
        self.block = ROWS_BLOCK_BYTES.min(2 * self.block);
        self.misses = 0;
        next
    }

    /// Keeps the rows of `range`, whose values begin after the first `before`, and nothing
    /// after them.
    fn keep<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
        before: usize,
    ) -> Result<(), RowError> {
        let (conversion, bounds) = (self.to_vec.conversion, sequence.bounds);
        let start = bounds.bound(range.start);
        let from_log2 = conversion.from.unit_size().trailing_zeros();
        if let OutputOffsets::Fixed | OutputOffsets::SameUnits = self.output_offsets {
            let size = match self.output_offsets {
                OutputOffsets::Fixed => self.to_vec.growth.max_per_unit,
                _ => conversion.to.unit_size(),
            };
            let size = size / size_of::<U>();
            return self.push_output_offsets(sequence, range, before, |end| {
                ((end - start) >> from_log2) * size
            });
        }
        let mut ends = core::mem::take(&mut self.positions);
        sequence.ends_in_text(range.clone(), &mut ends);
        if from_log2 > 0 {
            ends.iter_mut().for_each(|end| *end >>= from_log2);
        }
        let scale = match self.output_offsets {
            OutputOffsets::Counted(counts_before) => {
                counts_before(sequence.text(range.clone()), &mut ends, self.kernel);
                conversion.to.unit_size() / size_of::<U>()
            }
            OutputOffsets::Found(from) => {
                let job = PositionsToConvert {
                    from,
                    to: Metric::Bytes,
                    exact: false,
                    positions: &mut ends,
                };
                positions::convert(view::bytes(&self.texts.values[before..]), job, self.kernel);
                1
            }
            OutputOffsets::Fixed | OutputOffsets::SameUnits | OutputOffsets::Unknown => {
                unreachable!("their ends are not looked for")
            }
        };
        let mut each = ends.iter();
        let result = self.push_output_offsets(sequence, range, before, |_| {
            each.next().map_or(0, |end| end * scale)
        });
        self.positions = ends;
        result
    }

    /// Appends the ends of the rows of `range`, in units after the first `before`, of which
    /// `units_before` makes them from their bounds. Drops the values after them.
    #[inline(always)]
    fn push_output_offsets<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
        before: usize,
        mut units_before: impl FnMut(usize) -> usize,
    ) -> Result<(), RowError> {
        if let Some(counts) = &mut self.counts {
            counts.resize(counts.len() + range.len(), 0);
        }
        self.texts.offsets.reserve(range.len());
        let mut end = before;
        if O::of_size(self.texts.values.len()).is_some() {
            // No end is after the last value.
            self.texts.offsets.extend(range.map(|row| {
                end = before + units_before(sequence.bounds.bound(row + 1));
                O::of_size(end).unwrap_or_default()
            }));
        } else {
            for row in range {
                end = before + units_before(sequence.bounds.bound(row + 1));
                push_end(&mut self.texts.offsets, sequence.first + row, end)?;
            }
        }
        self.texts.values.truncate(end);
        Ok(())
    }
}

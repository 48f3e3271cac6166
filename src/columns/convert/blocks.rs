//! Converts blocks of rows with one call each.

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

/// The size in bytes of the block after a failure. The size doubles with each block that succeeds.
/// The first blocks are small because failures come in groups.
const RETRY_BLOCK_BYTES: usize = 512;

/// The number of bytes, from the start of a row that fails, in which rows are converted one by one.
const AFTER_FAILURE_BYTES: usize = 64;

impl<U: Unit, O: Offset> Converter<'_, U, O> {
    /// Converts the rows of `range` with one call, up to the first row that fails, and then a few
    /// rows one by one. Returns the row after these.
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
            let values_before = self.texts.values.len();
            let _ = self.convert(text);
            let scale = conversion.to.unit_size() / size_of::<U>();
            self.push_output_offsets(sequence, range.clone(), values_before, |end| {
                (end - start) * scale
            })?;
            return Ok(self.record_success(range.end));
        }
        if matches!(self.output_offsets, OutputOffsets::Unknown)
            || !has_whole_units(conversion.from, bounds, range.clone())
        {
            self.push_rows(sequence, range.clone())?;
            return Ok(range.end);
        }
        let values_before = self.texts.values.len();
        let read = self.convert(text);
        if matches!(self.output_offsets, OutputOffsets::SameUnits)
            && !self.has_same_units(values_before, read)
        {
            return self.retry_block(sequence, range, values_before);
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
        self.keep_rows(sequence, range.start..end, values_before)?;
        if end == range.end {
            return Ok(self.record_success(end));
        }
        self.block_bytes = RETRY_BLOCK_BYTES;
        let limit = bounds.bound(end).saturating_add(AFTER_FAILURE_BYTES);
        let one_by_one_end = bounds.rows_within(end, limit).clamp(end + 1, range.end);
        self.push_rows(sequence, end..one_by_one_end)?;
        Ok(one_by_one_end)
    }

    /// Returns true if the values after the first `values_before` have as many units as the `read`
    /// bytes of the source.
    fn has_same_units(&self, values_before: usize, read: usize) -> bool {
        let conversion = self.to_vec.conversion;
        let written = (self.texts.values.len() - values_before) * size_of::<U>();
        written / conversion.to.unit_size() == read / conversion.from.unit_size()
    }

    /// Drops the values after the first `values_before`: they are of a block whose output offsets
    /// cannot be computed. A large block is then tried again in small blocks. The rows of a small
    /// block are converted one by one. Returns the next row to convert.
    #[inline(never)]
    fn retry_block<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
        values_before: usize,
    ) -> Result<usize, RowError> {
        self.texts.values.truncate(values_before);
        self.block_bytes = RETRY_BLOCK_BYTES;
        if sequence.text(range.clone()).len() > RETRY_BLOCK_BYTES {
            return Ok(range.start);
        }
        self.push_rows(sequence, range.clone())?;
        Ok(range.end)
    }

    /// Doubles the block size after a block without a failure. Returns `next`, the next row.
    fn record_success(&mut self, next: usize) -> usize {
        self.block_bytes = ROWS_BLOCK_BYTES.min(2 * self.block_bytes);
        next
    }

    /// Appends the output offsets of the rows of `range`, whose values follow the first
    /// `values_before`. Drops the values after these rows.
    fn keep_rows<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
        values_before: usize,
    ) -> Result<(), RowError> {
        let (conversion, bounds) = (self.to_vec.conversion, sequence.bounds);
        let start = bounds.bound(range.start);
        let from_log2 = conversion.from.unit_size().trailing_zeros();
        if let OutputOffsets::Fixed | OutputOffsets::SameUnits = self.output_offsets {
            let size = match self.output_offsets {
                OutputOffsets::Fixed => self.to_vec.growth.max_bytes_per_unit,
                _ => conversion.to.unit_size(),
            };
            let size = size / size_of::<U>();
            return self.push_output_offsets(sequence, range, values_before, |end| {
                ((end - start) >> from_log2) * size
            });
        }
        let mut ends = core::mem::take(&mut self.ends);
        sequence.write_ends(range.clone(), &mut ends);
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
                let block = view::bytes(&self.texts.values[values_before..]);
                positions::convert(block, job, self.kernel);
                1
            }
            OutputOffsets::Fixed | OutputOffsets::SameUnits | OutputOffsets::Unknown => {
                unreachable!("handled above, or not converted in blocks")
            }
        };
        let mut next_ends = ends.iter();
        let result = self.push_output_offsets(sequence, range, values_before, |_| {
            next_ends.next().map_or(0, |end| end * scale)
        });
        self.ends = ends;
        result
    }

    /// Appends the end of each row of `range`: `values_before`, plus the number of units that
    /// `units_before` returns for the bound at the end of the row. Drops the values after the last
    /// end.
    #[inline(always)]
    fn push_output_offsets<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
        values_before: usize,
        mut units_before: impl FnMut(usize) -> usize,
    ) -> Result<(), RowError> {
        if let Some(counts) = &mut self.counts {
            counts.resize(counts.len() + range.len(), 0);
        }
        self.texts.offsets.reserve(range.len());
        let mut end = values_before;
        if O::of_size(self.texts.values.len()).is_some() {
            // Every end fits: no end is larger than the number of values.
            self.texts.offsets.extend(range.map(|row| {
                end = values_before + units_before(sequence.bounds.bound(row + 1));
                O::of_size(end).unwrap_or_default()
            }));
        } else {
            for row in range {
                end = values_before + units_before(sequence.bounds.bound(row + 1));
                push_end(&mut self.texts.offsets, sequence.first + row, end)?;
            }
        }
        self.texts.values.truncate(end);
        Ok(())
    }
}

//! Converts blocks of rows with one call each.

use core::ops::Range;

use crate::columns::convert::{Converter, push_end};
use crate::columns::error::RowError;
use crate::columns::find::{has_whole_units, is_ascii_transparent, rows_before_split};
use crate::columns::offset::Offset;
use crate::columns::output_offsets::OutputOffsets;
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
    pub(super) fn push_block(
        &mut self,
        sequence: &Sequence<'_>,
        range: Range<usize>,
    ) -> Result<usize, RowError> {
        let (conversion, rows) = (self.to_vec.conversion, &sequence.rows);
        let text = rows.text(range.clone());
        // In Modified UTF-8, NUL has two bytes.
        let is_ascii = is_ascii_transparent(conversion.from)
            && check_ascii(text, self.kernel).is_ok()
            && (conversion.to != Scheme::Mutf8 || !text.contains(&0));
        if is_ascii {
            let values_before = self.texts.values.len();
            let _ = self.convert(text);
            let offsets = OutputOffsets::Fixed(conversion.to.unit_size());
            self.keep_rows(sequence, range.clone(), values_before, offsets)?;
            return Ok(self.record_success(range.end));
        }
        if matches!(self.output_offsets, OutputOffsets::Unknown)
            || !has_whole_units(conversion.from, rows, range.clone(), &mut self.ends)
        {
            self.push_rows(sequence, range.clone())?;
            return Ok(range.end);
        }
        let values_before = self.texts.values.len();
        let read = self.convert(text);
        let mut end = range.end;
        if read < text.len() {
            end = rows.rows_within(range.clone(), rows.bound(range.start) + read).min(end - 1);
        }
        let converted = range.start..end;
        end = range.start + rows_before_split(conversion, text, rows, converted, &mut self.ends);
        self.keep_rows(sequence, range.start..end, values_before, self.output_offsets)?;
        if end == range.end {
            return Ok(self.record_success(end));
        }
        self.block_bytes = RETRY_BLOCK_BYTES;
        let limit = rows.bound(end).saturating_add(AFTER_FAILURE_BYTES);
        let one_by_one_end = rows.rows_within(end..range.end, limit).max(end + 1);
        self.push_rows(sequence, end..one_by_one_end)?;
        Ok(one_by_one_end)
    }

    /// Doubles the block size after a block without a failure. Returns `next`, the next row.
    fn record_success(&mut self, next: usize) -> usize {
        self.block_bytes = ROWS_BLOCK_BYTES.min(2 * self.block_bytes);
        next
    }

    /// Appends the ends of the rows of `range`, whose values follow the first `values_before`.
    /// Drops the values after these rows. `offsets` says how the ends are computed.
    fn keep_rows(
        &mut self,
        sequence: &Sequence<'_>,
        range: Range<usize>,
        values_before: usize,
        offsets: OutputOffsets,
    ) -> Result<(), RowError> {
        let conversion = self.to_vec.conversion;
        let from_log2 = conversion.from.unit_size().trailing_zeros();
        let mut scale = conversion.to.unit_size() / size_of::<U>();
        let mut ends = core::mem::take(&mut self.ends);
        sequence.rows.write_ends(range.clone(), &mut ends);
        if from_log2 > 0 {
            ends.iter_mut().for_each(|end| *end >>= from_log2);
        }
        match offsets {
            OutputOffsets::Fixed(bytes_per_unit) => scale = bytes_per_unit / size_of::<U>(),
            OutputOffsets::Counted(counts_before) => {
                counts_before(sequence.rows.text(range.clone()), &mut ends, self.kernel);
            }
            OutputOffsets::Found(from) => {
                let positions = &mut ends[..];
                let job = PositionsToConvert { from, to: Metric::Bytes, exact: false, positions };
                let block = view::bytes(&self.texts.values[values_before..]);
                positions::convert(block, job, self.kernel);
            }
            OutputOffsets::Unknown => unreachable!("such a block is converted row by row"),
        }
        if let Some(counts) = &mut self.counts {
            counts.resize(counts.len() + range.len(), 0);
        }
        let first = sequence.first + range.start;
        let end_of = |end: usize| values_before + end * scale;
        if O::of_size(self.texts.values.len()).is_some() {
            // Every end fits: no end is larger than the number of values.
            let offset = |&end: &usize| O::of_size(end_of(end)).unwrap_or_default();
            self.texts.offsets.extend(ends.iter().map(offset));
        } else {
            for (row, &end) in ends.iter().enumerate() {
                push_end(&mut self.texts.offsets, first + row, end_of(end))?;
            }
        }
        self.texts.values.truncate(end_of(ends.last().copied().unwrap_or(0)));
        self.ends = ends;
        Ok(())
    }
}

//! Converts a column into values and offsets.
//!
//! A [block](blocks) of rows is converted with one call if its output offsets can be computed: if
//! the block is ASCII, if every input unit gives a fixed number of output units, if the output
//! length is a sum over the bytes of the source, or if the output is UTF-8, by counting its
//! characters. After a failure, a few rows are converted one by one, into the same values.

mod blocks;
mod total;

use alloc::vec::Vec;
use core::ops::Range;

use crate::columns::bits;
use crate::columns::error::{RowError, RowErrorKind};
use crate::columns::offset::Offset;
use crate::columns::output_offsets::OutputOffsets;
use crate::columns::rows::{RowBounds, Rows};
use crate::columns::sequences::{self, ROWS_BLOCK_BYTES, Sequence, Visitor};
use crate::columns::texts::Texts;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::scheme::Scheme;
use crate::encoding::unit::Unit;
use crate::encoding::view;
use crate::owned::{self, ConversionToVec, LossyConversionToVec};
use crate::types::error::Error;
use crate::types::policy::Repair;
use crate::types::progress::Stop;

/// What happens to a row that cannot be converted.
#[derive(Clone, Copy)]
pub(crate) enum OnFailure<'a> {
    /// The conversion of the column fails with the error of the row.
    Error,
    /// The row becomes null.
    Null,
    /// The row is repaired.
    Repair(&'a LossyConversionToVec, Repair),
}

/// Rows of at most this many bytes are converted with capacity for the worst case.
const SHORT_ROW_MAX_BYTES: usize = 4096;

/// The maximum number of bytes that are reserved before the conversion. Views may name the same
/// bytes many times, so the length of all rows can be far larger than the memory of the values.
const RESERVED_MAX_BYTES: usize = 1 << 26;

/// The number of rows after which the result is discarded, if only the success of each row matters.
const MAX_ROWS_PER_STEP: usize = 1024;

/// A conversion of rows, and its result so far.
pub(crate) struct Converter<'a, U, O> {
    kernel: Kernel,
    to_vec: &'a ConversionToVec,
    on_failure: OnFailure<'a>,
    /// The number of repairs in each row, if the caller wants it.
    counts: Option<&'a mut Vec<usize>>,
    texts: Texts<U, O>,
    /// The number of rows of the column.
    row_count: usize,
    /// The number of rows that became null because they could not be converted.
    failed_rows: usize,
    /// How the output offsets of a block are computed.
    output_offsets: OutputOffsets,
    /// The size of the next block in bytes. It is small after a failure.
    block_bytes: usize,
    /// The ends of the rows of a block: first in the source, then in the result.
    ends: Vec<usize>,
}

impl<'a, U: Unit, O: Offset> Converter<'a, U, O> {
    /// Creates a conversion before its first row.
    pub(crate) fn new(
        kernel: Kernel,
        to_vec: &'a ConversionToVec,
        on_failure: OnFailure<'a>,
        counts: Option<&'a mut Vec<usize>>,
    ) -> Self {
        let texts = Texts { values: Vec::new(), offsets: Vec::new(), validity: None, repairs: 0 };
        let output_offsets = OutputOffsets::for_conversion(to_vec);
        Self {
            kernel,
            to_vec,
            on_failure,
            counts,
            texts,
            row_count: 0,
            failed_rows: 0,
            output_offsets,
            block_bytes: ROWS_BLOCK_BYTES,
            ends: Vec::new(),
        }
    }

    /// Converts all rows.
    pub(crate) fn convert_rows(mut self, rows: &Rows<'_>) -> Result<Texts<U, O>, RowError> {
        self.check_size(rows)?;
        let len = rows.len();
        self.row_count = len;
        if let Some(counts) = &mut self.counts {
            counts.clear();
            counts.reserve(len);
        }
        self.texts.offsets.reserve(len + 1);
        self.texts.offsets.push(O::default());
        let Conversion { from, to, .. } = self.to_vec.conversion;
        // The length of the result for ASCII. Other text may need more or less capacity.
        let capacity = rows.byte_len().min(RESERVED_MAX_BYTES) / from.unit_size() * to.unit_size();
        self.texts.values.reserve(capacity / size_of::<U>());
        if let Some(validity) = rows.validity {
            let mut bits = Vec::new();
            validity.copy_to(len, &mut bits);
            self.texts.validity = bits::any_clear(&bits, len).then_some(bits);
        }
        sequences::visit(rows, 0..len, &mut self)?;
        owned::release_spare(&mut self.texts.values);
        Ok(self.texts)
    }

    /// Converts the rows of `range` one by one.
    fn push_rows<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
    ) -> Result<(), RowError> {
        for row in range {
            let text = if sequence.is_null(row) { &[] } else { sequence.row(row) };
            self.push_row(sequence.first + row, text)?;
        }
        Ok(())
    }

    /// Converts a row and appends it. `text` is empty if the row is null.
    #[inline]
    fn push_row(&mut self, row: usize, text: &[u8]) -> Result<(), RowError> {
        let mut repairs = 0;
        let values_before = self.texts.values.len();
        if let Err(error) = self.append(text) {
            repairs = self.handle_failure(row, text, values_before, error)?;
        }
        if let Some(counts) = &mut self.counts {
            counts.push(repairs);
        }
        push_end(&mut self.texts.offsets, row, self.texts.values.len())
    }

    /// Appends a row to the values. After an error, the values may end with a part of the row.
    #[inline]
    fn append(&mut self, row: &[u8]) -> Result<(), Error> {
        if row.len() > SHORT_ROW_MAX_BYTES {
            let values = U::vec_mut(&mut self.texts.values);
            return owned::append(Some(self.kernel), self.to_vec, row, values);
        }
        if row.is_empty() {
            return Ok(());
        }
        let read = self.convert(row);
        match self.to_vec.conversion.stop(row, read) {
            Stop::Error(error) => Err(error.in_units(self.to_vec.unit_size)),
            Stop::Done => Ok(()),
            Stop::OutputFull => unreachable!("the output has capacity for the worst case"),
        }
    }

    /// Appends the conversion of a text, as far as it succeeds. Returns the number of bytes read.
    #[inline]
    fn convert(&mut self, text: &[u8]) -> usize {
        let values = &mut self.texts.values;
        values.reserve(self.to_vec.growth.worst(text.len()) / size_of::<U>());
        let dst = view::bytes_uninit_mut(values.spare_capacity_mut());
        let reach = self.to_vec.conversion.reach(self.kernel, text, dst);
        let len = values.len() + reach.written / size_of::<U>();
        // SAFETY: the first `len` values are initialised. The conversion has initialised `written`
        // bytes of the spare capacity, after the values from before.
        unsafe { values.set_len(len) };
        reach.read
    }

    /// Handles a row that cannot be converted, by an error, null or repairs. The values of the rows
    /// before this row are the first `values_before` values. Returns the number of repairs.
    #[cold]
    #[inline(never)]
    fn handle_failure(
        &mut self,
        row: usize,
        text: &[u8],
        values_before: usize,
        error: Error,
    ) -> Result<usize, RowError> {
        self.texts.values.truncate(values_before);
        match self.on_failure {
            OnFailure::Error => Err(RowError { row, kind: RowErrorKind::Text(error) }),
            OnFailure::Null => {
                let row_count = self.row_count;
                let bits = self.texts.validity.get_or_insert_with(|| {
                    let mut bits = Vec::new();
                    bits::fill_with_ones(row_count, &mut bits);
                    bits
                });
                bits::clear(bits, row);
                self.failed_rows += 1;
                Ok(0)
            }
            OnFailure::Repair(lossy, repair) => {
                let out = U::vec_mut(&mut self.texts.values);
                let repairs = owned::append_lossy(Some(self.kernel), lossy, repair, text, out);
                self.texts.repairs += repairs;
                Ok(repairs)
            }
        }
    }
}

impl<U: Unit, O: Offset> Visitor for Converter<'_, U, O> {
    type Error = RowError;

    #[inline(never)]
    fn visit_sequence<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
    ) -> Result<(), RowError> {
        let mut first = range.start;
        while first < range.end {
            let end = sequence.block_end(first..range.end, self.block_bytes);
            let end = sequence.find_null_with_text(first..end);
            first = if end > first + 1 {
                self.push_block(sequence, first..end)?
            } else {
                self.push_rows(sequence, first..first + 1)?;
                self.block_bytes = ROWS_BLOCK_BYTES.min(2 * self.block_bytes);
                first + 1
            };
        }
        Ok(())
    }

    fn visit_row(&mut self, row: usize, text: &[u8]) -> Result<(), RowError> {
        self.push_row(row, text)
    }
}

/// Replaces the content of `bitmap` with one bit for each row: 1 if the row can be converted and is
/// not null. Returns the number of rows that cannot be converted.
pub(crate) fn mark_convertible(
    kernel: Kernel,
    to_vec: &ConversionToVec,
    rows: &Rows<'_>,
    bitmap: &mut Vec<u8>,
) -> usize {
    // The offsets are discarded. `i64` is large enough for any number of units, so no row fails by
    // its offset.
    let mut converter = Converter::<u8, i64>::new(kernel, to_vec, OnFailure::Null, None);
    match rows.validity {
        Some(validity) => validity.copy_to(rows.len(), bitmap),
        None => bits::fill_with_ones(rows.len(), bitmap),
    }
    converter.texts.validity = Some(core::mem::take(bitmap));
    let mut first = 0;
    while first < rows.len() {
        let end = rows.len().min(first + MAX_ROWS_PER_STEP);
        let _ = sequences::visit(rows, first..end, &mut converter);
        converter.texts.values.clear();
        converter.texts.offsets.clear();
        first = end;
    }
    *bitmap = converter.texts.validity.unwrap_or_default();
    converter.failed_rows
}

/// Returns true if ASCII text is well-formed in `scheme`, and a byte below 0x80 always is that
/// ASCII character.
pub(crate) fn is_ascii_transparent(scheme: Scheme) -> bool {
    use Scheme::{Ascii, Cesu8, Latin1, Utf8, Wtf8};
    matches!(scheme, Utf8 | Latin1 | Ascii | Cesu8 | Wtf8)
}

/// Appends the end of row `row`, which is `units` units after the start of the values.
#[inline]
fn push_end<O: Offset>(offsets: &mut Vec<O>, row: usize, units: usize) -> Result<(), RowError> {
    match O::of_size(units) {
        Some(offset) => offsets.push(offset),
        None => return Err(RowError { row, kind: RowErrorKind::OffsetOverflow }),
    }
    Ok(())
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn offset_overflow_reports_the_row() {
        let mut offsets = Vec::<i32>::new();
        assert_eq!(push_end(&mut offsets, 3, 0x7FFF_FFFF), Ok(()));
        let error = push_end(&mut offsets, 4, 0x8000_0000);
        assert_eq!(error, Err(RowError { row: 4, kind: RowErrorKind::OffsetOverflow }));
        assert_eq!(offsets, [i32::MAX], "the offset that overflows is not appended");
        assert_eq!(push_end(&mut Vec::<i64>::new(), 4, 0x8000_0000), Ok(()));
    }
}

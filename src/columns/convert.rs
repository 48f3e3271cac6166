//! Converts a column into values and offsets.
//!
//! A [block](blocks) of rows is converted with one call if its output offsets can be computed: if
//! the block is ASCII, if every input unit gives a fixed number of output units, if each byte of
//! the source counts by itself, or if the output is UTF-8 (by counting). After a failure, a few
//! rows are converted one by one, into the same values.

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

/// The handling of a row that cannot be converted.
#[derive(Clone, Copy)]
pub(crate) enum OnFailure<'a> {
    /// It is the error of the column.
    Error,
    /// It becomes null.
    Null,
    /// It is repaired.
    Repair(&'a LossyConversionToVec, Repair),
}

/// Rows of at most this many bytes are converted with capacity for the worst case.
const SHORT_ROW_MAX_BYTES: usize = 4096;

/// The most bytes that are reserved before the conversion. Views may name the same bytes many
/// times.
const RESERVED_MAX_BYTES: usize = 1 << 26;

/// Rows that are converted before the result is discarded, if only its success matters.
const DISCARDED_ROWS: usize = 1024;

/// A conversion of rows, and its result so far.
pub(crate) struct Converter<'a, U, O> {
    kernel: Kernel,
    to_vec: &'a ConversionToVec,
    on_failure: OnFailure<'a>,
    /// The repairs of each row, if they are asked for.
    counts: Option<&'a mut Vec<usize>>,
    texts: Texts<U, O>,
    /// All rows of the column.
    rows: usize,
    /// Rows that became null because they could not be converted.
    failed: usize,
    /// The computation of the output offsets of a block.
    output_offsets: OutputOffsets,
    /// Bytes of the next block: few after a failure.
    block: usize,
    /// The number of consecutive small blocks whose output offsets could not be computed, and the
    /// bytes that are converted row by row before another block is tried.
    misses: u32,
    singly: usize,
    /// The bounds of a block, which become the ends of its rows in the result.
    positions: Vec<usize>,
}

impl<'a, U: Unit, O: Offset> Converter<'a, U, O> {
    /// Creates the conversion.
    pub(crate) fn new(
        kernel: Kernel,
        to_vec: &'a ConversionToVec,
        on_failure: OnFailure<'a>,
        counts: Option<&'a mut Vec<usize>>,
    ) -> Self {
        let texts = Texts { values: Vec::new(), offsets: Vec::new(), validity: None, repairs: 0 };
        let output_offsets = OutputOffsets::for_conversion(to_vec);
        let (rows, failed, block, positions) = (0, 0, ROWS_BLOCK_BYTES, Vec::new());
        let (misses, singly) = (0, 0);
        Self {
            kernel,
            to_vec,
            on_failure,
            counts,
            texts,
            rows,
            failed,
            output_offsets,
            block,
            misses,
            singly,
            positions,
        }
    }

    /// Converts all rows.
    pub(crate) fn run(mut self, rows: &Rows<'_>) -> Result<Texts<U, O>, RowError> {
        self.check_size(rows)?;
        let len = rows.len();
        self.rows = len;
        if let Some(counts) = &mut self.counts {
            counts.clear();
            counts.reserve(len);
        }
        self.texts.offsets.reserve(len + 1);
        self.texts.offsets.push(O::default());
        let Conversion { from, to, .. } = self.to_vec.conversion;
        // The length for ASCII, which may be too much or too little.
        let capacity = rows.byte_len().min(RESERVED_MAX_BYTES) / from.unit_size() * to.unit_size();
        self.texts.values.reserve(capacity / size_of::<U>());
        if let Some(nulls) = rows.nulls {
            let mut bits = Vec::new();
            nulls.copy_to(len, &mut bits);
            self.texts.validity = bits::any_clear(&bits, len).then_some(bits);
        }
        sequences::visit(rows, 0..len, &mut self)?;
        owned::release_spare(&mut self.texts.values);
        Ok(self.texts)
    }

    /// Converts rows of a sequence one by one.
    fn push_rows<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
    ) -> Result<(), RowError> {
        for row in range {
            let text = if sequence.is_null(row) { &[] } else { sequence.row(row) };
            self.push(sequence.first + row, text)?;
        }
        Ok(())
    }

    /// Converts a row. One that is null is empty.
    #[inline]
    fn push(&mut self, row: usize, text: &[u8]) -> Result<(), RowError> {
        let mut repairs = 0;
        let before = self.texts.values.len();
        if let Err(error) = self.append(text) {
            repairs = self.fail(row, text, before, error)?;
        }
        if let Some(counts) = &mut self.counts {
            counts.push(repairs);
        }
        push_end(&mut self.texts.offsets, row, self.texts.values.len())
    }

    /// Appends a row to the values. After an error, the values may have a part of it.
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
            Stop::OutputFull => unreachable!("there was room for everything"),
        }
    }

    /// Appends the conversion of a text, as far as it succeeds. Returns the bytes read.
    #[inline]
    fn convert(&mut self, text: &[u8]) -> usize {
        let values = &mut self.texts.values;
        values.reserve(self.to_vec.growth.worst(text.len()) / size_of::<U>());
        let dst = view::bytes_uninit_mut(values.spare_capacity_mut());
        let reach = self.to_vec.conversion.reach(self.kernel, text, dst);
        let len = values.len() + reach.written / size_of::<U>();
        // SAFETY: the conversion has initialised `written` bytes of the spare capacity.
        unsafe { values.set_len(len) };
        reach.read
    }

    /// Handles a row that cannot be converted: an error, null or repairs. Returns the number of
    /// repairs.
    #[cold]
    #[inline(never)]
    fn fail(
        &mut self,
        row: usize,
        text: &[u8],
        before: usize,
        error: Error,
    ) -> Result<usize, RowError> {
        self.texts.values.truncate(before);
        match self.on_failure {
            OnFailure::Error => Err(RowError::new(row, RowErrorKind::Text(error))),
            OnFailure::Null => {
                let rows = self.rows;
                let bits = self.texts.validity.get_or_insert_with(|| {
                    let mut bits = Vec::new();
                    bits::fill(rows, &mut bits);
                    bits
                });
                bits::clear(bits, row);
                self.failed += 1;
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
    fn sequence<B: RowBounds>(
        &mut self,
        sequence: &Sequence<'_, B>,
        range: Range<usize>,
    ) -> Result<(), RowError> {
        let mut first = range.start;
        while first < range.end {
            let end = sequence.block_end(first..range.end, self.block);
            let end = sequence.until_null_with_text(first..end);
            first = if end > first + 1 {
                self.push_block(sequence, first..end)?
            } else {
                self.push_rows(sequence, first..first + 1)?;
                self.block = ROWS_BLOCK_BYTES.min(2 * self.block);
                first + 1
            };
        }
        Ok(())
    }

    fn single(&mut self, row: usize, text: &[u8]) -> Result<(), RowError> {
        self.push(row, text)
    }
}

/// Replaces the content of `bitmap` by a bit for each row: 1 if it can be converted and is not
/// null. Returns the number of rows that cannot be converted.
pub(crate) fn fits(
    kernel: Kernel,
    to_vec: &ConversionToVec,
    rows: &Rows<'_>,
    bitmap: &mut Vec<u8>,
) -> usize {
    // The offsets are discarded, and `i64` counts any number of units.
    let mut converter = Converter::<u8, i64>::new(kernel, to_vec, OnFailure::Null, None);
    match rows.nulls {
        Some(nulls) => nulls.copy_to(rows.len(), bitmap),
        None => bits::fill(rows.len(), bitmap),
    }
    converter.texts.validity = Some(core::mem::take(bitmap));
    let mut first = 0;
    while first < rows.len() {
        let end = rows.len().min(first + DISCARDED_ROWS);
        let _ = sequences::visit(rows, first..end, &mut converter);
        converter.texts.values.clear();
        converter.texts.offsets.clear();
        first = end;
    }
    *bitmap = converter.texts.validity.unwrap_or_default();
    converter.failed
}

/// Returns true if a byte of ASCII is always this character in the scheme, and any ASCII is
/// well-formed.
pub(crate) fn is_ascii_transparent(scheme: Scheme) -> bool {
    use Scheme::{Ascii, Cesu8, Latin1, Utf8, Wtf8};
    matches!(scheme, Utf8 | Latin1 | Ascii | Cesu8 | Wtf8)
}

/// Appends the end of a row, given its units.
#[inline]
fn push_end<O: Offset>(offsets: &mut Vec<O>, row: usize, units: usize) -> Result<(), RowError> {
    match O::of_size(units) {
        Some(offset) => offsets.push(offset),
        None => return Err(RowError::new(row, RowErrorKind::OffsetOverflow)),
    }
    Ok(())
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn offsets_that_overflow_name_the_row() {
        let mut offsets = Vec::<i32>::new();
        assert_eq!(push_end(&mut offsets, 3, 0x7FFF_FFFF), Ok(()));
        let error = push_end(&mut offsets, 4, 0x8000_0000);
        assert_eq!(error, Err(RowError::new(4, RowErrorKind::OffsetOverflow)));
        assert_eq!(offsets, [i32::MAX], "nothing wraps");
        assert_eq!(push_end(&mut Vec::<i64>::new(), 4, 0x8000_0000), Ok(()));
    }
}

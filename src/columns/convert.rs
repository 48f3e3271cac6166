//! Converts a column into values and offsets.
//!
//! A block of rows is converted at once where the lengths of its rows in the result are known from
//! those in the source: in ASCII, and between encodings of the same shape. Any other row is
//! converted by itself, into the same values.

use alloc::vec::Vec;
use core::ops::Range;

use crate::columns::bits;
use crate::columns::error::{RowError, RowErrorKind};
use crate::columns::find::is_uncut;
use crate::columns::offset::Offset;
use crate::columns::rows::{Borders, Layout, Rows};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_ascii;
use crate::encoding::scheme::Scheme;
use crate::encoding::unit::Unit;
use crate::encoding::view;
use crate::owned::{self, ConversionToVec, LossyConversionToVec};
use crate::types::error::Error;
use crate::types::policy::Repair;
use crate::types::progress::Stop;

/// Converted rows: values, the offsets of the rows among them, and the rows that are null.
///
/// Row `i` is `values[offsets[i]..offsets[i + 1]]`. A row that is null has no values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts<U, O> {
    /// The units of all rows.
    pub values: Vec<U>,
    /// One more than there are rows. The first is 0.
    pub offsets: Vec<O>,
    /// A bit for each row, 0 where it is null, the lowest bit of a byte first; or `None` if no row
    /// is.
    pub validity: Option<Vec<u8>>,
    /// Repairs: ill-formed sequences and unmappable characters.
    pub repairs: usize,
}

impl<U, O: Offset> Texts<U, O> {
    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the units of a row, or `None` if it is null or there is no such row.
    ///
    /// ```
    /// use utflane::columns::Column;
    /// use utflane::{Latin1, Utf8};
    ///
    /// let column = Column::<Latin1>::new(b"caf\xE9au lait", &[0_i32, 4, 11])?;
    /// let texts = column.transcode::<Utf8, i64>()?;
    /// assert_eq!(texts.get(0), Some("café".as_bytes()));
    /// assert_eq!(texts.get(2), None);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&[U]> {
        let (start, end) = (self.offsets.get(row)?, self.offsets.get(row.checked_add(1)?)?);
        if let Some(bits) = &self.validity
            && bits.get(row / 8).is_none_or(|byte| byte >> (row % 8) & 1 == 0)
        {
            return None;
        }
        self.values.get(start.to_size()..end.to_size())
    }
}

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

/// Rows of up to this many bytes are converted with room for the worst case.
const SHORT: usize = 4096;

/// Bytes of a block of rows that are converted at once.
const BLOCK: usize = 16 * 1024;

/// Bytes that are reserved at most before anything is converted. Views may name the same bytes
/// many times.
const RESERVED: usize = 1 << 26;

/// Rows that are converted before the result is thrown away, where only its success counts.
const TOGETHER: usize = 1024;

/// A conversion of rows, and its result so far.
pub(crate) struct Converter<'a, U, O> {
    kernel: Kernel,
    to_vec: &'a ConversionToVec,
    on_failure: OnFailure<'a>,
    /// The repairs of each row, if they are asked for.
    counts: Option<&'a mut Vec<usize>>,
    texts: Texts<U, O>,
    /// Rows that became null because they could not be converted.
    failed: usize,
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
        Self { kernel, to_vec, on_failure, counts, texts, failed: 0 }
    }

    /// Converts all rows.
    pub(crate) fn run(mut self, rows: &Rows<'_>) -> Result<Texts<U, O>, RowError> {
        let len = rows.len();
        if let Some(counts) = &mut self.counts {
            counts.clear();
            counts.reserve(len);
        }
        self.texts.offsets.reserve(len + 1);
        self.texts.offsets.push(O::default());
        self.texts.values.reserve(rows.byte_len().min(RESERVED) / self.to_vec.out_unit_size);
        if let Some(nulls) = rows.nulls {
            let mut bits = Vec::new();
            nulls.copy_to(len, &mut bits);
            self.texts.validity = Some(bits);
        }
        self.run_range(rows, 0..len)?;
        Ok(self.texts)
    }

    /// Replaces the content of `bitmap` by a bit for each row: 1 if it can be converted and is not
    /// null. Returns the number of rows that cannot.
    pub(crate) fn fits(
        kernel: Kernel,
        to_vec: &'a ConversionToVec,
        rows: &Rows<'_>,
        bitmap: &mut Vec<u8>,
    ) -> usize {
        let mut converter = Self::new(kernel, to_vec, OnFailure::Null, None);
        match rows.nulls {
            Some(nulls) => nulls.copy_to(rows.len(), bitmap),
            None => bits::fill(rows.len(), bitmap),
        }
        converter.texts.validity = Some(core::mem::take(bitmap));
        let mut first = 0;
        while first < rows.len() {
            let end = rows.len().min(first + TOGETHER);
            // The offsets are none of the result, and `i64` counts any units.
            let _ = converter.run_range(rows, first..end);
            converter.texts.values.clear();
            converter.texts.offsets.clear();
            first = end;
        }
        *bitmap = converter.texts.validity.unwrap_or_default();
        converter.failed
    }

    /// Converts the rows of `range`, which follow those before.
    pub(crate) fn run_range(
        &mut self,
        rows: &Rows<'_>,
        range: Range<usize>,
    ) -> Result<(), RowError> {
        match rows.layout {
            Layout::Offsets32(values, ref borders) => self.run_blocks(rows, values, borders, range),
            Layout::Offsets64(values, ref borders) => self.run_blocks(rows, values, borders, range),
            Layout::Fixed(values, ref borders) => self.run_blocks(rows, values, borders, range),
            Layout::Views(..) => range.into_iter().try_for_each(|row| self.push(rows, row)),
        }
    }

    /// Converts rows that follow each other in `values`, in blocks.
    #[inline(never)]
    fn run_blocks(
        &mut self,
        rows: &Rows<'_>,
        values: &[u8],
        borders: &impl Borders,
        range: Range<usize>,
    ) -> Result<(), RowError> {
        let mut first = range.start;
        while first < range.end {
            let limit = borders.border(first).saturating_add(BLOCK);
            let end = borders.rows_within(first, limit).max(first + 1).min(range.end);
            let at_once = !(first..end).any(|row| rows.is_null(row))
                && self.push_block(values, borders, first..end)?;
            if !at_once {
                for row in first..end {
                    self.push(rows, row)?;
                }
            }
            first = end;
        }
        Ok(())
    }

    /// Converts a block of rows at once; returns whether that was possible.
    fn push_block(
        &mut self,
        values: &[u8],
        borders: &impl Borders,
        range: Range<usize>,
    ) -> Result<bool, RowError> {
        let conversion = self.to_vec.conversion;
        let start = borders.border(range.start);
        let text = &values[start..borders.border(range.end)];
        let ascii = is_plain(conversion.from)
            && conversion.to != Scheme::Mutf8
            && check_ascii(text, self.kernel).is_ok();
        if !ascii && !self.to_vec.growth.fixed {
            return Ok(false);
        }
        let (from, to) = match ascii {
            true => (1, conversion.to.unit_size()),
            false => (conversion.from.unit_size(), self.to_vec.growth.max_per_unit),
        };
        let room = text.len() / from * to;
        let before = self.texts.values.len();
        self.texts.values.reserve(room / size_of::<U>());
        let dst = view::bytes_uninit_mut(self.texts.values.spare_capacity_mut());
        let reach = conversion.reach(self.kernel, text, dst);
        if reach.read < text.len()
            || reach.written != room
            || !ascii && !is_uncut(conversion, values, borders, range.clone())
        {
            return Ok(false);
        }
        // SAFETY: the conversion has initialised `written` bytes of the spare capacity.
        unsafe { self.texts.values.set_len(before + room / size_of::<U>()) };
        self.texts.offsets.reserve(range.len());
        for row in range.clone() {
            let bytes = (borders.border(row + 1) - start) / from * to;
            push_end(&mut self.texts.offsets, row, before + bytes / size_of::<U>())?;
        }
        if let Some(counts) = &mut self.counts {
            counts.resize(counts.len() + range.len(), 0);
        }
        Ok(true)
    }

    /// Converts a row.
    #[inline]
    fn push(&mut self, rows: &Rows<'_>, row: usize) -> Result<(), RowError> {
        let mut repairs = 0;
        if !rows.is_null(row) {
            let there = rows.row(row);
            let before = self.texts.values.len();
            if let Err(error) = self.append(there.bytes()) {
                repairs = self.fail(row, there.bytes(), before, error, rows.len())?;
            }
        }
        if let Some(counts) = &mut self.counts {
            counts.push(repairs);
        }
        push_end(&mut self.texts.offsets, row, self.texts.values.len())
    }

    /// Appends a row to the values. After an error, the values may have a part of it.
    #[inline]
    fn append(&mut self, row: &[u8]) -> Result<(), Error> {
        let values = &mut self.texts.values;
        if row.len() > SHORT {
            return owned::append(Some(self.kernel), self.to_vec, row, U::vec_mut(values));
        }
        if row.is_empty() {
            return Ok(());
        }
        values.reserve(self.to_vec.growth.worst(row.len()) / size_of::<U>());
        let dst = view::bytes_uninit_mut(values.spare_capacity_mut());
        let reach = self.to_vec.conversion.reach(self.kernel, row, dst);
        let len = values.len() + reach.written / size_of::<U>();
        // SAFETY: the conversion has initialised `written` bytes of the spare capacity.
        unsafe { values.set_len(len) };
        match self.to_vec.conversion.stop(row, reach.read) {
            Stop::Error(error) => Err(error.in_units(self.to_vec.unit_size)),
            Stop::Done => Ok(()),
            Stop::OutputFull => unreachable!("there was room for everything"),
        }
    }

    /// Handles a row that cannot be converted, as asked for; returns its repairs.
    #[cold]
    #[inline(never)]
    fn fail(
        &mut self,
        row: usize,
        text: &[u8],
        before: usize,
        error: Error,
        rows: usize,
    ) -> Result<usize, RowError> {
        self.texts.values.truncate(before);
        match self.on_failure {
            OnFailure::Error => Err(RowError::new(row, RowErrorKind::Text(error))),
            OnFailure::Null => {
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

/// Whether a byte of ASCII is always this character in the scheme, and any ASCII is well-formed.
pub(crate) fn is_plain(scheme: Scheme) -> bool {
    use Scheme::{Ascii, Cesu8, Latin1, Utf8, Wtf8};
    matches!(scheme, Utf8 | Latin1 | Ascii | Cesu8 | Wtf8)
}

/// Appends the end of a row, after so many units.
#[inline]
fn push_end<O: Offset>(offsets: &mut Vec<O>, row: usize, units: usize) -> Result<(), RowError> {
    match O::of_size(units) {
        Some(offset) => offsets.push(offset),
        None => return Err(RowError::new(row, RowErrorKind::OffsetOverflow)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn offsets_that_overflow_name_the_row() {
        let mut offsets = Vec::<i32>::new();
        assert_eq!(push_end(&mut offsets, 3, 0x7FFF_FFFF), Ok(()));
        let error = push_end(&mut offsets, 4, 0x8000_0000);
        assert_eq!(error, Err(RowError::new(4, RowErrorKind::OffsetOverflow)));
        assert_eq!(offsets, [i32::MAX], "nothing wraps");
        assert_eq!(push_end(&mut Vec::<i64>::new(), 4, 0x8000_0000), Ok(()));
    }
}

//! Code pages: converts many rows with one call.
//!
//! 1. Take a block of rows that lie one after another, or copy them one after another.
//! 2. Convert the block. A byte of a code page is one character, so the ends of the rows in the
//!    result are found by counting the characters of the UTF-8.
//! 3. If a row fails, convert this row separately, for its error or its repairs. Then convert the
//!    rows after it.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::ByteArrayType;
use arrow_array::{Array, GenericByteArray, OffsetSizeTrait};
use arrow_buffer::{ArrowNativeType, Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use utflane::code_page::CodePage;
use utflane::columns::{RowError, RowErrorKind};
use utflane::{Metric, Repair, Utf8, utf8};

use crate::arguments::OnFailure;
use crate::column::{ArrowBuffers, mark_null};
use crate::error::Error;
use crate::rows::rows;

/// The size of a block in bytes: large enough that the costs of a call do not count, and small
/// enough for the first-level cache.
const BLOCK_BYTES: usize = 4096;

/// The number of rows after which a block ends, for short and empty rows. A block may have one row
/// more.
const BLOCK_ROWS: usize = 4096;

/// The direction of a conversion.
#[derive(Clone, Copy)]
pub(crate) enum Direction {
    /// From the code page to UTF-8.
    Decode,
    /// From UTF-8 to the code page.
    Encode,
}

/// Converts the rows of an array, which must not be a dictionary, and must be UTF-8 to be encoded.
pub(crate) fn convert_rows<O: OffsetSizeTrait>(
    array: &dyn Array,
    page: CodePage,
    direction: Direction,
    on_failure: OnFailure,
) -> Result<ArrowBuffers<O>, Error> {
    let mut converter = Converter {
        page,
        direction,
        on_failure,
        ends: Vec::new(),
        offsets: Vec::with_capacity(array.len() + 1),
        text: String::new(),
        bytes: Vec::new(),
        failed_rows: Vec::new(),
    };
    converter.offsets.push(O::usize_as(0));
    let is_done = match array.data_type() {
        DataType::Binary => converter.convert_values(array.as_binary::<i32>())?,
        DataType::LargeBinary => converter.convert_values(array.as_binary::<i64>())?,
        DataType::Utf8 => converter.convert_values(array.as_string::<i32>())?,
        DataType::LargeUtf8 => converter.convert_values(array.as_string::<i64>())?,
        _ => false,
    };
    if !is_done {
        converter.convert_copies(array)?;
    }
    let output = match direction {
        Direction::Decode => converter.text.into_bytes(),
        Direction::Encode => converter.bytes,
    };
    let offsets = OffsetBuffer::new(ScalarBuffer::from(converter.offsets));
    Ok((offsets, Buffer::from_vec(output), mark_null(array, &converter.failed_rows)))
}

/// A conversion of rows, and its result so far.
struct Converter<O> {
    page: CodePage,
    direction: Direction,
    on_failure: OnFailure,
    /// The ends of the rows of a block, relative to its start.
    ends: Vec<usize>,
    /// The offsets of the converted rows.
    offsets: Vec<O>,
    /// The converted rows if they are decoded, else empty.
    text: String,
    /// The converted rows if they are encoded, else empty.
    bytes: Vec<u8>,
    /// The rows that become null because they cannot be converted.
    failed_rows: Vec<usize>,
}

impl<O: OffsetSizeTrait> Converter<O> {
    /// Converts the rows of an array without copying them into blocks. Returns false, and does
    /// nothing, if a null row is not empty.
    fn convert_values<T>(&mut self, array: &GenericByteArray<T>) -> Result<bool, Error>
    where
        T: ByteArrayType<Offset: OffsetSizeTrait>,
    {
        let offsets = array.value_offsets();
        if let Some(nulls) = array.nulls()
            && offsets.windows(2).zip(nulls).any(|(row, is_valid)| !is_valid && row[0] < row[1])
        {
            return Ok(false);
        }
        let mut row = 0;
        while row < array.len() {
            let start = offsets[row].as_usize();
            let later = &offsets[row + 2..offsets.len().min(row + 2 + BLOCK_ROWS)];
            let is_in_block = |end: &T::Offset| end.as_usize() - start <= BLOCK_BYTES;
            let end = row + 1 + later.partition_point(is_in_block);
            self.ends.extend(offsets[row + 1..=end].iter().map(|end| end.as_usize() - start));
            self.convert_block(&array.value_data()[start..offsets[end].as_usize()])?;
            row = end;
        }
        Ok(true)
    }

    /// Converts the rows of an array of any type.
    fn convert_copies(&mut self, array: &dyn Array) -> Result<(), Error> {
        let mut block = Vec::new();
        for row in rows(array)? {
            block.extend_from_slice(row.unwrap_or_default());
            self.ends.push(block.len());
            if block.len() >= BLOCK_BYTES || self.ends.len() == BLOCK_ROWS {
                self.convert_block(&block)?;
                block.clear();
            }
        }
        self.convert_block(&block)
    }

    /// Converts the rows of a block, whose ends are `ends`.
    fn convert_block(&mut self, block: &[u8]) -> Result<(), Error> {
        let (mut row, mut start) = (0, 0);
        while row < self.ends.len() {
            let (src, len_before) = (&block[start..], self.output_len());
            let (failed, read) = match self.append(src, None) {
                Ok(()) => (self.ends.len(), src.len()),
                Err(error) => {
                    let read = error.valid_up_to();
                    (self.ends.partition_point(|&end| end <= start + read), read)
                }
            };
            self.push_offsets(row..failed, src, start, read, len_before)?;
            if failed < self.ends.len() {
                start = failed.checked_sub(1).map_or(0, |before| self.ends[before]);
                self.push_failed_row(&block[start..self.ends[failed]])?;
                start = self.ends[failed];
            }
            row = failed + 1;
        }
        self.ends.clear();
        Ok(())
    }

    /// Converts `src`, and appends the result to the output. After an error, the output ends with
    /// the result of the part before the error.
    fn append(&mut self, src: &[u8], repair: Option<Repair>) -> Result<(), utflane::Error> {
        let page = self.page;
        match (self.direction, repair) {
            (Direction::Decode, None) => page.decode_append::<Utf8>(src, &mut self.text)?,
            (Direction::Encode, None) => page.encode_append::<Utf8>(src, &mut self.bytes)?,
            (Direction::Decode, Some(repair)) => {
                page.decode_lossy_append::<Utf8>(src, repair, &mut self.text);
            }
            (Direction::Encode, Some(repair)) => {
                page.encode_lossy_append::<Utf8>(src, repair, &mut self.bytes);
            }
        }
        Ok(())
    }

    /// Appends the output offsets of `rows`, which are in a block. `src` is the part of the block
    /// from the first of these rows on, and begins at `start`. The first `read` bytes of `src` have
    /// been converted to the output after `len_before`. Removes the output of later rows.
    fn push_offsets(
        &mut self,
        rows: Range<usize>,
        src: &[u8],
        start: usize,
        read: usize,
        len_before: usize,
    ) -> Result<(), RowError> {
        let mut ends: Vec<_> = self.ends[rows].iter().map(|end| end - start).collect();
        // In both directions, lengths are equal only if each character is one byte.
        if self.output_len() - len_before != read {
            let (text, from, to) = match self.direction {
                Direction::Decode => {
                    (&self.text.as_bytes()[len_before..], Metric::CodePoints, Metric::Bytes)
                }
                Direction::Encode => (src, Metric::Bytes, Metric::CodePoints),
            };
            let found = utf8::convert_positions(text, from, to, &mut ends);
            debug_assert!(found.is_ok(), "the ends are sorted, and inside the text");
        }
        let len = len_before + ends.last().copied().unwrap_or(0);
        match self.direction {
            Direction::Decode => self.text.truncate(len),
            Direction::Encode => self.bytes.truncate(len),
        }
        if O::from_usize(len).is_some() {
            self.offsets.extend(ends.iter().map(|end| O::usize_as(len_before + end)));
            return Ok(());
        }
        ends.iter().try_for_each(|end| push_offset(&mut self.offsets, len_before + end))
    }

    /// Handles a row that cannot be converted.
    fn push_failed_row(&mut self, bytes: &[u8]) -> Result<(), RowError> {
        let row = self.offsets.len() - 1;
        match self.on_failure {
            OnFailure::Null => self.failed_rows.push(row),
            OnFailure::Error | OnFailure::Repair(_) => {
                let error = |error| RowError { row, kind: RowErrorKind::Text(error) };
                self.append(bytes, self.on_failure.repair()).map_err(error)?;
            }
        }
        let len = self.output_len();
        push_offset(&mut self.offsets, len)
    }

    /// Returns the length of the converted rows.
    fn output_len(&self) -> usize {
        match self.direction {
            Direction::Decode => self.text.len(),
            Direction::Encode => self.bytes.len(),
        }
    }
}

/// Appends the offset at which a row ends.
fn push_offset<O: OffsetSizeTrait>(offsets: &mut Vec<O>, end: usize) -> Result<(), RowError> {
    let row = offsets.len() - 1;
    offsets.push(O::from_usize(end).ok_or(RowError { row, kind: RowErrorKind::OffsetOverflow })?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offset_overflow_reports_the_row() {
        let mut offsets = vec![0_i32, 5];
        assert_eq!(push_offset(&mut offsets, 0x7FFF_FFFF), Ok(()));
        let error = push_offset(&mut offsets, 0x8000_0000);
        assert_eq!(error, Err(RowError { row: 2, kind: RowErrorKind::OffsetOverflow }));
        assert_eq!(push_offset(&mut vec![0_i64], 0x8000_0000), Ok(()));
    }
}

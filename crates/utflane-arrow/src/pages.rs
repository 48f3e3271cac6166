//! Code pages: converts many rows with one call.
//!
//! 1. Copy rows one after another into a block, and note their ends.
//! 2. Convert the block. A byte of a code page is one character, so the ends of the rows in the
//!    result are found by counting the characters of the UTF-8.
//! 3. Convert a row that fails alone, for its error or its repairs, and then the rows after it.

use std::ops::Range;

use arrow_array::{Array, OffsetSizeTrait};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
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
        block: Vec::new(),
        ends: Vec::new(),
        offsets: Vec::with_capacity(array.len() + 1),
        text: String::new(),
        bytes: Vec::new(),
        failed_rows: Vec::new(),
    };
    converter.offsets.push(O::usize_as(0));
    for row in rows(array)? {
        converter.block.extend_from_slice(row.unwrap_or_default());
        converter.ends.push(converter.block.len());
        if converter.block.len() >= BLOCK_BYTES {
            converter.convert_block()?;
        }
    }
    converter.convert_block()?;
    let values = match direction {
        Direction::Decode => converter.text.into_bytes(),
        Direction::Encode => converter.bytes,
    };
    let offsets = OffsetBuffer::new(ScalarBuffer::from(converter.offsets));
    Ok((offsets, Buffer::from_vec(values), mark_null(array, &converter.failed_rows)))
}

/// A conversion of rows, and its result so far.
struct Converter<O> {
    page: CodePage,
    direction: Direction,
    on_failure: OnFailure,
    /// The rows that have not been converted, one after another.
    block: Vec<u8>,
    /// The ends of these rows in `block`.
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
    /// Converts the rows of the block, and empties the block.
    fn convert_block(&mut self) -> Result<(), Error> {
        let (mut row, mut start) = (0, 0);
        while row < self.ends.len() {
            let len_before = self.values_len();
            let (failed, read) = match self.append(start..self.block.len(), None) {
                Ok(()) => (self.ends.len(), self.block.len() - start),
                Err(error) => {
                    let at = start + error.valid_up_to();
                    (self.ends.partition_point(|&end| end <= at), error.valid_up_to())
                }
            };
            self.push_offsets(row..failed, start, read, len_before)?;
            if failed < self.ends.len() {
                start = failed.checked_sub(1).map_or(0, |before| self.ends[before]);
                self.push_failed_row(start..self.ends[failed])?;
                start = self.ends[failed];
            }
            row = failed + 1;
        }
        self.block.clear();
        self.ends.clear();
        Ok(())
    }

    /// Converts a part of the block, and appends the result to the values. After an error, the
    /// values end with the part before it.
    fn append(&mut self, part: Range<usize>, repair: Option<Repair>) -> Result<(), utflane::Error> {
        let (page, src) = (self.page, &self.block[part]);
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

    /// Appends the offsets of rows of the block. The first of them begins at `start` in the block,
    /// and at `len_before` in the values. From `start` on, `read` bytes have been converted, maybe
    /// more than these rows: what is converted of other rows is dropped.
    fn push_offsets(
        &mut self,
        rows: Range<usize>,
        start: usize,
        read: usize,
        len_before: usize,
    ) -> Result<(), RowError> {
        let mut ends: Vec<_> = self.ends[rows].iter().map(|end| end - start).collect();
        // In both directions, lengths are equal only if each character is one byte.
        if self.values_len() - len_before != read {
            let found = match self.direction {
                Direction::Decode => {
                    let text = &self.text.as_bytes()[len_before..];
                    utf8::convert_positions(text, Metric::CodePoints, Metric::Bytes, &mut ends)
                }
                Direction::Encode => {
                    let text = &self.block[start..];
                    utf8::convert_positions(text, Metric::Bytes, Metric::CodePoints, &mut ends)
                }
            };
            debug_assert!(found.is_ok(), "the ends are sorted, and inside the text");
        }
        let len = len_before + ends.last().copied().unwrap_or(0);
        match self.direction {
            Direction::Decode => self.text.truncate(len),
            Direction::Encode => self.bytes.truncate(len),
        }
        ends.iter().try_for_each(|end| push_offset(&mut self.offsets, len_before + end))
    }

    /// Handles a row that cannot be converted, which is a part of the block.
    fn push_failed_row(&mut self, part: Range<usize>) -> Result<(), RowError> {
        let row = self.offsets.len() - 1;
        match self.on_failure {
            OnFailure::Null => self.failed_rows.push(row),
            OnFailure::Error | OnFailure::Repair(_) => {
                let repair = self.on_failure.repair();
                let text = |error| RowError::new(row, RowErrorKind::Text(error));
                self.append(part, repair).map_err(text)?;
            }
        }
        let len = self.values_len();
        push_offset(&mut self.offsets, len)
    }

    /// Returns the length of the converted rows.
    fn values_len(&self) -> usize {
        match self.direction {
            Direction::Decode => self.text.len(),
            Direction::Encode => self.bytes.len(),
        }
    }
}

/// Appends the offset at which a row ends.
fn push_offset<O: OffsetSizeTrait>(offsets: &mut Vec<O>, end: usize) -> Result<(), RowError> {
    let row = offsets.len() - 1;
    offsets.push(O::from_usize(end).ok_or(RowError::new(row, RowErrorKind::OffsetOverflow))?);
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
        assert_eq!(error, Err(RowError::new(2, RowErrorKind::OffsetOverflow)));
        assert_eq!(push_offset(&mut vec![0_i64], 0x8000_0000), Ok(()));
    }
}

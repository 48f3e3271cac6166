//! The lines of one file, in batches.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use datafusion::arrow::array::{
    BinaryArray, DictionaryArray, Int64Array, RecordBatch, StringArray, UInt16Array,
};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::memory_pool::MemoryReservation;
use datafusion::object_store;
use datafusion::object_store::path::Path;
use futures::StreamExt;
use futures::stream::BoxStream;
use utflane_arrow::{OnFailure, to_utf8};

use super::decoder::{Decoder, Decoding};
use super::error::{Failure, FileError};
use crate::encoding::OnError;

/// The columns.
pub(super) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let path = DataType::Dictionary(Box::new(DataType::UInt16), Box::new(DataType::Utf8));
    Arc::new(Schema::new(vec![
        Field::new("path", path, false),
        Field::new("line", DataType::Int64, false),
        Field::new("text", DataType::Utf8, true),
    ]))
});

/// The most bytes of a line in UTF-8, where the query names no other number.
pub(super) const LONGEST_LINE: usize = 256 << 20;

/// Bytes of text from which a batch is full.
const BATCH_BYTES: usize = 8 << 20;

/// A file that is read, and the lines of its next batch.
pub(super) struct TextFile {
    path: Path,
    pieces: BoxStream<'static, object_store::Result<Bytes>>,
    decoder: Decoder,
    /// True if an ill-formed line becomes null.
    nulls: bool,
    ended: bool,
    /// The beginning of a line, of which the end is not decoded yet.
    beginning: Vec<u8>,
    /// True if this line is ill-formed.
    is_bad: bool,
    /// The lines before the batch.
    before: u64,
    /// The most bytes of a line.
    longest: usize,
    /// Memory of the pool for `beginning` and `values`, also for the previous batch.
    reservation: MemoryReservation,
    /// Why the pool gave no more.
    exhausted: Option<DataFusionError>,
    /// The lines of the batch.
    values: Vec<u8>,
    lens: Vec<usize>,
    valid: Vec<bool>,
}

impl TextFile {
    /// Creates the lines of a file, which arrives in chunks.
    pub(super) fn new(
        path: Path,
        decoding: Decoding,
        longest: usize,
        reservation: MemoryReservation,
        pieces: BoxStream<'static, object_store::Result<Bytes>>,
    ) -> Self {
        Self {
            path,
            pieces,
            decoder: Decoder::new(decoding),
            nulls: decoding.on_error == OnError::Null,
            ended: false,
            beginning: Vec::new(),
            is_bad: false,
            before: 0,
            longest,
            reservation,
            exhausted: None,
            values: Vec::new(),
            lens: Vec::new(),
            valid: Vec::new(),
        }
    }

    /// Returns true if there are no lines after the batch.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Reads until the batch has so many rows, or the file has ended. The batch keeps the lines
    /// before an error, and the file ends with it.
    pub(super) async fn fill(&mut self, rows: usize) -> Result<()> {
        self.reservation.resize(self.beginning.capacity() + self.values.capacity());
        while !self.ended && self.lens.len() < rows && self.values.len() < BATCH_BYTES {
            match self.pieces.next().await {
                Some(Ok(piece)) => self.decoder.feed(piece),
                Some(Err(error)) => {
                    self.ended = true;
                    return Err(error.into());
                }
                None => {
                    self.decoder.end();
                    self.ended = true;
                }
            }
            if let Err(failure) = self.decode() {
                self.ended = true;
                let line = self.before + self.lens.len() as u64 + 1;
                let error = FileError { location: self.path.to_string(), line, failure };
                self.beginning = Vec::new();
                return Err(match self.exhausted.take() {
                    Some(exhausted) => exhausted.context(error.to_string()),
                    None => DataFusionError::External(Box::new(error)),
                });
            }
        }
        Ok(())
    }

    /// Decodes the available bytes, and splits them into lines.
    fn decode(&mut self) -> Result<(), Failure> {
        while let Some(next) = self.decoder.next() {
            match next {
                Ok(text) => self.take_lines(&text)?,
                Err(Failure::IllFormed { .. }) if self.nulls => self.is_bad = true,
                Err(failure) => return Err(failure),
            }
        }
        if self.ended && (self.is_bad || !self.beginning.is_empty()) {
            // Without a line feed, a carriage return is text.
            let line = std::mem::take(&mut self.beginning);
            self.push(&line)?;
        }
        Ok(())
    }

    /// Takes the lines that end in the text.
    fn take_lines(&mut self, text: &[u8]) -> Result<(), Failure> {
        let mut line = 0;
        for end in memchr::memchr_iter(b'\n', text) {
            self.end_line(&text[line..end])?;
            line = end + 1;
        }
        self.begin_line(&text[line..])
    }

    /// Adds the line that ends with `text` and a line feed.
    fn end_line(&mut self, text: &[u8]) -> Result<(), Failure> {
        if self.beginning.is_empty() {
            return self.push(text.strip_suffix(b"\r").unwrap_or(text));
        }
        self.begin_line(text)?;
        let line = std::mem::take(&mut self.beginning);
        self.push(line.strip_suffix(b"\r").unwrap_or(&line))?;
        drop(line);
        self.reservation.resize(self.values.capacity());
        Ok(())
    }

    /// Adds to the line of which the end is not decoded yet. Of one that becomes null, nothing is
    /// kept.
    fn begin_line(&mut self, text: &[u8]) -> Result<(), Failure> {
        if self.is_bad {
            return Ok(());
        }
        let len = self.beginning.len() + text.len();
        // A carriage return may belong to its end.
        if len > self.longest + 1 {
            return Err(Failure::TooLong { longest: self.longest });
        }
        reserve(&self.reservation, &mut self.exhausted, &mut self.beginning, text.len())?;
        self.beginning.extend_from_slice(text);
        Ok(())
    }

    /// Adds a line to the batch.
    fn push(&mut self, line: &[u8]) -> Result<(), Failure> {
        let line = if self.is_bad { &[] } else { line };
        if line.len() > self.longest.min(i32::MAX as usize - self.values.len()) {
            return Err(Failure::TooLong { longest: self.longest });
        }
        reserve(&self.reservation, &mut self.exhausted, &mut self.values, line.len())?;
        self.values.extend_from_slice(line);
        self.lens.push(line.len());
        self.valid.push(!self.is_bad);
        self.is_bad = false;
        Ok(())
    }

    /// Returns the lines so far, and begins another batch.
    pub(super) fn take_batch(&mut self) -> Result<RecordBatch> {
        let rows = self.lens.len();
        let offsets = OffsetBuffer::<i32>::from_lengths(std::mem::take(&mut self.lens));
        let nulls = NullBuffer::from(std::mem::take(&mut self.valid));
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        let values = std::mem::take(&mut self.values);
        let lines = BinaryArray::new(offsets, values.into(), nulls);
        // The decoder writes UTF-8, and lines end at a character.
        let lines = to_utf8(&lines, OnFailure::Error)
            .map_err(|error| DataFusionError::External(Box::new(error)))?;
        let first = self.before as i64 + 1;
        self.before += rows as u64;
        let path = StringArray::from(vec![self.path.to_string()]);
        let paths = DictionaryArray::new(UInt16Array::from(vec![0; rows]), Arc::new(path));
        let numbers = Int64Array::from_iter_values(first..first + rows as i64);
        let columns = vec![Arc::new(paths) as _, Arc::new(numbers) as _, lines];
        Ok(RecordBatch::try_new(Arc::clone(&SCHEMA), columns)?)
    }
}

/// Reserves memory for `more` bytes, first of the pool: as much as a vector that grows takes. After
/// a failure, `exhausted` is the pool's error.
fn reserve(
    reservation: &MemoryReservation,
    exhausted: &mut Option<DataFusionError>,
    bytes: &mut Vec<u8>,
    more: usize,
) -> Result<(), Failure> {
    let (len, capacity) = (bytes.len() + more, bytes.capacity());
    if len <= capacity {
        return Ok(());
    }
    let wanted = len.max(2 * capacity);
    if let Err(error) = reservation.try_grow(wanted - capacity) {
        *exhausted = Some(error);
        return Err(Failure::Memory);
    }
    bytes.reserve_exact(wanted - bytes.len());
    Ok(())
}

//! Reads one file as batches of lines.

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

/// The columns of `read_text`.
pub(super) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let path = DataType::Dictionary(Box::new(DataType::UInt16), Box::new(DataType::Utf8));
    Arc::new(Schema::new(vec![
        Field::new("path", path, false),
        Field::new("line", DataType::Int64, false),
        Field::new("text", DataType::Utf8, true),
    ]))
});

/// The maximum length of a line in bytes of UTF-8, if the query names none.
pub(super) const DEFAULT_MAX_LINE_BYTES: usize = 256 << 20;

/// A batch is full when its text has at least this number of bytes.
const BATCH_BYTES: usize = 8 << 20;

/// A file that is being read, and the lines of its next batch.
pub(super) struct TextFile {
    path: Path,
    chunks: BoxStream<'static, object_store::Result<Bytes>>,
    decoder: Decoder,
    /// True if an ill-formed line becomes null.
    ill_formed_becomes_null: bool,
    /// True if no line follows the batch.
    ended: bool,
    /// The decoded start of a line whose end is not decoded yet.
    partial_line: Vec<u8>,
    /// True if the line that is being decoded is ill-formed and becomes null.
    line_is_null: bool,
    /// The number of lines before the batch.
    lines_before_batch: u64,
    /// The maximum length of a line, in bytes.
    max_line_bytes: usize,
    /// The memory that the pool has reserved for `partial_line` and `values`. It includes the
    /// values of the previous batch until the next call of [`fill`](Self::fill).
    reservation: MemoryReservation,
    /// The error of the pool, if it refused to reserve memory.
    pool_error: Option<DataFusionError>,
    /// The lines of the batch, concatenated. Lines that are null are empty.
    values: Vec<u8>,
    /// The length of each line of the batch, in bytes.
    line_lens: Vec<usize>,
    /// For each line of the batch: true if it is not null.
    line_validity: Vec<bool>,
}

impl TextFile {
    /// Creates a reader of the lines of the file at `path`, whose bytes arrive in `chunks`.
    pub(super) fn new(
        path: Path,
        decoding: Decoding,
        max_line_bytes: usize,
        reservation: MemoryReservation,
        chunks: BoxStream<'static, object_store::Result<Bytes>>,
    ) -> Self {
        Self {
            path,
            chunks,
            decoder: Decoder::new(decoding),
            ill_formed_becomes_null: decoding.on_error == OnError::Null,
            ended: false,
            partial_line: Vec::new(),
            line_is_null: false,
            lines_before_batch: 0,
            max_line_bytes,
            reservation,
            pool_error: None,
            values: Vec::new(),
            line_lens: Vec::new(),
            line_validity: Vec::new(),
        }
    }

    /// Returns true if there are no lines after the batch.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Reads until the batch has at least `rows` rows, is full, or the file has ended. After an
    /// error, the batch has the lines before the error, and no line follows.
    pub(super) async fn fill(&mut self, rows: usize) -> Result<()> {
        self.reservation.resize(self.partial_line.capacity() + self.values.capacity());
        while !self.ended && self.line_lens.len() < rows && self.values.len() < BATCH_BYTES {
            match self.chunks.next().await {
                Some(Ok(chunk)) => self.decoder.feed(chunk),
                Some(Err(error)) => {
                    self.ended = true;
                    return Err(error.into());
                }
                None => {
                    self.decoder.end();
                    self.ended = true;
                }
            }
            if let Err(failure) = self.decode_chunk() {
                self.ended = true;
                let line = self.lines_before_batch + self.line_lens.len() as u64 + 1;
                let error = FileError { location: self.path.to_string(), line, failure };
                self.partial_line = Vec::new();
                return Err(match self.pool_error.take() {
                    Some(pool_error) => pool_error.context(error.to_string()),
                    None => DataFusionError::External(Box::new(error)),
                });
            }
        }
        Ok(())
    }

    /// Decodes the bytes that the decoder has, and splits the text into lines.
    fn decode_chunk(&mut self) -> Result<(), Failure> {
        while let Some(next) = self.decoder.next() {
            match next {
                Ok(text) => self.add_lines(&text)?,
                Err(Failure::IllFormed { .. }) if self.ill_formed_becomes_null => {
                    self.line_is_null = true
                }
                Err(failure) => return Err(failure),
            }
        }
        if self.ended && (self.line_is_null || !self.partial_line.is_empty()) {
            // A carriage return that no line feed follows belongs to the text.
            let line = std::mem::take(&mut self.partial_line);
            self.push_line(&line)?;
        }
        Ok(())
    }

    /// Adds the lines that end in `text` to the batch, and keeps the rest as a partial line.
    fn add_lines(&mut self, text: &[u8]) -> Result<(), Failure> {
        let mut line_start = 0;
        for line_end in memchr::memchr_iter(b'\n', text) {
            self.end_line(&text[line_start..line_end])?;
            line_start = line_end + 1;
        }
        self.extend_partial_line(&text[line_start..])
    }

    /// Adds a line to the batch. It consists of the partial line and `text`. In the file, a line
    /// feed follows `text`.
    fn end_line(&mut self, text: &[u8]) -> Result<(), Failure> {
        if self.partial_line.is_empty() {
            return self.push_line(text.strip_suffix(b"\r").unwrap_or(text));
        }
        self.extend_partial_line(text)?;
        let line = std::mem::take(&mut self.partial_line);
        self.push_line(line.strip_suffix(b"\r").unwrap_or(&line))?;
        drop(line);
        self.reservation.resize(self.values.capacity());
        Ok(())
    }

    /// Appends `text` to the partial line. Does nothing if the line becomes null.
    fn extend_partial_line(&mut self, text: &[u8]) -> Result<(), Failure> {
        if self.line_is_null {
            return Ok(());
        }
        let len = self.partial_line.len() + text.len();
        // The last byte may be a carriage return, which belongs to the line end.
        if len > self.max_line_bytes + 1 {
            return Err(Failure::TooLong { max_bytes: self.max_line_bytes });
        }
        reserve(&self.reservation, &mut self.pool_error, &mut self.partial_line, text.len())?;
        self.partial_line.extend_from_slice(text);
        Ok(())
    }

    /// Adds a line to the batch.
    fn push_line(&mut self, line: &[u8]) -> Result<(), Failure> {
        let line = if self.line_is_null { &[] } else { line };
        if line.len() > self.max_line_bytes.min(i32::MAX as usize - self.values.len()) {
            return Err(Failure::TooLong { max_bytes: self.max_line_bytes });
        }
        reserve(&self.reservation, &mut self.pool_error, &mut self.values, line.len())?;
        self.values.extend_from_slice(line);
        self.line_lens.push(line.len());
        self.line_validity.push(!self.line_is_null);
        self.line_is_null = false;
        Ok(())
    }

    /// Returns the lines of the batch, and begins another batch.
    pub(super) fn take_batch(&mut self) -> Result<RecordBatch> {
        let rows = self.line_lens.len();
        let offsets = OffsetBuffer::<i32>::from_lengths(std::mem::take(&mut self.line_lens));
        let nulls = NullBuffer::from(std::mem::take(&mut self.line_validity));
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        let values = std::mem::take(&mut self.values);
        let lines = BinaryArray::new(offsets, values.into(), nulls);
        // The decoder writes UTF-8, and each line ends at a character boundary.
        let lines = to_utf8(&lines, OnFailure::Error)
            .map_err(|error| DataFusionError::External(Box::new(error)))?;
        let first_line = self.lines_before_batch as i64 + 1;
        self.lines_before_batch += rows as u64;
        let path = StringArray::from(vec![self.path.to_string()]);
        let paths = DictionaryArray::new(UInt16Array::from(vec![0; rows]), Arc::new(path));
        let line_numbers = Int64Array::from_iter_values(first_line..first_line + rows as i64);
        let columns = vec![Arc::new(paths) as _, Arc::new(line_numbers) as _, lines];
        Ok(RecordBatch::try_new(Arc::clone(&SCHEMA), columns)?)
    }
}

/// Reserves memory for `additional` bytes, first in the pool and then in `bytes`. If `bytes` has to
/// grow, its capacity at least doubles. On failure, stores the error of the pool in `pool_error`.
fn reserve(
    reservation: &MemoryReservation,
    pool_error: &mut Option<DataFusionError>,
    bytes: &mut Vec<u8>,
    additional: usize,
) -> Result<(), Failure> {
    let (len, capacity) = (bytes.len() + additional, bytes.capacity());
    if len <= capacity {
        return Ok(());
    }
    let new_capacity = len.max(2 * capacity);
    if let Err(error) = reservation.try_grow(new_capacity - capacity) {
        *pool_error = Some(error);
        return Err(Failure::Memory);
    }
    bytes.reserve_exact(new_capacity - bytes.len());
    Ok(())
}

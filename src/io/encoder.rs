//! The buffer of a writer, and the encoding of text into it.
//!
//! A transcoder writes into a buffer. When the buffer is full, its content is written to the inner
//! writer. The transcoder keeps a character that is split across writes. A write takes only the
//! bytes that have been converted, and calls the inner writer only if the buffer is full. So an
//! error of the inner writer loses no text.

use std::io::{self, Write};
use std::vec::Vec;

use crate::encoding::scheme::Scheme;
use crate::io::parts::{DEFAULT_CAPACITY_BYTES, excess_count_error, grow};
use crate::stream::transcoder::ByteTranscoder;
use crate::types::error::StreamError;
use crate::types::progress::Stop;

/// A writer without its inner writer, which callers pass to the methods.
pub(super) struct Encoder {
    pub(super) transcoder: ByteTranscoder,
    pub(super) scheme: Scheme,
    /// True if a byte order mark is written at the start.
    pub(super) mark: bool,
    /// The maximum size of the buffer, in bytes.
    pub(super) capacity: usize,
    buffer: Vec<u8>,
    /// The number of bytes at the start of the buffer that the inner writer has taken.
    pub(super) sent: usize,
    /// The number of bytes at the start of the buffer that have been filled.
    pub(super) filled: usize,
    /// The number of bytes taken from callers.
    pub(super) taken: u64,
    /// The number to add to the transcoder's offsets, modulo 2^64. The transcoder may have begun
    /// after the start of the stream, and may have seen the bytes of an error twice.
    shift: u64,
    /// The error for an incomplete last character. It is kept until the buffer has been written.
    pub(super) error: Option<StreamError>,
    /// True while the inner writer runs. If this is true in `drop`, the inner writer has panicked.
    pub(super) writing: bool,
}

impl Encoder {
    /// Creates an encoder at the start of a stream.
    pub(super) fn new(scheme: Scheme) -> Self {
        Self {
            transcoder: ByteTranscoder::new(Scheme::Utf8, scheme),
            scheme,
            mark: false,
            capacity: DEFAULT_CAPACITY_BYTES,
            buffer: Vec::new(),
            sent: 0,
            filled: 0,
            taken: 0,
            shift: 0,
            error: None,
            writing: false,
        }
    }

    /// Allocates the buffer, and writes the mark into it if there is one.
    fn begin_output(&mut self) {
        if self.buffer.is_empty() {
            grow(&mut self.buffer, self.capacity);
            let mark = if self.mark { self.scheme.byte_order_mark() } else { &[] };
            self.buffer[..mark.len()].copy_from_slice(mark);
            self.filled = mark.len();
        }
    }

    /// Converts at least one byte, or up to an error. Returns the number of bytes read, including
    /// the bytes of the error.
    fn push(
        &mut self,
        inner: &mut dyn Write,
        src: &[u8],
    ) -> io::Result<(usize, Option<StreamError>)> {
        self.begin_output();
        loop {
            let progress = self.transcoder.push(src, &mut self.buffer[self.filled..]);
            self.filled += progress.written;
            let read = progress.read;
            let error = match progress.stop {
                Stop::Error(error) => Some(self.placed(error, read)),
                Stop::OutputFull if read == 0 => {
                    self.add_capacity(inner)?;
                    continue;
                }
                _ => None,
            };
            self.taken += read as u64;
            return Ok((read, error));
        }
    }

    /// Returns an error of the transcoder, with its offset from the start of the stream.
    fn placed(&self, error: StreamError, read: usize) -> StreamError {
        error.placed(error.offset().wrapping_add(self.shift), read)
    }

    /// Implements [`Write::write`] with `inner` as the inner writer.
    #[inline(never)]
    pub(super) fn write(&mut self, inner: &mut dyn Write, src: &[u8]) -> io::Result<usize> {
        if src.is_empty() {
            return Ok(0);
        }
        let (read, error) = self.push(inner, src)?;
        let Some(error) = error else { return Ok(read) };
        let valid_len = read.saturating_sub(error.error_len().unwrap_or(0));
        if valid_len == 0 {
            return Err(error.into());
        }
        // The caller learns only how many bytes were valid, and writes the other bytes again.
        let repeated_len = (read - valid_len) as u64;
        self.taken -= repeated_len;
        self.shift = self.shift.wrapping_sub(repeated_len);
        Ok(valid_len)
    }

    /// Implements [`Write::write_all`] with `inner` as the inner writer.
    #[inline(never)]
    pub(super) fn write_all(&mut self, inner: &mut dyn Write, src: &[u8]) -> io::Result<()> {
        let mut taken = 0;
        while taken < src.len() {
            let (read, error) = self.push(inner, &src[taken..])?;
            taken += read;
            if let Some(error) = error {
                return Err(error.placed(error.offset(), taken).into());
            }
        }
        Ok(())
    }

    /// Adds capacity to a full buffer: grows it up to its maximum size, or writes its content.
    fn add_capacity(&mut self, inner: &mut dyn Write) -> io::Result<()> {
        if self.buffer.len() < self.capacity {
            grow(&mut self.buffer, self.capacity);
            return Ok(());
        }
        self.write_buffer(inner)
    }

    /// Writes the content of the buffer.
    #[inline(never)]
    pub(super) fn write_buffer(&mut self, inner: &mut dyn Write) -> io::Result<()> {
        while self.sent < self.filled {
            let waiting = &self.buffer[self.sent..self.filled];
            self.writing = true;
            let result = inner.write(waiting);
            self.writing = false;
            match result {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(sent) if sent <= waiting.len() => self.sent += sent,
                Ok(_) => return Err(excess_count_error()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        (self.sent, self.filled) = (0, 0);
        Ok(())
    }

    /// Ends the text and writes the content of the buffer. Stores the error for an incomplete last
    /// character in `error`.
    pub(super) fn end_text(&mut self, inner: &mut dyn Write) -> io::Result<()> {
        self.begin_output();
        loop {
            let progress = self.transcoder.finish(&mut self.buffer[self.filled..]);
            self.filled += progress.written;
            match progress.stop {
                Stop::OutputFull => {
                    self.add_capacity(inner)?;
                    continue;
                }
                Stop::Error(error) => self.error = Some(self.placed(error, 0)),
                Stop::Done => {}
            }
            break;
        }
        // The transcoder is at the start of a new stream.
        self.shift = self.taken;
        self.write_buffer(inner)
    }
}

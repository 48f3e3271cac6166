//! The reader.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use encoding_rs::UTF_8;

use crate::decoder::{Decoder, OUTPUT_MIN_BYTES};
use crate::source::Source;

/// Reads from the reader `R` and returns the text in UTF-8. `B` holds the bytes between.
///
/// The result is well-formed UTF-8 only if the bytes are decoded: see the table of
/// [`DecodeReaderBytesBuilder`](crate::DecodeReaderBytesBuilder). A call may return a part of a
/// character, if the caller's buffer is too small for the next character.
///
/// # Errors
///
/// A call returns the errors of the inner reader unchanged, after the text before them. The next
/// call continues. Only within the first three bytes, an interrupted call of the inner reader is
/// repeated. Ill-formed text is not an error.
pub struct DecodeReaderBytes<R, B> {
    source: Source<R>,
    decoder: Option<Decoder>,
    /// True until the byte order mark has been looked for.
    detects: bool,
    utf8_passthru: bool,
    buffer: B,
    /// The bytes of `buffer` that have been read, but not decoded.
    undecoded: Range<usize>,
    /// Text that did not fit into the caller's buffer, or the first character.
    small: [u8; OUTPUT_MIN_BYTES],
    /// The bytes of `small` that have not been returned.
    ready: Range<usize>,
    end: End,
}

/// How much of the end of the stream has been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Unseen,
    /// The inner reader has ended.
    Read,
    /// The decoder has ended too.
    Decoded,
}

impl<R: Read, B: AsMut<[u8]>> DecodeReaderBytes<R, B> {
    /// Creates a reader at the start of a stream. `decoder` decodes a stream without a byte order
    /// mark, and with one if `detects` is false.
    pub(crate) fn at_start(
        source: Source<R>,
        decoder: Option<Decoder>,
        detects: bool,
        utf8_passthru: bool,
        buffer: B,
    ) -> Self {
        Self {
            source,
            decoder,
            detects,
            utf8_passthru,
            buffer,
            undecoded: 0..0,
            small: [0; OUTPUT_MIN_BYTES],
            ready: 0..0,
            end: End::Unseen,
        }
    }

    /// Chooses the encoding of the byte order mark, once.
    fn detect(&mut self) -> io::Result<()> {
        if self.detects {
            let marked = self.source.marked_encoding()?;
            self.detects = false;
            match marked {
                Some(encoding) if encoding == UTF_8 && self.utf8_passthru => {}
                Some(encoding) => self.decoder = Some(Decoder::new(encoding)),
                None => {}
            }
        }
        Ok(())
    }

    /// Returns the next text: at least one byte, unless the stream has ended or `dst` is empty.
    fn decode(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let Some(decoder) = &mut self.decoder else { return Ok(0) };
        while !dst.is_empty() && self.ready.is_empty() && self.end != End::Decoded {
            if self.undecoded.is_empty() && self.end == End::Unseen {
                self.undecoded = 0..self.source.read(self.buffer.as_mut())?;
                if self.undecoded.is_empty() {
                    self.end = End::Read;
                }
            }
            let is_direct = dst.len() >= OUTPUT_MIN_BYTES && !decoder.is_before_mark();
            let out = if is_direct { &mut *dst } else { &mut self.small };
            let text = if self.end == End::Read {
                self.end = End::Decoded;
                decoder.finish(out)
            } else {
                let src = &self.buffer.as_mut()[self.undecoded.clone()];
                let (read, text) = decoder.push(src, out);
                self.undecoded.start += read;
                text
            };
            if !is_direct {
                self.ready = text;
            } else if !text.is_empty() {
                return Ok(text.end);
            }
        }
        let written = self.ready.len().min(dst.len());
        dst[..written].copy_from_slice(&self.small[self.ready.clone()][..written]);
        self.ready.start += written;
        Ok(written)
    }
}

impl<R: Read, B: AsMut<[u8]>> Read for DecodeReaderBytes<R, B> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        self.detect()?;
        if self.decoder.is_some() { self.decode(dst) } else { self.source.read(dst) }
    }
}

impl<R: fmt::Debug, B: fmt::Debug> fmt::Debug for DecodeReaderBytes<R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeReaderBytes")
            .field("source", &self.source)
            .field("decoder", &self.decoder)
            .field("buffer", &self.buffer)
            .field("undecoded", &self.undecoded)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

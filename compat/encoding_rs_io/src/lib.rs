//! The interface of the crate `encoding_rs_io` 0.1.8, implemented with [utflane]. If
//! `[patch.crates-io]` replaces encoding_rs_io by this package, a program and all its dependencies
//! use utflane without a change.
//!
//! [`DecodeReaderBytes`] wraps a reader and returns its text in UTF-8. The encoding is the encoding
//! of the byte order mark, or it is given to the [`DecodeReaderBytesBuilder`]. Without either, the
//! bytes are returned unchanged. U+FFFD replaces ill-formed sequences.
//!
//! ```
//! use std::io::Read;
//!
//! use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};
//!
//! let mut text = String::new();
//! DecodeReaderBytes::new(&b"\xFF\xFEH\0i\0"[..]).read_to_string(&mut text)?;
//! assert_eq!(text, "Hi");
//!
//! let mut text = String::new();
//! DecodeReaderBytesBuilder::new()
//!     .encoding(Some(encoding_rs::WINDOWS_1251))
//!     .build(&b"\xC4\xE0"[..])
//!     .read_to_string(&mut text)?;
//! assert_eq!(text, "Да");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Differences
//!
//! * utflane decodes UTF-8, UTF-16 and the 28 single-byte encodings of the Encoding Standard. All
//!   other encodings are decoded by encoding_rs.
//! * An error of the inner reader within the first three bytes loses no bytes, and the next call
//!   still looks for a byte order mark.
//! * At the end of the inner reader, one call of it returns 0, not two.

mod builder;
mod decoder;
mod source;

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use encoding_rs::UTF_8;

pub use crate::builder::DecodeReaderBytesBuilder;
use crate::decoder::{Decoder, OUTPUT_MIN_BYTES};
use crate::source::Source;

/// Reads from the reader `R` and returns the text in UTF-8. `B` holds the bytes between.
///
/// The result is well-formed UTF-8 only if the bytes are decoded: see
/// [`DecodeReaderBytesBuilder`]. A call may return a part of a character, if the caller's buffer is
/// too small for the next character.
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

impl<R: Read> DecodeReaderBytes<R, Vec<u8>> {
    /// Creates a reader with the default configuration of [`DecodeReaderBytesBuilder`] and a buffer
    /// of 8 KiB.
    pub fn new(rdr: R) -> Self {
        DecodeReaderBytesBuilder::new().build(rdr)
    }
}

impl<R: Read, B: AsMut<[u8]>> DecodeReaderBytes<R, B> {
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

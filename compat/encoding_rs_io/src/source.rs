//! The inner reader, whose first bytes may be a byte order mark.

use std::io::{self, Read};

use encoding_rs::Encoding;

/// The number of bytes that are read ahead: the longest byte order mark.
const FIRST_BYTES: usize = 3;

/// Reads from the inner reader. The first bytes are read ahead, and returned first.
#[derive(Debug)]
pub(crate) struct Source<R> {
    inner: R,
    strips_mark: bool,
    first: [u8; FIRST_BYTES],
    /// The number of bytes in `first`.
    first_len: usize,
    /// The number of bytes of `first` that have been returned or stripped.
    returned: usize,
    /// True if `first` is full, or the inner reader has ended.
    is_ahead: bool,
}

impl<R: Read> Source<R> {
    /// Creates a source at the start of `inner`.
    pub(crate) fn new(inner: R, strips_mark: bool) -> Self {
        let first = [0; FIRST_BYTES];
        Self { inner, strips_mark, first, first_len: 0, returned: 0, is_ahead: false }
    }

    /// Reads the first bytes. If the inner reader fails, the next call continues.
    fn read_ahead(&mut self) -> io::Result<()> {
        while !self.is_ahead {
            let read = match self.inner.read(&mut self.first[self.first_len..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                result => result?,
            };
            self.first_len += read;
            self.is_ahead = read == 0 || self.first_len == FIRST_BYTES;
            if self.is_ahead && self.strips_mark {
                self.returned = self.mark().map_or(0, |(_, mark_len)| mark_len);
            }
        }
        Ok(())
    }

    /// Returns the encoding and the length of the byte order mark.
    fn mark(&self) -> Option<(&'static Encoding, usize)> {
        Encoding::for_bom(&self.first[..self.first_len])
    }

    /// Returns the encoding of the byte order mark. Like encoding_rs_io, ignores the mark of a
    /// stream of less than three bytes.
    pub(crate) fn marked_encoding(&mut self) -> io::Result<Option<&'static Encoding>> {
        self.read_ahead()?;
        let (encoding, _) = self.mark().filter(|_| self.first_len == FIRST_BYTES).unzip();
        Ok(encoding)
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        self.read_ahead()?;
        let mut first = &self.first[self.returned..self.first_len];
        if first.is_empty() {
            return self.inner.read(dst);
        }
        let read = first.read(dst)?;
        self.returned += read;
        Ok(read)
    }
}

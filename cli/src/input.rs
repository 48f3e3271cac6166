//! A file read through one buffer: the newest chunk, and in front of it what its reader has not let go yet.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of a chunk at most: as much as a pipe holds, and little enough to stay in the second-level cache with its
/// output.
pub(crate) const CHUNK: usize = 64 * 1024;

/// Bytes that may be kept in front of a chunk; its readers keep at most 7.
const KEPT: usize = 64;

/// An open file, or standard input.
pub(crate) struct Input {
    source: Box<dyn Read>,
    buffer: Box<[u8]>,
    /// The kept bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// Bytes of the file in front of the kept ones.
    offset: u64,
    /// Whether the source has said that it is at its end; it isn't asked again, for a terminal would go on.
    ended: bool,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(file: &Path) -> io::Result<Self> {
        if file.as_os_str() == "-" {
            return Ok(Self::new(Box::new(io::stdin().lock())));
        }
        Ok(Self::new(Box::new(File::open(file)?)))
    }

    /// Reads from `source`.
    pub(crate) fn new(source: Box<dyn Read>) -> Self {
        let buffer = vec![0; KEPT + CHUNK].into_boxed_slice();
        Self { source, buffer, start: 0, end: 0, offset: 0, ended: false }
    }

    /// Reads the next chunk behind the kept bytes and gives it; it is empty at the end of the file only.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.ended {
            return Ok(&[]);
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        debug_assert!(self.end <= KEPT, "a full buffer would look like the end of the file");
        let room = self.end..self.buffer.len().min(self.end + CHUNK);
        let read = loop {
            match self.source.read(&mut self.buffer[room.clone()]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.ended = read == 0;
        self.end += read;
        Ok(&self.buffer[self.end - read..self.end])
    }

    /// The bytes read and not yet let go.
    pub(crate) fn kept(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Bytes of the file in front of the kept ones.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Lets the first `count` kept bytes go.
    pub(crate) fn release(&mut self, count: usize) {
        debug_assert!(count <= self.kept().len());
        self.start += count;
        self.offset += count as u64;
    }
}

//! A file read through one buffer: the newest chunk, in front of it what its reader has not let go yet, and in front of
//! that a little more, for whoever wants to show where a place is.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::mem;
use std::path::Path;

use crate::progress;

/// Bytes of a chunk at most: as much as a pipe holds, and little enough to stay in the second-level cache with its
/// output.
pub(crate) const CHUNK: usize = 64 * 1024;

/// Bytes that may be kept in front of a chunk.
pub(crate) const KEPT: usize = 1024;

/// Bytes that have been let go and are still there.
pub(crate) const HISTORY: usize = 1024;

/// An open file, or standard input.
pub(crate) struct Input {
    source: Box<dyn Read + Send>,
    /// The size of the file, if it has one.
    size: Option<u64>,
    buffer: Box<[u8]>,
    /// The kept bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// Bytes of the file in front of the kept ones.
    offset: u64,
    /// Whether the kept bytes have been looked at beforehand, and are the next chunk.
    peeked: bool,
    /// Whether the source has said that it is at its end; it isn't asked again, for a terminal would go on.
    ended: bool,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(file: &Path) -> io::Result<Self> {
        let file = match file.as_os_str() == "-" {
            true => match standard() {
                Some(file) => file,
                None => return Ok(Self::new(Box::new(io::stdin()))),
            },
            false => File::open(file)?,
        };
        let found = file.metadata()?;
        let size = found.is_file().then_some(found.len());
        Ok(Self { size, ..Self::new(Box::new(file)) })
    }

    /// Reads from `source`.
    pub(crate) fn new(source: Box<dyn Read + Send>) -> Self {
        let buffer = vec![0; HISTORY + KEPT + CHUNK].into_boxed_slice();
        let (offset, peeked, ended) = (0, false, false);
        Self { source, size: None, buffer, start: 0, end: 0, offset, peeked, ended }
    }

    /// The size of the file, if it has one.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Takes all kept bytes, for whoever goes on with [`read`](Self::read); then, [`resume`](Self::resume).
    pub(crate) fn take(&mut self) -> Vec<u8> {
        self.peeked = false;
        let kept = self.kept().to_vec();
        self.end = self.start;
        kept
    }

    /// Reads on, past the buffer; says how much, 0 at the end of the file only.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        let read = retried(&mut self.source, bytes)?;
        progress::read(read);
        self.ended = read == 0;
        Ok(read)
    }

    /// Goes on in chunks, behind `passed` more bytes of the file that end with `history`; `back` comes first.
    pub(crate) fn resume(&mut self, passed: u64, history: &[u8], back: Vec<u8>) {
        if passed > 0 {
            let history = &history[history.len().saturating_sub(HISTORY)..];
            self.buffer[..history.len()].copy_from_slice(history);
            (self.start, self.end) = (history.len(), history.len());
        }
        self.offset += passed;
        if !back.is_empty() {
            let rest = mem::replace(&mut self.source, Box::new(io::empty()));
            self.source = Box::new(Cursor::new(back).chain(rest));
            self.ended = false;
        }
    }

    /// Reads the next chunk behind the kept bytes and gives it; it is empty at the end of the file only.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        if mem::take(&mut self.peeked) && self.start < self.end {
            return Ok(&self.buffer[self.start..self.end]);
        }
        let read = self.read_more()?;
        Ok(&self.buffer[self.end - read..self.end])
    }

    /// Reads at least `count` bytes if the file has as many, without taking them: the next chunk begins with them.
    pub(crate) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        debug_assert!(count <= CHUNK);
        while self.kept().len() < count && self.read_more()? > 0 {}
        self.peeked = true;
        Ok(self.kept())
    }

    /// Reads on behind the kept bytes; says how much, 0 at the end of the file only.
    fn read_more(&mut self) -> io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        // What is moved are the few bytes that are kept, and the history.
        let first = self.start.saturating_sub(HISTORY);
        self.buffer.copy_within(first..self.end, 0);
        (self.start, self.end) = (self.start - first, self.end - first);
        let room = self.end..self.buffer.len().min(self.end + CHUNK);
        debug_assert!(!room.is_empty(), "a full buffer would look like the end of the file");
        let read = retried(&mut self.source, &mut self.buffer[room])?;
        progress::read(read);
        self.ended = read == 0;
        self.end += read;
        Ok(read)
    }

    /// The bytes read and not yet let go.
    pub(crate) fn kept(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// How many of the kept bytes have been given as chunks.
    pub(crate) fn given(&self) -> usize {
        if self.peeked { 0 } else { self.kept().len() }
    }

    /// What stands in front of the kept bytes: at least [`HISTORY`] bytes of the file, or all.
    pub(crate) fn history(&self) -> &[u8] {
        &self.buffer[..self.start]
    }

    /// Bytes of the file in front of the kept ones.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether all of the file has been read.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// Lets the first `count` kept bytes go.
    pub(crate) fn release(&mut self, count: usize) {
        debug_assert!(count <= self.kept().len());
        self.start += count;
        self.offset += count as u64;
    }
}

/// Reads, again if a signal has interrupted that.
fn retried(source: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Standard input as a file, without the buffer that the standard library has for it.
#[cfg(unix)]
fn standard() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdin().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn standard() -> Option<File> {
    None
}

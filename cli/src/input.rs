//! A file read through one buffer. The buffer holds the newest chunk, before it the bytes that the
//! reader still keeps, and before these a short history for excerpts.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::mem;
use std::path::Path;
use std::time::Duration;

use crate::decompress::{self, Trailing};
use crate::identity::Identity;
use crate::memory::Turn;
use crate::progress;
use crate::streams;
use crate::watch::Watch;

/// Bytes of a chunk, at most: the capacity of a pipe. A chunk and its output fit the second-level
/// cache.
pub(crate) const CHUNK: usize = 64 * 1024;

/// Bytes that may be kept before a chunk.
pub(crate) const MAX_KEPT: usize = 1024;

/// Released bytes that stay in the buffer.
pub(crate) const HISTORY: usize = 1024;

/// An open file, or standard input.
pub(crate) struct Input {
    source: Box<dyn Read + Send>,
    /// The size of the file, if it has one.
    size: Option<u64>,
    /// The file's identity, if it is a regular file.
    identity: Option<Identity>,
    /// A pipe or a device, whose bytes may come late.
    pipe: Option<File>,
    /// The file, if it can be read ahead of the source.
    ahead: Option<File>,
    /// True if the source returns the file's own bytes, so that they count as progress.
    plain: bool,
    /// True if a compressed file has more bytes after its text.
    trailing: Trailing,
    buffer: Box<[u8]>,
    /// The kept bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// Bytes of the file before the kept ones.
    offset: u64,
    /// True if the kept bytes were only peeked at, and are the next chunk.
    peeked: bool,
    /// True if the source has ended. It isn't read again: a terminal would continue.
    ended: bool,
}

impl Input {
    /// Opens a file; `-` is standard input. With `decompress`, a compressed file is read as the
    /// text in it, and takes its memory at that turn.
    pub(crate) fn open(file: &Path, decompress: Option<Turn>) -> io::Result<Self> {
        let input = Self::open_plain(file)?;
        let Some(turn) = decompress else { return Ok(input) };
        // `file` still names the file that must not be written. Its size is not the size of the
        // text, and the decompressor reads ahead of the text.
        let source = Box::new(Counted(input.source));
        let source = decompress::decompressed(source, turn, input.trailing.clone())?;
        Ok(Self { source, size: None, pipe: None, plain: false, ..input })
    }

    /// Opens a file as it is.
    fn open_plain(file: &Path) -> io::Result<Self> {
        let file = match file.as_os_str() == "-" {
            true => {
                streams::check_input()?;
                match standard() {
                    Some(file) => file,
                    None => return Ok(Self::new(Box::new(io::stdin()))),
                }
            }
            false => File::open(file)?,
        };
        let found = file.metadata()?;
        if found.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "Is a directory"));
        }
        let size = found.is_file().then_some(found.len());
        let identity = Identity::of(&found);
        let clone = file.try_clone().ok();
        let (pipe, ahead) = if found.is_file() { (None, clone) } else { (clone, None) };
        Ok(Self { size, identity, pipe, ahead, ..Self::new(Box::new(file)) })
    }

    /// Reads from `source`.
    pub(crate) fn new(source: Box<dyn Read + Send>) -> Self {
        let buffer = vec![0; HISTORY + MAX_KEPT + CHUNK].into_boxed_slice();
        let (offset, peeked, ended) = (0, false, false);
        let (size, identity, pipe, plain) = (None, None, None, true);
        Self {
            source,
            size,
            identity,
            pipe,
            ahead: None,
            plain,
            trailing: Trailing::default(),
            buffer,
            start: 0,
            end: 0,
            offset,
            peeked,
            ended,
        }
    }

    /// The size of the file, if it has one.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// The file's identity, if it is a regular file.
    pub(crate) fn identity(&self) -> Option<Identity> {
        self.identity
    }

    /// Fails if `file` can't be replaced because it is no regular file. A pipe without a writer
    /// would keep [`open`](Self::open) waiting, so this comes first.
    pub(crate) fn refuse_in_place(file: &Path) -> io::Result<()> {
        let found = fs::metadata(file)?;
        match found.is_file() || found.is_dir() {
            true => Ok(()),
            false => Err(io::Error::other("only a regular file can be replaced")),
        }
    }

    /// Returns true if there were more bytes after the text of a compressed file; known at its end.
    pub(crate) fn trailing(&self) -> Trailing {
        self.trailing.clone()
    }

    /// Checks from now on whether all bytes that are read are UTF-8.
    pub(crate) fn watch(&mut self) -> Watch {
        let source = mem::replace(&mut self.source, Box::new(io::empty()));
        let (watch, source) = Watch::begin(source);
        self.source = source;
        watch
    }

    /// The bytes from the start of the file on that are still known, if there are any.
    pub(crate) fn beginning(&self) -> &[u8] {
        match self.offset == self.start as u64 {
            true => &self.buffer[..self.end],
            false => &[],
        }
    }

    /// Returns true if a read would return within `timeout`. Returns true where that can't be
    /// known.
    pub(crate) fn is_ready(&self, timeout: Duration) -> bool {
        self.pipe.as_ref().is_none_or(|file| is_readable(file, timeout))
    }

    /// Passes the whole text to `each`, and stays where it is. Returns false, and passes nothing,
    /// if the text can be read only once: a pipe, or compressed text. Call it before the first
    /// read.
    pub(crate) fn read_ahead(&mut self, mut each: impl FnMut(&[u8])) -> io::Result<bool> {
        debug_assert!(self.kept().is_empty() && self.offset == 0, "nothing has been read");
        let Some(file) = self.ahead.as_mut().filter(|_| self.plain) else { return Ok(false) };
        // The source has the same position.
        let start = file.stream_position()?;
        loop {
            let read = retried(file, &mut self.buffer)?;
            if read == 0 {
                break;
            }
            each(&self.buffer[..read]);
        }
        file.seek(SeekFrom::Start(start))?;
        Ok(true)
    }

    /// Replaces the source by one that reads from it.
    pub(crate) fn read_through(
        &mut self,
        reader: impl FnOnce(Box<dyn Read + Send>) -> Box<dyn Read + Send>,
    ) {
        let source = mem::replace(&mut self.source, Box::new(io::empty()));
        self.source = reader(source);
    }

    /// Reads the kept bytes again, and what follows, through `reader`. Call it before the first
    /// read.
    pub(crate) fn read_again_through(
        &mut self,
        reader: impl FnOnce(Box<dyn Read + Send>) -> Box<dyn Read + Send>,
    ) {
        let kept = Cursor::new(self.take());
        self.read_through(|source| reader(Box::new(kept.chain(source))));
    }

    /// Takes all kept bytes. The caller continues with [`read`](Self::read), and at last calls
    /// [`resume`](Self::resume).
    pub(crate) fn take(&mut self) -> Vec<u8> {
        self.peeked = false;
        let kept = self.kept().to_vec();
        self.end = self.start;
        kept
    }

    /// Reads past the buffer. Returns the number of bytes, which is 0 at the end of the file only.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        let read = retried(&mut *self.source, bytes)?;
        self.progress(read);
        self.ended = read == 0;
        Ok(read)
    }

    /// Continues in chunks after `passed` more bytes of the file, which end with `history`. The
    /// bytes of `back` come first.
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

    /// Reads the next chunk after the kept bytes and returns it. It is empty at the end of the file
    /// only.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        if mem::take(&mut self.peeked) && self.start < self.end {
            return Ok(&self.buffer[self.start..self.end]);
        }
        let read = self.read_more()?;
        Ok(&self.buffer[self.end - read..self.end])
    }

    /// Reads at least `count` bytes if the file has as many, without taking them: the next chunk
    /// begins with them.
    pub(crate) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        debug_assert!(count <= CHUNK);
        while self.kept().len() < count && self.read_more()? > 0 {}
        self.peeked = true;
        Ok(self.kept())
    }

    /// Reads more after the kept bytes. Returns the number of bytes, which is 0 at the end of the
    /// file only.
    fn read_more(&mut self) -> io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        // This moves few bytes: the kept ones and the history.
        let first = self.start.saturating_sub(HISTORY);
        self.buffer.copy_within(first..self.end, 0);
        (self.start, self.end) = (self.start - first, self.end - first);
        let free = self.end..self.buffer.len().min(self.end + CHUNK);
        debug_assert!(!free.is_empty(), "a full buffer would look like the end of the file");
        let read = retried(&mut *self.source, &mut self.buffer[free])?;
        self.progress(read);
        self.ended = read == 0;
        self.end += read;
        Ok(read)
    }

    /// Reports some bytes of the source to the progress bar.
    fn progress(&self, read: usize) {
        if self.plain {
            progress::read(read);
        }
    }

    /// Bytes that were read and not released.
    pub(crate) fn kept(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The number of kept bytes that were returned as chunks.
    pub(crate) fn given(&self) -> usize {
        if self.peeked { 0 } else { self.kept().len() }
    }

    /// Bytes before the kept ones: at least [`HISTORY`] bytes of the file, or all.
    pub(crate) fn history(&self) -> &[u8] {
        &self.buffer[..self.start]
    }

    /// Bytes of the file before the kept ones.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns true if all of the file has been read.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// Releases the first `count` kept bytes.
    pub(crate) fn release(&mut self, count: usize) {
        debug_assert!(count <= self.kept().len());
        self.start += count;
        self.offset += count as u64;
    }
}

/// A compressed file, whose bytes count as progress when they are read.
struct Counted(Box<dyn Read + Send>);

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        progress::read(read);
        Ok(read)
    }
}

/// Reads, and retries if a signal interrupts.
fn retried(source: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Returns true if `file` has bytes, or is at its end, within `timeout`.
#[cfg(unix)]
fn is_readable(file: &File, timeout: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let Ok(timeout) = Timespec::try_from(timeout) else { return true };
    poll(&mut [PollFd::new(file, PollFlags::IN)], Some(&timeout)).is_ok_and(|ready| ready > 0)
}

#[cfg(not(unix))]
fn is_readable(_: &File, _: Duration) -> bool {
    true
}

/// Standard input as a file, without the standard library's buffer.
#[cfg(unix)]
fn standard() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdin().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn standard() -> Option<File> {
    None
}

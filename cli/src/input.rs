//! Reads a file through one buffer. The buffer holds released bytes (the history, for excerpts) and
//! then the kept bytes. The last of the kept bytes are the newest chunk.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::mem;
use std::path::Path;
use std::time::Duration;

use crate::decompress;
use crate::identity::Identity;
use crate::memory::FileMemory;
use crate::notes::Notes;
use crate::progress;
use crate::streams;
use crate::watch::Watch;

/// The largest length of a chunk, in bytes: the capacity of a pipe. A chunk and its output fit in
/// the second-level cache.
pub(crate) const CHUNK: usize = 64 * 1024;

/// The number of bytes that may be kept before a chunk of full length. After more kept bytes, the
/// chunk is shorter.
pub(crate) const MAX_KEPT: usize = 1024;

/// The number of released bytes that stay in the buffer when a chunk is read.
pub(crate) const HISTORY: usize = 1024;

/// An open file, or standard input.
pub(crate) struct Input {
    source: Box<dyn Read + Send>,
    /// The size of the file in bytes, if it has one.
    size: Option<u64>,
    /// The file's identity, if it is a regular file.
    identity: Option<Identity>,
    /// The file, if it is a pipe or a device, whose bytes may arrive late.
    pipe: Option<File>,
    /// A second handle of the file, if the file can be read ahead of the source.
    lookahead_file: Option<File>,
    /// True if the source returns the file's own bytes, so that they count as progress.
    is_plain: bool,
    /// Notes that the readers of the file add while the text is read.
    notes: Notes,
    buffer: Box<[u8]>,
    /// The kept bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// The offset of the first kept byte in the file.
    offset: u64,
    /// True if the kept bytes were only peeked at, and are the next chunk.
    peeked: bool,
    /// True if the source has ended. The source isn't read again: a terminal would return more
    /// bytes.
    ended: bool,
}

impl Input {
    /// Opens a file; `-` is standard input. If `decompress` is given, a compressed file is
    /// decompressed while it is read, with a part of this memory.
    pub(crate) fn open(file: &Path, decompress: Option<FileMemory>) -> io::Result<Self> {
        let input = Self::open_plain(file)?;
        let Some(memory) = decompress else { return Ok(input) };
        // `identity` stays, because the file must not be written while it is read. The size of the
        // file is not the size of the text. A pipe doesn't tell if text is ready, because the
        // decompressor reads ahead of the text.
        let source = Box::new(CountingReader(input.source));
        let source = decompress::decompressed(source, memory, input.notes.clone())?;
        Ok(Self { source, size: None, pipe: None, is_plain: false, ..input })
    }

    /// Opens a file without decompression.
    fn open_plain(file: &Path) -> io::Result<Self> {
        let file = match file.as_os_str() == "-" {
            true => {
                streams::check_input()?;
                match standard_input() {
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
        let identity = Identity::from_metadata(&found);
        let clone = file.try_clone().ok();
        let (pipe, lookahead_file) = if found.is_file() { (None, clone) } else { (clone, None) };
        Ok(Self { size, identity, pipe, lookahead_file, ..Self::new(Box::new(file)) })
    }

    /// Returns an input that reads from `source`.
    pub(crate) fn new(source: Box<dyn Read + Send>) -> Self {
        let buffer = vec![0; HISTORY + MAX_KEPT + CHUNK].into_boxed_slice();
        let (offset, peeked, ended) = (0, false, false);
        let (size, identity, pipe, is_plain) = (None, None, None, true);
        Self {
            source,
            size,
            identity,
            pipe,
            lookahead_file: None,
            is_plain,
            notes: Notes::default(),
            buffer,
            start: 0,
            end: 0,
            offset,
            peeked,
            ended,
        }
    }

    /// Returns the size of the file in bytes, if it has one.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Returns the file's identity, if it is a regular file.
    pub(crate) fn identity(&self) -> Option<Identity> {
        self.identity
    }

    /// Fails if `file` is a pipe or a device, which can't be replaced. Call this before
    /// [`open`](Self::open), which would wait for the writer of a pipe, and which reports that a
    /// directory can't be read.
    pub(crate) fn check_replaceable(file: &Path) -> io::Result<()> {
        let found = fs::metadata(file)?;
        match found.is_file() || found.is_dir() {
            true => Ok(()),
            false => Err(io::Error::other(
                "only a regular file can be replaced: use -o to write to another file",
            )),
        }
    }

    /// Returns the notes about the text, which are complete at its end.
    pub(crate) fn notes(&self) -> Notes {
        self.notes.clone()
    }

    /// Begins to validate the bytes that are read as UTF-8. Returns the state of this validation.
    pub(crate) fn watch_utf8(&mut self) -> Watch {
        let source = mem::replace(&mut self.source, Box::new(io::empty()));
        let (watch, source) = Watch::begin(source);
        self.source = source;
        watch
    }

    /// Returns the beginning of the file, as far as it is still in the buffer. It is empty if the
    /// buffer no longer has the first byte.
    pub(crate) fn beginning(&self) -> &[u8] {
        match self.offset == self.start as u64 {
            true => &self.buffer[..self.end],
            false => &[],
        }
    }

    /// Returns true if a read would return within `timeout`, or if that can't be known.
    pub(crate) fn is_ready(&self, timeout: Duration) -> bool {
        self.pipe.as_ref().is_none_or(|file| is_readable(file, timeout))
    }

    /// Passes the whole text to `each` without consuming it. Returns false, and passes nothing, if
    /// the text can be read only once: a pipe, or compressed text. Call it before the first read.
    pub(crate) fn read_ahead(&mut self, mut each: impl FnMut(&[u8])) -> io::Result<bool> {
        debug_assert!(self.kept().is_empty() && self.offset == 0, "nothing has been read");
        let Some(file) = self.lookahead_file.as_mut().filter(|_| self.is_plain) else {
            return Ok(false);
        };
        // The source and this handle share one position.
        let start = file.stream_position()?;
        loop {
            let read = read_retrying(file, &mut self.buffer)?;
            if read == 0 {
                break;
            }
            each(&self.buffer[..read]);
        }
        file.seek(SeekFrom::Start(start))?;
        Ok(true)
    }

    /// Replaces the source with a reader that reads from it.
    pub(crate) fn read_through(
        &mut self,
        reader: impl FnOnce(Box<dyn Read + Send>) -> Box<dyn Read + Send>,
    ) {
        let source = mem::replace(&mut self.source, Box::new(io::empty()));
        self.source = reader(source);
    }

    /// Reads the kept bytes again, and the bytes that follow, through `reader`. All bytes that have
    /// been read must still be kept, as after [`peek`](Self::peek).
    pub(crate) fn read_again_through(
        &mut self,
        reader: impl FnOnce(Box<dyn Read + Send>) -> Box<dyn Read + Send>,
    ) {
        let kept = Cursor::new(self.take_kept());
        self.read_through(|source| reader(Box::new(kept.chain(source))));
    }

    /// Takes all kept bytes out of the buffer. A caller outside this module continues with
    /// [`read`](Self::read), and finally calls [`resume`](Self::resume).
    pub(crate) fn take_kept(&mut self) -> Vec<u8> {
        self.peeked = false;
        let kept = self.kept().to_vec();
        self.end = self.start;
        kept
    }

    /// Reads to `bytes` without using the buffer. Returns the number of bytes, which is 0 only at
    /// the end of the file.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        let read = read_retrying(&mut *self.source, bytes)?;
        self.report_progress(read);
        self.ended = read == 0;
        Ok(read)
    }

    /// Returns to reading chunks after [`take_kept`](Self::take_kept). The caller has consumed the
    /// next `passed` bytes of the file, which end with `history`. The bytes of `back` were read but
    /// not consumed: the next chunks begin with them.
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

    /// Reads the next chunk after the kept bytes and returns it. The chunk is empty only at the end
    /// of the file.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        if mem::take(&mut self.peeked) && self.start < self.end {
            return Ok(&self.buffer[self.start..self.end]);
        }
        let read = self.read_more()?;
        Ok(&self.buffer[self.end - read..self.end])
    }

    /// Returns the next bytes without consuming them, at least `count` if the file has as many. The
    /// next chunk begins with them.
    pub(crate) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        debug_assert!(count <= CHUNK);
        while self.kept().len() < count && self.read_more()? > 0 {}
        self.peeked = true;
        Ok(self.kept())
    }

    /// Reads more bytes after the kept bytes. Returns the number of bytes, which is 0 only at the
    /// end of the file.
    fn read_more(&mut self) -> io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        // This moves few bytes: the kept bytes and the history.
        let first = self.start.saturating_sub(HISTORY);
        self.buffer.copy_within(first..self.end, 0);
        (self.start, self.end) = (self.start - first, self.end - first);
        let free = self.end..self.buffer.len().min(self.end + CHUNK);
        debug_assert!(!free.is_empty(), "a full buffer would look like the end of the file");
        let read = read_retrying(&mut *self.source, &mut self.buffer[free])?;
        self.report_progress(read);
        self.ended = read == 0;
        self.end += read;
        Ok(read)
    }

    /// Reports `read` bytes of the source to the progress bar.
    fn report_progress(&self, read: usize) {
        if self.is_plain {
            progress::add_read(read);
        }
    }

    /// Returns the bytes that were read and not released.
    pub(crate) fn kept(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Returns the number of kept bytes that were returned as chunks.
    pub(crate) fn returned_len(&self) -> usize {
        if self.peeked { 0 } else { self.kept().len() }
    }

    /// Returns released bytes before the kept bytes, for excerpts: at least [`HISTORY`] bytes, or
    /// all bytes if there are fewer. After [`resume`](Self::resume), it has only bytes that the
    /// caller passed to `resume` or that were released since.
    pub(crate) fn history(&self) -> &[u8] {
        &self.buffer[..self.start]
    }

    /// Returns the offset of the first kept byte in the file.
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

/// A reader of a compressed file. Its bytes count as progress when they are read.
struct CountingReader(Box<dyn Read + Send>);

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        progress::add_read(read);
        Ok(read)
    }
}

/// Reads from `source`, and retries if a signal interrupts the read.
fn read_retrying(source: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
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

/// Returns standard input as a file, without the standard library's buffer.
#[cfg(unix)]
fn standard_input() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdin().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn standard_input() -> Option<File> {
    None
}

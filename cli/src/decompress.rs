//! Decompresses files in the formats gzip, xz and zstd. Their first bytes show the format.
//!
//! A file may have several members one after another: `cat a.gz b.gz` writes such a file. Zeros may
//! follow each member, because tapes and block devices add them. The checksum of each member is
//! compared, and a truncated member is an error. Other bytes after the last member are ignored,
//! with a note.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::GzDecoder;
use lzma_rust2::{Action, Status, XzReader, XzStream};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use crate::memory::{FILE_LIMIT, FileMemory, Memory};
use crate::notes::Notes;

type Source = PeekReader<Box<dyn Read + Send>>;

/// The length of the longest zstd frame header, in bytes, including the magic number of four bytes.
const ZSTD_HEADER_BYTES: usize = 18;

/// A format of compressed files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Gzip,
    Xz,
    Zstd,
}

impl Format {
    /// Returns the format of a file that begins with the bytes `first`, or `None` if the file is
    /// not compressed.
    fn detect(first: &[u8]) -> Option<Self> {
        if first.starts_with(b"\x1F\x8B") {
            Some(Self::Gzip)
        } else if first.starts_with(b"\xFD7zXZ\0") {
            Some(Self::Xz)
        } else if first.starts_with(b"\x28\xB5\x2F\xFD") || is_skippable(first) {
            Some(Self::Zstd)
        } else {
            None
        }
    }

    /// Returns true if `rest`, the end of a file, is an incomplete magic number of this format.
    fn has_incomplete_magic(self, rest: &[u8]) -> bool {
        let magic: &[u8] = match self {
            Self::Gzip => b"\x1F\x8B",
            Self::Xz => b"\xFD7zXZ\0",
            Self::Zstd => b"\x28\xB5\x2F\xFD",
        };
        !rest.is_empty() && rest.len() < magic.len() && magic.starts_with(rest)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        }
    }
}

/// The note if a compressed file has bytes after its last member, which are not part of the text.
const TRAILING: &str = "warning: the bytes after its compressed text are left out";

/// Returns a reader of the decompressed text of `source`. If `source` is not compressed, the reader
/// returns its bytes unchanged.
pub(crate) fn decompressed(
    source: Box<dyn Read + Send>,
    memory: FileMemory,
    notes: Notes,
) -> io::Result<Box<dyn Read + Send>> {
    let mut source = PeekReader { peeked: Cursor::default(), rest: BufReader::new(source) };
    Ok(match Format::detect(source.peek(ZSTD_HEADER_BYTES)?) {
        Some(format) => {
            let memory = memory.part();
            Box::new(Members { format, memory, notes, state: State::Between(source) })
        }
        None => Box::new(source),
    })
}

/// A source whose next bytes can be peeked at.
struct PeekReader<R> {
    /// The bytes that were peeked at. They are read before the bytes of `rest`.
    peeked: Cursor<Vec<u8>>,
    rest: BufReader<R>,
}

impl<R: Read> PeekReader<R> {
    /// Returns the next `count` bytes, or all bytes if the source has fewer. Does not consume them.
    fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        let mut bytes = Vec::with_capacity(count);
        self.take(count as u64).read_to_end(&mut bytes)?;
        let left = self.peeked.get_ref()[self.peeked.position() as usize..].iter();
        bytes.extend(left);
        self.peeked = Cursor::new(bytes);
        Ok(self.peeked.get_ref())
    }

    /// Skips zeros.
    fn skip_zeros(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.fill_buf()?;
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            let ended = zeros < bytes.len() || bytes.is_empty();
            self.consume(zeros);
            if ended {
                return Ok(());
            }
        }
    }
}

impl<R: Read> Read for PeekReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.peeked.read(buffer)? {
            0 => self.rest.read(buffer),
            read => Ok(read),
        }
    }
}

impl<R: Read> BufRead for PeekReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match (self.peeked.position() as usize) < self.peeked.get_ref().len() {
            true => self.peeked.fill_buf(),
            false => self.rest.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        match (self.peeked.position() as usize) < self.peeked.get_ref().len() {
            true => self.peeked.consume(count),
            false => self.rest.consume(count),
        }
    }
}

/// A reader of the text of all members of a file.
struct Members {
    format: Format,
    state: State,
    memory: Memory,
    notes: Notes,
}

enum State {
    /// Before, between or after the members.
    Between(Source),
    Gzip(Box<GzDecoder<Source>>),
    Xz(Source, Box<XzStream>),
    /// A stream with more than two filters, which [`XzStream`] does not read.
    FilteredXz(Box<XzReader<Source>>),
    Zstd(Box<StreamingDecoder<Source, FrameDecoder>>),
    /// At the end, or after an error.
    Ended,
}

impl Read for Members {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.read_text(buffer).map_err(|error| {
            // An error of the operating system, or a lack of memory, does not mean that the data is
            // damaged.
            if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::OutOfMemory {
                return error;
            }
            let words = format!("the {} data is damaged or incomplete", self.format.name());
            io::Error::new(io::ErrorKind::InvalidData, words)
        })
    }
}

impl Members {
    fn read_text(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let (state, read) = match std::mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Ok(0),
                State::Between(source) => (self.next_member(source)?, 0),
                State::Gzip(mut decoder) => match decoder.read(buffer)? {
                    0 => (State::Between(decoder.into_inner()), 0),
                    read => (State::Gzip(decoder), read),
                },
                State::Xz(mut source, mut stream) => {
                    match read_xz(&mut source, &mut stream, &mut self.memory, buffer)? {
                        0 => (State::Between(source), 0),
                        read => (State::Xz(source, stream), read),
                    }
                }
                State::FilteredXz(mut reader) => {
                    match reader.read(buffer).map_err(explain_memory_limit)? {
                        0 => (State::Between(reader.into_inner()), 0),
                        read => (State::FilteredXz(reader), read),
                    }
                }
                State::Zstd(mut decoder) => match decoder.read(buffer)? {
                    0 => {
                        let sum = decoder.decoder.get_checksum_from_data();
                        if sum.is_some() && sum != decoder.decoder.get_calculated_checksum() {
                            return Err(io::ErrorKind::InvalidData.into());
                        }
                        (State::Between(decoder.into_inner()), 0)
                    }
                    read => (State::Zstd(decoder), read),
                },
            };
            self.state = state;
            if read > 0 {
                return Ok(read);
            }
        }
    }

    /// Begins the next member that has text.
    fn next_member(&mut self, mut source: Source) -> io::Result<State> {
        loop {
            source.skip_zeros()?;
            let first = source.peek(ZSTD_HEADER_BYTES)?;
            if Format::detect(first) != Some(self.format) {
                if self.format.has_incomplete_magic(first) {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                if !first.is_empty() {
                    self.notes.add(TRAILING);
                }
                return Ok(State::Ended);
            }
            if self.format == Format::Zstd && is_skippable(first) {
                let length = first.get(4..8).map_or(0, |length| {
                    length.iter().rev().fold(0, |length, &byte| length << 8 | u64::from(byte))
                });
                let frame_len = 8 + length;
                if io::copy(&mut source.by_ref().take(frame_len), &mut io::sink())? < frame_len {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                continue;
            }
            return Ok(match self.format {
                Format::Gzip => State::Gzip(Box::new(GzDecoder::new(source))),
                Format::Xz if has_many_filters(first) => {
                    // The reader gets its memory limit at the start, so all of this memory is
                    // taken at once. The rest of the file's memory is for its text.
                    self.memory.grow_to(FILTERED_XZ_LIMIT, NEEDS_XZ)?;
                    let limit = (FILTERED_XZ_LIMIT >> 10) as u32;
                    let reader = XzReader::new_mem_limit(source, false, limit);
                    State::FilteredXz(Box::new(reader))
                }
                Format::Xz => State::Xz(source, Box::new(XzStream::new_mem_limit(false, 0))),
                Format::Zstd => {
                    let window = zstd_window(first).ok_or(io::ErrorKind::InvalidData)?;
                    // The decoder's buffer grows in powers of two. While it grows, the old buffer
                    // exists as well.
                    let memory = window.saturating_add(window / 2);
                    self.memory.grow_to(memory, NEEDS_ZSTD)?;
                    let decoder = StreamingDecoder::new_with_max_window_size(source, window);
                    State::Zstd(Box::new(decoder.map_err(io::Error::other)?))
                }
            });
        }
    }
}

/// The memory for an xz stream with more than two filters, in bytes.
const FILTERED_XZ_LIMIT: u64 = FILE_LIMIT / 2;

const NEEDS_XZ: &str = "the xz data needs";
const NEEDS_ZSTD: &str = "the zstd data needs";

/// Reads text of an xz stream to `buffer`, and returns the number of bytes. Returns 0 only at the
/// end of the stream.
fn read_xz(
    source: &mut Source,
    stream: &mut XzStream,
    memory: &mut Memory,
    buffer: &mut [u8],
) -> io::Result<usize> {
    loop {
        let bytes = source.fill_buf()?;
        let action = if bytes.is_empty() { Action::Finish } else { Action::Run };
        let before = stream.total_in();
        let result = stream.process(bytes, buffer, action);
        source.consume((stream.total_in() - before) as usize);
        match result {
            Ok(done) if done.bytes_produced > 0 => return Ok(done.bytes_produced),
            Ok(done) if done.status == Status::StreamEnd => return Ok(0),
            Ok(_) if action == Action::Finish => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                let need = stream.memory_usage().unwrap_or(u32::MAX);
                memory.grow_to(u64::from(need) << 10, NEEDS_XZ)?;
                stream.set_mem_limit(need);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns `error`. If the memory limit is the reason, the message names the limit.
fn explain_memory_limit(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::OutOfMemory => {
            let limit = FILTERED_XZ_LIMIT >> 20;
            let words = format!(
                "{NEEDS_XZ} more than {limit} MiB of memory, the limit for more than two filters: \
                 decompress it first, and leave out -z"
            );
            io::Error::new(io::ErrorKind::OutOfMemory, words)
        }
        _ => error,
    }
}

/// Returns true if `head` begins an xz stream whose first block has more than two filters.
fn has_many_filters(head: &[u8]) -> bool {
    // After the stream's header of 12 bytes follows the first block's header: its size, and then
    // its flags. A size of 0 begins the index of a stream without blocks.
    head.get(12).is_some_and(|&size| size > 0) && head.get(13).is_some_and(|flags| flags & 3 > 1)
}

/// Returns the window size in bytes of a zstd frame with the header `head` (RFC 8878, 3.1.1.1), or
/// `None` if the header is incomplete.
fn zstd_window(head: &[u8]) -> Option<u64> {
    let descriptor = *head.get(4)?;
    if descriptor & 0x20 == 0 {
        let byte = *head.get(5)?;
        let base = 1_u64 << (10 + (byte >> 3));
        return Some(base + base / 8 * u64::from(byte & 7));
    }
    // The frame is a single segment: the window holds the whole text, and the header has the size
    // of the text.
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let (len, least) = [(1, 0), (2, 256), (4, 0), (8, 0)][usize::from(descriptor >> 6)];
    let size = head.get(5 + dictionary..5 + dictionary + len)?;
    Some(size.iter().rev().fold(0, |size, &byte| size << 8 | u64::from(byte)) + least)
}

/// Returns true if these bytes begin a skippable frame of zstd, which has no text.
fn is_skippable(first: &[u8]) -> bool {
    first.first_chunk().is_some_and(|magic| u32::from_le_bytes(*magic) & !0xF == 0x184D_2A50)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "grüße, grüße, grüße\n";
    /// [`TEXT`], compressed by the programs gzip 1.12, xz 5.4.1 and zstd 1.5.4.
    const GZIP_FILE: &[u8] =
        b"\x1F\x8B\x08\0\0\0\0\0\0\x03K/:\xBC\xE7\xF0\xFCT\x1D\x85t4\x06\x17\0\
        \x1B\xDA<\x8F\x1A\0\0\0";
    const XZ_FILE: &[u8] =
        b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4F\x02\0!\x01\x16\0\0\0t/\xE5\xA3\xE0\0\x19\
        \0\x11]\x003\x9C\x94\xA8h\x18\xFDt\xEB\xB1\x8B\x84,\xF0\x80\0\0\0\0\0\0b\x03\x87\x86\xB4C\
        \x85\0\0\x01-\x1A\xBE\x16\xCE\xFD\x1F\xB6\xF3}\x01\0\0\0\0\x04YZ";
    const ZSTD_FILE: &[u8] =
        b"(\xB5/\xFD\x04X\x85\0\0Pgr\xC3\xBC\xC3\x9Fe, \x0A\x01\0D\xCA\x11\xDFi \xC0";
    const FILES: [(&str, &[u8]); 3] = [("gzip", GZIP_FILE), ("xz", XZ_FILE), ("zstd", ZSTD_FILE)];

    /// Returns the decompressed text of `bytes`, which the source returns one at a time.
    fn decompress_slowly(bytes: &[u8]) -> io::Result<Vec<u8>> {
        struct Slow(Cursor<Vec<u8>>);
        impl Read for Slow {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let len = buffer.len().min(1);
                self.0.read(&mut buffer[..len])
            }
        }
        let mut text = Vec::new();
        let source = Slow(Cursor::new(bytes.to_vec()));
        decompressed(Box::new(source), FileMemory::default(), Notes::default())?
            .read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn all_members_are_read() {
        for (format, file) in FILES {
            for times in 1..4 {
                let read = decompress_slowly(&file.repeat(times)).unwrap();
                assert_eq!(read, TEXT.repeat(times).as_bytes(), "{format}");
            }
        }
    }

    /// Tapes and block devices pad files with zeros.
    #[test]
    fn zeros_between_members_are_skipped() {
        for (format, file) in FILES {
            for zeros in [1, 3, 4, 512, 100_000] {
                let padded = [file, &vec![0; zeros], file, &vec![0; zeros]].concat();
                assert_eq!(
                    decompress_slowly(&padded).unwrap(),
                    TEXT.repeat(2).as_bytes(),
                    "{format} {zeros}"
                );
            }
        }
    }

    #[test]
    fn other_bytes_after_the_last_member_are_ignored_with_a_warning() {
        for (format, file) in FILES {
            for (rest, warns) in
                [(&b""[..], false), (b"\0\0", false), (b"abc", true), (b"\0a", true)]
            {
                let notes = Notes::default();
                let source = Box::new(Cursor::new([file, rest].concat()));
                let mut all = String::new();
                let mut reader =
                    decompressed(source, FileMemory::default(), notes.clone()).unwrap();
                reader.read_to_string(&mut all).unwrap();
                assert_eq!(all, TEXT, "{format}");
                assert_eq!(!notes.take().is_empty(), warns, "{format} {rest:?}");
            }
        }
    }

    #[test]
    fn the_zstd_window_is_read_from_the_header() {
        for (head, window) in [
            (&b"(\xB5/\xFD\x04X\x85"[..], Some(1 << 21)),
            (b"(\xB5/\xFD\x00\xA0", Some(1 << 30)),
            (b"(\xB5/\xFD\x00\x01", Some(1024 + 128)),
            (b"(\xB5/\xFD\x20\x1A", Some(26)),
            (b"(\xB5/\xFD\x61\x07\x00\x01", Some(512)),
            (b"(\xB5/\xFD\xA0\0\0\0\x40", Some(1 << 30)),
            (b"(\xB5/\xFD\xA0\0\0\0", None),
        ] {
            assert_eq!(zstd_window(head), window, "{head:X?}");
        }
    }

    /// The file was written by `xz --x86 --delta --lzma2`.
    #[test]
    fn several_filters_are_read() {
        let file =
            b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4F\x03\x02\x04\0\x03\x01\0!\x01\x16\0\0`\xBF\x82)\xE0\
            \0\x19\0\x12]\x003\x82\xC6>{^\xCB\xD75/\xE8\x8BW\x1A\xAC\xFA\0\0\0\0\0b\x03\x87\
            \x86\xB4C\x85\0\0\x012\x1A \x18\x940\x1F\xB6\xF3}\x01\0\0\0\0\x04YZ";
        for times in 1..3 {
            let read = decompress_slowly(&file.repeat(times)).unwrap();
            assert_eq!(read, TEXT.repeat(times).as_bytes());
        }
        assert!(decompress_slowly(&file[..file.len() - 1]).is_err());
    }

    #[test]
    fn frames_without_text_are_skipped() {
        let skipped = b"\x5F\x2A\x4D\x18\x03\0\0\0abc";
        let file = [skipped, ZSTD_FILE, skipped, skipped, ZSTD_FILE, skipped].concat();
        assert_eq!(decompress_slowly(&file).unwrap(), TEXT.repeat(2).as_bytes());
        assert!(decompress_slowly(&file[..file.len() - 1]).is_err());
        assert_eq!(decompress_slowly(skipped).unwrap(), b"");
    }

    #[test]
    fn uncompressed_bytes_are_returned_unchanged() {
        for file in [&b""[..], b"\x1F", b"(\xB5/", b"a text", "grüße".as_bytes(), &[0xFF; 100]] {
            assert_eq!(decompress_slowly(file).unwrap(), file);
        }
    }

    #[test]
    fn a_truncated_file_is_an_error() {
        for (format, file) in FILES {
            for end in 6..file.len() {
                let error = decompress_slowly(&file[..end]).unwrap_err();
                let words = format!("the {format} data is damaged or incomplete");
                assert_eq!(error.to_string(), words, "{end} bytes");
            }
            // A truncated second member is an error as well, even if only its first byte is there.
            for end in 1..file.len() {
                for padding in [0, 7] {
                    let truncated = [file, &vec![0; padding], &file[..end]].concat();
                    assert!(
                        decompress_slowly(&truncated).is_err(),
                        "{format}, {end} bytes after {padding} zeros"
                    );
                }
            }
        }
    }

    /// A changed bit causes an error, or the bit belongs to a header and the text stays the same.
    #[test]
    fn a_changed_bit_never_changes_the_text() {
        for (format, file) in FILES {
            for bit in 6 * 8..file.len() * 8 {
                let mut changed = file.to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                if let Ok(read) = decompress_slowly(&changed) {
                    assert_eq!(read, TEXT.as_bytes(), "{format}, bit {bit}");
                }
            }
        }
    }
}

//! Conversion of a long file by several threads, block by block, up to the first block that can't
//! be converted as a whole.
//!
//! Each thread reads a block when no other thread reads, converts it, and writes it when all blocks
//! before it are written. A block ends between two characters or ill-formed sequences, so the
//! repairs equal the repairs of the whole text. (They differ if adjacent sequences share a
//! replacement. Then a single thread converts.) The first block that can't be converted ends the
//! parallel part: it and everything read after it return to the input, and `convert.rs` continues
//! in one thread. So only `convert.rs` decides where a conversion stops, and reports it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use utflane::{ByteTranscoder, Scheme, Stop};

use crate::input::{HISTORY, Input};
use crate::output::{Failure, Output};
use crate::policy::{Converter, Policy};
use crate::position::Position;
use crate::text::Text;
use crate::units::{self, MAX_SEQUENCE_BYTES};

/// The size of a block, in bytes. Waking a thread takes as long as converting 100 KiB, so a block
/// is several times larger. A block and its output still fit in a processor's cache.
const BLOCK_BYTES: usize = 512 * 1024;

/// The size of a memory page, in bytes.
const PAGE_BYTES: usize = 4096;

/// The size from which several threads convert a file, in bytes. A single thread converts a smaller
/// file before a second thread has started.
const MIN_PARALLEL_BYTES: u64 = 1 << 20;

/// The largest number of output bytes for each byte of a block. If replacements make the output
/// longer, a single thread converts the block.
const MAX_GROWTH: usize = 6;

/// The largest number of threads. More are of no use: only one thread at a time reads, and only one
/// writes.
const MAX_THREADS: usize = 4;

/// Converts and writes the beginning of `text`, if the text is long. Afterwards `text` continues
/// after the converted part. Returns the number of repairs.
pub(crate) fn convert_beginning(
    text: &mut Text,
    from: Scheme,
    to: Scheme,
    policy: &Policy,
    output: &mut Output,
) -> Result<u64, Failure> {
    if text.input.size().is_none_or(|size| size < MIN_PARALLEL_BYTES) || policy.shares_substitutes()
    {
        return Ok(0);
    }
    // This reads several files of the system, so it comes after the size.
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    if threads == 1 {
        return Ok(0);
    }
    let convert =
        |block: &[u8], buffer: &mut Vec<u8>| convert_block(from, to, policy, block, buffer);
    run_threads(text, from, threads, output, &convert)
}

/// Converts with `convert` in at most `threads` threads, up to the first block for which `convert`
/// returns `None`.
fn run_threads(
    text: &mut Text,
    from: Scheme,
    threads: usize,
    output: &mut Output,
    convert: &(impl Fn(&[u8], &mut Vec<u8>) -> Option<ConvertedBlock> + Sync),
) -> Result<u64, Failure> {
    let carried = text.input.take_kept();
    let reading = ReadState { input: &mut text.input, carried, next_number: 0, ended: false };
    let writing = WriteState {
        output,
        turn: 0,
        returned: BTreeMap::new(),
        totals: WrittenTotals::default(),
        failure: None,
    };
    let pipeline = Pipeline {
        from,
        reading: Mutex::new(reading),
        writing: Mutex::new(writing),
        turn_changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let work = || pipeline.work(convert);
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break; // with fewer threads, the work is only slower
            }
        }
        pipeline.work(convert);
    });
    let Pipeline { reading, writing, .. } = pipeline;
    let ReadState { carried, .. } = reading.into_inner().unwrap_or_else(PoisonError::into_inner);
    let WriteState { returned, totals, failure, .. } =
        writing.into_inner().unwrap_or_else(PoisonError::into_inner);
    let returned = returned.into_values().chain([carried]).collect::<Vec<_>>().concat();
    text.resume(totals.position, totals.input_len, &totals.history, returned);
    failure.map_or(Ok(totals.repairs), Err)
}

/// State that the threads share.
struct Pipeline<'a> {
    from: Scheme,
    reading: Mutex<ReadState<'a>>,
    writing: Mutex<WriteState<'a>>,
    turn_changed: Condvar,
}

struct ReadState<'a> {
    input: &'a mut Input,
    /// The bytes that were split off the end of the last block. The next block begins with them.
    carried: Vec<u8>,
    /// The number of the next block to read.
    next_number: usize,
    /// True if no more blocks are read.
    ended: bool,
}

struct WriteState<'a> {
    output: &'a mut Output,
    /// The number of the next block to write.
    turn: usize,
    /// The blocks that a single thread converts again: the first block that could not be converted,
    /// and the blocks after it, by their numbers.
    returned: BTreeMap<usize, Vec<u8>>,
    totals: WrittenTotals,
    failure: Option<Failure>,
}

/// Totals of the blocks that have been written.
#[derive(Default)]
struct WrittenTotals {
    /// The number of bytes of the file in these blocks.
    input_len: u64,
    /// The position after these blocks, counted from the start of the first one.
    position: Position,
    repairs: u64,
    /// The last bytes of these blocks, at most [`HISTORY`].
    history: Vec<u8>,
}

/// A converted block.
struct ConvertedBlock {
    /// The length of its output, in bytes.
    written: usize,
    /// The position after the block, counted from its start.
    position: Position,
    repairs: u64,
}

/// Ends the work of all threads if one panics. Otherwise they would wait forever for the turn of
/// that thread's block.
struct EndOnPanic<'l, 'a>(&'l Pipeline<'a>);

impl Drop for EndOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let panicked = io::Error::other("a thread of the conversion panicked");
            self.0.writing().failure = Some(Failure::Writing(panicked));
            self.0.turn_changed.notify_all();
        }
    }
}

impl<'a> Pipeline<'a> {
    /// Reads, converts and writes blocks in one thread, until no more blocks are read.
    fn work(&self, convert: impl Fn(&[u8], &mut Vec<u8>) -> Option<ConvertedBlock>) {
        let _guard = EndOnPanic(self);
        let mut block = Block::new();
        let mut buffer = vec![0; 4 * block.buffer.len()];
        while let Some(number) = self.read(&mut block) {
            let converted = convert(block.bytes(), &mut buffer);
            let mut writing = self.writing();
            while writing.turn != number && writing.failure.is_none() {
                writing = self.turn_changed.wait(writing).unwrap_or_else(PoisonError::into_inner);
            }
            writing.turn += 1;
            match converted {
                Some(converted) if writing.returned.is_empty() && writing.failure.is_none() => {
                    writing.write(block.bytes(), &converted, &buffer[..converted.written]);
                }
                _ => drop(writing.returned.insert(number, block.bytes().to_vec())),
            }
            let ended = !writing.returned.is_empty() || writing.failure.is_some();
            drop(writing);
            self.turn_changed.notify_all();
            if ended {
                self.reading().ended = true;
            }
        }
    }

    /// Reads the next block and returns its number. Returns `None` if no more blocks are read.
    fn read(&self, block: &mut Block) -> Option<usize> {
        let mut reading = self.reading();
        if reading.ended {
            return None;
        }
        let reading = &mut *reading;
        match block.fill(&reading.carried, reading.input) {
            // The file may end inside a character, so a single thread converts the carried bytes.
            Ok(false) => {
                reading.ended = true;
                return None;
            }
            Ok(true) => {}
            // The single thread that continues reads again and reports the error, after all blocks
            // before the error are written.
            Err(_) => {
                reading.ended = true;
                return None;
            }
        }
        let rest = block.split_off_incomplete(self.from);
        reading.carried.clear();
        reading.carried.extend_from_slice(rest);
        let number = reading.next_number;
        reading.next_number += 1;
        Some(number)
    }

    fn reading(&self) -> MutexGuard<'_, ReadState<'a>> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> MutexGuard<'_, WriteState<'a>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Converts a block. Returns `None` if the whole block can't be converted.
fn convert_block(
    from: Scheme,
    to: Scheme,
    policy: &Policy,
    block: &[u8],
    buffer: &mut Vec<u8>,
) -> Option<ConvertedBlock> {
    if units::sequences_after_high_surrogate(from, block) > 0 {
        return None;
    }
    let mut converter = Converter::new(from, to, policy);
    let (mut read, mut written, mut ending) = (0, 0, false);
    loop {
        // The last sequence of the block could continue, but it does not: the next block begins
        // with another sequence.
        let progress = match ending {
            true => converter.finish(&mut buffer[written..]),
            false => converter.push(&block[read..], &mut buffer[written..]),
        };
        read += progress.read;
        written += progress.written;
        match progress.stop {
            Stop::Done if ending => break,
            Stop::Done => ending = true,
            Stop::OutputFull if buffer.len() < MAX_GROWTH * BLOCK_BYTES => {
                buffer.resize(MAX_GROWTH * BLOCK_BYTES, 0);
            }
            _ => return None,
        }
    }
    let mut position = Position::default();
    match policy.invalid {
        Some(_) => position.advance_repaired(from, block),
        None => position.advance(from, block),
    }
    Some(ConvertedBlock { written, position, repairs: converter.repairs() })
}

impl WriteState<'_> {
    fn write(&mut self, block: &[u8], converted: &ConvertedBlock, output: &[u8]) {
        if let Err(error) = self.output.write_all(output) {
            self.failure = Some(Failure::Writing(error));
            return;
        }
        let WrittenTotals { input_len, position, repairs, history } = &mut self.totals;
        *repairs += converted.repairs;
        *input_len += block.len() as u64;
        *position = position.then(converted.position);
        history.extend_from_slice(&block[block.len().saturating_sub(HISTORY)..]);
        history.drain(..history.len().saturating_sub(HISTORY));
    }
}

/// A part of the file that one thread converts.
struct Block {
    buffer: Box<[u8]>,
    /// The block is `buffer[start..end]`.
    start: usize,
    end: usize,
}

impl Block {
    fn new() -> Self {
        Self { buffer: vec![0; 2 * PAGE_BYTES + BLOCK_BYTES].into(), start: 0, end: 0 }
    }

    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Fills the block with `carried` and the next bytes of the file. Returns false at the end of
    /// the file.
    fn fill(&mut self, carried: &[u8], input: &mut Input) -> io::Result<bool> {
        // The read starts at a page boundary. Copies whose destination is slightly after the
        // source, modulo a page, are four times as slow on some processors: there, a load seems to
        // depend on an earlier store.
        let page = self.buffer.as_ptr().align_offset(PAGE_BYTES).min(PAGE_BYTES);
        let read_start = page + carried.len().next_multiple_of(PAGE_BYTES);
        self.start = read_start - carried.len();
        self.buffer[self.start..read_start].copy_from_slice(carried);
        let end = self.buffer.len().min(read_start + BLOCK_BYTES);
        let read = input.read(&mut self.buffer[read_start..end])?;
        self.end = read_start + read;
        Ok(read > 0)
    }

    /// Ends the block between two characters, and returns the bytes after its new end.
    fn split_off_incomplete(&mut self, scheme: Scheme) -> &[u8] {
        let end = self.end;
        self.end -= incomplete_len(scheme, self.bytes());
        &self.buffer[self.end..end]
    }
}

/// Returns the length in bytes of the sequence at the end of `block` that is incomplete, or that
/// the next bytes could change. Returns 0 if there is no such sequence.
fn incomplete_len(scheme: Scheme, block: &[u8]) -> usize {
    let size = scheme.unit_size();
    let last = block.len() / size * size;
    let starts = (last.saturating_sub((MAX_SEQUENCE_BYTES - 1) / size * size)..=last).step_by(size);
    // The longest suffix that a stream would hold back completely.
    let is_held_back = |&start: &usize| {
        let progress =
            ByteTranscoder::new(scheme, scheme).push(&block[start..], &mut [0; MAX_SEQUENCE_BYTES]);
        progress.stop == Stop::Done && progress.written == 0
    };
    starts.into_iter().find(is_held_back).map_or(0, |start| block.len() - start)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Seek};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    /// A file with a read error after its bytes.
    struct FailingReader(Cursor<Vec<u8>>);

    impl Read for FailingReader {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::other("broken")),
                read => Ok(read),
            }
        }
    }

    fn text(bytes: Vec<u8>) -> Text {
        let input = Input::new(Box::new(FailingReader(Cursor::new(bytes))));
        Text::new(input, Scheme::Utf8, false)
    }

    fn copy_block(block: &[u8], buffer: &mut Vec<u8>) -> Option<ConvertedBlock> {
        convert_block(Scheme::Utf8, Scheme::Utf8, &Policy::default(), block, buffer)
    }

    #[test]
    fn a_read_error_loses_no_bytes() {
        let bytes = "añ€😀\n".repeat(8 * BLOCK_BYTES / 11);
        for _ in 0..10 {
            let mut text = text(bytes.clone().into());
            let mut file = tempfile::tempfile().unwrap();
            let mut output = Output::direct(file.try_clone().unwrap());
            let converted = run_threads(&mut text, Scheme::Utf8, 4, &mut output, &copy_block);
            assert!(matches!(converted, Ok(0)));
            let mut all = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut all).unwrap();
            assert!(all.len() > 7 * BLOCK_BYTES - 100);
            let error = loop {
                match text.next_chunk() {
                    Ok(chunk) => all.extend_from_slice(chunk),
                    Err(error) => break error,
                }
            };
            assert!(all == bytes.as_bytes(), "{} of {}", all.len(), bytes.len());
            assert_eq!(error.to_string(), "broken");
        }
    }

    #[test]
    fn a_panic_ends_all_threads() {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut text = text(vec![b'x'; 8 * BLOCK_BYTES]);
            let mut output = Output::direct(tempfile::tempfile().unwrap());
            let calls = AtomicUsize::new(0);
            let convert = |block: &[u8], buffer: &mut Vec<u8>| {
                assert_ne!(calls.fetch_add(1, Ordering::Relaxed), 2, "a panic on purpose");
                copy_block(block, buffer)
            };
            let run = || run_threads(&mut text, Scheme::Utf8, 4, &mut output, &convert).is_ok();
            sender.send(catch_unwind(AssertUnwindSafe(run)).is_err()).unwrap();
        });
        // Threads that wait forever would exceed the timeout.
        assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(true));
    }

    #[test]
    fn a_block_ends_between_characters() {
        for (scheme, block, len) in [
            (Scheme::Utf8, &b"ab"[..], 0),
            (Scheme::Utf8, b"", 0),
            (Scheme::Utf8, b"\xF0\x9F\x98\x80", 0),
            (Scheme::Utf8, b"a\xF0\x9F\x98", 3),
            (Scheme::Utf8, b"\xE2\x82", 2),
            (Scheme::Utf8, b"\xC3\xA9\xC3", 1),
            (Scheme::Utf16Le, b"a\0b", 1),
            (Scheme::Utf16Le, b"a\0\x3D\xD8", 2),
            (Scheme::Utf16Le, b"a\0\x3D\xD8\0", 3),
            (Scheme::Utf16Be, b"\0a\xD8\x3D\xDE\0", 0),
            (Scheme::Utf32Be, b"\0\0\0a\0\0\0", 3),
            (Scheme::Latin1, b"\xE9", 0),
            (Scheme::Cesu8, b"\xED\xA0\xBD\xED\xB8\x80", 0),
            (Scheme::Cesu8, b"\xED\xA0\xBD\xED\xB8", 5),
            (Scheme::Cesu8, b"\xED\xA0\xBD\xED\xA0\xBD", 3),
            (Scheme::Mutf8, b"aa\xED\xA0\xBD\xED", 4),
            (Scheme::Mutf8, b"aaaaa\xC0", 1),
            // WTF-8 allows unpaired surrogates, but the next bytes may complete a surrogate pair.
            (Scheme::Wtf8, b"a\xED\xA0\xBD", 3),
            (Scheme::Wtf8, b"a\xED\xA0\xBD\xED\xB8", 5),
            (Scheme::Wtf8, b"\xED\xA0\xBDa", 0),
            (Scheme::Wtf8, b"a\xED\xB8\x80", 0),
            (Scheme::Wtf16Le, b"a\0\x3D\xD8", 2),
            (Scheme::Wtf16Le, b"\x3D\xD8\x3D\xD8\0", 3),
            (Scheme::Wtf16Be, b"\xD8\x3D\0a", 0),
        ] {
            assert_eq!(incomplete_len(scheme, block), len, "{scheme} {block:X?}");
        }
    }
}

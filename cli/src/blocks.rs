//! Conversion of a long file by several threads, block by block, up to the first block that can't
//! be converted as a whole.
//!
//! Each thread reads a block when no other thread reads, converts it, and writes it when all blocks
//! before it are written. A block ends between two characters or ill-formed sequences, so the
//! repairs equal the repairs of the whole text. (If adjacent sequences share a replacement, they do
//! not, and one thread converts.) The first block that can't be converted ends the parallel part:
//! it and everything read after it return to the input, and `convert.rs` continues in one thread.
//! So only `convert.rs` decides where a conversion stops, and reports it.

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
use crate::units::{self, MAX_SEQUENCE};

/// Bytes of a block. Waking a thread takes as long as converting 100 KiB, so blocks are several
/// times longer; they still fit a processor's cache together with their output.
const BLOCK: usize = 512 * 1024;

const PAGE: usize = 4096;

/// A shorter file is converted before a second thread starts.
const MIN_SIZE: u64 = 1 << 20;

/// Bytes of output for each byte of a block, at most. The single thread converts blocks with longer
/// replacements.
const MAX_GROWTH: usize = 6;

/// More threads are of no use: one thread at a time reads, and one writes.
const MAX_THREADS: usize = 4;

/// Converts the beginning of `text` if that is long, and writes it. The text continues after that.
/// Returns the number of repairs.
pub(crate) fn pump(
    text: &mut Text,
    from: Scheme,
    to: Scheme,
    policy: &Policy,
    output: &mut Output,
) -> Result<u64, Failure> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    let is_short = text.input.size().is_none_or(|size| size < MIN_SIZE);
    if threads == 1 || is_short || policy.joins_sequences() {
        return Ok(0);
    }
    let convert = |block: &[u8], buffer: &mut Vec<u8>| convert(from, to, policy, block, buffer);
    run(text, from, threads, output, &convert)
}

/// Converts by `convert` in at most `threads` threads, up to the first block that it refuses.
fn run(
    text: &mut Text,
    from: Scheme,
    threads: usize,
    output: &mut Output,
    convert: &(impl Fn(&[u8], &mut Vec<u8>) -> Option<Converted> + Sync),
) -> Result<u64, Failure> {
    let carried = text.input.take();
    let reading = Reading { input: &mut text.input, carried, next: 0, ended: false };
    let writing = Writing {
        output,
        turn: 0,
        returned: BTreeMap::new(),
        done: WrittenText::default(),
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
                break; // fewer threads are slower, and no reason to fail
            }
        }
        pipeline.work(convert);
    });
    let Pipeline { reading, writing, .. } = pipeline;
    let Reading { carried, .. } = reading.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Writing { returned, done, failure, .. } =
        writing.into_inner().unwrap_or_else(PoisonError::into_inner);
    let returned = returned.into_values().chain([carried]).collect::<Vec<_>>().concat();
    text.resume(done.position, done.bytes, &done.history, returned);
    failure.map_or(Ok(done.repairs), Err)
}

/// State that the threads share.
struct Pipeline<'a> {
    from: Scheme,
    reading: Mutex<Reading<'a>>,
    writing: Mutex<Writing<'a>>,
    turn_changed: Condvar,
}

struct Reading<'a> {
    input: &'a mut Input,
    /// The bytes that the end of the last block cut off.
    carried: Vec<u8>,
    /// The number of the next block.
    next: usize,
    ended: bool,
}

struct Writing<'a> {
    output: &'a mut Output,
    /// The number of the next block to write.
    turn: usize,
    /// Blocks to convert again in one thread, from the first that could not be converted.
    returned: BTreeMap<usize, Vec<u8>>,
    done: WrittenText,
    failure: Option<Failure>,
}

/// Totals of the blocks that have been written.
#[derive(Default)]
struct WrittenText {
    bytes: u64,
    position: Position,
    repairs: u64,
    /// The last bytes of the last block.
    history: Vec<u8>,
}

/// A converted block.
struct Converted {
    /// Bytes of output.
    written: usize,
    /// The position after the block.
    position: Position,
    repairs: u64,
}

/// Ends the work of all threads if one panics. They would wait forever for its turn.
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
    /// The loop of one thread.
    fn work(&self, convert: impl Fn(&[u8], &mut Vec<u8>) -> Option<Converted>) {
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

    /// Reads the next block and returns its number.
    fn read(&self, block: &mut Block) -> Option<usize> {
        let mut reading = self.reading();
        if reading.ended {
            return None;
        }
        let reading = &mut *reading;
        match block.fill(&reading.carried, reading.input) {
            // The end of the file may cut a character, so the single thread converts it.
            Ok(false) => {
                reading.ended = true;
                return None;
            }
            Ok(true) => {}
            // The single thread that continues reads again and reports the error, after all blocks
            // before it are written.
            Err(_) => {
                reading.ended = true;
                return None;
            }
        }
        let rest = block.cut(self.from);
        reading.carried.clear();
        reading.carried.extend_from_slice(rest);
        let number = reading.next;
        reading.next += 1;
        Some(number)
    }

    fn reading(&self) -> MutexGuard<'_, Reading<'a>> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> MutexGuard<'_, Writing<'a>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Converts a block. Returns `None` if the whole block can't be converted.
fn convert(
    from: Scheme,
    to: Scheme,
    policy: &Policy,
    block: &[u8],
    buffer: &mut Vec<u8>,
) -> Option<Converted> {
    if units::sequences_in_cut_pair(from, block) > 0 {
        return None;
    }
    let mut converter = Converter::new(from, to, policy);
    let (mut read, mut written, mut ending) = (0, 0, false);
    loop {
        // A sequence that could continue at the end of the block does not: a block ends before
        // another one.
        let progress = match ending {
            true => converter.finish(&mut buffer[written..]),
            false => converter.push(&block[read..], &mut buffer[written..]),
        };
        read += progress.read;
        written += progress.written;
        match progress.stop {
            Stop::Done if ending => break,
            Stop::Done => ending = true,
            Stop::OutputFull if buffer.len() < MAX_GROWTH * BLOCK => {
                buffer.resize(MAX_GROWTH * BLOCK, 0);
            }
            _ => return None,
        }
    }
    let mut position = Position::default();
    match policy.invalid {
        Some(_) => position.advance_repaired(from, block),
        None => position.advance(from, block),
    }
    Some(Converted { written, position, repairs: converter.repairs() })
}

impl Writing<'_> {
    fn write(&mut self, block: &[u8], converted: &Converted, bytes: &[u8]) {
        if let Err(error) = self.output.write_all(bytes) {
            self.failure = Some(Failure::Writing(error));
            return;
        }
        let WrittenText { bytes, position, repairs, history } = &mut self.done;
        *repairs += converted.repairs;
        *bytes += block.len() as u64;
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
        Self { buffer: vec![0; 2 * PAGE + BLOCK].into(), start: 0, end: 0 }
    }

    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Reads a block that begins with `carried`. Returns true if the file had more bytes.
    fn fill(&mut self, carried: &[u8], input: &mut Input) -> io::Result<bool> {
        // The read starts at a page boundary. Copies whose destination is slightly after the
        // source, modulo a page, are four times as slow on some processors: a load looks as if it
        // depended on an earlier store.
        let page = self.buffer.as_ptr().align_offset(PAGE).min(PAGE);
        let page = page + carried.len().next_multiple_of(PAGE);
        self.start = page - carried.len();
        self.buffer[self.start..page].copy_from_slice(carried);
        let end = self.buffer.len().min(page + BLOCK);
        let read = input.read(&mut self.buffer[page..end])?;
        self.end = page + read;
        Ok(read > 0)
    }

    /// Ends the block between two characters, and returns the bytes that it cuts off.
    fn cut(&mut self, scheme: Scheme) -> &[u8] {
        let end = self.end;
        self.end -= cut_off(scheme, self.bytes());
        &self.buffer[self.end..end]
    }
}

/// Bytes of the sequence that the end of `block` cuts, or that the next bytes could change.
fn cut_off(scheme: Scheme, block: &[u8]) -> usize {
    let size = scheme.unit_size();
    let last = block.len() / size * size;
    let starts = (last.saturating_sub((MAX_SEQUENCE - 1) / size * size)..=last).step_by(size);
    // The longest rest that a stream would hold back as a whole.
    let cuts = |&start: &usize| {
        let held =
            ByteTranscoder::new(scheme, scheme).push(&block[start..], &mut [0; MAX_SEQUENCE]);
        held.stop == Stop::Done && held.written == 0
    };
    starts.into_iter().find(cuts).map_or(0, |start| block.len() - start)
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
    struct Broken(Cursor<Vec<u8>>);

    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::other("broken")),
                read => Ok(read),
            }
        }
    }

    fn text(bytes: Vec<u8>) -> Text {
        let input = Input::new(Box::new(Broken(Cursor::new(bytes))));
        Text::new(input, Scheme::Utf8, false)
    }

    fn same(block: &[u8], buffer: &mut Vec<u8>) -> Option<Converted> {
        convert(Scheme::Utf8, Scheme::Utf8, &Policy::default(), block, buffer)
    }

    #[test]
    fn a_read_error_loses_nothing_read_before() {
        let bytes = "añ€😀\n".repeat(8 * BLOCK / 11);
        for _ in 0..10 {
            let mut text = text(bytes.clone().into());
            let mut file = tempfile::tempfile().unwrap();
            let mut output = Output::direct(file.try_clone().unwrap());
            let pumped = run(&mut text, Scheme::Utf8, 4, &mut output, &same);
            assert!(matches!(pumped, Ok(0)));
            let mut all = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut all).unwrap();
            assert!(all.len() > 7 * BLOCK - 100);
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
            let mut text = text(vec![b'x'; 8 * BLOCK]);
            let mut output = Output::direct(tempfile::tempfile().unwrap());
            let calls = AtomicUsize::new(0);
            let convert = |block: &[u8], buffer: &mut Vec<u8>| {
                assert_ne!(calls.fetch_add(1, Ordering::Relaxed), 2, "a panic on purpose");
                same(block, buffer)
            };
            let run = || run(&mut text, Scheme::Utf8, 4, &mut output, &convert).is_ok();
            sender.send(catch_unwind(AssertUnwindSafe(run)).is_err()).unwrap();
        });
        // Threads that wait forever would exceed the timeout.
        assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(true));
    }

    #[test]
    fn a_block_ends_between_characters() {
        for (scheme, block, cut) in [
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
            // Unpaired surrogates may stand here, but these may be halves of a pair.
            (Scheme::Wtf8, b"a\xED\xA0\xBD", 3),
            (Scheme::Wtf8, b"a\xED\xA0\xBD\xED\xB8", 5),
            (Scheme::Wtf8, b"\xED\xA0\xBDa", 0),
            (Scheme::Wtf8, b"a\xED\xB8\x80", 0),
            (Scheme::Wtf16Le, b"a\0\x3D\xD8", 2),
            (Scheme::Wtf16Le, b"\x3D\xD8\x3D\xD8\0", 3),
            (Scheme::Wtf16Be, b"\xD8\x3D\0a", 0),
        ] {
            assert_eq!(cut_off(scheme, block), cut, "{scheme} {block:X?}");
        }
    }
}

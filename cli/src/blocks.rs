//! A long file converted by several threads, block by block, as far as nothing is wrong with it.
//!
//! Each thread reads a block when it is its turn to read, converts it, and writes it when it is its turn to write. A block
//! ends between two characters, or ill-formed sequences; so what is repaired is repaired in blocks as in the whole. With
//! the first block at which the conversion has to stop this is at its end: that block, and what has been read behind it,
//! goes back to the input, from where [`convert`](crate::convert) goes on in one thread. So where it stops, and what is
//! said of that, is decided in one place only.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use utflane::{ByteTranscoder, Scheme, Stop};

use crate::input::{HISTORY, Input};
use crate::output::{Failure, Output};
use crate::place::{Place, Text};
use crate::policy::{Converter, Policy};
use crate::units::{self, LONGEST};

/// Bytes of a block: so many that a thread seldom waits for another, for being woken takes as long as 100 KiB; and little
/// enough to stay in a processor's cache with what they become.
const BLOCK: usize = 512 * 1024;

const PAGE: usize = 4096;

/// Shorter files are converted sooner than a thread begins.
const LONG: u64 = 1 << 20;

/// Bytes of output for each of a block at most; longer replacements are written piece by piece.
const MOST_GROWTH: usize = 6;

/// Threads that are of use: reading and writing are done by one at a time.
const MOST: usize = 4;

/// Converts the beginning of `text`, if that is long, and writes it; the text stands behind that. Says how many repairs
/// were made.
pub(crate) fn pump(
    text: &mut Text,
    from: Scheme,
    to: Scheme,
    policy: &Policy,
    output: &mut Output,
) -> Result<u64, Failure> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MOST);
    if threads == 1 || text.input.size().is_none_or(|size| size < LONG) {
        return Ok(0);
    }
    let begun = text.input.take();
    let reading = Reading { input: &mut text.input, begun, next: 0, ended: false };
    let writing =
        Writing { output, turn: 0, back: BTreeMap::new(), done: Done::default(), failure: None };
    let line = Line {
        from,
        to,
        policy,
        reading: Mutex::new(reading),
        writing: Mutex::new(writing),
        turned: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| line.work());
        }
        line.work();
    });
    let Line { reading, writing, .. } = line;
    let Reading { begun, .. } = reading.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Writing { back, done, failure, .. } =
        writing.into_inner().unwrap_or_else(PoisonError::into_inner);
    let back = back.into_values().chain([begun]).collect::<Vec<_>>().concat();
    text.resume(done.place, done.bytes, &done.history, back);
    failure.map_or(Ok(done.repairs), Err)
}

/// What the threads share.
struct Line<'a> {
    from: Scheme,
    to: Scheme,
    policy: &'a Policy,
    reading: Mutex<Reading<'a>>,
    writing: Mutex<Writing<'a>>,
    turned: Condvar,
}

struct Reading<'a> {
    input: &'a mut Input,
    /// The beginning of the next block.
    begun: Vec<u8>,
    /// The number of the next block.
    next: usize,
    ended: bool,
}

struct Writing<'a> {
    output: &'a mut Output,
    /// The number of the block that is to be written.
    turn: usize,
    /// Blocks that have been read in vain, from the first that can't be converted on.
    back: BTreeMap<usize, Vec<u8>>,
    done: Done,
    failure: Option<Failure>,
}

/// What has been written, of the text.
#[derive(Default)]
struct Done {
    bytes: u64,
    place: Place,
    repairs: u64,
    /// The end of it.
    history: Vec<u8>,
}

impl<'a> Line<'a> {
    /// One thread's work.
    fn work(&self) {
        let mut block = Block::new();
        let mut room = vec![0; 4 * block.buffer.len()];
        while let Some(number) = self.read(&mut block) {
            let converted = self.convert(block.bytes(), &mut room);
            let mut writing = self.writing();
            while writing.turn != number {
                writing = self.turned.wait(writing).unwrap_or_else(PoisonError::into_inner);
            }
            writing.turn += 1;
            match converted {
                Some((written, place, repairs))
                    if writing.back.is_empty() && writing.failure.is_none() =>
                {
                    writing.write(block.bytes(), place, repairs, &room[..written]);
                }
                _ => drop(writing.back.insert(number, block.bytes().to_vec())),
            }
            let ended = !writing.back.is_empty() || writing.failure.is_some();
            drop(writing);
            self.turned.notify_all();
            if ended {
                self.reading().ended = true;
            }
        }
    }

    /// Converts a block, if it can be as a whole: how long the result is, the place behind the block, and the repairs.
    fn convert(&self, block: &[u8], room: &mut Vec<u8>) -> Option<(usize, Place, u64)> {
        if units::behind_half(self.from, block) > 0 {
            return None;
        }
        let mut converter = Converter::new(self.from, self.to, self.policy);
        let (mut read, mut written, mut ending) = (0, 0, false);
        loop {
            // A sequence at the end that could go on does not: a character or another sequence follows.
            let progress = match ending {
                true => converter.finish(&mut room[written..]),
                false => converter.push(&block[read..], &mut room[written..]),
            };
            read += progress.read;
            written += progress.written;
            match progress.stop {
                Stop::Done if ending => break,
                Stop::Done => ending = true,
                Stop::OutputFull if room.len() < MOST_GROWTH * BLOCK => {
                    room.resize(MOST_GROWTH * BLOCK, 0);
                }
                _ => return None,
            }
        }
        let mut place = Place::default();
        match self.policy.invalid {
            Some(_) => place.advance_repaired(self.from, block),
            None => place.advance(self.from, block),
        }
        Some((written, place, converter.repairs()))
    }

    /// Reads the next block; says which that is.
    fn read(&self, block: &mut Block) -> Option<usize> {
        let mut reading = self.reading();
        if reading.ended {
            return None;
        }
        let reading = &mut *reading;
        match block.fill(&reading.begun, reading.input) {
            // A character may be cut by the end.
            Ok(false) => {
                reading.ended = true;
                return None;
            }
            Ok(true) => {}
            Err(error) => {
                reading.ended = true;
                self.writing().failure = Some(Failure::Reading(error));
                return None;
            }
        }
        let rest = block.cut(self.from);
        reading.begun.clear();
        reading.begun.extend_from_slice(rest);
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

impl Writing<'_> {
    fn write(&mut self, block: &[u8], place: Place, repairs: u64, bytes: &[u8]) {
        if let Err(error) = self.output.write_all(bytes) {
            self.failure = Some(Failure::Writing(error));
            return;
        }
        let Done { bytes, place: sum, repairs: all_repairs, history } = &mut self.done;
        *all_repairs += repairs;
        *bytes += block.len() as u64;
        *sum = sum.then(place);
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

    /// Reads a block that begins with `begun`; whether there is more of the file than that.
    fn fill(&mut self, begun: &[u8], input: &mut Input) -> io::Result<bool> {
        // What is read goes to the start of a page. Copies to a little behind that are four times as slow on some
        // processors, which take the stores for ones to where they load from.
        let page = self.buffer.as_ptr().align_offset(PAGE).min(PAGE);
        let page = page + begun.len().next_multiple_of(PAGE);
        self.start = page - begun.len();
        self.buffer[self.start..page].copy_from_slice(begun);
        let end = self.buffer.len().min(page + BLOCK);
        let read = input.read(&mut self.buffer[page..end])?;
        self.end = page + read;
        Ok(read > 0)
    }

    /// Ends the block between two characters, and gives the rest.
    fn cut(&mut self, scheme: Scheme) -> &[u8] {
        let end = self.end;
        self.end -= cut_off(scheme, self.bytes());
        &self.buffer[self.end..end]
    }
}

/// Bytes of the sequence that the end of `block` cuts, or that would be another one with what follows.
fn cut_off(scheme: Scheme, block: &[u8]) -> usize {
    let size = scheme.unit_size();
    let last = block.len() / size * size;
    let starts = (last.saturating_sub((LONGEST - 1) / size * size)..=last).step_by(size);
    // The longest rest of which a stream would hold back all.
    let cuts = |&start: &usize| {
        let held = ByteTranscoder::new(scheme, scheme).push(&block[start..], &mut [0; LONGEST]);
        held.stop == Stop::Done && held.written == 0
    };
    starts.into_iter().find(cuts).map_or(0, |start| block.len() - start)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            // What could stand alone, but may be half of a pair.
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

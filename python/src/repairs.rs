//! Repairs with their positions, in a few bytes each.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::decoding::{Next, OnIllFormed};
use crate::errors::{Handler, IllFormed};
use utflane_charset::Sink;

/// A sequence of bytes that was ill-formed, and its replacement in the text.
#[pyclass(frozen, eq, hash, get_all, module = "utflane")]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct Repair {
    /// The first byte of the sequence.
    start: u64,
    /// The byte after it.
    end: u64,
    /// The code point of the text at which the replacement stands.
    position: u64,
    /// The code points of the replacement.
    length: u64,
    /// The reason in words.
    kind: String,
}

#[pymethods]
impl Repair {
    #[new]
    fn new(start: u64, end: u64, position: u64, length: u64, kind: String) -> Self {
        Self { start, end, position, length, kind }
    }

    fn __getnewargs__(&self) -> (u64, u64, u64, u64, &str) {
        (self.start, self.end, self.position, self.length, &self.kind)
    }

    fn __repr__(&self) -> String {
        let Self { start, end, position, length, kind } = self;
        format!(
            "Repair(start={start}, end={end}, position={position}, length={length}, kind='{kind}')"
        )
    }
}

/// A repair, by its distances from the previous repair: bytes, and code points.
#[derive(Clone, Copy, PartialEq)]
struct Step {
    /// Its number among the reasons.
    kind: u64,
    gap: i64,
    len: u64,
    points: i64,
    length: u64,
}

impl Step {
    /// Bytes of a step: usually five.
    fn write(self, bytes: &mut Vec<u8>) {
        let zigzag = |value: i64| (value << 1 ^ value >> 63) as u64;
        for value in [self.kind, zigzag(self.gap), self.len, zigzag(self.points), self.length] {
            write(value, bytes);
        }
    }
}

/// Writes a number in groups of seven bits, the lowest first.
fn write(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// A position between repairs.
#[derive(Clone, Copy, Default)]
struct Cursor {
    /// The number of the next repair.
    index: usize,
    /// Where its step is, and how many times it was there already.
    byte: usize,
    repeated: u64,
    /// The end of the repair before.
    end: i64,
    position: i64,
}

/// Repairs from which each search begins.
const SPACING: usize = 64;

/// The repairs of a text, in order. Equal steps in a row are kept once.
#[pyclass(frozen, sequence, module = "utflane")]
#[derive(Default)]
pub(crate) struct Repairs {
    kinds: Vec<String>,
    /// Steps, each with the number of times that it follows itself.
    steps: Vec<u8>,
    /// The last step, which may be repeated.
    last: Option<(Step, u64)>,
    cursors: Vec<Cursor>,
    /// Before the last step.
    next: Cursor,
    len: usize,
    /// After the last repair.
    end: i64,
    position: i64,
}

impl Repairs {
    /// Appends a repair.
    fn push(&mut self, start: u64, end: u64, position: u64, length: u64, kind: &str) {
        let place = |kinds: &[String]| kinds.iter().position(|known| known == kind);
        let kind = place(&self.kinds).unwrap_or_else(|| {
            self.kinds.push(kind.into());
            self.kinds.len() - 1
        });
        let step = Step {
            kind: kind as u64,
            gap: (start as i64).wrapping_sub(self.end),
            len: end.wrapping_sub(start),
            points: (position as i64).wrapping_sub(self.position),
            length,
        };
        if let Some((last, repeats)) = &mut self.last
            && *last == step
        {
            *repeats += 1;
        } else {
            self.finish();
            if self.cursors.last().is_none_or(|last| self.next.index >= last.index + SPACING) {
                self.cursors.push(self.next);
            }
            self.last = Some((step, 1));
        }
        self.len += 1;
        (self.end, self.position) = (end as i64, position.wrapping_add(length) as i64);
    }

    /// Writes the last step.
    fn finish(&mut self) {
        if let Some((step, repeats)) = self.last.take() {
            step.write(&mut self.steps);
            write(repeats, &mut self.steps);
        }
        let (index, byte) = (self.len, self.steps.len());
        self.next = Cursor { index, byte, repeated: 0, end: self.end, position: self.position };
    }

    /// Reads the number at `at`, and moves after it.
    fn number(&self, at: &mut usize) -> u64 {
        let (mut value, mut shift) = (0, 0);
        while let Some(&byte) = self.steps.get(*at) {
            *at += 1;
            value |= u64::from(byte & 0x7F) << (shift & 63);
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    /// Reads the step at a position: the step, the number of its repetitions, and the byte after
    /// it.
    fn step(&self, byte: usize) -> (Step, u64, usize) {
        let mut at = byte;
        let signed = |value: u64| (value >> 1) as i64 ^ -((value & 1) as i64);
        let kind = self.number(&mut at);
        let gap = signed(self.number(&mut at));
        let len = self.number(&mut at);
        let points = signed(self.number(&mut at));
        let length = self.number(&mut at);
        let repeats = self.number(&mut at);
        (Step { kind, gap, len, points, length }, repeats, at)
    }

    /// Returns the repair at a cursor, which moves after `skip` others and it.
    fn take(&self, cursor: &mut Cursor, skip: usize) -> Option<Repair> {
        let mut skip = skip as u64;
        while cursor.index < self.len {
            let (step, repeats, after) = self.step(cursor.byte);
            let skipped = skip.min(repeats - cursor.repeated);
            let is_here = skipped < repeats - cursor.repeated;
            let taken = skipped + u64::from(is_here);
            let by = |each: i64| each.wrapping_mul(taken as i64);
            cursor.index += taken as usize;
            cursor.repeated += taken;
            cursor.end = cursor.end.wrapping_add(by(step.gap.wrapping_add(step.len as i64)));
            cursor.position =
                cursor.position.wrapping_add(by(step.points.wrapping_add(step.length as i64)));
            if cursor.repeated == repeats {
                (cursor.byte, cursor.repeated) = (after, 0);
            }
            skip -= skipped;
            if is_here {
                let (end, after) = (cursor.end as u64, cursor.position as u64);
                return Some(Repair {
                    start: end.wrapping_sub(step.len),
                    end,
                    position: after.wrapping_sub(step.length),
                    length: step.length,
                    kind: self.kinds.get(step.kind as usize).cloned().unwrap_or_default(),
                });
            }
        }
        None
    }
}

#[pymethods]
impl Repairs {
    #[new]
    fn new(repairs: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut made = Self::default();
        for repair in repairs.try_iter()? {
            let repair = repair?;
            let Repair { start, end, position, length, kind } = repair.cast::<Repair>()?.get();
            made.push(*start, *end, *position, *length, kind);
        }
        made.finish();
        Ok(made)
    }

    fn __getnewargs__(this: Py<Self>) -> (Vec<Repair>,) {
        let (repairs, mut cursor) = (this.get(), Cursor::default());
        (std::iter::from_fn(|| repairs.take(&mut cursor, 0)).collect(),)
    }

    pub(crate) fn __len__(&self) -> usize {
        self.len
    }

    fn __getitem__(&self, index: isize) -> PyResult<Repair> {
        let from_start = if index < 0 { index + self.len as isize } else { index };
        let found = usize::try_from(from_start).ok().and_then(|index| {
            let after = self.cursors.partition_point(|cursor| cursor.index <= index);
            let mut cursor = *self.cursors.get(after.checked_sub(1)?)?;
            let skip = index - cursor.index;
            self.take(&mut cursor, skip)
        });
        found.ok_or_else(|| PyIndexError::new_err("repair index out of range"))
    }

    fn __iter__(this: Py<Self>) -> RepairIterator {
        RepairIterator { repairs: this, cursor: Cursor::default() }
    }

    fn __sizeof__(&self) -> usize {
        size_of::<Self>() + self.steps.capacity() + size_of::<Cursor>() * self.cursors.capacity()
    }

    fn __repr__(&self) -> String {
        format!("<{} repairs>", self.len)
    }
}

/// An iterator of repairs.
#[pyclass(module = "utflane")]
pub(crate) struct RepairIterator {
    repairs: Py<Repairs>,
    cursor: Cursor,
}

#[pymethods]
impl RepairIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<Repair> {
        self.repairs.get().take(&mut self.cursor, 0)
    }
}

/// The repairs of a text that is being written.
#[derive(Default)]
pub(crate) struct Notes {
    repairs: Repairs,
    /// Bytes and code points of the text up to the last replacement.
    done: usize,
    points: u64,
}

impl Notes {
    /// Records that the text from byte `at` on replaces the bytes from `start` to `end`.
    pub(crate) fn note(
        &mut self,
        (start, end): (usize, usize),
        kind: &str,
        at: usize,
        sink: &Sink,
    ) {
        let text = sink.bytes();
        let position = self.points + code_points(&text[self.done..at]);
        let length = code_points(&text[at..]);
        self.repairs.push(start as u64, end as u64, position, length, kind);
        (self.done, self.points) = (text.len(), position + length);
    }

    /// Returns the repairs.
    pub(crate) fn finish(mut self) -> Repairs {
        self.repairs.finish();
        self.repairs.steps.shrink_to_fit();
        self.repairs.cursors.shrink_to_fit();
        self.repairs
    }
}

/// Counts the code points of UTF-8 in which surrogates have three bytes.
pub(crate) fn code_points(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64
}

/// Applies a handler to each ill-formed sequence, and notes or counts the repairs.
pub(crate) struct Repairing {
    handler: Handler,
    /// The repairs, if they are noted.
    pub(crate) notes: Option<Notes>,
    /// The number of repairs.
    pub(crate) count: u64,
    /// The ill-formed sequence that the handler leaves to the caller.
    pub(crate) error: Option<IllFormed>,
}

impl Repairing {
    /// A handler before the first ill-formed sequence.
    pub(crate) fn new(handler: Handler, notes: Option<Notes>) -> Self {
        Self { handler, notes, count: 0, error: None }
    }
}

impl OnIllFormed for Repairing {
    fn handle(&mut self, sequence: IllFormed, data: &[u8], sink: &mut Sink) -> Next {
        let (start, at) = (sequence.start, sink.len());
        let replaced = self.handler.replace(&data[start..start + sequence.len], sink);
        if replaced == 0 {
            self.error = Some(sequence);
            return Next::Stop;
        }
        self.count += 1;
        if let Some(notes) = &mut self.notes {
            notes.note((start, start + replaced), sequence.reason(), at, sink);
        }
        if replaced == sequence.len { Next::After } else { Next::From(start + replaced) }
    }
}

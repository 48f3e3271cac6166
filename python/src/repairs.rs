//! Repairs with their positions, stored in a few bytes each.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::decoding::{Next, OnIllFormed};
use crate::errors::{Handler, IllFormed};
use utflane_charset::Sink;

/// A sequence of bytes that was ill-formed, and its replacement in the text.
#[pyclass(frozen, eq, hash, get_all, module = "utflane")]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct Repair {
    /// The byte offset of the start of the sequence.
    start: u64,
    /// The byte offset of the end of the sequence.
    end: u64,
    /// The position of the replacement in the text, in code points.
    position: u64,
    /// The length of the replacement, in code points.
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

/// A repair as a step from the previous repair.
#[derive(Clone, Copy, PartialEq)]
struct Step {
    /// The index of the reason in [`Repairs::kinds`].
    kind_index: u64,
    /// The number of bytes from the end of the previous ill-formed sequence to the start of this
    /// one.
    byte_gap: i64,
    /// The length of the ill-formed sequence, in bytes.
    byte_len: u64,
    /// The number of code points from the end of the previous replacement to the start of this one.
    code_point_gap: i64,
    /// The length of the replacement, in code points.
    replacement_len: u64,
}

impl Step {
    /// Appends the step to `bytes`: usually five bytes.
    fn write(self, bytes: &mut Vec<u8>) {
        let zigzag = |value: i64| (value << 1 ^ value >> 63) as u64;
        for value in [
            self.kind_index,
            zigzag(self.byte_gap),
            self.byte_len,
            zigzag(self.code_point_gap),
            self.replacement_len,
        ] {
            write_varint(value, bytes);
        }
    }
}

/// Appends a number in groups of seven bits, the lowest group first.
fn write_varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// A position between two repairs.
#[derive(Clone, Copy, Default)]
struct Cursor {
    /// The index of the next repair.
    index: usize,
    /// The offset of the step of the next repair in [`Repairs::steps`].
    step_offset: usize,
    /// The number of repairs of this step that are before the cursor.
    repeats_done: u64,
    /// The end of the previous ill-formed sequence, as a byte offset.
    end: i64,
    /// The end of the previous replacement, in code points.
    position: i64,
}

/// The minimum number of repairs between two stored cursors, from which a search begins.
const CURSOR_SPACING: usize = 64;

/// The repairs of a text, in order. A step that repeats is stored once.
#[pyclass(frozen, sequence, module = "utflane")]
#[derive(Default)]
pub(crate) struct Repairs {
    kinds: Vec<String>,
    /// The steps as bytes. After each step is the number of repairs that have this step.
    steps: Vec<u8>,
    /// The last step and the number of its repairs so far. It is not yet in `steps`.
    pending_step: Option<(Step, u64)>,
    cursors: Vec<Cursor>,
    /// The cursor before `pending_step`.
    pending_cursor: Cursor,
    /// The number of repairs.
    len: usize,
    /// The end of the last ill-formed sequence, as a byte offset.
    end: i64,
    /// The end of the last replacement, in code points.
    position: i64,
}

impl Repairs {
    /// Appends a repair.
    fn push(&mut self, start: u64, end: u64, position: u64, length: u64, kind: &str) {
        let find_kind = |kinds: &[String]| kinds.iter().position(|known| known == kind);
        let kind_index = find_kind(&self.kinds).unwrap_or_else(|| {
            self.kinds.push(kind.into());
            self.kinds.len() - 1
        });
        let step = Step {
            kind_index: kind_index as u64,
            byte_gap: (start as i64).wrapping_sub(self.end),
            byte_len: end.wrapping_sub(start),
            code_point_gap: (position as i64).wrapping_sub(self.position),
            replacement_len: length,
        };
        if let Some((pending_step, repeats)) = &mut self.pending_step
            && *pending_step == step
        {
            *repeats += 1;
        } else {
            self.finish();
            let next_index = self.pending_cursor.index;
            if self.cursors.last().is_none_or(|last| next_index >= last.index + CURSOR_SPACING) {
                self.cursors.push(self.pending_cursor);
            }
            self.pending_step = Some((step, 1));
        }
        self.len += 1;
        (self.end, self.position) = (end as i64, position.wrapping_add(length) as i64);
    }

    /// Writes the pending step.
    fn finish(&mut self) {
        if let Some((step, repeats)) = self.pending_step.take() {
            step.write(&mut self.steps);
            write_varint(repeats, &mut self.steps);
        }
        self.pending_cursor = Cursor {
            index: self.len,
            step_offset: self.steps.len(),
            repeats_done: 0,
            end: self.end,
            position: self.position,
        };
    }

    /// Reads the number at `offset` in `steps`, and moves `offset` after the number.
    fn read_varint(&self, offset: &mut usize) -> u64 {
        let (mut value, mut shift) = (0, 0);
        while let Some(&byte) = self.steps.get(*offset) {
            *offset += 1;
            value |= u64::from(byte & 0x7F) << (shift & 63);
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    /// Reads the step at `step_offset` in `steps`. Returns the step, the number of its repairs, and
    /// the offset of the next step.
    fn read_step(&self, step_offset: usize) -> (Step, u64, usize) {
        let mut offset = step_offset;
        let signed = |value: u64| (value >> 1) as i64 ^ -((value & 1) as i64);
        let step = Step {
            kind_index: self.read_varint(&mut offset),
            byte_gap: signed(self.read_varint(&mut offset)),
            byte_len: self.read_varint(&mut offset),
            code_point_gap: signed(self.read_varint(&mut offset)),
            replacement_len: self.read_varint(&mut offset),
        };
        let repeats = self.read_varint(&mut offset);
        (step, repeats, offset)
    }

    /// Skips `skip` repairs after the cursor and returns the next one. The cursor moves after the
    /// returned repair.
    fn next_repair(&self, cursor: &mut Cursor, skip: usize) -> Option<Repair> {
        let mut skip = skip as u64;
        while cursor.index < self.len {
            let (step, repeats, next_step_offset) = self.read_step(cursor.step_offset);
            let skipped = skip.min(repeats - cursor.repeats_done);
            let is_found = skipped < repeats - cursor.repeats_done;
            let moved = skipped + u64::from(is_found);
            let times_moved = |distance: i64| distance.wrapping_mul(moved as i64);
            let byte_distance = step.byte_gap.wrapping_add(step.byte_len as i64);
            let code_point_distance = step.code_point_gap.wrapping_add(step.replacement_len as i64);
            cursor.index += moved as usize;
            cursor.repeats_done += moved;
            cursor.end = cursor.end.wrapping_add(times_moved(byte_distance));
            cursor.position = cursor.position.wrapping_add(times_moved(code_point_distance));
            if cursor.repeats_done == repeats {
                (cursor.step_offset, cursor.repeats_done) = (next_step_offset, 0);
            }
            skip -= skipped;
            if is_found {
                let (end, replacement_end) = (cursor.end as u64, cursor.position as u64);
                return Some(Repair {
                    start: end.wrapping_sub(step.byte_len),
                    end,
                    position: replacement_end.wrapping_sub(step.replacement_len),
                    length: step.replacement_len,
                    kind: self.kinds.get(step.kind_index as usize).cloned().unwrap_or_default(),
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
        let mut result = Self::default();
        for repair in repairs.try_iter()? {
            let repair = repair?;
            let Repair { start, end, position, length, kind } = repair.cast::<Repair>()?.get();
            result.push(*start, *end, *position, *length, kind);
        }
        result.finish();
        Ok(result)
    }

    fn __getnewargs__(this: Py<Self>) -> (Vec<Repair>,) {
        let (repairs, mut cursor) = (this.get(), Cursor::default());
        (std::iter::from_fn(|| repairs.next_repair(&mut cursor, 0)).collect(),)
    }

    pub(crate) fn __len__(&self) -> usize {
        self.len
    }

    fn __getitem__(&self, index: isize) -> PyResult<Repair> {
        let from_start = if index < 0 { index + self.len as isize } else { index };
        let repair = usize::try_from(from_start).ok().and_then(|index| {
            let cursor_count = self.cursors.partition_point(|cursor| cursor.index <= index);
            let mut cursor = *self.cursors.get(cursor_count.checked_sub(1)?)?;
            let skip = index - cursor.index;
            self.next_repair(&mut cursor, skip)
        });
        repair.ok_or_else(|| PyIndexError::new_err("repair index out of range"))
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

/// An iterator over repairs.
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
        self.repairs.get().next_repair(&mut self.cursor, 0)
    }
}

/// Records the repairs of a text that is being written.
#[derive(Default)]
pub(crate) struct RepairRecorder {
    repairs: Repairs,
    /// The end of the last replacement in the text, as a byte offset.
    end: usize,
    /// The end of the last replacement in the text, in code points.
    position: u64,
}

impl RepairRecorder {
    /// Records a repair: the text in `sink` from byte offset `replacement_start` replaces the bytes
    /// `start..end` of the data.
    pub(crate) fn record(
        &mut self,
        (start, end): (usize, usize),
        kind: &str,
        replacement_start: usize,
        sink: &Sink,
    ) {
        let text = sink.bytes();
        let position = self.position + count_code_points(&text[self.end..replacement_start]);
        let length = count_code_points(&text[replacement_start..]);
        self.repairs.push(start as u64, end as u64, position, length, kind);
        (self.end, self.position) = (text.len(), position + length);
    }

    /// Returns the repairs.
    pub(crate) fn finish(mut self) -> Repairs {
        self.repairs.finish();
        self.repairs.steps.shrink_to_fit();
        self.repairs.cursors.shrink_to_fit();
        self.repairs
    }
}

/// Returns the number of code points of a text in UTF-8 in which surrogates have three bytes.
pub(crate) fn count_code_points(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64
}

/// Applies a handler to each ill-formed sequence. Counts the repairs, and can also record them.
pub(crate) struct Repairer {
    handler: Handler,
    pub(crate) recorder: Option<RepairRecorder>,
    /// The number of repairs.
    pub(crate) count: u64,
    /// The ill-formed sequence at which decoding stopped, because the handler does not replace it.
    pub(crate) error: Option<IllFormed>,
}

impl Repairer {
    pub(crate) fn new(handler: Handler, recorder: Option<RepairRecorder>) -> Self {
        Self { handler, recorder, count: 0, error: None }
    }
}

impl OnIllFormed for Repairer {
    fn handle(&mut self, sequence: IllFormed, data: &[u8], sink: &mut Sink) -> Next {
        let (start, replacement_start) = (sequence.start, sink.len());
        let replaced_len = self.handler.replace(&data[start..start + sequence.len], sink);
        if replaced_len == 0 {
            self.error = Some(sequence);
            return Next::Stop;
        }
        self.count += 1;
        let end = start + replaced_len;
        if let Some(recorder) = &mut self.recorder {
            recorder.record((start, end), sequence.reason(), replacement_start, sink);
        }
        if replaced_len == sequence.len { Next::AfterSequence } else { Next::At(end) }
    }
}

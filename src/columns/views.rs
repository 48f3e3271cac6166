//! Finds the ill-formed rows among views.
//!
//! 1. Validate the texts of up to 12 bytes in the views themselves, several with each vector
//!    operation.
//! 2. List the views of the longer texts of a batch.
//! 3. Longer texts that follow each other in a buffer form one text, like rows between offsets.
//!    Validate each such run with one call, and very long texts alone.
//!
//! Short and long texts may alternate in any order. A branch on the length would be mispredicted,
//! so no branch depends on a length.

use core::ops::{ControlFlow, Range};

use crate::columns::find::{Found, Search};
use crate::columns::offset::sealed::Bounds;
use crate::columns::rows::AdjacentRows;
use crate::dispatch::pairs::columns::summarize;
use crate::encoding::scheme::Scheme;
use crate::types::views::{BATCH_VIEWS, Views, view_parts};

/// Texts of at least this many bytes are validated alone. If all texts of a batch are shorter,
/// their offsets in a run fit into 32 bits.
const ALONE_MIN_BYTES: u32 = 1 << 20;
const _: () = assert!(ALONE_MIN_BYTES as usize * BATCH_VIEWS <= i32::MAX as usize);

/// One bit for each row of a batch: 1 if the row is ill-formed.
type Marks = [u64; BATCH_VIEWS / 64];

/// Marks row `row` of the batch as ill-formed.
fn mark(marks: &mut Marks, row: usize) {
    marks[row / 64] |= 1 << (row % 64);
}

/// Calls `found` with each ill-formed row of `range`.
#[inline(never)]
pub(crate) fn find_ill_formed(
    search: &Search,
    views: &[u128],
    buffers: &[&[u8]],
    range: Range<usize>,
    found: &mut impl Found,
) -> ControlFlow<()> {
    let mut seen = Views::new();
    let mut run = Run::new();
    let mut first = range.start;
    for batch in views[range].chunks(BATCH_VIEWS) {
        summarize(batch, &mut seen, search.kernel);
        seen.list(batch);
        let mut marks = [0; BATCH_VIEWS / 64];
        mark_short(search, batch, &seen, &mut marks);
        mark_long(search, buffers, &seen, &mut run, &mut marks);
        for (index, word) in marks.into_iter().enumerate() {
            for_each_bit(word, |bit| found(first + 64 * index + bit))?;
        }
        first += batch.len();
    }
    ControlFlow::Continue(())
}

/// Calls `act` with the index of each bit that is set.
#[inline(always)]
fn for_each_bit(mut word: u64, mut act: impl FnMut(usize) -> ControlFlow<()>) -> ControlFlow<()> {
    while word != 0 {
        act(word.trailing_zeros() as usize)?;
        word &= word - 1;
    }
    ControlFlow::Continue(())
}

/// Marks the ill-formed rows among the short rows, which the views hold.
fn mark_short(search: &Search, batch: &[u128], seen: &Views, marks: &mut Marks) {
    // `seen` has the rows that may be ill-formed in UTF-8. In some other schemes, any short row may
    // be ill-formed.
    let is_any_suspect = match search.validation.scheme {
        Scheme::Utf8 | Scheme::Wtf8 => false,
        Scheme::Ascii | Scheme::Cesu8 if seen.is_ascii => false,
        _ => true,
    };
    for (index, (bits, batch)) in seen.bits.iter().zip(batch.chunks(64)).enumerate() {
        let suspects = if is_any_suspect { u64::MAX } else { bits.suspects };
        let _ = for_each_bit(suspects & !bits.long, |bit| {
            if let Some(&view) = batch.get(bit) {
                let (len, ..) = view_parts(view);
                if !search.is_well_formed(&view.to_le_bytes()[4..4 + len]) {
                    mark(marks, 64 * index + bit);
                }
            }
            ControlFlow::Continue(())
        });
    }
}

/// Marks the ill-formed rows among the long rows, which are in buffers.
#[inline(never)]
fn mark_long(search: &Search, buffers: &[&[u8]], seen: &Views, run: &mut Run, marks: &mut Marks) {
    let (lens, locations) = (&seen.lens[..seen.rows], &seen.locations[..seen.rows]);
    if locations.is_empty() {
        return;
    }
    if run.try_one_run(lens, locations) {
        return run.mark(search, buffers, seen, marks);
    }
    run.rows = 0;
    let mut next = 0;
    for (row, (&location, &len)) in locations.iter().zip(lens).enumerate() {
        if run.rows > 0 && (location != next || len >= ALONE_MIN_BYTES) {
            run.mark(search, buffers, seen, marks);
            run.rows = 0;
        }
        if run.rows == 0 {
            run.first = row;
        }
        run.push(len);
        let is_beyond;
        (next, is_beyond) = location.overflowing_add(u64::from(len) << 32);
        if is_beyond || len >= ALONE_MIN_BYTES {
            run.mark(search, buffers, seen, marks);
            run.rows = 0;
        }
    }
    if run.rows > 0 {
        run.mark(search, buffers, seen, marks);
    }
}

/// Returns the index of the buffer and the offset in the buffer.
#[inline(always)]
fn split_location(location: u64) -> (usize, usize) {
    (location as u32 as usize, (location >> 32) as usize)
}

/// A run: one long row, or several long rows that follow each other in a buffer.
struct Run {
    /// The index of the first row of the run among the long rows of the batch.
    first: usize,
    /// The number of rows of the run.
    rows: usize,
    /// The bounds between the rows, as byte offsets from the start of the first row. The bounds of
    /// a single row are unspecified.
    offsets: [i32; BATCH_VIEWS + 1],
}

impl Run {
    /// Returns a run without rows.
    fn new() -> Self {
        Self { first: 0, rows: 0, offsets: [0; BATCH_VIEWS + 1] }
    }

    /// Adds a row of `len` bytes.
    #[inline(always)]
    fn push(&mut self, len: u32) {
        self.offsets[self.rows + 1] = self.offsets[self.rows].wrapping_add(len.cast_signed());
        self.rows += 1;
    }

    /// If all long rows follow each other in one buffer, makes them the run. Else returns false.
    fn try_one_run(&mut self, lens: &[u32], locations: &[u64]) -> bool {
        let ([first, others @ ..], [.., last]) = (locations, locations) else { return false };
        // The loops have no branch, so that LLVM vectorises them.
        let ends = locations
            .iter()
            .zip(lens)
            .map(|(&location, &len)| location.wrapping_add(u64::from(len) << 32));
        let gaps = ends.zip(others).fold(0, |gaps, (end, &next)| gaps | (end ^ next));
        let len_bits = lens.iter().fold(0, |bits, len| bits | len);
        // The rows have less than 2^32 bytes together. So if the last offset is smaller than the
        // first one, the offsets have wrapped around.
        if gaps != 0 || len_bits >= ALONE_MIN_BYTES || last >> 32 < first >> 32 {
            return false;
        }
        let start = (first >> 32) as u32;
        for (offset, &location) in self.offsets.iter_mut().zip(locations) {
            *offset = ((location >> 32) as u32).wrapping_sub(start).cast_signed();
        }
        (self.first, self.rows) = (0, locations.len() - 1);
        self.push(lens[self.rows]);
        true
    }

    /// Marks the ill-formed rows of the run.
    #[inline(always)]
    fn mark(&self, search: &Search, buffers: &[&[u8]], seen: &Views, marks: &mut Marks) {
        let (buffer, start) = split_location(seen.locations[self.first]);
        let text = &buffers[buffer][start..];
        if self.rows == 1 {
            if !search.is_well_formed(&text[..seen.lens[self.first] as usize]) {
                mark(marks, seen.numbers[self.first].into());
            }
        } else {
            self.mark_several(search, text, seen, marks);
        }
    }

    /// Marks the ill-formed rows of a run of several rows. `text` begins with the first row.
    #[inline(never)]
    fn mark_several(&self, search: &Search, text: &[u8], seen: &Views, marks: &mut Marks) {
        let bounds = Bounds::Offsets32(&self.offsets[..=self.rows], 0);
        let mut found = |row: usize| {
            mark(marks, seen.numbers[self.first + row].into());
            ControlFlow::Continue(())
        };
        let rows = AdjacentRows { values: text, bounds };
        let _ = search.search_blocks(&rows, 0..self.rows, &mut found);
    }
}

//! Finds the ill-formed rows among views.
//!
//! Texts of up to 12 bytes are in the views themselves. A copy of the views with zeros in place of
//! their lengths is one text for the kernel: the zeros keep one row from continuing in the next.
//! Longer rows that follow each other in a buffer are one text too, as between offsets.

use core::hint::{black_box, select_unpredictable};
use core::ops::{ControlFlow, Range};

use crate::columns::find::{Found, Search};
use crate::columns::rows::{Borders, Fixed, INLINE, lens, view_parts};
use crate::encoding::scheme::Scheme;

/// Views that are validated together.
const BATCH: usize = 512;

/// The bytes of a view that belong to a text of this length, which is in the view itself; none for
/// a longer one.
static TEXT: [u128; INLINE + 2] = {
    let mut masks = [0; INLINE + 2];
    let mut len = 1;
    while len <= INLINE {
        masks[len] = ((1 << (8 * len)) - 1) << 32;
        len += 1;
    }
    masks
};

/// Rows that follow each other in a buffer.
struct Run {
    buffer: usize,
    /// Their numbers in the batch.
    numbers: [u16; BATCH],
    borders: [usize; BATCH + 1],
    rows: usize,
}

impl Borders for Run {
    fn rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn border(&self, at: usize) -> usize {
        self.borders[at]
    }

    fn any_continuation(
        &self,
        text: &[u8],
        range: Range<usize>,
        _: crate::dispatch::kernel::Kernel,
    ) -> bool {
        self.borders[range]
            .iter()
            .any(|&at| text.get(at).is_some_and(|&b| crate::scalar::utf8::is_continuation(b)))
    }
}

/// The ill-formed rows of a batch, a bit each.
struct Marks([u64; BATCH / 64]);

impl Marks {
    /// Marks a row of the batch.
    fn mark(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }
}

/// Calls `found` with each ill-formed row of `range`.
#[inline(never)]
pub(crate) fn run(
    search: &Search,
    views: &[u128],
    buffers: &[&[u8]],
    range: Range<usize>,
    found: &mut impl Found,
) -> ControlFlow<()> {
    let mut run = Run { buffer: 0, numbers: [0; BATCH], borders: [0; BATCH + 1], rows: 0 };
    let mut first = range.start;
    for batch in views[range].chunks(BATCH) {
        let mut marks = Marks([0; BATCH / 64]);
        let (least, most) = lens(batch);
        if least <= INLINE {
            mark_inline(search, batch, &mut marks);
        }
        if most > INLINE {
            mark_long(search, batch, buffers, &mut run, &mut marks);
        }
        for (at, &word) in marks.0.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                found(first + 64 * at + word.trailing_zeros() as usize)?;
                word &= word - 1;
            }
        }
        first += batch.len();
    }
    ControlFlow::Continue(())
}

/// Marks the ill-formed rows that are in the views themselves.
fn mark_inline(search: &Search, batch: &[u128], marks: &mut Marks) {
    let mut slots = [[0; 16]; BATCH];
    for (slot, &view) in slots.iter_mut().zip(batch) {
        let (len, ..) = view_parts(view);
        *slot = (view & TEXT[len.min(INLINE + 1)]).to_le_bytes();
    }
    // A zero between two rows must be a character and end any other.
    if matches!(search.validation.scheme, Scheme::Utf8 | Scheme::Wtf8 | Scheme::Ascii) {
        let borders = Fixed { width: 16, rows: batch.len() };
        let mut mark = |number| {
            marks.mark(number);
            ControlFlow::Continue(())
        };
        let search = Search { is_uncut: true, ..*search };
        let _ = search.run_blocks(slots.as_flattened(), &borders, 0..batch.len(), &mut mark);
        return;
    }
    for (number, (slot, &view)) in slots.iter().zip(batch).enumerate() {
        let (len, ..) = view_parts(view);
        if len <= INLINE && !search.is_well_formed(&slot[4..4 + len]) {
            marks.mark(number);
        }
    }
}

/// Marks the ill-formed rows that are in buffers.
fn mark_long(search: &Search, batch: &[u128], buffers: &[&[u8]], run: &mut Run, marks: &mut Marks) {
    // Known to be 0, LLVM would branch on the length.
    let none = black_box(0);
    let mut rows = 0;
    for (number, &view) in batch.iter().enumerate() {
        let (len, buffer, offset) = view_parts(view);
        // Short and long texts may alternate in any way: no branch depends on the length alone.
        let gap = (run.buffer ^ buffer) | (run.borders[rows] ^ offset) | usize::from(rows == 0);
        if select_unpredictable(len > INLINE, gap, none) != 0 {
            run.rows = rows;
            mark_run(search, buffers, run, marks);
            rows = 0;
            run.buffer = buffer;
            run.borders[0] = offset;
        }
        // A short row is overwritten by the next.
        #[expect(clippy::cast_possible_truncation, reason = "less than BATCH")]
        let number = number as u16;
        run.numbers[rows] = number;
        run.borders[rows + 1] = offset.wrapping_add(len);
        rows += usize::from(len > INLINE);
    }
    run.rows = rows;
    mark_run(search, buffers, run, marks);
}

/// Marks the ill-formed rows of a run.
fn mark_run(search: &Search, buffers: &[&[u8]], run: &mut Run, marks: &mut Marks) {
    if run.rows == 0 {
        return;
    }
    let values = buffers[run.buffer];
    if run.rows == 1 {
        if !search.is_well_formed(&values[run.row(0)]) {
            marks.mark(usize::from(run.numbers[0]));
        }
    } else {
        let mut mark = |row: usize| {
            marks.mark(usize::from(run.numbers[row]));
            ControlFlow::Continue(())
        };
        let _ = search.run_blocks(values, &*run, 0..run.rows, &mut mark);
    }
}

//! Repair of UTF-8: every ill-formed sequence is replaced by the same character, or removed.
//!
//! 1. Find the [sequences](super::sequences) of a block.
//! 2. Copy the bytes up to the next ill-formed sequence. Each copy has the size of a block.
//! 3. Write a replacement for each ill-formed sequence up to the next well-formed sequence: several
//!    at a time.
//! 4. Continue with 2. After the last ill-formed sequence, copy the rest of the block. Keep three
//!    bits for the next block: they mark its bytes that continue the last sequence of this block.
//! 5. Stop after many bytes without a repair, or if the output may lack the capacity for a block.
//!
//! Copies and writes have fixed sizes, so few branches depend on the text.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
use crate::encoding::view;
use crate::generic::copy;
use crate::generic::from_utf8::check::Utf8Checker;
use crate::generic::repair::RepairReach;
use crate::generic::repair::sequences::{
    SEQUENCE_BLOCK_BYTES, SEQUENCE_STRIDE_BYTES, Sequences, complete_len,
};

/// The number of bytes that can be read from the start of a block on. It lets whole vectors be
/// copied from any byte of the block.
const WINDOW_BYTES: usize = 2 * SEQUENCE_BLOCK_BYTES;

/// The capacity that a block needs: each of its bytes may become four, and a copy writes a whole
/// block after the last needed byte, even after a sequence that ends in the next block.
pub(crate) const BLOCK_CAPACITY: usize = 4 * SEQUENCE_BLOCK_BYTES + 2 * SEQUENCE_BLOCK_BYTES;

/// The repair stops after this many well-formed bytes, because other code is faster for them.
const CLEAN_RUN_BYTES: usize = 16 * SEQUENCE_BLOCK_BYTES;

/// The number of replacements that are written at a time.
const ROW_REPLACEMENTS: usize = 4;

/// Repairs `src` while `dst` has the capacity [`BLOCK_CAPACITY`], and until [`CLEAN_RUN_BYTES`]
/// consecutive bytes need no repair. If `may_continue` is true, more input may follow `src`.
#[inline(always)]
pub(crate) fn repair<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    replacement: Option<char>,
    may_continue: bool,
) -> RepairReach {
    let src = if may_continue { &src[..complete_len(src)] } else { src };
    let checker = Utf8Checker::<V>::new(token);
    let mut repairer = Repairer::<V>::new(token, dst, replacement);
    let mut padded = [0; 2 * WINDOW_BYTES];
    // The offset in `src` of the bytes in `padded`, if there are any.
    let mut padded_start = None;
    while repairer.reach.read < src.len() {
        let read = repairer.reach.read;
        let rest = &src[read..];
        if repairer.clean_run >= CLEAN_RUN_BYTES || !repairer.has_capacity() {
            repairer.end_sequence(rest);
            break;
        }
        let window: &[u8; WINDOW_BYTES] = if let Some(window) = rest.first_chunk() {
            window
        } else {
            let padded_start = *padded_start.get_or_insert(read);
            if padded_start == read {
                copy_short(&mut padded[..rest.len()], rest);
            }
            let Some(window) = padded[read - padded_start..].first_chunk() else { break };
            window
        };
        let Some(block) = window.first_chunk::<SEQUENCE_BLOCK_BYTES>() else { break };
        let len =
            if rest.len() > SEQUENCE_BLOCK_BYTES { SEQUENCE_STRIDE_BYTES } else { rest.len() };
        let sequences = Sequences::find::<V>(&checker, token, block, len, repairer.carry);
        repairer.repair_block(window, sequences, len);
    }
    repairer.reach
}

/// The state of a repair.
struct Repairer<'a, V: Vector> {
    token: V::Token,
    /// The output.
    dst: &'a mut [MaybeUninit<u8>],
    /// [`ROW_REPLACEMENTS`] copies of the replacement.
    row: [u8; 4 * ROW_REPLACEMENTS],
    /// The length of a replacement, in bytes.
    replacement_len: usize,
    /// The progress.
    reach: RepairReach,
    /// The number of bytes since the last repair.
    clean_run: usize,
    /// Bit `i` is set if byte `i` of the next block continues a sequence of this block.
    carry: u64,
    /// The number of bytes of the next block that belong to a replaced sequence.
    replaced_len: usize,
}

impl<'a, V: Vector> Repairer<'a, V> {
    #[inline(always)]
    fn new(token: V::Token, dst: &'a mut [MaybeUninit<u8>], replacement: Option<char>) -> Self {
        let mut bytes = [0; 4];
        let replacement_len = replacement.map_or(0, |c| c.encode_utf8(&mut bytes).len());
        let mut row = [0; 4 * ROW_REPLACEMENTS];
        for k in 0..ROW_REPLACEMENTS {
            let start = k * replacement_len;
            row[start..start + replacement_len].copy_from_slice(&bytes[..replacement_len]);
        }
        let reach = RepairReach::NONE;
        Self { token, dst, row, replacement_len, reach, clean_run: 0, carry: 0, replaced_len: 0 }
    }

    /// Returns true if the output has capacity for any block.
    #[inline(always)]
    fn has_capacity(&self) -> bool {
        self.dst.len() - self.reach.written >= BLOCK_CAPACITY
    }

    /// Repairs the first `len` bytes of `window`, given the sequences in it.
    #[inline(always)]
    fn repair_block(&mut self, window: &[u8; WINDOW_BYTES], sequences: Sequences, len: usize) {
        let Sequences { starts, mut ill_formed, continuing, .. } = sequences;
        self.reach.repairs += ill_formed.count_ones() as usize;
        self.clean_run = if ill_formed == 0 { self.clean_run + len } else { 0 };
        let (well_formed, mut from) = (starts & !ill_formed, self.replaced_len);
        while ill_formed != 0 {
            let offset = ill_formed.trailing_zeros() as usize;
            self.copy(window, from, offset);
            // The ill-formed sequences up to the next well-formed sequence.
            let next_well_formed = well_formed & (u64::MAX << offset);
            let run = ill_formed & next_well_formed.wrapping_sub(1) & !next_well_formed;
            self.write_replacements(run.count_ones() as usize);
            from = next_well_formed.trailing_zeros() as usize;
            ill_formed ^= run;
        }
        self.replaced_len = from.saturating_sub(len);
        self.copy(window, from, len.max(from));
        self.carry = continuing >> SEQUENCE_STRIDE_BYTES;
        self.reach.read += len;
    }

    /// Copies bytes `from..to` of the window, at most a block. Bytes written after them are
    /// scratch.
    #[inline(always)]
    fn copy(&mut self, window: &[u8; WINDOW_BYTES], from: usize, to: usize) {
        let out = &mut self.dst[self.reach.written..];
        // A copy of a fixed size is faster than a copy of the required length, which is
        // unpredictable.
        let (Some(block), Some(out)) = (window[from..].first_chunk(), out.first_chunk_mut()) else {
            unreachable!("a block and its output have this capacity")
        };
        copy::block::<V, SEQUENCE_BLOCK_BYTES>(self.token, block, out);
        self.reach.written += to - from;
    }

    /// Writes `count` replacements.
    #[inline(always)]
    fn write_replacements(&mut self, count: usize) {
        let end = self.reach.written + count * self.replacement_len;
        while self.reach.written < end {
            let out = &mut self.dst[self.reach.written..][..self.row.len()];
            out.copy_from_slice(view::as_uninit(&self.row));
            self.reach.written +=
                (ROW_REPLACEMENTS * self.replacement_len).min(end - self.reach.written);
        }
    }

    /// Copies the bytes of `rest` that continue the last sequence, or skips them if it has been
    /// replaced.
    #[inline(always)]
    fn end_sequence(&mut self, rest: &[u8]) {
        let len = self.carry.count_ones() as usize;
        for &byte in rest.iter().take(len) {
            if self.replaced_len == 0 {
                self.dst[self.reach.written].write(byte);
                self.reach.written += 1;
            }
            self.reach.read += 1;
        }
    }
}

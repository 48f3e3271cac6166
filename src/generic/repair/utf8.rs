//! Repair of UTF-8: the same few bytes, or none, replace every ill-formed sequence.
//!
//! First the [sequences](super::sequences) of some blocks are found. Then the well-formed bytes
//! between two ill-formed sequences are copied, always as a whole block, and after them as many
//! replacements are written as ill-formed sequences follow each other. So few branches depend on
//! the text. ASCII with isolated bytes of 80 and above has separate code.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
use crate::encoding::view;
use crate::generic::copy;
use crate::generic::from_utf8::check::Utf8Checker;
use crate::generic::repair::sequences::{
    GROUP, SEQUENCE_BLOCK_BYTES, STRIDE, Sequences, closed, isolated_bytes, store_block,
};
use crate::scalar::repair::{End, RepairReach};

/// Bytes that are readable from the start of a block on, so that whole vectors can be copied from
/// any byte of it.
const WINDOW: usize = 2 * SEQUENCE_BLOCK_BYTES;

/// Bytes that are readable from the start of a group of blocks on.
const WINDOWS: usize = (GROUP - 1) * STRIDE + WINDOW;

/// The room that a block needs, if each of its bytes becomes four, with the excess of the copies,
/// also after a sequence that ends in the next block.
pub(crate) const ROOM: usize = 4 * SEQUENCE_BLOCK_BYTES + 2 * SEQUENCE_BLOCK_BYTES;

/// The room beyond the length of a text with which [`repair`] takes all of it, if it has few
/// errors. Of a block or less, the reference repairs the rest.
#[cfg(feature = "alloc")]
pub(crate) const fn spare_room(len: usize) -> usize {
    // One block after another, or a group at once; some replacements besides.
    64 + match len {
        WINDOWS.. => GROUP * ROOM,
        SEQUENCE_BLOCK_BYTES.. => ROOM,
        _ => 0,
    }
}

/// The repair ends after this many well-formed bytes; other code is faster for such text.
const CLEAN_RUN: usize = 16 * SEQUENCE_BLOCK_BYTES;

/// After this many bytes of ASCII, a repair copies more of it by a faster loop: the end of that is
/// mispredicted, so it must be worth its while.
const ASCII_RUN: usize = 2 * SEQUENCE_BLOCK_BYTES;

/// The replacement for each ill-formed sequence: the first `len` bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) bytes: [u8; 4],
    pub(crate) len: usize,
}

impl Piece {
    /// U+FFFD, the replacement of nearly all callers.
    const DEFAULT: Self = Self { bytes: [0xEF, 0xBF, 0xBD, 0], len: 3 };

    /// The replacement, repeated as often as a block has room for.
    const fn repeated(self) -> [u8; SEQUENCE_BLOCK_BYTES] {
        let (mut pieces, mut at, mut byte) = ([0; SEQUENCE_BLOCK_BYTES], 0, 0);
        while at < SEQUENCE_BLOCK_BYTES && self.len > 0 {
            pieces[at] = self.bytes[byte];
            byte = if byte + 1 < self.len { byte + 1 } else { 0 };
            at += 1;
        }
        pieces
    }
}

/// [`Piece::DEFAULT`], repeated.
static DEFAULT_PIECES: [u8; SEQUENCE_BLOCK_BYTES] = Piece::DEFAULT.repeated();

/// Repairs `src` while `dst` has [`ROOM`], and until [`CLEAN_RUN`] bytes need no repair. With
/// `may_continue`, more input may follow `src`.
#[inline(always)]
pub(crate) fn repair<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    piece: Piece,
    may_continue: bool,
) -> RepairReach {
    let (given, src) = (src.len(), if may_continue { &src[..closed(src)] } else { src });
    let checker = Utf8Checker::<V>::new(token);
    let pieces = if piece == Piece::DEFAULT { DEFAULT_PIECES } else { piece.repeated() };
    let len = piece.len;
    let fit = if len == 3 { V::LANES / 3 * 3 } else { V::LANES / 4 * len };
    let (read, written, repairs, clean_run, carry, gap) = (0, 0, 0, 0, 0, 0);
    let state = State { dst, pieces, len, fit, read, written, repairs, clean_run, carry, gap };
    state.run::<V>(&checker, token, src, given > src.len())
}

/// The sequences of a block: [`Sequences::bad`] and [`Sequences::starts`].
#[derive(Clone, Copy, Default)]
struct Found {
    bad: u64,
    starts: u64,
}

/// The progress of a repair.
struct State<'a> {
    /// The output.
    dst: &'a mut [MaybeUninit<u8>],
    /// The replacement, repeated as often as a block has room for.
    pieces: [u8; SEQUENCE_BLOCK_BYTES],
    /// Bytes of a replacement.
    len: usize,
    /// Bytes of the replacements that are written by one vector.
    fit: usize,
    /// Bytes read.
    read: usize,
    /// Bytes written.
    written: usize,
    /// The number of repairs.
    repairs: usize,
    /// Bytes since the last repair.
    clean_run: usize,
    /// The next bytes that continue a sequence of the last block.
    carry: u64,
    /// The number of the next bytes that belong to a sequence that has been replaced.
    gap: usize,
}

impl State<'_> {
    /// Repairs `src`. `may_continue` tells that more input follows, which begins with a sequence
    /// that may continue.
    #[inline(always)]
    fn run<V: Vector>(
        mut self,
        checker: &Utf8Checker<V>,
        token: V::Token,
        src: &[u8],
        may_continue: bool,
    ) -> RepairReach {
        // If a sequence starts at every byte, none continues after the block.
        let mut ascii = true;
        while let Some(windows) = src[self.read..].first_chunk::<WINDOWS>()
            && self.clean_run < CLEAN_RUN
            && self.dst.len() - self.written >= GROUP * ROOM
        {
            if ascii && self.isolated::<V>(token, &src[self.read..]) {
                continue;
            }
            ascii = self.group::<V>(checker, token, windows);
        }
        let mut padded = [0; 2 * WINDOW];
        // The place of the padded bytes, once there are any.
        let mut start = None;
        while self.read < src.len() {
            let rest = &src[self.read..];
            if self.clean_run >= CLEAN_RUN || self.dst.len() - self.written < ROOM {
                return self.early(rest);
            }
            if ascii && self.isolated::<V>(token, rest) {
                continue;
            }
            let window: &[u8; WINDOW] = if let Some(window) = rest.first_chunk() {
                window
            } else {
                let start = *start.get_or_insert(self.read);
                if start == self.read {
                    copy_short(&mut padded[..rest.len()], rest);
                }
                let Some(window) = padded[self.read - start..].first_chunk() else { break };
                window
            };
            let Some(block) = window.first_chunk() else { break };
            let len = if rest.len() > SEQUENCE_BLOCK_BYTES { STRIDE } else { rest.len() };
            let found = self.look::<V>(checker, token, block, len);
            ascii = found.starts == u64::MAX;
            self.block::<V>(token, window, &found, len);
        }
        self.end(if may_continue { End::Open } else { End::Input })
    }

    /// Repairs a group of blocks. Returns whether the last one is ASCII with isolated other bytes.
    #[inline(always)]
    fn group<V: Vector>(
        &mut self,
        checker: &Utf8Checker<V>,
        token: V::Token,
        windows: &[u8; WINDOWS],
    ) -> bool {
        let (mut found, mut at) = ([Found::default(); GROUP], 0);
        for found in &mut found {
            let Some(block) = windows[at..].first_chunk() else { break };
            *found = self.look::<V>(checker, token, block, STRIDE);
            at += STRIDE;
        }
        at = 0;
        for found in &found {
            let Some(window) = windows[at..].first_chunk() else { break };
            self.block::<V>(token, window, found, STRIDE);
            at += STRIDE;
        }
        found[GROUP - 1].starts == u64::MAX
    }

    /// Repairs whole blocks of ASCII with isolated other bytes, which are ill-formed. Returns
    /// whether there were such blocks.
    #[inline(always)]
    fn isolated<V: Vector>(&mut self, token: V::Token, src: &[u8]) -> bool {
        let start = self.read;
        while let Some(window) = src[self.read - start..].first_chunk::<{ WINDOW + 1 }>()
            && let Some(room) = self.dst[self.written..].first_chunk_mut::<ROOM>()
        {
            let Some(mut high) = isolated_bytes::<V, _>(token, window) else { break };
            if high == 0 && self.clean_run >= ASCII_RUN {
                let rest = &src[self.read - start..];
                let run = copy::copy_ascii_run::<V>(token, rest, &mut self.dst[self.written..]);
                self.read += run;
                self.written += run;
                self.clean_run += run;
                continue;
            }
            let repairs = high.count_ones() as usize;
            self.clean_run = if high == 0 { self.clean_run + SEQUENCE_BLOCK_BYTES } else { 0 };
            store_block::<V>(token, window, room);
            // The number of such bytes is unpredictable, so the loop runs at least once. With none,
            // the replacement is written after the block, which is not kept.
            let mut place = 0;
            loop {
                let at = high.trailing_zeros() as usize;
                let room = &mut room[at.wrapping_add(place)..];
                room[..4].copy_from_slice(view::as_uninit(&self.pieces[..4]));
                store_block::<V>(token, &window[at + 1..], &mut room[self.len..]);
                place = place.wrapping_add(self.len).wrapping_sub(1);
                high &= high.wrapping_sub(1);
                if high == 0 {
                    break;
                }
            }
            self.repairs += repairs;
            self.written += SEQUENCE_BLOCK_BYTES - repairs + repairs * self.len;
            self.read += SEQUENCE_BLOCK_BYTES;
        }
        self.read > start
    }

    /// The result before the end of the input. First takes the bytes of `rest` that continue the
    /// last sequence.
    #[inline(always)]
    fn early(mut self, rest: &[u8]) -> RepairReach {
        let end = if self.clean_run >= CLEAN_RUN { End::Calm } else { End::Output };
        let over = self.carry.count_ones() as usize;
        for &byte in rest.iter().take(over) {
            if self.gap == 0 {
                self.dst[self.written].write(byte);
                self.written += 1;
            }
            self.read += 1;
        }
        self.end(end)
    }

    /// The result.
    #[inline(always)]
    fn end(&self, end: End) -> RepairReach {
        RepairReach { read: self.read, written: self.written, repairs: self.repairs, end }
    }

    /// Finds the sequences in the first `len` bytes of `block`, the next one.
    #[inline(always)]
    fn look<V: Vector>(
        &mut self,
        checker: &Utf8Checker<V>,
        token: V::Token,
        block: &[u8; SEQUENCE_BLOCK_BYTES],
        len: usize,
    ) -> Found {
        let Sequences { starts, bad, continued, .. } =
            Sequences::of::<V>(checker, token, block, len, self.carry);
        self.carry = continued >> STRIDE;
        Found { bad, starts }
    }

    /// Repairs the first `len` bytes of `window`, with the sequences in `Found`.
    #[inline(always)]
    fn block<V: Vector>(
        &mut self,
        token: V::Token,
        window: &[u8; WINDOW],
        &Found { mut bad, starts }: &Found,
        len: usize,
    ) {
        self.repairs += bad.count_ones() as usize;
        self.clean_run = if bad == 0 { self.clean_run + len } else { 0 };
        let (good, mut from) = (starts & !bad, self.gap);
        while bad != 0 {
            let at = bad.trailing_zeros() as usize;
            self.copy::<V>(token, window, from, at);
            // All ill-formed sequences up to the next well-formed one.
            let next_good = good & (u64::MAX << at);
            let row = bad & next_good.wrapping_sub(1) & !next_good;
            self.put::<V>(token, row.count_ones() as usize);
            from = next_good.trailing_zeros() as usize;
            bad ^= row;
        }
        self.gap = from.saturating_sub(len);
        self.copy::<V>(token, window, from, len.max(from));
        self.read += len;
    }

    /// Copies bytes `from..to` of the window, at most a block. The bytes after these are scratch.
    #[inline(always)]
    fn copy<V: Vector>(&mut self, token: V::Token, window: &[u8; WINDOW], from: usize, to: usize) {
        store_block::<V>(token, &window[from..], &mut self.dst[self.written..]);
        self.written += to - from;
    }

    /// Writes the replacements of `count` sequences.
    #[inline(always)]
    fn put<V: Vector>(&mut self, token: V::Token, count: usize) {
        let end = self.written + count * self.len;
        // Nearly always one pass.
        while self.written < end {
            V::load(token, &self.pieces, 0).store_bytes(&mut self.dst[self.written..], 0);
            self.written += self.fit.min(end - self.written);
        }
    }
}

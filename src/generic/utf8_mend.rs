//! UTF-8 mended: every ill-formed sequence replaced by the same few bytes, or by none.
//!
//! The [sequences](super::utf8_sequences) of some blocks are found first, and then what is good between two that are bad is
//! copied, a whole block each time, with as many replacements behind it as there are bad ones in a row: so little depends on the
//! text. ASCII in which single bytes are wrong has a way of its own.

use core::mem::MaybeUninit;

use super::utf8::Checker;
use super::utf8_sequences::{BLOCK, GROUP, STRIDE, Sequences, closed, lone_bytes, store_block};
use crate::arch::Vector;
use crate::arch::window::copy_short;
use crate::encoding::view;
use crate::scalar::mend::{End, Mended};

/// Bytes that are readable from the beginning of a block on, so that what is copied from it may be copied in whole vectors.
const WINDOW: usize = 2 * BLOCK;

/// Bytes that are readable from the beginning of so many blocks on.
const WINDOWS: usize = (GROUP - 1) * STRIDE + WINDOW;

/// Room that a block takes, if each of its bytes becomes four, and what copies write beyond, also where a sequence ends behind it.
pub(crate) const ROOM: usize = 4 * BLOCK + 2 * BLOCK;

/// Well-formed bytes behind which it is for others to go on.
const CALM: usize = 16 * BLOCK;

/// What stands for each ill-formed sequence: the first `len` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) bytes: [u8; 4],
    pub(crate) len: usize,
}

impl Piece {
    /// As many of them as there is space for in a block, one behind the other.
    fn repeated(self) -> [u8; BLOCK] {
        let (mut pieces, mut at) = ([0; BLOCK], 0);
        while let Some(room) = pieces[at..].first_chunk_mut() {
            *room = self.bytes;
            at += self.len.max(1);
        }
        pieces
    }
}

/// Mends `src` as long as there is [`ROOM`] in `dst`, and as long as there is something to mend. `open` says that `src` may go
/// on.
#[inline(always)]
pub(crate) fn mend<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    piece: Piece,
    open: bool,
) -> Mended {
    let (given, src) = (src.len(), if open { &src[..closed(src)] } else { src });
    let checker = Checker::<V>::new(token);
    let pieces = piece.repeated();
    let len = piece.len;
    let fit = if len == 3 { V::LANES / 3 * 3 } else { V::LANES / 4 * len };
    let (read, written, repairs, calm, carry, gap) = (0, 0, 0, 0, 0, 0);
    let state = State { dst, pieces, len, fit, read, written, repairs, calm, carry, gap };
    state.run::<V>(&checker, token, src, given > src.len())
}

/// What is wrong in a block, and where sequences begin there.
#[derive(Clone, Copy, Default)]
struct Found {
    bad: u64,
    starts: u64,
}

/// How far mending came.
struct State<'a> {
    dst: &'a mut [MaybeUninit<u8>],
    /// What stands for an ill-formed sequence, as often as a block has room for.
    pieces: [u8; BLOCK],
    /// Bytes of it, and of as many as a vector surely holds.
    len: usize,
    fit: usize,
    read: usize,
    written: usize,
    repairs: usize,
    /// Bytes since the last repair.
    calm: usize,
    /// Which of the next bytes go on a sequence.
    carry: u64,
    /// How many of the next bytes are part of one that has been replaced.
    gap: usize,
}

impl State<'_> {
    /// Mends `src`; `open` says that there is more, which begins with a sequence that may go on.
    #[inline(always)]
    fn run<V: Vector>(
        mut self,
        checker: &Checker<V>,
        token: V::Token,
        src: &[u8],
        open: bool,
    ) -> Mended {
        let mut ascii = true;
        while let Some(windows) = src[self.read..].first_chunk::<WINDOWS>()
            && self.calm < CALM
            && self.dst.len() - self.written >= GROUP * ROOM
        {
            // Where sequences begin everywhere, none goes on behind.
            if ascii && self.lone::<V>(token, &src[self.read..]) {
                continue;
            }
            let (mut found, mut at) = ([Found::default(); GROUP], 0);
            for found in &mut found {
                let Some(block) = windows[at..].first_chunk() else { break };
                *found = self.look::<V>(checker, token, block, STRIDE);
                at += STRIDE;
            }
            ascii = found[GROUP - 1].starts == u64::MAX;
            at = 0;
            for found in &found {
                let Some(window) = windows[at..].first_chunk() else { break };
                self.block::<V>(token, window, found, STRIDE);
                at += STRIDE;
            }
        }
        let mut padded = [0; 2 * WINDOW];
        // Where the padded bytes begin, when there are any.
        let mut start = None;
        while self.read < src.len() {
            let rest = &src[self.read..];
            if self.calm >= CALM || self.dst.len() - self.written < ROOM {
                return self.early(rest);
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
            let len = if rest.len() > BLOCK { STRIDE } else { rest.len() };
            let found = self.look::<V>(checker, token, block, len);
            self.block::<V>(token, window, &found, len);
        }
        self.end(if open { End::Open } else { End::Input })
    }

    /// Mends whole blocks of ASCII in which each other byte stands alone, and so is ill-formed, as long as there are any, and
    /// something to mend. Says whether there were.
    #[inline(always)]
    fn lone<V: Vector>(&mut self, token: V::Token, src: &[u8]) -> bool {
        let start = self.read;
        while let Some(window) = src[self.read - start..].first_chunk::<{ WINDOW + 1 }>()
            && let Some(room) = self.dst[self.written..].first_chunk_mut::<ROOM>()
            && self.calm < CALM
        {
            let Some(mut high) = lone_bytes::<V, _>(token, window) else { break };
            let repairs = high.count_ones() as usize;
            self.calm = if high == 0 { self.calm + BLOCK } else { 0 };
            store_block::<V>(token, window, room);
            // Nobody foresees whether there is one. If there is none, it stands behind the block, which is not kept.
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
            self.written += BLOCK - repairs + repairs * self.len;
            self.read += BLOCK;
        }
        self.read > start
    }

    /// The result in front of the end, behind the sequence that goes on in `rest`, if one does.
    #[inline(always)]
    fn early(mut self, rest: &[u8]) -> Mended {
        let end = if self.calm >= CALM { End::Calm } else { End::Output };
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
    fn end(&self, end: End) -> Mended {
        Mended { read: self.read, written: self.written, repairs: self.repairs, end }
    }

    /// What is in the first `len` bytes of `block`, which is the next one.
    #[inline(always)]
    fn look<V: Vector>(
        &mut self,
        checker: &Checker<V>,
        token: V::Token,
        block: &[u8; BLOCK],
        len: usize,
    ) -> Found {
        let Sequences { starts, bad, covered, .. } =
            Sequences::of::<V>(checker, token, block, len, self.carry);
        self.carry = covered >> STRIDE;
        Found { bad, starts }
    }

    /// Mends the first `len` bytes of `window`, in which that is what has been found.
    #[inline(always)]
    fn block<V: Vector>(
        &mut self,
        token: V::Token,
        window: &[u8; WINDOW],
        &Found { mut bad, starts }: &Found,
        len: usize,
    ) {
        self.repairs += bad.count_ones() as usize;
        self.calm = if bad == 0 { self.calm + len } else { 0 };
        let (good, mut from) = (starts & !bad, self.gap);
        while bad != 0 {
            let at = bad.trailing_zeros() as usize;
            self.copy::<V>(token, window, from, at);
            // All in a row: up to where something begins that is good.
            let behind = good & (u64::MAX << at);
            let row = bad & behind.wrapping_sub(1) & !behind;
            self.put::<V>(token, row.count_ones() as usize);
            from = behind.trailing_zeros() as usize;
            bad ^= row;
        }
        self.gap = from.saturating_sub(len);
        self.copy::<V>(token, window, from, len.max(from));
        self.read += len;
    }

    /// Copies bytes `from..to` of the window, at most a block; and what is behind.
    #[inline(always)]
    fn copy<V: Vector>(&mut self, token: V::Token, window: &[u8; WINDOW], from: usize, to: usize) {
        store_block::<V>(token, &window[from..], &mut self.dst[self.written..]);
        self.written += to - from;
    }

    /// Writes what stands for so many sequences.
    #[inline(always)]
    fn put<V: Vector>(&mut self, token: V::Token, count: usize) {
        let end = self.written + count * self.len;
        // Nearly always once.
        while self.written < end {
            V::load(token, &self.pieces, 0).store_bytes(&mut self.dst[self.written..], 0);
            self.written += self.fit.min(end - self.written);
        }
    }
}

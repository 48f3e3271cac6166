//! UTF-8 mended: every ill-formed sequence replaced by the same few bytes, or by none; or by a placeholder of its own length.
//!
//! Maximal subparts as bits. A byte is *covered* if it goes on what begins in front of it: the second byte of a sequence is
//! if the lead byte allows it, the third if the second is, the fourth if the third is. Every other byte begins something,
//! and what it begins is good if as many bytes as the lead byte wants are covered. So all sequences of 64 bytes, good and
//! bad, are known from five words of bits, whatever there is of each; only what is copied between two bad ones depends on
//! the text. Whether a second byte is allowed is what the tables of the [check](super::utf8) say.
//!
//! What begins in the last three of the 64 bytes is left to the next ones, so these begin 61 bytes further on, always: what
//! follows must not wait for what has been found. That they begin inside a sequence is three bits.
//!
//! Where each sequence becomes one unit, nothing has to move: a placeholder of the same length is put over it, which the
//! conversion makes one unit of, and how many units come in front of that is a count of bits.

use core::mem::MaybeUninit;

use super::utf8::{Checker, WRONG_SECOND};
use crate::arch::Vector;
use crate::scalar::mend::{End, Mended};
use crate::scalar::{Decode, utf8::character_start};
use crate::tables::Order;
use crate::{Utf8, encoding::view};

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// Bytes from one block to the next: the longest sequence that begins in front of that ends in the block.
const STRIDE: usize = BLOCK - 3;

/// Bytes that are readable from the beginning of a block on, so that what is copied from it may be copied in whole vectors.
const WINDOW: usize = 2 * BLOCK;

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

/// The sequences of a block, a bit for each byte.
#[derive(Clone, Copy)]
struct Sequences {
    /// Where they begin. Behind the stride, also what is left to the next block.
    starts: u64,
    /// Where those begin that are ill-formed.
    bad: u64,
    /// Where those of four bytes begin that are well-formed.
    fours: u64,
    /// Bytes that go on a sequence which begins in front of them.
    covered: u64,
}

impl Sequences {
    /// Those that begin in the first `len` bytes of `block`, of which those in `carry` go on one that begins in front of it.
    #[inline(always)]
    fn of<V: Vector>(
        checker: &Checker<V>,
        token: V::Token,
        block: &[u8],
        len: usize,
        carry: u64,
    ) -> Self {
        let mine = first(len);
        let high = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).high(),
        );
        // No two beside each other, and none that the next block may cover: each of them is alone, and none is right.
        if (high & (high << 1)) | (high >> STRIDE) | carry == 0 {
            return Self { starts: u64::MAX, bad: high & mine, fours: 0, covered: 0 };
        }
        let continuation = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).continuation(),
        );
        let three = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).at_least(token, 0xE0),
        );
        let four = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).at_least(token, 0xF0),
        );
        let zero = V::splat(token, 0);
        let allowed = bits::<V>(
            #[inline(always)]
            |k| {
                let back = if k == 0 {
                    vector::<V>(token, block, 0).shifted::<1>()
                } else {
                    V::load(token, &block[V::LANES - 1..], (k - 1) * V::LANES)
                };
                checker
                    .special(vector::<V>(token, block, k), back)
                    .and(V::splat(token, WRONG_SECOND))
                    .equal(zero)
            },
        );
        let lead = high & !continuation & mine;
        let second = continuation & (lead << 1) & allowed;
        let third = continuation & (second << 1) & (three << 2);
        let fourth = continuation & (third << 1) & (four << 3);
        let covered = second | third | fourth;
        let starts = !(covered | carry);
        let fours = four & (fourth >> 3);
        let good = !high | lead & !three & (second >> 1) | three & !four & (third >> 2) | fours;
        Self { starts, bad: starts & !good & mine, fours, covered }
    }

    /// Where the sequence behind the one at `at` begins.
    #[inline(always)]
    fn behind(&self, at: usize) -> usize {
        (self.starts & (u64::MAX << at << 1)).trailing_zeros() as usize
    }
}

/// Vector `k` of a block.
#[inline(always)]
fn vector<V: Vector>(token: V::Token, block: &[u8], k: usize) -> V {
    V::load(token, block, k * V::LANES)
}

/// The masks of a block as bits.
#[inline(always)]
fn bits<V: Vector>(mask: impl Fn(usize) -> V::Mask) -> u64 {
    match V::LANES {
        64 => V::bits(&[mask(0)]),
        32 => V::bits(&[mask(0), mask(1)]),
        _ => V::bits(&[mask(0), mask(1), mask(2), mask(3)]),
    }
}

/// The lowest `n` bits, at most 64.
#[inline(always)]
fn first(n: usize) -> u64 {
    if n < 64 { (1 << n) - 1 } else { u64::MAX }
}

/// Bytes of `src` in front of a sequence that its end cuts.
fn closed(src: &[u8]) -> usize {
    let start = character_start(src, src.len().saturating_sub(1));
    match src.get(start..).filter(|last| !last.is_empty()).map(Utf8::decode) {
        Some(Err(flaw)) if flaw.len == 0 => start,
        _ => src.len(),
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
    let state = State { dst, piece, read: 0, written: 0, repairs: 0, calm: 0, carry: 0, gap: 0 };
    state.run::<V>(&checker, token, src, given > src.len())
}

/// How far mending came.
struct State<'a> {
    dst: &'a mut [MaybeUninit<u8>],
    piece: Piece,
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
        while let Some(window) = src[self.read..].first_chunk::<WINDOW>() {
            if self.calm >= CALM || self.is_full() {
                return self.early::<V>(token, window);
            }
            self.block::<V>(checker, token, window, STRIDE);
        }
        let start = self.read;
        let rest = &src[start..];
        let mut padded = [0; 2 * WINDOW];
        padded[..rest.len()].copy_from_slice(rest);
        while self.read < src.len() {
            let at = self.read - start;
            let Some(window) = padded[at..].first_chunk::<WINDOW>() else { break };
            if self.is_full() {
                return self.early::<V>(token, window);
            }
            let len = rest.len() - at;
            self.block::<V>(checker, token, window, if len > BLOCK { STRIDE } else { len });
        }
        self.end(if open { End::Open } else { End::Input })
    }

    /// Whether there is no room for a block.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.dst.len() - self.written < ROOM
    }

    /// The result in front of the end, behind the sequence that goes on in `window`, if one does.
    #[inline(always)]
    fn early<V: Vector>(mut self, token: V::Token, window: &[u8; WINDOW]) -> Mended {
        let end = if self.calm >= CALM { End::Calm } else { End::Output };
        let over = self.carry.count_ones() as usize;
        if self.gap == 0 && over > 0 {
            self.copy::<V>(token, window, 0, over);
        }
        self.read += over;
        self.end(end)
    }

    /// The result.
    #[inline(always)]
    fn end(&self, end: End) -> Mended {
        Mended { read: self.read, written: self.written, repairs: self.repairs, end }
    }

    /// Mends the first `len` bytes of `window`.
    #[inline(always)]
    fn block<V: Vector>(
        &mut self,
        checker: &Checker<V>,
        token: V::Token,
        window: &[u8; WINDOW],
        len: usize,
    ) {
        let sequences = Sequences::of::<V>(checker, token, &window[..BLOCK], len, self.carry);
        let (mut from, mut bad) = (self.gap, sequences.bad);
        self.repairs += bad.count_ones() as usize;
        self.calm = if bad == 0 { self.calm + len } else { 0 };
        while bad != 0 {
            let at = bad.trailing_zeros() as usize;
            self.copy::<V>(token, window, from, at);
            self.put();
            bad &= bad - 1;
            from = sequences.behind(at);
        }
        self.gap = from.saturating_sub(len);
        self.copy::<V>(token, window, from, len.max(from));
        self.carry = sequences.covered >> STRIDE;
        self.read += len;
    }

    /// Copies bytes `from..to` of the window.
    #[inline(always)]
    fn copy<V: Vector>(&mut self, token: V::Token, window: &[u8; WINDOW], from: usize, to: usize) {
        let (src, room) = (&window[from..], &mut self.dst[self.written..]);
        let mut at = 0;
        loop {
            V::load(token, src, at).store_bytes(room, at);
            at += V::LANES;
            if from + at >= to {
                break;
            }
        }
        self.written += to - from;
    }

    /// Writes what stands for a sequence.
    #[inline(always)]
    fn put(&mut self) {
        self.dst[self.written..][..4].copy_from_slice(view::as_uninit(&self.piece.bytes));
        self.written += self.piece.len;
    }
}

/// How far [`lone`] came.
#[derive(Clone, Copy)]
pub(crate) struct Lone {
    pub(crate) read: usize,
    pub(crate) repairs: usize,
}

/// Converts ASCII in which each other byte stands alone, and so is ill-formed, to units of `SIZE` bytes, of which `unit` stands for
/// those: as long as there is such text, whole blocks of it, and room. A block is made wider as if all were ASCII.
#[inline(always)]
pub(crate) fn lone<V: Vector, O: Order, const SIZE: usize>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    unit: [u8; SIZE],
) -> Lone {
    let (mut src, mut dst) = (src, dst);
    let (all, mut repairs) = (src.len(), 0);
    while let (Some(block), Some(room)) =
        (src.first_chunk::<{ BLOCK + 1 }>(), dst.get_mut(..SIZE * (BLOCK + 1)))
    {
        let mut high = bits::<V>(
            #[inline(always)]
            |k| vector::<V>(token, block, k).high(),
        );
        let next = u64::from(block[BLOCK] >> 7);
        if high & (high << 1) | (high >> (BLOCK - 1) & next) != 0 {
            break;
        }
        let mut at = 0;
        while at < BLOCK {
            match SIZE {
                2 => V::load(token, block, at).store_widened::<O>(room, at),
                _ => V::load(token, block, at).store_widened_twice::<O>(room, at),
            }
            at += V::LANES;
        }
        repairs += high.count_ones() as usize;
        // Nobody foresees whether there is one. If there is none, it stands behind the block, which is not kept.
        loop {
            let at = SIZE * high.trailing_zeros() as usize;
            room[at..at + SIZE].copy_from_slice(view::as_uninit(&unit));
            high &= high.wrapping_sub(1);
            if high == 0 {
                break;
            }
        }
        src = &src[BLOCK..];
        dst = &mut core::mem::take(&mut dst)[SIZE * BLOCK..];
    }
    Lone { read: all - src.len(), repairs }
}

/// What [`fill`] has put where.
#[derive(Clone, Copy)]
pub(crate) struct Filled {
    /// Bytes read, and written.
    pub(crate) read: usize,
    /// Placeholders.
    pub(crate) places: usize,
}

/// Bytes that [`fill`] takes at most.
pub(crate) const FILL: usize = 1024;

/// Room that it needs for that: some more may be written.
pub(crate) const FILL_ROOM: usize = FILL + WINDOW;

/// Copies the beginning of `src`, at most [`FILL`] bytes, with a placeholder of the same length over each ill-formed sequence: a
/// character of one unit in UTF-16. `places` become the numbers of units in front of each: in UTF-16 if `PAIRS`, else in
/// UTF-32.
#[inline(always)]
pub(crate) fn fill<V: Vector, const PAIRS: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>; FILL_ROOM],
    places: &mut [u16; FILL],
    open: bool,
) -> Filled {
    let src = if open { &src[..closed(src)] } else { src };
    // As much as can be taken, up to where a sequence ends.
    let src = if src.len() > FILL { &src[..closed(&src[..FILL])] } else { src };
    let checker = Checker::<V>::new(token);
    let mut filling = Filling { dst, places, read: 0, count: 0, units: 0, carry: 0 };
    filling.begin(src);
    while let Some(window) = src[filling.read..].first_chunk::<{ BLOCK + 4 }>() {
        filling.block::<V, PAIRS>(&checker, token, window, STRIDE);
    }
    let start = filling.read;
    let rest = &src[start..];
    let mut padded = [0; WINDOW + 4];
    padded[..rest.len()].copy_from_slice(rest);
    while filling.read < src.len() {
        let at = filling.read - start;
        let Some(window) = padded[at..].first_chunk::<{ BLOCK + 4 }>() else { break };
        let len = rest.len() - at;
        let len = if len > BLOCK { STRIDE } else { len };
        filling.block::<V, PAIRS>(&checker, token, window, len);
    }
    Filled { read: src.len(), places: filling.count }
}

/// How far filling came.
struct Filling<'a> {
    dst: &'a mut [MaybeUninit<u8>; FILL_ROOM],
    places: &'a mut [u16; FILL],
    read: usize,
    count: usize,
    units: usize,
    /// Which of the next bytes go on a sequence.
    carry: u64,
}

/// Placeholders of one, two and three bytes, and the bytes that they leave of four, the first byte lowest.
const PLACEHOLDERS: [(u32, u32); 4] = [
    (0x1A, 0xFFFF_FF00),
    (0x80C2, 0xFFFF_0000),
    (0x80_A0E0, 0xFF00_0000),
    // There are none of four.
    (0, 0xFFFF_FFFF),
];

impl Filling<'_> {
    /// Copies the first bytes, which blocks leave to those in front.
    #[inline(always)]
    fn begin(&mut self, src: &[u8]) {
        for (to, &byte) in self.dst.iter_mut().zip(&src[..src.len().min(3)]) {
            to.write(byte);
        }
    }

    /// Takes the first `len` bytes of `window`. Of these, all but the first three are copied here, and three behind: a
    /// placeholder may reach that far, and the next block must leave it.
    #[inline(always)]
    fn block<V: Vector, const PAIRS: bool>(
        &mut self,
        checker: &Checker<V>,
        token: V::Token,
        window: &[u8; BLOCK + 4],
        len: usize,
    ) {
        let room = &mut self.dst[self.read..][..BLOCK + 4];
        let mut at = 0;
        while at < BLOCK {
            V::load(token, &window[3..], at).store_bytes(&mut room[3..], at);
            at += V::LANES;
        }
        let sequences = Sequences::of::<V>(checker, token, &window[..BLOCK], len, self.carry);
        let before = self.units;
        let units = |bits: u64| {
            let pairs = if PAIRS { (sequences.fours & bits).count_ones() } else { 0 };
            before + ((sequences.starts & bits).count_ones() + pairs) as usize
        };
        let mut bad = sequences.bad;
        while bad != 0 {
            let at = bad.trailing_zeros() as usize;
            if let Some(place) = self.places.get_mut(self.count) {
                #[expect(clippy::cast_possible_truncation, reason = "units of FILL bytes")]
                let before = units(first(at)) as u16;
                *place = before;
            }
            self.count += 1;
            let (put, keep) = PLACEHOLDERS[(sequences.behind(at) - at - 1) & 3];
            let Some(&there) = window[at..].first_chunk::<4>() else { break };
            let there = u32::from_le_bytes(there) & keep | put;
            room[at..at + 4].copy_from_slice(view::as_uninit(&there.to_le_bytes()));
            bad &= bad - 1;
        }
        self.units = units(first(len));
        self.carry = sequences.covered >> STRIDE;
        self.read += len;
    }
}

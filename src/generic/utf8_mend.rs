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
use crate::arch::window::copy_short;
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

/// Blocks that are looked at before anything is done about them. How much there is to do nobody foresees, and the wrong guess
/// of a branch costs less where it need not wait for vectors.
const GROUP: usize = 4;

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
            if ascii && self.carry == 0 && self.gap == 0 && self.lone::<V>(token, &src[self.read..])
            {
                continue;
            }
            let mut found = [Found::default(); GROUP];
            let mut at = 0;
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
        while let Some(window) = src[self.read..].first_chunk::<WINDOW>() {
            if self.calm >= CALM || self.is_full() {
                return self.early::<V>(token, window);
            }
            self.look_and_mend::<V>(checker, token, window, STRIDE);
        }
        let start = self.read;
        let rest = &src[start..];
        let mut padded = [0; 2 * WINDOW];
        copy_short(&mut padded[..rest.len()], rest);
        while self.read < src.len() {
            let at = self.read - start;
            let Some(window) = padded[at..].first_chunk::<WINDOW>() else { break };
            if self.is_full() {
                return self.early::<V>(token, window);
            }
            let len = rest.len() - at;
            let len = if len > BLOCK { STRIDE } else { len };
            self.look_and_mend::<V>(checker, token, window, len);
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
            let mut high = bits::<V>(
                #[inline(always)]
                |k| vector::<V>(token, window, k).high(),
            );
            if high & (high << 1) | (high >> (BLOCK - 1) & u64::from(window[BLOCK] >> 7)) != 0 {
                break;
            }
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
    fn look_and_mend<V: Vector>(
        &mut self,
        checker: &Checker<V>,
        token: V::Token,
        window: &[u8; WINDOW],
        len: usize,
    ) {
        let Some(block) = window.first_chunk() else { return };
        let found = self.look::<V>(checker, token, block, len);
        self.block::<V>(token, window, &found, len);
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

/// Copies the first block of `src`, whatever is needed of it: nobody foresees how much that is.
#[inline(always)]
fn store_block<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let (src, dst) = (&src[..BLOCK], &mut dst[..BLOCK]);
    let mut at = 0;
    while at < BLOCK {
        V::load(token, src, at).store_bytes(dst, at);
        at += V::LANES;
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

/// Room for their places, some of which are no places.
pub(crate) const PLACES: usize = FILL;

/// Copies the beginning of `src`, at most [`FILL`] bytes, with a placeholder of the same length over each ill-formed sequence: a
/// character of one unit in UTF-16. `places` become the numbers of units in front of each: in UTF-16 if `PAIRS`, else in
/// UTF-32.
#[inline(always)]
pub(crate) fn fill<V: Vector, const PAIRS: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>; FILL_ROOM],
    places: &mut [MaybeUninit<u16>; PLACES],
    open: bool,
) -> Filled {
    let src = if open { &src[..closed(src)] } else { src };
    // As much as can be taken, up to where a sequence ends.
    let src = if src.len() > FILL { &src[..closed(&src[..FILL])] } else { src };
    let checker = Checker::<V>::new(token);
    let mut filling = Filling { dst, places, read: 0, count: 0, units: 0, carry: 0 };
    while let Some(windows) = src[filling.read..].first_chunk::<{ (GROUP - 1) * STRIDE + BLOCK }>()
    {
        let mut found = [Units::default(); GROUP];
        let mut at = 0;
        for found in &mut found {
            let Some(window) = windows[at..].first_chunk() else { break };
            *found = filling.block::<V, PAIRS>(&checker, token, window, STRIDE);
            at += STRIDE;
        }
        for found in found {
            filling.place(found);
        }
    }
    while let Some(window) = src[filling.read..].first_chunk() {
        let found = filling.block::<V, PAIRS>(&checker, token, window, STRIDE);
        filling.place(found);
    }
    // Less than a block is left, and nothing goes on behind it.
    let rest = &src[filling.read..];
    let mut padded = [0; BLOCK];
    copy_short(&mut padded[..rest.len()], rest);
    let found = filling.block::<V, PAIRS>(&checker, token, &padded, rest.len());
    filling.place(found);
    Filled { read: src.len(), places: filling.count }
}

/// How far filling came.
struct Filling<'a> {
    dst: &'a mut [MaybeUninit<u8>; FILL_ROOM],
    places: &'a mut [MaybeUninit<u16>; PLACES],
    read: usize,
    count: usize,
    units: usize,
    /// Which of the next bytes go on a sequence.
    carry: u64,
}

/// What is wrong in a block, and its units.
#[derive(Clone, Copy, Default)]
struct Units {
    at: usize,
    /// Units in front of the block.
    before: usize,
    /// Where ill-formed sequences begin, of those, what has two bytes at least, and three.
    bad: u64,
    two: u64,
    three: u64,
    /// A bit for each unit.
    units: u64,
}

/// Lead bytes of placeholders of one, two and three bytes. Any continuation byte may stand behind those, so what is covered
/// by an ill-formed sequence stays as it is.
const LEADS: [u8; 4] = [0x1A, 0xC2, 0xE1, 0];

impl Filling<'_> {
    /// Takes the first `len` bytes of `window`.
    #[inline(always)]
    fn block<V: Vector, const PAIRS: bool>(
        &mut self,
        checker: &Checker<V>,
        token: V::Token,
        window: &[u8; BLOCK],
        len: usize,
    ) -> Units {
        let at = self.read;
        if let Some(room) = self.dst[at..].first_chunk_mut::<BLOCK>() {
            let mut at = 0;
            while at < BLOCK {
                V::load(token, window, at).store_bytes(room, at);
                at += V::LANES;
            }
        }
        let sequences = Sequences::of::<V>(checker, token, window, len, self.carry);
        let Sequences { starts, bad, fours, covered } = sequences;
        // The second unit of four bytes is counted at the second of these, which nothing begins at.
        let units = if PAIRS { starts | fours << 1 } else { starts };
        let before = self.units;
        let pairs = if PAIRS { fours.count_ones() } else { 0 };
        self.units += ((starts & first(len)).count_ones() + pairs) as usize;
        self.carry = covered >> STRIDE;
        self.read += len;
        Units { at, before, bad, two: covered >> 1, three: covered >> 1 & covered >> 2, units }
    }

    /// Puts the placeholders.
    #[inline(always)]
    fn place(&mut self, found: Units) {
        let Some(room) = self.dst[found.at..].first_chunk_mut::<BLOCK>() else { return };
        let mut bad = found.bad;
        while bad != 0 {
            let at = bad.trailing_zeros();
            if let Some(place) = self.places.get_mut(self.count) {
                let before = (found.units & (bad - 1) & !bad).count_ones() as usize;
                #[expect(clippy::cast_possible_truncation, reason = "units of FILL bytes")]
                place.write((found.before + before) as u16);
            }
            self.count += 1;
            let more = (found.two >> at & 1) + (found.three >> at & 1);
            room[at as usize].write(LEADS[more as usize & 3]);
            bad &= bad - 1;
        }
    }
}

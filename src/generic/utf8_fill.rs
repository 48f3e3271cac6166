//! UTF-8 on its way to units that each ill-formed sequence becomes one of.
//!
//! Nothing has to move then: a placeholder of the same length is put over each [sequence](super::utf8_sequences), which the
//! conversion makes one unit of, and how many units come in front of that is a count of bits. ASCII in which single bytes are
//! wrong needs no placeholders.

use core::mem::MaybeUninit;

use super::utf8::Checker;
use super::utf8_sequences::{
    BLOCK, GROUP, STRIDE, Sequences, closed, first, lone_bytes, store_block,
};
use crate::arch::Vector;
use crate::arch::window::copy_short;
use crate::encoding::view;
use crate::tables::Order;

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
        let Some(mut high) = lone_bytes::<V, _>(token, block) else { break };
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
pub(crate) const FILL_ROOM: usize = FILL + 2 * BLOCK;

/// Copies the beginning of `src`, at most [`FILL`] bytes, with a placeholder of the same length over each ill-formed sequence: a
/// character of one unit in UTF-16. `places` become the numbers of units in front of each: in UTF-16 if `PAIRS`, else in
/// UTF-32.
#[inline(always)]
pub(crate) fn fill<V: Vector, const PAIRS: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>; FILL_ROOM],
    places: &mut [MaybeUninit<u16>; FILL],
    open: bool,
) -> Filled {
    let src = if open { &src[..closed(src)] } else { src };
    // As much as can be taken, up to where a sequence ends.
    let src = if src.len() > FILL { &src[..closed(&src[..FILL])] } else { src };
    let checker = Checker::<V>::new(token);
    let mut filling = Filling { dst, places, read: 0, count: 0, units: 0, carry: 0 };
    while let Some(windows) = src[filling.read..].first_chunk::<{ (GROUP - 1) * STRIDE + BLOCK }>()
    {
        let (mut found, mut at) = ([Units::default(); GROUP], 0);
        for found in &mut found {
            let Some(window) = windows[at..].first_chunk() else { break };
            *found = filling.block::<V, PAIRS>(&checker, token, window, STRIDE);
            at += STRIDE;
        }
        for found in found {
            filling.place(found);
        }
    }
    let mut padded = [0; BLOCK];
    while filling.read < src.len() {
        let rest = &src[filling.read..];
        let (window, len) = if let Some(window) = rest.first_chunk() {
            (window, STRIDE)
        } else {
            // Nothing goes on behind the end.
            copy_short(&mut padded[..rest.len()], rest);
            (&padded, rest.len())
        };
        let found = filling.block::<V, PAIRS>(&checker, token, window, len);
        filling.place(found);
    }
    Filled { read: src.len(), places: filling.count }
}

/// How far filling came.
struct Filling<'a> {
    dst: &'a mut [MaybeUninit<u8>; FILL_ROOM],
    places: &'a mut [MaybeUninit<u16>; FILL],
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
        store_block::<V>(token, window, &mut self.dst[at..]);
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

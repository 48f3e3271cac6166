//! Preparation of ill-formed UTF-8 for a conversion to UTF-16 or UTF-32 in which each ill-formed
//! sequence becomes one unit.
//!
//! No byte moves: a well-formed placeholder of the same length replaces each ill-formed
//! [sequence](super::sequences), and the conversion makes one unit of it. The number of units
//! before it, its place in the output, is a count of bits. ASCII with isolated bytes of 80 and
//! above needs no placeholders.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
use crate::encoding::view;
use crate::generic::from_utf8::check::Utf8Checker;
use crate::generic::repair::sequences::{
    GROUP, SEQUENCE_BLOCK_BYTES, STRIDE, Sequences, closed, first, isolated_bytes, store_block,
};
use crate::tables::Order;

/// The progress of [`isolated`].
#[derive(Clone, Copy)]
pub(crate) struct Isolated {
    /// Bytes read; as many units have been written.
    pub(crate) read: usize,
    /// Ill-formed bytes among them.
    pub(crate) repairs: usize,
}

/// Converts ASCII with isolated other bytes, which are ill-formed, to units of `SIZE` bytes; `unit`
/// replaces each of these. Converts whole blocks of such text while there is room. A block is
/// widened as if all bytes were ASCII.
#[inline(always)]
pub(crate) fn isolated<V: Vector, O: Order, const SIZE: usize>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    unit: [u8; SIZE],
) -> Isolated {
    let (mut src, mut dst) = (src, dst);
    let (all, mut repairs) = (src.len(), 0);
    while let (Some(block), Some(room)) = (
        src.first_chunk::<{ SEQUENCE_BLOCK_BYTES + 1 }>(),
        dst.get_mut(..SIZE * (SEQUENCE_BLOCK_BYTES + 1)),
    ) {
        let Some(mut high) = isolated_bytes::<V, _>(token, block) else { break };
        let mut at = 0;
        while at < SEQUENCE_BLOCK_BYTES {
            match SIZE {
                2 => V::load(token, block, at).store_widened::<O>(room, at),
                _ => V::load(token, block, at).store_widened_twice::<O>(room, at),
            }
            at += V::LANES;
        }
        repairs += high.count_ones() as usize;
        // The number of such bytes is unpredictable, so the loop runs at least once. With none, the
        // unit is written after the block, which is not kept.
        loop {
            let at = SIZE * high.trailing_zeros() as usize;
            room[at..at + SIZE].copy_from_slice(view::as_uninit(&unit));
            high &= high.wrapping_sub(1);
            if high == 0 {
                break;
            }
        }
        src = &src[SEQUENCE_BLOCK_BYTES..];
        dst = &mut core::mem::take(&mut dst)[SIZE * SEQUENCE_BLOCK_BYTES..];
    }
    Isolated { read: all - src.len(), repairs }
}

/// The result of [`fill`].
#[derive(Clone, Copy)]
pub(crate) struct Filled {
    /// Bytes read, and written.
    pub(crate) read: usize,
    /// The number of placeholders.
    pub(crate) places: usize,
}

/// The largest number of bytes that [`fill`] takes.
pub(crate) const FILL: usize = 1024;

/// The room that [`fill`] needs: some bytes after the copy may be written too.
pub(crate) const FILL_ROOM: usize = FILL + 2 * SEQUENCE_BLOCK_BYTES;

/// Copies the front of `src`, at most [`FILL`] bytes. Replaces each ill-formed sequence with a
/// placeholder of the same length: a character of one unit in UTF-16.
///
/// Writes to `places` the number of units before each placeholder: in UTF-16 if `PAIRS`, else in
/// UTF-32. With `may_continue`, a sequence that the end of `src` cuts is left out.
#[inline(always)]
pub(crate) fn fill<V: Vector, const PAIRS: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>; FILL_ROOM],
    places: &mut [MaybeUninit<u16>; FILL],
    may_continue: bool,
) -> Filled {
    let src = if may_continue { &src[..closed(src)] } else { src };
    // As many bytes as possible, up to the end of a sequence.
    let src = if src.len() > FILL { &src[..closed(&src[..FILL])] } else { src };
    let checker = Utf8Checker::<V>::new(token);
    let mut filling = Filling { dst, places, read: 0, count: 0, units: 0, carry: 0 };
    while let Some(windows) =
        src[filling.read..].first_chunk::<{ (GROUP - 1) * STRIDE + SEQUENCE_BLOCK_BYTES }>()
    {
        let (mut found, mut at) = ([PlaceholderUnits::default(); GROUP], 0);
        for found in &mut found {
            let Some(window) = windows[at..].first_chunk() else { break };
            *found = filling.block::<V, PAIRS>(&checker, token, window, STRIDE);
            at += STRIDE;
        }
        for found in found {
            filling.place(found);
        }
    }
    let mut padded = [0; SEQUENCE_BLOCK_BYTES];
    while filling.read < src.len() {
        let rest = &src[filling.read..];
        let (window, len) = if let Some(window) = rest.first_chunk() {
            (window, STRIDE)
        } else {
            // Zeros after the end continue no sequence.
            copy_short(&mut padded[..rest.len()], rest);
            (&padded, rest.len())
        };
        let found = filling.block::<V, PAIRS>(&checker, token, window, len);
        filling.place(found);
    }
    Filled { read: src.len(), places: filling.count }
}

/// The progress of [`fill`].
struct Filling<'a> {
    /// The output.
    dst: &'a mut [MaybeUninit<u8>; FILL_ROOM],
    /// The number of units before each placeholder.
    places: &'a mut [MaybeUninit<u16>; FILL],
    /// Bytes read, and written.
    read: usize,
    /// The number of placeholders.
    count: usize,
    /// The number of units.
    units: usize,
    /// The next bytes that continue a sequence of the last block.
    carry: u64,
}

/// The ill-formed sequences of a block, and its units.
#[derive(Clone, Copy, Default)]
struct PlaceholderUnits {
    /// The place of the block.
    at: usize,
    /// The number of units before the block.
    before: usize,
    /// The starts of ill-formed sequences.
    bad: u64,
    /// The starts of sequences of at least two bytes.
    two: u64,
    /// The starts of sequences of at least three bytes.
    three: u64,
    /// A bit for each unit.
    units: u64,
}

/// Lead bytes of placeholders of one, two and three bytes. Any continuation byte may follow these,
/// so the other bytes of an ill-formed sequence stay as they are.
const LEADS: [u8; 4] = [0x1A, 0xC2, 0xE1, 0];

impl Filling<'_> {
    /// Copies the first `len` bytes of `window` and finds their sequences.
    #[inline(always)]
    fn block<V: Vector, const PAIRS: bool>(
        &mut self,
        checker: &Utf8Checker<V>,
        token: V::Token,
        window: &[u8; SEQUENCE_BLOCK_BYTES],
        len: usize,
    ) -> PlaceholderUnits {
        let at = self.read;
        store_block::<V>(token, window, &mut self.dst[at..]);
        let sequences = Sequences::of::<V>(checker, token, window, len, self.carry);
        let Sequences { starts, bad, four_byte, continued } = sequences;
        // The second unit of a four-byte character is counted at its second byte, where no sequence
        // starts.
        let units = if PAIRS { starts | four_byte << 1 } else { starts };
        let before = self.units;
        let pairs = if PAIRS { four_byte.count_ones() } else { 0 };
        self.units += ((starts & first(len)).count_ones() + pairs) as usize;
        self.carry = continued >> STRIDE;
        self.read += len;
        PlaceholderUnits {
            at,
            before,
            bad,
            two: continued >> 1,
            three: continued >> 1 & continued >> 2,
            units,
        }
    }

    /// Writes the placeholders of a block.
    #[inline(always)]
    fn place(&mut self, found: PlaceholderUnits) {
        let Some(room) = self.dst[found.at..].first_chunk_mut::<SEQUENCE_BLOCK_BYTES>() else {
            return;
        };
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

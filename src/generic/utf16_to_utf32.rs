//! UTF-16 to UTF-32LE. A unit that is no surrogate is widened. Where there are pairs, the code point of each is computed at its
//! second half, from the vector itself and the same one a unit earlier, and the first halves are squeezed out by a table of
//! shuffle rows, the lower and the upper 16 bits of eight code points alike.
//!
//! No more than a unit of output is written for each of the input, wherever it stands. What is left behind whole blocks are
//! single vectors, of which the last one ends with the text and writes again what it sees again.

use core::mem::MaybeUninit;

use super::utf16_check::{boundary, is_ended, whole_units};
use super::words;
use crate::arch::Vector;
use crate::arch::lanes32::Lanes32;
use crate::arch::window::copy_short;
use crate::progress::Reach;
use crate::scalar;
use crate::tables::{Lanes, UnitOrder};
use crate::{Utf16Be, Utf16Le, Utf32Le};

/// Vectors in a block.
const BLOCK: usize = 4;

/// Bytes of output of the largest vector.
const ROOM: usize = 128;

/// Converts `src` into `dst`. Of less than 32 bytes only vectors of 16 are made.
#[inline(always)]
pub(crate) fn convert<V: Lanes32>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let decoder = Decoder::<V>::new(order, token);
    if V::LANES == 16 && text.len() < 16 {
        return short(&decoder, src, dst);
    }
    if V::is_within(text.len(), 2 * V::LANES)
        && let Some(reach) = widen_ends(&decoder, text, dst)
    {
        return reach;
    }
    match blocks(&decoder, text, dst) {
        Ok(reach) => ends(&decoder, src, dst, reach),
        Err(reach) => resume(order, src, dst, reach),
    }
}

/// Converts a text of one vector or two that has no surrogates and fits, by two vectors that overlap.
#[inline(always)]
fn widen_ends<V: Lanes32>(
    decoder: &Decoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let last = text.len() - V::LANES;
    let room = dst.get_mut(..2 * text.len())?;
    let units = [V::load(decoder.token, text, 0), V::load(decoder.token, text, last)];
    if decoder.surrogates(units[0]).or(decoder.surrogates(units[1])).any() {
        return None;
    }
    decoder.widen(units[0], room, 0);
    decoder.widen(units[1], room, last / 2);
    Some(Reach { read: text.len(), written: 2 * text.len() })
}

/// Converts whole blocks, as long as there are any and `dst` has room for whatever may come of them. `Err` if there is
/// something wrong in the next one.
#[inline(always)]
fn blocks<V: Lanes32>(
    decoder: &Decoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<Reach, Reach> {
    let (mut read, mut written) = (0, 0);
    // Blocks with other characters too, until one of nothing but pairs is tried again, and how many there must be.
    let (mut wait, mut patience) = (0_u32, 1);
    while let (Some(block), Some(room)) = (
        text.get(read..read + BLOCK * V::LANES),
        dst.get_mut(written..written + 2 * BLOCK * V::LANES),
    ) {
        let mut surrogates = decoder.surrogates(V::load(decoder.token, block, 0));
        let mut k = 1;
        while k < BLOCK {
            let units = V::load(decoder.token, block, k * V::LANES);
            surrogates = surrogates.or(decoder.surrogates(units));
            k += 1;
        }
        if surrogates.any() {
            if wait == 0 {
                if let Some(start) = decoder.only_pairs(text, read, room) {
                    written += BLOCK * V::LANES;
                    read = start + BLOCK * V::LANES;
                    patience = 1;
                    continue;
                }
                (wait, patience) = (patience, 32.min(2 * patience));
            } else {
                wait -= 1;
            }
            let Some(bytes) = decoder.block_of_pairs(text, read, room) else {
                return Err(Reach { read, written });
            };
            written += bytes;
        } else {
            let mut k = 0;
            while k < BLOCK {
                let units = V::load(decoder.token, block, k * V::LANES);
                decoder.widen(units, room, k * V::LANES / 2);
                k += 1;
            }
            written += 2 * BLOCK * V::LANES;
        }
        read += BLOCK * V::LANES;
    }
    Ok(Reach { read, written })
}

/// Converts single vectors, of which the last one ends with the text.
#[inline(always)]
fn ends<V: Lanes32>(
    decoder: &Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    let text = whole_units(src);
    while reach.read < text.len() {
        let start = reach.read.min(text.len() - V::LANES);
        let units = V::load(decoder.token, text, start);
        if !decoder.surrogates(units).any() {
            // What has been written before is written again.
            let base = reach.written - 2 * (reach.read - start);
            let Some(room) = dst.get_mut(base..base + 2 * V::LANES) else {
                return resume(decoder.order, src, dst, reach);
            };
            decoder.widen(units, room, 0);
            reach = Reach { read: start + V::LANES, written: base + 2 * V::LANES };
            continue;
        }
        let before = decoder.before(text, start, units);
        let Some(single) = decoder.single(units, before) else {
            return resume(decoder.order, src, dst, reach);
        };
        let base = reach.written - 4 * single.units_of(reach.read - start);
        let Some(len) = single.put(V::LANES, &mut dst[base..]) else {
            return resume(decoder.order, src, dst, reach);
        };
        if !is_ended(decoder.order, text, start + V::LANES) {
            return resume(decoder.order, src, dst, reach);
        }
        reach = Reach { read: start + V::LANES, written: base + len };
    }
    reach
}

/// Converts less than a vector.
#[inline(always)]
fn short<V: Lanes32>(decoder: &Decoder<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let text = whole_units(src);
    // Behind the end are zeros, which are characters.
    let units = V::of_words(decoder.token, words::padded16(text));
    let start = Reach { read: 0, written: 0 };
    let Some(single) = decoder.single(units, units.shifted::<2>()) else {
        return resume(decoder.order, src, dst, start);
    };
    match single.put(text.len(), dst) {
        Some(written) => Reach { read: text.len(), written },
        None => resume(decoder.order, src, dst, start),
    }
}

/// The constants of a conversion.
struct Decoder<V: Vector> {
    order: &'static UnitOrder,
    token: V::Token,
    /// The bits that tell surrogates, and what they are in one, in the order of the text.
    top: (V, V),
    /// The rows that make units wider.
    wider: [V; 2],
}

impl<V: Lanes32> Decoder<V> {
    #[inline(always)]
    fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        let load = |lanes: &'static Lanes| V::load(token, lanes, 0);
        Self {
            order,
            token,
            top: (load(&order.top), load(&order.surrogate)),
            wider: [load(&order.wider[0]), load(&order.wider[1])],
        }
    }

    /// Writes units, none of them a surrogate, from unit `at` on.
    #[inline(always)]
    fn widen(&self, units: V, room: &mut [MaybeUninit<u8>], at: usize) {
        units.store_doubled(self.wider, room, at);
    }

    /// The surrogates of some units.
    #[inline(always)]
    fn surrogates(&self, units: V) -> V {
        units.and(self.top.0).equal16(self.top.1)
    }

    /// The units in front of each of `units`, those at `at` in `text`.
    #[inline(always)]
    fn before(&self, text: &[u8], at: usize, units: V) -> V {
        match at {
            0 => units.shifted::<2>(),
            _ => V::load(self.token, text, at - 2),
        }
    }

    /// Converts a block of nothing but pairs, as 32-bit lanes: the one at `at` or, where this begins with the second half of a
    /// pair, the one a unit earlier. Says where it begins; `None` if it is another.
    #[inline(always)]
    fn only_pairs(&self, text: &[u8], at: usize, room: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let start = boundary(self.order, text, at);
        let block = text.get(start..start + BLOCK * V::LANES)?;
        let straight = V::load(self.token, &self.order.straight, 0);
        let (half, pair) =
            (V::splat32(self.token, 0xFC00_FC00), V::splat32(self.token, 0xDC00_D800));
        let mut other = V::splat(self.token, 0);
        let mut k = 0;
        while k < BLOCK {
            let lanes = V::load(self.token, block, k * V::LANES).picked(straight);
            other = other.or(lanes.and(half).xor(pair));
            k += 1;
        }
        if other.any() {
            return None;
        }
        let mut k = 0;
        while k < BLOCK {
            let lanes = V::load(self.token, block, k * V::LANES).picked(straight);
            let high = lanes.shl32::<10>().and(V::splat32(self.token, 0x000F_FC00));
            // The upper half is DC00 too much, and 10000 too little.
            let low = lanes.shr32::<16>().add32(V::splat32(self.token, 0x1_0000 - 0xDC00));
            high.add32(low).store_bytes(room, k * V::LANES);
            k += 1;
        }
        Some(start)
    }

    /// Converts a block with surrogates; says how many bytes that gave. `None` if one of them is alone.
    #[inline(always)]
    fn block_of_pairs(
        &self,
        text: &[u8],
        at: usize,
        room: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let mut to = 0;
        let mut k = 0;
        while k < BLOCK {
            let at = at + k * V::LANES;
            let units = V::load(self.token, text, at);
            let single = self.single(units, self.before(text, at, units))?;
            single.store(&mut room[to..to + 2 * V::LANES]);
            to += 4 * single.units_of(V::LANES);
            k += 1;
        }
        is_ended(self.order, text, at + BLOCK * V::LANES).then_some(to)
    }

    /// What becomes of a vector; `before` are the units in front of each. `None` if a surrogate is alone, as far as these
    /// show.
    #[inline(always)]
    fn single(&self, units: V, before: V) -> Option<Single<V>> {
        let straight = V::load(self.token, &self.order.straight, 0);
        let (units, before) = (units.picked(straight), before.picked(straight));
        let half = V::splat16(self.token, 0xFC00);
        let (high, low) = (V::splat16(self.token, 0xD800), V::splat16(self.token, 0xDC00));
        let behind_high = before.and(half).equal16(high);
        let is_low = units.and(half).equal16(low);
        if is_low.xor(behind_high).any() {
            return None;
        }
        let low = units.and(V::splat16(self.token, 0x03FF)).or(before.shl16::<10>());
        let upper = before
            .shr16::<6>()
            .and(V::splat16(self.token, 0x000F))
            .add16(V::splat16(self.token, 1));
        let is_high = units.and(half).equal16(high);
        let all = u32::MAX >> (32 - V::LANES / 2);
        Some(Single {
            low: is_low.select(low, units),
            upper: is_low.and(upper),
            keep: !(V::bits16(is_high, V::splat(self.token, 0)) as u32) & all,
        })
    }
}

/// What becomes of a vector.
struct Single<V> {
    /// The lower and the upper 16 bits of what ends at each unit.
    low: V,
    upper: V,
    /// The units that end a character.
    keep: u32,
}

impl<V: Lanes32> Single<V> {
    /// How many characters end in the first units, those of so many bytes.
    #[inline(always)]
    fn units_of(&self, input: usize) -> usize {
        (self.keep & V::first_bits(input / 2) as u32).count_ones() as usize
    }

    /// Writes all that is kept; touches as much of the room as all units would need.
    #[inline(always)]
    fn store(&self, room: &mut [MaybeUninit<u8>]) {
        V::store_joined_kept(self.low, self.upper, self.keep, room);
    }

    /// Writes what becomes of the first `input` bytes; says how many bytes that is. `None` if it doesn't fit.
    #[inline(always)]
    fn put(&self, input: usize, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let len = 4 * self.units_of(input);
        if let Some(room) = dst.get_mut(..2 * V::LANES) {
            self.store(room);
            return Some(len);
        }
        let to = dst.get_mut(..len)?;
        let mut bounce = [MaybeUninit::uninit(); ROOM];
        self.store(&mut bounce[..2 * V::LANES]);
        copy_short(to, &bounce[..len]);
        Some(len)
    }
}

/// Leaves the rest to the scalar reference, when everything in front of it has been converted: an error, or the end of the
/// output.
#[inline(never)]
fn resume(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    // Back to the first half of a pair, if the second one is next: nothing has come of it.
    let read = boundary(order, src, reach.read);
    let dst = &mut dst[reach.written..];
    by_reference(order, &src[read..], dst).behind(read, reach.written)
}

/// [`convert`] by the scalar reference.
pub(crate) fn by_reference(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    match order.big {
        false => scalar::transcode::<Utf16Le, Utf32Le>(src, dst),
        true => scalar::transcode::<Utf16Be, Utf32Le>(src, dst),
    }
}

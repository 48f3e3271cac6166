//! UTF-16 to UTF-32LE.
//!
//! A unit that is no surrogate is widened. A pair gives its code point at the low surrogate,
//! computed from the vector and the same vector loaded one unit earlier. A table of shuffle rows
//! then squeezes out the high surrogates: the lower and the upper 16 bits of eight code points go
//! through the same row.
//!
//! There are two functions, and the pair table alternates between them. [`convert`] only
//! widens: it ends at the first block with surrogates, and its last block ends with the text and
//! overlaps. [`convert_pairs`] takes any units, each of which gives at most one unit of output.
//! After whole blocks follow single vectors. The last one ends with the text and overlaps; its
//! first units are written again.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::{MaskedWords, Presence};
use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Le};
use crate::generic::backoff::Backoff;
use crate::generic::from_utf16::check::{boundary, is_ended, is_third_surrogate, whole_units};
use crate::scalar;
use crate::swar::words;
use crate::tables::{Lanes, UnitOrder};
use crate::types::progress::Reach;

/// Vectors in a block.
const BLOCK_VECTORS: usize = 4;

/// Blocks without surrogates after which the loop for such blocks takes over.
const PLAIN: usize = 16;

/// Bytes of output of the largest vector.
const ROOM: usize = 128;

/// Converts a text up to its first block with surrogates, or nothing if there is no room for all of
/// it. Apart from the code of [`convert_pairs`], this loop needs few registers and nothing on the
/// stack. An input shorter than 32 bytes comes here only with vectors of 16 bytes.
#[inline(always)]
pub(crate) fn convert<V: Lanes32>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let widener = Widener::<V>::new(order, token);
    let read = if dst.len() / 2 < text.len() {
        0
    } else if text.len() >= BLOCK_VECTORS * V::LANES {
        widener.blocks(text, dst)
    } else if V::SHORT_PATHS && text.len() >= V::LANES && widener.few(text, dst) {
        text.len()
    } else {
        0
    };
    Reach { read, written: 2 * read }
}

/// Converts `src`, which may contain surrogates, or a part of it that ends before blocks without
/// any. As for [`convert`], a short input needs vectors of 16 bytes.
#[inline(always)]
pub(crate) fn convert_pairs<V: Lanes32>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let decoder = PairDecoder::<V>::new(order, token);
    if V::LANES == 16 && text.len() < 16 {
        return short(&decoder, src, dst);
    }
    if V::is_within(text.len(), 2 * V::LANES)
        && let Some(room) = dst.get_mut(..2 * text.len())
        && decoder.widener.two(text, [0, text.len() - V::LANES], room)
    {
        return Reach { read: text.len(), written: 2 * text.len() };
    }
    match blocks(&decoder, text, dst) {
        Stop::Last(reach) => ends(&decoder, src, dst, reach),
        Stop::Plain(reach) => reach,
        Stop::Error(reach) => resume(order, src, dst, reach),
    }
}

/// Why the loop for blocks with surrogates ended.
enum Stop {
    /// There is no whole block, or `dst` has no room for one.
    Last(Reach),
    /// Many blocks had no surrogates, and `dst` has room for the rest if that has none either.
    Plain(Reach),
    /// The next block is ill-formed.
    Error(Reach),
}

/// Converts whole blocks.
#[inline(always)]
fn blocks<V: Lanes32>(decoder: &PairDecoder<V>, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Stop {
    let (mut read, mut written, mut plain) = (0, 0, 0);
    // Whether the last block with surrogates had few. Most texts that begin with a surrogate, or
    // have one after a byte order mark, have many. With masks, vectors with surrogates take so
    // little time that a test of each costs more.
    let rare = !V::Masked::PRESENT;
    let mut sparse = rare && !is_third_surrogate(decoder.order, text);
    // Whether a pair is cut before the next block.
    let mut cut = false;
    // When a block of pairs alone is tried, counted in blocks with surrogates.
    let mut backoff = Backoff::<32>::START;
    while let (Some(block), Some(room)) = (
        text.get(read..read + BLOCK_VECTORS * V::LANES),
        dst.get_mut(written..written + 2 * BLOCK_VECTORS * V::LANES),
    ) {
        let units = load_four::<V>(decoder.token, block);
        if decoder.widener.any_surrogate(units) {
            plain = 0;
            if !sparse && backoff.is_over() {
                let only_pairs = decoder.only_pairs(text, read, room);
                backoff.tried(only_pairs.is_some());
                if let Some(start) = only_pairs {
                    cut = false;
                    written += BLOCK_VECTORS * V::LANES;
                    read = start + BLOCK_VECTORS * V::LANES;
                    continue;
                }
            }
            // Without masks, it would only take a register.
            let mut cut_here = V::Masked::PRESENT && cut;
            let bytes = match sparse {
                true => decoder.block_with_pairs(text, read, &mut cut_here, room),
                false => decoder.block_of_pairs(text, read, &mut cut_here, room),
            };
            cut = V::Masked::PRESENT && cut_here;
            let Some(bytes) = bytes else {
                return Stop::Error(Reach { read, written });
            };
            written += bytes;
            sparse =
                !V::Masked::PRESENT && bytes >= 2 * BLOCK_VECTORS * V::LANES - 4 * BLOCK_VECTORS;
        } else {
            decoder.widener.widen_four(units, room);
            plain += 1;
            read += BLOCK_VECTORS * V::LANES;
            written += 2 * BLOCK_VECTORS * V::LANES;
            if plain == 1 {
                // Back to a place in the output where vectors are aligned: at the first block,
                // which has no character of two units.
                let back = dst[written..].as_ptr().addr() % V::LANES / 4;
                read -= 2 * back;
                written -= 4 * back;
            }
            if plain == PLAIN && dst.len() - written >= 2 * (text.len() - read) {
                return Stop::Plain(Reach { read, written });
            }
            continue;
        }
        read += BLOCK_VECTORS * V::LANES;
    }
    Stop::Last(Reach { read, written })
}

/// Converts single vectors; the last one ends with the text.
#[inline(always)]
fn ends<V: Lanes32>(
    decoder: &PairDecoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    let text = whole_units(src);
    while reach.read < text.len() {
        let start = reach.read.min(text.len() - V::LANES);
        let units = V::load(decoder.token, text, start);
        if !decoder.widener.surrogates(units).any() {
            // The units before `reach.read` are written again.
            let base = reach.written - 2 * (reach.read - start);
            let Some(room) = dst.get_mut(base..base + 2 * V::LANES) else {
                return resume(decoder.order, src, dst, reach);
            };
            decoder.widener.widen(units, room, 0);
            reach = Reach { read: start + V::LANES, written: base + 2 * V::LANES };
            continue;
        }
        let before = decoder.before(text, start, units);
        let Some(output) = decoder.vector(units, before) else {
            return resume(decoder.order, src, dst, reach);
        };
        let base = reach.written - 4 * output.units_of(reach.read - start);
        let Some(len) = output.put(V::LANES, &mut dst[base..]) else {
            return resume(decoder.order, src, dst, reach);
        };
        if !is_ended(decoder.order, text, start + V::LANES) {
            return resume(decoder.order, src, dst, reach);
        }
        reach = Reach { read: start + V::LANES, written: base + len };
    }
    reach
}

/// Converts an input shorter than a vector.
#[inline(always)]
fn short<V: Lanes32>(decoder: &PairDecoder<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let text = whole_units(src);
    // Zeros stand after the end; they are no surrogates.
    let units = V::of_words(decoder.token, words::padded16(text));
    let start = Reach { read: 0, written: 0 };
    let Some(output) = decoder.vector(units, units.shifted::<2>()) else {
        return resume(decoder.order, src, dst, start);
    };
    match output.put(text.len(), dst) {
        Some(written) => Reach { read: text.len(), written },
        None => resume(decoder.order, src, dst, start),
    }
}

/// The constants for units without surrogates, in registers.
struct Widener<V: Vector> {
    token: V::Token,
    /// The bits that identify surrogates, and their value in a surrogate, in the byte order of the
    /// text.
    top: (V, V),
    /// The rows that widen units.
    wider: [V; 2],
}

impl<V: Lanes32> Widener<V> {
    #[inline(always)]
    fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        let load = |lanes: &'static Lanes| V::load(token, lanes, 0);
        Self {
            token,
            top: (load(&order.top), load(&order.surrogate)),
            wider: [load(&order.wider[0]), load(&order.wider[1])],
        }
    }

    /// Converts blocks up to the first one with surrogates; the last one ends with the text and
    /// overlaps. The text is at least a block, and `dst` has room for it. Returns the number of
    /// bytes read.
    #[inline(always)]
    fn blocks(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let block = BLOCK_VECTORS * V::LANES;
        let mut read = 0;
        for (from, room) in text.chunks_exact(block).zip(dst.chunks_exact_mut(2 * block)) {
            if !self.block(from, room) {
                return read;
            }
            read += block;
        }
        let last = text.len() - block;
        if read == text.len() || self.block(&text[last..], &mut dst[2 * last..]) {
            return text.len();
        }
        read
    }

    /// Converts the first block of `text`, if it has no surrogates.
    #[inline(always)]
    fn block(&self, text: &[u8], room: &mut [MaybeUninit<u8>]) -> bool {
        let units = load_four::<V>(self.token, text);
        if self.any_surrogate(units) {
            return false;
        }
        self.widen_four(units, room);
        true
    }

    /// Converts a text of one to four vectors, which may overlap, if it has no surrogates.
    #[inline(always)]
    fn few(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
        let last = text.len() - V::LANES;
        self.two(text, [0, last], dst)
            && (text.len() <= 2 * V::LANES || self.two(text, [V::LANES, last - V::LANES], dst))
    }

    /// Converts the two vectors at these places, if they have no surrogates.
    #[inline(always)]
    fn two(&self, text: &[u8], places: [usize; 2], dst: &mut [MaybeUninit<u8>]) -> bool {
        let units = [V::load(self.token, text, places[0]), V::load(self.token, text, places[1])];
        if self.surrogates(units[0]).or(self.surrogates(units[1])).any() {
            return false;
        }
        self.widen(units[0], dst, places[0] / 2);
        self.widen(units[1], dst, places[1] / 2);
        true
    }

    /// Writes units without surrogates, from unit `at` on.
    #[inline(always)]
    fn widen(&self, units: V, room: &mut [MaybeUninit<u8>], at: usize) {
        units.store_doubled(self.wider, room, at);
    }

    /// Writes a block without surrogates.
    #[inline(always)]
    fn widen_four(&self, units: [V; 4], room: &mut [MaybeUninit<u8>]) {
        let room = &mut room[..2 * BLOCK_VECTORS * V::LANES];
        let mut k = 0;
        while k < BLOCK_VECTORS {
            self.widen(units[k], room, k * V::LANES / 2);
            k += 1;
        }
    }

    /// The lanes that are surrogates.
    #[inline(always)]
    fn surrogates(&self, units: V) -> V {
        units.and(self.top.0).equal16(self.top.1)
    }

    /// Whether a block has surrogates.
    #[inline(always)]
    fn any_surrogate(&self, units: [V; 4]) -> bool {
        let first = self.surrogates(units[0]).or(self.surrogates(units[1]));
        first.or(self.surrogates(units[2]).or(self.surrogates(units[3]))).any()
    }
}

/// The vectors of the block that `text` begins with.
#[inline(always)]
fn load_four<V: Lanes32>(token: V::Token, text: &[u8]) -> [V; 4] {
    let block = &text[..BLOCK_VECTORS * V::LANES];
    [
        V::load(token, block, 0),
        V::load(token, block, V::LANES),
        V::load(token, block, 2 * V::LANES),
        V::load(token, block, 3 * V::LANES),
    ]
}

/// The constants of a conversion, in registers.
struct PairDecoder<V: Vector> {
    order: &'static UnitOrder,
    token: V::Token,
    widener: Widener<V>,
}

impl<V: Lanes32> PairDecoder<V> {
    #[inline(always)]
    fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        Self { order, token, widener: Widener::new(order, token) }
    }

    /// The unit before each of `units`, which stand at `at` in `text`.
    #[inline(always)]
    fn before(&self, text: &[u8], at: usize, units: V) -> V {
        match at {
            0 => units.shifted::<2>(),
            _ => V::load(self.token, text, at - 2),
        }
    }

    /// Converts a block of pairs alone, as 32-bit lanes. The block begins at `at`, or one unit
    /// earlier if a low surrogate is there. Returns its start; `None` if it contains other
    /// characters.
    #[inline(always)]
    fn only_pairs(&self, text: &[u8], at: usize, room: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let start = boundary(self.order, text, at);
        let block = text.get(start..start + BLOCK_VECTORS * V::LANES)?;
        let straight = V::load(self.token, &self.order.straight, 0);
        let (mask, pair) =
            (V::splat32(self.token, 0xFC00_FC00), V::splat32(self.token, 0xDC00_D800));
        let mut other = V::splat(self.token, 0);
        let mut k = 0;
        while k < BLOCK_VECTORS {
            let lanes = V::load(self.token, block, k * V::LANES).picked(straight);
            other = other.or(lanes.and(mask).xor(pair));
            k += 1;
        }
        if other.any() {
            return None;
        }
        let mut k = 0;
        while k < BLOCK_VECTORS {
            let lanes = V::load(self.token, block, k * V::LANES).picked(straight);
            let high = lanes.shl32::<10>().and(V::splat32(self.token, 0x000F_FC00));
            // The low surrogate has DC00 too much, and the code point 10000 too little.
            let low = lanes.shr32::<16>().add32(V::splat32(self.token, 0x1_0000 - 0xDC00));
            high.add32(low).store_bytes(room, k * V::LANES);
            k += 1;
        }
        Some(start)
    }

    /// Converts a block with surrogates. Returns the number of bytes written, or `None` if a
    /// surrogate is unpaired.
    #[inline(always)]
    fn block_of_pairs(
        &self,
        text: &[u8],
        at: usize,
        cut: &mut bool,
        room: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let mut to = 0;
        let mut k = 0;
        while k < BLOCK_VECTORS {
            let at = at + k * V::LANES;
            let units = V::load(self.token, text, at);
            let before = self.before(text, at, units);
            to += self.put(units, before, cut, &mut room[to..to + 2 * V::LANES])?;
            k += 1;
        }
        is_ended(self.order, text, at + BLOCK_VECTORS * V::LANES).then_some(to)
    }

    /// [`block_of_pairs`](Self::block_of_pairs) where few units are surrogates: vectors without any
    /// are only widened.
    #[inline(always)]
    fn block_with_pairs(
        &self,
        text: &[u8],
        at: usize,
        cut: &mut bool,
        room: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let mut to = 0;
        let mut k = 0;
        while k < BLOCK_VECTORS {
            let at = at + k * V::LANES;
            let units = V::load(self.token, text, at);
            let room = &mut room[to..to + 2 * V::LANES];
            k += 1;
            if self.widener.surrogates(units).any() {
                to += self.put(units, self.before(text, at, units), cut, room)?;
            } else if *cut {
                return None;
            } else {
                self.widener.widen(units, room, 0);
                to += 2 * V::LANES;
            }
        }
        is_ended(self.order, text, at + BLOCK_VECTORS * V::LANES).then_some(to)
    }

    /// Converts a vector inside a block. `cut` is whether a high surrogate is before it, and
    /// becomes whether it ends with one. Returns the number of bytes, or `None` if a surrogate is
    /// unpaired.
    #[inline(always)]
    fn put(
        &self,
        units: V,
        before: V,
        cut: &mut bool,
        room: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let keep = if let Some(words) = V::Masked::WORDS {
            words.put_code_points(units, before, self.order, *cut, room)?
        } else {
            let output = self.vector(units, before)?;
            output.store(room);
            output.keep
        };
        // A high surrogate at the end is not kept.
        *cut = keep >> (V::LANES / 2 - 1) == 0;
        Some(4 * keep.count_ones() as usize)
    }

    /// The output of a vector; `before` are the units before each of `units`. Returns `None` if
    /// these show an unpaired surrogate.
    #[inline(always)]
    fn vector(&self, units: V, before: V) -> Option<VectorOutput<V>> {
        let straight = V::load(self.token, &self.order.straight, 0);
        let (units, before) = (units.picked(straight), before.picked(straight));
        let mask = V::splat16(self.token, 0xFC00);
        let (high, low) = (V::splat16(self.token, 0xD800), V::splat16(self.token, 0xDC00));
        let after_high = before.and(mask).equal16(high);
        let is_low = units.and(mask).equal16(low);
        if is_low.xor(after_high).any() {
            return None;
        }
        let low = units.and(V::splat16(self.token, 0x03FF)).or(before.shl16::<10>());
        let upper = before
            .shr16::<6>()
            .and(V::splat16(self.token, 0x000F))
            .add16(V::splat16(self.token, 1));
        let is_high = units.and(mask).equal16(high);
        let all = u32::MAX >> (32 - V::LANES / 2);
        Some(VectorOutput {
            low: is_low.select(low, units),
            upper: is_low.and(upper),
            keep: !(V::bits16(is_high, V::splat(self.token, 0)) as u32) & all,
        })
    }
}

/// The output of a vector.
struct VectorOutput<V> {
    /// The lower 16 bits of the code point that ends at each unit.
    low: V,
    /// The upper 16 bits of these.
    upper: V,
    /// The units that end a character.
    keep: u32,
}

impl<V: Lanes32> VectorOutput<V> {
    /// Returns the number of characters that end in the first `input` bytes.
    #[inline(always)]
    fn units_of(&self, input: usize) -> usize {
        (self.keep & V::first_bits(input / 2) as u32).count_ones() as usize
    }

    /// Writes the code points in `keep`. Touches as much of the room as all units would need.
    #[inline(always)]
    fn store(&self, room: &mut [MaybeUninit<u8>]) {
        V::store_joined_kept(self.low, self.upper, self.keep, room);
    }

    /// Writes the output of the first `input` bytes. Returns its number of bytes, or `None` if it
    /// does not fit.
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

/// Leaves the rest to the scalar reference: at an error, or at the end of the output. All units
/// before `reach.read` have been converted.
#[inline(never)]
fn resume(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    // If a low surrogate is next, go back to the high one, for which nothing was written.
    let read = boundary(order, src, reach.read);
    let dst = &mut dst[reach.written..];
    by_reference(order, &src[read..], dst).after(read, reach.written)
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

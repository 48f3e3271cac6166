//! UTF-32 to UTF-16. Units below 10000 are narrowed. Where there are others, every unit becomes a pair in its own lane, with
//! nothing in the upper half where it needs one unit only, and a table of shuffle rows squeezes four lanes together.
//!
//! A step is four vectors; what is left behind whole steps are single vectors, of which the last one ends with the text and
//! writes again what it sees again.

use core::mem::MaybeUninit;

use super::utf32_check::{Checker, whole_units};
use super::utf32_copy::or_four;
use super::words;
use crate::arch::lanes32::Lanes32;
use crate::arch::window::copy_short;
use crate::progress::Reach;
use crate::scalar;
use crate::tables::Order;

/// Bytes of output of a vector of 32 bytes.
const ROOM: usize = 32;

/// Converts `src`, in byte order `A`, into `dst`, in byte order `B`.
#[inline(always)]
pub(crate) fn convert<V: Lanes32, A: Order, B: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach
where
    V::Half: Lanes32,
{
    let text = whole_units(src);
    if text.len() < 16 {
        return short::<V::Half, A, B>(V::half(token), src, dst);
    }
    let start = Reach { read: 0, written: 0 };
    if text.len() < V::LANES {
        return ends::<V::Half, A, B>(&Encoder::new(V::half(token)), src, dst, start);
    }
    let encoder = Encoder::<V>::new(token);
    match steps::<V, A, B>(&encoder, text, dst) {
        Ok(reach) => ends::<V, A, B>(&encoder, src, dst, reach),
        Err(reach) => resume::<A, B>(src, dst, reach),
    }
}

/// Converts whole steps, as long as there are any and `dst` has room for whatever may come of them. `Err` if there is
/// something wrong in the next one.
#[inline(always)]
fn steps<V: Lanes32, A: Order, B: Order>(
    encoder: &Encoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<Reach, Reach> {
    let (mut read, mut written) = (0, 0);
    while let (Some(step), Some(room)) =
        (text.get(read..read + 4 * V::LANES), dst.get_mut(written..written + 4 * V::LANES))
    {
        let units = [
            V::load32::<A>(encoder.token, step, 0),
            V::load32::<A>(encoder.token, step, V::LANES),
            V::load32::<A>(encoder.token, step, 2 * V::LANES),
            V::load32::<A>(encoder.token, step, 3 * V::LANES),
        ];
        if or_four(units).and(encoder.upper).any() {
            if encoder.checker.is_wrong_in_four(units) {
                return Err(Reach { read, written });
            }
            let first = encoder.pairs::<B>([units[0], units[1]], room);
            written += first + encoder.pairs::<B>([units[2], units[3]], &mut room[first..]);
        } else {
            let narrow = [V::narrow32(units[0], units[1]), V::narrow32(units[2], units[3])];
            if encoder.surrogates(narrow[0]).or(encoder.surrogates(narrow[1])).any() {
                return Err(Reach { read, written });
            }
            narrow[0].ordered16::<B>().store_bytes(room, 0);
            narrow[1].ordered16::<B>().store_bytes(room, V::LANES);
            written += 2 * V::LANES;
        }
        read += 4 * V::LANES;
    }
    Ok(Reach { read, written })
}

/// The constants of a conversion.
struct Encoder<V: Lanes32> {
    token: V::Token,
    checker: Checker<V>,
    /// The upper half of a lane.
    upper: V,
    /// The lower one, which is also the largest unit that is no pair.
    lower: V,
    /// The bits that tell surrogates, and what they are in one, in 16-bit lanes.
    top: (V, V),
}

impl<V: Lanes32> Encoder<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self {
            token,
            checker: Checker::new(token),
            upper: V::splat32(token, 0xFFFF_0000),
            lower: V::splat32(token, 0x0000_FFFF),
            top: (V::splat16(token, 0xF800), V::splat16(token, 0xD800)),
        }
    }

    /// The surrogates of some 16-bit units.
    #[inline(always)]
    fn surrogates(&self, units: V) -> V {
        units.and(self.top.0).equal16(self.top.1)
    }

    /// What becomes of characters: in each lane one unit or a pair, the first unit lower; and which halves are filled.
    #[inline(always)]
    fn spread(&self, units: V) -> (V, V) {
        let above = units.above32(self.lower);
        // The upper ten bits of what is 10000 less, and the lower ones, as surrogates.
        let high = units.shr32::<10>().add32(V::splat32(self.token, 0xDC00_D7C0));
        let low = units.shl32::<16>().and(V::splat32(self.token, 0x03FF_0000));
        (above.select(high.or(low), units), above.or(self.lower))
    }

    /// Writes two vectors of characters; says how many bytes.
    #[inline(always)]
    fn pairs<B: Order>(&self, units: [V; 2], room: &mut [MaybeUninit<u8>]) -> usize {
        let ((first, first_keep), (second, second_keep)) =
            (self.spread(units[0]), self.spread(units[1]));
        let keep = V::bits16(first_keep, second_keep);
        let written = put::<V, B>(first, keep, room);
        let keep = keep >> (V::LANES / 2);
        written + put::<V, B>(second, keep, &mut room[written..])
    }
}

/// Writes those 16-bit units of a vector that the lowest bits of `keep` name; says how many bytes.
#[inline(always)]
fn put<V: Lanes32, B: Order>(units: V, keep: u32, room: &mut [MaybeUninit<u8>]) -> usize {
    let rows = B::compress16();
    let mut to = 0;
    let mut group = 0;
    while group < V::LANES / 16 {
        let keep = (keep >> (8 * group)) & 0xFF;
        V::put(V::compress(units.eight(group), &rows[keep as usize]), room, to);
        to += 2 * keep.count_ones() as usize;
        group += 1;
    }
    to
}

/// Converts single vectors, of which the last one ends with the text.
#[inline(always)]
fn ends<V: Lanes32, A: Order, B: Order>(
    encoder: &Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    let text = whole_units(src);
    while reach.read < text.len() {
        let start = reach.read.min(text.len() - V::LANES);
        let units = V::load32::<A>(encoder.token, text, start);
        let Some(single) = Single::of(encoder, units) else {
            return resume::<A, B>(src, dst, reach);
        };
        // What has been written before is written again.
        let base = reach.written - single.bytes_of(reach.read - start);
        let Some(len) = single.put_exactly::<B>(V::LANES, &mut dst[base..]) else {
            return resume::<A, B>(src, dst, reach);
        };
        reach = Reach { read: start + V::LANES, written: base + len };
    }
    reach
}

/// Converts less than a vector.
#[inline(always)]
fn short<V: Lanes32, A: Order, B: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let encoder = Encoder::<V>::new(token);
    // Behind the end are zeros, which are characters.
    let units = V::of_words(token, words::padded16(text)).ordered32::<A>();
    let start = Reach { read: 0, written: 0 };
    let Some(single) = Single::of(&encoder, units) else {
        return resume::<A, B>(src, dst, start);
    };
    match single.put_exactly::<B>(text.len(), dst) {
        Some(written) => Reach { read: text.len(), written },
        None => resume::<A, B>(src, dst, start),
    }
}

/// What is written of a single vector.
struct Single<V> {
    units: V,
    /// The 16-bit lanes that are filled.
    keep: u32,
}

impl<V: Lanes32> Single<V> {
    /// `None` if a unit is no character.
    #[inline(always)]
    fn of(encoder: &Encoder<V>, units: V) -> Option<Self> {
        if encoder.checker.is_wrong(encoder.checker.number(units)) {
            return None;
        }
        let (units, keep) = encoder.spread(units);
        let keep = V::bits16(keep, V::splat(encoder.token, 0));
        Some(Self { units, keep })
    }

    /// Bytes of the first characters, those of so many bytes of input.
    #[inline(always)]
    fn bytes_of(&self, input: usize) -> usize {
        2 * (self.keep & ((1 << (input / 2)) - 1)).count_ones() as usize
    }

    /// Writes what becomes of the first `input` bytes, and not a byte beyond the end of the output; says how many. `None` if
    /// it doesn't fit.
    #[inline(always)]
    fn put_exactly<B: Order>(&self, input: usize, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let len = self.bytes_of(input);
        let last = self.bytes_of(V::LANES - 16);
        if let Some(room) = dst.get_mut(..last + 16) {
            put::<V, B>(self.units, self.keep, room);
            return Some(len);
        }
        let to = dst.get_mut(..len)?;
        let mut bounce = [MaybeUninit::uninit(); ROOM];
        put::<V, B>(self.units, self.keep, &mut bounce);
        copy_short(to, &bounce[..len]);
        Some(len)
    }
}

/// Leaves the rest to the scalar reference, when everything in front of it has been converted: an error, or the end of the
/// output.
#[inline(never)]
fn resume<A: Order, B: Order>(src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
    let Reach { read, written } = reach;
    scalar::transcode::<A::Utf32, B::Utf16>(&src[read..], &mut dst[written..]).behind(read, written)
}

//! UTF-32 to UTF-8. A step of four vectors that is ASCII is narrowed. One without anything from 10000 on is narrowed to
//! 16-bit lanes, and from there on it is [UTF-16](super::utf16_to_utf8) without surrogates. In any other step each
//! character becomes its bytes in its own lane, the last one lowest, and rows of a table write four lanes together.
//!
//! What is left behind whole steps are single vectors, of which the last one ends with the text and writes again what it
//! sees again. Only at the end of an output that has no room to spare do they go through a bounce buffer.

use core::mem::MaybeUninit;

use super::utf16_to_utf8::{self, ROOM};
use super::utf32_check::{Checker, whole_units};
use super::utf32_copy::or_four;
use super::words;
use crate::Utf8;
use crate::arch::lanes32::Lanes32;
use crate::arch::window::copy_short;
use crate::progress::Reach;
use crate::scalar;
use crate::tables::{Order, utf8_wide};

/// Converts `src` into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Lanes32, O: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach
where
    V::Half: Lanes32,
{
    let text = whole_units(src);
    if text.len() < 16 {
        return short::<V::Half, O>(V::half(token), src, dst);
    }
    let start = Reach { read: 0, written: 0 };
    if text.len() < V::LANES {
        return ends::<V::Half, O>(&Encoder::new(V::half(token)), src, dst, start);
    }
    let encoder = Encoder::<V>::new(token);
    match steps::<V, O>(&encoder, text, dst) {
        Ok(reach) => ends::<V, O>(&encoder, src, dst, reach),
        Err(reach) => resume::<O>(src, dst, reach),
    }
}

/// Converts whole steps, as long as there are any and `dst` has room for what may come of them. `Err` if there is something
/// wrong in the next one.
#[inline(always)]
fn steps<V: Lanes32, O: Order>(
    encoder: &Encoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<Reach, Reach> {
    let step = 4 * V::LANES;
    let narrow = utf16_to_utf8::Encoder::<V>::new(encoder.token);
    let (mut read, mut written) = (0, 0);
    while let Some(window) = text.get(read..read + step) {
        let units = load_four::<V, O>(encoder.token, window);
        let all = or_four(units);
        if !all.and(encoder.above_ascii).any() {
            let Some(room) = dst.get_mut(written..written + V::LANES) else { break };
            V::narrow_four(units).store_bytes(room, 0);
            read += step;
            written += V::LANES;
            let run = encoder.ascii_run::<O>(&text[read..], &mut dst[written..]);
            read += 4 * run;
            written += run;
            continue;
        }
        let Some(room) = dst.get_mut(written..written + 2 * ROOM) else { break };
        if all.and(encoder.upper).any() {
            if encoder.checker.is_wrong_in_four(units) {
                return Err(Reach { read, written });
            }
            let first = encoder.any([units[0], units[1]], room);
            written += first + encoder.any([units[2], units[3]], &mut room[first..]);
        } else {
            let units = [V::narrow32(units[0], units[1]), V::narrow32(units[2], units[3])];
            if !units[0].or(units[1]).and(narrow.top).any() {
                written += narrow.narrow(units, room);
            } else {
                let (below, surrogates) = narrow.tops(units);
                if surrogates[0].or(surrogates[1]).any() {
                    return Err(Reach { read, written });
                }
                if !below[0].or(below[1]).any() {
                    narrow.threes(units[0], room, 0);
                    narrow.threes(units[1], room, 3 * V::LANES / 2);
                    written += 3 * V::LANES;
                } else {
                    let first = narrow.wide(units[0], below[0], &mut room[..ROOM]);
                    let room = &mut room[first..first + ROOM];
                    written += first + narrow.wide(units[1], below[1], room);
                }
            }
        }
        read += step;
    }
    Ok(Reach { read, written })
}

/// The vectors of a step.
#[inline(always)]
fn load_four<V: Lanes32, O: Order>(token: V::Token, step: &[u8]) -> [V; 4] {
    [
        V::load32::<O>(token, step, 0),
        V::load32::<O>(token, step, V::LANES),
        V::load32::<O>(token, step, 2 * V::LANES),
        V::load32::<O>(token, step, 3 * V::LANES),
    ]
}

/// The constants of a conversion.
struct Encoder<V: Lanes32> {
    token: V::Token,
    checker: Checker<V>,
    /// The bits that ASCII has not.
    above_ascii: V,
    /// The upper half of a lane.
    upper: V,
}

impl<V: Lanes32> Encoder<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self {
            token,
            checker: Checker::new(token),
            above_ascii: V::splat32(token, !0x7F),
            upper: V::splat32(token, 0xFFFF_0000),
        }
    }

    /// Every lane is `unit`.
    #[inline(always)]
    fn splat(&self, unit: u32) -> V {
        V::splat32(self.token, unit)
    }

    /// Writes a run of ASCII; says how many units.
    #[inline(always)]
    fn ascii_run<O: Order>(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let mut run = 0;
        while let (Some(window), Some(room)) =
            (text.get(4 * run..4 * run + 4 * V::LANES), dst.get_mut(run..run + V::LANES))
        {
            let units = load_four::<V, O>(self.token, window);
            if or_four(units).and(self.above_ascii).any() {
                break;
            }
            V::narrow_four(units).store_bytes(room, 0);
            run += V::LANES;
        }
        run
    }

    /// The bytes of characters, the last one lowest; and for each two bits that name a row of the table, in both halves of
    /// the lane.
    #[inline(always)]
    fn bytes(&self, units: V) -> (V, V) {
        // Twelve bits in each half, then six in each byte.
        let halves = V::halves(units, units.shl32::<4>());
        let low = halves.and(self.splat(0x003F_003F));
        let high = halves.shl16::<2>().and(self.splat(0x3F00_3F00));
        let bytes = low.or(high).or(self.splat(0xF080_C080));
        let two = units.above32(self.splat(0x7F));
        let three = units.above32(self.splat(0x7FF));
        let no_four = self.splat(0x1_0000).above32(units);
        // Byte 1 begins two bytes, but not three; byte 2 begins three, but not four.
        let bytes = bytes.xor(V::halves(three, no_four).and(self.splat(0x0060_4000)));
        (two.select(bytes, units), V::halves(two.and(no_four), three))
    }

    /// Writes two vectors of characters; says how many bytes.
    #[inline(always)]
    fn any(&self, units: [V; 2], room: &mut [MaybeUninit<u8>]) -> usize {
        let ((first, first_more), (second, second_more)) =
            (self.bytes(units[0]), self.bytes(units[1]));
        let more = V::bits16(first_more, second_more);
        let fours = fours(more);
        let written = put(first, more, fours, room);
        let by = V::LANES / 2;
        written + put(second, more >> by, fours >> by, &mut room[written..])
    }
}

/// The characters of four bytes, by two bits for each: one is left of them.
#[inline(always)]
fn fours(more: u32) -> u32 {
    (more >> 1) & !more & 0x5555_5555
}

/// Writes the bytes of a vector, by two bits for each lane in `more` and one of these in `fours`; says how many.
#[inline(always)]
fn put<V: Lanes32>(bytes: V, more: u32, fours: u32, room: &mut [MaybeUninit<u8>]) -> usize {
    let rows = utf8_wide();
    let mut to = 0;
    let mut group = 0;
    while group < V::LANES / 16 {
        let more = (more >> (8 * group)) & 0xFF;
        let fours = (fours >> (8 * group)) & 0xFF;
        V::put(V::compress(bytes.eight(group), &rows[more as usize]), room, to);
        to += 4 + more.count_ones() as usize + 2 * fours.count_ones() as usize;
        group += 1;
    }
    to
}

/// Converts single vectors, of which the last one ends with the text.
#[inline(always)]
fn ends<V: Lanes32, O: Order>(
    encoder: &Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    let text = whole_units(src);
    while reach.read < text.len() {
        let start = reach.read.min(text.len() - V::LANES);
        let units = V::load32::<O>(encoder.token, text, start);
        let Some(single) = Single::of(encoder, units) else {
            return resume::<O>(src, dst, reach);
        };
        // What has been written before is written again.
        let base = reach.written - single.bytes_of(reach.read - start);
        let Some(len) = single.put_exactly(V::LANES, &mut dst[base..]) else {
            return resume::<O>(src, dst, reach);
        };
        reach = Reach { read: start + V::LANES, written: base + len };
    }
    reach
}

/// Converts less than a vector.
#[inline(always)]
fn short<V: Lanes32, O: Order>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let text = whole_units(src);
    let encoder = Encoder::<V>::new(token);
    // Behind the end are zeros, which are characters of one byte.
    let units = V::of_words(token, words::padded16(text)).ordered32::<O>();
    let start = Reach { read: 0, written: 0 };
    let Some(single) = Single::of(&encoder, units) else {
        return resume::<O>(src, dst, start);
    };
    match single.put_exactly(text.len(), dst) {
        Some(written) => Reach { read: text.len(), written },
        None => resume::<O>(src, dst, start),
    }
}

/// What is written of a single vector.
struct Single<V> {
    bytes: V,
    more: u32,
    fours: u32,
}

impl<V: Lanes32> Single<V> {
    /// `None` if a unit is no character.
    #[inline(always)]
    fn of(encoder: &Encoder<V>, units: V) -> Option<Self> {
        if encoder.checker.is_wrong(encoder.checker.number(units)) {
            return None;
        }
        let (bytes, more) = encoder.bytes(units);
        let more = V::bits16(more, V::splat(encoder.token, 0));
        Some(Self { bytes, more, fours: fours(more) })
    }

    /// Bytes of the first characters, those of so many bytes of input.
    #[inline(always)]
    fn bytes_of(&self, input: usize) -> usize {
        let of_these = (1 << (input / 2)) - 1;
        let (more, fours) = (self.more & of_these, self.fours & of_these);
        input / 4 + more.count_ones() as usize + 2 * fours.count_ones() as usize
    }

    /// Writes what becomes of the first `input` bytes, and not a byte beyond the end of the output; says how many. `None` if
    /// it doesn't fit.
    #[inline(always)]
    fn put_exactly(&self, input: usize, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let len = self.bytes_of(input);
        let last = self.bytes_of(V::LANES - 16);
        if let Some(room) = dst.get_mut(..last + 16) {
            put(self.bytes, self.more, self.fours, room);
            return Some(len);
        }
        let to = dst.get_mut(..len)?;
        let mut bounce = [MaybeUninit::uninit(); ROOM];
        put(self.bytes, self.more, self.fours, &mut bounce);
        copy_short(to, &bounce[..len]);
        Some(len)
    }
}

/// Leaves the rest to the scalar reference, when everything in front of it has been converted: an error, or the end of the
/// output.
#[inline(never)]
fn resume<O: Order>(src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
    let Reach { read, written } = reach;
    scalar::transcode::<O::Utf32, Utf8>(&src[read..], &mut dst[written..]).behind(read, written)
}

//! UTF-32 to UTF-16. Units below 10000 are narrowed. Where there are others, every unit becomes a pair in its own lane, with
//! nothing in the upper half where it needs one unit only, and a table of shuffle rows squeezes four lanes together.
//!
//! A step is four vectors. What is left behind whole steps is one that ends with the text and writes again what it sees again,
//! or, where there are pairs in it, two vectors at a time in the same way.

use core::mem::MaybeUninit;

use super::utf32_check::{Checker, whole_units};
use super::utf32_copy::or_four;
use crate::arch::lanes32::Lanes32;
use crate::arch::window::copy_short;
use crate::progress::Reach;
use crate::scalar;
use crate::tables::{ByteOrder, Row};
use crate::{Utf16Be, Utf16Le, Utf32Le};

/// Bytes of output of the largest two vectors.
const ROOM: usize = 128;

/// Converts `src` into `dst`, in byte order `order`. At least 64 bytes.
#[inline(always)]
pub(crate) fn convert<V: Lanes32>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let encoder = Encoder::<V>::new(order, token);
    if V::LEAST == 0 && text.len() < 4 * V::LANES {
        return four::<V>(&encoder, src, dst);
    }
    match steps::<V>(&encoder, text, dst) {
        Ok(reach) => ends::<V>(&encoder, src, dst, reach),
        Err(reach) => resume(encoder.order, src, dst, reach),
    }
}

/// [`convert`] for one vector or two.
#[inline(always)]
pub(crate) fn convert_two<V: Lanes32>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    two::<V>(&Encoder::new(order, token), src, dst)
}

/// [`convert`] for 32 to 64 bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Lanes32>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let encoder = Encoder::<V>::new(order, token);
    if V::LANES >= 32 {
        return two::<V>(&encoder, src, dst);
    }
    four::<V>(&encoder, src, dst)
}

/// Converts a text of one vector or two, by two that overlap.
#[inline(always)]
fn two<V: Lanes32>(encoder: &Encoder<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let text = whole_units(src);
    let start = Reach { read: 0, written: 0 };
    let last = text.len() - V::LANES;
    let units = [V::load(encoder.token, text, 0), V::load(encoder.token, text, last)];
    let numbers = encoder.checker.number(units[0]).max32(encoder.checker.number(units[1]));
    if !encoder.has_other(numbers)
        && let Some(room) = dst.get_mut(..text.len() / 2)
    {
        units[0].store_half(encoder.swap, room, 0);
        units[1].store_half(encoder.swap, room, last / 2);
        return Reach { read: text.len(), written: text.len() / 2 };
    }
    if !encoder.checker.is_wrong(numbers)
        && let Some(written) =
            Double::of(encoder, units, last).put_exactly(&encoder.order.compress16, dst)
    {
        return Reach { read: text.len(), written };
    }
    resume(encoder.order, src, dst, start)
}

/// Converts a text of two to four vectors.
#[inline(always)]
fn four<V: Lanes32>(encoder: &Encoder<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let text = whole_units(src);
    let last = text.len() - V::LANES;
    let places = [0, V::LANES, last - V::LANES, last];
    let units = places.map(
        #[inline(always)]
        |at| V::load(encoder.token, text, at),
    );
    if !encoder.has_other(encoder.checker.most_of_four(units))
        && let Some(room) = dst.get_mut(..text.len() / 2)
    {
        let mut k = 0;
        while k < 4 {
            units[k].store_half(encoder.swap, room, places[k] / 2);
            k += 1;
        }
        return Reach { read: text.len(), written: text.len() / 2 };
    }
    doubles::<V>(encoder, src, dst, Reach { read: 0, written: 0 })
}

/// Converts whole steps, as long as there are any and `dst` has room for whatever may come of them. `Err` if there is
/// something wrong in the next one.
#[inline(always)]
fn steps<V: Lanes32>(
    encoder: &Encoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<Reach, Reach> {
    let (mut read, mut written) = (0, 0);
    while let (Some(step), Some(room)) =
        (text.get(read..read + 4 * V::LANES), dst.get_mut(written..written + 4 * V::LANES))
    {
        let units = encoder.load_four(step);
        if or_four(units).and(encoder.upper).any() {
            if encoder.checker.is_wrong_in_four(units) {
                return Err(Reach { read, written });
            }
            let first = encoder.pairs([units[0], units[1]], room);
            written += first + encoder.pairs([units[2], units[3]], &mut room[first..]);
        } else {
            let narrow = [V::narrow32(units[0], units[1]), V::narrow32(units[2], units[3])];
            if encoder.surrogates(narrow[0]).or(encoder.surrogates(narrow[1])).any() {
                return Err(Reach { read, written });
            }
            narrow[0].shuffled(encoder.swap).store_bytes(room, 0);
            narrow[1].shuffled(encoder.swap).store_bytes(room, V::LANES);
            written += 2 * V::LANES;
        }
        read += 4 * V::LANES;
    }
    Ok(Reach { read, written })
}

/// The constants of a conversion.
struct Encoder<V: Lanes32> {
    token: V::Token,
    /// The byte order of the output, by value: so this is compiled once for both.
    order: &'static ByteOrder,
    /// What puts 16-bit lanes into that order. The rows do so too.
    swap: V,
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
    fn new(order: &'static ByteOrder, token: V::Token) -> Self {
        Self {
            token,
            order,
            swap: V::order16(token, order.big),
            checker: Checker::new(token),
            upper: V::splat32(token, 0xFFFF_0000),
            lower: V::splat32(token, 0x0000_FFFF),
            top: (V::splat16(token, 0xF800), V::splat16(token, 0xD800)),
        }
    }

    /// The four vectors of a step.
    #[inline(always)]
    fn load_four(&self, step: &[u8]) -> [V; 4] {
        [
            V::load(self.token, step, 0),
            V::load(self.token, step, V::LANES),
            V::load(self.token, step, 2 * V::LANES),
            V::load(self.token, step, 3 * V::LANES),
        ]
    }

    /// Whether one of some numbers is not that of a character that is one unit.
    #[inline(always)]
    fn has_other(&self, numbers: V) -> bool {
        let most = V::splat32(self.token, 0xFFFF - 0x800);
        numbers.max32(most).xor(most).any()
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
    fn pairs(&self, units: [V; 2], room: &mut [MaybeUninit<u8>]) -> usize {
        let ((first, first_keep), (second, second_keep)) =
            (self.spread(units[0]), self.spread(units[1]));
        let keep = V::bits16(first_keep, second_keep);
        // Nothing but pairs: there is nothing to squeeze out.
        if keep == u64::MAX >> (64 - V::LANES) {
            let room = &mut room[..2 * V::LANES];
            first.shuffled(self.swap).store_bytes(room, 0);
            second.shuffled(self.swap).store_bytes(room, V::LANES);
            return 2 * V::LANES;
        }
        let rows = &self.order.compress16;
        let written = first.put_halves(keep, rows, room);
        written + second.put_halves(keep >> (V::LANES / 2), rows, &mut room[written..])
    }
}

/// Converts what is less than a step behind `reach`, of a text that is at least one.
#[inline(always)]
fn ends<V: Lanes32>(
    encoder: &Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    let text = whole_units(src);
    // A step that ends with the text, where that has no pairs: what has been written before is written again.
    let last = text.len() - 4 * V::LANES;
    let units = encoder.load_four(&text[last..]);
    if reach.read >= last && !encoder.has_other(encoder.checker.most_of_four(units)) {
        let base = reach.written - (reach.read - last) / 2;
        if let Some(room) = dst.get_mut(base..base + 2 * V::LANES) {
            V::narrow32(units[0], units[1]).shuffled(encoder.swap).store_bytes(room, 0);
            V::narrow32(units[2], units[3]).shuffled(encoder.swap).store_bytes(room, V::LANES);
            return Reach { read: text.len(), written: base + 2 * V::LANES };
        }
    }
    doubles::<V>(encoder, src, dst, reach)
}

/// Converts two vectors at a time, of which the last ones end with the text.
#[inline(always)]
fn doubles<V: Lanes32>(
    encoder: &Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    let text = whole_units(src);
    while reach.read < text.len() {
        let start = reach.read.min(text.len() - 2 * V::LANES);
        let units =
            [V::load(encoder.token, text, start), V::load(encoder.token, text, start + V::LANES)];
        let numbers = encoder.checker.number(units[0]).max32(encoder.checker.number(units[1]));
        if encoder.checker.is_wrong(numbers) {
            return resume(encoder.order, src, dst, reach);
        }
        let double = Double::of(encoder, units, V::LANES);
        // What has been written before is written again.
        let base = reach.written - double.bytes_of(reach.read - start);
        let Some(len) = double.put_exactly(&encoder.order.compress16, &mut dst[base..]) else {
            return resume(encoder.order, src, dst, reach);
        };
        reach = Reach { read: start + 2 * V::LANES, written: base + len };
    }
    reach
}

/// What is written of two vectors.
struct Double<V> {
    units: [V; 2],
    /// The 16-bit lanes that are filled.
    keep: u64,
    /// The place of the second vector, counted from the first.
    second: usize,
}

impl<V: Lanes32> Double<V> {
    /// Two vectors of characters, of which the second stands `second` bytes behind the first.
    #[inline(always)]
    fn of(encoder: &Encoder<V>, units: [V; 2], second: usize) -> Self {
        let ((a, keep_a), (b, keep_b)) = (encoder.spread(units[0]), encoder.spread(units[1]));
        Self { units: [a, b], keep: V::bits16(keep_a, keep_b), second }
    }

    /// Bytes of the first characters, those of so many bytes of input, if the vectors follow each other.
    #[inline(always)]
    fn bytes_of(&self, input: usize) -> usize {
        2 * (self.keep & V::first_bits(input / 2)).count_ones() as usize
    }

    /// Writes everything, and not a byte beyond the end of the output; says how many. `None` if it doesn't fit.
    #[inline(always)]
    fn put_exactly(&self, rows: &[Row; 256], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let second = self.bytes_of(self.second);
        let keep = self.keep >> (V::LANES / 2);
        let len = second + 2 * keep.count_ones() as usize;
        // The last lanes are written as if all were filled.
        let in_front = V::first_bits((V::LANES - V::PUT) / 2);
        let last = second + 2 * (keep & in_front).count_ones() as usize;
        if let Some(room) = dst.get_mut(..last + V::PUT) {
            self.units[0].put_halves(self.keep, rows, room);
            self.units[1].put_halves(keep, rows, &mut room[second..]);
            return Some(len);
        }
        let to = dst.get_mut(..len)?;
        let mut bounce = [MaybeUninit::uninit(); ROOM];
        self.units[0].put_halves(self.keep, rows, &mut bounce);
        self.units[1].put_halves(keep, rows, &mut bounce[second..]);
        copy_short(to, &bounce[..len]);
        Some(len)
    }
}

/// Leaves the rest to the scalar reference, when everything in front of it has been converted: an error, or the end of the
/// output.
#[inline(never)]
fn resume(order: &ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
    let Reach { read, written } = reach;
    let (src, dst) = (&src[read..], &mut dst[written..]);
    let reach = if order.big {
        scalar::transcode::<Utf32Le, Utf16Be>(src, dst)
    } else {
        scalar::transcode::<Utf32Le, Utf16Le>(src, dst)
    };
    reach.behind(read, written)
}

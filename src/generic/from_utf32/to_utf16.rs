//! UTF-32 to UTF-16.
//!
//! Units below 10000 are narrowed. If a step has others, every unit becomes a pair in its own lane,
//! with nothing in the upper half if it needs one unit only, and a table of shuffle rows squeezes
//! four lanes together.
//!
//! A step is four vectors. The rest after whole steps is a step that ends with the text and
//! overlaps; its first units are written again. If it contains pairs, the rest is two vectors at a
//! time, in the same way.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::window::copy_short;
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Le};
use crate::generic::from_utf32::check::{Utf32Checker, whole_units};
use crate::generic::from_utf32::copy::or_four;
use crate::scalar;
use crate::tables::{ByteOrder, ShuffleRow};
use crate::types::progress::Reach;

/// Bytes of output of the largest two vectors.
const ROOM: usize = 128;

/// Converts `src`, of at least 64 bytes, into `dst`, in byte order `order`.
#[inline(always)]
pub(crate) fn convert<V: Lanes32>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let encoder = Utf16Encoder::<V>::new(order, token);
    if V::SHORT_PATHS && text.len() < 4 * V::LANES {
        return four::<V>(&encoder, src, dst);
    }
    match steps::<V>(&encoder, text, dst) {
        Ok(reach) => ends::<V>(&encoder, src, dst, reach),
        Err(reach) => resume(encoder.order, src, dst, reach),
    }
}

/// [`convert`] for one or two vectors.
#[inline(always)]
pub(crate) fn convert_two<V: Lanes32>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    two::<V>(&Utf16Encoder::new(order, token), src, dst)
}

/// [`convert`] for 32 to 64 bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Lanes32>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let encoder = Utf16Encoder::<V>::new(order, token);
    if V::LANES >= 32 {
        return two::<V>(&encoder, src, dst);
    }
    four::<V>(&encoder, src, dst)
}

/// Converts a text of one or two vectors, which may overlap.
#[inline(always)]
fn two<V: Lanes32>(encoder: &Utf16Encoder<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
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
fn four<V: Lanes32>(encoder: &Utf16Encoder<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
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

/// Converts whole steps while there are any and `dst` has room for the units of one. Returns `Err`
/// if the next step is ill-formed.
#[inline(always)]
fn steps<V: Lanes32>(
    encoder: &Utf16Encoder<V>,
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

/// The constants of a conversion, in registers.
struct Utf16Encoder<V: Lanes32> {
    token: V::Token,
    /// The byte order of the output, a value, so that the code is compiled once for both.
    order: &'static ByteOrder,
    /// The row that puts 16-bit lanes in that order. The rows of the table do so too.
    swap: V,
    /// The validation of units.
    checker: Utf32Checker<V>,
    /// The upper half of a 32-bit lane.
    upper: V,
    /// The lower half of a lane, which is also the largest unit that is no pair.
    lower: V,
    /// The bits that identify surrogates, and their value in one, in 16-bit lanes.
    top: (V, V),
}

impl<V: Lanes32> Utf16Encoder<V> {
    #[inline(always)]
    fn new(order: &'static ByteOrder, token: V::Token) -> Self {
        Self {
            token,
            order,
            swap: V::order16(token, order.big),
            checker: Utf32Checker::new(token),
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

    /// Whether one of some [numbers](Utf32Checker::number) is not that of a character of one UTF-16
    /// unit.
    #[inline(always)]
    fn has_other(&self, numbers: V) -> bool {
        let most = V::splat32(self.token, 0xFFFF - 0x800);
        numbers.max32(most).xor(most).any()
    }

    /// The 16-bit lanes that are surrogates.
    #[inline(always)]
    fn surrogates(&self, units: V) -> V {
        units.and(self.top.0).equal16(self.top.1)
    }

    /// The UTF-16 units of characters: in each lane one unit or a pair, the first unit lower. Also
    /// the 16-bit lanes that are used.
    #[inline(always)]
    fn spread(&self, units: V) -> (V, V) {
        let above = units.above32(self.lower);
        // The upper ten bits of the code point minus 10000, and the lower ten, as surrogates.
        let high = units.shr32::<10>().add32(V::splat32(self.token, 0xDC00_D7C0));
        let low = units.shl32::<16>().and(V::splat32(self.token, 0x03FF_0000));
        (above.select(high.or(low), units), above.or(self.lower))
    }

    /// Writes two vectors of characters. Returns the number of bytes.
    #[inline(always)]
    fn pairs(&self, units: [V; 2], room: &mut [MaybeUninit<u8>]) -> usize {
        let ((first, first_keep), (second, second_keep)) =
            (self.spread(units[0]), self.spread(units[1]));
        let keep = V::bits16(first_keep, second_keep);
        // With pairs only, there is nothing to squeeze out.
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

/// Converts the rest after `reach`, less than a step, of a text of at least a step.
#[inline(always)]
fn ends<V: Lanes32>(
    encoder: &Utf16Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    let text = whole_units(src);
    // A step that ends with the text, if it has no pairs. The units before `reach.written` that
    // come from it are written again.
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

/// Converts two vectors at a time; the last ones end with the text.
#[inline(always)]
fn doubles<V: Lanes32>(
    encoder: &Utf16Encoder<V>,
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
        // The units before `reach.written` that come from these vectors are written again.
        let base = reach.written - double.bytes_of(reach.read - start);
        let Some(len) = double.put_exactly(&encoder.order.compress16, &mut dst[base..]) else {
            return resume(encoder.order, src, dst, reach);
        };
        reach = Reach { read: start + 2 * V::LANES, written: base + len };
    }
    reach
}

/// The output of two vectors.
struct Double<V> {
    /// The [spread](Utf16Encoder::spread) vectors.
    units: [V; 2],
    /// The 16-bit lanes that are used.
    keep: u64,
    /// Bytes from the start of the first vector to the start of the second, in the source.
    second: usize,
}

impl<V: Lanes32> Double<V> {
    /// The output of two vectors of characters; the second begins `second` bytes after the first.
    #[inline(always)]
    fn of(encoder: &Utf16Encoder<V>, units: [V; 2], second: usize) -> Self {
        let ((a, keep_a), (b, keep_b)) = (encoder.spread(units[0]), encoder.spread(units[1]));
        Self { units: [a, b], keep: V::bits16(keep_a, keep_b), second }
    }

    /// Returns the number of bytes of the characters in the first `input` bytes, if the vectors do
    /// not overlap.
    #[inline(always)]
    fn bytes_of(&self, input: usize) -> usize {
        2 * (self.keep & V::first_bits(input / 2)).count_ones() as usize
    }

    /// Writes the output, and no byte beyond the end of `dst`. Returns the number of bytes, or
    /// `None` if it does not fit.
    #[inline(always)]
    fn put_exactly(&self, rows: &[ShuffleRow; 256], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let second = self.bytes_of(self.second);
        let keep = self.keep >> (V::LANES / 2);
        let len = second + 2 * keep.count_ones() as usize;
        // The last store writes its lanes as if all were used.
        let before_last = V::first_bits((V::LANES - V::PUT) / 2);
        let last = second + 2 * (keep & before_last).count_ones() as usize;
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

/// Leaves the rest to the scalar reference: at an error, or at the end of the output. All units
/// before `reach.read` have been converted.
#[inline(never)]
fn resume(order: &ByteOrder, src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
    let Reach { read, written } = reach;
    let (src, dst) = (&src[read..], &mut dst[written..]);
    let reach = if order.big {
        scalar::transcode::<Utf32Le, Utf16Be>(src, dst)
    } else {
        scalar::transcode::<Utf32Le, Utf16Le>(src, dst)
    };
    reach.after(read, written)
}

//! The [`Target`] for the conversion of UTF-32 to UTF-16.
//!
//! 1. If all units of a step are below 0x10000, narrow them, and test that no unit is a surrogate.
//! 2. Else compute a surrogate pair for each unit in its 32-bit lane. A character of one UTF-16
//!    unit uses only the lower half of its lane.
//! 3. Remove the unused halves with shuffle rows from a table, four lanes at a time. If all lanes
//!    are pairs, store them unchanged.
//! 4. If the step before had few pairs, two vectors without pairs are only narrowed.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::window::copy_short;
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Le};
use crate::encoding::view::Uninit;
use crate::generic::from_utf32::FromUtf32;
use crate::generic::from_utf32::check::Utf32Checker;
use crate::generic::from_utf32::convert::{Double, Target, convert, convert_short, convert_two};
use crate::generic::from_utf32::singles::Singles;
use crate::generic::vectors;
use crate::scalar;
use crate::tables::{ByteOrder, ShuffleRow};
use crate::types::progress::Reach;

/// The largest number of output bytes of two vectors.
const TWO_VECTORS_OUTPUT_BYTES: usize = 128;

/// The conversion to UTF-16, in either byte order.
#[derive(Clone, Copy)]
pub(crate) struct ToUtf16(pub(crate) &'static ByteOrder);

impl FromUtf32 for ToUtf16 {
    const WIDE_MIN_BYTES: usize = 6 * 64;
    const NARROW_MAX_BYTES: usize = 32;

    #[inline(always)]
    fn convert<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        convert(&Utf16Target::<V>::new(self.0, token), src, dst)
    }

    #[inline(always)]
    fn convert_short<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        convert_short(&Utf16Target::<V>::new(self.0, token), src, dst)
    }

    #[inline(always)]
    fn convert_narrow<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        convert_two(&Utf16Target::<V>::new(self.0, token), src, dst)
    }

    fn convert_by_reference(self, src: &[u8], dst: &mut Uninit) -> Reach {
        if self.0.big {
            scalar::transcode::<Utf32Le, Utf16Be>(src, dst)
        } else {
            scalar::transcode::<Utf32Le, Utf16Le>(src, dst)
        }
    }
}

/// The constants of a conversion, in registers.
struct Utf16Target<V: Lanes32> {
    token: V::Token,
    /// The byte order of the output. It is a value, so the code is compiled once for both byte
    /// orders.
    order: &'static ByteOrder,
    /// The constants for characters of one unit.
    singles: Singles<V>,
    /// The constants for the validation of units.
    checker: Utf32Checker<V>,
    /// The mask of the lower half of a lane. It is also the largest code point that needs no pair.
    lower: V,
}

impl<V: Lanes32> Utf16Target<V> {
    #[inline(always)]
    fn new(order: &'static ByteOrder, token: V::Token) -> Self {
        Self {
            token,
            order,
            singles: Singles::new(order, token),
            checker: Utf32Checker::new(token),
            lower: V::splat32(token, 0x0000_FFFF),
        }
    }

    /// Returns the UTF-16 units of each character in its 32-bit lane: one unit, or a pair with the
    /// first unit in the lower half. Also returns the mask of the 16-bit lanes that are used.
    #[inline(always)]
    fn encode_lanes(&self, units: V) -> (V, V) {
        let above = units.greater_i32(self.lower);
        // The surrogates for the upper ten and for the lower ten bits of the code point minus
        // 0x10000.
        let high = units.shr32::<10>().add32(V::splat32(self.token, 0xDC00_D7C0));
        let low = units.shl32::<16>().and(V::splat32(self.token, 0x03FF_0000));
        (above.select(high.or(low), units), above.or(self.lower))
    }

    /// Writes a step of characters of which few need a pair: two vectors without pairs are only
    /// narrowed. With masked stores, no branch depends on the positions of the pairs. Returns the
    /// number of bytes written.
    #[inline(always)]
    fn write_with_few_pairs(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) -> usize {
        let Some(ops) = V::Masked::OPS else {
            let first = self.write_two_with_few_pairs([units[0], units[1]], out);
            return first + self.write_two_with_few_pairs([units[2], units[3]], &mut out[first..]);
        };
        let mut written = 0;
        let mut k = 0;
        while k < 4 {
            let out = &mut out[written..][..V::LANES];
            written += ops.write_utf16(units[k], self.order, out);
            k += 1;
        }
        written
    }

    /// Does the same as [`pairs`](Self::pairs), but faster if no character needs a pair.
    #[inline(always)]
    fn write_two_with_few_pairs(&self, units: [V; 2], out: &mut [MaybeUninit<u8>]) -> usize {
        if units[0].or(units[1]).and(self.singles.upper).any() {
            return self.pairs(units, out);
        }
        V::narrow_to_u16(units[0], units[1]).shuffled(self.singles.swap).store_bytes(out, 0);
        V::LANES
    }

    /// Writes two vectors of characters as UTF-16, with surrogate pairs. Returns the number of
    /// bytes written.
    #[inline(always)]
    fn pairs(&self, units: [V; 2], out: &mut [MaybeUninit<u8>]) -> usize {
        let ((first, first_keep), (second, second_keep)) =
            (self.encode_lanes(units[0]), self.encode_lanes(units[1]));
        let keep = V::bits16(first_keep, second_keep);
        // If every character is a pair, no lane has an unused half.
        if keep == u64::MAX >> (64 - V::LANES) {
            let out = &mut out[..2 * V::LANES];
            first.shuffled(self.singles.swap).store_bytes(out, 0);
            second.shuffled(self.singles.swap).store_bytes(out, V::LANES);
            return 2 * V::LANES;
        }
        let rows = &self.order.compress16;
        let written = first.write_halves16(keep, rows, out);
        written + second.write_halves16(keep >> (V::LANES / 2), rows, &mut out[written..])
    }
}

impl<V: Lanes32> Target<V> for Utf16Target<V> {
    const NARROW_OUTPUT_BYTES: usize = 2;

    type Double = Utf16Double<V>;

    #[inline(always)]
    fn token(&self) -> V::Token {
        self.token
    }

    #[inline(always)]
    fn are_narrow<const N: usize>(&self, units: [V; N]) -> bool {
        // The numbers of the characters of one UTF-16 unit are the smallest.
        let largest_single = V::splat32(self.token, 0xFFFF - 0x800);
        let largest = self.checker.largest_number(units);
        !largest.max_u32(largest_single).xor(largest_single).any()
    }

    #[inline(always)]
    fn write_narrow(&self, units: V, out: &mut [MaybeUninit<u8>], at: usize) {
        units.store_low_halves16(self.singles.swap, out, at);
    }

    #[inline(always)]
    fn write_narrow_step(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) {
        V::narrow_to_u16(units[0], units[1]).shuffled(self.singles.swap).store_bytes(out, 0);
        V::narrow_to_u16(units[2], units[3]).shuffled(self.singles.swap).store_bytes(out, V::LANES);
    }

    #[inline(always)]
    fn convert_steps(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<Reach, Reach> {
        // `has_few_pairs` is true if the last step with pairs had few pairs.
        let (mut read, mut written, mut has_few_pairs) = (0, 0, false);
        while let (Some(step), Some(out)) =
            (text.get(read..read + 4 * V::LANES), dst.get_mut(written..written + 4 * V::LANES))
        {
            let units = vectors::load::<V, 4>(self.token, step, 0);
            if vectors::or(units).and(self.singles.upper).any() {
                if self.checker.have_ill_formed(units) {
                    return Err(Reach { read, written });
                }
                let step_len = if has_few_pairs {
                    self.write_with_few_pairs(units, out)
                } else {
                    let first = self.pairs([units[0], units[1]], out);
                    first + self.pairs([units[2], units[3]], &mut out[first..])
                };
                written += step_len;
                // With vectors of four characters, both ways are equally fast.
                has_few_pairs = V::LANES >= 32 && step_len <= 2 * V::LANES + V::LANES / 8;
            } else {
                let narrowed =
                    [V::narrow_to_u16(units[0], units[1]), V::narrow_to_u16(units[2], units[3])];
                if self.singles.have_surrogates(narrowed) {
                    return Err(Reach { read, written });
                }
                narrowed[0].shuffled(self.singles.swap).store_bytes(out, 0);
                narrowed[1].shuffled(self.singles.swap).store_bytes(out, V::LANES);
                written += 2 * V::LANES;
            }
            read += 4 * V::LANES;
        }
        Ok(Reach { read, written })
    }

    #[inline(always)]
    fn double(&self, units: [V; 2], distance: usize) -> Option<Utf16Double<V>> {
        if self.checker.have_ill_formed(units) {
            return None;
        }
        let ((a, keep_a), (b, keep_b)) = (self.encode_lanes(units[0]), self.encode_lanes(units[1]));
        let rows = &self.order.compress16;
        Some(Utf16Double { units: [a, b], keep: V::bits16(keep_a, keep_b), distance, rows })
    }

    #[inline(always)]
    fn resume(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
        match self.order.big {
            false => scalar::resume::<Utf32Le, Utf16Le>(src, dst, reach),
            true => scalar::resume::<Utf32Le, Utf16Be>(src, dst, reach),
        }
    }
}

/// The output of two vectors.
pub(crate) struct Utf16Double<V> {
    /// The UTF-16 units of each character in its lane, from [`Utf16Target::encode_lanes`].
    units: [V; 2],
    /// One bit for each 16-bit lane, set if the lane is used.
    keep: u64,
    /// The number of source bytes from the start of the first vector to the start of the second.
    distance: usize,
    /// The shuffle rows for the byte order of the output.
    rows: &'static [ShuffleRow; 256],
}

impl<V: Lanes32> Double for Utf16Double<V> {
    #[inline(always)]
    fn bytes_of(&self, input: usize) -> usize {
        2 * (self.keep & V::first_bits(input / 2)).count_ones() as usize
    }

    #[inline(always)]
    fn write_exactly(&self, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let second_at = self.bytes_of(self.distance);
        let keep = self.keep >> (V::LANES / 2);
        let len = second_at + 2 * keep.count_ones() as usize;
        // The last store writes all its lanes, also the unused lanes.
        let before_last = V::first_bits((V::LANES - V::STORE_BYTES) / 2);
        let last_at = second_at + 2 * (keep & before_last).count_ones() as usize;
        if let Some(out) = dst.get_mut(..last_at + V::STORE_BYTES) {
            self.units[0].write_halves16(self.keep, self.rows, out);
            self.units[1].write_halves16(keep, self.rows, &mut out[second_at..]);
            return Some(len);
        }
        let to = dst.get_mut(..len)?;
        let mut bounce = [MaybeUninit::uninit(); TWO_VECTORS_OUTPUT_BYTES];
        self.units[0].write_halves16(self.keep, self.rows, &mut bounce);
        self.units[1].write_halves16(keep, self.rows, &mut bounce[second_at..]);
        copy_short(to, &bounce[..len]);
        Some(len)
    }
}

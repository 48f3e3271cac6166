//! UTF-32 to UTF-16, as a [`Target`].
//!
//! 1. If all units of a step are below 0x10000, narrow them, and test that none is a surrogate.
//! 2. Else compute a surrogate pair for each unit in its 32-bit lane. A unit that needs one UTF-16
//!    unit uses only the lower half.
//! 3. A table of shuffle rows squeezes out the unused halves, four lanes at a time. If all lanes
//!    are pairs, they are stored as they are.
//! 4. If the step has few pairs, two vectors without any are only narrowed.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::window::copy_short;
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Le};
use crate::generic::from_utf32::check::Utf32Checker;
use crate::generic::from_utf32::convert::{Double, Target, load_four};
use crate::generic::from_utf32::copy::or_four;
use crate::generic::from_utf32::singles::Singles;
use crate::scalar;
use crate::tables::{ByteOrder, ShuffleRow};
use crate::types::progress::Reach;

/// Bytes of output of the largest two vectors.
const TWO_VECTORS_OUTPUT_BYTES: usize = 128;

/// The constants of a conversion, in registers.
pub(crate) struct Utf16Target<V: Lanes32> {
    token: V::Token,
    /// The byte order of the output: a value, so the code is compiled once for both.
    order: &'static ByteOrder,
    /// The constants for characters of one unit.
    singles: Singles<V>,
    /// The validation of units.
    checker: Utf32Checker<V>,
    /// The lower half of a lane, which is also the largest unit that is no pair.
    lower: V,
}

impl<V: Lanes32> Utf16Target<V> {
    #[inline(always)]
    pub(crate) fn new(order: &'static ByteOrder, token: V::Token) -> Self {
        Self {
            token,
            order,
            singles: Singles::new(order, token),
            checker: Utf32Checker::new(token),
            lower: V::splat32(token, 0x0000_FFFF),
        }
    }

    /// Returns true if one of `numbers` ([`Utf32Checker::number`]) belongs to no character of one
    /// UTF-16 unit.
    #[inline(always)]
    fn has_other(&self, numbers: V) -> bool {
        let most = V::splat32(self.token, 0xFFFF - 0x800);
        numbers.max32(most).xor(most).any()
    }

    /// Returns the UTF-16 units of characters: in each lane one unit or a pair, the first unit
    /// lower. Also the 16-bit lanes that are used.
    #[inline(always)]
    fn spread(&self, units: V) -> (V, V) {
        let above = units.above32(self.lower);
        // The upper ten bits of the code point minus 0x10000, and the lower ten, as surrogates.
        let high = units.shr32::<10>().add32(V::splat32(self.token, 0xDC00_D7C0));
        let low = units.shl32::<16>().and(V::splat32(self.token, 0x03FF_0000));
        (above.select(high.or(low), units), above.or(self.lower))
    }

    /// Writes a step of characters of which few need a pair: two vectors without any are only
    /// narrowed. If stores are masked, no branch depends on the position of a pair. Returns the
    /// number of bytes.
    #[inline(always)]
    fn with_pairs(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) -> usize {
        let Some(ops) = V::Masked::OPS else {
            let first = self.two_with_pairs([units[0], units[1]], out);
            return first + self.two_with_pairs([units[2], units[3]], &mut out[first..]);
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

    /// [`pairs`](Self::pairs), and faster if there are none.
    #[inline(always)]
    fn two_with_pairs(&self, units: [V; 2], out: &mut [MaybeUninit<u8>]) -> usize {
        if units[0].or(units[1]).and(self.singles.upper).any() {
            return self.pairs(units, out);
        }
        V::narrow32(units[0], units[1]).shuffled(self.singles.swap).store_bytes(out, 0);
        V::LANES
    }

    /// Writes two vectors of characters. Returns the number of bytes.
    #[inline(always)]
    fn pairs(&self, units: [V; 2], out: &mut [MaybeUninit<u8>]) -> usize {
        let ((first, first_keep), (second, second_keep)) =
            (self.spread(units[0]), self.spread(units[1]));
        let keep = V::bits16(first_keep, second_keep);
        // With pairs only, there is nothing to squeeze out.
        if keep == u64::MAX >> (64 - V::LANES) {
            let out = &mut out[..2 * V::LANES];
            first.shuffled(self.singles.swap).store_bytes(out, 0);
            second.shuffled(self.singles.swap).store_bytes(out, V::LANES);
            return 2 * V::LANES;
        }
        let rows = &self.order.compress16;
        let written = first.write_halves(keep, rows, out);
        written + second.write_halves(keep >> (V::LANES / 2), rows, &mut out[written..])
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
        let mut numbers = self.checker.number(units[0]);
        let mut k = 1;
        while k < N {
            numbers = numbers.max32(self.checker.number(units[k]));
            k += 1;
        }
        !self.has_other(numbers)
    }

    #[inline(always)]
    fn write_narrow(&self, units: V, out: &mut [MaybeUninit<u8>], at: usize) {
        units.store_half(self.singles.swap, out, at);
    }

    #[inline(always)]
    fn write_narrow_step(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) {
        V::narrow32(units[0], units[1]).shuffled(self.singles.swap).store_bytes(out, 0);
        V::narrow32(units[2], units[3]).shuffled(self.singles.swap).store_bytes(out, V::LANES);
    }

    #[inline(always)]
    fn steps(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<Reach, Reach> {
        // True if the last step with pairs had few.
        let (mut read, mut written, mut sparse) = (0, 0, false);
        while let (Some(step), Some(out)) =
            (text.get(read..read + 4 * V::LANES), dst.get_mut(written..written + 4 * V::LANES))
        {
            let units = load_four::<V>(self.token, step);
            if or_four(units).and(self.singles.upper).any() {
                if self.checker.is_wrong_in_four(units) {
                    return Err(Reach { read, written });
                }
                let all = if sparse {
                    self.with_pairs(units, out)
                } else {
                    let first = self.pairs([units[0], units[1]], out);
                    first + self.pairs([units[2], units[3]], &mut out[first..])
                };
                written += all;
                // With vectors of four characters, both are equally fast.
                sparse = V::LANES >= 32 && all <= 2 * V::LANES + V::LANES / 8;
            } else {
                let narrow = [V::narrow32(units[0], units[1]), V::narrow32(units[2], units[3])];
                if self.singles.have_surrogates(narrow) {
                    return Err(Reach { read, written });
                }
                narrow[0].shuffled(self.singles.swap).store_bytes(out, 0);
                narrow[1].shuffled(self.singles.swap).store_bytes(out, V::LANES);
                written += 2 * V::LANES;
            }
            read += 4 * V::LANES;
        }
        Ok(Reach { read, written })
    }

    #[inline(always)]
    fn double(&self, units: [V; 2], second: usize) -> Option<Utf16Double<V>> {
        let numbers = self.checker.number(units[0]).max32(self.checker.number(units[1]));
        if self.checker.is_wrong(numbers) {
            return None;
        }
        let ((a, keep_a), (b, keep_b)) = (self.spread(units[0]), self.spread(units[1]));
        let rows = &self.order.compress16;
        Some(Utf16Double { units: [a, b], keep: V::bits16(keep_a, keep_b), second, rows })
    }

    #[inline(always)]
    fn resume(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
        resume(self.order, src, dst, reach)
    }
}

/// The output of two vectors.
pub(crate) struct Utf16Double<V> {
    /// The [spread](Utf16Target::spread) vectors.
    units: [V; 2],
    /// The 16-bit lanes that are used.
    keep: u64,
    /// Bytes from the start of the first vector to the start of the second, in the source.
    second: usize,
    /// The rows of the byte order.
    rows: &'static [ShuffleRow; 256],
}

impl<V: Lanes32> Double for Utf16Double<V> {
    #[inline(always)]
    fn bytes_of(&self, input: usize) -> usize {
        2 * (self.keep & V::first_bits(input / 2)).count_ones() as usize
    }

    #[inline(always)]
    fn write_exactly(&self, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let second = self.bytes_of(self.second);
        let keep = self.keep >> (V::LANES / 2);
        let len = second + 2 * keep.count_ones() as usize;
        // The last store writes its lanes as if all were used.
        let before_last = V::first_bits((V::LANES - V::STORE_BYTES) / 2);
        let last = second + 2 * (keep & before_last).count_ones() as usize;
        if let Some(out) = dst.get_mut(..last + V::STORE_BYTES) {
            self.units[0].write_halves(self.keep, self.rows, out);
            self.units[1].write_halves(keep, self.rows, &mut out[second..]);
            return Some(len);
        }
        let to = dst.get_mut(..len)?;
        let mut bounce = [MaybeUninit::uninit(); TWO_VECTORS_OUTPUT_BYTES];
        self.units[0].write_halves(self.keep, self.rows, &mut bounce);
        self.units[1].write_halves(keep, self.rows, &mut bounce[second..]);
        copy_short(to, &bounce[..len]);
        Some(len)
    }
}

/// [`Target::resume`].
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

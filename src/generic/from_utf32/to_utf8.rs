//! UTF-32 to UTF-8, as a [`Target`].
//!
//! 1. If a step is ASCII, narrow it, and the run of ASCII after it.
//! 2. If all units are below 0x10000, narrow them to 16-bit lanes and convert them like
//!    [UTF-16](crate::generic::from_utf16::to_utf8) without surrogates.
//! 3. Else compute the bytes of each character in its 32-bit lane, the last byte lowest. A shuffle
//!    row writes the bytes of four lanes.
//! 4. Two vectors go through a bounce buffer if the output is too short for a whole store.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::window::copy_short;
use crate::encoding::types::{Utf8, Utf32Le};
use crate::generic::from_utf16::utf8_encoder::{ENCODER_OUTPUT_BYTES, UnitEncoder};
use crate::generic::from_utf32::check::Utf32Checker;
use crate::generic::from_utf32::convert::{Double, Target, load_four};
use crate::generic::from_utf32::copy::or_four;
use crate::scalar;
use crate::types::progress::Reach;

/// The constants of a conversion, in registers.
pub(crate) struct Utf8Target<V: Lanes32> {
    token: V::Token,
    /// The validation of units.
    checker: Utf32Checker<V>,
    /// The bits that ASCII lacks.
    above_ascii: V,
    /// The upper half of a 32-bit lane.
    upper: V,
}

impl<V: Lanes32> Utf8Target<V> {
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        Self {
            token,
            checker: Utf32Checker::new(token),
            above_ascii: V::splat32(token, !0x7F),
            upper: V::splat32(token, 0xFFFF_0000),
        }
    }

    /// Returns a vector of which every lane is `unit`.
    #[inline(always)]
    fn splat(&self, unit: u32) -> V {
        V::splat32(self.token, unit)
    }

    /// Writes a run of ASCII: whole steps, and vectors of the step after them. Returns the number
    /// of units.
    #[inline(always)]
    fn ascii_run(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let mut run = 0;
        let steps = text.chunks_exact(4 * V::LANES);
        for (window, out) in steps.zip(dst.chunks_exact_mut(V::LANES)) {
            let units = load_four::<V>(self.token, window);
            if or_four(units).and(self.above_ascii).any() {
                if !V::Masked::PRESENT {
                    run += self.end_of_run(units, out);
                }
                break;
            }
            V::narrow_four(units).store_bytes(out, 0);
            run += V::LANES;
        }
        run
    }

    /// Writes the vectors of ASCII at the start of a step that has other units too, as
    /// [`UnitEncoder::end_of_run`] does. Returns the number of units.
    #[inline(always)]
    fn end_of_run(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) -> usize {
        let by = V::LANES / 4;
        if !units[0].or(units[1]).and(self.above_ascii).any() {
            V::narrow32(units[0], units[1]).store_narrowed(out, 0);
            if units[2].and(self.above_ascii).any() {
                return 2 * by;
            }
            units[2].store_quarter(out, 2 * by);
            return 3 * by;
        }
        if units[0].and(self.above_ascii).any() {
            return 0;
        }
        units[0].store_quarter(out, 0);
        by
    }

    /// Returns the bytes of each character, the last one lowest, and a mask for the shuffle row:
    /// two bits for each character, one from each half of its lane.
    #[inline(always)]
    fn bytes(&self, units: V) -> (V, V) {
        // Twelve bits in each half of the lane, then six in each byte.
        let halves = V::halves(units, units.shl32::<4>());
        let low = halves.and(self.splat(0x003F_003F));
        let high = halves.shl16::<2>().and(self.splat(0x3F00_3F00));
        let bytes = low.or(high).or(self.splat(0xF080_C080));
        let two = units.above32(self.splat(0x7F));
        let three = units.above32(self.splat(0x7FF));
        let no_four = self.splat(0x1_0000).above32(units);
        // Byte 1 is the lead byte only of a two-byte character, and byte 2 only of a three-byte
        // character. In longer ones, they become continuation bytes.
        let bytes = bytes.xor(V::halves(three, no_four).and(self.splat(0x0060_4000)));
        (two.select(bytes, units), V::halves(two.and(no_four), three))
    }

    /// Writes four vectors of characters. Returns the number of bytes.
    #[inline(always)]
    fn four(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) -> usize {
        if let Some(ops) = V::Masked::OPS {
            return four_masked(ops, units, 0, out);
        }
        let first = self.any_or_ascii([units[0], units[1]], out);
        first + self.any_or_ascii([units[2], units[3]], &mut out[first..])
    }

    /// [`any`](Self::any), and faster if both vectors are ASCII.
    #[inline(always)]
    fn any_or_ascii(&self, units: [V; 2], out: &mut [MaybeUninit<u8>]) -> usize {
        if !units[0].or(units[1]).and(self.above_ascii).any() {
            V::narrow32(units[0], units[1]).store_narrowed(out, 0);
            return V::LANES / 2;
        }
        self.any(units, out)
    }

    /// Writes two vectors of characters. Returns the number of bytes.
    #[inline(always)]
    fn any(&self, units: [V; 2], out: &mut [MaybeUninit<u8>]) -> usize {
        let ((first, first_more), (second, second_more)) =
            (self.bytes(units[0]), self.bytes(units[1]));
        let more = V::bits16(first_more, second_more);
        let four_byte = four_byte(more);
        let written = first.write_four_byte(more, four_byte, out);
        let by = V::LANES / 2;
        written + second.write_four_byte(more >> by, four_byte >> by, &mut out[written..])
    }
}

/// Writes four vectors of characters, except the first `done` characters. Returns the number of
/// bytes.
#[inline(always)]
fn four_masked<V: Lanes32>(
    ops: V::Masked,
    units: [V; 4],
    done: usize,
    out: &mut [MaybeUninit<u8>],
) -> usize {
    let mut written = 0;
    let mut k = 0;
    while k < 4 {
        let done = done.saturating_sub(k * V::LANES / 4);
        if done < V::LANES / 4 {
            written += ops.write_characters(units[k], done, &mut out[written..]);
        }
        k += 1;
    }
    written
}

/// Returns the mask of the four-byte characters: the first of the two bits of each.
#[inline(always)]
fn four_byte(more: u64) -> u64 {
    (more >> 1) & !more & 0x5555_5555_5555_5555
}

impl<V: Lanes32> Target<V> for Utf8Target<V> {
    const NARROW_OUTPUT_BYTES: usize = 1;

    type Double = Utf8Double<V>;

    #[inline(always)]
    fn token(&self) -> V::Token {
        self.token
    }

    #[inline(always)]
    fn are_narrow<const N: usize>(&self, units: [V; N]) -> bool {
        let mut all = units[0];
        let mut k = 1;
        while k < N {
            all = all.or(units[k]);
            k += 1;
        }
        !all.and(self.above_ascii).any()
    }

    #[inline(always)]
    fn write_narrow(&self, units: V, out: &mut [MaybeUninit<u8>], at: usize) {
        units.store_quarter(out, at);
    }

    #[inline(always)]
    fn write_narrow_step(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) {
        V::narrow_four(units).store_bytes(out, 0);
    }

    #[inline(always)]
    fn steps(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<Reach, Reach> {
        let step = 4 * V::LANES;
        let narrow = UnitEncoder::<V>::new(self.token);
        let (mut read, mut written) = (0, 0);
        while let Some(window) = text.get(read..read + step) {
            let units = load_four::<V>(self.token, window);
            let all = or_four(units);
            if !all.and(self.above_ascii).any() {
                let Some(out) = dst.get_mut(written..written + V::LANES) else { break };
                V::narrow_four(units).store_bytes(out, 0);
                read += step;
                written += V::LANES;
                let run = self.ascii_run(&text[read..], &mut dst[written..]);
                read += 4 * run;
                written += run;
                continue;
            }
            let Some(out) = dst.get_mut(written..written + 4 * V::LANES) else { break };
            if all.and(self.upper).any() {
                if self.checker.is_wrong_in_four(units) {
                    return Err(Reach { read, written });
                }
                written += self.four(units, out);
            } else {
                let units = [V::narrow32(units[0], units[1]), V::narrow32(units[2], units[3])];
                if !units[0].or(units[1]).and(narrow.top).any() {
                    written += narrow.narrow(units, out);
                } else {
                    let (below, surrogates) = narrow.tops(units);
                    if surrogates[0].or(surrogates[1]).any() {
                        return Err(Reach { read, written });
                    }
                    if !below[0].or(below[1]).any() {
                        narrow.three_byte(units[0], out, 0);
                        narrow.three_byte(units[1], out, 3 * V::LANES / 2);
                        written += 3 * V::LANES;
                    } else {
                        let first = narrow.wide_or_ascii(
                            units[0],
                            below[0],
                            &mut out[..V::WIDE_STORE_CAPACITY],
                        );
                        let out = &mut out[first..first + V::WIDE_STORE_CAPACITY];
                        written += first + narrow.wide_or_ascii(units[1], below[1], out);
                    }
                }
            }
            read += step;
        }
        Ok(Reach { read, written })
    }

    #[inline(always)]
    fn write_last_step(
        &self,
        units: [V; 4],
        again: usize,
        dst: &mut [MaybeUninit<u8>],
        written: usize,
    ) -> Option<usize> {
        let all = or_four(units);
        let narrow = UnitEncoder::<V>::new(self.token);
        if !all.and(self.splat(!0x7FF)).any() {
            let units = [V::narrow32(units[0], units[1]), V::narrow32(units[2], units[3])];
            let ascii = narrow.splat(0x7F);
            let twos = V::bits16(units[0].above16(ascii), units[1].above16(ascii));
            let base = written - again - (twos & V::first_bits(again)).count_ones() as usize;
            let out = dst.get_mut(base..base + 4 * V::LANES)?;
            return Some(base + narrow.narrow(units, out));
        }
        if let Some(ops) = V::Masked::OPS {
            let out = dst.get_mut(written..)?.get_mut(..4 * V::LANES)?;
            if self.checker.is_wrong_in_four(units) {
                return None;
            }
            return Some(written + four_masked(ops, units, again, out));
        }
        if again > V::LANES / 2 {
            // Two vectors would suffice, and have been tried.
            return None;
        }
        let written = self.write_last_two([units[0], units[1]], again, dst, written)?;
        self.write_last_two([units[2], units[3]], 0, dst, written)
    }

    #[inline(always)]
    fn write_last_two(
        &self,
        units: [V; 2],
        again: usize,
        dst: &mut [MaybeUninit<u8>],
        written: usize,
    ) -> Option<usize> {
        if V::Masked::PRESENT || units[0].or(units[1]).and(self.upper).any() {
            return None;
        }
        let narrow = UnitEncoder::<V>::new(self.token);
        let units = V::narrow32(units[0], units[1]);
        let top = units.and(narrow.top);
        if top.equal16(narrow.surrogate).any() {
            return None;
        }
        let below = top.equal16(narrow.zero);
        // Two bits for each unit.
        let more = narrow.more(units, below);
        let more_again = more & V::first_bits(2 * again);
        let base = written - again - more_again.count_ones() as usize;
        let out = dst.get_mut(base..base + V::WIDE_STORE_CAPACITY)?;
        Some(base + V::write_wide(narrow.bytes(units, below), narrow.lead(units), more, out))
    }

    #[inline(always)]
    fn double(&self, units: [V; 2], second: usize) -> Option<Utf8Double<V>> {
        let numbers = self.checker.number(units[0]).max32(self.checker.number(units[1]));
        if self.checker.is_wrong(numbers) {
            return None;
        }
        let ((a, more_a), (b, more_b)) = (self.bytes(units[0]), self.bytes(units[1]));
        let more = V::bits16(more_a, more_b);
        Some(Utf8Double { bytes: [a, b], more, four_byte: four_byte(more), second })
    }

    #[inline(always)]
    fn resume(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
        resume(src, dst, reach)
    }
}

/// The output of two vectors.
pub(crate) struct Utf8Double<V> {
    /// The bytes of each character, in its lane.
    bytes: [V; 2],
    /// Two bits for each character: the first is set if it has two or three bytes, the second if it
    /// has three or four.
    more: u64,
    /// One bit for each four-byte character.
    four_byte: u64,
    /// Bytes from the start of the first vector to the start of the second, in the source.
    second: usize,
}

impl<V: Lanes32> Double for Utf8Double<V> {
    #[inline(always)]
    fn bytes_of(&self, input: usize) -> usize {
        let of_these = V::first_bits(input / 2);
        bytes_by(input / 4, self.more & of_these, self.four_byte & of_these)
    }

    #[inline(always)]
    fn write_exactly(&self, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let second = self.bytes_of(self.second);
        let (more, four_byte) = (self.more >> (V::LANES / 2), self.four_byte >> (V::LANES / 2));
        let len = second + bytes_by(V::LANES / 4, more, four_byte);
        // The last store writes its characters as if each had four bytes.
        let before_last = V::LANES - V::STORE_BYTES;
        let of_these = V::first_bits(before_last / 2);
        let last = second + bytes_by(before_last / 4, more & of_these, four_byte & of_these);
        if let Some(out) = dst.get_mut(..last + V::STORE_BYTES) {
            self.bytes[0].write_four_byte(self.more, self.four_byte, out);
            self.bytes[1].write_four_byte(more, four_byte, &mut out[second..]);
            return Some(len);
        }
        let to = dst.get_mut(..len)?;
        let mut bounce = [MaybeUninit::uninit(); 2 * ENCODER_OUTPUT_BYTES];
        self.bytes[0].write_four_byte(self.more, self.four_byte, &mut bounce);
        self.bytes[1].write_four_byte(more, four_byte, &mut bounce[second..]);
        copy_short(to, &bounce[..len]);
        Some(len)
    }
}

/// Returns the number of bytes of `characters` characters, by their bits in `more` and `four_byte`.
#[inline(always)]
fn bytes_by(characters: usize, more: u64, four_byte: u64) -> usize {
    characters + more.count_ones() as usize + 2 * four_byte.count_ones() as usize
}

/// [`Target::resume`].
#[inline(never)]
fn resume(src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
    let Reach { read, written } = reach;
    scalar::transcode::<Utf32Le, Utf8>(&src[read..], &mut dst[written..]).after(read, written)
}

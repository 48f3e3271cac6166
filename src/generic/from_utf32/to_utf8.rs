//! The [`Target`] for the conversion of UTF-32 to UTF-8.
//!
//! 1. If a step is ASCII, narrow the step and the ASCII run after it.
//! 2. If all units are below 0x10000, narrow them to 16-bit lanes and convert them like
//!    [UTF-16](crate::generic::from_utf16::to_utf8) without surrogates.
//! 3. Else compute the bytes of each character in its 32-bit lane, with the last byte in the lowest
//!    bits. Shuffle rows pack the used bytes, four lanes at a time.
//! 4. If `dst` is too short for a whole store, copy the output of two vectors from a bounce buffer.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::window::copy_short;
use crate::encoding::types::{Utf8, Utf32Le};
use crate::encoding::view::Uninit;
use crate::generic::from_utf16::utf8_encoder::{ENCODER_OUTPUT_BYTES, UnitEncoder};
use crate::generic::from_utf32::FromUtf32;
use crate::generic::from_utf32::check::Utf32Checker;
use crate::generic::from_utf32::convert::{Double, Target, convert, convert_short, convert_two};
use crate::generic::vectors;
use crate::scalar;
use crate::types::progress::Reach;

/// The conversion to UTF-8.
#[derive(Clone, Copy)]
pub(crate) struct ToUtf8;

impl FromUtf32 for ToUtf8 {
    // A step of vectors of 64 bytes has 256 bytes.
    const WIDE_MIN_BYTES: usize = 6 * 64;
    const NARROW_MAX_BYTES: usize = 32;

    #[inline(always)]
    fn convert<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        convert(&Utf8Target::<V>::new(token), src, dst)
    }

    #[inline(always)]
    fn convert_short<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        convert_short(&Utf8Target::<V>::new(token), src, dst)
    }

    #[inline(always)]
    fn convert_narrow<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        convert_two(&Utf8Target::<V>::new(token), src, dst)
    }

    fn convert_by_reference(self, src: &[u8], dst: &mut Uninit) -> Reach {
        scalar::transcode::<Utf32Le, Utf8>(src, dst)
    }
}

/// The constants of a conversion, in registers.
struct Utf8Target<V: Lanes32> {
    token: V::Token,
    /// The constants for the validation of units.
    checker: Utf32Checker<V>,
    /// The bits that ASCII lacks.
    above_ascii: V,
    /// The mask of the upper half of a 32-bit lane.
    upper: V,
}

impl<V: Lanes32> Utf8Target<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
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

    /// Writes an ASCII run: whole steps. Returns the number of units written.
    #[inline(always)]
    fn ascii_run(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let mut run = 0;
        let steps = text.chunks_exact(4 * V::LANES);
        for (window, out) in steps.zip(dst.chunks_exact_mut(V::LANES)) {
            let units = vectors::load::<V, 4>(self.token, window, 0);
            if vectors::or(units).and(self.above_ascii).any() {
                break;
            }
            V::narrow_four_to_bytes(units).store_bytes(out, 0);
            run += V::LANES;
        }
        run
    }

    /// Returns the bytes of each character in its lane, with the last byte in the lowest bits. Also
    /// returns a mask whose 16-bit lanes give two bits for each character; see
    /// [`Utf8Double::length_bits`].
    #[inline(always)]
    fn bytes(&self, units: V) -> (V, V) {
        // First put twelve bits into each half of the lane, then six bits into each byte.
        let halves = V::join_halves16(units, units.shl32::<4>());
        let low = halves.and(self.splat(0x003F_003F));
        let high = halves.shl16::<2>().and(self.splat(0x3F00_3F00));
        let bytes = low.or(high).or(self.splat(0xF080_C080));
        let from_0x80 = units.greater_i32(self.splat(0x7F));
        let from_0x800 = units.greater_i32(self.splat(0x7FF));
        let below_0x10000 = self.splat(0x1_0000).greater_i32(units);
        // Byte 1 is a lead byte only in a two-byte character, and byte 2 only in a three-byte
        // character. In longer characters, turn them into continuation bytes.
        let bytes =
            bytes.xor(V::join_halves16(from_0x800, below_0x10000).and(self.splat(0x0060_4000)));
        (from_0x80.select(bytes, units), V::join_halves16(from_0x80.and(below_0x10000), from_0x800))
    }

    /// Writes four vectors of characters. Returns the number of bytes written.
    #[inline(always)]
    fn write_four(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) -> usize {
        if let Some(ops) = V::Masked::OPS {
            return write_four_masked(ops, units, 0, out);
        }
        let first = self.write_two_or_ascii([units[0], units[1]], out);
        first + self.write_two_or_ascii([units[2], units[3]], &mut out[first..])
    }

    /// Does the same as [`write_two`](Self::write_two), but faster if both vectors are ASCII.
    #[inline(always)]
    fn write_two_or_ascii(&self, units: [V; 2], out: &mut [MaybeUninit<u8>]) -> usize {
        if !units[0].or(units[1]).and(self.above_ascii).any() {
            V::narrow_to_u16(units[0], units[1]).store_narrowed(out, 0);
            return V::LANES / 2;
        }
        self.write_two(units, out)
    }

    /// Writes two vectors of characters. Returns the number of bytes written.
    #[inline(always)]
    fn write_two(&self, units: [V; 2], out: &mut [MaybeUninit<u8>]) -> usize {
        let ((first, first_mask), (second, second_mask)) =
            (self.bytes(units[0]), self.bytes(units[1]));
        let length_bits = V::bits16(first_mask, second_mask);
        let four_byte = four_byte_bits(length_bits);
        let written = first.write_up_to_four_bytes(length_bits, four_byte, out);
        let vector_bits = V::LANES / 2;
        let (length_bits, four_byte) = (length_bits >> vector_bits, four_byte >> vector_bits);
        written + second.write_up_to_four_bytes(length_bits, four_byte, &mut out[written..])
    }
}

/// Writes four vectors of characters, except the first `done` characters. Returns the number of
/// bytes written.
#[inline(always)]
fn write_four_masked<V: Lanes32>(
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

/// Returns the bits of the four-byte characters: of the two bits of each such character, the first
/// bit is set.
#[inline(always)]
fn four_byte_bits(length_bits: u64) -> u64 {
    (length_bits >> 1) & !length_bits & 0x5555_5555_5555_5555
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
        !vectors::or(units).and(self.above_ascii).any()
    }

    #[inline(always)]
    fn write_narrow(&self, units: V, out: &mut [MaybeUninit<u8>], at: usize) {
        units.store_low_bytes(out, at);
    }

    #[inline(always)]
    fn write_narrow_step(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) {
        V::narrow_four_to_bytes(units).store_bytes(out, 0);
    }

    #[inline(always)]
    fn convert_steps(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<Reach, Reach> {
        let step = 4 * V::LANES;
        let encoder16 = UnitEncoder::<V>::new(self.token);
        let (mut read, mut written) = (0, 0);
        while let Some(window) = text.get(read..read + step) {
            let units = vectors::load::<V, 4>(self.token, window, 0);
            let ored = vectors::or(units);
            if !ored.and(self.above_ascii).any() {
                let Some(out) = dst.get_mut(written..written + V::LANES) else { break };
                V::narrow_four_to_bytes(units).store_bytes(out, 0);
                read += step;
                written += V::LANES;
                let run = self.ascii_run(&text[read..], &mut dst[written..]);
                read += 4 * run;
                written += run;
                continue;
            }
            let Some(out) = dst.get_mut(written..written + 4 * V::LANES) else { break };
            if ored.and(self.upper).any() {
                if self.checker.have_ill_formed(units) {
                    return Err(Reach { read, written });
                }
                written += self.write_four(units, out);
            } else {
                let units =
                    [V::narrow_to_u16(units[0], units[1]), V::narrow_to_u16(units[2], units[3])];
                if !units[0].or(units[1]).and(encoder16.top_mask).any() {
                    written += encoder16.narrow(units, out);
                } else {
                    let (below_0x800, surrogates) = encoder16.below_and_surrogate_masks(units);
                    if surrogates[0].or(surrogates[1]).any() {
                        return Err(Reach { read, written });
                    }
                    if !below_0x800[0].or(below_0x800[1]).any() {
                        encoder16.three_byte(units[0], out, 0);
                        encoder16.three_byte(units[1], out, 3 * V::LANES / 2);
                        written += 3 * V::LANES;
                    } else {
                        let first = encoder16.wide_or_ascii(
                            units[0],
                            below_0x800[0],
                            &mut out[..V::WIDE_STORE_CAPACITY],
                        );
                        let out = &mut out[first..first + V::WIDE_STORE_CAPACITY];
                        written += first + encoder16.wide_or_ascii(units[1], below_0x800[1], out);
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
        repeated: usize,
        dst: &mut [MaybeUninit<u8>],
        written: usize,
    ) -> Option<usize> {
        let ored = vectors::or(units);
        let encoder16 = UnitEncoder::<V>::new(self.token);
        if !ored.and(self.splat(!0x7FF)).any() {
            let units =
                [V::narrow_to_u16(units[0], units[1]), V::narrow_to_u16(units[2], units[3])];
            let ascii = encoder16.splat(0x7F);
            let two_byte_bits =
                V::bits16(units[0].above16_signed(ascii), units[1].above16_signed(ascii));
            let base = written
                - repeated
                - (two_byte_bits & V::first_bits(repeated)).count_ones() as usize;
            let out = dst.get_mut(base..base + 4 * V::LANES)?;
            return Some(base + encoder16.narrow(units, out));
        }
        if let Some(ops) = V::Masked::OPS {
            let out = dst.get_mut(written..)?.get_mut(..4 * V::LANES)?;
            if self.checker.have_ill_formed(units) {
                return None;
            }
            return Some(written + write_four_masked(ops, units, repeated, out));
        }
        if repeated > V::LANES / 2 {
            // The last two vectors would suffice, and their conversion has failed already.
            return None;
        }
        let written = self.write_last_two([units[0], units[1]], repeated, dst, written)?;
        self.write_last_two([units[2], units[3]], 0, dst, written)
    }

    #[inline(always)]
    fn write_last_two(
        &self,
        units: [V; 2],
        repeated: usize,
        dst: &mut [MaybeUninit<u8>],
        written: usize,
    ) -> Option<usize> {
        if V::Masked::PRESENT || units[0].or(units[1]).and(self.upper).any() {
            return None;
        }
        let encoder16 = UnitEncoder::<V>::new(self.token);
        let units = V::narrow_to_u16(units[0], units[1]);
        let top_bits = units.and(encoder16.top_mask);
        if top_bits.equal16(encoder16.surrogate).any() {
            return None;
        }
        let below_0x800 = top_bits.equal16(encoder16.zero);
        let length_bits = encoder16.length_bits(units, below_0x800);
        let repeated_bits = length_bits & V::first_bits(2 * repeated);
        let base = written - repeated - repeated_bits.count_ones() as usize;
        let out = dst.get_mut(base..base + V::WIDE_STORE_CAPACITY)?;
        Some(
            base + V::write_up_to_three_bytes(
                encoder16.bytes(units, below_0x800),
                encoder16.lead(units),
                length_bits,
                out,
            ),
        )
    }

    #[inline(always)]
    fn double(&self, units: [V; 2], distance: usize) -> Option<Utf8Double<V>> {
        if self.checker.have_ill_formed(units) {
            return None;
        }
        let ((a, mask_a), (b, mask_b)) = (self.bytes(units[0]), self.bytes(units[1]));
        let length_bits = V::bits16(mask_a, mask_b);
        let four_byte = four_byte_bits(length_bits);
        Some(Utf8Double { bytes: [a, b], length_bits, four_byte, distance })
    }

    #[inline(always)]
    fn resume(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], reach: Reach) -> Reach {
        scalar::resume::<Utf32Le, Utf8>(src, dst, reach)
    }
}

/// The output of two vectors.
pub(crate) struct Utf8Double<V> {
    /// The bytes of each character, in its lane.
    bytes: [V; 2],
    /// Two bits for each character: the first is set if it has two or three bytes, the second if it
    /// has three or four bytes.
    length_bits: u64,
    /// The same two bits for each character: the first is set if it has four bytes, the second is
    /// always zero.
    four_byte: u64,
    /// The number of source bytes from the start of the first vector to the start of the second.
    distance: usize,
}

impl<V: Lanes32> Double for Utf8Double<V> {
    #[inline(always)]
    fn bytes_of(&self, input: usize) -> usize {
        let counted = V::first_bits(input / 2);
        output_len(input / 4, self.length_bits & counted, self.four_byte & counted)
    }

    #[inline(always)]
    fn write_exactly(&self, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let second_at = self.bytes_of(self.distance);
        let length_bits = self.length_bits >> (V::LANES / 2);
        let four_byte = self.four_byte >> (V::LANES / 2);
        let len = second_at + output_len(V::LANES / 4, length_bits, four_byte);
        // The last store writes its characters as if each had four bytes.
        let before_last = V::LANES - V::STORE_BYTES;
        let counted = V::first_bits(before_last / 2);
        let last_at =
            second_at + output_len(before_last / 4, length_bits & counted, four_byte & counted);
        if let Some(out) = dst.get_mut(..last_at + V::STORE_BYTES) {
            self.bytes[0].write_up_to_four_bytes(self.length_bits, self.four_byte, out);
            self.bytes[1].write_up_to_four_bytes(length_bits, four_byte, &mut out[second_at..]);
            return Some(len);
        }
        let to = dst.get_mut(..len)?;
        let mut bounce = [MaybeUninit::uninit(); 2 * ENCODER_OUTPUT_BYTES];
        self.bytes[0].write_up_to_four_bytes(self.length_bits, self.four_byte, &mut bounce);
        self.bytes[1].write_up_to_four_bytes(length_bits, four_byte, &mut bounce[second_at..]);
        copy_short(to, &bounce[..len]);
        Some(len)
    }
}

/// Returns the output length, in bytes, of `characters` characters. `length_bits` and `four_byte`
/// have the bits of these characters.
#[inline(always)]
fn output_len(characters: usize, length_bits: u64, four_byte: u64) -> usize {
    characters + length_bits.count_ones() as usize + 2 * four_byte.count_ones() as usize
}

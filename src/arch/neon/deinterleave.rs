//! Conversion of UTF-16 to UTF-8 with the lower bytes of 16 units in one vector and their upper
//! bytes in another. All operations are then on bytes, 16 at a time; with 16-bit lanes, an
//! operation takes only eight units. Shifts that insert (`vsli`, `vsri`) combine the bits of
//! several bytes.
//!
//! The generic algorithm decides which operation converts which units.

use core::arch::aarch64::*;
use core::hint;
use core::mem::MaybeUninit;

use crate::arch::neon::{U8x16, load_lane_bits, opaque, splat, write_16_bytes};
use crate::arch::optional::{DeinterleavedOps, Present};
use crate::arch::vector::Vector;
use crate::tables::{ShuffleRow, utf8_narrow, utf8_wide};

/// The bit of each unit that has more than one byte in UTF-8. Four units share eight bits.
const MORE_THAN_ONE_BYTE: [u8; 16] = [1, 4, 16, 64, 1, 4, 16, 64, 1, 4, 16, 64, 1, 4, 16, 64];
/// The bit of each unit that has more than two bytes in UTF-8.
const MORE_THAN_TWO_BYTES: [u8; 16] = [2, 8, 32, 128, 2, 8, 32, 128, 2, 8, 32, 128, 2, 8, 32, 128];

impl DeinterleavedOps<U8x16> for Present {
    #[inline(always)]
    fn deinterleaved(self, [first, second]: [U8x16; 2]) -> [U8x16; 2] {
        [U8x16(op!(vuzp1q_u8(first.0, second.0))), U8x16(op!(vuzp2q_u8(first.0, second.0)))]
    }

    #[inline(always)]
    fn largest(self, bytes: U8x16) -> u8 {
        op!(vmaxvq_u8(bytes.0))
    }

    #[inline(always)]
    fn have_surrogates(self, [_, upper]: [U8x16; 2]) -> bool {
        let surrogates = op!(vceqq_u8(vandq_u8(upper.0, splat(0xF8)), splat(0xD8)));
        op!(vmaxvq_u8(opaque(surrogates)) != 0)
    }

    #[inline(always)]
    fn write_below_0x800(self, [low, high]: [U8x16; 2], dst: &mut [MaybeUninit<u8>]) -> usize {
        let middle_bits = bits_6_to_13(low.0, high.0);
        let ascii = op!(vcltq_u8(middle_bits, splat(2)));
        let last = op!(vbslq_u8(ascii, low.0, vsliq_n_u8::<6>(low.0, splat(2))));
        let first = op!(vorrq_u8(middle_bits, splat(0xC0)));
        let bits = opaque(op!(vbicq_u8(load_lane_bits(), ascii)));
        let sum = opaque(op!(vpaddq_u8(bits, bits)));
        let sum = opaque(op!(vpaddq_u8(sum, sum)));
        let sum = opaque(op!(vpaddq_u8(sum, sum)));
        let rows = usize::from(op!(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(sum))));
        let counts = usize::from(op!(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(vcntq_u8(sum)))));
        let (first_offset, second_offset) = (8 + (counts & 0xFF), 8 + (counts >> 8));
        // SAFETY: each of eight units has at most two bytes.
        unsafe { hint::assert_unchecked(first_offset <= 16 && second_offset <= 16) };
        let table = utf8_narrow();
        write_compressed(op!(vzip1q_u8(last, first)), &table[rows & 0xFF], 0, dst);
        write_compressed(op!(vzip2q_u8(last, first)), &table[rows >> 8], first_offset, dst);
        first_offset + second_offset
    }

    #[inline(always)]
    fn write_characters(self, [low, high]: [U8x16; 2], dst: &mut [MaybeUninit<u8>]) -> usize {
        let middle = bits_6_to_13(low.0, high.0);
        let last = op!(vsliq_n_u8::<6>(low.0, splat(2)));
        if op!(vminvq_u8(high.0)) >= 8 {
            let middle = op!(vsliq_n_u8::<6>(middle, splat(2)));
            let dst = &mut dst[..48];
            // SAFETY: `dst` has 48 bytes; the operands prove the features.
            unsafe {
                vst3q_u8(
                    dst.as_mut_ptr().cast(),
                    uint8x16x3_t(three_byte_leads(high.0), middle, last),
                );
            }
            return 48;
        }
        let (ascii, below_0x800) = find_ascii_and_below_0x800(low.0, high.0);
        let last = op!(vbslq_u8(ascii, low.0, last));
        let middle = op!(vsliq_n_u8::<6>(middle, vsubq_u8(splat(2), below_0x800)));
        write_one_to_three_bytes(
            last,
            middle,
            three_byte_leads(high.0),
            length_bits(ascii, below_0x800),
            dst,
        )
    }

    #[inline(always)]
    fn write_pairs(
        self,
        [low, high]: [U8x16; 2],
        previous: [U8x16; 2],
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let upper_six_bits = op!(vshrq_n_u8::<2>(high.0));
        let (is_high, is_low) = (
            op!(vceqq_u8(upper_six_bits, splat(0x36))),
            op!(vceqq_u8(upper_six_bits, splat(0x37))),
        );
        let before =
            [op!(vextq_u8::<15>(previous[0].0, low.0)), op!(vextq_u8::<15>(previous[1].0, high.0))];
        let after_high = op!(vceqq_u8(vshrq_n_u8::<2>(before[1]), splat(0x36)));
        if op!(vmaxvq_u8(opaque(veorq_u8(is_low, after_high))) != 0) {
            return None;
        }
        let middle_bits = bits_6_to_13(low.0, high.0);
        let (ascii, below_0x800) = find_ascii_and_below_0x800(low.0, high.0);
        let byte = op!(vbslq_u8(ascii, low.0, vsliq_n_u8::<6>(low.0, splat(2))));
        // The second byte of the pair, 10uuzzzz, from the high surrogate.
        let raised = op!(vaddq_u8(low.0, splat(0x40)));
        let byte = op!(vbslq_u8(is_high, vsriq_n_u8::<2>(splat(0x80), raised), byte));
        // Two bits of the third byte come from the high surrogate.
        let six_bits = op!(vbslq_u8(is_low, vsliq_n_u8::<4>(middle_bits, before[0]), middle_bits));
        let middle = op!(vsliq_n_u8::<6>(six_bits, vsubq_u8(splat(2), below_0x800)));
        // The sum of 0110wwww and 0x61 is 110uuuuu, because uuuuu is wwww + 1.
        let raised = op!(vaddq_u8(middle_bits, splat(0x61)));
        let middle = op!(vbslq_u8(is_high, vsriq_n_u8::<2>(splat(0xC0), raised), middle));
        let at_most_two = op!(vorrq_u8(below_0x800, vorrq_u8(is_high, is_low)));
        Some(write_one_to_three_bytes(
            byte,
            middle,
            three_byte_leads(high.0),
            length_bits(ascii, at_most_two),
            dst,
        ))
    }
}

/// Returns bits 6 to 13 of each unit.
#[inline(always)]
fn bits_6_to_13(low: uint8x16_t, high: uint8x16_t) -> uint8x16_t {
    op!(vsliq_n_u8::<2>(vshrq_n_u8::<6>(low), high))
}

/// Returns the masks of the units below 0x80 and of the units below 0x800.
#[inline(always)]
fn find_ascii_and_below_0x800(low: uint8x16_t, high: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    let ascii = op!(vandq_u8(vceqzq_u8(high), vcltq_u8(low, splat(0x80))));
    (ascii, op!(vcltq_u8(high, splat(8))))
}

/// Returns the lead bytes of three-byte characters: `1110zzzz`.
#[inline(always)]
fn three_byte_leads(high: uint8x16_t) -> uint8x16_t {
    op!(vsriq_n_u8::<4>(splat(0xE0), high))
}

/// Returns two bits for each unit, with four units in a byte. The first bit is set if the unit has
/// more than one byte in UTF-8, the second if it has more than two bytes. `at_most_two` is the mask
/// of the units that have at most two bytes.
#[inline(always)]
fn length_bits(ascii: uint8x16_t, at_most_two: uint8x16_t) -> uint8x16_t {
    // SAFETY: each array has 16 bytes; `ascii` and `at_most_two` prove the features.
    let (more_than_one, more_than_two) =
        unsafe { (vld1q_u8(MORE_THAN_ONE_BYTE.as_ptr()), vld1q_u8(MORE_THAN_TWO_BYTES.as_ptr())) };
    let bits =
        opaque(op!(vorrq_u8(vbicq_u8(more_than_one, ascii), vbicq_u8(more_than_two, at_most_two))));
    let sum = opaque(op!(vpaddq_u8(bits, bits)));
    opaque(op!(vpaddq_u8(sum, sum)))
}

/// Writes one to three bytes of each unit and returns the number of bytes. `length_bits` has two
/// bits for each unit.
#[inline(always)]
fn write_one_to_three_bytes(
    last: uint8x16_t,
    middle: uint8x16_t,
    lead: uint8x16_t,
    length_bits: uint8x16_t,
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let first_word = |vector| op!(vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vector)));
    let rows = first_word(length_bits);
    // Byte `k` is the number of output bytes of the groups up to and including group `k`.
    let offsets = (first_word(op!(vcntq_u8(length_bits))) + 0x0404_0404).wrapping_mul(0x0101_0101);
    let offset = |k: u32| {
        let offset = (offsets >> (8 * k) & 0xFF) as usize;
        // SAFETY: a group has at most twelve bytes.
        unsafe { hint::assert_unchecked(offset <= 12 * (k as usize + 1)) };
        offset
    };
    let table = utf8_wide();
    let row = |k: u32| &table[(rows >> (8 * k) & 0xFF) as usize];
    let join_first = |low, high| op!(vreinterpretq_u8_u16(vzip1q_u16(lanes16(low), lanes16(high))));
    let join_second =
        |low, high| op!(vreinterpretq_u8_u16(vzip2q_u16(lanes16(low), lanes16(high))));
    let (low, high) = (op!(vzip1q_u8(last, middle)), op!(vzip1q_u8(lead, lead)));
    write_compressed(join_first(low, high), row(0), 0, dst);
    write_compressed(join_second(low, high), row(1), offset(0), dst);
    let (low, high) = (op!(vzip2q_u8(last, middle)), op!(vzip2q_u8(lead, lead)));
    write_compressed(join_first(low, high), row(2), offset(1), dst);
    write_compressed(join_second(low, high), row(3), offset(2), dst);
    offset(3)
}

/// Returns a vector as 16-bit lanes.
#[inline(always)]
fn lanes16(vector: uint8x16_t) -> uint16x8_t {
    op!(vreinterpretq_u16_u8(vector))
}

/// Writes the bytes that `row` selects to `dst`, from byte `at` on.
#[inline(always)]
fn write_compressed(bytes: uint8x16_t, row: &ShuffleRow, at: usize, dst: &mut [MaybeUninit<u8>]) {
    write_16_bytes(dst, at, U8x16::compress(bytes, row));
}

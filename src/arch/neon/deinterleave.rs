//! UTF-16 to UTF-8 with the lower and the upper bytes of 16 units in two vectors. All that is
//! computed of a unit are then bytes, 16 at a time, where 16-bit lanes are eight. Shifts that
//! insert put together the bits of several bytes.
//!
//! The generic algorithm decides which word converts which units.

use core::arch::aarch64::*;
use core::hint;
use core::mem::MaybeUninit;

use crate::arch::neon::{Neon, U8x16, bit_of_each, first_lanes, opaque, splat, write_vector};
use crate::arch::optional::{DeinterleavedOps, Present};
use crate::arch::vector::Vector;
use crate::tables::{ShuffleRow, utf8_narrow, utf8_wide};

/// The bits of more than one byte and of more than two in a group of four units.
const MORE_THAN_ONE_BYTE: [u8; 16] = [1, 4, 16, 64, 1, 4, 16, 64, 1, 4, 16, 64, 1, 4, 16, 64];
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
    fn write_below_800(self, [low, high]: [U8x16; 2], dst: &mut [MaybeUninit<u8>]) -> usize {
        let ten = middle(low.0, high.0);
        let ascii = op!(vcltq_u8(ten, splat(2)));
        let last = op!(vbslq_u8(ascii, low.0, vsliq_n_u8::<6>(low.0, splat(2))));
        let first = op!(vorrq_u8(ten, splat(0xC0)));
        let bits = opaque(op!(vbicq_u8(bit_of_each(), ascii)));
        let sum = opaque(op!(vpaddq_u8(bits, bits)));
        let sum = opaque(op!(vpaddq_u8(sum, sum)));
        let sum = opaque(op!(vpaddq_u8(sum, sum)));
        let rows = usize::from(op!(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(sum))));
        let counts = usize::from(op!(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(vcntq_u8(sum)))));
        let (first_offset, second_offset) = (8 + (counts & 0xFF), 8 + (counts >> 8));
        // SAFETY: of eight units each may be two bytes.
        unsafe { hint::assert_unchecked(first_offset <= 16 && second_offset <= 16) };
        let table = utf8_narrow();
        write_row(op!(vzip1q_u8(last, first)), &table[rows & 0xFF], 0, dst);
        write_row(op!(vzip2q_u8(last, first)), &table[rows >> 8], first_offset, dst);
        first_offset + second_offset
    }

    #[inline(always)]
    fn write_characters(self, [low, high]: [U8x16; 2], dst: &mut [MaybeUninit<u8>]) -> usize {
        let middle = middle(low.0, high.0);
        let last = op!(vsliq_n_u8::<6>(low.0, splat(2)));
        if op!(vminvq_u8(high.0)) >= 8 {
            let middle = op!(vsliq_n_u8::<6>(middle, splat(2)));
            let dst = &mut dst[..48];
            // SAFETY: 48 bytes are there; the operands prove the features.
            unsafe {
                vst3q_u8(dst.as_mut_ptr().cast(), uint8x16x3_t(lead(high.0), middle, last));
            }
            return 48;
        }
        let (ascii, below) = sizes(low.0, high.0);
        let last = op!(vbslq_u8(ascii, low.0, last));
        let middle = op!(vsliq_n_u8::<6>(middle, vsubq_u8(splat(2), below)));
        write_bytes(last, middle, lead(high.0), more(ascii, below), dst)
    }

    #[inline(always)]
    fn write_pairs(
        self,
        [low, high]: [U8x16; 2],
        last: [U8x16; 2],
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let kind = op!(vshrq_n_u8::<2>(high.0));
        let (is_high, is_low) =
            (op!(vceqq_u8(kind, splat(0x36))), op!(vceqq_u8(kind, splat(0x37))));
        let before =
            [op!(vextq_u8::<15>(last[0].0, low.0)), op!(vextq_u8::<15>(last[1].0, high.0))];
        let after_high = op!(vceqq_u8(vshrq_n_u8::<2>(before[1]), splat(0x36)));
        if op!(vmaxvq_u8(opaque(veorq_u8(is_low, after_high))) != 0) {
            return None;
        }
        let ten = middle(low.0, high.0);
        let (ascii, below) = sizes(low.0, high.0);
        let byte = op!(vbslq_u8(ascii, low.0, vsliq_n_u8::<6>(low.0, splat(2))));
        // 10uuzzzz
        let raised = op!(vaddq_u8(low.0, splat(0x40)));
        let byte = op!(vbslq_u8(is_high, vsriq_n_u8::<2>(splat(0x80), raised), byte));
        // Two bits of a second half come from the first one.
        let six = op!(vbslq_u8(is_low, vsliq_n_u8::<4>(ten, before[0]), ten));
        let middle = op!(vsliq_n_u8::<6>(six, vsubq_u8(splat(2), below)));
        // 0110wwww, and 61 makes 110uuuuu of it.
        let raised = op!(vaddq_u8(ten, splat(0x61)));
        let middle = op!(vbslq_u8(is_high, vsriq_n_u8::<2>(splat(0xC0), raised), middle));
        let two = op!(vorrq_u8(below, vorrq_u8(is_high, is_low)));
        Some(write_bytes(byte, middle, lead(high.0), more(ascii, two), dst))
    }

    #[inline(always)]
    fn write_only_pairs(self, _: Neon, bytes: &[u8; 64], dst: &mut [MaybeUninit<u8>; 64]) -> usize {
        // The bytes of the first halves, then of the second ones.
        // SAFETY: 64 bytes are there; the token proves the features.
        let uint8x16x4_t(low, high, second, second_high) = unsafe { vld4q_u8(bytes.as_ptr()) };
        let first_right = op!(vceqq_u8(vshrq_n_u8::<2>(high), splat(0x36)));
        let second_right = op!(vceqq_u8(vshrq_n_u8::<2>(second_high), splat(0x37)));
        // 11110uuu 10uuzzzz 10yyyyyy 10xxxxxx
        let raised = op!(vaddq_u8(middle(low, high), splat(0x61)));
        let b0 = op!(vsriq_n_u8::<2>(splat(0xC0), raised));
        let b1 = op!(vsriq_n_u8::<2>(splat(0x80), vaddq_u8(low, splat(0x40))));
        let six = op!(vsliq_n_u8::<4>(middle(second, second_high), low));
        let b2 = op!(vsliq_n_u8::<6>(six, splat(2)));
        let b3 = op!(vsliq_n_u8::<6>(second, splat(2)));
        // SAFETY: 64 bytes are there; the operands prove the features.
        unsafe { vst4q_u8(dst.as_mut_ptr().cast(), uint8x16x4_t(b0, b1, b2, b3)) };
        first_lanes(op!(vandq_u8(first_right, second_right)))
    }
}

/// Bits 6 to 13 of each unit.
#[inline(always)]
fn middle(low: uint8x16_t, high: uint8x16_t) -> uint8x16_t {
    op!(vsliq_n_u8::<2>(vshrq_n_u8::<6>(low), high))
}

/// Returns the masks of the units below 0x80 and of the units below 0x800.
#[inline(always)]
fn sizes(low: uint8x16_t, high: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    let ascii = op!(vandq_u8(vceqzq_u8(high), vcltq_u8(low, splat(0x80))));
    (ascii, op!(vcltq_u8(high, splat(8))))
}

/// Returns the lead bytes of three-byte characters: `1110zzzz`.
#[inline(always)]
fn lead(high: uint8x16_t) -> uint8x16_t {
    op!(vsriq_n_u8::<4>(splat(0xE0), high))
}

/// Returns two bits for each unit, four units in a byte: the unit has more than one byte, and more
/// than two bytes. `two` is the mask of the units that have at most two.
#[inline(always)]
fn more(ascii: uint8x16_t, two: uint8x16_t) -> uint8x16_t {
    // SAFETY: 16 bytes are there; the operands prove the features.
    let (more_than_one, more_than_two) =
        unsafe { (vld1q_u8(MORE_THAN_ONE_BYTE.as_ptr()), vld1q_u8(MORE_THAN_TWO_BYTES.as_ptr())) };
    let bits = opaque(op!(vorrq_u8(vbicq_u8(more_than_one, ascii), vbicq_u8(more_than_two, two))));
    let sum = opaque(op!(vpaddq_u8(bits, bits)));
    opaque(op!(vpaddq_u8(sum, sum)))
}

/// Writes one to three bytes of each unit and returns their number.
#[inline(always)]
fn write_bytes(
    last: uint8x16_t,
    middle: uint8x16_t,
    lead: uint8x16_t,
    more: uint8x16_t,
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let first_word = |vector| op!(vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vector)));
    let rows = first_word(more);
    // Byte `k` is the number of bytes of the groups up to and including group `k`.
    let offsets = (first_word(op!(vcntq_u8(more))) + 0x0404_0404).wrapping_mul(0x0101_0101);
    let offset = |k: u32| {
        let offset = (offsets >> (8 * k) & 0xFF) as usize;
        // SAFETY: a group has at most twelve bytes.
        unsafe { hint::assert_unchecked(offset <= 12 * (k as usize + 1)) };
        offset
    };
    let table = utf8_wide();
    let row = |k: u32| &table[(rows >> (8 * k) & 0xFF) as usize];
    let first = |low, high| op!(vreinterpretq_u8_u16(vzip1q_u16(halves(low), halves(high))));
    let second = |low, high| op!(vreinterpretq_u8_u16(vzip2q_u16(halves(low), halves(high))));
    let (low, high) = (op!(vzip1q_u8(last, middle)), op!(vzip1q_u8(lead, lead)));
    write_row(first(low, high), row(0), 0, dst);
    write_row(second(low, high), row(1), offset(0), dst);
    let (low, high) = (op!(vzip2q_u8(last, middle)), op!(vzip2q_u8(lead, lead)));
    write_row(first(low, high), row(2), offset(1), dst);
    write_row(second(low, high), row(3), offset(2), dst);
    offset(3)
}

/// Returns a vector of 16-bit lanes.
#[inline(always)]
fn halves(vector: uint8x16_t) -> uint16x8_t {
    op!(vreinterpretq_u16_u8(vector))
}

/// Writes the bytes that a row names, from byte `at` on.
#[inline(always)]
fn write_row(bytes: uint8x16_t, row: &ShuffleRow, at: usize, dst: &mut [MaybeUninit<u8>]) {
    write_vector(dst, at, U8x16::compress(bytes, row));
}

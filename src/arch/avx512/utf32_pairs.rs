//! Conversion of UTF-16 with surrogates to UTF-32, and of UTF-32 to UTF-16, in 32-bit lanes.
//!
//! For conversion to UTF-32, each lane gets a unit and the unit before it. One multiplication and
//! one subtraction compute the code point of a pair, and the lanes of high surrogates are dropped.
//!
//! For conversion from UTF-32, each lane becomes a single unit or a surrogate pair, and the upper
//! halves of the lanes with single units are dropped.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::avx512::permute::{Index, compress16, compress32, reorder_bytes};
use crate::arch::avx512::{U8x64, write_64_bytes, write_up_to_64_bytes};
use crate::tables::{ByteOrder, UnitOrder};

/// The indices of a byte permutation for little-endian units. Each 32-bit lane gets a unit in its
/// lower half and the previous unit in its upper half. The source begins with one extra unit, which
/// precedes the first unit.
static UNITS_WITH_PREVIOUS: Index<u8, 64> = Index({
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (unit, byte) = (i as u8 / 4, i as u8 % 4);
        index[i] = if byte < 2 { 2 * (unit + 1) + byte } else { 2 * unit + byte - 2 };
        i += 1;
    }
    index
});

/// Loads a constant of a [`UnitOrder`].
#[inline(always)]
fn load_constant(_proof: U8x64, lanes: &'static [u8; 64]) -> __m512i {
    // SAFETY: `lanes` has 64 bytes; the vector proves the features.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

/// Implements
/// [`MaskedOps::write_code_points`](crate::arch::optional::MaskedOps::write_code_points).
#[inline(always)]
pub(super) fn write_code_points(
    units: U8x64,
    before: U8x64,
    order: &'static UnitOrder,
    after_high: bool,
    dst: &mut [MaybeUninit<u8>],
) -> Option<u32> {
    let kind = op!(_mm512_and_si512(units.0, load_constant(units, &order.kind_mask)));
    let high = op!(_mm512_cmpeq_epi16_mask(kind, load_constant(units, &order.surrogate)));
    let low = op!(_mm512_cmpeq_epi16_mask(kind, load_constant(units, &order.low)));
    if low != (high << 1 | u32::from(after_high)) {
        return None;
    }
    // SAFETY: an `Index` has 64 bytes, aligned to 64; a vector proves the features.
    let index = unsafe { _mm512_load_si512(UNITS_WITH_PREVIOUS.0.as_ptr().cast()) };
    let index = op!(_mm512_xor_si512(index, _mm512_set1_epi8(i8::from(order.big))));
    // The second half begins with unit 16, which has unit 15 before it.
    let second = op!(_mm512_add_epi8(index, _mm512_set1_epi8(30)));
    let first = op!(_mm512_permutexvar_epi8(index, before.0));
    let second = op!(_mm512_permutexvar_epi8(second, units.0));
    write_64_bytes(dst, 0, decode_lanes(first, low as u16, !high as u16));
    let offset = 4 * (!high as u16).count_ones() as usize;
    write_64_bytes(dst, offset, decode_lanes(second, (low >> 16) as u16, (!high >> 16) as u16));
    Some(!high)
}

/// Decodes 16 lanes, whose lower halves are units and whose upper halves are the units before
/// these. `low` has a bit for each low surrogate. Returns the code points of the lanes that `keep`
/// selects.
#[inline(always)]
fn decode_lanes(units: __m512i, low: u16, keep: u16) -> __m512i {
    /// The sum `(high << 10) + low` of a surrogate pair, minus the code point of the pair. In the
    /// sum, both units are signed 16-bit numbers, so they are negative.
    const EXCESS: u32 = (((0xD800 - 0x1_0000) << 10) + (0xDC00 - 0x1_0000) - 0x1_0000_i32) as u32;
    let splat = |lane: u32| op!(_mm512_set1_epi32(lane.cast_signed()));
    let sums = op!(_mm512_madd_epi16(units, splat(1 << 26 | 1)));
    let single_units = op!(_mm512_and_si512(units, splat(0xFFFF)));
    let code_points = op!(_mm512_mask_sub_epi32(single_units, low, sums, splat(EXCESS)));
    compress32(code_points, keep)
}

/// Implements [`MaskedOps::write_utf16`](crate::arch::optional::MaskedOps::write_utf16).
#[inline(always)]
pub(super) fn write_utf16(
    characters: U8x64,
    order: &ByteOrder,
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let splat = |lane: u32| op!(_mm512_set1_epi32(lane.cast_signed()));
    let characters = characters.0;
    let paired = op!(_mm512_cmpgt_epu32_mask(characters, splat(0xFFFF)));
    // Bits 10..21 of the code point move to bit 0 of the high surrogate, and bits 0..10 to bit 0 of
    // the low surrogate, which is the upper half of the lane. The shifts for the four bytes of a
    // lane are 10, 18, 0 and 8, plus 32 for the second lane. The addition of 0xD7C0 and 0xDC00 also
    // subtracts 0x10000.
    let shifts = op!(_mm512_set1_epi64(0x2820_322A_0800_120A));
    let bits = op!(_mm512_multishift_epi64_epi8(shifts, characters));
    let bits = op!(_mm512_and_si512(bits, splat(0x03FF_FFFF)));
    let units = op!(_mm512_mask_add_epi32(characters, paired, bits, splat(0xDC00_D7C0)));
    // In a lane without a pair, only the lower half is kept.
    let keep = op!(_pdep_u32(u32::from(paired), 0xAAAA_AAAA)) | 0x5555_5555;
    write_up_to_64_bytes(dst, 0, compress16(reorder_bytes(units, &order.compress16), keep));
    2 * keep.count_ones() as usize
}

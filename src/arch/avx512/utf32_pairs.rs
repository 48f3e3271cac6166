//! UTF-16 with surrogates as UTF-32 and back, in 32-bit lanes.
//!
//! To UTF-32, each lane gets a unit and the one before it. One multiplication and one subtraction
//! make a code point of a pair, and high surrogates are left out.
//!
//! Back, each lane becomes a unit or a surrogate pair, and the upper halves of single units are
//! left out.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::avx512::permute::{Index, compress16, compress32, ordered};
use crate::arch::avx512::{U8x64, write_some, write_whole};
use crate::tables::{ByteOrder, UnitOrder};

/// The bytes of 16 units, each with the one before it above, in the vector of these. Little-endian.
static WITH_BEFORE: Index<u8, 64> = Index({
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (unit, byte) = (i as u8 / 4, i as u8 % 4);
        index[i] = if byte < 2 { 2 * (unit + 1) + byte } else { 2 * unit + byte - 2 };
        i += 1;
    }
    index
});

/// Returns a constant of a byte order.
#[inline(always)]
fn constant(_proof: U8x64, lanes: &'static [u8; 64]) -> __m512i {
    // SAFETY: there are 64 bytes; a vector proves the features.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

/// [`MaskedOps::write_code_points`](crate::arch::optional::MaskedOps::write_code_points).
#[inline(always)]
pub(super) fn write_code_points(
    units: U8x64,
    before: U8x64,
    order: &'static UnitOrder,
    cut: bool,
    dst: &mut [MaybeUninit<u8>],
) -> Option<u32> {
    let half = op!(_mm512_and_si512(units.0, constant(units, &order.half)));
    let high = op!(_mm512_cmpeq_epi16_mask(half, constant(units, &order.surrogate)));
    let low = op!(_mm512_cmpeq_epi16_mask(half, constant(units, &order.low)));
    if low != (high << 1 | u32::from(cut)) {
        return None;
    }
    // SAFETY: an index has 64 bytes, aligned to 64; a vector proves the features.
    let index = unsafe { _mm512_load_si512(WITH_BEFORE.0.as_ptr().cast()) };
    let index = op!(_mm512_xor_si512(index, _mm512_set1_epi8(i8::from(order.big))));
    // The second half begins with unit 16, which has unit 15 before it.
    let second = op!(_mm512_add_epi8(index, _mm512_set1_epi8(30)));
    let first = op!(_mm512_permutexvar_epi8(index, before.0));
    let second = op!(_mm512_permutexvar_epi8(second, units.0));
    write_whole(dst, 0, code_points(first, low as u16, !high as u16));
    let to = 4 * (!high as u16).count_ones() as usize;
    write_whole(dst, to, code_points(second, (low >> 16) as u16, (!high >> 16) as u16));
    Some(!high)
}

/// Returns the code points of 16 units, each with the one before it above. `low` are the low
/// surrogates, and only lanes in `keep` are kept.
#[inline(always)]
fn code_points(units: __m512i, low: u16, keep: u16) -> __m512i {
    /// The sum is too large by this number. Both units count as negative there.
    const EXCESS: u32 = (((0xD800 - 0x1_0000) << 10) + (0xDC00 - 0x1_0000) - 0x1_0000_i32) as u32;
    let each = |lane: u32| op!(_mm512_set1_epi32(lane.cast_signed()));
    let sums = op!(_mm512_madd_epi16(units, each(1 << 26 | 1)));
    let plain = op!(_mm512_and_si512(units, each(0xFFFF)));
    let points = op!(_mm512_mask_sub_epi32(plain, low, sums, each(EXCESS)));
    compress32(points, keep)
}

/// [`MaskedOps::write_utf16`](crate::arch::optional::MaskedOps::write_utf16).
#[inline(always)]
pub(super) fn write_utf16(
    characters: U8x64,
    order: &ByteOrder,
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let each = |lane: u32| op!(_mm512_set1_epi32(lane.cast_signed()));
    let characters = characters.0;
    let paired = op!(_mm512_cmpgt_epu32_mask(characters, each(0xFFFF)));
    // The upper bits of the code point and the lower ten, shifted to their positions in both
    // surrogates. A sum subtracts 10000, too.
    let shifts = op!(_mm512_set1_epi64(0x2820_322A_0800_120A));
    let bits = op!(_mm512_multishift_epi64_epi8(shifts, characters));
    let bits = op!(_mm512_and_si512(bits, each(0x03FF_FFFF)));
    let units = op!(_mm512_mask_add_epi32(characters, paired, bits, each(0xDC00_D7C0)));
    // In a lane that is not paired, only the lower half is kept.
    let kept = op!(_pdep_u32(u32::from(paired), 0xAAAA_AAAA)) | 0x5555_5555;
    write_some(dst, 0, compress16(ordered(units, &order.compress16), kept));
    2 * kept.count_ones() as usize
}

//! Conversion of characters in 32-bit lanes to UTF-8, without a branch and without a table.
//!
//! Each lane gets the bytes of the longest form, the first byte lowest. One instruction moves six
//! bits into each byte, and two instructions add the marker bits. Then an exclusive or gives
//! shorter characters their own marker bits. It also clears the bytes that a shorter character
//! lacks, because these bytes have marker bits and no other bits. So the bytes that are not zero
//! are kept, and the last byte is kept in any case.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::avx512::permute::{Index, compress8};
use crate::arch::avx512::{U8x64, write_32_bytes, write_up_to_64_bytes};

/// The shifts that extract four bytes from each of two lanes: the bits from 18, 12, 6 and 0 on.
/// Eight bits are extracted for each byte, and at most six are kept.
static SIX_BIT_SHIFTS: Index<u8, 64> = Index({
    let mut shifts = [0; 64];
    let mut i = 0;
    while i < 64 {
        shifts[i] = i as u8 / 4 % 2 * 32 + (3 - i as u8 % 4) * 6;
        i += 1;
    }
    shifts
});

/// Returns four bytes as a lane, the first byte lowest.
const fn lane_of_bytes(bytes: [u8; 4]) -> i32 {
    i32::from_le_bytes(bytes)
}

/// Converts characters `done..16` to UTF-8, and writes as many bytes as fit to the start of `dst`.
/// Returns the length of the UTF-8 in bytes, which may be greater than `dst.len()`. `done` is less
/// than 16. May overwrite the first 64 bytes of `dst`. If `HAS_FOUR_BYTE` is false, the caller
/// guarantees that no character is above U+FFFF.
#[inline(always)]
fn write_sixteen<const HAS_FOUR_BYTE: bool>(
    characters: __m512i,
    done: usize,
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    // SAFETY: an `Index` has 64 bytes, aligned to 64; `characters` was made from an `Avx512`
    // token.
    let shifts = unsafe { _mm512_load_si512(SIX_BIT_SHIFTS.0.as_ptr().cast()) };
    let splat_bytes = |bytes| op!(_mm512_set1_epi32(lane_of_bytes(bytes)));
    let below = |limit| op!(_mm512_cmplt_epu32_mask(characters, _mm512_set1_epi32(limit)));
    let (bits, markers) = if HAS_FOUR_BYTE {
        ([0x07, 0x3F, 0x3F, 0x3F], [0xF0, 0x80, 0x80, 0x80])
    } else {
        ([0, 0x0F, 0x3F, 0x3F], [0, 0xE0, 0x80, 0x80])
    };
    let bytes = op!(_mm512_multishift_epi64_epi8(shifts, characters));
    let mut bytes =
        op!(_mm512_or_si512(_mm512_and_si512(bytes, splat_bytes(bits)), splat_bytes(markers)));
    if HAS_FOUR_BYTE {
        let at_most_three = below(0x1_0000);
        let marker_changes = splat_bytes([0xF0, 0x60, 0, 0]);
        bytes = op!(_mm512_mask_xor_epi32(bytes, at_most_three, bytes, marker_changes));
    }
    let at_most_two = below(0x800);
    bytes = op!(_mm512_mask_xor_epi32(bytes, at_most_two, bytes, splat_bytes([0, 0xE0, 0x40, 0])));
    bytes = op!(_mm512_mask_slli_epi32::<24>(bytes, below(0x80), characters));
    let keep =
        op!(_mm512_cmpge_epu8_mask(bytes, splat_bytes([1, 1, 1, 0]))) & u64::MAX << (4 * done);
    let (bytes, len) = (compress8(bytes, keep), keep.count_ones() as usize);
    if dst.len() < 64 && len <= 32 && dst.len() >= 32 {
        // At the end of `dst`, a plain store is several times as fast as a masked store.
        write_32_bytes(dst, 0, op!(_mm512_castsi512_si256(bytes)));
    } else {
        write_up_to_64_bytes(dst, 0, bytes);
    }
    len
}

/// Implements [`MaskedOps::write_units`](crate::arch::optional::MaskedOps::write_units).
#[inline(always)]
pub(super) fn write_units(units: U8x64, done: usize, dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut written = 0;
    if done < 16 {
        let first = op!(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(units.0)));
        written = write_sixteen::<false>(first, done, dst);
    }
    let second = op!(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(units.0)));
    let dst = dst.get_mut(written..).unwrap_or_default();
    written + write_sixteen::<false>(second, done.saturating_sub(16), dst)
}

/// Implements [`MaskedOps::write_characters`](crate::arch::optional::MaskedOps::write_characters).
#[inline(always)]
pub(super) fn write_characters(
    characters: U8x64,
    done: usize,
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    write_sixteen::<true>(characters.0, done, dst)
}

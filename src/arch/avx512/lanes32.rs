//! 32-bit lanes on AVX-512.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::avx512::lanes16::spread;
use crate::arch::avx512::permute::{
    Index, WORDS_AFTER_PACKING, compress8, compress16, interleave16, permute_words, reorder_bytes,
};
use crate::arch::avx512::{Avx512, U8x64, write_16_bytes, write_32_bytes, write_64_bytes};
use crate::arch::lanes32::Lanes32;
use crate::arch::vector::Vector;
use crate::tables::{Order, ShuffleRow};

/// The permutation of 32-bit groups that undoes the order of two rounds of packing, each of which
/// works within 128 bits.
static GROUPS_AFTER_PACKING: Index<u32, 16> =
    Index([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]);

/// Reverses the bytes of each 32-bit lane.
#[inline(always)]
fn reverse_bytes(vector: __m512i) -> __m512i {
    // SAFETY: `vector` was made from an `Avx512` token.
    let row = unsafe { _mm_set_epi64x(0x0C0D_0E0F_0809_0A0B, 0x0405_0607_0001_0203) };
    op!(_mm512_shuffle_epi8(vector, _mm512_broadcast_i32x4(row)))
}

impl Lanes32 for U8x64 {
    #[inline(always)]
    fn splat32(_: Avx512, unit: u32) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm512_set1_epi32(unit.cast_signed()) })
    }

    #[inline(always)]
    fn swap_bytes32_if_big<O: Order>(self) -> Self {
        if O::BIG { Self(reverse_bytes(self.0)) } else { self }
    }

    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        Self(op!(_mm512_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn max_u32(self, other: Self) -> Self {
        Self(op!(_mm512_max_epu32(self.0, other.0)))
    }

    #[inline(always)]
    fn shl32<const BY: i32>(self) -> Self {
        // The intrinsic for a constant count takes an unsigned constant, and `BY` is signed. The
        // compiler still sees that this count is constant.
        Self(op!(_mm512_sll_epi32(self.0, _mm_cvtsi32_si128(BY))))
    }

    #[inline(always)]
    fn shr32<const BY: i32>(self) -> Self {
        Self(op!(_mm512_srl_epi32(self.0, _mm_cvtsi32_si128(BY))))
    }

    #[inline(always)]
    fn equal32(self, other: Self) -> Self {
        Self(op!(_mm512_movm_epi32(_mm512_cmpeq_epi32_mask(self.0, other.0))))
    }

    #[cfg(feature = "columns")]
    #[inline(always)]
    fn bits32(self) -> u32 {
        u32::from(op!(_mm512_movepi32_mask(self.0)))
    }

    #[inline(always)]
    fn greater_i32(self, other: Self) -> Self {
        Self(op!(_mm512_movm_epi32(_mm512_cmpgt_epi32_mask(self.0, other.0))))
    }

    #[inline(always)]
    fn join_halves16(low: Self, high: Self) -> Self {
        Self(op!(_mm512_mask_mov_epi16(low.0, 0xAAAA_AAAA, high.0)))
    }

    #[inline(always)]
    fn narrow_to_u16(first: Self, second: Self) -> Self {
        Self(permute_words(op!(_mm512_packus_epi32(first.0, second.0)), &WORDS_AFTER_PACKING))
    }

    #[inline(always)]
    fn narrow32_signed_unordered(first: Self, second: Self) -> Self {
        Self(op!(_mm512_packs_epi32(first.0, second.0)))
    }

    #[inline(always)]
    fn high_halves16(first: Self, second: Self) -> Self {
        Self::join_halves16(first.shr32::<16>(), second)
    }

    #[inline(always)]
    fn narrow_four_to_bytes([a, b, c, d]: [Self; 4]) -> Self {
        let first = op!(_mm512_packus_epi32(a.0, b.0));
        let second = op!(_mm512_packus_epi32(c.0, d.0));
        // SAFETY: an `Index` has 64 bytes, aligned to 64; `a` to `d` were made from an `Avx512`
        // token.
        let index = unsafe { _mm512_load_si512(GROUPS_AFTER_PACKING.0.as_ptr().cast()) };
        Self(op!(_mm512_permutexvar_epi32(index, _mm512_packus_epi16(first, second))))
    }

    #[inline(always)]
    fn store_low_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_16_bytes(dst, at, op!(_mm512_cvtepi32_epi8(self.0)));
    }

    #[inline(always)]
    fn write_up_to_four_bytes(
        self,
        length_bits: u64,
        four_byte_characters: u64,
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        const EVEN_BITS_32: u64 = 0x5555_5555;
        const EVERY_FOURTH_BIT: u64 = u64::MAX / 15;
        const MIDDLE_BYTES: u64 = 0b0110 * EVERY_FOURTH_BIT;
        const OUTER_BYTES: u64 = 0b1001 * EVERY_FOURTH_BIT;
        let (length_bits, four_byte_characters) =
            (length_bits & u64::from(u32::MAX), four_byte_characters & u64::from(u32::MAX));
        // The bytes of a character are at the end of the reversed lane: a character of `n` bytes
        // keeps the last `n` of the lane's four bytes.
        let at_least_three = length_bits >> 1 & EVEN_BITS_32;
        let middle_bytes = spread(
            self,
            at_least_three | (length_bits & EVEN_BITS_32 | at_least_three) << 1,
            MIDDLE_BYTES,
        );
        let outer_bytes = spread(self, four_byte_characters | EVEN_BITS_32 << 1, OUTER_BYTES);
        write_64_bytes(dst, 0, compress8(reverse_bytes(self.0), middle_bytes | outer_bytes));
        16 + length_bits.count_ones() as usize + 2 * four_byte_characters.count_ones() as usize
    }

    #[inline(always)]
    fn write_halves16(
        self,
        keep: u64,
        rows: &[ShuffleRow; 256],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let keep = keep as u32;
        write_64_bytes(dst, 0, compress16(reorder_bytes(self.0, rows), keep));
        2 * keep.count_ones() as usize
    }

    #[inline(always)]
    fn store_joined_kept(low: Self, high: Self, keep: u32, dst: &mut [MaybeUninit<u8>]) {
        let joined = interleave16(compress16(low.0, keep), compress16(high.0, keep));
        write_64_bytes(dst, 0, joined[0]);
        write_64_bytes(dst, 64, joined[1]);
    }

    #[inline(always)]
    fn byte_order_pattern16(token: Avx512, big_endian: bool) -> Self {
        // SAFETY: the token proves the features.
        let identity = unsafe { _mm_set_epi64x(0x0F0E_0D0C_0B0A_0908, 0x0706_0504_0302_0100) };
        Self(op!(_mm512_broadcast_i32x4(identity))).xor(Self::splat(token, u8::from(big_endian)))
    }

    #[inline(always)]
    fn shuffled(self, pattern: Self) -> Self {
        Self(op!(_mm512_shuffle_epi8(self.0, pattern.0)))
    }

    #[inline(always)]
    fn store_low_halves16(self, pattern: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let packed = op!(_mm512_cvtepi32_epi16(self.0));
        let pattern = op!(_mm512_castsi512_si256(pattern.0));
        write_32_bytes(dst, at, op!(_mm256_shuffle_epi8(packed, pattern)));
    }
}

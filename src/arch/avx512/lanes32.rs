//! 32-bit lanes on AVX-512.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::avx512::lanes16::spread;
use crate::arch::avx512::permute::{
    Index, PACKED, compress8, compress16, interleaved16, ordered, permuted,
};
use crate::arch::avx512::{Avx512, U8x64, write_vector, write_whole, write_wide};
use crate::arch::lanes32::Lanes32;
use crate::arch::vector::Vector;
use crate::tables::{Order, ShuffleRow};

/// Bytes of four vectors packed quarter by quarter, by fours, in order.
static FOUR_BYTE: Index<u32, 16> = Index([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]);

/// Returns the rows that reverse the bytes of 32-bit lanes.
#[inline(always)]
fn reversed(vector: __m512i) -> __m512i {
    // SAFETY: the operand was made from an `Avx512` token.
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
    fn ordered32<O: Order>(self) -> Self {
        if O::BIG { Self(reversed(self.0)) } else { self }
    }

    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        Self(op!(_mm512_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn max32(self, other: Self) -> Self {
        Self(op!(_mm512_max_epu32(self.0, other.0)))
    }

    #[inline(always)]
    fn shl32<const BY: i32>(self) -> Self {
        // The number is a constant to the compiler, if not to the intrinsic, which wants it
        // unsigned.
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
    fn above32(self, other: Self) -> Self {
        Self(op!(_mm512_movm_epi32(_mm512_cmpgt_epi32_mask(self.0, other.0))))
    }

    #[inline(always)]
    fn halves(low: Self, high: Self) -> Self {
        Self(op!(_mm512_mask_mov_epi16(low.0, 0xAAAA_AAAA, high.0)))
    }

    #[inline(always)]
    fn narrow32(first: Self, second: Self) -> Self {
        Self(permuted(op!(_mm512_packus_epi32(first.0, second.0)), &PACKED))
    }

    #[inline(always)]
    fn narrow_saturating(first: Self, second: Self) -> Self {
        Self(op!(_mm512_packs_epi32(first.0, second.0)))
    }

    #[inline(always)]
    fn uppers(first: Self, second: Self) -> Self {
        Self::halves(first.shr32::<16>(), second)
    }

    #[inline(always)]
    fn narrow_four([a, b, c, d]: [Self; 4]) -> Self {
        let first = op!(_mm512_packus_epi32(a.0, b.0));
        let second = op!(_mm512_packus_epi32(c.0, d.0));
        // SAFETY: an index has 64 bytes, aligned to 64; the operands were made from an `Avx512`
        // token.
        let index = unsafe { _mm512_load_si512(FOUR_BYTE.0.as_ptr().cast()) };
        Self(op!(_mm512_permutexvar_epi32(index, _mm512_packus_epi16(first, second))))
    }

    #[inline(always)]
    fn store_quarter(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_vector(dst, at, op!(_mm512_cvtepi32_epi8(self.0)));
    }

    #[inline(always)]
    fn write_four_byte(self, more: u64, four_byte: u64, dst: &mut [MaybeUninit<u8>]) -> usize {
        const EVEN_BITS_32: u64 = 0x5555_5555;
        const EVERY_FOURTH_BIT: u64 = u64::MAX / 15;
        let (more, four_byte) = (more & u64::from(u32::MAX), four_byte & u64::from(u32::MAX));
        // True if there are three bytes or more, and two or more: the second and the third of four.
        // The first if there are four, the last always.
        let three = more >> 1 & EVEN_BITS_32;
        let middle = spread(self, three | (more & EVEN_BITS_32 | three) << 1, 6 * EVERY_FOURTH_BIT);
        let ends = spread(self, four_byte | EVEN_BITS_32 << 1, 9 * EVERY_FOURTH_BIT);
        write_whole(dst, 0, compress8(reversed(self.0), middle | ends));
        16 + more.count_ones() as usize + 2 * four_byte.count_ones() as usize
    }

    #[inline(always)]
    fn write_halves(
        self,
        keep: u64,
        rows: &[ShuffleRow; 256],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let keep = keep as u32;
        write_whole(dst, 0, compress16(ordered(self.0, rows), keep));
        2 * keep.count_ones() as usize
    }

    #[inline(always)]
    fn store_joined_kept(low: Self, upper: Self, keep: u32, dst: &mut [MaybeUninit<u8>]) {
        let joined = interleaved16(compress16(low.0, keep), compress16(upper.0, keep));
        write_whole(dst, 0, joined[0]);
        write_whole(dst, 64, joined[1]);
    }

    #[inline(always)]
    fn order16(token: Avx512, big: bool) -> Self {
        // SAFETY: the token proves the features.
        let as_it_is = unsafe { _mm_set_epi64x(0x0F0E_0D0C_0B0A_0908, 0x0706_0504_0302_0100) };
        Self(op!(_mm512_broadcast_i32x4(as_it_is))).xor(Self::splat(token, u8::from(big)))
    }

    #[inline(always)]
    fn shuffled(self, order: Self) -> Self {
        Self(op!(_mm512_shuffle_epi8(self.0, order.0)))
    }

    #[inline(always)]
    fn store_half(self, order: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let packed = op!(_mm512_cvtepi32_epi16(self.0));
        let order = op!(_mm512_castsi512_si256(order.0));
        write_wide(dst, at, op!(_mm256_shuffle_epi8(packed, order)));
    }
}

//! 32-bit lanes on SSE4.2.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::sse42::{Sse42, U8x16, write_8_bytes};
use crate::arch::vector::Vector;
use crate::tables::Order;

impl Lanes32 for U8x16 {
    #[inline(always)]
    fn splat32(_: Sse42, unit: u32) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm_set1_epi32(unit.cast_signed()) })
    }

    #[inline(always)]
    fn swap_bytes32_if_big<O: Order>(self) -> Self {
        if !O::BIG {
            return self;
        }
        // SAFETY: `self` was made from an `Sse42` token.
        let swap = unsafe { _mm_set_epi64x(0x0C0D_0E0F_0809_0A0B, 0x0405_0607_0001_0203) };
        Self(op!(_mm_shuffle_epi8(self.0, swap)))
    }

    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        Self(op!(_mm_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn max_u32(self, other: Self) -> Self {
        Self(op!(_mm_max_epu32(self.0, other.0)))
    }

    #[inline(always)]
    fn shl32<const BY: i32>(self) -> Self {
        Self(op!(_mm_slli_epi32::<BY>(self.0)))
    }

    #[inline(always)]
    fn shr32<const BY: i32>(self) -> Self {
        Self(op!(_mm_srli_epi32::<BY>(self.0)))
    }

    #[inline(always)]
    fn equal32(self, other: Self) -> Self {
        Self(op!(_mm_cmpeq_epi32(self.0, other.0)))
    }

    #[cfg(feature = "columns")]
    #[inline(always)]
    fn bits32(self) -> u32 {
        op!(_mm_movemask_ps(_mm_castsi128_ps(self.0))).cast_unsigned()
    }

    #[inline(always)]
    fn greater_i32(self, other: Self) -> Self {
        Self(op!(_mm_cmpgt_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn join_halves16(low: Self, high: Self) -> Self {
        Self(op!(_mm_blend_epi16::<0b1010_1010>(low.0, high.0)))
    }

    #[inline(always)]
    fn narrow_to_u16(first: Self, second: Self) -> Self {
        Self(op!(_mm_packus_epi32(first.0, second.0)))
    }

    #[inline(always)]
    fn narrow32_signed_unordered(first: Self, second: Self) -> Self {
        Self(op!(_mm_packs_epi32(first.0, second.0)))
    }

    #[inline(always)]
    fn high_halves16(first: Self, second: Self) -> Self {
        Self::join_halves16(first.shr32::<16>(), second)
    }

    #[inline(always)]
    fn narrow_four_to_bytes(lanes: [Self; 4]) -> Self {
        let [a, b, c, d] = lanes;
        let (first, second) = (op!(_mm_packus_epi32(a.0, b.0)), op!(_mm_packus_epi32(c.0, d.0)));
        Self(op!(_mm_packus_epi16(first, second)))
    }

    #[inline(always)]
    fn store_low_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let packed = op!(_mm_packus_epi32(self.0, self.0));
        let bytes = op!(_mm_cvtsi128_si32(_mm_packus_epi16(packed, packed)));
        for (to, byte) in dst[at..at + 4].iter_mut().zip(bytes.to_le_bytes()) {
            to.write(byte);
        }
    }

    #[inline(always)]
    fn byte_order_pattern16(token: Sse42, big_endian: bool) -> Self {
        // SAFETY: the token proves the features.
        let identity =
            Self(unsafe { _mm_set_epi64x(0x0F0E_0D0C_0B0A_0908, 0x0706_0504_0302_0100) });
        identity.xor(Self::splat(token, u8::from(big_endian)))
    }

    #[inline(always)]
    fn shuffled(self, pattern: Self) -> Self {
        Self(op!(_mm_shuffle_epi8(self.0, pattern.0)))
    }

    #[inline(always)]
    fn store_low_halves16(self, pattern: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_8_bytes(dst, at, Self::narrow_to_u16(self, self).shuffled(pattern).0);
    }
}

//! 32-bit lanes on WebAssembly.

use core::arch::wasm32::*;
use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::simd128::{Simd128, U8x16, write_8_bytes};
use crate::arch::vector::Vector;
use crate::tables::Order;

impl Lanes32 for U8x16 {
    #[inline(always)]
    fn splat32(_: Simd128, unit: u32) -> Self {
        Self(u32x4_splat(unit))
    }

    #[inline(always)]
    fn swap_bytes32_if_big<O: Order>(self) -> Self {
        if !O::BIG {
            return self;
        }
        Self(i8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(self.0, self.0))
    }

    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        Self(i32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn max_u32(self, other: Self) -> Self {
        Self(u32x4_max(self.0, other.0))
    }

    #[inline(always)]
    fn shl32<const BY: i32>(self) -> Self {
        Self(i32x4_shl(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    fn shr32<const BY: i32>(self) -> Self {
        Self(u32x4_shr(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    fn equal32(self, other: Self) -> Self {
        Self(i32x4_eq(self.0, other.0))
    }

    #[cfg(feature = "columns")]
    #[inline(always)]
    fn bits32(self) -> u32 {
        i32x4_bitmask(self.0).into()
    }

    #[inline(always)]
    fn greater_i32(self, other: Self) -> Self {
        Self(i32x4_gt(self.0, other.0))
    }

    #[inline(always)]
    fn join_halves16(low: Self, high: Self) -> Self {
        Self(i16x8_shuffle::<0, 9, 2, 11, 4, 13, 6, 15>(low.0, high.0))
    }

    #[inline(always)]
    fn narrow_to_u16(first: Self, second: Self) -> Self {
        Self(u16x8_narrow_i32x4(first.0, second.0))
    }

    #[inline(always)]
    fn narrow32_signed_unordered(first: Self, second: Self) -> Self {
        Self(i16x8_narrow_i32x4(first.0, second.0))
    }

    #[inline(always)]
    fn high_halves16(first: Self, second: Self) -> Self {
        Self::join_halves16(first.shr32::<16>(), second)
    }

    #[inline(always)]
    fn narrow_four_to_bytes(lanes: [Self; 4]) -> Self {
        let [a, b, c, d] = lanes;
        let (first, second) = (Self::narrow_to_u16(a, b), Self::narrow_to_u16(c, d));
        Self(u8x16_narrow_i16x8(first.0, second.0))
    }

    #[inline(always)]
    fn store_low_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let narrow = Self::narrow_to_u16(self, self);
        let bytes = u32x4_extract_lane::<0>(u8x16_narrow_i16x8(narrow.0, narrow.0));
        for (to, byte) in dst[at..at + 4].iter_mut().zip(bytes.to_le_bytes()) {
            to.write(byte);
        }
    }

    #[inline(always)]
    fn byte_order_pattern16(token: Simd128, big_endian: bool) -> Self {
        let identity = Self(u8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        identity.xor(Self::splat(token, u8::from(big_endian)))
    }

    #[inline(always)]
    fn shuffled(self, pattern: Self) -> Self {
        Self(i8x16_swizzle(self.0, pattern.0))
    }

    #[inline(always)]
    fn store_low_halves16(self, pattern: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_8_bytes(dst, at, Self::narrow_to_u16(self, self).shuffled(pattern).0);
    }
}

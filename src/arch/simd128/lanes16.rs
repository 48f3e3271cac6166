//! 16-bit lanes on WebAssembly.

use core::arch::wasm32::*;
use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::simd128::{
    Simd128, U8x16, interleave8, interleave16, write_8_bytes, write_16_bytes,
};
use crate::arch::vector::Vector;
use crate::tables::Order;

impl Lanes16 for U8x16 {
    #[inline(always)]
    fn splat16(_: Simd128, unit: u16) -> Self {
        Self(u16x8_splat(unit))
    }

    #[inline(always)]
    fn swap_bytes16_if_big<O: Order>(self) -> Self {
        if !O::BIG {
            return self;
        }
        Self(i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(self.0, self.0))
    }

    #[inline(always)]
    fn add16(self, other: Self) -> Self {
        Self(i16x8_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub16(self, other: Self) -> Self {
        Self(i16x8_sub(self.0, other.0))
    }

    #[inline(always)]
    fn shl16<const BY: i32>(self) -> Self {
        Self(i16x8_shl(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    fn shr16<const BY: i32>(self) -> Self {
        Self(u16x8_shr(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    fn equal16(self, other: Self) -> Self {
        Self(i16x8_eq(self.0, other.0))
    }

    #[inline(always)]
    fn above16_signed(self, other: Self) -> Self {
        Self(i16x8_gt(self.0, other.0))
    }

    #[inline(always)]
    fn min16_signed(self, other: Self) -> Self {
        Self(i16x8_min(self.0, other.0))
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, self.0))
    }

    #[inline(always)]
    fn picked(self, row: Self) -> Self {
        Self(i8x16_swizzle(self.0, row.0))
    }

    #[inline(always)]
    fn packed8(first: Self, second: Self, row: Self) -> Self {
        let row_for_second = Self(i64x2_shuffle::<1, 0>(row.0, row.0));
        first.picked(row).or(second.picked(row_for_second))
    }

    #[inline(always)]
    fn narrow(first: Self, second: Self) -> Self {
        Self(u8x16_narrow_i16x8(first.0, second.0))
    }

    #[inline(always)]
    fn store_narrowed(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_8_bytes(dst, at, u8x16_narrow_i16x8(self.0, self.0));
    }

    #[inline(always)]
    fn store_widened16_to_32_bits(
        self,
        rows: [Self; 2],
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    ) {
        write_16_bytes(dst, 4 * unit_at, self.picked(rows[0]).0);
        write_16_bytes(dst, 4 * unit_at + 16, self.picked(rows[1]).0);
    }

    #[inline(always)]
    fn bits16(first: Self, second: Self) -> u64 {
        u64::from(i8x16_bitmask(i8x16_narrow_i16x8(first.0, second.0)))
    }

    #[inline(always)]
    fn bits8(self) -> u64 {
        u64::from(i8x16_bitmask(self.0))
    }

    #[inline(always)]
    fn paired(self, high: Self) -> (v128, v128) {
        interleave8(self.0, high.0)
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn interleaved(self, high: Self) -> [Self; 2] {
        let (first, second) = self.paired(high);
        [Self(first), Self(second)]
    }

    #[inline(always)]
    fn eight_lanes(self, _: usize) -> v128 {
        self.0
    }

    #[inline(always)]
    fn write_vector(units: v128, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_16_bytes(dst, at, units);
    }

    #[inline(always)]
    fn write_three_byte(bytes: Self, lead: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let wide = interleave16(bytes.0, lead.0);
        let pack_three_bytes = |lanes: v128| {
            i8x16_shuffle::<2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 3, 7, 11, 15>(lanes, lanes)
        };
        write_16_bytes(dst, at, pack_three_bytes(wide.0));
        write_16_bytes(dst, at + 12, pack_three_bytes(wide.1));
    }

    #[inline(always)]
    fn joined16(bytes: Self, lead: Self) -> Self::Wide {
        interleave16(bytes.0, lead.0)
    }
}

//! 16-bit lanes on SSE4.2.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::sse42::{Sse42, U8x16, write_8_bytes, write_16_bytes};
use crate::arch::vector::Vector;
use crate::tables::Order;

/// Returns 32-bit lanes whose lower halves are `lower` and whose upper halves are `upper`. A
/// [group](Vector::group) has four of them.
#[inline(always)]
fn joined(lower: U8x16, upper: U8x16) -> (__m128i, __m128i) {
    (op!(_mm_unpacklo_epi16(lower.0, upper.0)), op!(_mm_unpackhi_epi16(lower.0, upper.0)))
}

impl Lanes16 for U8x16 {
    #[inline(always)]
    fn splat16(_: Sse42, unit: u16) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm_set1_epi16(unit.cast_signed()) })
    }

    #[inline(always)]
    fn swap_bytes16_if_big<O: Order>(self) -> Self {
        if !O::BIG {
            return self;
        }
        // SAFETY: `self` was made from an `Sse42` token.
        let swap = unsafe { _mm_set_epi64x(0x0E0F_0C0D_0A0B_0809, 0x0607_0405_0203_0001) };
        Self(op!(_mm_shuffle_epi8(self.0, swap)))
    }

    #[inline(always)]
    fn add16(self, other: Self) -> Self {
        Self(op!(_mm_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn sub16(self, other: Self) -> Self {
        Self(op!(_mm_sub_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn shl16<const BY: i32>(self) -> Self {
        Self(op!(_mm_slli_epi16::<BY>(self.0)))
    }

    #[inline(always)]
    fn shr16<const BY: i32>(self) -> Self {
        Self(op!(_mm_srli_epi16::<BY>(self.0)))
    }

    #[inline(always)]
    fn equal16(self, other: Self) -> Self {
        Self(op!(_mm_cmpeq_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn above16_signed(self, other: Self) -> Self {
        Self(op!(_mm_cmpgt_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn min16_signed(self, other: Self) -> Self {
        Self(op!(_mm_min_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        Self(op!(_mm_blendv_epi8(no.0, yes.0, self.0)))
    }

    #[inline(always)]
    fn picked(self, row: Self) -> Self {
        Self(op!(_mm_shuffle_epi8(self.0, row.0)))
    }

    #[inline(always)]
    fn packed8(first: Self, second: Self, row: Self) -> Self {
        let row_for_second = Self(op!(_mm_shuffle_epi32::<0b01_00_11_10>(row.0)));
        first.picked(row).or(second.picked(row_for_second))
    }

    #[inline(always)]
    fn narrow(first: Self, second: Self) -> Self {
        Self(op!(_mm_packus_epi16(first.0, second.0)))
    }

    #[inline(always)]
    fn store_narrowed(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_8_bytes(dst, at, op!(_mm_packus_epi16(self.0, self.0)));
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
        op!(_mm_movemask_epi8(_mm_packs_epi16(first.0, second.0))).cast_unsigned().into()
    }

    #[inline(always)]
    fn bits8(self) -> u64 {
        op!(_mm_movemask_epi8(self.0)).cast_unsigned().into()
    }

    #[inline(always)]
    fn paired(self, high: Self) -> (__m128i, __m128i) {
        (op!(_mm_unpacklo_epi8(self.0, high.0)), op!(_mm_unpackhi_epi8(self.0, high.0)))
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn interleaved(self, high: Self) -> [Self; 2] {
        let (first, second) = self.paired(high);
        [Self(first), Self(second)]
    }

    #[inline(always)]
    fn eight_lanes(self, _: usize) -> __m128i {
        self.0
    }

    #[inline(always)]
    fn write_vector(units: __m128i, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_16_bytes(dst, at, units);
    }

    #[inline(always)]
    fn write_three_byte(bytes: Self, lead: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let wide = joined(bytes, lead);
        // SAFETY: `bytes` and `lead` were made from an `Sse42` token.
        let row = unsafe { _mm_set_epi64x(-1 << 32 | 0x0C0D_0E08, 0x090A_0405_0600_0102) };
        write_16_bytes(dst, at, op!(_mm_shuffle_epi8(wide.0, row)));
        write_16_bytes(dst, at + 12, op!(_mm_shuffle_epi8(wide.1, row)));
    }

    #[inline(always)]
    fn joined16(bytes: Self, lead: Self) -> Self::Wide {
        joined(bytes, lead)
    }
}

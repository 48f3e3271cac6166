//! 16-bit lanes on AVX2.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::avx2::{Avx2, U8x32, write_16_bytes, write_32_bytes};
use crate::arch::lanes16::Lanes16;
use crate::arch::left_pack::of_group;
use crate::arch::vector::Vector;
use crate::tables::{Order, utf8_narrow};

/// Returns 32-bit lanes whose lower halves are `lower` and whose upper halves are `upper`. A
/// [group](Vector::group) has four of them.
#[inline(always)]
fn joined(lower: U8x32, upper: U8x32) -> (__m256i, __m256i) {
    (op!(_mm256_unpacklo_epi16(lower.0, upper.0)), op!(_mm256_unpackhi_epi16(lower.0, upper.0)))
}

impl Lanes16 for U8x32 {
    #[inline(always)]
    fn splat16(_: Avx2, unit: u16) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm256_set1_epi16(unit.cast_signed()) })
    }

    #[inline(always)]
    fn swap_bytes16_if_big<O: Order>(self) -> Self {
        if !O::BIG {
            return self;
        }
        // SAFETY: `self` was made from an `Avx2` token.
        let swap = unsafe {
            _mm256_set_epi64x(
                0x0E0F_0C0D_0A0B_0809,
                0x0607_0405_0203_0001,
                0x0E0F_0C0D_0A0B_0809,
                0x0607_0405_0203_0001,
            )
        };
        Self(op!(_mm256_shuffle_epi8(self.0, swap)))
    }

    #[inline(always)]
    fn add16(self, other: Self) -> Self {
        Self(op!(_mm256_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn sub16(self, other: Self) -> Self {
        Self(op!(_mm256_sub_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn shl16<const BY: i32>(self) -> Self {
        Self(op!(_mm256_slli_epi16::<BY>(self.0)))
    }

    #[inline(always)]
    fn shr16<const BY: i32>(self) -> Self {
        Self(op!(_mm256_srli_epi16::<BY>(self.0)))
    }

    #[inline(always)]
    fn equal16(self, other: Self) -> Self {
        Self(op!(_mm256_cmpeq_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn above16_signed(self, other: Self) -> Self {
        Self(op!(_mm256_cmpgt_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn min16_signed(self, other: Self) -> Self {
        Self(op!(_mm256_min_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        Self(op!(_mm256_blendv_epi8(no.0, yes.0, self.0)))
    }

    #[inline(always)]
    fn picked(self, row: Self) -> Self {
        Self(op!(_mm256_shuffle_epi8(self.0, row.0)))
    }

    #[inline(always)]
    fn packed8(first: Self, second: Self, row: Self) -> Self {
        let row_for_second = Self(op!(_mm256_shuffle_epi32::<0b01_00_11_10>(row.0)));
        let both = first.picked(row).or(second.picked(row_for_second));
        // Shuffling works within each half; the 64-bit quarters are then put into order.
        Self(op!(_mm256_permute4x64_epi64::<0b11_01_10_00>(both.0)))
    }

    #[inline(always)]
    fn narrow(first: Self, second: Self) -> Self {
        // Packing works within each half; the 64-bit quarters are then put into order.
        let packed = op!(_mm256_packus_epi16(first.0, second.0));
        Self(op!(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed)))
    }

    #[inline(always)]
    fn store_narrowed(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let high = op!(_mm256_extracti128_si256::<1>(self.0));
        write_16_bytes(dst, at, op!(_mm_packus_epi16(_mm256_castsi256_si128(self.0), high)));
    }

    #[inline(always)]
    fn store_widened16_to_32_bits(
        self,
        rows: [Self; 2],
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    ) {
        // Shuffling works within each half, so the 64-bit quarters are reordered first.
        let units = Self(op!(_mm256_permute4x64_epi64::<0b11_01_10_00>(self.0)));
        write_32_bytes(dst, 4 * unit_at, units.picked(rows[0]).0);
        write_32_bytes(dst, 4 * unit_at + 32, units.picked(rows[1]).0);
    }

    #[inline(always)]
    fn bits16(first: Self, second: Self) -> u64 {
        let packed = op!(_mm256_packs_epi16(first.0, second.0));
        let ordered = op!(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed));
        op!(_mm256_movemask_epi8(ordered)).cast_unsigned().into()
    }

    #[inline(always)]
    fn bits8(self) -> u64 {
        op!(_mm256_movemask_epi8(self.0)).cast_unsigned().into()
    }

    #[inline(always)]
    fn paired(self, high: Self) -> (__m256i, __m256i) {
        (op!(_mm256_unpacklo_epi8(self.0, high.0)), op!(_mm256_unpackhi_epi8(self.0, high.0)))
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn interleaved(self, high: Self) -> [Self; 2] {
        let (even, odd) = self.paired(high);
        // The halves are put into order.
        let first = op!(_mm256_permute2x128_si256::<0x20>(even, odd));
        [Self(first), Self(op!(_mm256_permute2x128_si256::<0x31>(even, odd)))]
    }

    #[inline(always)]
    fn eight_lanes(self, group: usize) -> __m128i {
        match group {
            0 => op!(_mm256_castsi256_si128(self.0)),
            _ => op!(_mm256_extracti128_si256::<1>(self.0)),
        }
    }

    #[inline(always)]
    fn write_vector(units: __m128i, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_16_bytes(dst, at, units);
    }

    #[inline(always)]
    fn write_three_byte(bytes: Self, lead: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let wide = joined(bytes, lead);
        // SAFETY: `bytes` and `lead` were made from an `Avx2` token.
        let row = unsafe { _mm_set_epi64x(-1 << 32 | 0x0C0D_0E08, 0x090A_0405_0600_0102) };
        let row = op!(_mm256_broadcastsi128_si256(row));
        let wide = (op!(_mm256_shuffle_epi8(wide.0, row)), op!(_mm256_shuffle_epi8(wide.1, row)));
        write_16_bytes(dst, at, Self::group(wide, 0));
        write_16_bytes(dst, at + 12, Self::group(wide, 1));
        write_16_bytes(dst, at + 24, Self::group(wide, 2));
        write_16_bytes(dst, at + 36, Self::group(wide, 3));
    }

    #[inline(always)]
    fn write_up_to_two_bytes(
        bytes: [Self; 2],
        two_byte: [Self; 2],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        // Packing works within each half, so the bits of the first halves of both vectors precede
        // the bits of the second halves.
        let packed = op!(_mm256_packs_epi16(two_byte[0].0, two_byte[1].0));
        let bits = op!(_mm256_movemask_epi8(packed)).cast_unsigned();
        let rows = utf8_narrow();
        let count = |lanes: u32| (bits & lanes).count_ones() as usize;
        let offsets = [0, 8 + count(0xFF), 16 + count(0x00FF_00FF), 24 + count(0x00FF_FFFF)];
        write_16_bytes(
            dst,
            offsets[0],
            Self::compress(bytes[0].eight_lanes(0), &rows[of_group(bits, 0)]),
        );
        write_16_bytes(
            dst,
            offsets[1],
            Self::compress(bytes[0].eight_lanes(1), &rows[of_group(bits, 2)]),
        );
        write_16_bytes(
            dst,
            offsets[2],
            Self::compress(bytes[1].eight_lanes(0), &rows[of_group(bits, 1)]),
        );
        write_16_bytes(
            dst,
            offsets[3],
            Self::compress(bytes[1].eight_lanes(1), &rows[of_group(bits, 3)]),
        );
        32 + bits.count_ones() as usize
    }

    #[inline(always)]
    fn joined16(bytes: Self, lead: Self) -> Self::Wide {
        joined(bytes, lead)
    }
}

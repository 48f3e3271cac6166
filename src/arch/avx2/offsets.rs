//! Lookups of bits by offset.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Avx2, U8x32};
use crate::arch::optional::{OffsetOps, Present};

/// Subtracts `from` from each 32-bit lane.
#[inline(always)]
fn subtract(lanes: __m256i, from: i32) -> U8x32 {
    U8x32(op!(_mm256_sub_epi32(lanes, _mm256_set1_epi32(from))))
}

impl OffsetOps<U8x32> for Present {
    #[inline(always)]
    fn offsets32(self, _: Avx2, offsets: &[i32], from: i32) -> U8x32 {
        let offsets = &offsets[..8];
        // SAFETY: `offsets` has eight elements; the token proves the features.
        subtract(unsafe { _mm256_loadu_si256(offsets.as_ptr().cast()) }, from)
    }

    #[inline(always)]
    fn offsets64(self, _: Avx2, offsets: &[i64], from: i64) -> U8x32 {
        let offsets = &offsets[..8];
        // SAFETY: `offsets` has eight elements; the token proves the features.
        let first = unsafe { _mm256_loadu_ps(offsets.as_ptr().cast()) };
        // SAFETY: `offsets[4..]` has four elements; the token proves the features.
        let second = unsafe { _mm256_loadu_ps(offsets[4..].as_ptr().cast()) };
        // The lower 32 bits of each offset.
        let halves = op!(_mm256_castps_si256(_mm256_shuffle_ps::<0x88>(first, second)));
        #[expect(clippy::cast_possible_truncation, reason = "modulo 2^32")]
        subtract(halves, from as i32)
    }

    #[inline(always)]
    fn bits_at(self, bits: U8x32, offsets: U8x32) -> U8x32 {
        // `vpermd` uses only the lower three bits of a lane index.
        let lanes = op!(_mm256_permutevar8x32_epi32(bits.0, _mm256_srli_epi32::<5>(offsets.0)));
        let shifts = op!(_mm256_and_si256(offsets.0, _mm256_set1_epi32(31)));
        U8x32(op!(_mm256_srlv_epi32(lanes, shifts)))
    }
}

//! Lookups of bits by offset.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Avx2, U8x32};
use crate::arch::optional::{OffsetOps, Present};

impl OffsetOps<U8x32> for Present {
    #[inline(always)]
    fn offsets(self, _: Avx2, offsets: &[i32], from: i32) -> U8x32 {
        let offsets = &offsets[..8];
        // SAFETY: `offsets` has eight elements; the token proves the features.
        let lanes = unsafe { _mm256_loadu_si256(offsets.as_ptr().cast()) };
        U8x32(op!(_mm256_sub_epi32(lanes, _mm256_set1_epi32(from))))
    }

    #[inline(always)]
    fn bits_at(self, bits: U8x32, offsets: U8x32) -> U8x32 {
        // `vpermd` uses only the lower three bits of a lane index.
        let lanes = op!(_mm256_permutevar8x32_epi32(bits.0, _mm256_srli_epi32::<5>(offsets.0)));
        let shifts = op!(_mm256_and_si256(offsets.0, _mm256_set1_epi32(31)));
        U8x32(op!(_mm256_srlv_epi32(lanes, shifts)))
    }
}

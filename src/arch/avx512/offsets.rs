//! Lookups of bits by offset.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Avx512, U8x64};
use crate::arch::optional::{OffsetOps, Present};

impl OffsetOps<U8x64> for Present {
    #[inline(always)]
    fn offsets(self, _: Avx512, offsets: &[i32], from: i32) -> U8x64 {
        let offsets = &offsets[..16];
        // SAFETY: `offsets` has 16 elements; the token proves the features.
        let lanes = unsafe { _mm512_loadu_si512(offsets.as_ptr().cast()) };
        U8x64(op!(_mm512_sub_epi32(lanes, _mm512_set1_epi32(from))))
    }

    #[inline(always)]
    fn bits_at(self, bits: U8x64, offsets: U8x64) -> U8x64 {
        // `vpermd` uses only the lower four bits of a lane index, and `vprorvd` only the lower five
        // bits of a rotation count.
        let lanes = op!(_mm512_permutexvar_epi32(_mm512_srli_epi32::<5>(offsets.0), bits.0));
        U8x64(op!(_mm512_rorv_epi32(lanes, offsets.0)))
    }
}

//! Lookups of bits by offset.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Avx512, U8x64};
use crate::arch::optional::{OffsetOps, Present};

/// Subtracts `from` from each 32-bit lane.
#[inline(always)]
fn subtract(lanes: __m512i, from: i32) -> U8x64 {
    U8x64(op!(_mm512_sub_epi32(lanes, _mm512_set1_epi32(from))))
}

impl OffsetOps<U8x64> for Present {
    #[inline(always)]
    fn offsets32(self, _: Avx512, offsets: &[i32], from: i32) -> U8x64 {
        let offsets = &offsets[..16];
        // SAFETY: `offsets` has 16 elements; the token proves the features.
        subtract(unsafe { _mm512_loadu_si512(offsets.as_ptr().cast()) }, from)
    }

    #[inline(always)]
    fn offsets64(self, _: Avx512, offsets: &[i64], from: i64) -> U8x64 {
        let offsets = &offsets[..16];
        // SAFETY: `offsets` has 16 elements; the token proves the features.
        let first = unsafe { _mm512_loadu_ps(offsets.as_ptr().cast()) };
        // SAFETY: `offsets[8..]` has eight elements; the token proves the features.
        let second = unsafe { _mm512_loadu_ps(offsets[8..].as_ptr().cast()) };
        // The lower 32 bits of each offset.
        let halves = op!(_mm512_castps_si512(_mm512_shuffle_ps::<0x88>(first, second)));
        #[expect(clippy::cast_possible_truncation, reason = "modulo 2^32")]
        subtract(halves, from as i32)
    }

    #[inline(always)]
    fn bits_at(self, bits: U8x64, offsets: U8x64) -> U8x64 {
        // `vpermd` uses only the lower four bits of a lane index, and `vprorvd` only the lower five
        // bits of a rotation count.
        let lanes = op!(_mm512_permutexvar_epi32(_mm512_srli_epi32::<5>(offsets.0), bits.0));
        U8x64(op!(_mm512_rorv_epi32(lanes, offsets.0)))
    }
}

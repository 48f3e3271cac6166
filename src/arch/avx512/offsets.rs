//! Bits looked up by offsets.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Avx512, U8x64};
use crate::arch::optional::{OffsetOps, Present};

/// Returns the lanes minus `from`.
#[inline(always)]
fn after(lanes: __m512i, from: i32) -> U8x64 {
    U8x64(op!(_mm512_sub_epi32(lanes, _mm512_set1_epi32(from))))
}

impl OffsetOps<U8x64> for Present {
    #[inline(always)]
    fn offsets32(self, _: Avx512, offsets: &[i32], from: i32) -> U8x64 {
        let offsets = &offsets[..16];
        // SAFETY: 16 offsets are there; the token proves the features.
        after(unsafe { _mm512_loadu_si512(offsets.as_ptr().cast()) }, from)
    }

    #[inline(always)]
    fn offsets64(self, _: Avx512, offsets: &[i64], from: i64) -> U8x64 {
        let offsets = &offsets[..16];
        // SAFETY: 16 offsets are there; the token proves the features.
        let first = unsafe { _mm512_loadu_ps(offsets.as_ptr().cast()) };
        // SAFETY: as before.
        let second = unsafe { _mm512_loadu_ps(offsets[8..].as_ptr().cast()) };
        // The lower half of each.
        let halves = op!(_mm512_castps_si512(_mm512_shuffle_ps::<0x88>(first, second)));
        #[expect(clippy::cast_possible_truncation, reason = "modulo 2^32")]
        after(halves, from as i32)
    }

    #[inline(always)]
    fn bits_at(self, bits: U8x64, offsets: U8x64) -> U8x64 {
        // The instructions use only the lower four bits of the number of a lane, and five of a
        // rotation.
        let lanes = op!(_mm512_permutexvar_epi32(_mm512_srli_epi32::<5>(offsets.0), bits.0));
        U8x64(op!(_mm512_rorv_epi32(lanes, offsets.0)))
    }
}

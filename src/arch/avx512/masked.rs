//! Masked loads and stores, and conversions of whole vectors to a byte order.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::avx512::permute::{INTERLEAVING_INDICES, compress8, permute_two, widen8};
use crate::arch::avx512::{Avx512, U8x64, lanes16, utf8_bytes, utf32_pairs, write_up_to_64_bytes};
use crate::arch::optional::{MaskedOps, Present};
use crate::arch::vector::Vector;
use crate::tables::{ByteOrder, UnitOrder};

impl MaskedOps<U8x64> for Present {
    #[inline(always)]
    fn load_first(self, token: Avx512, bytes: &[u8]) -> U8x64 {
        // A masked load of zero lanes from an unmapped address is slow, as such a store is.
        if bytes.is_empty() {
            return U8x64::splat(token, 0);
        }
        let lanes = U8x64::first_bits(bytes.len().min(64));
        // SAFETY: the mask has at most as many lanes as `bytes` has bytes; the token proves the
        // features.
        U8x64(unsafe { _mm512_maskz_loadu_epi8(lanes, bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store_first(self, vector: U8x64, n: usize, dst: &mut [MaybeUninit<u8>]) {
        let to = &mut dst[..n];
        let lanes = U8x64::first_bits(n);
        // SAFETY: the mask has as many lanes as `to` has bytes.
        unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), lanes, vector.0) };
    }

    #[inline(always)]
    fn joined_after_lead(self, lead: U8x64, last: U8x64, least: u8) -> [U8x64; 2] {
        // All bytes of `last` are kept, because they are compared with 0.
        let least = op!(_mm512_set1_epi16(least.into()));
        let first = permute_two(lead.0, last.0, &INTERLEAVING_INDICES[0]);
        let second = permute_two(lead.0, last.0, &INTERLEAVING_INDICES[1]);
        let keep_of_first = op!(_mm512_cmpge_epu8_mask(first, least));
        let keep_of_second = op!(_mm512_cmpge_epu8_mask(second, least));
        [U8x64(compress8(first, keep_of_first)), U8x64(compress8(second, keep_of_second))]
    }

    #[inline(always)]
    fn store_widened_as(
        self,
        bytes: U8x64,
        order: &ByteOrder,
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    ) {
        let [first, second] = widen8(bytes.0, order);
        write_up_to_64_bytes(dst, 2 * unit_at, first);
        write_up_to_64_bytes(dst, 2 * unit_at + 64, second);
    }

    #[inline(always)]
    fn write_below_0x800(self, units: U8x64, dst: &mut [MaybeUninit<u8>]) -> usize {
        lanes16::write_below_0x800(units, dst)
    }

    #[inline(always)]
    fn write_units(self, units: U8x64, done: usize, dst: &mut [MaybeUninit<u8>]) -> usize {
        utf8_bytes::write_units(units, done, dst)
    }

    #[inline(always)]
    fn write_characters(
        self,
        characters: U8x64,
        done: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        utf8_bytes::write_characters(characters, done, dst)
    }

    #[inline(always)]
    fn write_code_points(
        self,
        units: U8x64,
        before: U8x64,
        order: &'static UnitOrder,
        after_high: bool,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<u32> {
        utf32_pairs::write_code_points(units, before, order, after_high, dst)
    }

    #[inline(always)]
    fn write_utf16(
        self,
        characters: U8x64,
        order: &ByteOrder,
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        utf32_pairs::write_utf16(characters, order, dst)
    }
}

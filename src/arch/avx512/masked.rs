//! Loads and stores by masks, and whole vectors in the byte order of a target.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::avx512::permute::{TURNS, compress8, picked_of_two, widened8};
use crate::arch::avx512::{Avx512, U8x64, lanes16, utf8_bytes, utf32_pairs, write_some};
use crate::arch::optional::{MaskedOps, Present};
use crate::arch::vector::Vector;
use crate::tables::{ByteOrder, UnitOrder};

impl MaskedOps<U8x64> for Present {
    #[inline(always)]
    fn load_first(self, token: Avx512, bytes: &[u8]) -> U8x64 {
        // No lanes at an address that isn't there are slow, as for stores.
        if bytes.is_empty() {
            return U8x64::splat(token, 0);
        }
        let there = U8x64::first_bits(bytes.len().min(64));
        // SAFETY: the mask has no more lanes than there are bytes; the token proves the features.
        U8x64(unsafe { _mm512_maskz_loadu_epi8(there, bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store_first(self, vector: U8x64, n: usize, dst: &mut [MaybeUninit<u8>]) {
        let to = &mut dst[..n];
        let lanes = U8x64::first_bits(n);
        // SAFETY: the mask has no more lanes than bytes are there.
        unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), lanes, vector.0) };
    }

    #[inline(always)]
    fn joined_after_lead(self, lead: U8x64, last: U8x64, least: u8) -> [U8x64; 2] {
        // Nothing is below zero.
        let least = op!(_mm512_set1_epi16(least.into()));
        let first = picked_of_two(lead.0, last.0, &TURNS[0]);
        let second = picked_of_two(lead.0, last.0, &TURNS[1]);
        let kept = op!(_mm512_cmpge_epu8_mask(first, least));
        let kept_of_second = op!(_mm512_cmpge_epu8_mask(second, least));
        [U8x64(compress8(first, kept)), U8x64(compress8(second, kept_of_second))]
    }

    #[inline(always)]
    fn store_widened_as(
        self,
        bytes: U8x64,
        order: &ByteOrder,
        dst: &mut [MaybeUninit<u8>],
        at: usize,
    ) {
        let [first, second] = widened8(bytes.0, order);
        write_some(dst, 2 * at, first);
        write_some(dst, 2 * at + 64, second);
    }

    #[inline(always)]
    fn write_below_800(self, units: U8x64, dst: &mut [MaybeUninit<u8>]) -> usize {
        lanes16::write_below_800(units, dst)
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
        cut: bool,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<u32> {
        utf32_pairs::write_code_points(units, before, order, cut, dst)
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

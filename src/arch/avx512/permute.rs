//! Lanes moved within a vector: permutations, and lanes compressed to the front.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::tables::{ByteOrder, ShuffleRow, turns};

/// Numbers of lanes, for permutations.
#[repr(align(64))]
pub(super) struct Index<T, const N: usize>(pub(super) [T; N]);

/// The quarters and then the words of a vector, such that interleaving the low and the high words
/// of each quarter puts all lanes in order.
pub(super) static DEINTERLEAVED: Index<u64, 8> = Index([0, 4, 1, 5, 2, 6, 3, 7]);

/// The words of two vectors packed quarter by quarter, in order.
pub(super) static PACKED: Index<u64, 8> = Index([0, 2, 4, 6, 1, 3, 5, 7]);

/// The indices that interleave the bytes of two vectors. The second one has the indices from 64 on.
pub(super) static TURNS: [Index<u8, 64>; 2] = [Index(turns(0, false)), Index(turns(32, false))];

/// Returns the 64 bits of a vector that `index` names, in this order.
#[inline(always)]
pub(super) fn permuted(vector: __m512i, index: &Index<u64, 8>) -> __m512i {
    // SAFETY: an index has 64 bytes, aligned to 64; the operand was made from an `Avx512` token.
    let index = unsafe { _mm512_load_si512(index.0.as_ptr().cast()) };
    op!(_mm512_permutexvar_epi64(index, vector))
}

/// Returns the bytes of two vectors that `index` names.
#[inline(always)]
pub(super) fn picked_of_two(first: __m512i, second: __m512i, index: &Index<u8, 64>) -> __m512i {
    // SAFETY: an index has 64 bytes, aligned to 64; the operands were made from an `Avx512` token.
    let index = unsafe { _mm512_load_si512(index.0.as_ptr().cast()) };
    op!(_mm512_permutex2var_epi8(first, index, second))
}

/// Moves the bytes of a vector that `keep` names to its front. The bytes after them are
/// unspecified.
#[inline(always)]
pub(super) fn compress8(vector: __m512i, keep: u64) -> __m512i {
    // An emulator that the tests run in keeps nothing if all bytes are to be kept.
    if cfg!(utflane_bochs) && keep == u64::MAX {
        return vector;
    }
    op!(_mm512_mask_compress_epi8(vector, keep, vector))
}

/// [`compress8`] for 16-bit lanes.
#[inline(always)]
pub(super) fn compress16(vector: __m512i, keep: u32) -> __m512i {
    if cfg!(utflane_bochs) && keep == u32::MAX {
        return vector;
    }
    op!(_mm512_mask_compress_epi16(vector, keep, vector))
}

/// [`compress8`] for 32-bit lanes.
#[inline(always)]
pub(super) fn compress32(vector: __m512i, keep: u16) -> __m512i {
    if cfg!(utflane_bochs) && keep == u16::MAX {
        return vector;
    }
    op!(_mm512_mask_compress_epi32(vector, keep, vector))
}

/// Interleaves the bytes of two vectors.
#[inline(always)]
pub(super) fn interleaved8(low: __m512i, high: __m512i) -> [__m512i; 2] {
    let (low, high) = (permuted(low, &DEINTERLEAVED), permuted(high, &DEINTERLEAVED));
    [op!(_mm512_unpacklo_epi8(low, high)), op!(_mm512_unpackhi_epi8(low, high))]
}

/// Interleaves the 16-bit lanes of two vectors.
#[inline(always)]
pub(super) fn interleaved16(low: __m512i, high: __m512i) -> [__m512i; 2] {
    let (low, high) = (permuted(low, &DEINTERLEAVED), permuted(high, &DEINTERLEAVED));
    [op!(_mm512_unpacklo_epi16(low, high)), op!(_mm512_unpackhi_epi16(low, high))]
}

/// Returns the indices that interleave a vector of low bytes and a vector of high bytes as 16-bit
/// lanes in this byte order: one half of the lanes.
#[inline(always)]
fn turns_in_order(_proof: __m512i, half: usize, order: &ByteOrder) -> __m512i {
    // SAFETY: 64 bytes are there; a vector proves the features.
    unsafe { _mm512_loadu_si512(order.turns[half].as_ptr().cast()) }
}

/// Interleaves a vector of low bytes and a vector of high bytes as 16-bit lanes in this byte order.
#[inline(always)]
pub(super) fn joined8(low: __m512i, high: __m512i, order: &ByteOrder) -> [__m512i; 2] {
    let (first, second) = (turns_in_order(low, 0, order), turns_in_order(low, 1, order));
    [
        op!(_mm512_permutex2var_epi8(low, first, high)),
        op!(_mm512_permutex2var_epi8(low, second, high)),
    ]
}

/// Returns the bytes of a vector as 16-bit lanes in this byte order.
#[inline(always)]
pub(super) fn widened8(bytes: __m512i, order: &ByteOrder) -> [__m512i; 2] {
    // Permutations of one vector ignore the bit that chooses one of two.
    let (first, second) = (turns_in_order(bytes, 0, order), turns_in_order(bytes, 1, order));
    [
        op!(_mm512_maskz_permutexvar_epi8(order.low, first, bytes)),
        op!(_mm512_maskz_permutexvar_epi8(order.low, second, bytes)),
    ]
}

/// Converts 16-bit lanes with the low byte first to the byte order of `rows`.
#[inline(always)]
pub(super) fn ordered(units: __m512i, rows: &[ShuffleRow; 256]) -> __m512i {
    // The row that keeps all lanes also reorders their bytes.
    // SAFETY: a row has 16 bytes, aligned to 16; the operand was made from an `Avx512` token.
    let row = unsafe { _mm_load_si128(rows[0xFF].0.as_ptr().cast()) };
    op!(_mm512_shuffle_epi8(units, _mm512_broadcast_i32x4(row)))
}

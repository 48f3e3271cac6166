//! Movement of lanes within a vector: permutations, and compression of lanes to the front.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::tables::{ByteOrder, ShuffleRow, turns};

/// The lane indices of a permutation.
#[repr(align(64))]
pub(super) struct Index<T, const N: usize>(pub(super) [T; N]);

/// The order of the 64-bit words of a vector for an interleaving within each quarter: words 0 to 3
/// are the low words of the quarters, and words 4 to 7 are the high words.
pub(super) static WORDS_FOR_INTERLEAVING: Index<u64, 8> = Index([0, 4, 1, 5, 2, 6, 3, 7]);

/// The order that sorts the 64-bit words of two vectors that were packed within each quarter.
pub(super) static WORDS_AFTER_PACKING: Index<u64, 8> = Index([0, 2, 4, 6, 1, 3, 5, 7]);

/// The indices that interleave the bytes of two vectors: the first and the second half of the
/// result. The bytes of the second vector have the indices from 64 on.
pub(super) static INTERLEAVING_INDICES: [Index<u8, 64>; 2] =
    [Index(turns(0, false)), Index(turns(32, false))];

/// Returns the 64-bit words of a vector in the order that `index` gives.
#[inline(always)]
pub(super) fn permute_words(vector: __m512i, index: &Index<u64, 8>) -> __m512i {
    // SAFETY: an `Index` has 64 bytes, aligned to 64; `vector` was made from an `Avx512` token.
    let index = unsafe { _mm512_load_si512(index.0.as_ptr().cast()) };
    op!(_mm512_permutexvar_epi64(index, vector))
}

/// Returns the bytes that `index` selects from two vectors. The bytes of the second vector have the
/// indices from 64 on.
#[inline(always)]
pub(super) fn permute_two(first: __m512i, second: __m512i, index: &Index<u8, 64>) -> __m512i {
    // SAFETY: an `Index` has 64 bytes, aligned to 64; `first` and `second` were made from an
    // `Avx512` token.
    let index = unsafe { _mm512_load_si512(index.0.as_ptr().cast()) };
    op!(_mm512_permutex2var_epi8(first, index, second))
}

/// Moves the bytes of a vector that `keep` selects to the front. The bytes after them are
/// unspecified.
#[inline(always)]
pub(super) fn compress8(vector: __m512i, keep: u64) -> __m512i {
    // Bochs, which runs the tests, keeps nothing if all bytes are to be kept.
    if cfg!(utflane_bochs) && keep == u64::MAX {
        return vector;
    }
    op!(_mm512_mask_compress_epi8(vector, keep, vector))
}

/// Like [`compress8`], for 16-bit lanes.
#[inline(always)]
pub(super) fn compress16(vector: __m512i, keep: u32) -> __m512i {
    if cfg!(utflane_bochs) && keep == u32::MAX {
        return vector;
    }
    op!(_mm512_mask_compress_epi16(vector, keep, vector))
}

/// Like [`compress8`], for 32-bit lanes.
#[inline(always)]
pub(super) fn compress32(vector: __m512i, keep: u16) -> __m512i {
    if cfg!(utflane_bochs) && keep == u16::MAX {
        return vector;
    }
    op!(_mm512_mask_compress_epi32(vector, keep, vector))
}

/// Interleaves the bytes of two vectors.
#[inline(always)]
pub(super) fn interleave8(low: __m512i, high: __m512i) -> [__m512i; 2] {
    let (low, high) =
        (permute_words(low, &WORDS_FOR_INTERLEAVING), permute_words(high, &WORDS_FOR_INTERLEAVING));
    [op!(_mm512_unpacklo_epi8(low, high)), op!(_mm512_unpackhi_epi8(low, high))]
}

/// Interleaves the 16-bit lanes of two vectors.
#[inline(always)]
pub(super) fn interleave16(low: __m512i, high: __m512i) -> [__m512i; 2] {
    let (low, high) =
        (permute_words(low, &WORDS_FOR_INTERLEAVING), permute_words(high, &WORDS_FOR_INTERLEAVING));
    [op!(_mm512_unpacklo_epi16(low, high)), op!(_mm512_unpackhi_epi16(low, high))]
}

/// Loads the indices that interleave a vector of low bytes and a vector of high bytes as 16-bit
/// lanes in this byte order. `half` is 0 for the first half of the lanes and 1 for the second half.
#[inline(always)]
fn load_interleaving_indices(_proof: __m512i, half: usize, order: &ByteOrder) -> __m512i {
    // SAFETY: each of `turns` has 64 bytes; the vector proves the features.
    unsafe { _mm512_loadu_si512(order.turns[half].as_ptr().cast()) }
}

/// Interleaves a vector of low bytes and a vector of high bytes as 16-bit lanes in this byte order.
#[inline(always)]
pub(super) fn interleave8_in_order(low: __m512i, high: __m512i, order: &ByteOrder) -> [__m512i; 2] {
    let (first, second) =
        (load_interleaving_indices(low, 0, order), load_interleaving_indices(low, 1, order));
    [
        op!(_mm512_permutex2var_epi8(low, first, high)),
        op!(_mm512_permutex2var_epi8(low, second, high)),
    ]
}

/// Widens the bytes of a vector to 16-bit lanes in this byte order.
#[inline(always)]
pub(super) fn widen8(bytes: __m512i, order: &ByteOrder) -> [__m512i; 2] {
    // A permutation of one vector ignores the index bit that selects the second vector.
    let (first, second) =
        (load_interleaving_indices(bytes, 0, order), load_interleaving_indices(bytes, 1, order));
    [
        op!(_mm512_maskz_permutexvar_epi8(order.low, first, bytes)),
        op!(_mm512_maskz_permutexvar_epi8(order.low, second, bytes)),
    ]
}

/// Converts 16-bit lanes with the low byte first to the byte order of `rows`.
#[inline(always)]
pub(super) fn reorder_bytes(units: __m512i, rows: &[ShuffleRow; 256]) -> __m512i {
    // The row that keeps all lanes also reorders their bytes.
    // SAFETY: a row has 16 bytes, aligned to 16; `units` was made from an `Avx512` token.
    let row = unsafe { _mm_load_si128(rows[0xFF].0.as_ptr().cast()) };
    op!(_mm512_shuffle_epi8(units, _mm512_broadcast_i32x4(row)))
}

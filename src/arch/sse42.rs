//! SSE4.2 with SSSE3 and POPCNT: the level of Nehalem (x86-64-v2).

mod lanes16;
mod lanes32;

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

#[cfg(feature = "code-pages")]
use crate::arch::lanes16::Lanes16;
use crate::arch::optional::Absent;
use crate::arch::vector::Vector;
use crate::arch::vector_types::VectorTypes;
use crate::tables::{Little, Order, ShuffleRow};

/// A token that exists only on processors with the features that [`Sse42::detect`] tests.
#[derive(Clone, Copy)]
pub(crate) struct Sse42(());

impl Sse42 {
    /// Returns true if this processor has SSE4.2, SSSE3 and POPCNT. Below, these are "the
    /// features".
    pub(crate) fn detect() -> bool {
        cfg_if::cfg_if! {
            if #[cfg(feature = "std")] {
                std::arch::is_x86_feature_detected!("sse4.2")
                    && std::arch::is_x86_feature_detected!("ssse3")
                    && std::arch::is_x86_feature_detected!("popcnt")
            } else if #[cfg(feature = "cpuid")] {
                use crate::arch::cpuid::{self, Feature as F};
                cpuid::has(&[F::SSE42, F::SSSE3, F::POPCNT])
            } else {
                cfg!(all(
                    target_feature = "sse4.2",
                    target_feature = "ssse3",
                    target_feature = "popcnt"
                ))
            }
        }
    }

    /// Returns the token if [`detect`](Self::detect) returns true.
    #[cfg(all(test, feature = "std"))]
    pub(crate) fn detected() -> Option<Self> {
        Self::detect().then_some(Self(()))
    }

    /// Returns the token. A function that enables the features can call this one without `unsafe`;
    /// other callers must know that the processor has the features.
    #[inline]
    #[target_feature(enable = "sse4.2,ssse3,popcnt")]
    pub(crate) fn assume() -> Self {
        Self(())
    }

    /// Calls `f(self, a, b)` in a function that enables the features. Arguments are passed in
    /// registers, unlike the captures of a closure, and the compiler knows that an argument that is
    /// a mutable slice has no alias.
    #[inline(always)]
    pub(crate) fn run<A, B, R>(self, a: A, b: B, f: impl FnOnce(Self, A, B) -> R) -> R {
        // No machine code is generated for the rest if the build has no vector kernels.
        if !super::HAS_KERNELS {
            unreachable!();
        }
        #[inline]
        #[target_feature(enable = "sse4.2,ssse3,popcnt")]
        fn with_features<A, B, R>(token: Sse42, a: A, b: B, f: impl FnOnce(Sse42, A, B) -> R) -> R {
            f(token, a, b)
        }
        // SAFETY: a token exists only on a processor with these features.
        unsafe { with_features(self, a, b, f) }
    }
}

/// A vector of 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct U8x16(__m128i);

/// Widens the bytes of a vector to 16-bit units in byte order `O`.
#[inline(always)]
fn widen8<O: Order>(bytes: __m128i) -> [__m128i; 2] {
    let zero = op!(_mm_setzero_si128());
    let (first, second) = if O::BIG { (zero, bytes) } else { (bytes, zero) };
    [op!(_mm_unpacklo_epi8(first, second)), op!(_mm_unpackhi_epi8(first, second))]
}

/// Widens 16-bit units in byte order `O` to 32-bit units in the same byte order.
#[inline(always)]
fn widen16<O: Order>(units: __m128i) -> [__m128i; 2] {
    let zero = op!(_mm_setzero_si128());
    let (first, second) = if O::BIG { (zero, units) } else { (units, zero) };
    [op!(_mm_unpacklo_epi16(first, second)), op!(_mm_unpackhi_epi16(first, second))]
}

/// Writes a vector of 16 bytes to `dst` from byte `at` on.
#[inline(always)]
fn write_16_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: __m128i) {
    let to = &mut dst[at..at + 16];
    // SAFETY: `to` has 16 bytes.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), vector) };
}

/// Writes the lower eight bytes of `vector` to `dst` from byte `at` on.
#[inline(always)]
fn write_8_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: __m128i) {
    let to = &mut dst[at..at + 8];
    // SAFETY: `to` has eight bytes.
    unsafe { _mm_storel_epi64(to.as_mut_ptr().cast(), vector) };
}

/// Computes [`Vector::code_units`] in 16-bit lanes, from the vectors `low`, `middle` and `high` of
/// that function. In `low_middle`, each lane has a byte of `low` in its low byte and a byte of
/// `middle` in its high byte. In `extra_high`, the high byte is a byte of `high`. Its low byte
/// holds bits to add to the unit, already shifted right by four. With `PAIRS`, lanes whose `high`
/// is at least 0x10 become high surrogates.
#[inline(always)]
fn code_units<const PAIRS: bool>(low_middle: __m128i, extra_high: __m128i) -> __m128i {
    // One instruction computes low + 64 * middle; then the upper bits are added.
    let sum = op!(_mm_maddubs_epi16(low_middle, _mm_set1_epi16(0x4001)));
    let unit = op!(_mm_or_si128(sum, _mm_slli_epi16::<4>(extra_high)));
    if !PAIRS {
        return unit;
    }
    let is_high_surrogate = op!(_mm_cmpgt_epi16(extra_high, _mm_set1_epi16(0x0FFF)));
    let bias = op!(_mm_set1_epi16(0xD7C0_u16 as i16));
    let surrogate = op!(_mm_add_epi16(_mm_srli_epi16::<4>(unit), bias));
    op!(_mm_blendv_epi8(unit, surrogate, is_high_surrogate))
}

impl VectorTypes for U8x16 {
    type Token = Sse42;
    type Mask = Self;
}

impl Vector for U8x16 {
    type Wide = (__m128i, __m128i);
    type Units = __m128i;
    type Vector16 = Self;
    type Deinterleaved = Absent;
    type Masked = Absent;
    type LookUp = Absent;

    const LANES: usize = 16;
    const LONG_STEPS: bool = false;

    #[inline(always)]
    fn run_outlined<A, B, R>(token: Sse42, a: A, b: B, f: impl FnOnce(Sse42, A, B) -> R) -> R {
        #[inline(never)]
        #[target_feature(enable = "sse4.2,ssse3,popcnt")]
        fn with_features<A, B, R>(token: Sse42, a: A, b: B, f: impl FnOnce(Sse42, A, B) -> R) -> R {
            f(token, a, b)
        }
        // SAFETY: a token exists only on a processor with these features.
        unsafe { with_features(token, a, b, f) }
    }

    #[inline(always)]
    fn token_of_16_bytes(token: Sse42) -> Sse42 {
        token
    }

    #[inline(always)]
    fn splat(_: Sse42, byte: u8) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn load(_: Sse42, bytes: &[u8], at: usize) -> Self {
        let bytes = &bytes[at..at + 16];
        // SAFETY: `bytes` has 16 bytes; the token proves the features.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn table(_: Sse42, table: &[u8; 16]) -> Self {
        // SAFETY: `table` has 16 bytes; the token proves the features.
        Self(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
    }

    #[inline(always)]
    fn lookup16(self, table: Self) -> Self {
        Self(op!(_mm_shuffle_epi8(table.0, self.0)))
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn lookup128(self, token: Sse42, table: &[u8; 128]) -> Self {
        // A shuffle looks up bits 0 to 3, and writes 0 if bit 7 is set. Bits 4, 5 and 6 each choose
        // between two results.
        let bits = [self.shl16::<3>(), self.shl16::<2>(), self.shl16::<1>()];
        let mut found = [Self::splat(token, 0); 8];
        for (found, table) in found.iter_mut().zip(table.as_chunks().0) {
            *found = Self(op!(_mm_shuffle_epi8(Self::table(token, table).0, self.0)));
        }
        let mut len = 8;
        for bit in bits {
            len /= 2;
            for i in 0..len {
                found[i] = Self(op!(_mm_blendv_epi8(found[2 * i].0, found[2 * i + 1].0, bit.0)));
            }
        }
        found[0]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(op!(_mm_and_si128(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(op!(_mm_or_si128(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(op!(_mm_xor_si128(self.0, other.0)))
    }

    #[inline(always)]
    fn saturating_sub(self, other: Self) -> Self {
        Self(op!(_mm_subs_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn high_nibble(self) -> Self {
        Self(op!(_mm_and_si128(_mm_srli_epi16::<4>(self.0), _mm_set1_epi8(0x0F))))
    }

    #[inline(always)]
    fn any(self) -> bool {
        op!(_mm_testz_si128(self.0, self.0) == 0)
    }

    #[inline(always)]
    fn max_interleaved<const LANE_BYTES: usize>(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        let (lower, upper) = match LANE_BYTES {
            1 => (op!(_mm_unpacklo_epi8(a, b)), op!(_mm_unpackhi_epi8(a, b))),
            2 => (op!(_mm_unpacklo_epi16(a, b)), op!(_mm_unpackhi_epi16(a, b))),
            _ => (op!(_mm_unpacklo_epi32(a, b)), op!(_mm_unpackhi_epi32(a, b))),
        };
        Self(op!(_mm_max_epu8(lower, upper)))
    }

    #[inline(always)]
    fn any_high_bit(self) -> bool {
        op!(_mm_movemask_epi8(self.0) != 0)
    }

    #[inline(always)]
    fn high_bit_mask(self) -> Self {
        // Only bit 7 of each lane of a mask counts.
        self
    }

    #[inline(always)]
    fn continuation(self) -> Self {
        // As signed bytes, exactly 0x80..=0xBF are below 0xC0.
        Self(op!(_mm_cmpgt_epi8(_mm_set1_epi8(0xC0_u8 as i8), self.0)))
    }

    #[inline(always)]
    fn continuation_marks(self, _: Self::Token) -> Self {
        // The mask has bit 7 as required, and takes one instruction instead of three.
        self.continuation()
    }

    #[inline(always)]
    fn from_mask(mask: Self) -> Self {
        Self(op!(_mm_cmpgt_epi8(_mm_setzero_si128(), mask.0)))
    }

    #[inline(always)]
    fn bits(masks: &[Self]) -> u64 {
        let mut bits = 0;
        let mut k = 0;
        while k < masks.len() {
            let mask_bits = op!(_mm_movemask_epi8(masks[k].0)) as u32;
            bits |= u64::from(mask_bits) << (16 * k);
            k += 1;
        }
        bits
    }

    #[inline(always)]
    fn code_units(low: Self, middle: Self, high: Self) -> Self::Wide {
        let middle = middle.and(Self(op!(_mm_set1_epi8(0x3F))));
        let zero = op!(_mm_setzero_si128());
        (
            code_units::<false>(
                op!(_mm_unpacklo_epi8(low.0, middle.0)),
                op!(_mm_unpacklo_epi8(zero, high.0)),
            ),
            code_units::<false>(
                op!(_mm_unpackhi_epi8(low.0, middle.0)),
                op!(_mm_unpackhi_epi8(zero, high.0)),
            ),
        )
    }

    #[inline(always)]
    fn code_units_and_surrogates(
        low: Self,
        middle: Self,
        high: Self,
        _supplementary: Self,
        last: Self,
    ) -> Self::Wide {
        let middle = middle.and(Self(op!(_mm_set1_epi8(0x3F))));
        // 0xDC00, shifted right by four, has the bytes 0x0D and 0xC0.
        let high = high.or(last.and(Self(op!(_mm_set1_epi8(0x0D)))));
        let extra = last.and(Self(op!(_mm_set1_epi8(0xC0_u8 as i8))));
        (
            code_units::<true>(
                op!(_mm_unpacklo_epi8(low.0, middle.0)),
                op!(_mm_unpacklo_epi8(extra.0, high.0)),
            ),
            code_units::<true>(
                op!(_mm_unpackhi_epi8(low.0, middle.0)),
                op!(_mm_unpackhi_epi8(extra.0, high.0)),
            ),
        )
    }

    #[inline(always)]
    fn group(wide: Self::Wide, group: usize) -> __m128i {
        match group {
            0 => wide.0,
            _ => wide.1,
        }
    }

    #[inline(always)]
    fn compress(units: __m128i, row: &ShuffleRow) -> __m128i {
        // SAFETY: a row has 16 bytes, aligned to 16.
        let row = unsafe { _mm_load_si128(row.0.as_ptr().cast()) };
        op!(_mm_shuffle_epi8(units, row))
    }

    #[inline(always)]
    fn store(units: __m128i, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        write_16_bytes(dst, 2 * unit_at, units);
    }

    #[inline(always)]
    fn store_widened<O: Order>(self, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        for (i, half) in widen8::<O>(self.0).into_iter().enumerate() {
            write_16_bytes(dst, 2 * unit_at + 16 * i, half);
        }
    }

    #[inline(always)]
    fn store_units_widened<O: Order>(units: __m128i, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        for (i, half) in widen16::<O>(units).into_iter().enumerate() {
            write_16_bytes(dst, 4 * unit_at + 16 * i, half);
        }
    }

    #[inline(always)]
    fn store_joined<O: Order>(
        low: __m128i,
        upper: __m128i,
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    ) {
        let (first, second) = if O::BIG { (upper, low) } else { (low, upper) };
        write_16_bytes(dst, 4 * unit_at, op!(_mm_unpacklo_epi16(first, second)));
        write_16_bytes(dst, 4 * unit_at + 16, op!(_mm_unpackhi_epi16(first, second)));
    }

    #[inline(always)]
    fn store_shifted(self, bits: i32, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        let bits = op!(_mm_cvtsi32_si128(bits));
        for (i, half) in widen8::<Little>(self.0).into_iter().enumerate() {
            write_16_bytes(dst, 2 * unit_at + 16 * i, op!(_mm_sll_epi16(half, bits)));
        }
    }

    #[inline(always)]
    fn store_widened_to_32_bits<O: Order>(self, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        let [first, second] = widen8::<O>(self.0);
        Self::store_units_widened::<O>(first, dst, unit_at);
        Self::store_units_widened::<O>(second, dst, unit_at + 8);
    }

    #[inline(always)]
    fn store_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_16_bytes(dst, at, self.0);
    }

    #[inline(always)]
    fn store_compressed(self, _: usize, row: &[u8; 8], dst: &mut [MaybeUninit<u8>], at: usize) {
        // SAFETY: a row has eight bytes.
        let row = unsafe { _mm_loadl_epi64(row.as_ptr().cast()) };
        write_8_bytes(dst, at, op!(_mm_shuffle_epi8(self.0, row)));
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(op!(_mm_add_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Self(op!(_mm_cmpeq_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        Self(op!(_mm_sub_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(op!(_mm_min_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(op!(_mm_max_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn sum(vectors: &[Self]) -> u32 {
        // Without a vector, nothing proves that the processor has the features.
        if vectors.is_empty() {
            return 0;
        }
        let zero = op!(_mm_setzero_si128());
        let mut sums = zero;
        let mut k = 0;
        while k < vectors.len() {
            sums = op!(_mm_add_epi32(sums, _mm_sad_epu8(vectors[k].0, zero)));
            k += 1;
        }
        op!(_mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums)))) as u32
    }

    #[inline(always)]
    fn from_words(_: Sse42, words: [u64; 4]) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm_set_epi64x(words[1].cast_signed(), words[0].cast_signed()) })
    }

    #[inline(always)]
    fn shift_in_zeros<const BY: usize>(self) -> Self {
        Self(match BY {
            1 => op!(_mm_slli_si128::<1>(self.0)),
            2 => op!(_mm_slli_si128::<2>(self.0)),
            _ => op!(_mm_slli_si128::<3>(self.0)),
        })
    }

    #[inline(always)]
    fn shift_in_last<const BY: usize>(self, before: Self) -> Self {
        Self(match BY {
            1 => op!(_mm_alignr_epi8::<15>(self.0, before.0)),
            2 => op!(_mm_alignr_epi8::<14>(self.0, before.0)),
            _ => op!(_mm_alignr_epi8::<13>(self.0, before.0)),
        })
    }
}

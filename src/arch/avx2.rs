//! AVX2 with BMI1, BMI2, LZCNT and POPCNT: the level of Haswell and Zen (x86-64-v3).

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
use crate::tables::{Order, ShuffleRow};

/// A token that exists only on processors with the features that [`Avx2::detect`] tests.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// True if the compile-time features include the features that [`detect`](Self::detect) tests.
    pub(crate) const IN_BUILD: bool = cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "lzcnt",
        target_feature = "popcnt"
    ));

    /// Returns true if this processor has AVX2, BMI1, BMI2, LZCNT, POPCNT, and what
    /// [`Sse42`](super::sse42::Sse42) needs. Below, these are "the features".
    pub(crate) fn detect() -> bool {
        cfg_if::cfg_if! {
            if #[cfg(feature = "std")] {
                // Short texts are left to the SSE4.2 functions, so SSE4.2 is required too.
                super::sse42::Sse42::detect()
                    && std::arch::is_x86_feature_detected!("avx2")
                    && std::arch::is_x86_feature_detected!("bmi1")
                    && std::arch::is_x86_feature_detected!("bmi2")
                    && std::arch::is_x86_feature_detected!("lzcnt")
                    && std::arch::is_x86_feature_detected!("popcnt")
            } else if #[cfg(feature = "cpuid")] {
                use crate::arch::cpuid::{self, Feature as F};
                super::sse42::Sse42::detect()
                    && cpuid::has(&[F::AVX, F::AVX2, F::BMI1, F::BMI2, F::LZCNT, F::POPCNT])
            } else {
                Self::IN_BUILD
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
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
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
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<A, B, R>(token: Avx2, a: A, b: B, f: impl FnOnce(Avx2, A, B) -> R) -> R {
            f(token, a, b)
        }
        // SAFETY: a token exists only on a processor with these features.
        unsafe { with_features(self, a, b, f) }
    }
}

/// A processor with the features of [`Avx2`] also has the features of SSE4.2.
impl From<Avx2> for super::sse42::Sse42 {
    #[inline(always)]
    fn from(_: Avx2) -> Self {
        // SAFETY: an `Avx2` token exists only on a processor that also has the features of SSE4.2.
        unsafe { Self::assume() }
    }
}

/// A vector of 32 bytes.
#[derive(Clone, Copy)]
pub(crate) struct U8x32(__m256i);

/// Writes a vector of 32 bytes to `dst` from byte `at` on.
#[inline(always)]
fn write_32_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: __m256i) {
    let to = &mut dst[at..at + 32];
    // SAFETY: `to` has 32 bytes.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) };
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
/// `middle` in its high byte. In `extra_high`, the high byte is a byte of `high`. Its low byte is
/// 0xC0 if 0xDC00 is added to the unit, else 0: 0xDC00, shifted right by four, has the bytes 0x0D
/// and 0xC0. With `PAIRS`, lanes whose `high` is at least 0x10 become high surrogates.
#[inline(always)]
fn code_units<const PAIRS: bool>(low_middle: __m256i, extra_high: __m256i) -> __m256i {
    // One instruction computes low + 64 * middle; then the upper bits are added.
    let sum = op!(_mm256_maddubs_epi16(low_middle, _mm256_set1_epi16(0x4001)));
    let unit = op!(_mm256_or_si256(sum, _mm256_slli_epi16::<4>(extra_high)));
    if !PAIRS {
        return unit;
    }
    let is_high_surrogate = op!(_mm256_cmpgt_epi16(extra_high, _mm256_set1_epi16(0x0FFF)));
    let bias = op!(_mm256_set1_epi16(0xD7C0_u16 as i16));
    let surrogate = op!(_mm256_add_epi16(_mm256_srli_epi16::<4>(unit), bias));
    op!(_mm256_blendv_epi8(unit, surrogate, is_high_surrogate))
}

impl VectorTypes for U8x32 {
    type Token = Avx2;
    type Mask = Self;
}

impl Vector for U8x32 {
    /// A group is eight units. Interleaving works within each 128-bit half, so the first vector has
    /// groups 0 and 2, and the second vector has groups 1 and 3.
    type Wide = (__m256i, __m256i);
    type Units = __m128i;
    type Vector16 = super::sse42::U8x16;
    type Deinterleaved = Absent;
    type Masked = Absent;
    type LookUp = Absent;

    const LANES: usize = 32;
    const LONG_STEPS: bool = true;

    #[inline(always)]
    fn run_outlined<A, B, R>(token: Avx2, a: A, b: B, f: impl FnOnce(Avx2, A, B) -> R) -> R {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<A, B, R>(token: Avx2, a: A, b: B, f: impl FnOnce(Avx2, A, B) -> R) -> R {
            f(token, a, b)
        }
        // SAFETY: a token exists only on a processor with these features.
        unsafe { with_features(token, a, b, f) }
    }

    #[inline(always)]
    fn token_of_16_bytes(token: Avx2) -> super::sse42::Sse42 {
        token.into()
    }

    #[inline(always)]
    fn splat(_: Avx2, byte: u8) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm256_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn load(_: Avx2, bytes: &[u8], at: usize) -> Self {
        let bytes = &bytes[at..at + 32];
        // SAFETY: `bytes` has 32 bytes; the token proves the features.
        Self(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn table(_: Avx2, table: &[u8; 16]) -> Self {
        // SAFETY: `table` has 16 bytes; the token proves the features.
        let half = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        // SAFETY: the token proves the features.
        Self(unsafe { _mm256_broadcastsi128_si256(half) })
    }

    #[inline(always)]
    fn lookup16(self, table: Self) -> Self {
        Self(op!(_mm256_shuffle_epi8(table.0, self.0)))
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn lookup128(self, token: Avx2, table: &[u8; 128]) -> Self {
        // A shuffle looks up bits 0 to 3, and writes 0 if bit 7 is set. Bits 4, 5 and 6 each choose
        // between two results.
        let bits = [self.shl16::<3>(), self.shl16::<2>(), self.shl16::<1>()];
        let mut found = [Self::splat(token, 0); 8];
        for (found, table) in found.iter_mut().zip(table.as_chunks().0) {
            *found = Self(op!(_mm256_shuffle_epi8(Self::table(token, table).0, self.0)));
        }
        let mut len = 8;
        for bit in bits {
            len /= 2;
            for i in 0..len {
                found[i] = Self(op!(_mm256_blendv_epi8(found[2 * i].0, found[2 * i + 1].0, bit.0)));
            }
        }
        found[0]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(op!(_mm256_and_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(op!(_mm256_or_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(op!(_mm256_xor_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn saturating_sub(self, other: Self) -> Self {
        Self(op!(_mm256_subs_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn high_nibble(self) -> Self {
        Self(op!(_mm256_and_si256(_mm256_srli_epi16::<4>(self.0), _mm256_set1_epi8(0x0F))))
    }

    #[inline(always)]
    fn any(self) -> bool {
        op!(_mm256_testz_si256(self.0, self.0) == 0)
    }

    #[inline(always)]
    fn max_interleaved<const LANE_BYTES: usize>(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        let (lower, upper) = match LANE_BYTES {
            1 => (op!(_mm256_unpacklo_epi8(a, b)), op!(_mm256_unpackhi_epi8(a, b))),
            2 => (op!(_mm256_unpacklo_epi16(a, b)), op!(_mm256_unpackhi_epi16(a, b))),
            _ => (op!(_mm256_unpacklo_epi32(a, b)), op!(_mm256_unpackhi_epi32(a, b))),
        };
        Self(op!(_mm256_max_epu8(lower, upper)))
    }

    #[inline(always)]
    fn any_high_bit(self) -> bool {
        op!(_mm256_movemask_epi8(self.0) != 0)
    }

    #[inline(always)]
    fn high_bit_mask(self) -> Self {
        // Only bit 7 of each lane of a mask counts.
        self
    }

    #[inline(always)]
    fn continuation(self) -> Self {
        // As signed bytes, exactly 0x80..=0xBF are below 0xC0.
        Self(op!(_mm256_cmpgt_epi8(_mm256_set1_epi8(0xC0_u8 as i8), self.0)))
    }

    #[inline(always)]
    fn continuation_marks(self, _: Self::Token) -> Self {
        // The mask has bit 7 as required, and takes one instruction instead of three.
        self.continuation()
    }

    #[inline(always)]
    fn from_mask(mask: Self) -> Self {
        Self(op!(_mm256_cmpgt_epi8(_mm256_setzero_si256(), mask.0)))
    }

    #[inline(always)]
    fn bits(masks: &[Self]) -> u64 {
        let mut bits = 0;
        let mut k = 0;
        while k < masks.len() {
            let mask_bits = op!(_mm256_movemask_epi8(masks[k].0)) as u32;
            bits |= u64::from(mask_bits) << (32 * k);
            k += 1;
        }
        bits
    }

    #[inline(always)]
    fn code_units(low: Self, middle: Self, high: Self) -> Self::Wide {
        let middle = middle.and(Self(op!(_mm256_set1_epi8(0x3F))));
        let zero = op!(_mm256_setzero_si256());
        (
            code_units::<false>(
                op!(_mm256_unpacklo_epi8(low.0, middle.0)),
                op!(_mm256_unpacklo_epi8(zero, high.0)),
            ),
            code_units::<false>(
                op!(_mm256_unpackhi_epi8(low.0, middle.0)),
                op!(_mm256_unpackhi_epi8(zero, high.0)),
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
        let middle = middle.and(Self(op!(_mm256_set1_epi8(0x3F))));
        // 0xDC00, shifted right by four, has the bytes 0x0D and 0xC0.
        let high = high.or(last.and(Self(op!(_mm256_set1_epi8(0x0D)))));
        let extra = last.and(Self(op!(_mm256_set1_epi8(0xC0_u8 as i8))));
        (
            code_units::<true>(
                op!(_mm256_unpacklo_epi8(low.0, middle.0)),
                op!(_mm256_unpacklo_epi8(extra.0, high.0)),
            ),
            code_units::<true>(
                op!(_mm256_unpackhi_epi8(low.0, middle.0)),
                op!(_mm256_unpackhi_epi8(extra.0, high.0)),
            ),
        )
    }

    #[inline(always)]
    fn group(wide: Self::Wide, group: usize) -> __m128i {
        match group {
            0 => op!(_mm256_castsi256_si128(wide.0)),
            1 => op!(_mm256_castsi256_si128(wide.1)),
            2 => op!(_mm256_extracti128_si256::<1>(wide.0)),
            _ => op!(_mm256_extracti128_si256::<1>(wide.1)),
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
        let halves = [
            op!(_mm256_cvtepu8_epi16(_mm256_castsi256_si128(self.0))),
            op!(_mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(self.0))),
        ];
        for (i, half) in halves.into_iter().enumerate() {
            let half = if O::BIG { op!(_mm256_slli_epi16::<8>(half)) } else { half };
            write_32_bytes(dst, 2 * unit_at + 32 * i, half);
        }
    }

    #[inline(always)]
    fn store_units_widened<O: Order>(units: __m128i, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        let wide = op!(_mm256_cvtepu16_epi32(units));
        write_32_bytes(
            dst,
            4 * unit_at,
            if O::BIG { op!(_mm256_slli_epi32::<16>(wide)) } else { wide },
        );
    }

    #[inline(always)]
    fn store_joined<O: Order>(
        lower: __m128i,
        upper: __m128i,
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    ) {
        let (first, second) = if O::BIG { (upper, lower) } else { (lower, upper) };
        write_16_bytes(dst, 4 * unit_at, op!(_mm_unpacklo_epi16(first, second)));
        write_16_bytes(dst, 4 * unit_at + 16, op!(_mm_unpackhi_epi16(first, second)));
    }

    #[inline(always)]
    fn store_shifted(self, bits: i32, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        let bits = op!(_mm_cvtsi32_si128(bits));
        let halves = [
            op!(_mm256_cvtepu8_epi16(_mm256_castsi256_si128(self.0))),
            op!(_mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(self.0))),
        ];
        for (i, half) in halves.into_iter().enumerate() {
            write_32_bytes(dst, 2 * unit_at + 32 * i, op!(_mm256_sll_epi16(half, bits)));
        }
    }

    #[inline(always)]
    fn store_widened_to_32_bits<O: Order>(self, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        let [low, high] =
            [op!(_mm256_castsi256_si128(self.0)), op!(_mm256_extracti128_si256::<1>(self.0))];
        let quarters =
            [low, op!(_mm_unpackhi_epi64(low, low)), high, op!(_mm_unpackhi_epi64(high, high))];
        for (i, quarter) in quarters.into_iter().enumerate() {
            let wide = op!(_mm256_cvtepu8_epi32(quarter));
            let wide = if O::BIG { op!(_mm256_slli_epi32::<24>(wide)) } else { wide };
            write_32_bytes(dst, 4 * unit_at + 32 * i, wide);
        }
    }

    #[inline(always)]
    fn store_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_32_bytes(dst, at, self.0);
    }

    #[inline(always)]
    fn store_compressed(self, group: usize, row: &[u8; 8], dst: &mut [MaybeUninit<u8>], at: usize) {
        let half = match group / 2 {
            0 => op!(_mm256_castsi256_si128(self.0)),
            _ => op!(_mm256_extracti128_si256::<1>(self.0)),
        };
        // SAFETY: a row has eight bytes.
        let row = unsafe { _mm_loadl_epi64(row.as_ptr().cast()) };
        write_8_bytes(dst, at, op!(_mm_shuffle_epi8(half, row)));
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(op!(_mm256_add_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Self(op!(_mm256_cmpeq_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        Self(op!(_mm256_sub_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(op!(_mm256_min_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(op!(_mm256_max_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn sum(vectors: &[Self]) -> u32 {
        // Without a vector, nothing proves that the processor has the features.
        if vectors.is_empty() {
            return 0;
        }
        let zero = op!(_mm256_setzero_si256());
        let mut sums = zero;
        let mut k = 0;
        while k < vectors.len() {
            sums = op!(_mm256_add_epi32(sums, _mm256_sad_epu8(vectors[k].0, zero)));
            k += 1;
        }
        let low = op!(_mm256_castsi256_si128(sums));
        let pair = op!(_mm_add_epi32(low, _mm256_extracti128_si256::<1>(sums)));
        op!(_mm_cvtsi128_si32(_mm_add_epi32(pair, _mm_unpackhi_epi64(pair, pair)))) as u32
    }

    #[inline(always)]
    fn from_words(_: Avx2, words: [u64; 4]) -> Self {
        let [a, b, c, d] = words.map(u64::cast_signed);
        // SAFETY: the token proves the features.
        Self(unsafe { _mm256_set_epi64x(d, c, b, a) })
    }

    #[inline(always)]
    fn shift_in_zeros<const BY: usize>(self) -> Self {
        // The 16 bytes before each half: zeros, and the lower half.
        let before = op!(_mm256_permute2x128_si256::<0x08>(self.0, self.0));
        Self(match BY {
            1 => op!(_mm256_alignr_epi8::<15>(self.0, before)),
            2 => op!(_mm256_alignr_epi8::<14>(self.0, before)),
            _ => op!(_mm256_alignr_epi8::<13>(self.0, before)),
        })
    }

    #[inline(always)]
    fn shift_in_last<const BY: usize>(self, before: Self) -> Self {
        // The 16 bytes before each half: the upper half of `before`, and the lower half of `self`.
        let before = op!(_mm256_permute2x128_si256::<0x21>(before.0, self.0));
        Self(match BY {
            1 => op!(_mm256_alignr_epi8::<15>(self.0, before)),
            2 => op!(_mm256_alignr_epi8::<14>(self.0, before)),
            _ => op!(_mm256_alignr_epi8::<13>(self.0, before)),
        })
    }
}

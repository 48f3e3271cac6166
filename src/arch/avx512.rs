//! AVX-512 with VBMI2: the level of Ice Lake and Zen 4.
//!
//! Conversions that drop lanes (from UTF-8, and from UTF-16 and Latin-1 to UTF-8) have masked loads
//! and stores, so they take texts of any length. Counts and lengths take texts of at least one
//! vector, and all other operations take texts of at least two or three vectors.
//! [AVX2](super::avx2) handles shorter texts, and the functions that gain nothing from wider
//! vectors.
//!
//! A comparison gives a mask. Zen 5 executes only one such comparison per cycle, and another
//! instruction is needed to turn a mask into lanes. So tests of many vectors avoid masks: they set
//! the lanes that fail to zero and compute the minimum of all vectors, or they look bytes up in a
//! table.
//!
//! One vector is a whole step of 64 bytes. The instruction `vpcompress` drops lanes, so shuffle
//! rows are not needed, and the operations that keep some lanes are implemented here. The next step
//! overwrites the output after the kept lanes. Lanes are compressed in registers and not directly
//! to memory, because Zen 4 executes the latter in microcode. The merging form of the instruction
//! is used, which keeps the old bytes of its destination register after the kept lanes. The form
//! that writes zeros there is slower: Zen 4 and Zen 5 wait for the old value of the destination
//! register.

mod lanes16;
mod lanes32;
mod masked;
mod permute;
mod utf32_pairs;
mod utf8_bytes;

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::mem::MaybeUninit;

use crate::arch::avx512::permute::{compress8, interleave8, interleave8_in_order, interleave16};
use crate::arch::optional::{Absent, LookUpOps, Present};
use crate::arch::vector::Vector;
use crate::arch::vector_types::VectorTypes;
use crate::tables::{ByteOrder, Order, ShuffleRow};

/// A token that exists only on processors with the features that [`Avx512::detect`] tests.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// True if the compile-time features include the features that [`detect`](Self::detect) tests.
    pub(crate) const IN_BUILD: bool = super::avx2::Avx2::IN_BUILD
        && cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512bw",
            target_feature = "avx512cd",
            target_feature = "avx512dq",
            target_feature = "avx512vl",
            target_feature = "avx512vbmi",
            target_feature = "avx512vbmi2"
        ));

    /// Returns true if this processor has AVX-512F, BW, CD, DQ, VL, VBMI and VBMI2, and what
    /// [`Avx2`](super::avx2::Avx2) needs. Below, these are "the features".
    pub(crate) fn detect() -> bool {
        cfg_if::cfg_if! {
            if #[cfg(feature = "std")] {
                // Short texts are left to the AVX2 functions, so AVX2 is required too.
                super::avx2::Avx2::detect()
                    && std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512cd")
                    && std::arch::is_x86_feature_detected!("avx512dq")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                    && std::arch::is_x86_feature_detected!("avx512vbmi")
                    && std::arch::is_x86_feature_detected!("avx512vbmi2")
            } else if #[cfg(feature = "cpuid")] {
                use crate::arch::cpuid::{self, Feature as F};
                super::avx2::Avx2::detect()
                    && cpuid::has(&[F::AVX512F, F::AVX512BW, F::AVX512CD, F::AVX512DQ, F::AVX512VL,
                        F::AVX512VBMI, F::AVX512VBMI2])
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
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2",
        enable = "bmi1,bmi2,lzcnt,popcnt"
    )]
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
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2",
            enable = "bmi1,bmi2,lzcnt,popcnt"
        )]
        fn with_features<A, B, R>(
            token: Avx512,
            a: A,
            b: B,
            f: impl FnOnce(Avx512, A, B) -> R,
        ) -> R {
            f(token, a, b)
        }
        // SAFETY: a token exists only on a processor with these features.
        unsafe { with_features(self, a, b, f) }
    }
}

/// A processor with the features of [`Avx512`] also has the features of AVX2.
impl From<Avx512> for super::avx2::Avx2 {
    #[inline(always)]
    fn from(_: Avx512) -> Self {
        // SAFETY: an `Avx512` token exists only on a processor that also has the features of AVX2.
        unsafe { Self::assume() }
    }
}

/// A vector of 64 bytes.
#[derive(Clone, Copy)]
pub(crate) struct U8x64(__m512i);

/// Returns quarter `index` of a vector, 0 to 3.
#[inline(always)]
fn quarter(vector: __m512i, index: usize) -> __m128i {
    match index {
        0 => op!(_mm512_castsi512_si128(vector)),
        1 => op!(_mm512_extracti32x4_epi32::<1>(vector)),
        2 => op!(_mm512_extracti32x4_epi32::<2>(vector)),
        _ => op!(_mm512_extracti32x4_epi32::<3>(vector)),
    }
}

/// Returns the halves of a vector.
#[inline(always)]
fn halves(vector: __m512i) -> [__m256i; 2] {
    [op!(_mm512_castsi512_si256(vector)), op!(_mm512_extracti64x4_epi64::<1>(vector))]
}

/// Writes a vector of 64 bytes to `dst` from byte `at` on.
#[inline(always)]
fn write_64_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: __m512i) {
    let to = &mut dst[at..at + 64];
    // SAFETY: `to` has 64 bytes.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) };
}

/// Writes a vector of 32 bytes to `dst` from byte `at` on.
#[inline(always)]
fn write_32_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: __m256i) {
    let to = &mut dst[at..at + 32];
    // SAFETY: `to` has 32 bytes.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) };
}

/// Like [`write_64_bytes`], but drops the bytes after the end of `dst`. If the compiler knows that
/// `dst` is long enough, this is a plain store. A masked store of zero lanes is skipped: at an
/// unmapped address, it takes a hundred nanoseconds.
#[inline(always)]
fn write_up_to_64_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: __m512i) {
    if dst.len() >= at + 64 {
        write_64_bytes(dst, at, vector);
    } else if let Some(to @ [_, ..]) = dst.get_mut(at..) {
        let lanes = U8x64::first_bits(to.len());
        // SAFETY: the mask has a lane for each byte of `to`, which has fewer than 64 bytes.
        unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), lanes, vector) };
    }
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

impl U8x64 {
    /// Returns a vector whose lanes are all `byte`. `self` proves that the instruction may run.
    #[inline(always)]
    fn splat_byte(self, byte: u8) -> Self {
        Self(op!(_mm512_set1_epi8(byte as i8)))
    }

    /// Shifts each byte left by `BY` bits.
    #[inline(always)]
    fn shl<const BY: u32>(self) -> Self {
        Self(op!(_mm512_slli_epi16::<BY>(self.0))).and(self.splat_byte(0xFF << BY))
    }

    /// Shifts each byte right by `BY` bits.
    #[inline(always)]
    fn shr<const BY: u32>(self) -> Self {
        Self(op!(_mm512_srli_epi16::<BY>(self.0))).and(self.splat_byte(0xFF >> BY))
    }
}

impl VectorTypes for U8x64 {
    type Token = Avx512;
    type Mask = __mmask64;
}

impl Vector for U8x64 {
    /// The low bytes and the high bytes of the 16-bit lanes.
    type Wide = (Self, Self);
    type Units = __m128i;
    type Vector16 = super::sse42::U8x16;
    type Deinterleaved = Absent;
    type Masked = Present;
    type LookUp = Present;

    const LANES: usize = 64;
    const LONG_STEPS: bool = true;
    const SHORT_PATHS: bool = false;

    #[inline(always)]
    fn run_outlined<A, B, R>(token: Avx512, a: A, b: B, f: impl FnOnce(Avx512, A, B) -> R) -> R {
        #[inline(never)]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2",
            enable = "bmi1,bmi2,lzcnt,popcnt"
        )]
        fn with_features<A, B, R>(
            token: Avx512,
            a: A,
            b: B,
            f: impl FnOnce(Avx512, A, B) -> R,
        ) -> R {
            f(token, a, b)
        }
        // SAFETY: a token exists only on a processor with these features.
        unsafe { with_features(token, a, b, f) }
    }

    #[inline(always)]
    fn token_of_16_bytes(token: Avx512) -> super::sse42::Sse42 {
        super::avx2::Avx2::from(token).into()
    }

    #[inline(always)]
    fn splat(_: Avx512, byte: u8) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm512_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn load(_: Avx512, bytes: &[u8], at: usize) -> Self {
        let bytes = &bytes[at..at + 64];
        // SAFETY: `bytes` has 64 bytes; the token proves the features.
        Self(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn table(_: Avx512, table: &[u8; 16]) -> Self {
        // SAFETY: `table` has 16 bytes; the token proves the features.
        let quarter = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        Self(op!(_mm512_broadcast_i32x4(quarter)))
    }

    #[inline(always)]
    fn lookup16(self, table: Self) -> Self {
        Self(op!(_mm512_shuffle_epi8(table.0, self.0)))
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn lookup128(self, token: Avx512, table: &[u8; 128]) -> Self {
        let (first, second) = (Self::load(token, table, 0), Self::load(token, table, 64));
        // The permutation ignores bit 7 of its index.
        let is_below = op!(_mm512_testn_epi8_mask(self.0, self.splat_byte(0x80).0));
        Self(op!(_mm512_maskz_permutex2var_epi8(is_below, first.0, self.0, second.0)))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(op!(_mm512_and_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(op!(_mm512_or_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(op!(_mm512_xor_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn saturating_sub(self, other: Self) -> Self {
        Self(op!(_mm512_subs_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn high_nibble(self) -> Self {
        self.shr::<4>()
    }

    #[inline(always)]
    fn any(self) -> bool {
        op!(_mm512_test_epi64_mask(self.0, self.0) != 0)
    }

    #[inline(always)]
    fn max_interleaved<const LANE_BYTES: usize>(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        let (lower, upper) = match LANE_BYTES {
            1 => (op!(_mm512_unpacklo_epi8(a, b)), op!(_mm512_unpackhi_epi8(a, b))),
            2 => (op!(_mm512_unpacklo_epi16(a, b)), op!(_mm512_unpackhi_epi16(a, b))),
            _ => (op!(_mm512_unpacklo_epi32(a, b)), op!(_mm512_unpackhi_epi32(a, b))),
        };
        Self(op!(_mm512_max_epu8(lower, upper)))
    }

    #[inline(always)]
    fn any_high_bit(self) -> bool {
        self.high_bit_mask() != 0
    }

    #[inline(always)]
    fn high_bit_mask(self) -> __mmask64 {
        op!(_mm512_movepi8_mask(self.0))
    }

    #[inline(always)]
    fn at_least(self, _: Avx512, least: u8) -> __mmask64 {
        op!(_mm512_cmpge_epu8_mask(self.0, self.splat_byte(least).0))
    }

    // A lane is marked if its bit 7 is set. `mark_at_least` sets this bit, and `decrement_marked`
    // moves it to bit 0 and flips the bit 0 of marked lanes. The minimum of a mark and 1, as in the
    // default implementation, would be slower: LLVM would turn it into a comparison, which gives a
    // mask in a mask register.
    #[inline(always)]
    fn mark_at_least(self, token: Avx512, least: u8) -> Self {
        self.saturating_sub(Self::splat(token, least - 0x80))
    }

    #[inline(always)]
    fn decrement_marked(self, token: Avx512, marks: Self) -> Self {
        let marked = Self(op!(_mm512_srli_epi16::<7>(marks.0)));
        self.xor(marked.and(Self::splat(token, 1)))
    }

    #[inline(always)]
    fn continuation(self) -> __mmask64 {
        // As signed bytes, exactly 0x80..=0xBF are below 0xC0.
        op!(_mm512_cmplt_epi8_mask(self.0, self.splat_byte(0xC0).0))
    }

    #[inline(always)]
    fn from_mask(mask: __mmask64) -> Self {
        Self(op!(_mm512_movm_epi8(mask)))
    }

    #[inline(always)]
    fn only(self, mask: __mmask64) -> Self {
        Self(op!(_mm512_maskz_mov_epi8(mask, self.0)))
    }

    #[inline(always)]
    fn bits(masks: &[__mmask64]) -> u64 {
        masks.first().copied().unwrap_or(0)
    }

    #[inline(always)]
    fn code_units(low: Self, middle: Self, high: Self) -> Self::Wide {
        let upper = Self(op!(_mm512_srli_epi16::<2>(middle.0))).and(low.splat_byte(0x0F));
        (low.or(middle.shl::<6>()), upper.or(high.shl::<4>()))
    }

    #[inline(always)]
    fn code_units_and_surrogates(
        low: Self,
        middle: Self,
        high: Self,
        _supplementary: Self,
        last: Self,
    ) -> Self::Wide {
        let (first, second) = Self::code_units(low, middle, high);
        let second = second.or(last.and(last.splat_byte(0xDC)));
        let is_supplementary = op!(_mm512_cmpge_epu8_mask(high.0, high.splat_byte(0x10).0));
        // Adding 0xC0 to a low byte carries if the byte is 0x40 or above.
        let (low, high) = (first.shr::<4>().or(second.shl::<4>()), second.shr::<4>());
        let carry = op!(_mm512_cmpge_epu8_mask(low.0, low.splat_byte(0x40).0));
        let high = high.add(high.splat_byte(0xD7));
        let high = op!(_mm512_mask_add_epi8(high.0, carry, high.0, high.splat_byte(1).0));
        (
            Self(op!(_mm512_mask_add_epi8(
                first.0,
                is_supplementary,
                low.0,
                low.splat_byte(0xC0).0
            ))),
            Self(op!(_mm512_mask_mov_epi8(second.0, is_supplementary, high))),
        )
    }

    #[inline(always)]
    fn group((low, high): Self::Wide, group: usize) -> __m128i {
        let (low, high) = (quarter(low.0, group / 2), quarter(high.0, group / 2));
        match group % 2 {
            0 => op!(_mm_unpacklo_epi8(low, high)),
            _ => op!(_mm_unpackhi_epi8(low, high)),
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
    fn store_kept(
        (low, high): Self::Wide,
        keep: u64,
        _: usize,
        order: &ByteOrder,
        dst: &mut [MaybeUninit<u8>],
    ) {
        let [first, second] =
            interleave8_in_order(compress8(low.0, keep), compress8(high.0, keep), order);
        write_up_to_64_bytes(dst, 0, first);
        write_up_to_64_bytes(dst, 64, second);
    }

    #[inline(always)]
    fn store_kept_widened(
        (low, high): Self::Wide,
        keep: u64,
        _: usize,
        dst: &mut [MaybeUninit<u8>],
    ) {
        let units = interleave8(compress8(low.0, keep), compress8(high.0, keep));
        for (i, units) in units.into_iter().enumerate() {
            let [first, second] = halves(units);
            write_up_to_64_bytes(dst, 128 * i, op!(_mm512_cvtepu16_epi32(first)));
            write_up_to_64_bytes(dst, 128 * i + 64, op!(_mm512_cvtepu16_epi32(second)));
        }
    }

    #[inline(always)]
    fn store_kept_joined(
        (low, high): Self::Wide,
        (upper, _): Self::Wide,
        keep: u64,
        _: usize,
        dst: &mut [MaybeUninit<u8>],
    ) {
        // The upper half of a code point fits into one byte.
        let lower = interleave8(compress8(low.0, keep), compress8(high.0, keep));
        let upper = halves(compress8(upper.0, keep));
        for i in 0..2 {
            let joined = interleave16(lower[i], op!(_mm512_cvtepu8_epi16(upper[i])));
            write_up_to_64_bytes(dst, 128 * i, joined[0]);
            write_up_to_64_bytes(dst, 128 * i + 64, joined[1]);
        }
    }

    #[inline(always)]
    fn store_kept_bytes(self, keep: u64, _: usize, dst: &mut [MaybeUninit<u8>]) {
        write_up_to_64_bytes(dst, 0, compress8(self.0, keep));
    }

    #[inline(always)]
    fn store_widened<O: Order>(self, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        for (i, half) in halves(self.0).into_iter().enumerate() {
            let wide = op!(_mm512_cvtepu8_epi16(half));
            let wide = if O::BIG { op!(_mm512_slli_epi16::<8>(wide)) } else { wide };
            write_up_to_64_bytes(dst, 2 * unit_at + 64 * i, wide);
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
        for (i, half) in halves(self.0).into_iter().enumerate() {
            let wide = op!(_mm512_cvtepu8_epi16(half));
            write_up_to_64_bytes(dst, 2 * unit_at + 64 * i, op!(_mm512_sll_epi16(wide, bits)));
        }
    }

    #[inline(always)]
    fn store_widened_to_32_bits<O: Order>(self, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        for i in 0..4 {
            let wide = op!(_mm512_cvtepu8_epi32(quarter(self.0, i)));
            let wide = if O::BIG { op!(_mm512_slli_epi32::<24>(wide)) } else { wide };
            write_up_to_64_bytes(dst, 4 * unit_at + 64 * i, wide);
        }
    }

    #[inline(always)]
    fn store_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_up_to_64_bytes(dst, at, self.0);
    }

    #[inline(always)]
    fn store_compressed(self, group: usize, row: &[u8; 8], dst: &mut [MaybeUninit<u8>], at: usize) {
        // SAFETY: a row has eight bytes.
        let row = unsafe { _mm_loadl_epi64(row.as_ptr().cast()) };
        write_8_bytes(dst, at, op!(_mm_shuffle_epi8(quarter(self.0, group / 2), row)));
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(op!(_mm512_add_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> __mmask64 {
        op!(_mm512_cmpeq_epi8_mask(self.0, other.0))
    }

    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        Self(op!(_mm512_sub_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(op!(_mm512_min_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(op!(_mm512_max_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn sum(vectors: &[Self]) -> u32 {
        // Without a vector, nothing proves that the processor has the features.
        if vectors.is_empty() {
            return 0;
        }
        let zero = op!(_mm512_setzero_si512());
        let mut sums = zero;
        let mut k = 0;
        while k < vectors.len() {
            sums = op!(_mm512_add_epi64(sums, _mm512_sad_epu8(vectors[k].0, zero)));
            k += 1;
        }
        op!(_mm512_reduce_add_epi64(sums)) as u32
    }

    #[inline(always)]
    fn from_words(_: Avx512, words: [u64; 4]) -> Self {
        let [a, b, c, d] = words.map(u64::cast_signed);
        // SAFETY: the token proves the features.
        Self(unsafe { _mm512_set_epi64(0, 0, 0, 0, d, c, b, a) })
    }

    #[inline(always)]
    fn shift_in_zeros<const BY: usize>(self) -> Self {
        // The 16 bytes before each quarter: zeros, and the first three quarters.
        let before = op!(_mm512_alignr_epi64::<6>(self.0, _mm512_setzero_si512()));
        Self(match BY {
            1 => op!(_mm512_alignr_epi8::<15>(self.0, before)),
            2 => op!(_mm512_alignr_epi8::<14>(self.0, before)),
            _ => op!(_mm512_alignr_epi8::<13>(self.0, before)),
        })
    }

    #[inline(always)]
    fn shift_in_last<const BY: usize>(self, before: Self) -> Self {
        // The 16 bytes before each quarter: the last quarter of `before`, and the first three
        // quarters of `self`.
        let before = op!(_mm512_alignr_epi64::<6>(self.0, before.0));
        Self(match BY {
            1 => op!(_mm512_alignr_epi8::<15>(self.0, before)),
            2 => op!(_mm512_alignr_epi8::<14>(self.0, before)),
            _ => op!(_mm512_alignr_epi8::<13>(self.0, before)),
        })
    }
}

impl LookUpOps<U8x64> for Present {
    #[inline(always)]
    fn looked_up(self, bytes: U8x64, table: &'static [u8; 64]) -> U8x64 {
        // SAFETY: `table` has 64 bytes; `bytes` was made from an `Avx512` token.
        let table = unsafe { _mm512_loadu_si512(table.as_ptr().cast()) };
        // `vpermb` uses only the lower six bits of each index.
        U8x64(op!(_mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(bytes.0), table)))
    }

    #[inline(always)]
    fn by_leading_zeros(self, lanes: [U8x64; 4], table: &'static [u8; 64]) -> U8x64 {
        // SAFETY: `table` has 64 bytes; `lanes` were made from an `Avx512` token.
        let table = unsafe { _mm512_loadu_si512(table.as_ptr().cast()) };
        let [a, b, c, d] = lanes;
        let counts_of_first = leading_zeros(a, b);
        let counts = op!(_mm512_packus_epi16(counts_of_first, leading_zeros(c, d)));
        U8x64(op!(_mm512_permutexvar_epi8(counts, table)))
    }
}

/// Counts the leading zeros of the 32-bit lanes of two vectors. Returns the counts as 16-bit lanes,
/// packed within each quarter.
#[inline(always)]
fn leading_zeros(first: U8x64, second: U8x64) -> __m512i {
    op!(_mm512_packus_epi32(_mm512_lzcnt_epi32(first.0), _mm512_lzcnt_epi32(second.0)))
}

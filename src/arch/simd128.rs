//! WebAssembly's 128-bit vectors (`simd128`).
//!
//! A program can't detect the features of its engine: an engine accepts or refuses a module with
//! vector instructions as a whole. So the features are known at compile time, and only access to
//! memory is unsafe. A shift of bytes is written as a shift of 16-bit lanes and a mask. The x86
//! instruction sets have no shift of bytes, so an engine would otherwise compute the mask for each
//! shift.

mod lanes16;
mod lanes32;

use core::arch::wasm32::*;
use core::mem::MaybeUninit;

use crate::arch::optional::Absent;
use crate::arch::vector::Vector;
use crate::arch::vector_types::VectorTypes;
use crate::tables::{Little, Order, ShuffleRow};

/// A token that exists only in engines with 128-bit vectors, because other engines would have
/// refused this module.
#[derive(Clone, Copy)]
pub(crate) struct Simd128(());

impl Simd128 {
    /// Returns true: an engine that runs a program with these instructions has the features.
    pub(crate) fn detect() -> bool {
        true
    }

    /// Returns the token, like the function of this name for other instruction sets.
    #[cfg(all(test, feature = "std"))]
    pub(crate) fn detected() -> Option<Self> {
        Some(Self(()))
    }

    /// Returns the token.
    ///
    /// # Safety
    ///
    /// The caller has no duty, because an engine without the features would not have loaded the
    /// program. The function is `unsafe` as for other instruction sets.
    #[inline(always)]
    pub(crate) unsafe fn assume() -> Self {
        Self(())
    }

    /// Calls `f(self, a, b)`. For other instruction sets, this function also enables the target
    /// features.
    #[inline(always)]
    pub(crate) fn run<A, B, R>(self, a: A, b: B, f: impl FnOnce(Self, A, B) -> R) -> R {
        if !super::HAS_KERNELS {
            unreachable!();
        }
        f(self, a, b)
    }
}

/// A vector of 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct U8x16(v128);

/// Interleaves the bytes of two vectors, beginning with `a`.
#[inline(always)]
fn interleave8(a: v128, b: v128) -> (v128, v128) {
    (
        i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
        i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
    )
}

/// Interleaves the 16-bit lanes of two vectors, beginning with `a`.
#[inline(always)]
fn interleave16(a: v128, b: v128) -> (v128, v128) {
    (
        i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b),
        i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b),
    )
}

/// Interleaves the 32-bit lanes of two vectors, beginning with `a`.
#[inline(always)]
fn interleave32(a: v128, b: v128) -> (v128, v128) {
    (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b))
}

/// Widens the bytes of a vector to 16-bit units in byte order `O`.
#[inline(always)]
fn widen8<O: Order>(bytes: v128) -> [v128; 2] {
    let zero = u8x16_splat(0);
    let (first, second) = if O::BIG { interleave8(zero, bytes) } else { interleave8(bytes, zero) };
    [first, second]
}

/// Loads 16 bytes.
#[inline(always)]
fn load_16_bytes(bytes: &[u8; 16]) -> v128 {
    // SAFETY: `bytes` has 16 bytes, which need not be aligned.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Loads eight bytes; the upper half of the vector is zero.
#[inline(always)]
fn load_8_bytes(bytes: &[u8; 8]) -> v128 {
    // SAFETY: `bytes` has eight bytes, which need not be aligned.
    unsafe { v128_load64_zero(bytes.as_ptr().cast()) }
}

/// Writes a vector of 16 bytes to `dst` from byte `at` on.
#[inline(always)]
fn write_16_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: v128) {
    let to = &mut dst[at..at + 16];
    // SAFETY: `to` has 16 bytes, which need not be aligned.
    unsafe { v128_store(to.as_mut_ptr().cast(), vector) };
}

/// Writes the lower eight bytes of `vector` to `dst` from byte `at` on.
#[inline(always)]
fn write_8_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: v128) {
    let to = &mut dst[at..at + 8];
    // SAFETY: `to` has eight bytes, which need not be aligned.
    unsafe { v128_store64_lane::<0>(vector, to.as_mut_ptr().cast()) };
}

/// Shifts each byte left by `BY` bits. `mask` has the bits that can be set in a shifted byte.
#[inline(always)]
fn shl8<const BY: u32>(bytes: v128, mask: u8) -> v128 {
    v128_and(i16x8_shl(bytes, BY), u8x16_splat(mask))
}

/// Shifts each byte right by `BY` bits. `mask` has the bits that can be set in a shifted byte.
#[inline(always)]
fn shr8<const BY: u32>(bytes: v128, mask: u8) -> v128 {
    v128_and(u16x8_shr(bytes, BY), u8x16_splat(mask))
}

/// Converts the units in the lanes of `third`, which are 16-bit lanes of [`Vector::code_units`], to
/// high surrogates. The other units stay as they are.
#[inline(always)]
fn with_high_surrogates(units: v128, third: v128) -> v128 {
    let surrogate = i16x8_add(u16x8_shr(units, 4), u16x8_splat(0xD7C0));
    v128_bitselect(surrogate, units, third)
}

impl VectorTypes for U8x16 {
    type Token = Simd128;
    type Mask = Self;
}

impl Vector for U8x16 {
    type Wide = (v128, v128);
    type Units = v128;
    type Vector16 = Self;
    type Deinterleaved = Absent;
    type Masked = Absent;
    type LookUp = Absent;

    const LANES: usize = 16;
    const LONG_STEPS: bool = false;

    #[inline(always)]
    fn run_outlined<A, B, R>(token: Simd128, a: A, b: B, f: impl FnOnce(Simd128, A, B) -> R) -> R {
        #[inline(never)]
        fn with_features<A, B, R>(
            token: Simd128,
            a: A,
            b: B,
            f: impl FnOnce(Simd128, A, B) -> R,
        ) -> R {
            f(token, a, b)
        }
        with_features(token, a, b, f)
    }

    #[inline(always)]
    fn token_of_16_bytes(token: Simd128) -> Simd128 {
        token
    }

    #[inline(always)]
    fn splat(_: Simd128, byte: u8) -> Self {
        Self(u8x16_splat(byte))
    }

    #[inline(always)]
    fn load(_: Simd128, bytes: &[u8], at: usize) -> Self {
        let (bytes, _) = bytes[at..].split_first_chunk().expect("16 bytes to load");
        Self(load_16_bytes(bytes))
    }

    #[inline(always)]
    fn table(_: Simd128, table: &[u8; 16]) -> Self {
        Self(load_16_bytes(table))
    }

    #[inline(always)]
    fn lookup16(self, table: Self) -> Self {
        Self(i8x16_swizzle(table.0, self.0))
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn lookup128(self, token: Simd128, table: &[u8; 128]) -> Self {
        let mut found = Self::splat(token, 0);
        for (row, table) in (0..8).zip(table.as_chunks().0) {
            // For an index of 16 or above, a swizzle writes 0.
            let at = self.wrapping_sub(Self::splat(token, 16 * row));
            found = found.or(Self(i8x16_swizzle(Self::table(token, table).0, at.0)));
        }
        found
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn saturating_sub(self, other: Self) -> Self {
        Self(u8x16_sub_sat(self.0, other.0))
    }

    #[inline(always)]
    fn high_nibble(self) -> Self {
        Self(shr8::<4>(self.0, 0x0F))
    }

    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(self.0)
    }

    #[inline(always)]
    fn max_interleaved<const LANE_BYTES: usize>(self, other: Self) -> Self {
        let (lower, upper) = match LANE_BYTES {
            1 => interleave8(self.0, other.0),
            2 => interleave16(self.0, other.0),
            _ => interleave32(self.0, other.0),
        };
        Self(u8x16_max(lower, upper))
    }

    #[inline(always)]
    fn any_high_bit(self) -> bool {
        i8x16_bitmask(self.0) != 0
    }

    #[inline(always)]
    fn high_bit_mask(self) -> Self {
        self
    }

    #[inline(always)]
    fn continuation(self) -> Self {
        // As signed bytes, exactly 0x80..=0xBF are below 0xC0.
        Self(i8x16_lt(self.0, u8x16_splat(0xC0)))
    }

    #[inline(always)]
    fn from_mask(mask: Self) -> Self {
        Self(i8x16_lt(mask.0, u8x16_splat(0)))
    }

    #[inline(always)]
    fn bits(masks: &[Self]) -> u64 {
        let mut bits = 0;
        let mut k = 0;
        while k < masks.len() {
            bits |= u64::from(i8x16_bitmask(masks[k].0)) << (16 * k);
            k += 1;
        }
        bits
    }

    #[inline(always)]
    fn code_units(low: Self, middle: Self, high: Self) -> Self::Wide {
        // The low and the high bytes of the units are computed separately and then interleaved.
        let bytes = v128_or(low.0, shl8::<6>(middle.0, 0xC0));
        let tops = v128_or(shr8::<2>(middle.0, 0x0F), shl8::<4>(high.0, 0xF0));
        interleave8(bytes, tops)
    }

    #[inline(always)]
    fn code_units_and_surrogates(
        low: Self,
        middle: Self,
        high: Self,
        supplementary: Self,
        last: Self,
    ) -> Self::Wide {
        let bytes = v128_or(low.0, shl8::<6>(middle.0, 0xC0));
        let tops = v128_or(shr8::<2>(middle.0, 0x0F), shl8::<4>(high.0, 0xF0));
        let tops = v128_or(tops, v128_and(last.0, u8x16_splat(0xDC)));
        let (units, supplementary) =
            (interleave8(bytes, tops), interleave8(supplementary.0, supplementary.0));
        (
            with_high_surrogates(units.0, supplementary.0),
            with_high_surrogates(units.1, supplementary.1),
        )
    }

    #[inline(always)]
    fn group(wide: Self::Wide, group: usize) -> v128 {
        match group {
            0 => wide.0,
            _ => wide.1,
        }
    }

    #[inline(always)]
    fn compress(units: v128, row: &ShuffleRow) -> v128 {
        i8x16_swizzle(units, load_16_bytes(&row.0))
    }

    #[inline(always)]
    fn store(units: v128, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        write_16_bytes(dst, 2 * unit_at, units);
    }

    #[inline(always)]
    fn store_units_widened<O: Order>(units: v128, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        Self::store_joined::<O>(units, u8x16_splat(0), dst, unit_at);
    }

    #[inline(always)]
    fn store_joined<O: Order>(low: v128, upper: v128, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        let (first, second) =
            if O::BIG { interleave16(upper, low) } else { interleave16(low, upper) };
        write_16_bytes(dst, 4 * unit_at, first);
        write_16_bytes(dst, 4 * unit_at + 16, second);
    }

    #[inline(always)]
    fn store_widened<O: Order>(self, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        for (i, half) in widen8::<O>(self.0).into_iter().enumerate() {
            write_16_bytes(dst, 2 * unit_at + 16 * i, half);
        }
    }

    #[inline(always)]
    fn store_shifted(self, bits: i32, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        for (i, half) in widen8::<Little>(self.0).into_iter().enumerate() {
            write_16_bytes(dst, 2 * unit_at + 16 * i, i16x8_shl(half, bits.cast_unsigned()));
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
        write_8_bytes(dst, at, i8x16_swizzle(self.0, load_8_bytes(row)));
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(i8x16_add(self.0, other.0))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Self(i8x16_eq(self.0, other.0))
    }

    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        Self(i8x16_sub(self.0, other.0))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(u8x16_min(self.0, other.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(u8x16_max(self.0, other.0))
    }

    #[inline(always)]
    fn sum(vectors: &[Self]) -> u32 {
        // The sum of 16 pairs of bytes fits into a 16-bit lane.
        let mut sums = u8x16_splat(0);
        let mut k = 0;
        while k < vectors.len() {
            sums = i16x8_add(sums, i16x8_extadd_pairwise_u8x16(vectors[k].0));
            k += 1;
        }
        let sums = i32x4_extadd_pairwise_u16x8(sums);
        let sums = i32x4_add(sums, i64x2_shuffle::<1, 0>(sums, sums));
        u32x4_extract_lane::<0>(sums) + u32x4_extract_lane::<1>(sums)
    }

    #[inline(always)]
    fn from_words(_: Simd128, words: [u64; 4]) -> Self {
        Self(u64x2(words[0], words[1]))
    }

    #[inline(always)]
    fn shift_in_zeros<const BY: usize>(self) -> Self {
        let zero = u8x16_splat(0);
        Self(match BY {
            1 => i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(
                zero, self.0,
            ),
            2 => i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(
                zero, self.0,
            ),
            _ => i8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(
                zero, self.0,
            ),
        })
    }

    #[inline(always)]
    fn shift_in_last<const BY: usize>(self, before: Self) -> Self {
        Self(match BY {
            1 => i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(
                before.0, self.0,
            ),
            2 => i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(
                before.0, self.0,
            ),
            _ => i8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(
                before.0, self.0,
            ),
        })
    }
}

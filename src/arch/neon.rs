//! NEON, which every little-endian AArch64 processor has.
//!
//! `build.rs` compiles this module only for targets that have the feature. So a few functions that
//! take neither a vector nor a token are sound. Their comments say that no token is needed.

mod deinterleave;
mod lanes16;
mod lanes32;

use core::arch::aarch64::*;
use core::arch::asm;
use core::hint;
use core::mem::MaybeUninit;
use core::slice;

use crate::arch::optional::{Absent, Present};
use crate::arch::vector::Vector;
use crate::arch::vector_types::VectorTypes;
use crate::tables::{ByteOrder, Little, Order, ShuffleRow};

/// A token that exists only on processors with NEON.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
    /// Returns true if this processor has NEON.
    pub(crate) fn detect() -> bool {
        cfg_if::cfg_if! {
            if #[cfg(feature = "std")] {
                std::arch::is_aarch64_feature_detected!("neon")
            } else {
                cfg!(target_feature = "neon")
            }
        }
    }

    /// Returns the token if [`detect`](Self::detect) returns true.
    #[cfg(all(test, feature = "std"))]
    pub(crate) fn detected() -> Option<Self> {
        Self::detect().then_some(Self(()))
    }

    /// Returns the token. A function that enables NEON can call this one without `unsafe`; other
    /// callers must know that the processor has NEON.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn assume() -> Self {
        Self(())
    }

    /// Calls `f(self, a, b)` in a function that enables NEON. Arguments are passed in registers,
    /// unlike the captures of a closure, and the compiler knows that an argument that is a mutable
    /// slice has no alias.
    #[inline(always)]
    pub(crate) fn run<A, B, R>(self, a: A, b: B, f: impl FnOnce(Self, A, B) -> R) -> R {
        // No machine code is generated for the rest if the build has no vector kernels.
        if !super::HAS_KERNELS {
            unreachable!();
        }
        #[inline]
        #[target_feature(enable = "neon")]
        fn with_features<A, B, R>(token: Neon, a: A, b: B, f: impl FnOnce(Neon, A, B) -> R) -> R {
            f(token, a, b)
        }
        // SAFETY: a token exists only on a processor with these features.
        unsafe { with_features(self, a, b, f) }
    }
}

/// A vector of 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct U8x16(uint8x16_t);

/// Returns the same vector, and hides its value from LLVM, which would replace some operations with
/// slower ones: a pairwise sum of disjoint bits with three instructions, a test of any lane of a
/// mask with seven.
#[inline(always)]
fn opaque(vector: uint8x16_t) -> uint8x16_t {
    let same;
    // SAFETY: the assembly is a comment without an instruction, so it reads, writes and clobbers
    // nothing.
    unsafe {
        asm!(
            "/* {0:v} */",
            inlateout(vreg) vector => same,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    same
}

/// The bit of each lane of a mask in the eight bits of its half of the vector.
const LANE_BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Returns [`LANE_BITS`] as a vector. No token is needed.
#[inline(always)]
fn load_lane_bits() -> uint8x16_t {
    // SAFETY: `LANE_BITS` has 16 bytes. The module is compiled only for targets that have NEON.
    unsafe { vld1q_u8(LANE_BITS.as_ptr()) }
}

/// Returns a vector whose lanes are all `byte`. No token is needed.
#[inline(always)]
fn splat(byte: u8) -> uint8x16_t {
    // SAFETY: the module is compiled only for targets that have NEON.
    unsafe { vdupq_n_u8(byte) }
}

/// Computes `low | middle << 6 | high << 12` for each lane. Returns the low bytes and the high
/// bytes.
#[inline(always)]
fn combine_bits(low: U8x16, middle: U8x16, high: U8x16) -> (uint8x16_t, uint8x16_t) {
    (
        op!(vorrq_u8(low.0, vshlq_n_u8::<6>(middle.0))),
        op!(vsliq_n_u8::<4>(vshrq_n_u8::<2>(middle.0), high.0)),
    )
}

/// Widens the bytes of a vector to 16-bit units in byte order `O`.
#[inline(always)]
fn widen8<O: Order>(bytes: uint8x16_t) -> [uint8x16_t; 2] {
    let zero = op!(vdupq_n_u8(0));
    let (first, second) = if O::BIG { (zero, bytes) } else { (bytes, zero) };
    [op!(vzip1q_u8(first, second)), op!(vzip2q_u8(first, second))]
}

/// Byte `k` of the result is the number of set bits in the first `k + 1` bytes of `keep`, times
/// `size`. No token is needed.
#[inline(always)]
fn count_cumulative(keep: u64, size: usize) -> u64 {
    // SAFETY: the module is compiled only for targets that have NEON.
    let counts = unsafe { vget_lane_u64::<0>(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(keep)))) };
    counts.wrapping_mul(size as u64 * 0x0101_0101_0101_0101)
}

/// Returns the number of bytes that are kept before group `group` of eight units. A unit has `size`
/// bytes, one or two.
#[inline(always)]
fn bytes_before(keep: u64, group: usize, size: usize) -> usize {
    let Some(previous) = group.checked_sub(1) else { return 0 };
    let before = (count_cumulative(keep, size) >> (8 * previous) & 0xFF) as usize;
    // SAFETY: each group before `group` has eight units of `size` bytes.
    unsafe { hint::assert_unchecked(before <= 8 * size * group) };
    before
}

/// Moves the units of a group that `keep` selects to the front, with a row of `rows`.
#[inline(always)]
fn compress_group(
    units: uint8x16_t,
    keep: u64,
    group: usize,
    rows: &[ShuffleRow; 256],
) -> uint8x16_t {
    U8x16::compress(units, &rows[(keep >> (8 * group) & 0xFF) as usize])
}

/// Writes a vector of 16 bytes to `dst` from byte `at` on.
#[inline(always)]
fn write_16_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: uint8x16_t) {
    let to = &mut dst[at..at + 16];
    // SAFETY: `to` has 16 bytes.
    unsafe { vst1q_u8(to.as_mut_ptr().cast(), vector) };
}

/// Writes a vector of eight bytes to `dst` from byte `at` on.
#[inline(always)]
fn write_8_bytes(dst: &mut [MaybeUninit<u8>], at: usize, vector: uint8x8_t) {
    let to = &mut dst[at..at + 8];
    // SAFETY: `to` has eight bytes.
    unsafe { vst1_u8(to.as_mut_ptr().cast(), vector) };
}

#[expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one duty for all: the operands prove the features"
)]
impl VectorTypes for U8x16 {
    type Token = Neon;
    type Mask = Self;
}

impl Vector for U8x16 {
    type Wide = (uint8x16_t, uint8x16_t);
    type Units = uint8x16_t;
    type Vector16 = Self;
    type Deinterleaved = Present;
    type Masked = Absent;
    type LookUp = Absent;

    const LANES: usize = 16;
    const LONG_STEPS: bool = true;

    #[inline(always)]
    fn run_outlined<A, B, R>(token: Neon, a: A, b: B, f: impl FnOnce(Neon, A, B) -> R) -> R {
        #[inline(never)]
        #[target_feature(enable = "neon")]
        fn with_features<A, B, R>(token: Neon, a: A, b: B, f: impl FnOnce(Neon, A, B) -> R) -> R {
            f(token, a, b)
        }
        // SAFETY: a token exists only on a processor with these features.
        unsafe { with_features(token, a, b, f) }
    }

    #[inline(always)]
    fn token_of_16_bytes(token: Neon) -> Neon {
        token
    }

    #[inline(always)]
    fn splat(_: Neon, byte: u8) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { vdupq_n_u8(byte) })
    }

    #[inline(always)]
    fn load(_: Neon, bytes: &[u8], at: usize) -> Self {
        let bytes = &bytes[at..at + 16];
        // SAFETY: `bytes` has 16 bytes; the token proves the features.
        Self(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    /// Returns the suffix with its offset hidden from LLVM. Two vectors at multiples of 16 from an
    /// address in a register are then loaded by one instruction.
    #[inline(always)]
    fn suffix(bytes: &[u8], from: usize) -> &[u8] {
        assert!(from <= bytes.len());
        let same: usize;
        // SAFETY: the assembly is a comment without an instruction, so it reads, writes and
        // clobbers nothing.
        unsafe {
            asm!(
                "/* {0} */",
                inlateout(reg) from => same,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        // SAFETY: `same` equals `from`, which is in bounds.
        let start = unsafe { bytes.as_ptr().add(same) };
        // SAFETY: `bytes.len() - from` bytes follow `start` in `bytes`.
        unsafe { slice::from_raw_parts(start, bytes.len() - from) }
    }

    #[inline(always)]
    fn delay_loads(self, bytes: &[u8]) -> &[u8] {
        let same: *const u8;
        // SAFETY: the assembly is a comment without an instruction, so it reads, writes and
        // clobbers nothing.
        unsafe {
            asm!(
                "/* {0} {1:v} */",
                inlateout(reg) bytes.as_ptr() => same,
                in(vreg) self.0,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        // SAFETY: `same` is the pointer of `bytes`, so the new slice is the same as `bytes`.
        unsafe { slice::from_raw_parts(same, bytes.len()) }
    }

    #[inline(always)]
    fn table(token: Neon, table: &[u8; 16]) -> Self {
        Self::load(token, table, 0)
    }

    #[inline(always)]
    fn lookup16(self, table: Self) -> Self {
        Self(op!(vqtbl1q_u8(table.0, self.0)))
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn lookup128(self, token: Neon, table: &[u8; 128]) -> Self {
        let lower = uint8x16x4_t(
            Self::load(token, table, 0).0,
            Self::load(token, table, 16).0,
            Self::load(token, table, 32).0,
            Self::load(token, table, 48).0,
        );
        let upper = uint8x16x4_t(
            Self::load(token, table, 64).0,
            Self::load(token, table, 80).0,
            Self::load(token, table, 96).0,
            Self::load(token, table, 112).0,
        );
        let above = self.wrapping_sub(Self::splat(token, 64));
        let low = op!(vqtbl4q_u8(lower, self.0));
        // For an index out of range, the first lookup writes 0, and the second one keeps `low`.
        Self(op!(vqtbx4q_u8(low, upper, above.0)))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(op!(vandq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(op!(vorrq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(op!(veorq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn saturating_sub(self, other: Self) -> Self {
        Self(op!(vqsubq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn high_nibble(self) -> Self {
        Self(op!(vshrq_n_u8::<4>(self.0)))
    }

    #[inline(always)]
    fn any(self) -> bool {
        op!(vmaxvq_u8(opaque(self.0)) != 0)
    }

    #[inline(always)]
    fn max_interleaved<const LANE_BYTES: usize>(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        let (lower, upper) = match LANE_BYTES {
            1 => (op!(vzip1q_u8(a, b)), op!(vzip2q_u8(a, b))),
            2 => {
                let (a, b) = (op!(vreinterpretq_u16_u8(a)), op!(vreinterpretq_u16_u8(b)));
                let (lower, upper) = (op!(vzip1q_u16(a, b)), op!(vzip2q_u16(a, b)));
                (op!(vreinterpretq_u8_u16(lower)), op!(vreinterpretq_u8_u16(upper)))
            }
            _ => {
                let (a, b) = (op!(vreinterpretq_u32_u8(a)), op!(vreinterpretq_u32_u8(b)));
                let (lower, upper) = (op!(vzip1q_u32(a, b)), op!(vzip2q_u32(a, b)));
                (op!(vreinterpretq_u8_u32(lower)), op!(vreinterpretq_u8_u32(upper)))
            }
        };
        Self(op!(vmaxq_u8(lower, upper)))
    }

    #[inline(always)]
    fn any_high_bit(self) -> bool {
        op!(vmaxvq_u8(self.0) >= 0x80)
    }

    #[inline(always)]
    fn any_at_least(self, _: Neon, least: u8) -> bool {
        op!(vmaxvq_u8(self.0) >= least)
    }

    #[inline(always)]
    fn at_least(self, _: Neon, least: u8) -> Self {
        Self(op!(vcgeq_u8(self.0, vdupq_n_u8(least))))
    }

    #[inline(always)]
    fn mark_at_least(self, token: Neon, least: u8) -> Self {
        // In `decrement_marked`, 0xFF is added as -1.
        self.at_least(token, least)
    }

    #[inline(always)]
    fn decrement_marked(self, _: Neon, marks: Self) -> Self {
        self.add(marks)
    }

    #[inline(always)]
    fn high_bit_mask(self) -> Self {
        Self(op!(vcgeq_u8(self.0, vdupq_n_u8(0x80))))
    }

    #[inline(always)]
    fn continuation(self) -> Self {
        // As signed bytes, exactly 0x80..=0xBF are below 0xC0.
        Self(op!(vcltq_s8(vreinterpretq_s8_u8(self.0), vdupq_n_s8(0xC0_u8 as i8))))
    }

    #[inline(always)]
    fn from_mask(mask: Self) -> Self {
        mask
    }

    #[inline(always)]
    fn bits(masks: &[Self]) -> u64 {
        // Each set lane becomes its bit. Three pairwise sums leave a byte for every eight lanes.
        let lane_bits = opaque(load_lane_bits());
        let select_bits = |k: usize| match masks.get(k) {
            Some(mask) => op!(vandq_u8(mask.0, lane_bits)),
            None => op!(vdupq_n_u8(0)),
        };
        let sum_of_two = op!(vpaddq_u8(select_bits(0), select_bits(1)));
        let sum = if masks.len() > 2 {
            op!(vpaddq_u8(sum_of_two, vpaddq_u8(select_bits(2), select_bits(3))))
        } else {
            op!(vpaddq_u8(sum_of_two, sum_of_two))
        };
        let sum = opaque(op!(vpaddq_u8(sum, sum)));
        let result = op!(vgetq_lane_u64::<0>(vreinterpretq_u64_u8(sum)));
        if masks.len() > 2 { result } else { result & 0xFFFF_FFFF }
    }

    #[inline(always)]
    fn code_units(low: Self, middle: Self, high: Self) -> Self::Wide {
        let (bytes, tops) = combine_bits(low, middle, high);
        (op!(vzip1q_u8(bytes, tops)), op!(vzip2q_u8(bytes, tops)))
    }

    #[inline(always)]
    fn code_units_and_surrogates(
        low: Self,
        middle: Self,
        high: Self,
        supplementary: Self,
        last: Self,
    ) -> Self::Wide {
        let (bytes, tops) = combine_bits(low, middle, high);
        // 0xD7C0 is 0xD000 + (0x7C00 >> 4). So 0x7C00 is added before the shift, where nothing
        // carries from the low byte.
        let raised = op!(vaddq_u8(tops, vdupq_n_u8(0x7C)));
        let shifted = op!(vsliq_n_u8::<4>(vshrq_n_u8::<4>(bytes), raised));
        let bytes = op!(vbslq_u8(supplementary.0, shifted, bytes));
        let tops = op!(vbslq_u8(supplementary.0, vsriq_n_u8::<4>(vdupq_n_u8(0xD0), raised), tops));
        let tops = op!(vorrq_u8(tops, vandq_u8(last.0, vdupq_n_u8(0xDC))));
        (op!(vzip1q_u8(bytes, tops)), op!(vzip2q_u8(bytes, tops)))
    }

    #[inline(always)]
    fn group(wide: Self::Wide, group: usize) -> uint8x16_t {
        match group {
            0 => wide.0,
            _ => wide.1,
        }
    }

    #[inline(always)]
    fn compress(units: uint8x16_t, row: &ShuffleRow) -> uint8x16_t {
        // SAFETY: a row has 16 bytes.
        let row = unsafe { vld1q_u8(row.0.as_ptr()) };
        op!(vqtbl1q_u8(units, row))
    }

    #[inline(always)]
    fn store(units: uint8x16_t, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        write_16_bytes(dst, 2 * unit_at, units);
    }

    #[inline(always)]
    fn kept(keep: u64) -> usize {
        Self::kept_units(keep, 1)
    }

    #[inline(always)]
    fn kept_units(keep: u64, size: usize) -> usize {
        // For two-byte units, the multiplication is the one that `bytes_before` needs anyway.
        let size = if size == 2 { 2 } else { 1 };
        let kept = (count_cumulative(keep, size) >> 56) as usize / size;
        // SAFETY: `keep` has 64 bits.
        unsafe { hint::assert_unchecked(kept <= 64) };
        kept
    }

    #[inline(always)]
    fn kept_before(keep: u64, group: usize) -> usize {
        bytes_before(keep, group, 1)
    }

    #[inline(always)]
    fn store_kept(
        wide: Self::Wide,
        keep: u64,
        k: usize,
        order: &ByteOrder,
        dst: &mut [MaybeUninit<u8>],
    ) {
        for group in [2 * k, 2 * k + 1] {
            let units =
                compress_group(Self::group(wide, group % 2), keep, group, &order.compress16);
            write_16_bytes(dst, bytes_before(keep, group, 2), units);
        }
    }

    #[inline(always)]
    fn store_units_widened<O: Order>(
        units: uint8x16_t,
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    ) {
        Self::store_joined::<O>(units, op!(vdupq_n_u8(0)), dst, unit_at);
    }

    #[inline(always)]
    fn store_joined<O: Order>(
        low: uint8x16_t,
        upper: uint8x16_t,
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    ) {
        let (first, second) = if O::BIG { (upper, low) } else { (low, upper) };
        let (first, second) = (op!(vreinterpretq_u16_u8(first)), op!(vreinterpretq_u16_u8(second)));
        write_16_bytes(dst, 4 * unit_at, op!(vreinterpretq_u8_u16(vzip1q_u16(first, second))));
        write_16_bytes(dst, 4 * unit_at + 16, op!(vreinterpretq_u8_u16(vzip2q_u16(first, second))));
    }

    #[inline(always)]
    fn store_widened<O: Order>(self, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        for (i, half) in widen8::<O>(self.0).into_iter().enumerate() {
            write_16_bytes(dst, 2 * unit_at + 16 * i, half);
        }
    }

    #[inline(always)]
    fn store_shifted(self, bits: i32, dst: &mut [MaybeUninit<u8>], unit_at: usize) {
        let shift = op!(vdupq_n_s16(bits as i16));
        for (i, half) in widen8::<Little>(self.0).into_iter().enumerate() {
            let half = op!(vshlq_u16(vreinterpretq_u16_u8(half), shift));
            write_16_bytes(dst, 2 * unit_at + 16 * i, op!(vreinterpretq_u8_u16(half)));
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
        let row = unsafe { vld1_u8(row.as_ptr()) };
        write_8_bytes(dst, at, op!(vqtbl1_u8(self.0, row)));
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(op!(vaddq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Self(op!(vceqq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        Self(op!(vsubq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(op!(vminq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(op!(vmaxq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn sum(vectors: &[Self]) -> u32 {
        // The sum of 16 pairs of bytes fits into a 16-bit lane.
        let mut sums = op!(vdupq_n_u16(0));
        let mut k = 0;
        while k < vectors.len() {
            sums = op!(vpadalq_u8(sums, vectors[k].0));
            k += 1;
        }
        op!(vaddlvq_u16(sums))
    }

    #[inline(always)]
    fn from_words(_: Neon, words: [u64; 4]) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe {
            vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(words[0]), vcreate_u64(words[1])))
        })
    }

    #[inline(always)]
    fn shift_in_zeros<const BY: usize>(self) -> Self {
        let zero = op!(vdupq_n_u8(0));
        Self(match BY {
            1 => op!(vextq_u8::<15>(zero, self.0)),
            2 => op!(vextq_u8::<14>(zero, self.0)),
            _ => op!(vextq_u8::<13>(zero, self.0)),
        })
    }

    #[inline(always)]
    fn shift_in_last<const BY: usize>(self, before: Self) -> Self {
        Self(match BY {
            1 => op!(vextq_u8::<15>(before.0, self.0)),
            2 => op!(vextq_u8::<14>(before.0, self.0)),
            _ => op!(vextq_u8::<13>(before.0, self.0)),
        })
    }
}

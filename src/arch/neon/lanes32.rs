//! 32-bit lanes on NEON.

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::neon::{Neon, U8x16};
use crate::arch::vector::Vector;
use crate::tables::Order;

/// Returns a vector as 32-bit lanes.
#[inline(always)]
fn lanes(vector: U8x16) -> uint32x4_t {
    op!(vreinterpretq_u32_u8(vector.0))
}

/// Returns 32-bit lanes as a vector.
#[inline(always)]
fn from_lanes(lanes: uint32x4_t) -> U8x16 {
    U8x16(op!(vreinterpretq_u8_u32(lanes)))
}

/// Returns a vector as 16-bit lanes.
#[inline(always)]
fn to_lanes16(vector: U8x16) -> uint16x8_t {
    op!(vreinterpretq_u16_u8(vector.0))
}

/// Returns 16-bit lanes as a vector.
#[inline(always)]
fn from_lanes16(lanes: uint16x8_t) -> U8x16 {
    U8x16(op!(vreinterpretq_u8_u16(lanes)))
}

#[expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one duty for all: the operands prove the features"
)]
impl Lanes32 for U8x16 {
    #[inline(always)]
    fn splat32(_: Neon, unit: u32) -> Self {
        // SAFETY: the token proves the features.
        from_lanes(unsafe { vdupq_n_u32(unit) })
    }

    #[inline(always)]
    fn swap_bytes32_if_big<O: Order>(self) -> Self {
        if O::BIG { Self(op!(vrev32q_u8(self.0))) } else { self }
    }

    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        from_lanes(op!(vaddq_u32(lanes(self), lanes(other))))
    }

    #[inline(always)]
    fn max_u32(self, other: Self) -> Self {
        from_lanes(op!(vmaxq_u32(lanes(self), lanes(other))))
    }

    #[inline(always)]
    fn shl32<const BY: i32>(self) -> Self {
        from_lanes(op!(vshlq_n_u32::<BY>(lanes(self))))
    }

    #[inline(always)]
    fn shr32<const BY: i32>(self) -> Self {
        from_lanes(op!(vshrq_n_u32::<BY>(lanes(self))))
    }

    #[inline(always)]
    fn equal32(self, other: Self) -> Self {
        from_lanes(op!(vceqq_u32(lanes(self), lanes(other))))
    }

    #[cfg(feature = "columns")]
    #[inline(always)]
    fn bits32(self) -> u32 {
        const LANE_INDICES: [i32; 4] = [0, 1, 2, 3];
        // SAFETY: `LANE_INDICES` has four elements; `self` was made from a `Neon` token.
        let indices = unsafe { vld1q_s32(LANE_INDICES.as_ptr()) };
        op!(vaddvq_u32(vshlq_u32(vshrq_n_u32::<31>(lanes(self)), indices)))
    }

    #[inline(always)]
    fn greater_i32(self, other: Self) -> Self {
        let signed = |vector: Self| op!(vreinterpretq_s32_u8(vector.0));
        from_lanes(op!(vcgtq_s32(signed(self), signed(other))))
    }

    #[inline(always)]
    fn join_halves16(low: Self, high: Self) -> Self {
        let lower = op!(vdupq_n_u32(0xFFFF));
        from_lanes(op!(vbslq_u32(lower, lanes(low), lanes(high))))
    }

    #[inline(always)]
    fn narrow_to_u16(first: Self, second: Self) -> Self {
        from_lanes16(op!(vuzp1q_u16(to_lanes16(first), to_lanes16(second))))
    }

    #[inline(always)]
    fn narrow32_signed_unordered(first: Self, second: Self) -> Self {
        let narrow = |vector: Self| op!(vqmovn_s32(vreinterpretq_s32_u8(vector.0)));
        let both = op!(vcombine_s16(narrow(first), narrow(second)));
        Self(op!(vreinterpretq_u8_s16(both)))
    }

    #[inline(always)]
    fn high_halves16(first: Self, second: Self) -> Self {
        from_lanes16(op!(vuzp2q_u16(to_lanes16(first), to_lanes16(second))))
    }

    #[inline(always)]
    fn narrow_four_to_bytes(lanes: [Self; 4]) -> Self {
        let [a, b, c, d] = lanes;
        let (first, second) = (Self::narrow_to_u16(a, b), Self::narrow_to_u16(c, d));
        Self(op!(vuzp1q_u8(first.0, second.0)))
    }

    #[inline(always)]
    fn store_low_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let narrow = Self::narrow_to_u16(self, self);
        let bytes = op!(vgetq_lane_u32::<0>(lanes(Self(vuzp1q_u8(narrow.0, narrow.0)))));
        for (to, byte) in dst[at..at + 4].iter_mut().zip(bytes.to_le_bytes()) {
            to.write(byte);
        }
    }

    #[inline(always)]
    fn byte_order_pattern16(token: Neon, big_endian: bool) -> Self {
        // SAFETY: the token proves the features.
        let identity = from_lanes(unsafe {
            vreinterpretq_u32_u64(vcombine_u64(
                vcreate_u64(0x0706_0504_0302_0100),
                vcreate_u64(0x0F0E_0D0C_0B0A_0908),
            ))
        });
        identity.xor(Self::splat(token, u8::from(big_endian)))
    }

    #[inline(always)]
    fn shuffled(self, pattern: Self) -> Self {
        Self(op!(vqtbl1q_u8(self.0, pattern.0)))
    }

    #[inline(always)]
    fn store_low_halves16(self, pattern: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let units = Self::narrow_to_u16(self, self).shuffled(pattern);
        let to = &mut dst[at..at + 8];
        // SAFETY: `to` has eight bytes.
        unsafe { vst1_u8(to.as_mut_ptr().cast(), vget_low_u8(units.0)) };
    }
}

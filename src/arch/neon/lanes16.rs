//! 16-bit lanes on NEON.

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::neon::{Neon, U8x16, load_lane_bits, opaque, write_8_bytes, write_16_bytes};
use crate::arch::vector::Vector;
use crate::tables::Order;

/// Returns a vector as 16-bit lanes.
#[inline(always)]
fn lanes(vector: U8x16) -> uint16x8_t {
    op!(vreinterpretq_u16_u8(vector.0))
}

/// Returns 16-bit lanes as a vector.
#[inline(always)]
fn from_lanes(lanes: uint16x8_t) -> U8x16 {
    U8x16(op!(vreinterpretq_u8_u16(lanes)))
}

/// Returns 32-bit lanes whose lower halves are `lower` and whose upper halves are `upper`. A
/// [group](Vector::group) has four of them.
#[inline(always)]
fn joined(lower: U8x16, upper: U8x16) -> (uint8x16_t, uint8x16_t) {
    (
        op!(vreinterpretq_u8_u16(vzip1q_u16(lanes(lower), lanes(upper)))),
        op!(vreinterpretq_u8_u16(vzip2q_u16(lanes(lower), lanes(upper)))),
    )
}

#[expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one duty for all: the operands prove the features"
)]
impl Lanes16 for U8x16 {
    #[inline(always)]
    fn splat16(_: Neon, unit: u16) -> Self {
        // SAFETY: the token proves the features.
        from_lanes(unsafe { vdupq_n_u16(unit) })
    }

    #[inline(always)]
    fn swap_bytes16_if_big<O: Order>(self) -> Self {
        if O::BIG { Self(op!(vrev16q_u8(self.0))) } else { self }
    }

    #[inline(always)]
    fn add16(self, other: Self) -> Self {
        from_lanes(op!(vaddq_u16(lanes(self), lanes(other))))
    }

    #[inline(always)]
    fn sub16(self, other: Self) -> Self {
        from_lanes(op!(vsubq_u16(lanes(self), lanes(other))))
    }

    #[inline(always)]
    fn shl16<const BY: i32>(self) -> Self {
        from_lanes(op!(vshlq_n_u16::<BY>(lanes(self))))
    }

    #[inline(always)]
    fn shr16<const BY: i32>(self) -> Self {
        from_lanes(op!(vshrq_n_u16::<BY>(lanes(self))))
    }

    #[inline(always)]
    fn equal16(self, other: Self) -> Self {
        from_lanes(op!(vceqq_u16(lanes(self), lanes(other))))
    }

    #[inline(always)]
    fn above16_signed(self, other: Self) -> Self {
        let signed = |vector: Self| op!(vreinterpretq_s16_u8(vector.0));
        from_lanes(op!(vcgtq_s16(signed(self), signed(other))))
    }

    #[inline(always)]
    fn min16_signed(self, other: Self) -> Self {
        let signed = |vector: Self| op!(vreinterpretq_s16_u8(vector.0));
        Self(op!(vreinterpretq_u8_s16(vminq_s16(signed(self), signed(other)))))
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        Self(op!(vbslq_u8(self.0, yes.0, no.0)))
    }

    #[inline(always)]
    fn picked(self, row: Self) -> Self {
        Self(op!(vqtbl1q_u8(self.0, row.0)))
    }

    #[inline(always)]
    fn packed8(first: Self, second: Self, row: Self) -> Self {
        let row_for_second = Self(op!(vextq_u8::<8>(row.0, row.0)));
        first.picked(row).or(second.picked(row_for_second))
    }

    #[inline(always)]
    fn narrow(first: Self, second: Self) -> Self {
        Self(op!(vuzp1q_u8(first.0, second.0)))
    }

    #[inline(always)]
    fn store_narrowed(self, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_8_bytes(dst, at, op!(vmovn_u16(lanes(self))));
    }

    #[inline(always)]
    fn store_widened16_to_32_bits(
        self,
        rows: [Self; 2],
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    ) {
        write_16_bytes(dst, 4 * unit_at, self.picked(rows[0]).0);
        write_16_bytes(dst, 4 * unit_at + 16, self.picked(rows[1]).0);
    }

    #[inline(always)]
    fn bits16(first: Self, second: Self) -> u64 {
        Self::narrow(first, second).bits8()
    }

    #[inline(always)]
    fn bits8(self) -> u64 {
        // Each set byte becomes its bit. Three pairwise sums leave a byte for every eight bytes.
        let bits = op!(vandq_u8(self.0, opaque(load_lane_bits())));
        let sum = opaque(op!(vpaddq_u8(bits, bits)));
        let sum = opaque(op!(vpaddq_u8(sum, sum)));
        let sum = opaque(op!(vpaddq_u8(sum, sum)));
        u64::from(op!(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(sum))))
    }

    #[inline(always)]
    fn paired(self, high: Self) -> (uint8x16_t, uint8x16_t) {
        (op!(vzip1q_u8(self.0, high.0)), op!(vzip2q_u8(self.0, high.0)))
    }

    #[cfg(feature = "code-pages")]
    #[inline(always)]
    fn interleaved(self, high: Self) -> [Self; 2] {
        let (first, second) = self.paired(high);
        [Self(first), Self(second)]
    }

    #[inline(always)]
    fn eight_lanes(self, _: usize) -> uint8x16_t {
        self.0
    }

    #[inline(always)]
    fn write_vector(units: uint8x16_t, dst: &mut [MaybeUninit<u8>], at: usize) {
        write_16_bytes(dst, at, units);
    }

    #[inline(always)]
    fn write_three_byte(bytes: Self, lead: Self, dst: &mut [MaybeUninit<u8>], at: usize) {
        let wide = joined(bytes, lead);
        const ROW: [u8; 16] = [2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 128, 128, 128, 128];
        // SAFETY: `ROW` has 16 bytes; `bytes` and `lead` prove the features.
        let row = unsafe { vld1q_u8(ROW.as_ptr()) };
        write_16_bytes(dst, at, op!(vqtbl1q_u8(wide.0, row)));
        write_16_bytes(dst, at + 12, op!(vqtbl1q_u8(wide.1, row)));
    }

    #[inline(always)]
    fn joined16(bytes: Self, lead: Self) -> Self::Wide {
        joined(bytes, lead)
    }
}

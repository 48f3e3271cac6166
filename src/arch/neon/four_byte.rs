//! Four-byte characters, 16 at a time: loaded with the first bytes of all of them in one vector and
//! the second ones in another, and written in the same way.
//!
//! ```text
//!   11110uuu 10uuzzzz 10yyyyyy 10xxxxxx
//!   110110ww wwzzzzyy 110111yy yyxxxxxx   wwww = uuuuu - 1
//! ```

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use crate::arch::neon::{Neon, U8x16, first_lanes, splat};
use crate::arch::optional::{FourByteOps, Present};
use crate::arch::vector::Vector;

/// The bytes of 16 characters.
struct Fours {
    bytes: uint8x16x4_t,
    /// 110uuuuu, 61 less: 0110wwww.
    plane: uint8x16_t,
}

impl Fours {
    #[inline(always)]
    fn load(_: Neon, bytes: &[u8; 64]) -> Self {
        // SAFETY: 64 bytes are there; the token proves the features.
        let bytes = unsafe { vld4q_u8(bytes.as_ptr()) };
        let five = op!(vsliq_n_u8::<2>(vshrq_n_u8::<4>(bytes.1), bytes.0));
        Self { bytes, plane: op!(vsubq_u8(five, splat(0x61))) }
    }

    /// Returns the number of well-formed four-byte characters before anything else.
    #[inline(always)]
    fn count(&self) -> usize {
        let signed = |vector| op!(vreinterpretq_s8_u8(vector));
        let most = op!(vmaxq_s8(
            vmaxq_s8(signed(self.bytes.1), signed(self.bytes.2)),
            signed(self.bytes.3)
        ));
        let continued = op!(vcltq_s8(most, vdupq_n_s8(0xC0_u8 as i8)));
        let lead = op!(vcgeq_u8(self.bytes.0, splat(0xF0)));
        let in_range = op!(vceqq_u8(vshrq_n_u8::<4>(self.plane), splat(6)));
        first_lanes(op!(vandq_u8(continued, vandq_u8(lead, in_range))))
    }

    /// Writes four bytes of each character.
    #[inline(always)]
    fn write_vector(dst: &mut [MaybeUninit<u8>; 64], bytes: [uint8x16_t; 4]) {
        let [b0, b1, b2, b3] = bytes;
        // SAFETY: 64 bytes are there; the operands prove the features.
        unsafe { vst4q_u8(dst.as_mut_ptr().cast(), uint8x16x4_t(b0, b1, b2, b3)) };
    }
}

impl FourByteOps<U8x16> for Present {
    #[inline(always)]
    fn continuation_but_fourth(self, token: Neon, c0: U8x16, c3: U8x16) -> U8x16 {
        U8x16(op!(vbicq_u8(c0.continuation().0, c3.at_least(token, 0xF0).0)))
    }

    #[inline(always)]
    fn to_utf16(
        self,
        token: Neon,
        bytes: &[u8; 64],
        big: bool,
        dst: &mut [MaybeUninit<u8>; 64],
    ) -> usize {
        let four_byte = Fours::load(token, bytes);
        let uint8x16x4_t(_, b1, b2, b3) = four_byte.bytes;
        // 11 stays, and 0110ww goes after it.
        let first_high = op!(vsriq_n_u8::<2>(splat(0xC0), four_byte.plane));
        let first = op!(vsliq_n_u8::<2>(vshrq_n_u8::<4>(b2), b1));
        let first = op!(vsubq_u8(first, splat(0x40)));
        let second_high = op!(vsliq_n_u8::<2>(vshrq_n_u8::<2>(b2), splat(0x37)));
        let second = op!(vsliq_n_u8::<6>(b3, b2));
        if big {
            Fours::write_vector(dst, [first_high, first, second_high, second]);
        } else {
            Fours::write_vector(dst, [first, first_high, second, second_high]);
        }
        four_byte.count()
    }

    #[inline(always)]
    fn to_utf32(self, token: Neon, bytes: &[u8; 64], dst: &mut [MaybeUninit<u8>; 64]) -> usize {
        let four_byte = Fours::load(token, bytes);
        let uint8x16x4_t(_, b1, b2, b3) = four_byte.bytes;
        let low = op!(vsliq_n_u8::<6>(b3, b2));
        let middle = op!(vsliq_n_u8::<4>(vshrq_n_u8::<2>(b2), b1));
        // uuuuu again.
        let high = op!(vsubq_u8(four_byte.plane, splat(0x5F)));
        Fours::write_vector(dst, [low, middle, high, splat(0)]);
        four_byte.count()
    }
}

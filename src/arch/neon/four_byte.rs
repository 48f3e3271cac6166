//! Decoding of four-byte characters, 16 at a time. The characters are loaded deinterleaved, with
//! all first bytes in one vector, all second bytes in another, and so on. The bytes of the
//! output are interleaved when they are stored.
//!
//! ```text
//!   UTF-8:   11110uuu 10uuzzzz 10yyyyyy 10xxxxxx
//!   UTF-16:  110110ww wwzzzzyy 110111yy yyxxxxxx   wwww = uuuuu - 1
//! ```

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use crate::arch::neon::{Neon, U8x16, count_leading_lanes, splat};
use crate::arch::optional::{FourByteOps, Present};
use crate::arch::vector::Vector;

/// 16 four-byte characters.
struct FourByteCharacters {
    /// The bytes of the characters, deinterleaved.
    bytes: uint8x16x4_t,
    /// `0b0110_wwww` of each character, where `wwww` is the plane minus 1. It is
    /// `0b110u_uuuu - 0x61`.
    tagged_plane: uint8x16_t,
}

impl FourByteCharacters {
    #[inline(always)]
    fn load(_: Neon, bytes: &[u8; 64]) -> Self {
        // SAFETY: `bytes` has 64 bytes; the token proves the features.
        let bytes = unsafe { vld4q_u8(bytes.as_ptr()) };
        let tagged = op!(vsliq_n_u8::<2>(vshrq_n_u8::<4>(bytes.1), bytes.0));
        Self { bytes, tagged_plane: op!(vsubq_u8(tagged, splat(0x61))) }
    }

    /// Returns the number of well-formed four-byte characters at the start.
    #[inline(always)]
    fn count_well_formed(&self) -> usize {
        let signed = |vector| op!(vreinterpretq_s8_u8(vector));
        let largest = op!(vmaxq_s8(
            vmaxq_s8(signed(self.bytes.1), signed(self.bytes.2)),
            signed(self.bytes.3)
        ));
        let are_continuation = op!(vcltq_s8(largest, vdupq_n_s8(0xC0_u8 as i8)));
        let has_lead = op!(vcgeq_u8(self.bytes.0, splat(0xF0)));
        let in_range = op!(vceqq_u8(vshrq_n_u8::<4>(self.tagged_plane), splat(6)));
        count_leading_lanes(op!(vandq_u8(are_continuation, vandq_u8(has_lead, in_range))))
    }

    /// Writes four bytes of each character to `dst`, interleaved.
    #[inline(always)]
    fn write_interleaved(dst: &mut [MaybeUninit<u8>; 64], bytes: [uint8x16_t; 4]) {
        let [b0, b1, b2, b3] = bytes;
        // SAFETY: `dst` has 64 bytes; the operands prove the features.
        unsafe { vst4q_u8(dst.as_mut_ptr().cast(), uint8x16x4_t(b0, b1, b2, b3)) };
    }
}

impl FourByteOps<U8x16> for Present {
    #[inline(always)]
    fn continuation_except_fourth_byte(
        self,
        token: Neon,
        bytes: U8x16,
        three_before: U8x16,
    ) -> U8x16 {
        U8x16(op!(vbicq_u8(bytes.continuation().0, three_before.at_least(token, 0xF0).0)))
    }

    #[inline(always)]
    fn to_utf16(
        self,
        token: Neon,
        bytes: &[u8; 64],
        big_endian: bool,
        dst: &mut [MaybeUninit<u8>; 64],
    ) -> usize {
        let characters = FourByteCharacters::load(token, bytes);
        let uint8x16x4_t(_, b1, b2, b3) = characters.bytes;
        // The result is 0b1101_10ww: the bits 0b11, then 0b01_10ww.
        let first_high = op!(vsriq_n_u8::<2>(splat(0xC0), characters.tagged_plane));
        let first_low = op!(vsliq_n_u8::<2>(vshrq_n_u8::<4>(b2), b1));
        let first_low = op!(vsubq_u8(first_low, splat(0x40)));
        let second_high = op!(vsliq_n_u8::<2>(vshrq_n_u8::<2>(b2), splat(0x37)));
        let second_low = op!(vsliq_n_u8::<6>(b3, b2));
        if big_endian {
            FourByteCharacters::write_interleaved(
                dst,
                [first_high, first_low, second_high, second_low],
            );
        } else {
            FourByteCharacters::write_interleaved(
                dst,
                [first_low, first_high, second_low, second_high],
            );
        }
        characters.count_well_formed()
    }

    #[inline(always)]
    fn to_utf32(self, token: Neon, bytes: &[u8; 64], dst: &mut [MaybeUninit<u8>; 64]) -> usize {
        let characters = FourByteCharacters::load(token, bytes);
        let uint8x16x4_t(_, b1, b2, b3) = characters.bytes;
        let low = op!(vsliq_n_u8::<6>(b3, b2));
        let middle = op!(vsliq_n_u8::<4>(vshrq_n_u8::<2>(b2), b1));
        // 0b0110_wwww - 0x5F is 0bu_uuuu.
        let high = op!(vsubq_u8(characters.tagged_plane, splat(0x5F)));
        FourByteCharacters::write_interleaved(dst, [low, middle, high, splat(0)]);
        characters.count_well_formed()
    }
}

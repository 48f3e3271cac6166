//! Converts UTF-8 to UTF-32 by [position-parallel decoding](super::decode). `c0` to `c3` are the
//! bytes at a position and one to three bytes before it.
//!
//! 1. Compute the low 16 bits of the code point at every position as for UTF-16. At the last byte
//!    of a four-byte character, add the low four bits of `c2`.
//! 2. Compress the kept 16-bit units. The store widens them.
//! 3. In a step with four-byte characters, compress the upper bits with the same shuffle rows. The
//!    store joins them with the low bits:
//!
//! ```text
//!   11110uuu 10vvwwww 10yyyyyy 10xxxxxx   low: c0 & 0x7F | (c1 & 0x3F) << 6 | (c2 & 0x0F) << 12
//!                                         upper: (c2 >> 4 & 3) | (c3 & 7) << 2
//! ```

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::encoding::types::{Utf8, Utf32Le};
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::sizes::UP_TO_FOUR_BYTES;
use crate::generic::from_utf8::decode::step_input::StepInput;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar;
use crate::tables::Little;
use crate::types::progress::Reach;

/// The target UTF-32LE. UTF-32BE is converted from UTF-32LE by a second step.
#[derive(Clone, Copy)]
pub(crate) struct Utf32;

impl Target for Utf32 {
    const UNIT_BYTES: usize = 4;

    #[inline(always)]
    fn find_character_ends<V: Vector, S: StepInput<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
    ) -> Option<u64> {
        decoder.find_character_ends::<S, LONGEST, CHECK>(input)
    }

    #[inline(always)]
    fn emit<V: Vector, S: StepInput<V>, const LONGEST: usize>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
        keep: u64,
        out: &mut [MaybeUninit<u8>],
    ) -> usize {
        let zero = decoder.splat(0);
        let mut k = 0;
        while k < S::VECTORS {
            let (low, middle, mut high) = decoder.payloads::<S, LONGEST>(input, k);
            let mut upper = zero;
            if LONGEST == UP_TO_FOUR_BYTES {
                let last = decoder.four_byte_ends(input, k);
                let (c2, c3) = (decoder.load(input, k, 2), decoder.load(input, k, 3));
                high = high.or(last.and(c2).and(decoder.splat(0x0F)));
                // The low three bits of the lead byte, shifted left by two: the byte is doubled
                // twice, and masked.
                let lead = c3.add(c3);
                let lead = lead.add(lead).and(decoder.splat(0x1C));
                upper = last.and(c2.high_nibble().and(decoder.splat(0x03)).or(lead));
            }
            let wide = V::code_units(low, middle, high);
            if LONGEST == UP_TO_FOUR_BYTES {
                let upper = V::code_units(upper, zero, zero);
                V::store_kept_joined(wide, upper, keep, k, out);
            } else {
                V::store_kept_widened(wide, keep, k, out);
            }
            k += 1;
        }
        V::kept(keep)
    }

    #[inline(always)]
    fn widen<V: Vector>(self, bytes: V, out: &mut [MaybeUninit<u8>], at: usize) {
        bytes.store_widened_to_32_bits::<Little>(out, at);
    }

    fn convert_by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        scalar::transcode::<Utf8, Utf32Le>(src, dst)
    }

    fn units_of_fragment(_: &[u8], is_ended: bool) -> usize {
        usize::from(is_ended)
    }
}

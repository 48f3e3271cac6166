//! Converts UTF-8 to Latin-1 by [position-parallel decoding](super::decode).
//!
//! Only characters with the lead bytes 0xC2 and 0xC3 are mappable, so a step needs only masks:
//!
//! 1. Every byte above 0x7F must be 0xC2, 0xC3 or a continuation byte.
//! 2. The continuation bytes must be exactly the bytes after the lead bytes.
//! 3. The output of each position is the byte there, with bit 6 set if the byte before is 0xC3.
//! 4. The output of all positions without a lead byte is kept.
//!
//! If the instruction set has an instruction that compresses lanes, `to_latin1_masked` converts
//! texts longer than one vector.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::encoding::types::{Latin1, Utf8};
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::sizes::STEP_VECTORS_MAX;
use crate::generic::from_utf8::decode::step_input::StepInput;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar;
use crate::types::progress::Reach;

impl Target for Latin1 {
    const UNIT_BYTES: usize = 1;

    #[inline(always)]
    fn find_character_ends<V: Vector, S: StepInput<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
    ) -> Option<u64> {
        let no_lanes = [decoder.splat(0).high_bit_mask(); STEP_VECTORS_MAX];
        let (mut high, mut continuation, mut lead) = (no_lanes, no_lanes, no_lanes);
        let mut k = 0;
        while k < S::VECTORS {
            let bytes = decoder.load(input, k, 0);
            high[k] = bytes.high_bit_mask();
            continuation[k] = bytes.continuation();
            lead[k] = bytes.and(decoder.splat(0xFE)).equal(decoder.splat(0xC2));
            k += 1;
        }
        let (high, continuation) =
            (V::bits(&high[..S::VECTORS]), V::bits(&continuation[..S::VECTORS]));
        let lead = V::bits(&lead[..S::VECTORS]);
        let after_lead = (lead << 1 | u64::from(input.byte_before() >= 0xC0)) & S::ALL_POSITIONS;
        if high != lead | continuation || continuation != after_lead {
            return None;
        }
        Some(!lead & S::ALL_POSITIONS)
    }

    #[inline(always)]
    fn emit<V: Vector, S: StepInput<V>, const LONGEST: usize>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
        keep: u64,
        out: &mut [MaybeUninit<u8>],
    ) -> usize {
        let mut k = 0;
        while k < S::VECTORS {
            let previous_bytes = decoder.load(input, k, 1);
            let after_c3 = V::from_mask(previous_bytes.equal(decoder.splat(0xC3)));
            let bytes = decoder.load(input, k, 0).or(after_c3.and(decoder.splat(0x40)));
            bytes.store_kept_bytes(keep, k, out);
            k += 1;
        }
        V::kept(keep)
    }

    #[inline(always)]
    fn widen<V: Vector>(self, bytes: V, out: &mut [MaybeUninit<u8>], at: usize) {
        // A code unit of Latin-1 is a byte, so nothing is widened.
        bytes.store_bytes(out, at);
    }

    fn convert_by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        scalar::transcode::<Utf8, Self>(src, dst)
    }

    fn find_resume_point(src: &[u8], read: usize) -> (usize, usize) {
        // All characters before `read` have been written. A lead byte at the end is not a character
        // yet.
        let ends_with_lead = read > 0 && src[read - 1] >= 0xC0;
        (read - usize::from(ends_with_lead), 0)
    }

    fn units_of_fragment(_: &[u8], _: bool) -> usize {
        0
    }
}

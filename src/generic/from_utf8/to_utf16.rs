//! Converts UTF-8 to UTF-16 by [position-parallel decoding](super::decode).
//!
//! The code unit that ends at a position is computed from `c0`, the byte at the position, and from
//! `c1`, `c2` and `c3`, the bytes one, two and three before it:
//!
//! ```text
//!   0xxxxxxx                              c0 & 0x7F
//!   110yyyyy 10xxxxxx                     c0 & 0x7F | (c1 & 0x3F) << 6
//!   1110zzzz 10yyyyyy 10xxxxxx            c0 & 0x7F | (c1 & 0x3F) << 6 | (c2 - 0xE0) << 12
//!   11110uuu 10uuzzzz 10yyyyyy (third)    the same sum is the code point >> 6;
//!                                         (sum >> 4) + 0xD7C0 is the high surrogate
//!   11110uuu ........ 10yyyyyy 10xxxxxx   c0 & 0x7F | (c1 & 0x3F) << 6 | 0xDC00,
//!                                         which hides two bits of c1
//! ```
//!
//! In a four-byte character, the unit at the third position is kept too: it is the high surrogate.
//! The unit at the last position is the low surrogate.

use core::mem::MaybeUninit;

use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::vector::Vector;
use crate::encoding::types::{Utf8, Utf16Be, Utf16Le};
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::sizes::{STEP_VECTORS_MAX, UP_TO_FOUR_BYTES};
use crate::generic::from_utf8::decode::step_input::StepInput;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar;
use crate::tables::ByteOrder;
use crate::types::progress::Reach;

/// The target UTF-16, in either byte order.
///
/// The byte order is a value, so the code is compiled once for both byte orders: it is a shift or a
/// shuffle table, not a branch.
#[derive(Clone, Copy)]
pub(crate) struct Utf16(pub(crate) &'static ByteOrder);

impl Target for Utf16 {
    const UNIT_BYTES: usize = 2;

    #[inline(always)]
    fn find_character_ends<V: Vector, S: StepInput<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
    ) -> Option<u64> {
        let ends = decoder.find_character_ends::<S, LONGEST, CHECK>(input)?;
        Some(if LONGEST == UP_TO_FOUR_BYTES {
            ends | third_positions(decoder, input)
        } else {
            ends
        })
    }

    #[inline(always)]
    fn emit<V: Vector, S: StepInput<V>, const LONGEST: usize>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
        keep: u64,
        out: &mut [MaybeUninit<u8>],
    ) -> usize {
        // This is not a loop, because LLVM would not unroll a loop of so many instructions.
        emit_vector::<V, S, LONGEST>(self.0, decoder, input, 0, keep, out);
        if S::VECTORS > 1 {
            emit_vector::<V, S, LONGEST>(self.0, decoder, input, 1, keep, out);
        }
        if S::VECTORS > 2 {
            emit_vector::<V, S, LONGEST>(self.0, decoder, input, 2, keep, out);
            emit_vector::<V, S, LONGEST>(self.0, decoder, input, 3, keep, out);
        }
        V::kept_units(keep, 2)
    }

    #[inline(always)]
    fn widen<V: Vector>(self, bytes: V, out: &mut [MaybeUninit<u8>], at: usize) {
        if let Some(ops) = V::Masked::OPS {
            return ops.store_widened_as(bytes, self.0, out, at);
        }
        bytes.store_shifted(self.0.shift, out, at);
    }

    fn convert_by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        if self.0.big {
            scalar::transcode::<Utf8, Utf16Be>(src, dst)
        } else {
            scalar::transcode::<Utf8, Utf16Le>(src, dst)
        }
    }

    fn units_of_fragment(fragment: &[u8], is_ended: bool) -> usize {
        // At most one unit has been written: for the third position of a four-byte character, or
        // for the last position of the fragment.
        usize::from(is_ended || fragment[0] >= 0xF0 && fragment.len() >= 3)
    }
}

/// Returns a mask of the third positions of four-byte characters.
#[inline(always)]
fn third_positions<V: Vector, S: StepInput<V>>(decoder: &Utf8Decoder<V>, input: S) -> u64 {
    let mut thirds = [decoder.splat(0).high_bit_mask(); STEP_VECTORS_MAX];
    let mut k = 0;
    while k < S::VECTORS {
        thirds[k] = third_lanes(decoder, input, k);
        k += 1;
    }
    V::bits(&thirds[..S::VECTORS])
}

/// Returns the mask of the lanes of vector `k` that are third bytes of four-byte characters.
#[inline(always)]
fn third_lanes<V: Vector, S: StepInput<V>>(
    decoder: &Utf8Decoder<V>,
    input: S,
    k: usize,
) -> V::Mask {
    decoder.load(input, k, 2).at_least(decoder.token, 0xF0)
}

/// Does the work of [`Target::emit`] for vector `k`.
#[inline(always)]
fn emit_vector<V: Vector, S: StepInput<V>, const LONGEST: usize>(
    order: &ByteOrder,
    decoder: &Utf8Decoder<V>,
    input: S,
    k: usize,
    keep: u64,
    out: &mut [MaybeUninit<u8>],
) {
    let (low, middle, high) = decoder.payloads::<S, LONGEST>(input, k);
    let wide = match LONGEST {
        UP_TO_FOUR_BYTES => {
            let third = V::from_mask(third_lanes(decoder, input, k));
            V::code_units_and_surrogates(low, middle, high, third, decoder.four_byte_ends(input, k))
        }
        _ => V::code_units(low, middle, high),
    };
    V::store_kept(wide, keep, k, order, out);
}

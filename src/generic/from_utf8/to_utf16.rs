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

use core::hint::black_box;
use core::mem::MaybeUninit;

use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::vector::Vector;
use crate::encoding::types::{Utf8, Utf16Be, Utf16Le};
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::sizes::{STEP_VECTORS_MAX, UP_TO_FOUR_BYTES};
use crate::generic::from_utf8::decode::step_input::StepInput;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar;
use crate::tables::{Big, ByteOrder, Little};
use crate::types::progress::Reach;

/// The target UTF-16, in either byte order.
///
/// The byte order is a value, so the code is compiled once for both byte orders. A branch on `big`
/// inside a loop must be hidden from LLVM, which would make two copies of the loop and of all code
/// around it.
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
        emit::<V, S, LONGEST>(self.0, decoder, input, keep, out)
    }

    #[inline(always)]
    fn widen<V: Vector>(self, bytes: V, out: &mut [MaybeUninit<u8>], at: usize) {
        if let Some(ops) = V::Masked::OPS {
            return ops.store_widened_as(bytes, self.0, out, at);
        }
        bytes.store_shifted(self.0.shift, out, at);
    }

    #[inline(always)]
    fn is_swapped<V: Vector>(self) -> bool {
        !V::Masked::PRESENT && black_box(self.0.big)
    }

    #[inline(always)]
    fn widen_run<V: Vector>(self, swapped: bool, bytes: V, out: &mut [MaybeUninit<u8>], at: usize) {
        if let Some(ops) = V::Masked::OPS {
            // The byte order is in the constants, so one loop suffices.
            return ops.store_widened_as(bytes, self.0, out, at);
        }
        // In runs, the shift of `widen` would cost a seventh of the speed.
        if swapped {
            bytes.store_widened::<Big>(out, at);
        } else {
            bytes.store_widened::<Little>(out, at);
        }
    }

    #[inline(always)]
    fn widen_word<V: Vector>(
        self,
        token: V::Token,
        word: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) {
        // The shuffle row that keeps all units also puts their bytes into the right order.
        let row = &self.0.compress16[0xFF];
        V::store(V::compress(V::units_of_bytes(token, word), row), out, at);
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

/// Computes the units of all positions, and writes the units of the positions in `keep`. Returns
/// the number of units written.
#[inline(always)]
fn emit<V: Vector, S: StepInput<V>, const LONGEST: usize>(
    order: &ByteOrder,
    decoder: &Utf8Decoder<V>,
    input: S,
    keep: u64,
    out: &mut [MaybeUninit<u8>],
) -> usize {
    // This is not a loop, because LLVM would not unroll a loop of so many instructions.
    emit_vector::<V, S, LONGEST>(order, decoder, input, 0, keep, out);
    if S::VECTORS > 1 {
        emit_vector::<V, S, LONGEST>(order, decoder, input, 1, keep, out);
    }
    if S::VECTORS > 2 {
        emit_vector::<V, S, LONGEST>(order, decoder, input, 2, keep, out);
        emit_vector::<V, S, LONGEST>(order, decoder, input, 3, keep, out);
    }
    V::kept_units(keep, 2)
}

/// Does the work of [`emit`] for vector `k`.
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

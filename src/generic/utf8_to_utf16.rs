//! UTF-8 to UTF-16, by [position-parallel decoding](super::decode).
//!
//! Per position, with `c0` the byte there and `c1`, `c2`, `c3` those before it:
//!
//! ```text
//!   0xxxxxxx                              c0 & 7F
//!   110yyyyy 10xxxxxx                     c0 & 7F | (c1 & 3F) << 6
//!   1110zzzz 10yyyyyy 10xxxxxx            c0 & 7F | (c1 & 3F) << 6 | (c2 - E0) << 12
//!   11110uuu 10uuzzzz 10yyyyyy (third)    the same sum is the code point >> 6; (sum >> 4) + D7C0 is the high surrogate
//!   11110uuu ........ 10yyyyyy 10xxxxxx   c0 & 7F | (c1 & 3F) << 6 | DC00, which covers two bits of c1
//! ```
//!
//! In a character of four bytes the third position is kept as well as the last: one gives the high surrogate, the other
//! the low one.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::decode::{self, Decoder, Span, Target, VECTORS, WIDE};
use crate::arch::Vector;
use crate::progress::Reach;
use crate::scalar::{self, Encode};
use crate::tables::{Big, ByteOrder, Little, Row};
use crate::{Utf8, Utf16Be, Utf16Le};

/// UTF-16 in either byte order, by value: so it is compiled once for both. A choice by `big` inside of a loop must be
/// hidden from the compiler, or it makes a loop for each case of everything around it.
#[derive(Clone, Copy)]
pub(super) struct Utf16(pub(super) &'static ByteOrder);

/// Converts `src` into `dst`. Without `CHECK`, `src` is known to be well-formed.
#[inline(always)]
pub(crate) fn convert<V: Vector, const CHECK: bool>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert::<V, _, CHECK>(Utf16(order), token, src, dst)
}

/// [`convert`] for at most [`SHORT`](decode::SHORT) bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Vector, const CHECK: bool>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_short::<V, _, CHECK>(Utf16(order), token, src, dst)
}

/// [`convert`] for at most a vector, where stores are [masked](Vector::MASKED).
#[cfg(avx512)]
#[inline(always)]
pub(crate) fn convert_whole<V: Vector, const CHECK: bool>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_whole::<V, _, CHECK>(Utf16(order), token, src, dst)
}

/// [`convert`] for less than [`TINY`](decode::TINY) bytes.
#[inline(always)]
pub(crate) fn convert_tiny<V: Vector, const CHECK: bool>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_tiny::<V::Half, _, CHECK>(Utf16(order), V::half(token), src, dst)
}

impl<V: Vector> Target<V> for Utf16 {
    const SIZE: usize = 2;

    #[inline(always)]
    fn ends<S: Span<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Decoder<V>,
        span: S,
    ) -> Option<u64> {
        if V::FOURS && S::VECTORS > 1 && LONGEST == WIDE {
            decoder.check::<S, LONGEST, CHECK>(span)?;
            return Some(span.ends_and_thirds(decoder.token));
        }
        let ends = decoder.ends::<S, LONGEST, CHECK>(span)?;
        Some(if LONGEST == WIDE { ends | thirds(decoder, span) } else { ends })
    }

    #[inline(always)]
    fn emit<S: Span<V>, const LONGEST: usize>(
        self,
        decoder: &Decoder<V>,
        span: S,
        keep: u64,
        room: &mut [MaybeUninit<u8>],
    ) -> usize {
        emit::<V, S, LONGEST>(&self.0.compress16, decoder, span, keep, room)
    }

    #[inline(always)]
    fn widen(self, bytes: V, room: &mut [MaybeUninit<u8>], at: usize) {
        bytes.store_shifted(self.0.shift, room, at);
    }

    #[inline(always)]
    fn is_swapped(self) -> bool {
        black_box(self.0.big)
    }

    #[inline(always)]
    fn widen_run(self, swapped: bool, bytes: V, room: &mut [MaybeUninit<u8>], at: usize) {
        // In runs the shift would cost a seventh.
        if swapped {
            bytes.store_widened::<Big>(room, at);
        } else {
            bytes.store_widened::<Little>(room, at);
        }
    }

    #[inline(always)]
    fn put(self, units: V::Units, room: &mut [MaybeUninit<u8>], at: usize) {
        // The row that keeps all units still puts their bytes into order.
        V::store(V::compress(units, &self.0.compress16[0xFF]), room, at);
    }

    #[inline(always)]
    fn put_fours(
        self,
        token: V::Token,
        bytes: &[u8; 64],
        room: &mut [MaybeUninit<u8>; 64],
    ) -> usize {
        V::fours_to_utf16(token, bytes, self.0.big, room)
    }

    #[inline(always)]
    fn encode(self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if self.0.big { Utf16Be::encode(c, dst) } else { Utf16Le::encode(c, dst) }
    }

    fn by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        if self.0.big {
            scalar::transcode::<Utf8, Utf16Be>(src, dst)
        } else {
            scalar::transcode::<Utf8, Utf16Le>(src, dst)
        }
    }

    fn units_of_fragment(fragment: &[u8], ended: bool) -> usize {
        // The third position of four has been written, or the last one, or both as one.
        usize::from(ended || fragment[0] >= 0xF0 && fragment.len() >= 3)
    }
}

/// The third positions of characters of four bytes.
#[inline(always)]
fn thirds<V: Vector, S: Span<V>>(decoder: &Decoder<V>, span: S) -> u64 {
    let mut thirds = [decoder.splat(0).high(); VECTORS];
    let mut k = 0;
    while k < S::VECTORS {
        thirds[k] = third(decoder, span, k);
        k += 1;
    }
    V::bits(&thirds[..S::VECTORS])
}

/// Those of vector `k`.
#[inline(always)]
fn third<V: Vector, S: Span<V>>(decoder: &Decoder<V>, span: S, k: usize) -> V::Mask {
    decoder.load(span, k, 2).at_least(decoder.token, 0xF0)
}

/// Computes the units of all positions and writes those in `keep`; says how many.
#[inline(always)]
fn emit<V: Vector, S: Span<V>, const LONGEST: usize>(
    rows: &[Row; 256],
    decoder: &Decoder<V>,
    span: S,
    keep: u64,
    room: &mut [MaybeUninit<u8>],
) -> usize {
    // No loop: the compiler would leave one where a vector takes many instructions.
    emit_vector::<V, S, LONGEST>(rows, decoder, span, 0, keep, room);
    if S::VECTORS > 1 {
        emit_vector::<V, S, LONGEST>(rows, decoder, span, 1, keep, room);
    }
    if S::VECTORS > 2 {
        emit_vector::<V, S, LONGEST>(rows, decoder, span, 2, keep, room);
        emit_vector::<V, S, LONGEST>(rows, decoder, span, 3, keep, room);
    }
    V::kept_units(keep, 2)
}

/// [`emit`] of vector `k`.
#[inline(always)]
fn emit_vector<V: Vector, S: Span<V>, const LONGEST: usize>(
    rows: &[Row; 256],
    decoder: &Decoder<V>,
    span: S,
    k: usize,
    keep: u64,
    room: &mut [MaybeUninit<u8>],
) {
    let (low, middle, high) = decoder.payloads::<S, LONGEST>(span, k);
    let wide = match LONGEST {
        WIDE => {
            let third = V::of_mask(third(decoder, span, k));
            V::code_units_and_surrogates(low, middle, high, third, decoder.fourth(span, k))
        }
        _ => V::code_units(low, middle, high),
    };
    V::store_kept(wide, keep, k, rows, room);
}

//! UTF-8 to UTF-32, by [position-parallel decoding](super::decode).
//!
//! The low 16 bits of every position are computed as for UTF-16, except that the last of four bytes takes its share of the
//! byte two places back. They are compressed as 16-bit units and widened by the store. Steps with characters of four bytes
//! compress the upper bits with the same rows and join the two:
//!
//! ```text
//!   11110uuu 10vvwwww 10yyyyyy 10xxxxxx   low: c0 & 7F | (c1 & 3F) << 6 | (c2 & 0F) << 12
//!                                         upper: (c2 >> 4 & 3) | (c3 & 7) << 2
//! ```

use core::mem::MaybeUninit;

use super::decode::{self, Decoder, Span, Target, WIDE};
use crate::arch::Vector;
use crate::progress::Reach;
use crate::scalar::{self, Encode};
use crate::tables::Little;
use crate::{Utf8, Utf32Le};

/// UTF-32 with the low byte first. The other order is made of this one.
#[derive(Clone, Copy)]
struct Utf32;

/// Converts `src` into `dst`. Without `CHECK`, `src` is known to be well-formed.
#[inline(always)]
pub(crate) fn convert<V: Vector, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert::<V, Utf32, CHECK>(Utf32, token, src, dst)
}

/// [`convert`] for at most [`SHORT`](decode::SHORT) bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Vector, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_short::<V, Utf32, CHECK>(Utf32, token, src, dst)
}

/// [`convert`] for at most a vector, where stores are [masked](Vector::MASKED).
#[cfg(avx512)]
#[inline(always)]
pub(crate) fn convert_whole<V: Vector, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_whole::<V, Utf32, CHECK>(Utf32, token, src, dst)
}

/// [`convert`] for less than [`TINY`](decode::TINY) bytes.
#[inline(always)]
pub(crate) fn convert_tiny<V: Vector, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_tiny::<V::Half, Utf32, CHECK>(Utf32, V::half(token), src, dst)
}

impl<V: Vector> Target<V> for Utf32 {
    const SIZE: usize = 4;

    #[inline(always)]
    fn ends<S: Span<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Decoder<V>,
        span: S,
    ) -> Option<u64> {
        decoder.ends::<S, LONGEST, CHECK>(span)
    }

    #[inline(always)]
    fn emit<S: Span<V>, const LONGEST: usize>(
        self,
        decoder: &Decoder<V>,
        span: S,
        keep: u64,
        room: &mut [MaybeUninit<u8>],
    ) -> usize {
        emit::<V, S, LONGEST>(decoder, span, keep, room)
    }

    #[inline(always)]
    fn widen(self, bytes: V, room: &mut [MaybeUninit<u8>], at: usize) {
        bytes.store_widened_twice::<Little>(room, at);
    }

    #[inline(always)]
    fn put(self, units: V::Units, room: &mut [MaybeUninit<u8>], at: usize) {
        V::store_units_widened::<Little>(units, room, at);
    }

    #[inline(always)]
    fn put_fours(
        self,
        token: V::Token,
        bytes: &[u8; 64],
        room: &mut [MaybeUninit<u8>; 64],
    ) -> usize {
        V::fours_to_utf32(token, bytes, room)
    }

    #[inline(always)]
    fn encode(self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        Utf32Le::encode(c, dst)
    }

    fn by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        scalar::transcode::<Utf8, Utf32Le>(src, dst)
    }

    fn units_of_fragment(_: &[u8], ended: bool) -> usize {
        usize::from(ended)
    }
}

/// Computes the units of all positions and writes those in `keep`; says how many.
#[inline(always)]
fn emit<V: Vector, S: Span<V>, const LONGEST: usize>(
    decoder: &Decoder<V>,
    span: S,
    keep: u64,
    room: &mut [MaybeUninit<u8>],
) -> usize {
    let zero = decoder.splat(0);
    let mut k = 0;
    while k < S::VECTORS {
        let (low, middle, mut high) = decoder.payloads::<S, LONGEST>(span, k);
        let mut upper = zero;
        if LONGEST == WIDE {
            let last = decoder.fourth(span, k);
            let (c2, c3) = (decoder.load(span, k, 2), decoder.load(span, k, 3));
            high = high.or(last.and(c2).and(decoder.splat(0x0F)));
            // The lead byte's three bits, two places up: F0..=F4 doubled twice lose their upper bits in the mask.
            let lead = c3.add(c3);
            let lead = lead.add(lead).and(decoder.splat(0x1C));
            upper = last.and(c2.high_nibble().and(decoder.splat(0x03)).or(lead));
        }
        let wide = V::code_units(low, middle, high);
        if LONGEST == WIDE {
            let upper = V::code_units(upper, zero, zero);
            V::store_kept_joined(wide, upper, keep, k, room);
        } else {
            V::store_kept_widened(wide, keep, k, room);
        }
        k += 1;
    }
    V::kept(keep)
}

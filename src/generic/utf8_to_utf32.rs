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

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::decode::{self, Decoder, Span, Target, WIDE, before};
use crate::arch::Vector;
use crate::progress::Reach;
use crate::tables::Order;

/// UTF-32 in byte order `O`.
struct Utf32<O>(PhantomData<O>);

/// Converts `src` into `dst`. Without `CHECK`, `src` is known to be well-formed.
#[inline(always)]
pub(crate) fn convert<V: Vector, O: Order, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert::<V, Utf32<O>, CHECK>(token, src, dst)
}

/// [`convert`] for at most [`SHORT`](decode::SHORT) bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Vector, O: Order, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_short::<V, Utf32<O>, CHECK>(token, src, dst)
}

/// [`convert`] for less than [`TINY`](decode::TINY) bytes.
#[inline(always)]
pub(crate) fn convert_tiny<V: Vector, O: Order, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_tiny::<V::Half, Utf32<O>, CHECK>(V::half(token), src, dst)
}

impl<V: Vector, O: Order> Target<V> for Utf32<O> {
    type Scheme = O::Utf32;

    const SIZE: usize = 4;

    #[inline(always)]
    fn ends<S: Span<V>, const LONGEST: usize, const CHECK: bool>(
        decoder: &Decoder<V>,
        span: S,
    ) -> Option<u64> {
        decoder.ends::<S, LONGEST, CHECK>(span)
    }

    #[inline(always)]
    fn emit<S: Span<V>, const LONGEST: usize>(
        decoder: &Decoder<V>,
        span: S,
        keep: u64,
        room: &mut [MaybeUninit<u8>],
    ) -> usize {
        emit::<V, O, S, LONGEST>(decoder, span, keep, room)
    }

    #[inline(always)]
    fn widen(bytes: V, room: &mut [MaybeUninit<u8>], at: usize) {
        bytes.store_widened_twice::<O>(room, at);
    }

    #[inline(always)]
    fn put(units: V::Units, room: &mut [MaybeUninit<u8>], at: usize) {
        // The row that keeps all units still puts their bytes into order.
        let units = if O::BIG { V::compress(units, &O::compress16()[0xFF]) } else { units };
        V::store_units_widened::<O>(units, room, at);
    }

    fn units_of_fragment(_: &[u8], ended: bool) -> usize {
        usize::from(ended)
    }
}

/// Computes the units of all positions and writes those in `keep`; says how many.
#[inline(always)]
fn emit<V: Vector, O: Order, S: Span<V>, const LONGEST: usize>(
    decoder: &Decoder<V>,
    span: S,
    keep: u64,
    room: &mut [MaybeUninit<u8>],
) -> usize {
    let rows = O::compress16();
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
        let wide = V::code_units::<false>(low, middle, high, zero);
        let uppers = V::code_units::<false>(upper, zero, zero, zero);
        let (lanes, first) = decode::part::<V>(keep, k);
        let mut group = 0;
        while group < V::LANES / 8 {
            let row = &rows[(lanes >> (8 * group) & 0xFF) as usize];
            let at = first + before(lanes, 8 * group);
            let units = V::compress(V::group(wide, group), row);
            if LONGEST == WIDE {
                let uppers = V::compress(V::group(uppers, group), row);
                V::store_joined::<O>(units, uppers, room, at);
            } else {
                V::store_units_widened::<O>(units, room, at);
            }
            group += 1;
        }
        k += 1;
    }
    keep.count_ones() as usize
}

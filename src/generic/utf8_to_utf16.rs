//! UTF-8 to UTF-16, by [position-parallel decoding](super::decode).
//!
//! Per position, with `c0` the byte there and `c1`, `c2`, `c3` those before it:
//!
//! ```text
//!   0xxxxxxx                              c0 & 7F
//!   110yyyyy 10xxxxxx                     c0 & 7F | (c1 & 3F) << 6
//!   1110zzzz 10yyyyyy 10xxxxxx            c0 & 7F | (c1 & 3F) << 6 | (c2 - E0) << 12
//!   11110uuu 10uuzzzz 10yyyyyy (third)    the same sum is the code point >> 6; (sum >> 4) + D7C0 is the high surrogate
//!   11110uuu ........ 10yyyyyy 10xxxxxx   c0 & 7F | (c1 & 0F) << 6 | DC00
//! ```
//!
//! In a character of four bytes the third position is kept as well as the last: one gives the high surrogate, the other
//! the low one.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::decode::{self, Decoder, Span, Target, VECTORS, WIDE, before};
use crate::arch::Vector;
use crate::progress::Reach;
use crate::tables::Order;

/// UTF-16 in byte order `O`.
struct Utf16<O>(PhantomData<O>);

/// Converts `src` into `dst`. Without `CHECK`, `src` is known to be well-formed.
#[inline(always)]
pub(crate) fn convert<V: Vector, O: Order, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert::<V, Utf16<O>, CHECK>(token, src, dst)
}

/// [`convert`] for at most [`SHORT`](decode::SHORT) bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Vector, O: Order, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_short::<V, Utf16<O>, CHECK>(token, src, dst)
}

/// [`convert`] for less than [`TINY`](decode::TINY) bytes.
#[inline(always)]
pub(crate) fn convert_tiny<V: Vector, O: Order, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_tiny::<V::Half, Utf16<O>, CHECK>(V::half(token), src, dst)
}

impl<V: Vector, O: Order> Target<V> for Utf16<O> {
    type Scheme = O::Utf16;

    const SIZE: usize = 2;

    #[inline(always)]
    fn ends<S: Span<V>, const LONGEST: usize, const CHECK: bool>(
        decoder: &Decoder<V>,
        span: S,
    ) -> Option<u64> {
        let ends = decoder.ends::<S, LONGEST, CHECK>(span)?;
        Some(if LONGEST == WIDE { ends | thirds(decoder, span) } else { ends })
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
        bytes.store_widened::<O>(room, at);
    }

    #[inline(always)]
    fn put(units: V::Units, room: &mut [MaybeUninit<u8>], at: usize) {
        // The row that keeps all units still puts their bytes into order.
        let units = if O::BIG { V::compress(units, &O::compress16()[0xFF]) } else { units };
        V::store(units, room, at);
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
        thirds[k] = decoder.load(span, k, 2).saturating_sub(decoder.checker.fourth).high();
        k += 1;
    }
    V::bits(&thirds[..S::VECTORS])
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
    let mut k = 0;
    while k < S::VECTORS {
        let (low, mut middle, mut high) = decoder.payloads::<S, LONGEST>(span, k);
        let mut extra = decoder.splat(0);
        if LONGEST == WIDE {
            // The last of four bytes: only four bits of c1, and DC00 = (0D << 12) + (C0 << 4).
            let last = decoder.fourth(span, k);
            middle = middle.and(decoder.splat(0x0F).or(last.xor(decoder.splat(0xFF))));
            high = high.or(last.and(decoder.splat(0x0D)));
            extra = last.and(decoder.splat(0xC0));
        }
        let wide = match LONGEST {
            WIDE => V::code_units::<true>(low, middle, high, extra),
            _ => V::code_units::<false>(low, middle, high, extra),
        };
        let (lanes, first) = decode::part::<V>(keep, k);
        let mut group = 0;
        while group < V::LANES / 8 {
            let row = &rows[(lanes >> (8 * group) & 0xFF) as usize];
            let at = first + before(lanes, 8 * group);
            V::store(V::compress(V::group(wide, group), row), room, at);
            group += 1;
        }
        k += 1;
    }
    keep.count_ones() as usize
}

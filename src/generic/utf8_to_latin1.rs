//! UTF-8 to Latin-1, by [position-parallel decoding](super::decode).
//!
//! Only the lead bytes C2 and C3 are mappable, so the whole check is one of masks: every byte above 7F is one of these two
//! or a continuation byte, and the continuation bytes are the places behind the lead bytes. A character's byte is its last
//! one, with bit 6 set behind C3; every position that is no lead byte is kept.

use core::mem::MaybeUninit;

use super::decode::{self, Decoder, Span, Target, VECTORS};
use crate::arch::Vector;
use crate::progress::Reach;
use crate::scalar::{self, Encode, put};
use crate::{Latin1, Utf8};

/// Converts `src` into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert::<V, Latin1, true>(Latin1, token, src, dst)
}

/// [`convert`] for at most [`SHORT`](decode::SHORT) bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_short::<V, Latin1, true>(Latin1, token, src, dst)
}

/// [`convert`] for at most a vector, where stores are [masked](Vector::MASKED).
#[cfg(avx512)]
#[inline(always)]
pub(crate) fn convert_whole<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_whole::<V, Latin1, true>(Latin1, token, src, dst)
}

/// [`convert`] for less than [`TINY`](decode::TINY) bytes.
#[inline(always)]
pub(crate) fn convert_tiny<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    decode::convert_tiny::<V::Half, Latin1, true>(Latin1, V::half(token), src, dst)
}

impl<V: Vector> Target<V> for Latin1 {
    const SIZE: usize = 1;

    #[inline(always)]
    fn ends<S: Span<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Decoder<V>,
        span: S,
    ) -> Option<u64> {
        let none = decoder.splat(0).high();
        let (mut high, mut continuation, mut lead) =
            ([none; VECTORS], [none; VECTORS], [none; VECTORS]);
        let mut k = 0;
        while k < S::VECTORS {
            let c0 = decoder.load(span, k, 0);
            high[k] = c0.high();
            continuation[k] = c0.continuation();
            lead[k] = c0.and(decoder.splat(0xFE)).equal(decoder.splat(0xC2));
            k += 1;
        }
        let (high, continuation) =
            (V::bits(&high[..S::VECTORS]), V::bits(&continuation[..S::VECTORS]));
        let lead = V::bits(&lead[..S::VECTORS]);
        let behind_lead = (lead << 1 | u64::from(span.before() >= 0xC0)) & S::ALL;
        if high != lead | continuation || continuation != behind_lead {
            return None;
        }
        Some(!lead & S::ALL)
    }

    #[inline(always)]
    fn emit<S: Span<V>, const LONGEST: usize>(
        self,
        decoder: &Decoder<V>,
        span: S,
        keep: u64,
        room: &mut [MaybeUninit<u8>],
    ) -> usize {
        emit(decoder, span, keep, room)
    }

    #[inline(always)]
    fn widen(self, bytes: V, room: &mut [MaybeUninit<u8>], at: usize) {
        bytes.store_bytes(room, at);
    }

    #[inline(always)]
    fn widen_word(self, _: V::Token, word: u64, room: &mut [MaybeUninit<u8>], at: usize) {
        let _ = put(word.to_le_bytes(), &mut room[at..]);
    }

    fn put(self, _: V::Units, _: &mut [MaybeUninit<u8>], _: usize) {
        unreachable!("no run of three bytes is in Latin-1");
    }

    fn encode(self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        <Self as Encode>::encode(c, dst)
    }

    fn by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        scalar::transcode::<Utf8, Self>(src, dst)
    }

    fn unfinished(src: &[u8], read: usize) -> (usize, usize) {
        // Every byte but a lead byte has been written where it stands.
        let pending = read > 0 && src[read - 1] >= 0xC0;
        (read - usize::from(pending), 0)
    }

    fn units_of_fragment(_: &[u8], _: bool) -> usize {
        0
    }
}

/// Computes the bytes of all positions and writes those in `keep`; says how many.
#[inline(always)]
fn emit<V: Vector, S: Span<V>>(
    decoder: &Decoder<V>,
    span: S,
    keep: u64,
    room: &mut [MaybeUninit<u8>],
) -> usize {
    let mut k = 0;
    while k < S::VECTORS {
        let behind_c3 = V::of_mask(decoder.load(span, k, 1).equal(decoder.splat(0xC3)));
        let bytes = decoder.load(span, k, 0).or(behind_c3.and(decoder.splat(0x40)));
        bytes.store_kept_bytes(keep, k, room);
        k += 1;
    }
    V::kept(keep)
}

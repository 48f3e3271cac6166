//! Latin-1 and ASCII to units of 16 and 32 bits: each byte with zeros beside it. ASCII is tested in the same pass, and the
//! conversion stops in front of the first byte that is none.
//!
//! Text and output are cut to what fits. What lies behind the place where ASCII stops may be written too, as scratch. The
//! last vector ends with the text and writes again what it sees again.

use core::mem::MaybeUninit;

use super::words;
use crate::Scheme;
use crate::arch::Vector;
use crate::progress::Reach;
use crate::scalar::Encode;
use crate::short::latin1::spread;
use crate::tables::{Big, Little};

/// Bytes of a block.
const BLOCK: usize = 64;

/// Converts `src` into `B`; with `ASCII`, as far as it is that. Says how many bytes have been read.
#[inline(always)]
pub(crate) fn convert<V: Vector, B: Encode, const ASCII: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let size = const { B::SCHEME.unit_size() };
    let len = src.len().min(dst.len() / size);
    let (src, dst) = (&src[..len], &mut dst[..len * size]);
    if V::is_within(len, words::SHORT) {
        let ascii = spread(src, B::SCHEME, dst);
        return if ASCII && !ascii { words::ascii_up_to(src) } else { len };
    }
    #[cfg(avx512)]
    if V::MASKED && len < V::LANES {
        return one_vector::<V, B, ASCII>(token, src, dst);
    }
    let mut at = blocks::<V, B, ASCII>(token, src, dst);
    while at < len {
        let start = at.min(len - V::LANES);
        let bytes = V::load(token, src, start);
        store::<V, B>(bytes, dst, start);
        if ASCII {
            let high = V::bits(&[bytes.high()]);
            if high != 0 {
                return start + high.trailing_zeros() as usize;
            }
        }
        at = start + V::LANES;
    }
    len
}

/// Converts a text of less than a vector by a mask; says how many bytes.
#[cfg(avx512)]
#[inline(always)]
fn one_vector<V: Vector, B: Encode, const ASCII: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let bytes = V::load_first(token, src);
    store::<V, B>(bytes, dst, 0);
    let high = if ASCII { V::bits(&[bytes.high()]) } else { 0 };
    if high == 0 { src.len() } else { high.trailing_zeros() as usize }
}

/// Converts whole blocks; says how many bytes.
#[inline(always)]
fn blocks<V: Vector, B: Encode, const ASCII: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let size = const { B::SCHEME.unit_size() };
    let mut at = 0;
    while let (Some(block), Some(room)) =
        (src.get(at..at + BLOCK), dst.get_mut(size * at..size * (at + BLOCK)))
    {
        let mut all = V::splat(token, 0);
        let mut k = 0;
        while k < BLOCK {
            let bytes = V::load(token, block, k);
            store::<V, B>(bytes, room, k);
            all = all.or(bytes);
            k += V::LANES;
        }
        if ASCII && all.any_high() {
            break;
        }
        at += BLOCK;
    }
    at
}

/// Writes each byte as a unit, from unit `at` on.
#[inline(always)]
fn store<V: Vector, B: Encode>(bytes: V, room: &mut [MaybeUninit<u8>], at: usize) {
    match B::SCHEME {
        Scheme::Utf16Le => bytes.store_widened::<Little>(room, at),
        Scheme::Utf16Be => bytes.store_widened::<Big>(room, at),
        Scheme::Utf32Le => bytes.store_widened_twice::<Little>(room, at),
        Scheme::Utf32Be => bytes.store_widened_twice::<Big>(room, at),
        _ => bytes.store_bytes(room, at),
    }
}

/// Converts a short text that fits; `None` if it does not, is longer, or, with `ASCII`, is not that.
#[inline(always)]
pub(crate) fn short<B: Encode, const ASCII: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    if src.len() > words::SHORT {
        return None;
    }
    let written = const { B::SCHEME.unit_size() } * src.len();
    let ascii = spread(src, B::SCHEME, dst.get_mut(..written)?);
    (ascii || !ASCII).then_some(Reach { read: src.len(), written })
}

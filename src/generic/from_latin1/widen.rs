//! Conversions of Latin-1 and ASCII to units of 16 and 32 bits: each byte is widened with zeros.
//! ASCII is validated in the same pass, and the conversion stops before the first byte that is not
//! ASCII.
//!
//! 1. Truncate the text and the output to the length that fits.
//! 2. Widen blocks. The conversion of ASCII stops before a block that is not ASCII; the output of
//!    this block is scratch space.
//! 3. Widen single vectors. The last vector ends at the end of the text and overlaps the vector
//!    before it; the units that overlap are written again.
//! 4. A mask of the bytes that are not ASCII gives the end of the ASCII prefix.

use core::mem::MaybeUninit;

#[cfg(avx512)]
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::vector::Vector;
use crate::encoding::scheme::Scheme;
use crate::scalar::code::Encode;
use crate::swar::units::spread;
use crate::swar::words;
use crate::tables::{Big, Little};
use crate::types::progress::Reach;

/// The size of a block, in bytes.
const WIDEN_BLOCK_BYTES: usize = 64;

/// Converts `src` to `B`, or only the ASCII prefix of `src` if `ASCII`. Returns the number of bytes
/// read.
#[inline(always)]
pub(crate) fn convert<V: Vector, B: Encode, const ASCII: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let unit_size = const { B::SCHEME.unit_size() };
    let len = src.len().min(dst.len() / unit_size);
    let (src, dst) = (&src[..len], &mut dst[..len * unit_size]);
    if V::takes_short_path(len, words::LOADED_MAX_BYTES) {
        let is_ascii = spread(src, B::SCHEME, dst);
        return if ASCII && !is_ascii { words::ascii_up_to(src) } else { len };
    }
    #[cfg(avx512)]
    if len < V::LANES
        && let Some(ops) = V::Masked::OPS
    {
        return convert_less_than_vector::<V, B, ASCII>(ops, token, src, dst);
    }
    let mut at = blocks::<V, B, ASCII>(token, src, dst);
    while at < len {
        let start = at.min(len - V::LANES);
        let bytes = V::load(token, src, start);
        store::<V, B>(bytes, dst, start);
        if ASCII {
            let high = V::bits(&[bytes.high_bit_mask()]);
            if high != 0 {
                return start + high.trailing_zeros() as usize;
            }
        }
        at = start + V::LANES;
    }
    len
}

/// Converts a text that is shorter than a vector, by a masked load. Returns the number of bytes
/// read.
#[cfg(avx512)]
#[inline(always)]
fn convert_less_than_vector<V: Vector, B: Encode, const ASCII: bool>(
    ops: V::Masked,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let bytes = ops.load_first(token, src);
    store::<V, B>(bytes, dst, 0);
    let high = if ASCII { V::bits(&[bytes.high_bit_mask()]) } else { 0 };
    if high == 0 { src.len() } else { high.trailing_zeros() as usize }
}

/// Converts whole blocks. Returns the number of bytes read.
#[inline(always)]
fn blocks<V: Vector, B: Encode, const ASCII: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let unit_size = const { B::SCHEME.unit_size() };
    let (blocks, block_output) =
        (src.as_chunks::<WIDEN_BLOCK_BYTES>().0, unit_size * WIDEN_BLOCK_BYTES);
    let mut at = 0;
    for (block, out) in blocks.iter().zip(dst.chunks_exact_mut(block_output)) {
        let mut all = V::splat(token, 0);
        let mut k = 0;
        while k < WIDEN_BLOCK_BYTES {
            let bytes = V::load(token, block, k);
            store::<V, B>(bytes, out, k);
            all = all.or(bytes);
            k += V::LANES;
        }
        if ASCII && all.any_high_bit() {
            break;
        }
        at += WIDEN_BLOCK_BYTES;
    }
    at
}

/// Writes each byte as a unit, from unit `at` on.
#[inline(always)]
fn store<V: Vector, B: Encode>(bytes: V, out: &mut [MaybeUninit<u8>], at: usize) {
    match B::SCHEME {
        Scheme::Utf16Le => bytes.store_widened::<Little>(out, at),
        Scheme::Utf16Be => bytes.store_widened::<Big>(out, at),
        Scheme::Utf32Le => bytes.store_widened_to_32_bits::<Little>(out, at),
        Scheme::Utf32Be => bytes.store_widened_to_32_bits::<Big>(out, at),
        _ => bytes.store_bytes(out, at),
    }
}

/// Converts a short text. Returns `None` if the text is not short, if its output does not fit, or
/// if `ASCII` and the text is not ASCII.
#[inline(always)]
pub(crate) fn short<B: Encode, const ASCII: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    if src.len() > words::LOADED_MAX_BYTES {
        return None;
    }
    let written = const { B::SCHEME.unit_size() } * src.len();
    let is_ascii = spread(src, B::SCHEME, dst.get_mut(..written)?);
    (is_ascii || !ASCII).then_some(Reach { read: src.len(), written })
}

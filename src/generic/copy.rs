//! Functions that copy ASCII up to the first byte that is not ASCII: the conversions to and from
//! ASCII, and the copies of short texts of other conversions. [UTF-8 to
//! UTF-8](super::from_utf8::copy) copies its blocks by the same functions.
//!
//! 1. Copy a block of 64 bytes, then blocks of 128 bytes. Each block is copied before it is tested:
//!    the output after the returned length is scratch space, so bytes that are not ASCII may be
//!    copied there.
//! 2. After the last whole block of 64 bytes that is ASCII and fits, copy single vectors. The last
//!    vector ends at the end of the input and overlaps the vector before it. A mask of the high
//!    bits of a vector gives the end of the ASCII prefix.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::scalar::utf8::character_start;
use crate::swar::units::spread;
use crate::swar::words;
use crate::swar::words::is_character;
use crate::types::progress::Reach;

/// After a first block of ASCII, this many bytes are tested together.
const LONG_BLOCK_BYTES: usize = 2 * STEP;

/// Copies as many bytes of the ASCII prefix of `src` to `dst` as fit. Returns the number of bytes.
#[inline(always)]
pub(crate) fn ascii<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    if V::takes_short_path(len, words::LOADED_MAX_BYTES) {
        return if spread(src, Scheme::Utf8, dst) { len } else { words::ascii_up_to(src) };
    }
    let mut at = copy_ascii_run::<V>(token, src, dst);
    while at < len {
        // The last vector ends at the end of the input. It overlaps bytes that are known to be
        // ASCII.
        let from = at.min(len - V::LANES);
        let bytes = V::load(token, src, from);
        bytes.store_bytes(dst, from);
        let high = V::bits(&[bytes.high_bit_mask()]);
        if high != 0 {
            return from + high.trailing_zeros() as usize;
        }
        at = from + V::LANES;
    }
    len
}

/// Copies as many bytes as fit.
#[inline(always)]
pub(crate) fn bytes(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    if let Some(dst) = dst.get_mut(..src.len()) {
        dst.copy_from_slice(view::as_uninit(src));
        return Reach { read: src.len(), written: src.len() };
    }
    copy_start(src, dst)
}

/// Fills `dst`. Inlined, LLVM would merge this copy and the copy of all bytes into one copy of the
/// smaller length, which has to wait for the comparison.
#[cold]
#[inline(never)]
fn copy_start(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    dst.copy_from_slice(view::as_uninit(&src[..dst.len()]));
    Reach { read: dst.len(), written: dst.len() }
}

/// Copies the characters that fit into `dst` from `src`, which is known to be UTF-8.
#[inline(always)]
pub(crate) fn known_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let len = src.len().min(dst.len());
    // A character that does not fit completely is left out.
    let read = if len < src.len() { character_start(src, len) } else { len };
    dst[..read].copy_from_slice(view::as_uninit(&src[..read]));
    Reach { read, written: read }
}

/// Copies a short text if it is ASCII and fits.
#[inline(always)]
pub(crate) fn short_ascii(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    if src.len() > words::LOADED_MAX_BYTES {
        return None;
    }
    let len = src.len();
    spread(src, Scheme::Utf8, dst.get_mut(..len)?).then_some(Reach { read: len, written: len })
}

/// Copies a short text if it is ASCII or a single character and fits.
#[inline(always)]
pub(crate) fn short_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    if src.len() > words::LOADED_MAX_BYTES {
        return None;
    }
    let len = src.len();
    let is_ascii = spread(src, Scheme::Utf8, dst.get_mut(..len)?);
    (is_ascii || is_character(src)).then_some(Reach { read: len, written: len })
}

/// Copies blocks of 64 or 128 bytes from the start of `src` to `dst`, while they are ASCII and fit.
/// Returns the number of bytes.
#[inline(always)]
pub(crate) fn copy_ascii_run<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let mut at = 0;
    while let (Some(from), Some(to)) = (src[at..].first_chunk(), dst[at..].first_chunk_mut()) {
        if block::<V, STEP>(token, from, to).any_high_bit() {
            break;
        }
        at += STEP;
        while let (Some(from), Some(to)) = (src[at..].first_chunk(), dst[at..].first_chunk_mut()) {
            if block::<V, LONG_BLOCK_BYTES>(token, from, to).any_high_bit() {
                break;
            }
            at += LONG_BLOCK_BYTES;
        }
    }
    at
}

/// Copies a block. Returns the OR of the vectors of the block: a lane is 0x80 or above if a byte in
/// this lane is not ASCII.
#[inline(always)]
pub(crate) fn block<V: Vector, const N: usize>(
    token: V::Token,
    src: &[u8; N],
    dst: &mut [MaybeUninit<u8>; N],
) -> V {
    let mut all = V::splat(token, 0);
    let mut at = 0;
    while at < N {
        let bytes = V::load(token, src, at);
        bytes.store_bytes(dst, at);
        all = all.or(bytes);
        at += V::LANES;
    }
    all
}

//! The functions of the [pair table](super) for CESU-8 and Modified UTF-8.
//!
//! Vector code validates these encodings, and converts between them and UTF-8. Their other
//! conversions go [through UTF-8](super::through).

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Cesu8, Mutf8};
use crate::generic::cesu8 as generic_cesu8;
use crate::scalar;
use crate::types::progress::Reach;

/// Converts UTF-8 to CESU-8.
#[inline(never)]
pub(crate) fn utf8_to_cesu8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    convert(src, dst, (Scheme::Utf8, Scheme::Cesu8), blocks_from_utf8, kernel)
}

/// Converts UTF-8 to Modified UTF-8.
#[inline(never)]
pub(crate) fn utf8_to_mutf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    convert(src, dst, (Scheme::Utf8, Scheme::Mutf8), blocks_from_utf8, kernel)
}

/// Converts CESU-8 to UTF-8.
#[inline(never)]
pub(crate) fn cesu8_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    convert(src, dst, (Scheme::Cesu8, Scheme::Utf8), blocks_to_utf8, kernel)
}

/// Converts Modified UTF-8 to UTF-8.
#[inline(never)]
pub(crate) fn mutf8_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    convert(src, dst, (Scheme::Mutf8, Scheme::Utf8), blocks_to_utf8, kernel)
}

/// Validates CESU-8.
#[inline(never)]
pub(crate) fn check_cesu8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    let valid_len = check_blocks(src, false, kernel);
    scalar::validate::<Cesu8>(&src[valid_len..]).map_err(|error| valid_len + error.valid_up_to())
}

/// Validates Modified UTF-8.
#[inline(never)]
pub(crate) fn check_mutf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    let valid_len = check_blocks(src, true, kernel);
    scalar::validate::<Mutf8>(&src[valid_len..]).map_err(|error| valid_len + error.valid_up_to())
}

/// Converts blocks by vector code. If it stops before the end, the scalar reference converts the
/// rest, and stops at the error or where the output is full.
#[inline(always)]
fn convert(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (from, to): (Scheme, Scheme),
    convert_blocks: ConvertBlocks,
    kernel: Kernel,
) -> Reach {
    let is_mutf8 = matches!(from, Scheme::Mutf8) || matches!(to, Scheme::Mutf8);
    let reach = convert_blocks(src, dst, is_mutf8, kernel);
    if reach.read == src.len() {
        return reach;
    }
    let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
    scalar::convert(from, to, rest, out).after(reach.read, reach.written)
}

/// A conversion up to the first block that is ill-formed or does not fit into the output. The flag
/// is true for Modified UTF-8, and false for CESU-8.
type ConvertBlocks = fn(&[u8], &mut [MaybeUninit<u8>], bool, Kernel) -> Reach;

/// Converts blocks of UTF-8 to Modified UTF-8 if `is_mutf8`, else to CESU-8.
#[inline(never)]
fn blocks_from_utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_mutf8: bool,
    kernel: Kernel,
) -> Reach {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| generic_cesu8::convert::<V, false, true>(is_mutf8, token, src, dst))
}

/// Converts blocks of Modified UTF-8 if `is_mutf8`, else of CESU-8, to UTF-8.
#[inline(never)]
fn blocks_to_utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_mutf8: bool,
    kernel: Kernel,
) -> Reach {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| generic_cesu8::convert::<V, true, true>(is_mutf8, token, src, dst))
}

/// Returns the number of bytes that [`blocks_to_utf8`] would read with enough capacity.
#[inline(never)]
fn check_blocks(src: &[u8], is_mutf8: bool, kernel: Kernel) -> usize {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => 0,
        |V, token| generic_cesu8::convert::<V, true, false>(is_mutf8, token, src, &mut []).read)
}

#[cfg(all(test, feature = "alloc"))]
mod tests;

//! CESU-8 and Modified UTF-8: the functions of the [pair table](super).
//!
//! Vector code validates them, and converts between them and UTF-8. All other conversions go
//! [through UTF-8](super::through).

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Cesu8, Mutf8};
use crate::generic::cesu8 as edit;
use crate::scalar;
use crate::types::progress::Reach;

/// Converts UTF-8 to CESU-8.
#[inline(never)]
pub(crate) fn utf8_to_cesu8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    convert(src, dst, (Scheme::Utf8, Scheme::Cesu8), into_blocks, kernel)
}

/// Converts UTF-8 to Modified UTF-8.
#[inline(never)]
pub(crate) fn utf8_to_mutf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    convert(src, dst, (Scheme::Utf8, Scheme::Mutf8), into_blocks, kernel)
}

/// Converts CESU-8 to UTF-8.
#[inline(never)]
pub(crate) fn cesu8_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    convert(src, dst, (Scheme::Cesu8, Scheme::Utf8), from_blocks, kernel)
}

/// Converts Modified UTF-8 to UTF-8.
#[inline(never)]
pub(crate) fn mutf8_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    convert(src, dst, (Scheme::Mutf8, Scheme::Utf8), from_blocks, kernel)
}

/// Validates CESU-8.
#[inline(never)]
pub(crate) fn check_cesu8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    let known = check_blocks(src, false, kernel);
    scalar::validate::<Cesu8>(&src[known..]).map_err(|error| known + error.valid_up_to())
}

/// Validates Modified UTF-8.
#[inline(never)]
pub(crate) fn check_mutf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    let known = check_blocks(src, true, kernel);
    scalar::validate::<Mutf8>(&src[known..]).map_err(|error| known + error.valid_up_to())
}

/// Converts blocks by vectors. The reference converts the block in which they stop, and stops in it
/// too.
#[inline(always)]
fn convert(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (from, to): (Scheme, Scheme),
    blocks: Blocks,
    kernel: Kernel,
) -> Reach {
    let nul = matches!(from, Scheme::Mutf8) || matches!(to, Scheme::Mutf8);
    let reach = blocks(src, dst, nul, kernel);
    if reach.read == src.len() {
        return reach;
    }
    let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
    scalar::convert(from, to, rest, out).after(reach.read, reach.written)
}

/// A conversion up to the first block that is ill-formed or does not fit. The flag is true for
/// Modified UTF-8, and false for CESU-8.
type Blocks = fn(&[u8], &mut [MaybeUninit<u8>], bool, Kernel) -> Reach;

/// Converts blocks of UTF-8.
#[inline(never)]
fn into_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>], nul: bool, kernel: Kernel) -> Reach {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| edit::convert::<V, false, true>(nul, token, src, dst))
}

/// Converts blocks to UTF-8.
#[inline(never)]
fn from_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>], nul: bool, kernel: Kernel) -> Reach {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| edit::convert::<V, true, true>(nul, token, src, dst))
}

/// Returns the number of bytes that [`from_blocks`] would read, if all fitted.
#[inline(never)]
fn check_blocks(src: &[u8], nul: bool, kernel: Kernel) -> usize {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => 0,
        |V, token| edit::convert::<V, true, false>(nul, token, src, &mut []).read)
}

#[cfg(all(test, feature = "alloc"))]
mod tests;

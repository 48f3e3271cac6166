//! UTF-16LE to CESU-8 and Modified UTF-8.
//!
//! This is the [conversion to UTF-8](crate::generic::from_utf16::to_utf8), but a surrogate is a
//! unit of three bytes like any other, once it is known to be paired.
//!
//! The two-byte NUL of Modified UTF-8 is rare. The reference converts it, with a few units around
//! it.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::generic::from_utf16::check::{boundary, whole_units};
use crate::generic::from_utf16::to_utf8::{LaneReach, fast_lane};
use crate::generic::from_utf16::utf8_encoder::UnitEncoder;
use crate::generic::from_utf16::utf8_ends::ends;
use crate::tables::{LITTLE_UNITS, Little};
use crate::types::progress::Reach;

/// Converts `src`, of at least a vector, to Modified UTF-8 (NUL is `C0 80`) if `nul`, else to
/// CESU-8.
///
/// Stops between characters: before ill-formed input, before a NUL, before output that may not fit,
/// and sometimes a few units sooner.
#[inline(always)]
pub(crate) fn convert<V: Lanes16>(
    nul: bool,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let encoder = UnitEncoder::<V>::with_nul(token, nul);
    let LaneReach { mut reach, wrong } = fast_lane::<V, Little, true>(&encoder, text, dst);
    if !wrong && text.len() >= V::LANES {
        reach = match ends::<V, Little, true>(&encoder, text, dst, reach) {
            Ok(reach) => return reach,
            Err(reach) => reach,
        };
    }
    // A pair may lie across the end of a vector. If the next vector is not converted, the high
    // surrogate is taken back.
    let read = boundary(&LITTLE_UNITS, text, reach.read);
    Reach { read, written: reach.written - 3 * (reach.read - read) / 2 }
}

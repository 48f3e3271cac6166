//! UTF-16LE to CESU-8 and Modified UTF-8: the [conversion to UTF-8](super::utf16_to_utf8), in which a surrogate is a unit of
//! three bytes like any other, once it is known not to be alone.
//!
//! NUL of two bytes is rare, and left to the reference with a few units around it.

use core::mem::MaybeUninit;

use super::utf16_check::{boundary, whole_units};
use super::utf16_to_utf8::{Encoder, Lane, ends, fast_lane};
use crate::arch::lanes16::Lanes16;
use crate::progress::Reach;
use crate::tables::{LITTLE_UNITS, Little};

/// Converts `src`, of at least a vector. With `nul` NUL is `C0 80`. Stops between characters: in front of anything ill-formed, of
/// NUL, and of what may not fit, and a few units sooner.
#[inline(always)]
pub(crate) fn convert<V: Lanes16>(
    nul: bool,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let encoder = Encoder::<V>::with_nul(token, nul);
    let Lane { mut reach, wrong } = fast_lane::<V, Little, true>(&encoder, text, dst);
    if !wrong && text.len() >= V::LANES {
        reach = match ends::<V, Little, true>(&encoder, text, dst, reach) {
            Ok(reach) => return reach,
            Err(reach) => reach,
        };
    }
    // A pair may lie across the end of a vector; if the next one is not taken, neither is its first half.
    let read = boundary(&LITTLE_UNITS, text, reach.read);
    Reach { read, written: reach.written - 3 * (reach.read - read) / 2 }
}

//! UTF-16LE to CESU-8 and Modified UTF-8: the [conversion to UTF-8](super::utf16_to_utf8), in which a surrogate is a unit of
//! three bytes like any other, once it is known not to be alone.
//!
//! NUL of two bytes is rare, and left to the reference with the step that it is in.

use core::mem::MaybeUninit;

use super::utf16_check::{boundary, whole_units};
use super::utf16_to_utf8::{Encoder, Lane, fast_lane};
use crate::arch::lanes16::Lanes16;
use crate::progress::Reach;
use crate::tables::LITTLE_UNITS;

/// Converts whole steps of `src`, as long as `dst` has room for what may come of them. With `nul` NUL is `C0 80`. Stops
/// between characters.
#[inline(always)]
pub(crate) fn convert<V: Lanes16>(
    nul: bool,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let encoder = Encoder::<V>::with_nul(token, nul);
    let Lane { reach, .. } = fast_lane::<V, true>(&encoder, text, dst);
    // A pair may lie across the end of a step; if the next one is not taken, neither is its first half.
    let read = boundary(&LITTLE_UNITS, text, reach.read);
    Reach { read, written: reach.written - 3 * (reach.read - read) / 2 }
}

//! Conversions by the scalar reference, in a byte order that is chosen at run time.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Utf16Be, Utf16Le};
use crate::generic::from_utf16::check::boundary;
use crate::scalar;
use crate::scalar::code::Encode;
use crate::tables::UnitOrder;
use crate::types::progress::Reach;

/// Converts as much of `src` as possible.
pub(crate) fn convert<B: Encode>(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    match order.big {
        false => scalar::transcode::<Utf16Le, B>(src, dst),
        true => scalar::transcode::<Utf16Be, B>(src, dst),
    }
}

/// Continues a conversion after `reach`, where vector code has stopped: before an error, or at the
/// end of the output. All units before `reach.read` have been converted.
#[inline(never)]
pub(crate) fn resume<B: Encode>(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    // If `reach` splits a pair, go back to its start. In UTF-8, two bytes have been written for the
    // high surrogate; in UTF-32, nothing.
    let read = boundary(order, src, reach.read);
    let repeated = if let Scheme::Utf8 = B::SCHEME { reach.read - read } else { 0 };
    let written = reach.written - repeated;
    convert::<B>(order, &src[read..], &mut dst[written..]).after(read, written)
}

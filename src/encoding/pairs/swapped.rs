//! UTF-32 with its high byte first, which hardly anyone has: by way of the other order, in pieces that stay in the cache.
//! Code of its own would be as large as that of the common order, for every pair and instruction set.

use core::mem::MaybeUninit;

use super::{Transcode, view};
use crate::arch::Vector;
use crate::kernel::dispatch;
use crate::progress::Reach;
use crate::{Kernel, Scheme, scalar};

/// Bytes of the source that are converted at a time. Of these come at most four times as many. Less than a KiB, since the
/// end of a piece is looked at before it is known to be well-formed.
const PIECE: usize = 960;

/// Converts into UTF-32BE. `native` converts into UTF-32LE.
#[inline(never)]
pub(super) fn into_utf32be(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    from: Scheme,
    native: Transcode,
) -> Reach {
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let rest = &src[reach.read..];
        let piece = match rest.get(..PIECE) {
            Some(piece) => &piece[..scalar::boundary(from, piece)],
            None => rest,
        };
        let room = &mut dst[reach.written..];
        let step = native(kernel, piece, room);
        // SAFETY: that many bytes have been written.
        let units = unsafe { view::init_mut(&mut room[..step.written]) };
        swap(kernel, units);
        reach = step.behind(reach.read, reach.written);
        // A piece that is not converted to its end has the end of everything in it.
        if step.read < piece.len() || piece.len() == rest.len() {
            return reach;
        }
    }
}

/// Exchanges the bytes of 32-bit units.
fn swap(kernel: Kernel, units: &mut [u8]) {
    #[inline(always)]
    fn each(units: &mut [u8]) {
        for unit in units.as_chunks_mut::<4>().0 {
            unit.reverse();
        }
    }
    #[inline(always)]
    fn vectors<V: Vector>(_: V::Token, units: &mut [u8]) {
        each(units);
    }
    dispatch!(kernel, scalar => each(units), |V, token| vectors::<V>(token, units));
}

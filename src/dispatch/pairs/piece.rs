//! The check of a chunk of a stream of UTF-8. Without the feature `stream` it is not compiled.

use crate::arch::window::STEP;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{dispatch, dispatch_short};
use crate::generic::from_utf8::piece;

/// Validates a piece of UTF-8 after the three bytes before it: see
/// [`piece::check`]. Its end may cut a sequence.
#[inline]
pub(crate) fn check_utf8_piece(src: &[u8], before: &mut u32, kernel: Kernel) -> Result<(), usize> {
    if src.len() < STEP {
        return dispatch_short!(kernel,
            scalar => Err(0),
            |V, token, src, before| piece::check_short::<V>(token, before, src));
    }
    if let Ok(block) = <&[u8; STEP]>::try_from(src) {
        return dispatch!(kernel,
            scalar => Err(0),
            |V, token, block, before| piece::check_block::<V>(token, before, block));
    }
    dispatch!(kernel,
        scalar => Err(0),
        |V, token, src, before| piece::check::<V>(token, before, src))
}

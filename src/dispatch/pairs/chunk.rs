//! The check of a chunk of a UTF-8 stream. This module is compiled only with the feature `stream`.

use crate::arch::window::STEP;
use crate::dispatch::active::of_kernel;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_utf8;
use crate::dispatch::run::dispatch;
use crate::generic::from_utf8::chunk;
use crate::generic::from_utf8::groups::GROUPED_MIN_BYTES;

/// A function that does the same as [`check_utf8_chunk`], for a chunk of exactly [`STEP`] bytes, on
/// one kernel. Its arguments are the chunk and `before`. Chunks of this length are frequent, so a
/// validator stores this function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockCheck(unsafe fn(&[u8; STEP], &mut u32) -> Result<(), usize>);

impl BlockCheck {
    /// A check that fails for every block, for validators of other schemes.
    pub(crate) const NONE: Self = Self(|_, _| Err(0));

    /// Returns the check that runs on `kernel`.
    pub(crate) fn for_kernel(kernel: Kernel) -> Self {
        Self(block_check_on(kernel))
    }

    /// Validates `block`. `before` holds the three bytes before the block; if the check succeeds,
    /// it holds the last three bytes of the block.
    #[inline]
    pub(crate) fn run(self, block: &[u8; STEP], before: &mut u32) -> Result<(), usize> {
        // SAFETY: the function of `NONE` needs no CPU features. `for_kernel` was given a kernel,
        // and a kernel is made only where its features have been detected.
        unsafe { (self.0)(block, before) }
    }
}

of_kernel! {
    /// Returns the function that a [`BlockCheck`] holds.
    fn block_check_on: fn(block: &[u8; STEP], before: &mut u32) -> Result<(), usize> = check_block;
}

#[inline(always)]
fn check_block(block: &[u8; STEP], before: &mut u32, kernel: Kernel) -> Result<(), usize> {
    dispatch!(kernel,
        scalar => Err(0),
        |V, token, block, before| chunk::check_block::<V>(token, before, block))
}

/// Validates a chunk of UTF-8, which may end inside a sequence: see [`chunk::check`]. `before`
/// holds the three bytes before the chunk; if the check succeeds, it holds the last three bytes of
/// the chunk.
#[inline(never)]
pub(crate) fn check_utf8_chunk(src: &[u8], before: &mut u32, kernel: Kernel) -> Result<(), usize> {
    if src.len() < STEP {
        return dispatch!(kernel.of_16_bytes(),
            scalar => Err(0),
            |V, token, src, before| chunk::check_short::<V>(token, before, src));
    }
    if let Ok(block) = src.try_into() {
        return BlockCheck::for_kernel(kernel).run(block, before);
    }
    if src.len() >= GROUPED_MIN_BYTES {
        return check_long_chunk(src, before, kernel);
    }
    dispatch!(kernel,
        scalar => Err(0),
        |V, token, src, before| chunk::check::<V>(token, before, src))
}

/// Does the same as [`check_utf8_chunk`], for at least [`GROUPED_MIN_BYTES`] bytes.
#[inline(never)]
fn check_long_chunk(src: &[u8], before: &mut u32, kernel: Kernel) -> Result<(), usize> {
    let check_block = BlockCheck::for_kernel(kernel);
    chunk::check_long(
        before,
        src,
        |block, before| check_block.run(block, before),
        |rest| check_utf8(rest, kernel),
    )
}

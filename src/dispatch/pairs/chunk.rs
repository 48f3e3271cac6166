//! The check of a chunk of a UTF-8 stream. This module is compiled only with the feature `stream`.

use crate::arch::window::STEP;
use crate::dispatch::active::of_kernel;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_utf8;
use crate::dispatch::run::dispatch;
use crate::encoding::scheme::Scheme;
use crate::generic::from_utf8::chunk;
use crate::generic::from_utf8::groups::GROUPED_MIN_BYTES;
use crate::scalar::boundary::incomplete_suffix_len;
use crate::scalar::utf8::character_start;

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
        Self(block_check_fn(kernel.0))
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
    fn block_check_fn: fn(block: &[u8; STEP], before: &mut u32) -> Result<(), usize>;
    scalar => {
        let _ = (block, before);
        Err(0)
    },
    |V, token| chunk::check_block::<V>(token, before, block)
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

/// Does the same as [`check_utf8_chunk`], for at least [`GROUPED_MIN_BYTES`] bytes:
///
/// 1. Validate the first block after the bytes in `before`.
/// 2. Validate the rest as a text. It begins with the last character that begins in the first
///    block, and ends before an incomplete sequence at the end of the chunk.
#[inline(never)]
fn check_long_chunk(src: &[u8], before: &mut u32, kernel: Kernel) -> Result<(), usize> {
    let Some(block) = src.first_chunk::<STEP>() else { return Err(0) };
    BlockCheck::for_kernel(kernel).run(block, &mut before.clone())?;
    let start = character_start(src, STEP - 1);
    let end = src.len() - const { incomplete_suffix_len(Scheme::Utf8) }(src);
    check_utf8(&src[start..end], kernel).map_err(|known| start + known)?;
    *before = chunk::last_three(src);
    Ok(())
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use alloc::string::String;
    use core::str;

    use super::*;

    /// Returns the last three bytes of `text`, with the last byte in bits 16 to 23. Missing bytes
    /// are zero.
    fn last_three_bytes(text: &[u8]) -> u32 {
        text.iter().fold(0, |word, &byte| word >> 8 | u32::from(byte) << 16)
    }

    /// Asserts that the check of a chunk of at most [`STEP`] bytes accepts exactly what the
    /// standard library accepts, for chunks at many offsets of `text`. If the check fails, a
    /// validator calls another function, so no other test notices a well-formed chunk that fails.
    fn assert_exact_checks(text: &[u8]) {
        for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::SCALAR) {
            for start in 0..5 {
                let before = last_three_bytes(&text[..start]);
                for len in (1..=STEP).filter(|len| start + len <= text.len()) {
                    let text_so_far = &text[..start + len];
                    // The chunk may end inside a sequence.
                    let is_well_formed = str::from_utf8(text_so_far)
                        .map_or_else(|e| e.error_len().is_none(), |_| true);
                    let mut updated = before;
                    let result = check_utf8_chunk(&text_so_far[start..], &mut updated, kernel);
                    assert_eq!(
                        result.is_ok(),
                        is_well_formed,
                        "{kernel}: {start}, {len} of {text:x?}"
                    );
                    let expected =
                        if is_well_formed { last_three_bytes(text_so_far) } else { before };
                    assert_eq!(updated, expected, "{kernel}: {start}, {len} of {text:x?}");
                }
            }
        }
    }

    #[test]
    fn short_chunks_are_checked_exactly() {
        for text in ["a\u{E9}", "\u{4E2D}", "\u{1F600}", "\u{1F600}b\u{E9}\u{4E2D}"] {
            for prefix_len in 0..4 {
                let mut text = String::from(&"x".repeat(prefix_len)) + &text.repeat(40);
                text.truncate((0..=72).rfind(|&end| text.is_char_boundary(end)).unwrap_or(0));
                let mut text = text.into_bytes();
                assert_exact_checks(&text);
                // Write one wrong byte after the start of every chunk.
                for offset in 5..text.len() {
                    for wrong in [0xFF, 0xC1, 0x80, b'a', 0xE4] {
                        let original = core::mem::replace(&mut text[offset], wrong);
                        assert_exact_checks(&text);
                        text[offset] = original;
                    }
                }
            }
        }
    }
}

//! The check of a chunk of a stream of UTF-8. It is compiled only with the feature `stream`.

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

/// [`check_utf8_chunk`] for a block, on one kernel. Chunks of this length are frequent, so a
/// validator keeps this.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockCheck(unsafe fn(&[u8; STEP], &mut u32) -> Result<(), usize>);

impl BlockCheck {
    /// A check that no block passes, for validators of other schemes.
    pub(crate) const NONE: Self = Self(|_, _| Err(0));

    /// Returns the check on `kernel`.
    pub(crate) fn for_kernel(kernel: Kernel) -> Self {
        Self(block_check_of(kernel.0))
    }

    /// Validates `block` after the three bytes before it.
    #[inline]
    pub(crate) fn run(self, block: &[u8; STEP], before: &mut u32) -> Result<(), usize> {
        // SAFETY: `NONE` needs no features, and `for_kernel` was given a kernel, which is made only
        // where its features have been detected.
        unsafe { (self.0)(block, before) }
    }
}

of_kernel! {
    /// Returns the function of [`BlockCheck`].
    fn block_check_of: fn(block: &[u8; STEP], before: &mut u32) -> Result<(), usize>;
    scalar => {
        let _ = (block, before);
        Err(0)
    },
    |V, token| chunk::check_block::<V>(token, before, block)
}

/// Validates a chunk of UTF-8 after the three bytes before it: see [`chunk::check`]. It may end
/// inside a sequence.
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

/// [`check_utf8_chunk`] for at least [`GROUPED_MIN_BYTES`] bytes. Validates a block after the bytes
/// before it, and the rest as a whole text, from the start of the character that the block may
/// split.
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

    /// Returns the last three bytes, the last one highest, after zeros if there are fewer.
    fn last_three(text: &[u8]) -> u32 {
        text.iter().fold(0, |all, &byte| all >> 8 | u32::from(byte) << 16)
    }

    /// Asserts that the check of a chunk of at most a block is exact, wherever the chunks of `text`
    /// begin and end. A validator calls another function if the check fails, so no other test finds
    /// a well-formed chunk that fails. The oracle is the standard library.
    fn check(text: &[u8]) {
        for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::SCALAR) {
            for start in 0..5 {
                let before = last_three(&text[..start]);
                for len in (1..=STEP).filter(|len| start + len <= text.len()) {
                    let whole = &text[..start + len];
                    // The chunk may end inside a sequence.
                    let fine =
                        str::from_utf8(whole).map_or_else(|e| e.error_len().is_none(), |_| true);
                    let mut after = before;
                    let result = check_utf8_chunk(&whole[start..], &mut after, kernel);
                    assert_eq!(result.is_ok(), fine, "{kernel}: {start}, {len} of {text:x?}");
                    let want = if fine { last_three(whole) } else { before };
                    assert_eq!(after, want, "{kernel}: {start}, {len} of {text:x?}");
                }
            }
        }
    }

    #[test]
    fn short_chunks_are_checked_exactly() {
        for text in ["a\u{E9}", "\u{4E2D}", "\u{1F600}", "\u{1F600}b\u{E9}\u{4E2D}"] {
            for front in 0..4 {
                let mut text = String::from(&"x".repeat(front)) + &text.repeat(40);
                text.truncate((0..=72).rfind(|&end| text.is_char_boundary(end)).unwrap_or(0));
                let mut text = text.into_bytes();
                check(&text);
                // One wrong byte after the bytes before the first chunks.
                for at in 5..text.len() {
                    for wrong in [0xFF, 0xC1, 0x80, b'a', 0xE4] {
                        let right = core::mem::replace(&mut text[at], wrong);
                        check(&text);
                        text[at] = right;
                    }
                }
            }
        }
    }
}

//! Counts of supplementary code points in UTF-8.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::types::Utf8;
use crate::generic;

/// Returns the number of supplementary code points (from U+10000 on), which are surrogate pairs in
/// UTF-16 and four bytes in UTF-8. Does not validate.
///
/// The result is the number of bytes 0xF0..=0xFF, in ill-formed text too. For any text, it is the
/// [length](crate::len) in UTF-16 minus the number of [code points](crate::count). Reads the text
/// once.
///
/// ```
/// use utflane::utf8;
///
/// assert_eq!(utf8::count_supplementary("añ語😀🦀".as_bytes()), 2);
/// assert_eq!(utf8::count_supplementary(b"\xF0\x9F, \xFF"), 2); // ill-formed
/// ```
#[must_use]
#[inline]
pub fn count_supplementary(src: &[u8]) -> usize {
    Kernel::active().utf8_count_supplementary(src)
}

/// The functions of [`utf8`](crate::utf8) that count, on a kernel.
impl Kernel {
    /// Calls `utf8::count_supplementary` on this kernel.
    ///
    /// ```
    /// assert_eq!(utflane::Kernel::SCALAR.utf8_count_supplementary("a😀".as_bytes()), 1);
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn utf8_count_supplementary(self, src: &[u8]) -> usize {
        count_bytes_from_f0(src, self)
    }
}

/// Returns the number of bytes from 0xF0 on.
#[inline(never)]
fn count_bytes_from_f0(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => Utf8::supplementary(src),
        |V, token, src, ()| generic::count::utf8::supplementary::<V>(token, src))
}

//! Counts of supplementary code points in UTF-16.

use crate::dispatch::kernel::Kernel;
use crate::encoding::types::Utf16;

/// Returns the number of supplementary code points (from U+10000 on), which are encoded as
/// surrogate pairs. Does not validate.
///
/// The result is the number of low surrogates, paired or unpaired. For any text, it is the number
/// of units minus the number of [code points](crate::count). Reads the text once.
///
/// ```
/// use utflane::utf16;
///
/// let text: Vec<u16> = "añ語😀🦀".encode_utf16().collect();
/// assert_eq!(utf16::count_supplementary(&text), 2);
/// assert_eq!(utf16::count_supplementary(&[0xD83D, 0x61, 0xDE00]), 1); // ill-formed
/// ```
#[must_use]
#[inline]
pub fn count_supplementary(src: &[u16]) -> usize {
    Kernel::active().utf16_count_supplementary(src)
}

/// The functions of [`utf16`](mod@crate::utf16) that count, on a kernel.
impl Kernel {
    /// Calls [`utf16::count_supplementary`](crate::utf16::count_supplementary) on this kernel.
    ///
    /// ```
    /// assert_eq!(utflane::Kernel::SCALAR.utf16_count_supplementary(&[0x61, 0xD83D, 0xDE00]), 1);
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn utf16_count_supplementary(self, src: &[u16]) -> usize {
        // The number of code points is the number of units that are not low surrogates.
        src.len() - self.count::<Utf16>(src)
    }
}

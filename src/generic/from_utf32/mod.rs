//! Validation of UTF-32, and conversions from UTF-32.

#[cfg(feature = "count")]
use crate::arch::lanes32::Lanes32;
#[cfg(feature = "count")]
use crate::encoding::view::Uninit;
#[cfg(feature = "count")]
use crate::types::progress::Reach;

pub(crate) mod check;
#[cfg(feature = "count")]
pub(crate) mod convert;
#[cfg(feature = "count")]
pub(crate) mod copy;
#[cfg(feature = "count")]
pub(crate) mod singles;
#[cfg(feature = "count")]
pub(crate) mod swap;
#[cfg(feature = "count")]
pub(crate) mod to_utf16;
#[cfg(feature = "count")]
pub(crate) mod to_utf8;

/// A conversion from UTF-32LE, with an algorithm for each length. If each input unit becomes one
/// output unit, the caller truncates the text to the capacity of the output.
#[cfg(feature = "count")]
pub(crate) trait FromUtf32: Copy {
    /// The minimum length of a text, in bytes, that vectors of 64 bytes convert.
    const WIDE_MIN_BYTES: usize;
    /// The maximum length of a text, in bytes, that vectors of 16 bytes convert.
    const NARROW_MAX_BYTES: usize;

    /// Converts more than 64 bytes.
    fn convert<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach;

    /// Converts more than [`NARROW_MAX_BYTES`](Self::NARROW_MAX_BYTES), and at most 64 bytes.
    #[inline(always)]
    fn convert_short<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        self.convert::<V>(token, src, dst)
    }

    /// Converts from 16 to [`NARROW_MAX_BYTES`](Self::NARROW_MAX_BYTES), with vectors of 16 bytes.
    fn convert_narrow<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach;

    /// Converts with the scalar reference.
    fn convert_by_reference(self, src: &[u8], dst: &mut Uninit) -> Reach;
}

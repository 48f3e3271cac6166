//! An encoding as two functions: one decodes the first character of a text, the other encodes a
//! character.

use core::mem::MaybeUninit;

use crate::encoding::types::Encoding;
use crate::types::error::DecodeError;

/// An encoding that can be decoded.
pub(crate) trait Decode: Encoding {
    /// Returns the scalar value of the first character of `src` and its length in bytes, or the
    /// error at the start of `src`. `src` is not empty.
    fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError>;
}

/// An encoding that can be encoded.
pub(crate) trait Encode: Encoding {
    /// Writes the scalar value `c` to the start of `dst`. Returns the number of bytes, or `None` if
    /// `c` does not fit or the encoding cannot represent it.
    fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize>;
}

/// Writes `bytes` to the start of `dst` if they fit. Returns their number, or `None` if they do not
/// fit.
#[inline]
pub(crate) fn write_bytes<const N: usize>(
    bytes: [u8; N],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let dst = dst.first_chunk_mut::<N>()?;
    for (slot, byte) in dst.iter_mut().zip(bytes) {
        slot.write(byte);
    }
    Some(N)
}

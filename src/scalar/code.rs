//! An encoding as two functions: one decodes the first character of some bytes, the other encodes a
//! character.

use core::mem::MaybeUninit;

use crate::encoding::types::Encoding;
use crate::types::error::DecodeError;

/// Decodes a scheme.
pub(crate) trait Decode: Encoding {
    /// Returns the scalar value of the first character of `src` and its number of bytes, or the
    /// error there. `src` is not empty.
    fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError>;
}

/// Encodes a scheme.
pub(crate) trait Encode: Encoding {
    /// Writes the scalar value `c` to the front of `dst`. Returns the number of bytes, or `None` if
    /// it does not fit or the encoding cannot represent it.
    fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize>;
}

/// Writes `bytes` to the front of `dst` if they fit.
#[inline]
pub(crate) fn write_bytes<const N: usize>(
    bytes: [u8; N],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let dst = dst.first_chunk_mut::<N>()?;
    for (to, byte) in dst.iter_mut().zip(bytes) {
        to.write(byte);
    }
    Some(N)
}

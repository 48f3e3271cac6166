//! An encoding as two functions: one decodes the first character of a text, the other encodes a
//! character.

use core::mem::MaybeUninit;

use crate::encoding::types::Encoding;
use crate::types::error::DecodeError;

pub(crate) use crate::swar::units::write_bytes;

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

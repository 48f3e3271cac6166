//! Latin-1 and ASCII: each byte is a code point.

use core::mem::MaybeUninit;

use crate::encoding::types::{Ascii, Latin1};
use crate::scalar::code::{Decode, Encode, write_bytes};
use crate::types::error::{DecodeError, ErrorKind};

impl Decode for Latin1 {
    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
        Ok((u32::from(src[0]), 1))
    }
}

impl Latin1 {
    /// Returns the number of bytes of the text in UTF-8.
    pub(crate) fn utf8_len(src: &[u8]) -> usize {
        src.len() + src.iter().filter(|&&byte| byte >= 0x80).count()
    }
}

impl Encode for Latin1 {
    #[inline]
    fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        write_bytes([u8::try_from(c).ok()?], dst)
    }
}

impl Decode for Ascii {
    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), DecodeError> {
        match src[0] {
            byte @ 0x00..=0x7F => Ok((u32::from(byte), 1)),
            _ => Err(DecodeError::ill_formed(ErrorKind::TooLarge, 1)),
        }
    }
}

impl Encode for Ascii {
    #[inline]
    fn encode(c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        match u8::try_from(c) {
            Ok(byte @ 0x00..=0x7F) => write_bytes([byte], dst),
            _ => None,
        }
    }
}

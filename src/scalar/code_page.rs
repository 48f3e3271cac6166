//! Code pages: the reference.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::scalar::{decode, encode};
use crate::tables::code_pages::Page;
use crate::types::progress::Reach;

/// Decodes a code page into a Unicode scheme. Stops at an unassigned byte, or if a character does
/// not fit.
pub(crate) fn decode_page(
    page: &Page,
    to: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let mut written = 0;
    for (read, &byte) in src.iter().enumerate() {
        let c = page.decode(byte);
        match c.and_then(|c| encode(to, c.into(), &mut dst[written..])) {
            Some(len) => written += len,
            None => return Reach { read, written },
        }
    }
    Reach { read: src.len(), written }
}

/// Encodes text of a Unicode scheme as a code page. Stops at an ill-formed sequence, a character
/// that the page lacks, and the end of the output.
pub(crate) fn encode_page(
    page: &Page,
    from: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let mut read = 0;
    for (written, out) in dst.iter_mut().enumerate() {
        if read == src.len() {
            return Reach { read, written };
        }
        let decoded = decode(from, &src[read..]).ok();
        let Some((byte, len)) = decoded.and_then(|(c, len)| Some((page.encode(c)?, len))) else {
            return Reach { read, written };
        };
        out.write(byte);
        read += len;
    }
    Reach { read, written: dst.len() }
}

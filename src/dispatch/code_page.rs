//! The functions of code pages: from and to UTF-16 and UTF-8, and searches.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::view::Uninit;
use crate::generic::code_page;
use crate::scalar::code_page::{decode_page, encode_page};
use crate::tables::code_pages::Page;
use crate::tables::{BIG_UNITS, LITTLE_UNITS};
use crate::types::progress::Reach;

/// A conversion between a code page and a Unicode scheme, on one kernel. The first characters of
/// the text, of which the argument `ascii` is the number, are ASCII and have been converted.
#[derive(Clone, Copy)]
pub(crate) struct PageTask {
    pub(crate) page: &'static Page,
    pub(crate) scheme: Scheme,
    pub(crate) kernel: Kernel,
}

impl PageTask {
    /// Decodes to UTF-16.
    #[inline(never)]
    pub(crate) fn decode_to_utf16(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
        let Self { page, scheme, kernel } = *self;
        let is_big = matches!(scheme, Scheme::Utf16Be);
        let len = src.len().min(dst.len() / 2);
        let out = &mut *dst;
        let read = dispatch!(kernel.for_bytes(len), wide if len >= WIDE_BYTES,
            scalar => ascii,
            |V, token, src, out| code_page::decode::<V>(token, (page, ascii, is_big), src, out));
        if read == src.len() {
            return Reach { read, written: 2 * read };
        }
        decode_page(page, scheme, &src[read..], &mut dst[2 * read..]).after(read, 2 * read)
    }

    /// Decodes whole vectors to UTF-8.
    #[inline(never)]
    pub(crate) fn decode_to_utf8(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
        let page = self.page;
        dispatch!(self.kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
            scalar => Reach { read: ascii, written: ascii },
            |V, token, src, dst| code_page::decode_to_utf8::<V>(token, (page, ascii), src, dst))
    }

    /// Encodes whole vectors of UTF-8. Stops before a character that has four bytes.
    #[inline(never)]
    pub(crate) fn encode_utf8(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
        let page = self.page;
        dispatch!(self.kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
            scalar => Reach { read: ascii, written: ascii },
            |V, token, src, dst| code_page::encode_utf8::<V>(token, (page, ascii), src, dst))
    }

    /// Encodes UTF-16.
    #[inline(never)]
    pub(crate) fn encode_utf16(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
        let Self { page, scheme, kernel } = *self;
        let order = if matches!(scheme, Scheme::Utf16Be) { &BIG_UNITS } else { &LITTLE_UNITS };
        let len = (src.len() / 2).min(dst.len());
        let out = &mut *dst;
        let written = dispatch!(kernel.for_bytes(len), wide if len >= WIDE_BYTES,
            scalar => ascii,
            |V, token, src, out| code_page::encode::<V>(token, (page, order, ascii), src, out));
        if 2 * written == src.len() {
            return Reach { read: src.len(), written };
        }
        encode_page(page, scheme, &src[2 * written..], &mut dst[written..])
            .after(2 * written, written)
    }
}

/// Returns the offset of the first unassigned byte, or `None` if there is none.
pub(crate) fn find_unassigned(page: &'static Page, src: &[u8], kernel: Kernel) -> Option<usize> {
    if page.is_total {
        return None;
    }
    let assigned = dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => 0,
        |V, token| code_page::assigned_len::<V>(token, page, src));
    let rest = src[assigned..].iter().position(|&byte| page.decode(byte).is_none());
    rest.map(|at| assigned + at)
}

/// Returns the number of bytes at the start of `src` that are their characters in Latin-1.
pub(crate) fn latin1_len(page: &'static Page, src: &[u8], kernel: Kernel) -> usize {
    let len = dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => 0,
        |V, token| code_page::latin1_len::<V>(token, page.latin1_max, src));
    let rest = &src[len..];
    let is_other = |&byte: &u8| byte ^ 0x7F > page.latin1_max;
    len + rest.iter().position(is_other).unwrap_or(rest.len())
}

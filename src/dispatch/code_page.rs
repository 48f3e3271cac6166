//! Code pages: the pair table's conversion of ASCII, or of Latin-1 in pages that are like it,
//! converts the start of the text, and the functions of each kernel convert the rest, from and to
//! UTF-16 and UTF-8. Other encodings are converted in two steps through UTF-16LE, segment by
//! segment, in a buffer that stays in the cache.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::generic::code_page;
use crate::scalar;
use crate::scalar::code_page::{decode_page as decode_by_scalar, encode_page as encode_by_scalar};
use crate::tables::code_pages::Page;
use crate::tables::{BIG_UNITS, LITTLE_UNITS};
use crate::types::progress::Reach;

/// The most characters that are converted at a time, in the cache.
const SEGMENT_CHARS: usize = 512;

/// Converts a text from or to a Unicode scheme. A number of characters at its start are ASCII and
/// have been converted.
type ConvertRest =
    fn(&'static Page, (Scheme, usize), &[u8], &mut [MaybeUninit<u8>], Kernel) -> Reach;

/// The conversion between code pages and a Unicode scheme.
#[derive(Clone, Copy)]
pub(crate) struct PageConversion {
    scheme: Scheme,
    is_decoding: bool,
    /// The conversions of a start in ASCII and in Latin-1, and of the text after it.
    ascii: Conversion,
    latin1: Conversion,
    rest: ConvertRest,
}

impl PageConversion {
    /// Returns the conversion that decodes into `to`, up to an unassigned byte.
    pub(crate) const fn decoding(to: Scheme) -> Self {
        let scheme = to.without_surrogates();
        let rest: ConvertRest = match scheme {
            Scheme::Utf8 => decode_to_utf8,
            Scheme::Utf16Le | Scheme::Utf16Be => decode_to_utf16,
            _ => decode_in_two_steps,
        };
        let ascii = pairs::transcode(Scheme::Ascii, scheme);
        let latin1 = pairs::transcode(Scheme::Latin1, scheme);
        Self { scheme, is_decoding: true, ascii, latin1, rest }
    }

    /// Returns the conversion that encodes `from`, up to an ill-formed sequence or a character that
    /// the page lacks.
    pub(crate) const fn encoding(from: Scheme) -> Self {
        let scheme = from.without_surrogates();
        let rest: ConvertRest = match scheme {
            Scheme::Utf8 => encode_utf8,
            Scheme::Utf16Le | Scheme::Utf16Be => encode_utf16,
            _ => encode_in_two_steps,
        };
        let ascii = pairs::transcode(scheme, Scheme::Ascii);
        let latin1 = pairs::transcode(scheme, Scheme::Latin1);
        Self { scheme, is_decoding: false, ascii, latin1, rest }
    }

    /// Converts as much of `src` as possible.
    #[inline]
    pub(crate) fn reach(
        self,
        page: &'static Page,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Reach {
        if page.latin1_max > 0x7F {
            return self.reach_by_latin1(page, kernel, src, dst);
        }
        let mut characters = 0;
        if page.is_ascii {
            let ascii = self.ascii.reach(kernel, src, dst);
            if ascii.read == src.len() {
                return ascii;
            }
            // In the page, a character is a byte.
            characters = ascii.read.min(ascii.written);
        }
        (self.rest)(page, (self.scheme, characters), src, dst, kernel)
    }

    /// Converts as much of `src` as possible, where the page is like Latin-1.
    #[inline(never)]
    fn reach_by_latin1(
        self,
        page: &'static Page,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Reach {
        let reach = if page.latin1_max == 0xFF {
            self.latin1.reach(kernel, src, dst)
        } else if self.is_decoding {
            // A byte becomes at least one byte.
            let len = latin1_len(page, &src[..src.len().min(dst.len())], kernel);
            self.latin1.reach(kernel, &src[..len], dst)
        } else {
            self.encode_latin1(page, kernel, src, dst)
        };
        if reach.read == src.len() {
            return reach;
        }
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        (self.rest)(page, (self.scheme, 0), rest, out, kernel).after(reach.read, reach.written)
    }

    /// Encodes the start of a text as Latin-1, while the page has the same bytes. Each segment is
    /// four times as long as the one before it, so that a failed attempt takes no more time than in
    /// proportion to the text that has been encoded.
    fn encode_latin1(
        self,
        page: &'static Page,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Reach {
        let mut reach = Reach { read: 0, written: 0 };
        let mut segment_len = 2 * SEGMENT_CHARS;
        loop {
            let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
            let segment = match rest.get(..segment_len) {
                Some(segment) => &segment[..scalar::floor_boundary(self.scheme, segment)],
                None => rest,
            };
            let next = self.latin1.reach(kernel, segment, out);
            // SAFETY: a kernel function has initialised as many bytes as it says that it has
            // written.
            let bytes = unsafe { view::init_mut(&mut out[..next.written]) };
            if latin1_len(page, bytes, kernel) < bytes.len() {
                return reach;
            }
            let continues = next.read == segment.len() && segment.len() < rest.len();
            reach = next.after(reach.read, reach.written);
            if !continues {
                return reach;
            }
            segment_len *= 4;
        }
    }
}

/// Returns the number of bytes at the start of `src` that are their characters in Latin-1.
fn latin1_len(page: &'static Page, src: &[u8], kernel: Kernel) -> usize {
    let len = dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => 0,
        |V, token| code_page::latin1_len::<V>(token, page.latin1_max, src));
    let rest = &src[len..];
    let is_other = |&byte: &u8| byte ^ 0x7F > page.latin1_max;
    len + rest.iter().position(is_other).unwrap_or(rest.len())
}

/// Decodes to UTF-16. The first `ascii` bytes have been decoded.
#[inline(never)]
fn decode_to_utf16(
    page: &'static Page,
    (to, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let (len, big) = (src.len().min(dst.len() / 2), matches!(to, Scheme::Utf16Be));
    let out = &mut *dst;
    let read = dispatch!(kernel.for_bytes(len), wide if len >= WIDE_BYTES,
        scalar => ascii,
        |V, token, src, out| code_page::decode::<V>(token, (page, ascii, big), src, out));
    if read == src.len() {
        return Reach { read, written: 2 * read };
    }
    decode_by_scalar(page, to, &src[read..], &mut dst[2 * read..]).after(read, 2 * read)
}

/// Decodes to UTF-8. The first `ascii` bytes are ASCII and have been decoded.
#[inline(never)]
fn decode_to_utf8(
    page: &'static Page,
    (to, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let out = &mut *dst;
    let reach = dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => Reach { read: ascii, written: ascii },
        |V, token, src, out| code_page::decode_to_utf8::<V>(token, (page, ascii), src, out));
    if reach.read == src.len() {
        return reach;
    }
    let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
    decode_by_scalar(page, to, rest, out).after(reach.read, reach.written)
}

/// Decodes through UTF-16LE. The first `ascii` characters are ASCII and have been decoded.
#[inline(never)]
fn decode_in_two_steps(
    page: &'static Page,
    (to, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let mut reach = Reach { read: ascii, written: ascii * to.unit_size() };
    let second_step = pairs::transcode(Scheme::Utf16Le, to);
    let mut buffer = [MaybeUninit::uninit(); 2 * SEGMENT_CHARS];
    loop {
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        // A character becomes at least one byte.
        let segment = &rest[..SEGMENT_CHARS.min(rest.len()).min(out.len())];
        let first = decode_to_utf16(page, (Scheme::Utf16Le, 0), segment, &mut buffer, kernel);
        // SAFETY: the function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..first.written]) };
        let second = second_step.reach(kernel, text, out);
        reach = Reach { read: second.read / 2, ..second }.after(reach.read, reach.written);
        if segment.is_empty() || second.read < 2 * segment.len() {
            return reach;
        }
    }
}

/// Encodes UTF-8. The first `ascii` bytes are ASCII and have been encoded.
#[inline(never)]
fn encode_utf8(
    page: &'static Page,
    (from, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let out = &mut *dst;
    let reach = dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => Reach { read: ascii, written: ascii },
        |V, token, src, out| code_page::encode_utf8::<V>(token, (page, ascii), src, out));
    if reach.read == src.len() {
        return reach;
    }
    let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
    encode_by_scalar(page, from, rest, out).after(reach.read, reach.written)
}

/// Encodes through UTF-16LE. The first `ascii` characters are ASCII and have been encoded.
#[inline(never)]
fn encode_in_two_steps(
    page: &'static Page,
    (from, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let mut reach = Reach { read: ascii * from.unit_size(), written: ascii };
    let first_step = pairs::transcode(from, Scheme::Utf16Le);
    let mut buffer = [MaybeUninit::uninit(); 2 * SEGMENT_CHARS];
    loop {
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        // A byte becomes at most one unit. Not much more than fits: a character has at most six
        // bytes. And always more than one character, because the boundary leaves out the last one
        // if it may be incomplete.
        let most = SEGMENT_CHARS.min(out.len().saturating_mul(6).saturating_add(64));
        let segment = match rest.get(..most) {
            Some(segment) => &segment[..scalar::floor_boundary(from, segment)],
            None => rest,
        };
        let first = first_step.reach(kernel, segment, &mut buffer);
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..first.written]) };
        let second = encode_utf16(page, (Scheme::Utf16Le, 0), text, out, kernel);
        if first.read < segment.len() || second.read < text.len() {
            // The whole conversion stops in this segment.
            return encode_by_scalar(page, from, segment, out).after(reach.read, reach.written);
        }
        reach = Reach { read: first.read, ..second }.after(reach.read, reach.written);
        if reach.read == src.len() {
            return reach;
        }
    }
}

/// Encodes UTF-16. The first `ascii` units have been encoded.
#[inline(never)]
fn encode_utf16(
    page: &'static Page,
    (from, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let order = if matches!(from, Scheme::Utf16Be) { &BIG_UNITS } else { &LITTLE_UNITS };
    let (len, out) = ((src.len() / 2).min(dst.len()), &mut *dst);
    let written = dispatch!(kernel.for_bytes(len), wide if len >= WIDE_BYTES,
        scalar => ascii,
        |V, token, src, out| code_page::encode::<V>(token, (page, order, ascii), src, out));
    if 2 * written == src.len() {
        return Reach { read: src.len(), written };
    }
    encode_by_scalar(page, from, &src[2 * written..], &mut dst[written..])
        .after(2 * written, written)
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

/// Returns the number of code units that `src` becomes in the Unicode scheme `to`, or `usize::MAX`
/// if there are more. An unassigned byte counts as U+FFFD.
pub(crate) fn decoded_len(page: &'static Page, to: Scheme, src: &[u8], kernel: Kernel) -> usize {
    let to = to.without_surrogates();
    if to.unit_size() > 1 {
        return src.len();
    }
    let measure = pairs::len(Scheme::Utf16Le, to);
    let mut buffer = [MaybeUninit::uninit(); 2 * SEGMENT_CHARS];
    let (mut read, mut len) = (0, 0_usize);
    while read < src.len() {
        let segment = &src[read..src.len().min(read + SEGMENT_CHARS)];
        let reach = decode_to_utf16(page, (Scheme::Utf16Le, 0), segment, &mut buffer, kernel);
        // SAFETY: the function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..reach.written]) };
        len = len.saturating_add(measure(text, kernel));
        read += reach.read;
        if reach.read < segment.len() {
            len = len.saturating_add(char::REPLACEMENT_CHARACTER.len_utf8());
            read += 1;
        }
    }
    len
}

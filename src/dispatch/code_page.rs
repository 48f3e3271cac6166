//! Code pages: the pair table's conversion of ASCII, or of Latin-1 in pages that are like it,
//! converts the start of the text, and the functions of each kernel convert the rest, from and to
//! UTF-16 and UTF-8. Other encodings, and text in UTF-8 that these functions leave, are converted
//! in two steps through UTF-16LE, segment by segment, in a buffer that stays in the cache.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::view::{self, Uninit};
use crate::generic::code_page;
use crate::scalar;
use crate::scalar::code_page::{decode_page as decode_by_scalar, encode_page as encode_by_scalar};
use crate::tables::code_pages::Page;
use crate::tables::{Big, Little, Order, UnitOrder};
use crate::types::progress::Reach;

/// The most characters that are converted at a time, in the cache.
const SEGMENT_CHARS: usize = 512;

/// Characters of a segment after text that was converted directly.
const FIRST_SEGMENT_CHARS: usize = 64;

/// Returns the length of the next segment in characters, after a direct conversion of `read` bytes.
/// A segment is short, so that the direct conversion continues soon, unless it could not convert
/// anything after the segment before.
fn next_segment_len(len: usize, read: usize) -> usize {
    if read > 0 { FIRST_SEGMENT_CHARS } else { SEGMENT_CHARS.min(2 * len) }
}

/// Converts a text from or to a Unicode scheme. A number of characters at its start are ASCII and
/// have been converted.
type ConvertRest = fn(&'static Page, (Scheme, usize), &[u8], &mut Uninit, Kernel) -> Reach;

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
            Scheme::Utf16Le => decode_to_utf16::<Little>,
            Scheme::Utf16Be => decode_to_utf16::<Big>,
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
            Scheme::Utf16Le => encode_utf16::<Little>,
            Scheme::Utf16Be => encode_utf16::<Big>,
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
        dst: &mut Uninit,
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
        dst: &mut Uninit,
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
        dst: &mut Uninit,
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
fn decode_to_utf16<O: Order>(
    page: &'static Page,
    (to, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> Reach {
    let read = decode_vectors((page, ascii, O::BIG), src, dst, kernel);
    if read == src.len() {
        return Reach { read, written: 2 * read };
    }
    decode_by_scalar(page, to, &src[read..], &mut dst[2 * read..]).after(read, 2 * read)
}

/// Decodes whole vectors to UTF-16, after `read` bytes. Returns the number of bytes.
fn decode_vectors(
    (page, read, big): (&'static Page, usize, bool),
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> usize {
    let len = src.len().min(dst.len() / 2);
    dispatch!(kernel.for_bytes(len), wide if len >= WIDE_BYTES,
        scalar => read,
        |V, token, src, dst| code_page::decode::<V>(token, (page, read, big), src, dst))
}

/// Decodes to UTF-8. The first `ascii` bytes are ASCII and have been decoded.
#[inline(never)]
fn decode_to_utf8(
    page: &'static Page,
    (to, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> Reach {
    let Reach { read, written } = decode_vectors_to_utf8(page, ascii, src, dst, kernel);
    if read == src.len() {
        return Reach { read, written };
    }
    let (rest, out) = (&src[read..], &mut dst[written..]);
    decode_in_two_steps(page, (to, 0), rest, out, kernel).after(read, written)
}

/// Decodes whole vectors to UTF-8, after `read` bytes of ASCII.
fn decode_vectors_to_utf8(
    page: &'static Page,
    read: usize,
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> Reach {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => Reach { read, written: read },
        |V, token, src, dst| code_page::decode_to_utf8::<V>(token, (page, read), src, dst))
}

/// Decodes through UTF-16LE. The first `ascii` characters are ASCII and have been decoded. After
/// them is no whole vector that is decoded directly.
#[cold]
#[inline(never)]
fn decode_in_two_steps(
    page: &'static Page,
    (to, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> Reach {
    let mut reach = Reach { read: ascii, written: ascii * to.unit_size() };
    if kernel == Kernel::SCALAR || src.len() - ascii < 16 {
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        return decode_by_scalar(page, to, rest, out).after(reach.read, reach.written);
    }
    let second_step = pairs::transcode(Scheme::Utf16Le, to);
    let mut buffer = [MaybeUninit::uninit(); 2 * SEGMENT_CHARS];
    let mut segment_len = FIRST_SEGMENT_CHARS;
    loop {
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        // A character becomes at least one byte.
        let segment = &rest[..segment_len.min(rest.len()).min(out.len())];
        let first =
            decode_to_utf16::<Little>(page, (Scheme::Utf16Le, 0), segment, &mut buffer, kernel);
        // SAFETY: the function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..first.written]) };
        let second = second_step.reach(kernel, text, out);
        reach = Reach { read: second.read / 2, ..second }.after(reach.read, reach.written);
        if segment.is_empty() || second.read < 2 * segment.len() {
            return reach;
        }
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        let direct = match to {
            Scheme::Utf8 => decode_vectors_to_utf8(page, 0, rest, out, kernel),
            _ => Reach { read: 0, written: 0 },
        };
        reach = direct.after(reach.read, reach.written);
        if reach.read == src.len() {
            return reach;
        }
        segment_len = next_segment_len(segment_len, direct.read);
    }
}

/// Encodes UTF-8. The first `ascii` bytes are ASCII and have been encoded.
#[inline(never)]
fn encode_utf8(
    page: &'static Page,
    (from, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> Reach {
    let Reach { read, written } = encode_vectors_of_utf8(page, ascii, src, dst, kernel);
    if read == src.len() {
        return Reach { read, written };
    }
    let (rest, out) = (&src[read..], &mut dst[written..]);
    encode_in_two_steps(page, (from, 0), rest, out, kernel).after(read, written)
}

/// Encodes whole vectors of UTF-8, after `read` bytes of ASCII. Stops before a character that has
/// four bytes.
fn encode_vectors_of_utf8(
    page: &'static Page,
    read: usize,
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> Reach {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => Reach { read, written: read },
        |V, token, src, dst| code_page::encode_utf8::<V>(token, (page, read), src, dst))
}

/// Encodes through UTF-16LE. The first `ascii` characters are ASCII and have been encoded. After
/// them is no whole vector that is encoded directly.
#[cold]
#[inline(never)]
fn encode_in_two_steps(
    page: &'static Page,
    (from, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> Reach {
    let mut reach = Reach { read: ascii * from.unit_size(), written: ascii };
    if kernel == Kernel::SCALAR || src.len() - reach.read < 16 {
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        return encode_by_scalar(page, from, rest, out).after(reach.read, reach.written);
    }
    let first_step = pairs::transcode(from, Scheme::Utf16Le);
    let mut buffer = [MaybeUninit::uninit(); 2 * SEGMENT_CHARS];
    let mut segment_len = FIRST_SEGMENT_CHARS;
    loop {
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        // A byte becomes at most one unit. Not much more than fits: a character has at most six
        // bytes. And always more than one character, because the boundary leaves out the last one
        // if it may be incomplete.
        let most = segment_len.min(out.len().saturating_mul(6).saturating_add(64));
        let segment = match rest.get(..most) {
            Some(segment) => &segment[..scalar::floor_boundary(from, segment)],
            None => rest,
        };
        let first = first_step.reach(kernel, segment, &mut buffer);
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..first.written]) };
        let second = encode_utf16::<Little>(page, (Scheme::Utf16Le, 0), text, out, kernel);
        if first.read < segment.len() || second.read < text.len() {
            // The whole conversion stops in this segment.
            return encode_by_scalar(page, from, segment, out).after(reach.read, reach.written);
        }
        reach = Reach { read: first.read, ..second }.after(reach.read, reach.written);
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        let direct = match from {
            Scheme::Utf8 => encode_vectors_of_utf8(page, 0, rest, out, kernel),
            _ => Reach { read: 0, written: 0 },
        };
        reach = direct.after(reach.read, reach.written);
        if reach.read == src.len() {
            return reach;
        }
        segment_len = next_segment_len(segment_len, direct.read);
    }
}

/// Encodes UTF-16. The first `ascii` units have been encoded.
#[inline(never)]
fn encode_utf16<O: Order>(
    page: &'static Page,
    (from, ascii): (Scheme, usize),
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> Reach {
    let written = encode_vectors((page, O::units(), ascii), src, dst, kernel);
    if 2 * written == src.len() {
        return Reach { read: src.len(), written };
    }
    encode_by_scalar(page, from, &src[2 * written..], &mut dst[written..])
        .after(2 * written, written)
}

/// Encodes whole vectors of UTF-16, after a number of units. Returns the number of units.
fn encode_vectors(
    (page, order, written): (&'static Page, &'static UnitOrder, usize),
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> usize {
    let len = (src.len() / 2).min(dst.len());
    dispatch!(kernel.for_bytes(len), wide if len >= WIDE_BYTES,
        scalar => written,
        |V, token, src, dst| code_page::encode::<V>(token, (page, order, written), src, dst))
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
        let reach =
            decode_to_utf16::<Little>(page, (Scheme::Utf16Le, 0), segment, &mut buffer, kernel);
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

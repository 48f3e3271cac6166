//! Code pages: the functions of each kernel for UTF-16 and UTF-8. Other encodings, and text in
//! UTF-8 that these functions leave, are converted in two steps through UTF-16LE, segment by
//! segment, in a buffer that stays in the cache.

#![cfg_attr(not(feature = "code-pages"), allow(dead_code, reason = "`mojibake` uses a part"))]

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::generic::code_page;
use crate::scalar;
use crate::scalar::code_page::{decode_page as decode_by_scalar, encode_page as encode_by_scalar};
use crate::tables::code_pages::Page;
use crate::tables::{BIG_UNITS, Big, LITTLE_UNITS, Little, Order, UnitOrder};
use crate::types::progress::Reach;

/// The most characters that are converted at a time, in the cache.
const SEGMENT_CHARS: usize = 512;

/// Characters of a segment after text that was converted directly.
const FIRST_SEGMENT_CHARS: usize = 64;

/// The length of the next segment in characters. A segment is short, so that the direct conversion
/// continues soon, unless it could not convert anything after the segment before.
struct SegmentLen(usize);

impl SegmentLen {
    /// Returns the length after a direct conversion that has read `read` bytes.
    fn after(&mut self, read: usize) -> usize {
        self.0 = if read > 0 { FIRST_SEGMENT_CHARS } else { SEGMENT_CHARS.min(2 * self.0) };
        self.0
    }
}

/// Converts as many bytes of `src` into the Unicode scheme `to` as fit into `dst`, up to an
/// unassigned byte.
pub(crate) fn decode_page(
    page: &'static Page,
    to: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    match to.without_surrogates() {
        Scheme::Utf16Le => decode_to_utf16::<Little>(page, to, src, dst, kernel),
        Scheme::Utf16Be => decode_to_utf16::<Big>(page, to, src, dst, kernel),
        _ if kernel == Kernel::SCALAR => decode_by_scalar(page, to, src, dst),
        to => decode_in_two_steps(page, to, src, dst, kernel),
    }
}

/// [`decode_page`] to UTF-16.
fn decode_to_utf16<O: Order>(
    page: &'static Page,
    to: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let read = decode_vectors::<O>(page, src, dst, kernel);
    if read == src.len() {
        return Reach { read, written: 2 * read };
    }
    decode_by_scalar(page, to, &src[read..], &mut dst[2 * read..]).after(read, 2 * read)
}

/// Decodes whole vectors to UTF-16 without unassigned bytes. Returns the number of bytes.
fn decode_vectors<O: Order>(
    page: &'static Page,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> usize {
    let len = src.len().min(dst.len() / 2);
    dispatch!(kernel.for_bytes(len), wide if len >= WIDE_BYTES,
        scalar => 0,
        |V, token, src, dst| code_page::decode::<V, O>(token, page, src, dst))
}

/// Decodes whole vectors to UTF-8.
fn decode_vectors_to_utf8(
    page: &'static Page,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    dispatch!(kernel.for_bytes(src.len()),
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| code_page::decode_to_utf8::<V>(token, page, src, dst))
}

/// Encodes whole vectors of UTF-8. Stops before a character that has three bytes.
fn encode_vectors_of_utf8(
    page: &'static Page,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| code_page::encode_utf8::<V>(token, page, src, dst))
}

/// [`decode_page`] through UTF-16LE.
fn decode_in_two_steps(
    page: &'static Page,
    to: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let second_step = pairs::transcode(Scheme::Utf16Le, to);
    let mut buffer = [MaybeUninit::uninit(); 2 * SEGMENT_CHARS];
    let mut reach = Reach { read: 0, written: 0 };
    let mut segment_len = SegmentLen(FIRST_SEGMENT_CHARS);
    loop {
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        let direct = match to {
            Scheme::Utf8 => decode_vectors_to_utf8(page, rest, out, kernel),
            _ => Reach { read: 0, written: 0 },
        };
        reach = direct.after(reach.read, reach.written);
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        // A character becomes at least one byte.
        let len = segment_len.after(direct.read).min(rest.len()).min(out.len());
        let segment = &rest[..len];
        let first = decode_to_utf16::<Little>(page, Scheme::Utf16Le, segment, &mut buffer, kernel);
        // SAFETY: the function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..first.written]) };
        let second = second_step.reach(kernel, text, out);
        reach = Reach { read: second.read / 2, ..second }.after(reach.read, reach.written);
        if segment.is_empty() || second.read < 2 * segment.len() {
            return reach;
        }
    }
}

/// Converts as much text in the Unicode scheme `from` as fits into `dst`, up to an ill-formed
/// sequence or a character that the page lacks.
pub(crate) fn encode_page(
    page: &'static Page,
    from: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let from = from.without_surrogates();
    if kernel == Kernel::SCALAR {
        return encode_by_scalar(page, from, src, dst);
    }
    if matches!(from, Scheme::Utf16Le | Scheme::Utf16Be) {
        return encode_utf16(page, from, src, dst, kernel);
    }
    let first_step = pairs::transcode(from, Scheme::Utf16Le);
    let mut buffer = [MaybeUninit::uninit(); 2 * SEGMENT_CHARS];
    let mut reach = Reach { read: 0, written: 0 };
    let mut segment_len = SegmentLen(FIRST_SEGMENT_CHARS);
    loop {
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        let direct = match from {
            Scheme::Utf8 if page.is_ascii => encode_vectors_of_utf8(page, rest, out, kernel),
            _ => Reach { read: 0, written: 0 },
        };
        reach = direct.after(reach.read, reach.written);
        let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
        // A byte becomes at most one unit. Not much more than fits: a character has at most six
        // bytes. And always more than one character, because the boundary leaves out the last one
        // if it may be incomplete.
        let most =
            segment_len.after(direct.read).min(out.len().saturating_mul(6).saturating_add(64));
        let segment = match rest.get(..most) {
            Some(segment) => &segment[..scalar::floor_boundary(from, segment)],
            None => rest,
        };
        let first = first_step.reach(kernel, segment, &mut buffer);
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer[..first.written]) };
        let second = encode_utf16(page, Scheme::Utf16Le, text, out, kernel);
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

/// [`encode_page`] from UTF-16.
pub(crate) fn encode_utf16(
    page: &'static Page,
    from: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> Reach {
    let order = if from == Scheme::Utf16Be { &BIG_UNITS } else { &LITTLE_UNITS };
    let written = encode_vectors((page, order), src, dst, kernel);
    if 2 * written == src.len() {
        return Reach { read: src.len(), written };
    }
    encode_by_scalar(page, from, &src[2 * written..], &mut dst[written..])
        .after(2 * written, written)
}

/// Encodes whole vectors of UTF-16 whose characters the page has. Returns the number of units.
fn encode_vectors(
    page: (&'static Page, &'static UnitOrder),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    kernel: Kernel,
) -> usize {
    let len = (src.len() / 2).min(dst.len());
    dispatch!(kernel.for_bytes(len), wide if len >= WIDE_BYTES,
        scalar => 0,
        |V, token, src, dst| code_page::encode::<V>(token, page, src, dst))
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
        let reach = decode_to_utf16::<Little>(page, Scheme::Utf16Le, segment, &mut buffer, kernel);
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

//! The conversions of code pages: the pair table's conversion of ASCII, or of Latin-1 in pages that
//! are like it, converts the start of the text, and the functions of code pages convert the rest,
//! from and to UTF-16 and UTF-8. Other encodings, and text in UTF-8 that these functions leave, are
//! converted in two steps through UTF-16LE.

use core::mem::MaybeUninit;

use crate::dispatch::code_page::{PageTask, latin1_len};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table::{self, Conversion, transcode};
use crate::encoding::scheme::Scheme;
use crate::encoding::view::{self, Uninit};
use crate::generic::segments::{convert_in_two_steps, first_segment};
use crate::scalar::code_page::{decode_page, encode_page};
use crate::tables::code_pages::Page;
use crate::types::progress::Reach;

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

/// Converts a text. Its first characters, of which the `usize` is the number, are ASCII and have
/// been converted.
type ConvertRest = fn(&PageTask, usize, &[u8], &mut Uninit) -> Reach;

impl PageConversion {
    /// Returns the conversion that decodes into `scheme`, up to an unassigned byte, or the
    /// conversion that encodes `scheme`, up to an ill-formed sequence or a character that the page
    /// lacks.
    pub(crate) const fn new(is_decoding: bool, scheme: Scheme) -> Self {
        let scheme = scheme.without_surrogates();
        let rest: ConvertRest = match (is_decoding, scheme) {
            (true, Scheme::Utf8) => decode_to_utf8,
            (true, Scheme::Utf16Le | Scheme::Utf16Be) => PageTask::decode_to_utf16,
            (true, _) => decode_in_two_steps,
            (false, Scheme::Utf8) => encode_utf8,
            (false, Scheme::Utf16Le | Scheme::Utf16Be) => PageTask::encode_utf16,
            (false, _) => encode_in_two_steps,
        };
        let [ascii, latin1] = match is_decoding {
            true => [transcode(Scheme::Ascii, scheme), transcode(Scheme::Latin1, scheme)],
            false => [transcode(scheme, Scheme::Ascii), transcode(scheme, Scheme::Latin1)],
        };
        Self { scheme, is_decoding, ascii, latin1, rest }
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
        (self.rest)(&PageTask { page, scheme: self.scheme, kernel }, characters, src, dst)
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
        (self.rest)(&PageTask { page, scheme: self.scheme, kernel }, 0, rest, out)
            .after(reach.read, reach.written)
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
        let mut segment_len = 1024;
        loop {
            let (rest, out) = (&src[reach.read..], &mut dst[reach.written..]);
            let segment = first_segment(rest, self.scheme, segment_len);
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
            segment_len = segment_len.saturating_mul(4);
        }
    }
}

/// Decodes to UTF-8.
#[inline(never)]
fn decode_to_utf8(task: &PageTask, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
    let Reach { read, written } = task.decode_to_utf8(ascii, src, dst);
    if read == src.len() {
        return Reach { read, written };
    }
    decode_in_two_steps(task, 0, &src[read..], &mut dst[written..]).after(read, written)
}

/// Encodes UTF-8.
#[inline(never)]
fn encode_utf8(task: &PageTask, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
    let Reach { read, written } = task.encode_utf8(ascii, src, dst);
    if read == src.len() {
        return Reach { read, written };
    }
    encode_in_two_steps(task, 0, &src[read..], &mut dst[written..]).after(read, written)
}

/// Decodes through UTF-16LE.
#[cold]
#[inline(never)]
fn decode_in_two_steps(task: &PageTask, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
    let PageTask { page, scheme, kernel } = *task;
    let utf16le = PageTask { scheme: Scheme::Utf16Le, ..*task };
    let written = ascii * scheme.unit_size();
    let (src, dst) = (&src[ascii..], &mut dst[written..]);
    if kernel == Kernel::SCALAR || src.len() < 16 {
        return decode_page(page, scheme, src, dst).after(ascii, written);
    }
    let second_step = transcode(Scheme::Utf16Le, scheme);
    convert_in_two_steps(
        (src, dst),
        Scheme::Latin1,
        |segment, buffer| {
            let Reach { read, written } = utf16le.decode_to_utf16(0, segment, buffer);
            // SAFETY: the function has initialised the bytes that it reports as written.
            (read, unsafe { view::init_mut(&mut buffer[..written]) })
        },
        |text, out| second_step.reach(kernel, text, out),
        |_, _, second| Reach { read: second.read / 2, ..second },
    )
    .after(ascii, written)
}

/// Encodes through UTF-16LE.
#[cold]
#[inline(never)]
fn encode_in_two_steps(task: &PageTask, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
    let PageTask { page, scheme, kernel } = *task;
    let utf16le = PageTask { scheme: Scheme::Utf16Le, ..*task };
    let read = ascii * scheme.unit_size();
    let (src, dst) = (&src[read..], &mut dst[ascii..]);
    if kernel == Kernel::SCALAR || src.len() < 16 {
        return encode_page(page, scheme, src, dst).after(read, ascii);
    }
    let first_step = transcode(scheme, Scheme::Utf16Le);
    convert_in_two_steps(
        (src, dst),
        scheme,
        |segment, buffer| {
            let Reach { read, written } = first_step.reach(kernel, segment, buffer);
            // SAFETY: the function has initialised the bytes that it reports as written.
            (read, unsafe { view::init_mut(&mut buffer[..written]) })
        },
        |text, out| utf16le.encode_utf16(0, text, out),
        |segment, out, _| encode_page(page, scheme, segment, out),
    )
    .after(read, ascii)
}

/// Returns the number of code units that `src` becomes in the Unicode scheme `to`, or `usize::MAX`
/// if there are more. An unassigned byte counts as U+FFFD.
pub(crate) fn decoded_len(page: &'static Page, to: Scheme, src: &[u8], kernel: Kernel) -> usize {
    /// The number of bytes that are converted at a time, in the cache.
    const SEGMENT_BYTES: usize = 512;
    let to = to.without_surrogates();
    if to.unit_size() > 1 {
        return src.len();
    }
    let measure = table::len(Scheme::Utf16Le, to);
    let decoder = PageTask { page, scheme: Scheme::Utf16Le, kernel };
    let mut buffer = [MaybeUninit::uninit(); 2 * SEGMENT_BYTES];
    let (mut read, mut len) = (0, 0_usize);
    while read < src.len() {
        let segment = &src[read..src.len().min(read + SEGMENT_BYTES)];
        let reach = decoder.decode_to_utf16(0, segment, &mut buffer);
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

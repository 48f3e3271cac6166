//! Code pages: the pair table's conversion of ASCII, or of Latin-1 in pages that are like it,
//! converts the start of the text, and the functions of each kernel convert the rest, from and to
//! UTF-16 and UTF-8. Other encodings, and text in UTF-8 that these functions leave, are converted
//! in two steps through UTF-16LE.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::view::{self, Uninit};
use crate::generic::code_page;
use crate::generic::segments::convert_in_two_steps;
use crate::scalar;
use crate::scalar::code_page::{decode_page, encode_page};
use crate::tables::code_pages::Page;
use crate::tables::{BIG_UNITS, LITTLE_UNITS};
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
type ConvertRest = fn(&PageWork, usize, &[u8], &mut Uninit) -> Reach;

impl PageConversion {
    /// Returns the conversion that decodes into `scheme`, up to an unassigned byte, or the
    /// conversion that encodes `scheme`, up to an ill-formed sequence or a character that the page
    /// lacks.
    pub(crate) const fn new(is_decoding: bool, scheme: Scheme) -> Self {
        let scheme = scheme.without_surrogates();
        let rest: ConvertRest = match (is_decoding, scheme) {
            (true, Scheme::Utf8) => PageWork::decode_to_utf8,
            (true, Scheme::Utf16Le | Scheme::Utf16Be) => PageWork::decode_to_utf16,
            (true, _) => PageWork::decode_in_two_steps,
            (false, Scheme::Utf8) => PageWork::encode_utf8,
            (false, Scheme::Utf16Le | Scheme::Utf16Be) => PageWork::encode_utf16,
            (false, _) => PageWork::encode_in_two_steps,
        };
        const fn start(is_decoding: bool, scheme: Scheme, start: Scheme) -> Conversion {
            if is_decoding {
                pairs::transcode(start, scheme)
            } else {
                pairs::transcode(scheme, start)
            }
        }
        let ascii = start(is_decoding, scheme, Scheme::Ascii);
        let latin1 = start(is_decoding, scheme, Scheme::Latin1);
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
        (self.rest)(&PageWork { page, scheme: self.scheme, kernel }, characters, src, dst)
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
        (self.rest)(&PageWork { page, scheme: self.scheme, kernel }, 0, rest, out)
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

/// A conversion between a code page and a Unicode scheme, on one kernel.
#[derive(Clone, Copy)]
struct PageWork {
    page: &'static Page,
    scheme: Scheme,
    kernel: Kernel,
}

/// The functions for the text after its first characters: see [`ConvertRest`].
impl PageWork {
    /// Returns the same conversion with UTF-16LE.
    fn with_utf16le(&self) -> Self {
        Self { scheme: Scheme::Utf16Le, ..*self }
    }

    /// Decodes to UTF-16.
    #[inline(never)]
    fn decode_to_utf16(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
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

    /// Decodes to UTF-8.
    #[inline(never)]
    fn decode_to_utf8(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
        let Self { page, kernel, .. } = *self;
        let out = &mut *dst;
        let Reach { read, written } = dispatch!(
            kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
            scalar => Reach { read: ascii, written: ascii },
            |V, token, src, out| code_page::decode_to_utf8::<V>(token, (page, ascii), src, out));
        if read == src.len() {
            return Reach { read, written };
        }
        self.decode_in_two_steps(0, &src[read..], &mut dst[written..]).after(read, written)
    }

    /// Decodes through UTF-16LE.
    #[cold]
    #[inline(never)]
    fn decode_in_two_steps(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
        let Self { page, scheme, kernel } = *self;
        let written = ascii * scheme.unit_size();
        let (src, dst) = (&src[ascii..], &mut dst[written..]);
        if kernel == Kernel::SCALAR || src.len() < 16 {
            return decode_page(page, scheme, src, dst).after(ascii, written);
        }
        let second_step = pairs::transcode(Scheme::Utf16Le, scheme);
        convert_in_two_steps(
            (src, dst),
            Scheme::Latin1,
            |segment, buffer| {
                let Reach { read, written } =
                    self.with_utf16le().decode_to_utf16(0, segment, buffer);
                // SAFETY: the function has initialised the bytes that it reports as written.
                (read, unsafe { view::init_mut(&mut buffer[..written]) })
            },
            |text, out| second_step.reach(kernel, text, out),
            |_, _, second| Reach { read: second.read / 2, ..second },
        )
        .after(ascii, written)
    }

    /// Encodes UTF-8.
    #[inline(never)]
    fn encode_utf8(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
        let Self { page, kernel, .. } = *self;
        let out = &mut *dst;
        let Reach { read, written } = dispatch!(
            kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
            scalar => Reach { read: ascii, written: ascii },
            |V, token, src, out| code_page::encode_utf8::<V>(token, (page, ascii), src, out));
        if read == src.len() {
            return Reach { read, written };
        }
        self.encode_in_two_steps(0, &src[read..], &mut dst[written..]).after(read, written)
    }

    /// Encodes through UTF-16LE.
    #[cold]
    #[inline(never)]
    fn encode_in_two_steps(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
        let Self { page, scheme, kernel } = *self;
        let read = ascii * scheme.unit_size();
        let (src, dst) = (&src[read..], &mut dst[ascii..]);
        if kernel == Kernel::SCALAR || src.len() < 16 {
            return encode_page(page, scheme, src, dst).after(read, ascii);
        }
        let first_step = pairs::transcode(scheme, Scheme::Utf16Le);
        convert_in_two_steps(
            (src, dst),
            scheme,
            |segment, buffer| {
                let Reach { read, written } = first_step.reach(kernel, segment, buffer);
                // SAFETY: the function has initialised the bytes that it reports as written.
                (read, unsafe { view::init_mut(&mut buffer[..written]) })
            },
            |text, out| self.with_utf16le().encode_utf16(0, text, out),
            |segment, out, _| encode_page(page, scheme, segment, out),
        )
        .after(read, ascii)
    }

    /// Encodes UTF-16.
    #[inline(never)]
    fn encode_utf16(&self, ascii: usize, src: &[u8], dst: &mut Uninit) -> Reach {
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

/// Returns the number of code units that `src` becomes in the Unicode scheme `to`, or `usize::MAX`
/// if there are more. An unassigned byte counts as U+FFFD.
pub(crate) fn decoded_len(page: &'static Page, to: Scheme, src: &[u8], kernel: Kernel) -> usize {
    /// The number of bytes that are converted at a time, in the cache.
    const SEGMENT_BYTES: usize = 512;
    let to = to.without_surrogates();
    if to.unit_size() > 1 {
        return src.len();
    }
    let measure = pairs::len(Scheme::Utf16Le, to);
    let decoder = PageWork { page, scheme: Scheme::Utf16Le, kernel };
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

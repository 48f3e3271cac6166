//! Code pages: the functions for a pair of numbers of which one is a code page and the other a
//! Unicode encoding. For other pairs they return `None`.

use core::mem::MaybeUninit;

use utflane::code_page::CodePage;
use utflane::{
    ByteTranscoder, Cesu8, LossyProgress, Mutf8, Progress, Repair, Scheme, Utf8, Utf16Be, Utf16Le,
    Utf32Be, Utf32Le, Wtf8, Wtf16Be, Wtf16Le,
};

use crate::encodings::{page, scheme, utflane_encoding};

/// A code page, and the Unicode encoding on the other side.
enum Pair {
    Decode(&'static CodePage, Scheme),
    Encode(Scheme, &'static CodePage),
}

/// Returns the pair that has these numbers.
fn pair(from: utflane_encoding, to: utflane_encoding) -> Option<Pair> {
    let unicode =
        |number| scheme(number).filter(|scheme| !matches!(scheme, Scheme::Latin1 | Scheme::Ascii));
    match (page(from), page(to)) {
        (Some(page), None) => Some(Pair::Decode(page, unicode(to)?)),
        (None, Some(page)) => Some(Pair::Encode(unicode(from)?, page)),
        _ => None,
    }
}

/// Calls a method of a code page with the type of a Unicode encoding.
macro_rules! call {
    ($scheme:expr, $page:ident.$method:ident($($argument:expr),*)) => {
        call!($scheme, $page.$method($($argument),*):
            Utf8 Utf16Le Utf16Be Utf32Le Utf32Be Cesu8 Mutf8 Wtf8 Wtf16Le Wtf16Be)
    };
    ($scheme:expr, $page:ident.$method:ident $arguments:tt: $($encoding:ident)*) => {
        match $scheme {
            $(Scheme::$encoding => Some(call!(@ $page.$method::<$encoding> $arguments)),)*
            _ => None,
        }
    };
    (@ $page:ident.$method:ident::<$encoding:ident>($($argument:expr),*)) => {
        $page.$method::<$encoding>($($argument),*)
    };
}

/// Converts as much text as fits.
pub(crate) fn convert(
    from: utflane_encoding,
    to: utflane_encoding,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    match pair(from, to)? {
        Pair::Decode(page, to) => call!(to, page.decode_into(src, dst)),
        Pair::Encode(from, page) => call!(from, page.encode_into(src, dst)),
    }
}

/// Converts as much text as fits, and replaces ill-formed sequences.
pub(crate) fn convert_lossy(
    from: utflane_encoding,
    to: utflane_encoding,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<LossyProgress> {
    let repair = Repair::REPLACE;
    match pair(from, to)? {
        Pair::Decode(page, to) => call!(to, page.decode_lossy_into(src, repair, dst)),
        Pair::Encode(from, page) => call!(from, page.encode_lossy_into(src, repair, dst)),
    }
}

/// Returns the number of bytes that a text becomes, with replacements if `is_lossy`.
pub(crate) fn length(
    from: utflane_encoding,
    to: utflane_encoding,
    src: &[u8],
    is_lossy: bool,
) -> Option<usize> {
    match pair(from, to)? {
        Pair::Decode(page, to) => call!(to, page.decoded_len(src)),
        // A character, and a replacement, is one byte, and one unit of UTF-32.
        Pair::Encode(from, _) if is_lossy => {
            Some(from.measure_lossy(src, Scheme::Utf32Le, Repair::REPLACE).len / 4)
        }
        Pair::Encode(from, _) => Some(from.count(src)),
    }
}

/// Returns the maximum number of bytes that `length` bytes become, without replacements.
pub(crate) fn max_length(
    from: utflane_encoding,
    to: utflane_encoding,
    length: usize,
) -> Option<usize> {
    match pair(from, to)? {
        // Each byte is one unit of UTF-16.
        Pair::Decode(_, to) => Scheme::Utf16Le.max_len(length.checked_mul(2)?, to),
        Pair::Encode(from, _) => from.max_len(length, Scheme::Latin1),
    }
}

/// Returns the converter of a stream.
pub(crate) fn transcoder(from: utflane_encoding, to: utflane_encoding) -> Option<ByteTranscoder> {
    Some(match pair(from, to)? {
        Pair::Decode(page, to) => ByteTranscoder::decoding(page, to),
        Pair::Encode(from, page) => ByteTranscoder::encoding(from, page),
    })
}

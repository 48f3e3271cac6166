//! The operations on a pair of encodings that is chosen at run time: two encodings of utflane, or a
//! code page and a Unicode encoding.

use core::mem::MaybeUninit;

use utflane::code_page::CodePage;
use utflane::{
    ByteTranscoder, Cesu8, LossyProgress, Mutf8, Progress, Repair, Scheme, Utf8, Utf16Be, Utf16Le,
    Utf32Be, Utf32Le, Wtf8, Wtf16Be, Wtf16Le,
};

use crate::encodings::{page, scheme, utflane_encoding};

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

/// Two encodings, or a code page and the Unicode encoding on the other side.
pub(crate) enum Pair {
    Schemes(Scheme, Scheme),
    Decode(&'static CodePage, Scheme),
    Encode(Scheme, &'static CodePage),
}

impl Pair {
    /// Returns the pair that has these numbers.
    pub(crate) fn new(from: utflane_encoding, to: utflane_encoding) -> Option<Self> {
        let unicode = |number| {
            scheme(number).filter(|scheme| !matches!(scheme, Scheme::Latin1 | Scheme::Ascii))
        };
        match (page(from), page(to)) {
            (None, None) => Some(Self::Schemes(scheme(from)?, scheme(to)?)),
            (Some(page), None) => Some(Self::Decode(page, unicode(to)?)),
            (None, Some(page)) => Some(Self::Encode(unicode(from)?, page)),
            (Some(_), Some(_)) => None,
        }
    }

    /// Converts as much text as fits, from or to a code page. [`pairs`](crate::pairs) has the other
    /// conversions.
    pub(crate) fn convert(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
        match self {
            Self::Schemes(..) => None,
            Self::Decode(page, to) => call!(to, page.decode_into(src, dst)),
            Self::Encode(from, page) => call!(from, page.encode_into(src, dst)),
        }
    }

    /// Converts as much text as fits, and replaces ill-formed sequences.
    pub(crate) fn convert_lossy(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<LossyProgress> {
        let repair = Repair::REPLACE;
        match self {
            Self::Schemes(from, to) => Some(from.transcode_lossy_into(src, to, repair, dst)),
            Self::Decode(page, to) => call!(to, page.decode_lossy_into(src, repair, dst)),
            Self::Encode(from, page) => {
                call!(from, page.encode_lossy_into(src, repair, dst))
            }
        }
    }

    /// Returns the number of bytes that a text becomes, with replacements if `is_lossy`.
    pub(crate) fn length(self, src: &[u8], is_lossy: bool) -> Option<usize> {
        match self {
            Self::Schemes(from, to) if is_lossy => {
                Some(from.measure_lossy(src, to, Repair::REPLACE).len)
            }
            Self::Schemes(from, to) => Some(from.len(src, to)),
            Self::Decode(page, to) => call!(to, page.decoded_len(src)),
            // A character, and a replacement, is one byte, and one unit of UTF-32.
            Self::Encode(from, _) if is_lossy => {
                Some(from.measure_lossy(src, Scheme::Utf32Le, Repair::REPLACE).len / 4)
            }
            Self::Encode(from, _) => Some(from.count(src)),
        }
    }

    /// Returns the maximum number of bytes that `length` bytes become, without replacements.
    pub(crate) fn max_length(self, length: usize) -> Option<usize> {
        match self {
            Self::Schemes(from, to) => from.max_len(length, to),
            // Each byte is one unit of UTF-16.
            Self::Decode(_, to) => Scheme::Utf16Le.max_len(length.checked_mul(2)?, to),
            Self::Encode(from, _) => from.max_len(length, Scheme::Latin1),
        }
    }

    /// Returns the converter of a stream, at its start.
    pub(crate) fn transcoder(self) -> ByteTranscoder {
        match self {
            Self::Schemes(from, to) => ByteTranscoder::new(from, to),
            Self::Decode(page, to) => ByteTranscoder::decoding(page, to),
            Self::Encode(from, page) => ByteTranscoder::encoding(from, page),
        }
    }
}

//! The encodings from before Unicode: code pages, which the library converts, and multi-byte
//! encodings, which `encoding_rs` converts.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding};
use utflane::code_page::{CodePage, WINDOWS_1252};
use utflane::{Repair, Utf8, Utf16Le};

use crate::{double_byte, labels};

/// An encoding from before Unicode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legacy {
    /// An encoding with one byte for each character.
    Page(&'static CodePage),
    /// A multi-byte encoding.
    MultiByte(&'static Encoding),
}

impl Legacy {
    /// Returns the encoding that `encoding_rs` calls so.
    ///
    /// ```
    /// use utflane_charset::Legacy;
    ///
    /// let koi8 = Legacy::from_encoding(encoding_rs::KOI8_R);
    /// assert_eq!(koi8, Legacy::Page(&utflane::code_page::KOI8_R));
    /// ```
    pub fn from_encoding(encoding: &'static Encoding) -> Self {
        match CodePage::by_label(encoding.name()) {
            Some(page) => Self::Page(page),
            None => Self::MultiByte(encoding),
        }
    }

    /// Returns the encoding that browsers use for a text that is declared as this encoding. It has
    /// more characters than this one if that is not an encoding of the Encoding Standard.
    pub(crate) fn as_in_browsers(self) -> Self {
        match self {
            Self::Page(page) => {
                Encoding::for_label(page.name().as_bytes()).map_or(self, Self::from_encoding)
            }
            Self::MultiByte(_) => self,
        }
    }

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Page(page) => page.name(),
            Self::MultiByte(encoding) => labels::to_lower_case(encoding.name()),
        }
    }

    /// Returns the code page; `None` for a multi-byte encoding.
    pub fn page(self) -> Option<&'static CodePage> {
        match self {
            Self::Page(page) => Some(page),
            Self::MultiByte(_) => None,
        }
    }

    /// Returns true if ASCII text has the same bytes in this encoding, wherever it stands. It has
    /// other bytes in EBCDIC; cp864 lacks `%`; and ISO-2022-JP has other characters after an escape
    /// sequence.
    pub fn is_ascii_compatible(self) -> bool {
        match self {
            Self::Page(page) => page.is_ascii_compatible(),
            Self::MultiByte(encoding) => encoding.is_ascii_compatible(),
        }
    }

    /// Decodes a whole text, with U+FFFD for each ill-formed sequence.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Page(page) => page.decode_lossy::<Utf8>(bytes, Repair::REPLACE).text.into(),
            Self::MultiByte(encoding) => encoding.decode_without_bom_handling(bytes).0,
        }
    }

    /// Encodes a whole text. Returns `None` if the encoding lacks one of its characters.
    ///
    /// ```
    /// use utflane_charset::Legacy;
    ///
    /// let koi8 = Legacy::from_encoding(encoding_rs::KOI8_R);
    /// assert_eq!(koi8.encode("да"), Some(vec![0xC4, 0xC1]));
    /// assert_eq!(koi8.encode("ç"), None);
    /// ```
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Self::Page(page) => page.encode_str(text).ok(),
            Self::MultiByte(encoding) => {
                let (bytes, _, has_unmappable) = encoding.encode(text);
                (!has_unmappable).then(|| bytes.into_owned())
            }
        }
    }

    /// Decodes a whole text to UTF-16LE. Returns `None` if the text is ill-formed.
    ///
    /// ```
    /// use utflane_charset::Legacy;
    ///
    /// let gbk = Legacy::from_encoding(encoding_rs::GBK);
    /// assert_eq!(gbk.decode_to_utf16le(b"\xD6\xD0"), Some(vec![0x2D, 0x4E]));
    /// assert_eq!(gbk.decode_to_utf16le(b"\xD6"), None);
    /// ```
    pub fn decode_to_utf16le(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let encoding = match self {
            Self::Page(page) => return page.decode::<Utf16Le>(bytes).ok(),
            Self::MultiByte(encoding) => encoding,
        };
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut units = vec![0; decoder.max_utf16_buffer_length(bytes.len())?];
        let (result, _, written) =
            decoder.decode_to_utf16_without_replacement(bytes, &mut units, true);
        let mut text = vec![0; 2 * written];
        for (bytes, unit) in text.as_chunks_mut().0.iter_mut().zip(units) {
            *bytes = u16::to_le_bytes(unit);
        }
        (result == DecoderResult::InputEmpty).then_some(text)
    }

    /// Encodes a whole text in well-formed UTF-16LE. Returns `None` if the encoding lacks one of
    /// its characters, and for ISO-2022-JP, which only [`Legacy::encode`] encodes.
    ///
    /// ```
    /// use utflane_charset::Legacy;
    ///
    /// let koi8 = Legacy::from_encoding(encoding_rs::KOI8_R);
    /// assert_eq!(koi8.encode_utf16le(b"\x34\x04\x30\x04"), Some(vec![0xC4, 0xC1]));
    /// ```
    pub fn encode_utf16le(self, units: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Page(page) => page.encode::<Utf16Le>(units).ok(),
            Self::MultiByte(encoding) => double_byte::encode_utf16le(encoding, units),
        }
    }

    /// Returns true if the encoding has the character `c`.
    pub fn has(self, c: char) -> bool {
        match self {
            Self::Page(page) => page.byte(c).is_some(),
            Self::MultiByte(_) => self.encode(c.encode_utf8(&mut [0; 4])).is_some(),
        }
    }
}

/// windows-1252, the most usual encoding from before Unicode.
pub(crate) const WESTERN: Legacy = Legacy::Page(&WINDOWS_1252);

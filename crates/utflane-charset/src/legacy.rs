//! The encodings from before Unicode: code pages, which the library converts, and multi-byte
//! encodings, which `encoding_rs` converts.

use std::borrow::Cow;

use encoding_rs::Encoding;
use utflane::code_page::{CodePage, WINDOWS_1252};
use utflane::{Repair, Utf8};

use crate::labels;

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

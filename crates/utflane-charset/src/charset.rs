//! The known encodings: the schemes of the library, its code pages, and the multi-byte encodings of
//! the Encoding Standard, which `encoding_rs` converts.
//!
//! If the library has a scheme for a label, the label means this scheme. So `latin1` and
//! `iso-8859-1` are ISO-8859-1, and not windows-1252 as in a browser. The module [`labels`] lists
//! all labels.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::Encoding;
use utflane::code_page::CodePage;
use utflane::{Repair, Scheme, Utf16Be, Utf32Be, bom, utf8};

use crate::error::LabelError;
use crate::labels;
use crate::legacy::{Legacy, WESTERN};
use crate::unicode::{Detection, Reason};

/// An encoding of text as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// An encoding of the library.
    Scheme(Scheme),
    /// Any other encoding.
    Legacy(Legacy),
}

impl Charset {
    /// Returns the encoding of a detection; `None` if it is not known.
    pub(crate) fn detected(detection: &Detection) -> Option<Self> {
        match detection.reason() {
            Reason::Windows1252 => Some(Self::Legacy(WESTERN)),
            _ => detection.scheme().map(Self::Scheme),
        }
    }

    /// Returns the name in lower case. The name is also a label.
    ///
    /// ```
    /// use utflane_charset::{Charset, Legacy};
    ///
    /// assert_eq!(Charset::Scheme(utflane::Scheme::Utf16Le).name(), "utf-16le");
    /// let shift_jis = Legacy::MultiByte(encoding_rs::SHIFT_JIS);
    /// assert_eq!(Charset::Legacy(shift_jis).name(), "shift_jis");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Scheme(scheme) => scheme.name(),
            Self::Legacy(encoding) => encoding.name(),
        }
    }

    /// Returns the scheme; `None` if the encoding is not one of the library.
    pub fn scheme(self) -> Option<Scheme> {
        match self {
            Self::Scheme(scheme) => Some(scheme),
            Self::Legacy(_) => None,
        }
    }

    /// Decodes a whole text, with U+FFFD for each ill-formed sequence. A byte order mark is decoded
    /// like other characters.
    ///
    /// ```
    /// use utflane_charset::Charset;
    ///
    /// let utf16 = Charset::Scheme(utflane::Scheme::Utf16Be);
    /// assert_eq!(utf16.decode(b"\0H\0i\xDC\0"), "Hi\u{FFFD}");
    /// ```
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Scheme(Scheme::Utf8) => utf8::from_utf8_lossy(bytes),
            Self::Scheme(scheme) => {
                let mut text = Vec::new();
                scheme.transcode_lossy_append(bytes, Scheme::Utf8, Repair::REPLACE, &mut text);
                utf8::into_string_lossy(text).into()
            }
            Self::Legacy(encoding) => encoding.decode(bytes),
        }
    }

    /// Returns the byte order mark of the encoding; an empty slice if there is none.
    pub fn mark(self) -> &'static [u8] {
        self.scheme().map_or(b"", Scheme::byte_order_mark)
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An encoding whose byte order is decided by the byte order mark at the start of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByMark {
    /// UTF-16.
    Utf16,
    /// UTF-32.
    Utf32,
}

impl ByMark {
    /// Returns the scheme of a text that begins with the bytes `beginning`.
    pub fn of(self, beginning: &[u8]) -> Scheme {
        let is_big_endian = match self {
            Self::Utf16 => bom::strip::<Utf16Be>(beginning).len() < beginning.len(),
            Self::Utf32 => bom::strip::<Utf32Be>(beginning).len() < beginning.len(),
        };
        match self {
            Self::Utf16 if is_big_endian => Scheme::Utf16Be,
            Self::Utf32 if is_big_endian => Scheme::Utf32Be,
            _ => self.unmarked(),
        }
    }

    /// Returns the scheme of a text without a byte order mark, and of output. It is little-endian,
    /// as in the Encoding Standard, and as in iconv on little-endian machines.
    fn unmarked(self) -> Scheme {
        match self {
            Self::Utf16 => Scheme::Utf16Le,
            Self::Utf32 => Scheme::Utf32Le,
        }
    }
}

/// The meaning of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LabelMeaning {
    Charset(Charset),
    ByMark(ByMark),
}

impl LabelMeaning {
    fn from_label(label: &str) -> Result<Self, LabelError> {
        match labels::name(label) {
            Some("utf-16") => return Ok(Self::ByMark(ByMark::Utf16)),
            Some("utf-32") => return Ok(Self::ByMark(ByMark::Utf32)),
            Some(name) => {
                let page = || CodePage::by_label(name).map(Legacy::Page);
                let multi_byte = || Encoding::for_label(name.as_bytes()).map(Legacy::MultiByte);
                let scheme = Scheme::from_label(name).ok().map(Charset::Scheme);
                let legacy = || page().or_else(multi_byte).map(Charset::Legacy);
                if let Some(charset) = scheme.or_else(legacy) {
                    return Ok(Self::Charset(charset));
                }
            }
            None => {}
        }
        match Scheme::from_label(label) {
            Err(unknown) if unknown.to_string().contains("byte order") => {
                return Err(LabelError::ByteOrder(unknown));
            }
            _ => {}
        }
        Err(match label.split_once("//") {
            Some((name, _)) => LabelError::Options(name.trim().into()),
            None => LabelError::Unknown(labels::close_to(label)),
        })
    }
}

/// The encoding of the text that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The encoding is detected.
    Auto,
    /// The byte order is decided by the byte order mark.
    ByMark(ByMark),
    /// The encoding is known.
    Known(Charset),
}

impl Source {
    /// Returns the source that `auto` or the label of an encoding means.
    ///
    /// # Errors
    ///
    /// Returns a [`LabelError`] for any other label. The error suggests encodings with similar
    /// labels.
    pub fn from_label(label: &str) -> Result<Self, LabelError> {
        if label.trim().eq_ignore_ascii_case("auto") {
            return Ok(Self::Auto);
        }
        Ok(match LabelMeaning::from_label(label)? {
            LabelMeaning::Charset(charset) => Self::Known(charset),
            LabelMeaning::ByMark(by_mark) => Self::ByMark(by_mark),
        })
    }
}

/// The encoding of the text that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The encoding.
    pub charset: Charset,
    /// True if the text begins with a byte order mark, unless another treatment is requested.
    pub marked: bool,
}

impl Target {
    /// Returns the target that the label of an encoding means.
    ///
    /// # Errors
    ///
    /// Returns a [`LabelError`] for any other label. The error suggests encodings with similar
    /// labels.
    pub fn from_label(label: &str) -> Result<Self, LabelError> {
        Ok(match LabelMeaning::from_label(label)? {
            LabelMeaning::Charset(charset) => Self { charset, marked: false },
            LabelMeaning::ByMark(by_mark) => {
                Self { charset: Charset::Scheme(by_mark.unmarked()), marked: true }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::Labels;

    /// Returns the name of the encoding that `label` means.
    fn name(label: &str) -> String {
        match LabelMeaning::from_label(label).unwrap_or_else(|error| panic!("{label}: {error}")) {
            LabelMeaning::Charset(charset) => charset.to_string(),
            LabelMeaning::ByMark(ByMark::Utf16) => "utf-16".into(),
            LabelMeaning::ByMark(ByMark::Utf32) => "utf-32".into(),
        }
    }

    #[test]
    fn names_are_in_lower_case() {
        for Labels { name, .. } in labels::all() {
            assert_eq!(name, name.to_ascii_lowercase());
            if let Ok(LabelMeaning::Charset(charset)) = LabelMeaning::from_label(name) {
                assert_eq!(charset.name(), name);
            }
        }
        // Two encodings that the library also has, and an encoding that has no label.
        for encoding in [encoding_rs::UTF_8, encoding_rs::UTF_16BE, encoding_rs::REPLACEMENT] {
            let name = encoding.name().to_ascii_lowercase();
            assert_eq!(Legacy::MultiByte(encoding).name(), name);
        }
        assert_eq!(Source::from_label(" Auto "), Ok(Source::Auto));
    }

    #[test]
    fn every_label_has_an_encoding() {
        for Labels { name: encoding, labels, .. } in labels::all() {
            for label in labels.into_iter().chain([encoding]) {
                assert_eq!(name(label), encoding, "{label}");
            }
        }
    }

    #[test]
    fn labels_are_compared_by_letters_and_digits() {
        for (label, encoding) in [
            ("ISO_8859-1", "latin1"),
            ("iso8859_1", "latin1"),
            ("Latin-9", "iso-8859-15"),
            ("eucJP", "euc-jp"),
            ("KOI8R", "koi8-r"),
            ("UCS-2LE", "utf-16le"),
            ("UCS2", "utf-16le"),
            ("UCS-4", "utf-32be"),
            ("utf 8", "utf-8"),
            ("UTF8", "utf-8"),
            ("CP1252", "windows-1252"),
            ("Windows1252", "windows-1252"),
            ("x_sjis", "shift_jis"),
            ("macRoman", "macintosh"),
            ("BIG5HKSCS", "big5"),
            ("us-ascii", "ascii"),
            (" utf-16 ", "utf-16"),
            ("UTF32", "utf-32"),
            ("wtf8", "wtf-8"),
            ("cp28591", "latin1"),
            ("ansi_x3_4_1968", "ascii"),
            ("x-cp437", "cp437"),
            ("X-KOI8-R", "koi8-r"),
            ("IBM037", "cp037"),
            ("EBCDIC-CP-US", "cp037"),
            ("CP850", "cp850"),
            ("mac_greek", "x-mac-greek"),
            ("TIS-620", "tis-620"),
            ("cp1047-lf", "cp1047-lf"),
            ("windows-1251-strict", "windows-1251-strict"),
        ] {
            assert_eq!(name(label), encoding, "{label}");
        }
    }

    #[test]
    fn the_error_of_an_unknown_label_suggests_names() {
        let message = |label| LabelMeaning::from_label(label).unwrap_err().to_string();
        assert_eq!(message("uft-8"), "not a known encoding; utf-8 is close");
        assert!(message("windows-1262").contains("windows-1252"));
        assert!(message("latin-15").ends_with(" are close"), "{}", message("latin-15"));
        for label in ["ebcdic", "", "-", "cp950", "iso-2022-kr", "iso-2022-jp-2", "replacement"] {
            assert!(message(label).starts_with("not a known encoding"), "{label}");
        }
        assert_eq!(message("ascii //IGNORE"), "name ascii, without the options after it");
        assert!(message("wtf-16").contains("wtf-16le or wtf-16be"), "{}", message("wtf-16"));
    }

    #[test]
    fn the_byte_order_mark_decides_the_byte_order() {
        for (by_mark, beginning, scheme) in [
            (ByMark::Utf16, &b"\xFE\xFF\0a"[..], Scheme::Utf16Be),
            (ByMark::Utf16, b"\xFF\xFEa\0", Scheme::Utf16Le),
            (ByMark::Utf16, b"\0a", Scheme::Utf16Le),
            (ByMark::Utf16, b"", Scheme::Utf16Le),
            (ByMark::Utf32, b"\0\0\xFE\xFF\0\0\0a", Scheme::Utf32Be),
            (ByMark::Utf32, b"\xFF\xFE\0\0", Scheme::Utf32Le),
            (ByMark::Utf32, b"\0\0\0a", Scheme::Utf32Le),
        ] {
            assert_eq!(by_mark.of(beginning), scheme, "{beginning:02X?}");
        }
    }
}

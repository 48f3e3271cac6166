//! The encodings that are known: the library's own schemes, and the others of the Encoding Standard
//! by `encoding_rs`.
//!
//! A label means the library's scheme wherever it has one. So `latin1` and `iso-8859-1` are
//! ISO-8859-1, and not windows-1252 as in a browser. [`labels`] has them all.

use std::fmt;

use encoding_rs::Encoding;
use utflane::detect::{Detection, Reason};
use utflane::{Scheme, Utf16Be, Utf32Be, bom};

use crate::error::LabelError;
use crate::labels;

/// An encoding of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// One of the library.
    Scheme(Scheme),
    /// Any other, of `encoding_rs`.
    Legacy(&'static Encoding),
}

impl Charset {
    /// The encoding that the library detected, if it knows it.
    pub fn detected(detection: &Detection) -> Option<Self> {
        match detection.reason() {
            Reason::Windows1252 => Some(Self::Legacy(encoding_rs::WINDOWS_1252)),
            _ => detection.scheme().map(Self::Scheme),
        }
    }

    /// The name, in lower case. It is a label too.
    ///
    /// ```
    /// use utflane_charset::Charset;
    ///
    /// assert_eq!(Charset::Scheme(utflane::Scheme::Utf16Le).name(), "utf-16le");
    /// assert_eq!(Charset::Legacy(encoding_rs::SHIFT_JIS).name(), "shift_jis");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Scheme(scheme) => scheme.name(),
            Self::Legacy(encoding) => labels::in_lower_case(encoding.name()),
        }
    }

    /// The library's scheme, if it is one.
    pub fn scheme(self) -> Option<Scheme> {
        match self {
            Self::Scheme(scheme) => Some(scheme),
            Self::Legacy(_) => None,
        }
    }

    /// Its byte order mark, or an empty slice.
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
    /// The scheme of a text that begins so.
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

    /// The scheme of a text without a byte order mark, and of output: little-endian, as in the
    /// Encoding Standard, and in iconv on the usual machines.
    fn unmarked(self) -> Scheme {
        match self {
            Self::Utf16 => Scheme::Utf16Le,
            Self::Utf32 => Scheme::Utf32Le,
        }
    }
}

/// The meaning of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Charset(Charset),
    ByMark(ByMark),
}

impl Named {
    fn from_label(label: &str) -> Result<Self, LabelError> {
        match labels::name(label) {
            Some("utf-16") => return Ok(Self::ByMark(ByMark::Utf16)),
            Some("utf-32") => return Ok(Self::ByMark(ByMark::Utf32)),
            Some(name) => {
                let legacy = || Encoding::for_label_no_replacement(name.as_bytes());
                let scheme = Scheme::from_label(name).ok().map(Charset::Scheme);
                if let Some(charset) = scheme.or_else(|| legacy().map(Charset::Legacy)) {
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
    /// Detected by the beginning of the file.
    Auto,
    /// The byte order of its byte order mark.
    ByMark(ByMark),
    /// This one.
    Known(Charset),
}

impl Source {
    /// `auto`, or the label of an encoding.
    ///
    /// # Errors
    ///
    /// [`LabelError`], with the names of encodings whose labels are close to this one.
    pub fn from_label(label: &str) -> Result<Self, LabelError> {
        if label.trim().eq_ignore_ascii_case("auto") {
            return Ok(Self::Auto);
        }
        Ok(match Named::from_label(label)? {
            Named::Charset(charset) => Self::Known(charset),
            Named::ByMark(by_mark) => Self::ByMark(by_mark),
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
    /// The encoding of a label.
    ///
    /// # Errors
    ///
    /// [`LabelError`], with the names of encodings whose labels are close to this one.
    pub fn from_label(label: &str) -> Result<Self, LabelError> {
        Ok(match Named::from_label(label)? {
            Named::Charset(charset) => Self { charset, marked: false },
            Named::ByMark(by_mark) => {
                Self { charset: Charset::Scheme(by_mark.unmarked()), marked: true }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(label: &str) -> String {
        match Named::from_label(label).unwrap_or_else(|error| panic!("{label}: {error}")) {
            Named::Charset(charset) => charset.to_string(),
            Named::ByMark(ByMark::Utf16) => "utf-16".into(),
            Named::ByMark(ByMark::Utf32) => "utf-32".into(),
        }
    }

    #[test]
    fn names_are_in_lower_case() {
        for (name, _) in labels::all() {
            assert_eq!(name, name.to_ascii_lowercase());
            if let Ok(Named::Charset(charset)) = Named::from_label(name) {
                assert_eq!(charset.name(), name);
            }
        }
        // Encodings that the library also has, and the one that has no label.
        for encoding in [encoding_rs::UTF_8, encoding_rs::UTF_16BE, encoding_rs::REPLACEMENT] {
            let name = encoding.name().to_ascii_lowercase();
            assert_eq!(Charset::Legacy(encoding).name(), name);
        }
        assert_eq!(Source::from_label(" Auto "), Ok(Source::Auto));
    }

    #[test]
    fn every_label_has_an_encoding() {
        for (encoding, labels) in labels::all() {
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
        ] {
            assert_eq!(name(label), encoding, "{label}");
        }
    }

    #[test]
    fn unknown_labels_get_close_ones() {
        let refusal = |label| Named::from_label(label).unwrap_err().to_string();
        assert_eq!(refusal("uft-8"), "not a known encoding; utf-8 is close");
        assert!(refusal("windows-1262").contains("windows-1252"));
        assert!(refusal("latin-15").ends_with(" are close"), "{}", refusal("latin-15"));
        for label in ["ebcdic", "", "-", "cp950", "iso-2022-kr", "iso-2022-jp-2", "replacement"] {
            assert!(refusal(label).starts_with("not a known encoding"), "{label}");
        }
        assert_eq!(refusal("ascii //IGNORE"), "name ascii, without the options after it");
        assert!(refusal("wtf-16").contains("wtf-16le or wtf-16be"), "{}", refusal("wtf-16"));
    }

    #[test]
    fn the_mark_decides() {
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

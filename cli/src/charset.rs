//! The encodings that the command knows: the library's own schemes, and the others of the Encoding
//! Standard by `encoding_rs`.
//!
//! A label means the library's scheme wherever it has one. So `latin1` and `iso-8859-1` are
//! ISO-8859-1, and not windows-1252 as in a browser. All other labels mean the same as in the
//! standard.

use std::fmt;

use encoding_rs::Encoding;
use utflane::Scheme;
use utflane::detect::{Detection, Reason};

/// Labels that mean windows-1252 in the Encoding Standard, and ISO-8859-1 elsewhere.
const ALSO_LATIN1: &[&str] = &["csisolatin1"];

/// An encoding of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// One of the library.
    Scheme(Scheme),
    /// Any other, of `encoding_rs`.
    Legacy(&'static Encoding),
}

impl Charset {
    /// The encoding of a label.
    pub(crate) fn from_label(label: &str) -> Result<Self, String> {
        let unknown = match Scheme::from_label(label) {
            Ok(scheme) => return Ok(Self::Scheme(scheme)),
            Err(unknown) => unknown.to_string(),
        };
        let label = label.trim();
        if ALSO_LATIN1.iter().any(|known| known.eq_ignore_ascii_case(label)) {
            return Ok(Self::Scheme(Scheme::Latin1));
        }
        if unknown.contains("byte order") {
            return Err(unknown);
        }
        let encoding = Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
            format!(
                "{unknown}, or a label of the Encoding Standard (shift_jis, gbk, windows-1252, ...)"
            )
        })?;
        Ok(Scheme::from_label(encoding.name()).map_or(Self::Legacy(encoding), Self::Scheme))
    }

    /// The encoding that the library detected, if it knows it.
    pub(crate) fn detected(detection: &Detection) -> Option<Self> {
        match detection.reason() {
            Reason::Windows1252 => Some(Self::Legacy(encoding_rs::WINDOWS_1252)),
            _ => detection.scheme().map(Self::Scheme),
        }
    }

    /// The library's scheme, if it is one.
    pub(crate) fn scheme(self) -> Option<Scheme> {
        match self {
            Self::Scheme(scheme) => Some(scheme),
            Self::Legacy(_) => None,
        }
    }

    /// Its byte order mark, or an empty slice.
    pub(crate) fn mark(self) -> &'static [u8] {
        self.scheme().map_or(b"", Scheme::byte_order_mark)
    }
}

/// The library's scheme of a label, for commands that take no others.
pub(crate) fn scheme(label: &str) -> Result<Scheme, String> {
    Scheme::from_label(label).map_err(|unknown| match Charset::from_label(label) {
        Ok(Charset::Legacy(_)) => format!("{unknown}; `utflane convert` knows it"),
        _ => unknown.to_string(),
    })
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme(scheme) => f.pad(scheme.name()),
            Self::Legacy(encoding) => f.pad(&encoding.name().to_ascii_lowercase()),
        }
    }
}

/// The encoding that a conversion reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Detected by the beginning of the file.
    Auto,
    Known(Charset),
}

impl Source {
    /// `auto`, or the label of an encoding.
    pub(crate) fn from_label(label: &str) -> Result<Self, String> {
        if label.eq_ignore_ascii_case("auto") {
            return Ok(Self::Auto);
        }
        Charset::from_label(label).map(Self::Known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_comes_first() {
        for label in ["latin1", "ISO-8859-1", "csISOLatin1", "cp819", "l1"] {
            assert_eq!(Charset::from_label(label), Ok(Charset::Scheme(Scheme::Latin1)), "{label}");
        }
        assert_eq!(Charset::from_label("US-ASCII"), Ok(Charset::Scheme(Scheme::Ascii)));
        assert_eq!(Charset::from_label("x-unicode20utf8"), Ok(Charset::Scheme(Scheme::Utf8)));
        assert_eq!(Charset::from_label("ucs-2"), Ok(Charset::Scheme(Scheme::Utf16Le)));
    }

    #[test]
    fn the_others_go_by_the_labels_of_the_encoding_standard() {
        for (label, name) in [
            ("cp1252", "windows-1252"),
            ("Shift_JIS", "shift_jis"),
            ("gb2312", "gbk"),
            ("latin2", "iso-8859-2"),
            ("koi8-r", "koi8-r"),
        ] {
            assert_eq!(Charset::from_label(label).unwrap().to_string(), name);
        }
    }

    #[test]
    fn unknown_labels_say_what_there_is() {
        let refusal = |label| Charset::from_label(label).unwrap_err();
        assert!(refusal("utf-7").contains("shift_jis"));
        assert!(refusal("utf-16").ends_with("name utf-16le or utf-16be"));
        assert!(refusal("iso-2022-kr").contains("not a known encoding"));
        assert_eq!(scheme("utf8"), Ok(Scheme::Utf8));
        assert!(scheme("cp1252").unwrap_err().ends_with("; `utflane convert` knows it"));
        assert!(scheme("none").unwrap_err().ends_with("wtf-8, wtf-16le, wtf-16be"));
    }
}

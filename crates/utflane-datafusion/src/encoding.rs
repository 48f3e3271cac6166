//! Encodings by name: those of utflane, and those of `encoding_rs` from before Unicode.

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use utflane::detect::{Detection, Reason};
use utflane::{IllFormed, Repair, Scheme, Unmappable};
use utflane_arrow::OnFailure;

/// The encodings of `encoding_rs` that utflane does not have, and their names in lower case.
static LEGACY: [(&str, &encoding_rs::Encoding); 36] = [
    ("big5", encoding_rs::BIG5),
    ("euc-jp", encoding_rs::EUC_JP),
    ("euc-kr", encoding_rs::EUC_KR),
    ("gb18030", encoding_rs::GB18030),
    ("gbk", encoding_rs::GBK),
    ("ibm866", encoding_rs::IBM866),
    ("iso-2022-jp", encoding_rs::ISO_2022_JP),
    ("iso-8859-10", encoding_rs::ISO_8859_10),
    ("iso-8859-13", encoding_rs::ISO_8859_13),
    ("iso-8859-14", encoding_rs::ISO_8859_14),
    ("iso-8859-15", encoding_rs::ISO_8859_15),
    ("iso-8859-16", encoding_rs::ISO_8859_16),
    ("iso-8859-2", encoding_rs::ISO_8859_2),
    ("iso-8859-3", encoding_rs::ISO_8859_3),
    ("iso-8859-4", encoding_rs::ISO_8859_4),
    ("iso-8859-5", encoding_rs::ISO_8859_5),
    ("iso-8859-6", encoding_rs::ISO_8859_6),
    ("iso-8859-7", encoding_rs::ISO_8859_7),
    ("iso-8859-8", encoding_rs::ISO_8859_8),
    ("iso-8859-8-i", encoding_rs::ISO_8859_8_I),
    ("koi8-r", encoding_rs::KOI8_R),
    ("koi8-u", encoding_rs::KOI8_U),
    ("macintosh", encoding_rs::MACINTOSH),
    ("shift_jis", encoding_rs::SHIFT_JIS),
    ("windows-1250", encoding_rs::WINDOWS_1250),
    ("windows-1251", encoding_rs::WINDOWS_1251),
    ("windows-1252", encoding_rs::WINDOWS_1252),
    ("windows-1253", encoding_rs::WINDOWS_1253),
    ("windows-1254", encoding_rs::WINDOWS_1254),
    ("windows-1255", encoding_rs::WINDOWS_1255),
    ("windows-1256", encoding_rs::WINDOWS_1256),
    ("windows-1257", encoding_rs::WINDOWS_1257),
    ("windows-1258", encoding_rs::WINDOWS_1258),
    ("windows-874", encoding_rs::WINDOWS_874),
    ("x-mac-cyrillic", encoding_rs::X_MAC_CYRILLIC),
    ("x-user-defined", encoding_rs::X_USER_DEFINED),
];

/// An encoding that has a name in SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// One of utflane.
    Scheme(Scheme),
    /// Any other of the Encoding Standard.
    Legacy(&'static encoding_rs::Encoding),
}

impl Encoding {
    /// Returns the encoding of a label. utflane's labels come first: `latin1` is ISO-8859-1.
    pub(crate) fn from_label(label: &str) -> Result<Self, String> {
        let unknown = match Scheme::from_label(label) {
            Ok(scheme) => return Ok(Self::Scheme(scheme)),
            Err(unknown) => unknown,
        };
        match encoding_rs::Encoding::for_label_no_replacement(label.as_bytes()) {
            Some(encoding) if LEGACY.iter().any(|entry| entry.1 == encoding) => {
                Ok(Self::Legacy(encoding))
            }
            // It leaves the byte order open, and the message tells so.
            Some(_) => Err(unknown.to_string()),
            None => Err(format!("unknown encoding '{label}'; known are {}", names())),
        }
    }

    /// Returns the name, in lower case.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scheme(scheme) => scheme.name(),
            Self::Legacy(encoding) => {
                let entry = LEGACY.iter().find(|entry| entry.1 == encoding);
                entry.map_or(encoding.name(), |entry| entry.0)
            }
        }
    }

    /// Returns the likely encoding of bytes; `None` where they are hardly text.
    ///
    /// `detection` is utflane's answer for them. It does not tell encodings from before Unicode
    /// apart, so `chardetng` chooses among those.
    pub(crate) fn detected(detection: &Detection, bytes: &[u8]) -> Option<Self> {
        let western = match detection.reason() {
            Reason::Latin1 => Self::Scheme(Scheme::Latin1),
            Reason::Windows1252 => Self::Legacy(encoding_rs::WINDOWS_1252),
            Reason::Legacy => return Some(Self::Legacy(guess(sample(bytes)))),
            _ => return detection.scheme().map(Self::Scheme),
        };
        // Few letters of another alphabet look western.
        let bytes = sample(bytes);
        if bytes.iter().filter(|byte| !byte.is_ascii()).count() < ENOUGH {
            return Some(western);
        }
        match guess(bytes) {
            encoding if encoding == encoding_rs::WINDOWS_1252 => Some(western),
            encoding => Some(Self::Legacy(encoding)),
        }
    }
}

/// Letters beyond ASCII from which `chardetng` tells western text from other alphabets.
const ENOUGH: usize = 32;
/// Bytes from the first letter beyond ASCII on that `chardetng` reads, at about 12 MB/s.
const SAMPLE: usize = 16 * 1024;
/// Bytes before that letter.
const CONTEXT: usize = 64;

/// Returns the part of a text by which its letters are judged.
fn sample(bytes: &[u8]) -> &[u8] {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let rest = &bytes[first.saturating_sub(CONTEXT)..];
    &rest[..rest.len().min(SAMPLE)]
}

/// Returns the guess of `chardetng` for text that is not Unicode.
fn guess(bytes: &[u8]) -> &'static encoding_rs::Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    // The end of a sample may cut a character, which is no error.
    detector.feed(bytes, false);
    detector.guess(None, Utf8Detection::Deny)
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name that stands for the likely encoding.
const AUTO: &str = "auto";

/// An encoding that is named or detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// This encoding.
    Named(Encoding),
    /// The likely one.
    Detected,
}

impl Choice {
    /// Returns the encoding of a label, or the likely one for `auto`.
    pub(crate) fn from_label(label: &str) -> Result<Self, String> {
        if label.trim_ascii().eq_ignore_ascii_case(AUTO) {
            return Ok(Self::Detected);
        }
        let named = Encoding::from_label(label).map(Self::Named);
        named.map_err(|message| format!("{message}, or {AUTO}"))
    }

    /// Returns the name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Named(encoding) => encoding.name(),
            Self::Detected => AUTO,
        }
    }
}

/// The names of all encodings, for a message.
fn names() -> String {
    let schemes = Scheme::ALL.iter().map(|scheme| scheme.name());
    let legacy = LEGACY.iter().map(|entry| entry.0);
    schemes.chain(legacy).collect::<Vec<_>>().join(", ")
}

/// The handling of a row that is ill-formed, or has a character that the target lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError<R> {
    /// It is an error of the query.
    Error,
    /// It becomes null.
    Null,
    /// It is repaired.
    Repair(R),
}

/// A repair with a name in SQL.
pub(crate) trait NamedRepair: Copy + PartialEq + Sized + 'static {
    /// The names of `on_error`, the default first.
    const NAMES: &'static [(&'static str, OnError<Self>)];

    /// Returns the repair of both kinds of failures.
    fn repair(self) -> Repair;
}

impl NamedRepair for IllFormed {
    const NAMES: &'static [(&'static str, OnError<Self>)] = &[
        ("error", OnError::Error),
        ("null", OnError::Null),
        ("replace", OnError::Repair(Self::REPLACE)),
        ("skip", OnError::Repair(Self::Skip)),
        ("latin1", OnError::Repair(Self::Latin1)),
        ("replace-as-java", OnError::Repair(Self::ReplaceAsJava)),
        ("replace-runs", OnError::Repair(Self::ReplaceRuns)),
    ];

    fn repair(self) -> Repair {
        Repair::REPLACE.on_ill_formed(self)
    }
}

impl NamedRepair for Unmappable {
    const NAMES: &'static [(&'static str, OnError<Self>)] = &[
        ("error", OnError::Error),
        ("null", OnError::Null),
        ("replace", OnError::Repair(Self::Replace('?'))),
        ("skip", OnError::Repair(Self::Skip)),
        ("numeric-reference", OnError::Repair(Self::NumericReference)),
    ];

    fn repair(self) -> Repair {
        Repair::REPLACE.on_unmappable(self)
    }
}

impl<R: NamedRepair> OnError<R> {
    /// Returns the handling of a name.
    pub(crate) fn from_name(name: &str) -> Result<Self, String> {
        let name = name.trim_ascii();
        let known = R::NAMES.iter().find(|known| known.0.eq_ignore_ascii_case(name));
        known.map(|known| known.1).ok_or_else(|| {
            let names: Vec<_> = R::NAMES.iter().map(|known| known.0).collect();
            format!("unknown on_error '{name}'; known are {}", names.join(", "))
        })
    }

    /// Returns its name.
    pub(crate) fn name(self) -> &'static str {
        R::NAMES.iter().find(|known| known.1 == self).map_or("error", |known| known.0)
    }

    /// Returns the handling as arrays take it.
    pub(crate) fn of_arrays(self) -> OnFailure {
        match self {
            Self::Error => OnFailure::Error,
            Self::Null => OnFailure::Null,
            Self::Repair(repair) => OnFailure::Repair(repair.repair()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_label_in_lower_case() {
        for name in names().split(", ") {
            let encoding = Encoding::from_label(name).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(encoding.name(), name);
            assert_eq!(name, name.to_ascii_lowercase());
        }
    }

    #[test]
    fn detection() {
        let name = |bytes: &[u8]| {
            Encoding::detected(&utflane::detect::detect(bytes), bytes).map(Encoding::name)
        };
        assert_eq!(name(b"caf\xE9"), Some("latin1"));
        assert_eq!(name(b"10 \x80"), Some("windows-1252"));
        assert_eq!(name(&[0; 100]), None);
        let russian = "Съешь ещё этих мягких французских булок, да выпей чаю. ";
        assert_eq!(name(&encoding_rs::WINDOWS_1251.encode(russian).0), Some("windows-1251"));
        // Far after ASCII, and longer than the sample, which cuts a character.
        for padding in [100_000, 100_001] {
            let japanese = "いろはにほへと散りぬるを、わが世たれぞ常ならむ。".repeat(1000);
            let text = [" ".repeat(padding), japanese].concat();
            assert_eq!(name(&encoding_rs::SHIFT_JIS.encode(&text).0), Some("shift_jis"));
        }
        let german = "Füße größer, Öl und Äpfel für süße Mädchen. ".repeat(100);
        assert_eq!(name(&encoding_rs::WINDOWS_1252.encode(&german).0), Some("latin1"));
    }

    #[test]
    fn labels() {
        assert_eq!(Encoding::from_label("ISO-8859-1"), Ok(Encoding::Scheme(Scheme::Latin1)));
        assert_eq!(Encoding::from_label("sjis").map(Encoding::name), Ok("shift_jis"));
        let error = Encoding::from_label("utf-16").unwrap_err();
        assert!(error.contains("utf-16le or utf-16be"), "{error}");
        let error = Encoding::from_label("ebcdic").unwrap_err();
        assert!(error.contains("'ebcdic'") && error.contains("utf-8, utf-16le"), "{error}");
        // Security: the Encoding Standard reads these as nothing but an error.
        assert!(Encoding::from_label("hz-gb-2312").is_err());
    }
}

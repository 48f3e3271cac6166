//! Parses arguments of functions: the label of an encoding, and the name of a handling of failures.

use utflane::{IllFormed, Repair, Scheme, Unmappable};
use utflane_arrow::OnFailure;
use utflane_charset::{ByMark, Charset, LabelError, Source, labels};

/// The name that selects detection of the encoding.
const AUTO: &str = "auto";

/// The encoding of a text: named, or to be detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EncodingChoice {
    /// The encoding is named.
    Named(Charset),
    /// The encoding is detected.
    Detected,
}

impl EncodingChoice {
    /// Returns the encoding that a label means, or [`EncodingChoice::Detected`] for `auto`.
    pub(crate) fn from_label(label: &str) -> Result<Self, String> {
        match Source::from_label(label) {
            Ok(Source::Auto) => Ok(Self::Detected),
            meaning => resolve(label, meaning, ", or auto"),
        }
    }

    /// Returns the encoding that a label means. `auto` is an error.
    pub(crate) fn named(label: &str) -> Result<Self, String> {
        resolve(label, Source::from_label(label), "")
    }

    /// Returns the name of the encoding, or `auto`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Named(charset) => charset.name(),
            Self::Detected => AUTO,
        }
    }
}

/// Returns the encoding in which data that is not text is decoded with repairs: UTF-8 if it is
/// well-formed in it, else Latin-1.
pub(crate) fn closest_to_binary(bytes: &[u8]) -> Charset {
    let is_utf8 = utflane::is_valid::<utflane::Utf8>(bytes);
    Charset::Scheme(if is_utf8 { Scheme::Utf8 } else { Scheme::Latin1 })
}

/// Returns the encoding that `label` means, or an error message. `list_end` is appended to the list
/// of all names in the message.
fn resolve(
    label: &str,
    meaning: Result<Source, LabelError>,
    list_end: &str,
) -> Result<EncodingChoice, String> {
    let error = match meaning {
        Ok(Source::Known(charset)) => return Ok(EncodingChoice::Named(charset)),
        // Without a byte order mark, the byte order of a row would be a guess.
        Ok(Source::ByMark(by_mark)) => {
            let [little, big] = match by_mark {
                ByMark::Utf16 => [Scheme::Utf16Le, Scheme::Utf16Be],
                ByMark::Utf32 => [Scheme::Utf32Le, Scheme::Utf32Be],
            };
            return Err(format!("'{label}' does not say its byte order: name {little} or {big}"));
        }
        Ok(Source::Auto) => LabelError::Unknown(Vec::new()),
        Err(error) => error,
    };
    Err(match error {
        LabelError::ByteOrder(_) => error.to_string(),
        LabelError::Options(_) => format!("'{label}' is not a known encoding: {error}"),
        LabelError::Unknown(_) => {
            format!("'{label}' is {error}; the known encodings are {}{list_end}", encoding_names())
        }
    })
}

/// Returns a list of the names of encodings, for a message. It has all but most code pages.
fn encoding_names() -> String {
    let is_known = |name: &&str| matches!(Source::from_label(name), Ok(Source::Known(_)));
    let is_listed = |group| ["Unicode", "East Asian", "Windows"].contains(&group);
    let listed = labels::all().filter(|entry| is_listed(entry.group)).map(|entry| entry.name);
    let names = listed.filter(is_known).collect::<Vec<_>>().join(", ");
    format!("{names}, and the code pages of ISO, Unix, DOS, Mac and EBCDIC")
}

/// The handling of a row that is ill-formed, or has a character that the target lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError<R> {
    /// The query fails.
    Error,
    /// The row becomes null.
    Null,
    /// The row is repaired.
    Repair(R),
}

/// A repair that has a name in SQL.
pub(crate) trait NamedRepair: Copy + PartialEq + Sized + 'static {
    /// The values of the argument `on_error`, with their names. The default is the first.
    const NAMES: &'static [(&'static str, OnError<Self>)];

    /// Returns this repair for one kind of failures, together with a replacement for the other
    /// kind.
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
    /// Returns the handling that a value of `on_error` names.
    pub(crate) fn from_name(name: &str) -> Result<Self, String> {
        let name = name.trim_ascii();
        let entry = R::NAMES.iter().find(|entry| entry.0.eq_ignore_ascii_case(name));
        entry.map(|entry| entry.1).ok_or_else(|| {
            let names: Vec<_> = R::NAMES.iter().map(|entry| entry.0).collect();
            format!("unknown on_error '{name}'; the known values are {}", names.join(", "))
        })
    }

    /// Returns the name of the handling.
    pub(crate) fn name(self) -> &'static str {
        R::NAMES.iter().find(|entry| entry.1 == self).map_or("error", |entry| entry.0)
    }

    /// Returns the handling as a type of `utflane_arrow`.
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

    /// Returns the name of the encoding that `label` means.
    fn name(label: &str) -> Result<&'static str, String> {
        EncodingChoice::from_label(label).map(EncodingChoice::name)
    }

    #[test]
    fn every_name_is_a_label() {
        let names = encoding_names();
        assert!(names.starts_with("utf-8, utf-16le, ") && names.contains(", shift_jis, "));
        let (names, _) = names.split_once(", and ").expect("the groups of code pages");
        for encoding in names.split(", ").chain([AUTO]) {
            assert_eq!(name(encoding).as_deref(), Ok(encoding));
        }
    }

    #[test]
    fn labels_mean_encodings_or_are_errors() {
        for (label, encoding) in [
            ("ISO-8859-1", "latin1"),
            ("sjis", "shift_jis"),
            ("cp932", "shift_jis"),
            ("eucJP", "euc-jp"),
            ("UCS-2LE", "utf-16le"),
            (" windows 1252 ", "windows-1252"),
            (" AUTO ", "auto"),
        ] {
            assert_eq!(name(label).as_deref(), Ok(encoding), "{label}");
        }
        let message = |label| name(label).unwrap_err();
        assert_eq!(
            message("UTF16"),
            "'UTF16' does not say its byte order: name utf-16le or utf-16be"
        );
        assert!(
            message("csUTF32").ends_with("name utf-32le or utf-32be"),
            "{}",
            message("csUTF32")
        );
        assert!(message("wtf-16").ends_with("name wtf-16le or wtf-16be"), "{}", message("wtf-16"));
        assert_eq!(
            message("ascii//TRANSLIT"),
            "'ascii//TRANSLIT' is not a known encoding: name ascii, without the options after it"
        );
        let error = message("ebcdic");
        let beginning =
            "'ebcdic' is not a known encoding; the known encodings are utf-8, utf-16le, ";
        assert!(error.starts_with(beginning) && error.ends_with(", or auto"), "{error}");
        let error = message("kio8-r");
        let beginning =
            "'kio8-r' is not a known encoding; koi8-r is close; the known encodings are utf-8, ";
        assert!(error.starts_with(beginning), "{error}");
        // Security: in the Encoding Standard, any text in this encoding is decoded as an error.
        assert!(name("hz-gb-2312").is_err());
        let error = EncodingChoice::named("auto").unwrap_err();
        assert!(
            error.starts_with("'auto' is not a known encoding; the known encodings are "),
            "{error}"
        );
        assert!(!error.contains("or auto"), "{error}");
    }
}

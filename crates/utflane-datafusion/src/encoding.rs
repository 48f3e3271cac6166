//! The arguments of functions: an encoding by its label, and the handling of failures by its name.

use utflane::{IllFormed, Repair, Scheme, Unmappable};
use utflane_arrow::OnFailure;
use utflane_charset::{ByMark, Charset, LabelError, Source, labels};

/// The name that stands for the likely encoding.
const AUTO: &str = "auto";

/// An encoding that is named or detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// This encoding.
    Named(Charset),
    /// The likely one.
    Detected,
}

impl Choice {
    /// Returns the encoding of a label, or the likely one for `auto`.
    pub(crate) fn from_label(label: &str) -> Result<Self, String> {
        match Source::from_label(label) {
            Ok(Source::Auto) => Ok(Self::Detected),
            meaning => known(label, meaning, ", or auto"),
        }
    }

    /// Returns the encoding of a label that is not `auto`.
    pub(crate) fn named(label: &str) -> Result<Self, String> {
        known(label, Source::from_label(label), "")
    }

    /// Returns the name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Named(charset) => charset.name(),
            Self::Detected => AUTO,
        }
    }
}

/// Returns the encoding of a label, or the error. `more` ends the list of all names.
fn known(label: &str, meaning: Result<Source, LabelError>, more: &str) -> Result<Choice, String> {
    let error = match meaning {
        Ok(Source::Known(charset)) => return Ok(Choice::Named(charset)),
        // A row without a mark would be read by a guess.
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
        LabelError::Unknown(_) => format!("'{label}' is {error}; known are {}{more}", names()),
    })
}

/// The names of all encodings, for a message.
fn names() -> String {
    let is_known = |name: &&str| matches!(Source::from_label(name), Ok(Source::Known(_)));
    labels::all().map(|entry| entry.0).filter(is_known).collect::<Vec<_>>().join(", ")
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

    fn name(label: &str) -> Result<&'static str, String> {
        Choice::from_label(label).map(Choice::name)
    }

    #[test]
    fn every_name_is_a_label() {
        let names = names();
        assert!(names.starts_with("utf-8, utf-16le, ") && names.contains(", shift_jis, "));
        for known in names.split(", ").chain([AUTO]) {
            assert_eq!(name(known).as_deref(), Ok(known));
        }
    }

    #[test]
    fn labels() {
        for (label, known) in [
            ("ISO-8859-1", "latin1"),
            ("sjis", "shift_jis"),
            ("cp932", "shift_jis"),
            ("eucJP", "euc-jp"),
            ("UCS-2LE", "utf-16le"),
            (" windows 1252 ", "windows-1252"),
            (" AUTO ", "auto"),
        ] {
            assert_eq!(name(label).as_deref(), Ok(known), "{label}");
        }
        let refusal = |label| name(label).unwrap_err();
        assert_eq!(
            refusal("UTF16"),
            "'UTF16' does not say its byte order: name utf-16le or utf-16be"
        );
        assert!(
            refusal("csUTF32").ends_with("name utf-32le or utf-32be"),
            "{}",
            refusal("csUTF32")
        );
        assert!(refusal("wtf-16").ends_with("name wtf-16le or wtf-16be"), "{}", refusal("wtf-16"));
        assert_eq!(
            refusal("ascii//TRANSLIT"),
            "'ascii//TRANSLIT' is not a known encoding: name ascii, without the options after it"
        );
        let error = refusal("ebcdic");
        let beginning = "'ebcdic' is not a known encoding; known are utf-8, utf-16le, ";
        assert!(error.starts_with(beginning) && error.ends_with(", or auto"), "{error}");
        let error = refusal("kio8-r");
        let beginning = "'kio8-r' is not a known encoding; koi8-r is close; known are utf-8, ";
        assert!(error.starts_with(beginning), "{error}");
        // Security: the Encoding Standard reads this as nothing but an error.
        assert!(name("hz-gb-2312").is_err());
        let error = Choice::named("auto").unwrap_err();
        assert!(error.starts_with("'auto' is not a known encoding; known are "), "{error}");
        assert!(!error.contains("or auto"), "{error}");
    }
}

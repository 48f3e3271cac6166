//! The error for a label that names no encoding.

use std::error::Error;
use std::fmt;

use utflane::UnknownLabel;

/// The error for a label that does not name an encoding.
///
/// ```
/// use utflane_charset::{LabelError, Source};
///
/// let error = Source::from_label("kio8-r").unwrap_err();
/// assert_eq!(error, LabelError::Unknown(vec!["koi8-r"]));
/// assert_eq!(error.to_string(), "not a known encoding; koi8-r is close");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelError {
    /// The label does not name a byte order. The library's error lists the encodings that do.
    ByteOrder(UnknownLabel),
    /// The label is this name, followed by options of iconv, such as `//TRANSLIT`.
    Options(String),
    /// No encoding has the label. The list contains at most three names of encodings with similar
    /// labels, the most similar first.
    Unknown(Vec<&'static str>),
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByteOrder(unknown) => unknown.fmt(f),
            Self::Options(name) => write!(f, "name {name}, without the options after it"),
            Self::Unknown(close) => {
                f.write_str("not a known encoding")?;
                match &close[..] {
                    [] => Ok(()),
                    [one] => write!(f, "; {one} is close"),
                    [most @ .., last] => write!(f, "; {} and {last} are close", most.join(", ")),
                }
            }
        }
    }
}

impl Error for LabelError {}

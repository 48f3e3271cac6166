//! The reason why a text is not read in a detected encoding.

use std::error::Error;
use std::{fmt, io};

use utflane_charset::{Charset, Confidence, Detector, Found};

/// The options of a command that help if no encoding is likely.
#[derive(Clone, Copy)]
pub(crate) struct Advice {
    /// The option that names the encoding.
    pub(crate) option: &'static str,
    /// What follows the advice to use this option.
    pub(crate) more: &'static str,
}

/// How an encoding is detected.
#[derive(Clone)]
pub(crate) struct Auto {
    pub(crate) detector: Detector,
    /// True if the best candidate is used, even if it is not likely.
    pub(crate) guess: bool,
    /// True if no notes are printed.
    pub(crate) quiet: bool,
    pub(crate) advice: Advice,
}

/// The reason why a detected encoding is not used.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The input is not text, for this reason.
    NoText(String),
    /// The input is in this encoding, which can't be converted.
    Unsupported(&'static str),
    /// The parts of the input are in different encodings, as described.
    Mixed(String),
    /// No encoding is likely. Holds the candidates, the best one first.
    Unsure(Vec<Charset>),
    /// The input has an ill-formed sequence in the encoding that its text before has.
    IllFormed(Charset),
}

impl Refusal {
    /// Returns the reason why `found` is not used, or `None` if it is used. If `guess`, the best
    /// candidate is used.
    pub(crate) fn from_found(found: &Found, guess: bool) -> Option<Self> {
        match found.charset {
            None if found.mixture.is_some() => Some(Self::Mixed(found.reason.to_string())),
            None if found.name() != "binary" => Some(Self::Unsupported(found.name())),
            None => Some(Self::NoText(found.reason.to_string())),
            Some(_) if guess || found.confidence >= Confidence::Likely => None,
            Some(_) => Some(Self::Unsure(found.candidates().collect())),
        }
    }

    /// Returns the reason in words, with `advice`.
    pub(crate) fn message(&self, advice: Advice) -> String {
        let Advice { option, more } = advice;
        match self {
            Self::NoText(reason) => {
                format!(
                    "probably binary ({reason}): if it is text, name its encoding with {option}"
                )
            }
            Self::Unsupported(name) => {
                format!("it is {name}, which can't be converted: try iconv")
            }
            Self::Mixed(parts) => {
                format!("mixed: {parts}: split it, or name one encoding with {option}")
            }
            Self::Unsure(candidates) => {
                let names: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                let names = names.join(" or ");
                format!("the encoding is uncertain; it may be {names}: name it with {option}{more}")
            }
            Self::IllFormed(charset) => {
                format!(
                    "detected as {charset}, but ill-formed in it: name the encoding with {option}"
                )
            }
        }
    }
}

/// A refusal after a part of the text has been read, as the error of a reader.
#[derive(Debug)]
pub(crate) struct LateRefusal {
    /// The offset in the text up to which it has been read.
    offset: u64,
    message: String,
}

impl LateRefusal {
    /// Returns the error for a refusal at `offset` of the text.
    pub(crate) fn error(offset: u64, refusal: &Refusal, advice: Advice) -> io::Error {
        io::Error::other(Self { offset, message: refusal.message(advice) })
    }

    /// Returns true if `error` is about the text, and not about reading it.
    pub(crate) fn is_in(error: &io::Error) -> bool {
        matches!(error.get_ref(), Some(inner) if inner.is::<Self>())
    }
}

impl fmt::Display for LateRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stopped at byte {}: {}", self.offset, self.message)
    }
}

impl Error for LateRefusal {}

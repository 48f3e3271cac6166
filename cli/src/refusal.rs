//! The reason why a detected encoding is not taken.

use utflane::detect::Confidence;
use utflane_charset::{Charset, Found};

/// The reason why a detected encoding is not taken.
pub(crate) enum Refusal {
    /// It is no text, for this reason.
    NoText(String),
    /// Its parts are in different encodings.
    Mixed(String),
    /// The candidates, the best one first.
    Unsure(Vec<Charset>),
}

impl Refusal {
    /// The reason why `found` is not taken. If `guess`, the best candidate is.
    pub(crate) fn of(found: &Found, guess: bool) -> Option<Self> {
        match found.charset {
            None if found.mixture.is_some() => Some(Self::Mixed(found.reason.to_string())),
            None => Some(Self::NoText(found.reason.to_string())),
            Some(_) if guess || found.confidence >= Confidence::Likely => None,
            Some(_) => Some(Self::Unsure(found.candidates().collect())),
        }
    }

    /// The reason in words, for a command that takes the encoding by `option`. `or` is more
    /// advice.
    pub(crate) fn words(&self, option: &str, or: &str) -> String {
        match self {
            Self::NoText(reason) => {
                format!("no text ({reason}): if it is, name its encoding with {option}")
            }
            Self::Mixed(parts) => {
                format!("mixed: {parts}: split it, or name one encoding with {option}")
            }
            Self::Unsure(candidates) => {
                let names: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                let names = names.join(" or ");
                format!("unsure of its encoding, perhaps {names}: name it with {option}{or}")
            }
        }
    }
}

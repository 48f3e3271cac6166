//! The reason why a detected encoding is not used.

use utflane::detect::Confidence;
use utflane_charset::{Charset, Found};

/// The reason why a detected encoding is not used.
pub(crate) enum Refusal {
    /// The input is not text, for this reason.
    NoText(String),
    /// The input is in this encoding, which can't be converted.
    Unsupported(&'static str),
    /// The parts of the input are in different encodings, as described.
    Mixed(String),
    /// No encoding is likely. Holds the candidates, the best one first.
    Unsure(Vec<Charset>),
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

    /// Returns the reason in words, for a command whose `option` names the encoding. `more_advice`
    /// follows the advice about it.
    pub(crate) fn message(&self, option: &str, more_advice: &str) -> String {
        match self {
            Self::NoText(reason) => {
                format!("not text ({reason}): if it is text, name its encoding with {option}")
            }
            Self::Unsupported(name) => format!("it is {name}, which can't be converted"),
            Self::Mixed(parts) => {
                format!("mixed: {parts}: split it, or name one encoding with {option}")
            }
            Self::Unsure(candidates) => {
                let names: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                let names = names.join(" or ");
                format!(
                    "the encoding is uncertain; it may be {names}: \
                     name it with {option}{more_advice}"
                )
            }
        }
    }
}

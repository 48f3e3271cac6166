//! The encoding of an input: named, or detected by the beginning of the file.

use std::io;

use utflane::detect::Confidence;

use crate::input::{CHUNK, Input};
use utflane_charset::{Charset, Source};
use utflane_charset::{Found, detect_text};

/// Bytes of the longest byte order mark.
const MAX_MARK: usize = 4;

/// The encoding of an input.
pub(crate) enum Resolved {
    Known(Charset),
    /// The detected encoding. It is likely, or may be a guess.
    Detected(Charset, Found),
    /// No encoding is likely.
    Refused(Refusal),
}

/// The reason why a detected encoding is not taken.
pub(crate) enum Refusal {
    /// It is no text, for this reason.
    NoText(&'static str),
    /// The candidates, the best one first.
    Unsure(Vec<Charset>),
}

impl Refusal {
    /// The reason in words, for a command that takes the encoding by `option`. `or` is more
    /// advice.
    pub(crate) fn words(&self, option: &str, or: &str) -> String {
        match self {
            Self::NoText(reason) => {
                format!("no text ({reason}): if it is, name its encoding with {option}")
            }
            Self::Unsure(candidates) => {
                let names: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                let names = names.join(" or ");
                format!("unsure of its encoding, perhaps {names}: name it with {option}{or}")
            }
        }
    }
}

/// The encoding of `input`, which stays to be read. If `guess`, the best candidate is taken.
pub(crate) fn resolve(source: Source, guess: bool, input: &mut Input) -> io::Result<Resolved> {
    match source {
        Source::Known(charset) => Ok(Resolved::Known(charset)),
        Source::ByMark(by_mark) => {
            let scheme = by_mark.of(input.peek(MAX_MARK)?);
            Ok(Resolved::Known(Charset::Scheme(scheme)))
        }
        Source::Auto => {
            let found = detect_input(input)?;
            Ok(match found.charset {
                None => Resolved::Refused(Refusal::NoText(found.reason)),
                Some(charset) if guess || found.confidence >= Confidence::Likely => {
                    Resolved::Detected(charset, found)
                }
                Some(_) => Resolved::Refused(Refusal::Unsure(found.candidates().collect())),
            })
        }
    }
}

/// Detects the encoding by the beginning of the input, which stays to be read.
pub(crate) fn detect_input(input: &mut Input) -> io::Result<Found> {
    let beginning = input.peek(CHUNK)?;
    let whole = beginning.len() < CHUNK;
    Ok(detect_text(if whole { beginning } else { &beginning[..CHUNK] }, whole))
}

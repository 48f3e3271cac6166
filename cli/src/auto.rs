//! Detection of a file's encoding by its beginning: by the library, and by `chardetng`, the
//! detector of Firefox, for the encodings of the web that the library doesn't have.

use std::fmt;
use std::io;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use utflane::detect::{Confidence, Detection, Reason, detect, detect_prefix};

use crate::charset::{Charset, Source};
use crate::input::{CHUNK, Input};

/// Letters beyond ASCII from which `chardetng` tells Latin-1 from alphabets with as few of them, as
/// Czech and Turkish have. With half as many, it names 1 % of western texts wrongly.
const ENOUGH: usize = 32;

/// Bytes of the longest byte order mark.
const MAX_MARK: usize = 4;

/// What detection says of a file.
#[derive(Debug, PartialEq)]
pub(crate) struct Found {
    /// The encoding; `None` if the file is no text.
    pub(crate) charset: Option<Charset>,
    pub(crate) confidence: Confidence,
    pub(crate) reason: &'static str,
    /// Whether the file begins with a byte order mark.
    pub(crate) marked: bool,
    /// Other encodings that are possible, if the answer is a guess.
    pub(crate) others: Vec<Charset>,
}

impl Found {
    /// The name of the encoding, or `binary`.
    pub(crate) fn name(&self) -> String {
        self.charset.map_or_else(|| "binary".into(), |charset| charset.to_string())
    }

    /// All possible encodings, the best one first.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = Charset> {
        self.charset.into_iter().chain(self.others.iter().copied())
    }

    /// The answer of the library alone.
    fn of_library(found: &Detection) -> Self {
        Self {
            charset: Charset::detected(found),
            confidence: found.confidence(),
            reason: found.reason().description(),
            marked: found.reason() == Reason::Mark,
            others: Vec::new(),
        }
    }

    /// The answer for a text in bytes that is none of Unicode, of which the library says `library`.
    fn of_bytes(library: &Detection, text: &[u8], whole: bool) -> Self {
        let ours = Self::of_library(library);
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(text, whole);
        let theirs = detector.guess(None, Utf8Detection::Deny);
        let western = theirs == encoding_rs::WINDOWS_1252;
        let letters = text.iter().filter(|byte| !byte.is_ascii()).count();
        let confidence = match library.reason() {
            Reason::Legacy if western => Confidence::Guess,
            Reason::Legacy => ours.confidence,
            _ if western => return ours,
            _ if letters < ENOUGH / 2 => {
                let others = vec![Charset::Legacy(theirs)];
                return Self { confidence: Confidence::Guess, others, ..ours };
            }
            _ if letters < ENOUGH => Confidence::Guess,
            _ => ours.confidence,
        };
        let unsure = confidence < Confidence::Likely;
        Self {
            charset: Some(Charset::Legacy(theirs)),
            confidence,
            reason: match western {
                true => ours.reason,
                false => "its letters stand together as in languages written in it",
            },
            marked: false,
            others: ours.charset.filter(|_| unsure).into_iter().collect(),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.name(), self.confidence, self.reason)?;
        for (i, charset) in self.others.iter().enumerate() {
            write!(f, "{} {charset}", if i == 0 { "; or" } else { "," })?;
        }
        Ok(())
    }
}

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

/// Detects the encoding of a text, or of one that begins so.
pub(crate) fn detect_text(text: &[u8], whole: bool) -> Found {
    let library = if whole { detect(text) } else { detect_prefix(text) };
    match library.reason() {
        Reason::Latin1 | Reason::Windows1252 | Reason::Legacy => {
            Found::of_bytes(&library, text, whole)
        }
        _ => Found::of_library(&library),
    }
}

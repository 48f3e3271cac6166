//! Parsers of option values: encodings, treatments of ill-formed sequences, and numbers.

use std::ffi::OsStr;
use std::num::NonZero;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, ValueEnum};
use ignore::overrides::OverrideBuilder;
use utflane::code_page::CodePage;
use utflane_charset::{
    Charset, Detector, LabelError, Legacy, Source, Target, labels, language_codes,
};

/// The names that `utflane detect` prints for encodings that can't be read or written.
pub(crate) const DETECTED: [&str; 10] = [
    "euc-tw",
    "hz",
    "iso-2022-cn",
    "iso-2022-jp-1",
    "iso-2022-jp-2",
    "iso-2022-jp-2004",
    "iso-2022-jp-3",
    "iso-2022-kr",
    "johab",
    "utf-7",
];

/// A treatment of ill-formed sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnInvalid {
    Word(InvalidWord),
    /// Each byte is read in this code page.
    CodePage(&'static CodePage),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InvalidWord {
    /// Stop the conversion
    Stop,
    /// Write U+FFFD, or the text of --replacement; `?` if the target encoding does not have it
    Replace,
    /// Omit the sequence. This joins the text on both sides: `<scr\xFFipt>` becomes a tag that a
    /// check before the conversion did not see. Between WTF-8 and WTF-16, write U+FFFD if
    /// surrogates would join to a pair
    Skip,
    /// Write each byte as the Latin-1 character of that number; U+FFFD in UTF-16 and UTF-32
    Latin1,
    /// Write U+FFFD as often as Java does: once for a surrogate in three bytes of UTF-8, and
    /// otherwise as replace
    ReplaceAsJava,
    /// Write one U+FFFD for all sequences that follow each other
    ReplaceRuns,
}

/// A parser of the labels of encodings. It also lists the names of encodings for shell completions.
#[derive(Clone)]
pub(crate) struct Labels<T> {
    parse: fn(&str) -> Result<T, String>,
    more_labels: &'static [&'static str],
}

/// Parses the encoding of the text that is read.
pub(crate) fn sources() -> Labels<Source> {
    let parse = |label: &str| Source::from_label(label).map_err(|error| advice(label, error));
    Labels { parse, more_labels: &["auto"] }
}

/// Parses the encoding of the text that is written.
pub(crate) fn targets() -> Labels<Target> {
    let parse = |label: &str| Target::from_label(label).map_err(|error| advice(label, error));
    Labels { parse, more_labels: &[] }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Labels<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        self.parse.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names =
            self.more_labels.iter().copied().chain(labels::all().map(|encoding| encoding.name));
        let names = names.filter(|name| (self.parse)(name).is_ok());
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

/// The parser of `--on-invalid`: a word, or a code page.
#[derive(Clone)]
pub(crate) struct OnInvalidParser;

impl OnInvalidParser {
    fn parse(value: &str) -> Result<OnInvalid, String> {
        if let Ok(word) = InvalidWord::from_str(value, false) {
            return Ok(OnInvalid::Word(word));
        }
        match Source::from_label(value) {
            Ok(Source::Known(Charset::Legacy(Legacy::Page(page)))) => Ok(OnInvalid::CodePage(page)),
            Ok(Source::Known(charset)) if charset.name() == "latin1" => {
                Ok(OnInvalid::Word(InvalidWord::Latin1))
            }
            _ => {
                let words = InvalidWord::value_variants().iter();
                let words: Vec<_> = words.filter_map(ValueEnum::to_possible_value).collect();
                let words: Vec<_> = words.iter().map(PossibleValue::get_name).collect();
                let words = words.join(", ");
                Err(format!("use {words} or a code page such as windows-1252"))
            }
        }
    }
}

impl TypedValueParser for OnInvalidParser {
    type Value = OnInvalid;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<OnInvalid, clap::Error> {
        Self::parse.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let words = InvalidWord::value_variants().iter();
        Some(Box::new(words.filter_map(ValueEnum::to_possible_value)))
    }
}

/// Parses the code of a language.
pub(crate) fn language(code: &str) -> Result<String, String> {
    let code = code.trim().to_ascii_lowercase();
    match Detector::with_languages(&[&code]) {
        Ok(_) => Ok(code),
        Err(_) => Err(format!("the languages are {}", language_codes().join(", "))),
    }
}

/// Parses a number that is not 0.
pub(crate) fn at_least_one(value: &str) -> Result<NonZero<usize>, String> {
    value.parse().map_err(|_| format!("a number from 1 to {} is needed", usize::MAX))
}

/// Parses a pattern of file names.
pub(crate) fn glob(value: &str) -> Result<String, String> {
    match OverrideBuilder::new("").add(value) {
        Ok(_) => Ok(value.into()),
        Err(error) => Err(error.to_string()),
    }
}

/// Parses the end of a file's name.
pub(crate) fn suffix(value: &str) -> Result<String, String> {
    match value.is_empty() || value.contains(std::path::is_separator) {
        true => Err("the end of a file name is needed, such as .bak".into()),
        false => Ok(value.into()),
    }
}

/// Parses a number.
pub(crate) fn number(value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| format!("a number from 0 to {} is needed", u64::MAX))
}

/// Returns the message for the `error` about `label`. It names the options or the command that
/// help.
fn advice(label: &str, error: LabelError) -> String {
    let is_label = |name: &&str| name.eq_ignore_ascii_case(label.trim());
    match error {
        LabelError::Unknown(_) if DETECTED.iter().any(is_label) => {
            "`utflane detect` names it, but it can't be converted: try iconv".into()
        }
        LabelError::Options(name) => {
            format!("name {name}, with --translit for //TRANSLIT, and -c for //IGNORE")
        }
        LabelError::Unknown(_) => match missing_variant(label) {
            Some(words) => words,
            None => format!("{error}; `utflane encodings` lists all"),
        },
        LabelError::ByteOrder(_) => error.to_string(),
    }
}

/// Returns the message for the label of a variant that an encoding does not have.
fn missing_variant(label: &str) -> Option<String> {
    let variants = [
        ("-strict", "code pages of Windows with unassigned bytes"),
        ("-lf", "code pages of EBCDIC"),
    ];
    let (name, suffix, pages) = variants
        .iter()
        .find_map(|(suffix, pages)| Some((label.strip_suffix(suffix)?, suffix, pages)))?;
    Source::from_label(name).ok()?;
    let see = "see `utflane encodings --help`";
    Some(format!("{name} has no variant {suffix}: only {pages} have one ({see})"))
}

//! A place in a file where something is wrong, and how it is told: as one line, as JSON, or with the text around it.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;

use encoding_rs::Encoding;
use serde_json::{Value, json};
use utflane::ErrorKind;

use crate::excerpt::{self, Excerpt};
use crate::place::Place;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It is not well-formed in one of the library's schemes, or not in the target encoding.
    IllFormed(ErrorKind),
    /// It is nothing in this encoding.
    Malformed(&'static Encoding),
    /// The target encoding doesn't have it.
    Unmappable,
}

impl Flaw {
    pub(crate) fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Unmappable => Self::Unmappable,
            kind => Self::IllFormed(kind),
        }
    }

    /// In words, of what has `len` bytes.
    fn description(self, len: usize) -> String {
        match self {
            // Of the kinds of surrogates that are wrong, only the pair in WTF-8 has as many.
            Self::IllFormed(ErrorKind::Surrogate) if len == 6 => "surrogate pair".into(),
            Self::IllFormed(kind) => kind.description().into(),
            Self::Malformed(encoding) => {
                format!("no character in {}", encoding.name().to_ascii_lowercase())
            }
            Self::Unmappable => ErrorKind::Unmappable.description().into(),
        }
    }

    /// For programs: never worded otherwise.
    fn name(self) -> &'static str {
        match self {
            Self::IllFormed(ErrorKind::InvalidLeadByte) => "invalid-lead-byte",
            Self::IllFormed(ErrorKind::TooShort) => "too-short",
            Self::IllFormed(ErrorKind::TooLong) => "too-long",
            Self::IllFormed(ErrorKind::Overlong) => "overlong",
            Self::IllFormed(ErrorKind::Surrogate) => "surrogate",
            Self::IllFormed(ErrorKind::TooLarge) => "too-large",
            Self::IllFormed(_) => "ill-formed",
            Self::Malformed(_) => "malformed",
            Self::Unmappable => "unmappable",
        }
    }
}

/// A place in a file that is ill-formed, or that can't be converted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) place: Place,
    /// Bytes of the file in front of it.
    pub(crate) offset: u64,
    pub(crate) flaw: Flaw,
    /// The offending bytes.
    pub(crate) offence: Vec<u8>,
    /// The text around it, where that is shown.
    pub(crate) excerpt: Option<Excerpt>,
}

impl Finding {
    /// The message, a line: `FILE:LINE:COLUMN: byte OFFSET: KIND (offending bytes in hex)`; behind it the excerpt.
    pub(crate) fn message(&self, file: &Path) -> Vec<u8> {
        let Self { place: Place { line, column }, offset, flaw, .. } = self;
        let bytes: Vec<String> = self.offence.iter().map(|byte| format!("{byte:02X}")).collect();
        let mut message = file.as_os_str().as_encoded_bytes().to_vec();
        let (line, column, bytes) = (line + 1, column + 1, bytes.join(" "));
        let description = flaw.description(self.offence.len());
        // Writing into a vector doesn't fail.
        let _ = writeln!(message, ":{line}:{column}: byte {offset}: {description} ({bytes})");
        if let Some(excerpt) = &self.excerpt {
            message.extend_from_slice(excerpt.render(excerpt::columns()).as_bytes());
        }
        message
    }

    /// The same as one line of JSON.
    pub(crate) fn json(&self, file: &Path) -> Vec<u8> {
        json_line(json!({
            "file": name(file),
            "line": self.place.line + 1,
            "column": self.place.column + 1,
            "offset": self.offset,
            "kind": self.flaw.name(),
            "message": self.flaw.description(self.offence.len()),
            "bytes": self.offence,
        }))
    }
}

/// One line of JSON.
pub(crate) fn json_line(value: Value) -> Vec<u8> {
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// A file's name in JSON, which has Unicode only: U+FFFD for what is none.
pub(crate) fn name(file: impl AsRef<OsStr>) -> Value {
    file.as_ref().to_string_lossy().into()
}

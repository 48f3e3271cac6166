//! A finding: an error at a position of a file. It is printed as one line, as JSON, or with an
//! excerpt.

use std::io::Write as _;
use std::path::Path;

use serde_json::json;
use utflane::ErrorKind;

use crate::json::line_about;
use crate::name;
use crate::position::Position;
use crate::styles::Styles;
use utflane_charset::{Charset, Legacy};

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FindingKind {
    /// A sequence that is ill-formed in one of the library's encodings.
    IllFormed(ErrorKind),
    /// A sequence that is ill-formed in this encoding from before Unicode.
    Malformed(Legacy),
    /// A character that the target encoding doesn't have.
    Unmappable,
    /// U+FEFF, at the start or inside.
    Mark,
    /// Text that was decoded with the wrong encoding and encoded again.
    DoubleEncoding,
}

impl FindingKind {
    pub(crate) fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Unmappable => Self::Unmappable,
            kind => Self::IllFormed(kind),
        }
    }

    /// Returns the description of a sequence of `len` bytes.
    fn description(self, len: usize) -> String {
        match self {
            // Among ill-formed surrogates, only a pair in WTF-8 has six bytes.
            Self::IllFormed(ErrorKind::Surrogate) if len == 6 => "surrogate pair".into(),
            Self::IllFormed(kind) => kind.description().into(),
            Self::Malformed(encoding) => format!("not a character of {}", encoding.name()),
            Self::Unmappable => ErrorKind::Unmappable.description().into(),
            Self::Mark => "byte order mark".into(),
            Self::DoubleEncoding => "double encoding".into(),
        }
    }

    /// Returns the name for programs, which never changes.
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
            Self::Mark => "byte-order-mark",
            Self::DoubleEncoding => "double-encoding",
        }
    }
}

/// An ill-formed sequence or an unmappable character, and its position.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) position: Position,
    /// The offset of the offending bytes in the file.
    pub(crate) offset: u64,
    pub(crate) kind: FindingKind,
    /// The offending bytes.
    pub(crate) offending: Vec<u8>,
    /// The [excerpt](crate::excerpt), if it is shown.
    pub(crate) excerpt: Option<String>,
}

impl Finding {
    /// Returns the message for standard error: the line `FILE:LINE:COLUMN: byte OFFSET: KIND
    /// (offending bytes in hex)`, and the excerpt. If `null`, the first colon is a NUL, and FILE is
    /// not escaped.
    pub(crate) fn message(&self, file: &Path, null: bool) -> Vec<u8> {
        self.styled(file, null, Styles::of_errors())
    }

    /// Returns the [message](Self::message) in `styles`.
    pub(crate) fn styled(&self, file: &Path, null: bool, styles: Styles) -> Vec<u8> {
        let Styles { name, problem } = if null { Styles::PLAIN } else { styles };
        let Self { position: Position { line, column }, offset, kind, .. } = self;
        let mut message = format!("{name}").into_bytes();
        message.extend(name::label(file, null));
        let (line, column) = (line + 1, column + 1);
        let description = kind.description(self.offending.len());
        // Writing into a vector doesn't fail.
        let _ = write!(
            message,
            "{name:#}{line}:{column}: byte {offset}: {problem}{description}{problem:#} ("
        );
        for (i, byte) in self.offending.iter().enumerate() {
            let _ = write!(message, "{}{byte:02X}", if i == 0 { "" } else { " " });
        }
        message.extend_from_slice(b")\n");
        if let Some(excerpt) = &self.excerpt {
            // The last line ends with the carets.
            let excerpt = excerpt.trim_end();
            let carets_start = excerpt.rfind([' ', '\n']).map_or(0, |at| at + 1);
            let (line, carets) = excerpt.split_at(carets_start);
            let _ = writeln!(message, "{line}{problem}{carets}{problem:#}");
        }
        message
    }

    /// Returns the finding as one line of JSON, with the encoding if it was detected.
    pub(crate) fn json(&self, file: &Path, detected: Option<Charset>) -> Vec<u8> {
        let mut object = json!({
            "line": self.position.line + 1,
            "column": self.position.column + 1,
            "offset": self.offset,
            "kind": self.kind.name(),
            "message": self.kind.description(self.offending.len()),
            "bytes": self.offending,
        });
        if let Some(charset) = detected {
            object["encoding"] = charset.to_string().into();
        }
        line_about(file, object)
    }
}

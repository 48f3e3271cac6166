//! Exceptions, and the ways to handle ill-formed sequences and unmappable characters.

use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane_charset::Sink;

/// The exceptions that `utflane/_errors.py` defines.
mod types {
    pyo3::import_exception!(utflane._errors, DecodeError);
    pyo3::import_exception!(utflane._errors, EncodeError);
    pyo3::import_exception!(utflane._errors, UnknownEncodingError);
}

pub(crate) use self::types::UnknownEncodingError;

/// An ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IllFormed {
    /// The byte of the data at which it begins.
    pub(crate) start: usize,
    /// Its bytes.
    pub(crate) len: usize,
    /// The reason in words.
    pub(crate) kind: &'static str,
    /// True if the end of the text cuts it.
    pub(crate) incomplete: bool,
}

impl IllFormed {
    /// The reason in words.
    pub(crate) fn reason(&self) -> &'static str {
        if self.incomplete { "unexpected end of data" } else { self.kind }
    }

    /// Returns the exception for this ill-formed sequence of `object`, which begins at `before` of
    /// a stream; at an unknown position if `before` is `None`.
    pub(crate) fn error(
        &self,
        encoding: &str,
        object: &Bound<'_, PyBytes>,
        before: Option<u64>,
    ) -> PyErr {
        let py = object.py();
        let (start, end) = (self.start, self.start + self.len);
        let arguments = (encoding.to_owned(), object.clone().unbind(), start, end, self.reason());
        let error = types::DecodeError::new_err(arguments);
        self.describe(error.value(py), before).err().unwrap_or(error)
    }

    /// Sets the attributes that only our exception has.
    pub(crate) fn describe(&self, error: &Bound<'_, PyAny>, before: Option<u64>) -> PyResult<()> {
        error.setattr("kind", self.kind)?;
        error.setattr("offset", before.map(|before| before + self.start as u64))?;
        error.setattr("incomplete", self.incomplete)
    }
}

/// Returns the exception for the characters of `text` between two positions, which `encoding`
/// doesn't have.
pub(crate) fn encode_error(
    encoding: &str,
    text: &Bound<'_, PyString>,
    (start, end): (u64, u64),
    kind: &'static str,
) -> PyErr {
    let arguments = (encoding.to_owned(), text.clone().unbind(), start, end, kind);
    let error = types::EncodeError::new_err(arguments);
    error.value(text.py()).setattr("kind", kind).err().unwrap_or(error)
}

/// A way to handle ill-formed sequences and unmappable characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Handler {
    Strict,
    Replace,
    Ignore,
    BackslashReplace,
    SurrogateEscape,
    /// Of ill-formed sequences only: each byte is the character of its number.
    Latin1,
    /// Of unmappable characters only.
    NumericReference,
    /// Called in Python for each error: one of Python that is not above, or of the program.
    Registered,
}

impl Handler {
    /// Returns the handler of ill-formed sequences that Python calls `name`.
    pub(crate) fn of_decoding(name: &str) -> Self {
        match Self::from_name(name) {
            Self::NumericReference => Self::Registered,
            handler => handler,
        }
    }

    /// Returns the handler of unmappable characters that Python calls `name`.
    pub(crate) fn of_encoding(name: &str) -> Self {
        match Self::from_name(name) {
            Self::Latin1 => Self::Registered,
            handler => handler,
        }
    }

    fn from_name(name: &str) -> Self {
        match name {
            "strict" => Self::Strict,
            "replace" => Self::Replace,
            "ignore" => Self::Ignore,
            "backslashreplace" => Self::BackslashReplace,
            "surrogateescape" => Self::SurrogateEscape,
            "latin1" => Self::Latin1,
            "xmlcharrefreplace" => Self::NumericReference,
            _ => Self::Registered,
        }
    }

    /// Fails if no handler is registered as `name`. Like Python's codecs, ours call this at the
    /// first error.
    pub(crate) fn checked(self, py: Python<'_>, name: &str) -> PyResult<Self> {
        if self == Self::Registered {
            registered(py, name)?;
        }
        Ok(self)
    }

    /// Writes the replacement of an ill-formed sequence, in UTF-8 in which surrogates have three
    /// bytes. Returns the bytes of the sequence that it stands for; 0 if they are an error.
    pub(crate) fn replace(self, sequence: &[u8], sink: &mut Sink) -> usize {
        match self {
            Self::Strict | Self::NumericReference | Self::Registered => return 0,
            Self::Replace => sink.push("\u{FFFD}".as_bytes()),
            Self::Ignore => {}
            Self::Latin1 => {
                for &byte in sequence {
                    sink.push(char::from(byte).encode_utf8(&mut [0; 2]).as_bytes());
                }
            }
            Self::BackslashReplace => {
                for byte in sequence {
                    sink.push(format!("\\x{byte:02x}").as_bytes());
                }
            }
            Self::SurrogateEscape => {
                // As in Python: up to the first byte of ASCII, and four at most.
                let escaped = sequence.iter().take(4).take_while(|byte| !byte.is_ascii());
                return escaped
                    // U+DC80 to U+DCFF.
                    .map(|byte| sink.push(&[0xED, 0xB0 | byte >> 6, 0x80 | byte & 0x3F]))
                    .count();
            }
        }
        sequence.len()
    }

    /// Returns the replacement of a character, which is a code point of Python; `None` if it is an
    /// error.
    pub(crate) fn replacement_of(self, code_point: u32) -> Option<Substitute> {
        Some(match self {
            Self::Strict | Self::Latin1 | Self::Registered => return None,
            Self::Replace => Substitute::Ascii("?".into()),
            Self::Ignore => Substitute::Ascii(String::new()),
            Self::NumericReference => Substitute::Ascii(format!("&#{code_point};")),
            Self::BackslashReplace => Substitute::Ascii(match code_point {
                0..=0xFF => format!("\\x{code_point:02x}"),
                0x100..=0xFFFF => format!("\\u{code_point:04x}"),
                _ => format!("\\U{code_point:08x}"),
            }),
            Self::SurrogateEscape => match code_point {
                0xDC80..=0xDCFF => Substitute::Byte((code_point & 0xFF) as u8),
                _ => return None,
            },
        })
    }
}

/// Returns the handler that is registered as `name`.
pub(crate) fn registered<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("codecs")?.call_method1("lookup_error", (name,))
}

/// The replacement of a character that an encoding doesn't have.
pub(crate) enum Substitute {
    /// A text to be encoded.
    Ascii(String),
    /// The byte that the character escaped.
    Byte(u8),
}

/// The same error, with the number of the item: as an attribute, and in words.
pub(crate) fn indexed(py: Python<'_>, error: PyErr, index: usize) -> PyErr {
    let value = error.value(py);
    // An exception without attributes is raised as it is.
    let _ = value.setattr("index", index);
    // Our exceptions have one text. `UnicodeError`s name the item themselves.
    let is_ours = error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyLookupError>(py);
    if let Ok((message,)) = value.getattr("args").and_then(|args| args.extract::<(String,)>())
        && is_ours
    {
        let _ = value.setattr("args", (format!("item {index}: {message}"),));
    }
    error
}

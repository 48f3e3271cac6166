//! Exceptions, and the ways to handle ill-formed sequences and unmappable characters.

use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The exceptions that `utflane/_errors.py` defines.
mod types {
    pyo3::import_exception!(utflane._errors, DecodeError);
    pyo3::import_exception!(utflane._errors, EncodeError);
    pyo3::import_exception!(utflane._errors, UnknownEncodingError);
}

pub(crate) use self::types::UnknownEncodingError;

/// An ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flaw {
    /// The byte at which it begins, from the start of the stream.
    pub(crate) offset: u64,
    /// Its bytes.
    pub(crate) len: usize,
    /// The reason in words.
    pub(crate) kind: &'static str,
    /// Whether the end of the text cuts it.
    pub(crate) incomplete: bool,
}

impl Flaw {
    /// The reason in words.
    pub(crate) fn reason(&self) -> &'static str {
        if self.incomplete { "unexpected end of data" } else { self.kind }
    }

    /// The exception for this flaw of `object`, in which it begins at `start`.
    pub(crate) fn error(&self, encoding: &str, object: &Bound<'_, PyBytes>, start: usize) -> PyErr {
        let py = object.py();
        let end = start + self.len;
        let arguments = (encoding.to_owned(), object.clone().unbind(), start, end, self.reason());
        let error = types::DecodeError::new_err(arguments);
        let value = error.value(py);
        let set = || {
            value.setattr("kind", self.kind)?;
            value.setattr("offset", self.offset)?;
            value.setattr("incomplete", self.incomplete)
        };
        set().err().unwrap_or(error)
    }
}

/// The exception for `len` characters at `start` of `text` that `encoding` doesn't have.
pub(crate) fn encode_error(
    encoding: &str,
    text: &Bound<'_, PyAny>,
    start: usize,
    len: usize,
    kind: &'static str,
) -> PyErr {
    let end = start + len;
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
}

impl Handler {
    /// The handler of ill-formed sequences that Python calls `name`.
    pub(crate) fn of_decoding(name: &str) -> PyResult<Self> {
        match Self::from_name(name) {
            Some(handler) if handler != Self::NumericReference => Ok(handler),
            _ => Err(unknown(name)),
        }
    }

    /// The handler of unmappable characters that Python calls `name`.
    pub(crate) fn of_encoding(name: &str) -> PyResult<Self> {
        match Self::from_name(name) {
            Some(handler) if handler != Self::Latin1 => Ok(handler),
            _ => Err(unknown(name)),
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "strict" => Self::Strict,
            "replace" => Self::Replace,
            "ignore" => Self::Ignore,
            "backslashreplace" => Self::BackslashReplace,
            "surrogateescape" => Self::SurrogateEscape,
            "latin1" => Self::Latin1,
            "xmlcharrefreplace" => Self::NumericReference,
            _ => return None,
        })
    }

    /// The replacement of an ill-formed sequence, in UTF-8 in which surrogates have three bytes;
    /// `None` if it is an error.
    pub(crate) fn replacement(self, sequence: &[u8]) -> Option<Vec<u8>> {
        Some(match self {
            Self::Strict | Self::NumericReference => return None,
            Self::Replace => "\u{FFFD}".into(),
            Self::Ignore => Vec::new(),
            Self::Latin1 => {
                sequence.iter().map(|&byte| char::from(byte)).collect::<String>().into()
            }
            Self::BackslashReplace => {
                sequence.iter().map(|byte| format!("\\x{byte:02x}")).collect::<String>().into()
            }
            Self::SurrogateEscape => {
                if sequence.iter().any(u8::is_ascii) {
                    return None;
                }
                // U+DC80 to U+DCFF.
                sequence
                    .iter()
                    .flat_map(|byte| [0xED, 0xB0 | byte >> 6, 0x80 | byte & 0x3F])
                    .collect()
            }
        })
    }

    /// The replacement of a character, which is a code point of Python.
    pub(crate) fn replacement_of(self, code_point: u32) -> Option<Substitute> {
        Some(match self {
            Self::Strict | Self::Latin1 => return None,
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

/// What stands for a character that an encoding doesn't have.
pub(crate) enum Substitute {
    /// A text to be encoded.
    Ascii(String),
    /// The byte that the character escaped.
    Byte(u8),
}

fn unknown(name: &str) -> PyErr {
    PyLookupError::new_err(format!("unknown error handler name '{name}'"))
}

/// The same error, with the number of the item.
pub(crate) fn indexed(py: Python<'_>, error: PyErr, index: usize) -> PyErr {
    // An exception without attributes is raised as it is.
    let _ = error.value(py).setattr("index", index);
    error
}

//! Exceptions, and the error handlers for ill-formed sequences and unmappable characters.

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
    /// The byte offset in the data at which the sequence begins.
    pub(crate) start: usize,
    /// The length of the sequence in bytes.
    pub(crate) len: usize,
    /// The kind of the error in words.
    pub(crate) kind: &'static str,
    /// True if the text ends inside the sequence.
    pub(crate) incomplete: bool,
}

impl IllFormed {
    /// Returns the `reason` of the exception.
    pub(crate) fn reason(&self) -> &'static str {
        if self.incomplete { "unexpected end of data" } else { self.kind }
    }

    /// Returns the exception for this ill-formed sequence of `object`. `stream_offset` is the byte
    /// offset of `object` in a stream, or `None` if it is unknown.
    pub(crate) fn to_exception(
        self,
        encoding: &str,
        object: &Bound<'_, PyBytes>,
        stream_offset: Option<u64>,
    ) -> PyErr {
        let py = object.py();
        let (start, end) = (self.start, self.start + self.len);
        let arguments = (encoding.to_owned(), object.clone().unbind(), start, end, self.reason());
        let error = types::DecodeError::new_err(arguments);
        self.set_attributes(error.value(py), stream_offset).err().unwrap_or(error)
    }

    /// Sets the attributes that `UnicodeDecodeError` does not have.
    pub(crate) fn set_attributes(
        &self,
        exception: &Bound<'_, PyAny>,
        stream_offset: Option<u64>,
    ) -> PyResult<()> {
        let offset = stream_offset.map(|stream_offset| stream_offset + self.start as u64);
        exception.setattr("kind", self.kind)?;
        exception.setattr("offset", offset)?;
        exception.setattr("incomplete", self.incomplete)
    }
}

/// Returns the exception for characters of `text` that `encoding` lacks. They are the code points
/// `start..end`.
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

/// An error handler for ill-formed sequences or unmappable characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Handler {
    Strict,
    Replace,
    Ignore,
    BackslashReplace,
    SurrogateEscape,
    /// Replaces each byte of an ill-formed sequence with the character with the same number. This
    /// handler is not for unmappable characters.
    Latin1,
    /// Replaces an unmappable character with a numeric character reference of XML. This handler is
    /// not for ill-formed sequences.
    NumericReference,
    /// Any other handler, which is registered in Python, and called there for each error.
    Registered,
}

impl Handler {
    /// Returns the handler of ill-formed sequences that Python calls `name`.
    pub(crate) fn for_decoding(name: &str) -> Self {
        match Self::from_name(name) {
            Self::NumericReference => Self::Registered,
            handler => handler,
        }
    }

    /// Returns the handler of unmappable characters that Python calls `name`.
    pub(crate) fn for_encoding(name: &str) -> Self {
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

    /// Fails if no handler is registered as `name`. The codecs of this package do not call this
    /// function: like Python's codecs, they look up the handler at the first error.
    pub(crate) fn check_registered(self, py: Python<'_>, name: &str) -> PyResult<Self> {
        if self == Self::Registered {
            lookup_handler(py, name)?;
        }
        Ok(self)
    }

    /// Writes the replacement of an ill-formed sequence, in UTF-8 in which surrogates have three
    /// bytes. Returns the number of bytes of the sequence that are replaced, or 0 if the sequence
    /// is an error.
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
                // As in Python, escapes the bytes before the first ASCII byte, and at most four.
                let escaped = sequence.iter().take(4).take_while(|byte| !byte.is_ascii());
                return escaped
                    // Byte 0x80 becomes U+DC80, and byte 0xFF becomes U+DCFF.
                    .map(|byte| sink.push(&[0xED, 0xB0 | byte >> 6, 0x80 | byte & 0x3F]))
                    .count();
            }
        }
        sequence.len()
    }

    /// Returns the replacement of an unmappable code point, or `None` if it is an error.
    pub(crate) fn substitute_for(self, code_point: u32) -> Option<Substitute> {
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
pub(crate) fn lookup_handler<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("codecs")?.call_method1("lookup_error", (name,))
}

/// The replacement of a character that an encoding lacks.
pub(crate) enum Substitute {
    /// ASCII text, which is then encoded.
    Ascii(String),
    /// The byte for which the surrogate stands.
    Byte(u8),
}

/// Adds the index of an item to the exception, as an attribute and in the message.
pub(crate) fn with_index(py: Python<'_>, error: PyErr, index: usize) -> PyErr {
    let value = error.value(py);
    // An exception that allows no new attributes is returned unchanged.
    let _ = value.setattr("index", index);
    // Only exceptions with one message as their argument get the index here. Our subclasses of
    // `UnicodeError` have more arguments, and add the index to the message themselves.
    let is_expected_type = error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyLookupError>(py);
    if let Ok((message,)) = value.getattr("args").and_then(|args| args.extract::<(String,)>())
        && is_expected_type
    {
        let _ = value.setattr("args", (format!("item {index}: {message}"),));
    }
    error
}

//! `decode`: a text, and its repairs with their places.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane::{Scheme, Utf8, is_valid};

use crate::arrow::{Column, Row, Values};
use crate::decoding::Decoding;
use crate::errors::{Flaw, Handler, UnknownEncodingError};
use crate::input::{Data, string, work};
use crate::many::{Function, column};
use crate::named::Named;
use crate::repairs::{Repairing, Repairs};
use utflane_charset::{Charset, Sink};
use utflane_charset::{Found, detect_text};

/// The result of `decode`.
#[pyclass(frozen, module = "utflane")]
pub(crate) struct Decoded {
    /// The text.
    #[pyo3(get)]
    text: Py<PyString>,
    /// The repairs, in order.
    #[pyo3(get)]
    repairs: Py<Repairs>,
    /// The encoding that the text was decoded by.
    #[pyo3(get)]
    encoding: String,
}

#[pymethods]
impl Decoded {
    fn __str__(&self, py: Python<'_>) -> Py<PyString> {
        self.text.clone_ref(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.text.bind(py).repr()?;
        let repairs = self.repairs.get().__len__();
        Ok(format!("Decoded(text={text}, encoding='{}', repairs={repairs})", self.encoding))
    }
}

/// The decoding of texts.
struct Decode {
    named: Named,
    handler: Handler,
}

/// A decoded text.
pub(crate) enum Outcome {
    /// It is no text.
    NoText(Cow<'static, str>),
    /// All of the input after a mark is the text, in UTF-8.
    Same(Charset, usize),
    Made(Charset, Sink, Repairing, Repairs),
}

impl Outcome {
    /// The outcome of a text without an encoding.
    fn no_text(found: Found) -> Self {
        Self::NoText(match found.mixture {
            Some(_) => format!("mixed: {}", found.reason).into(),
            None => found.reason,
        })
    }
}

impl Function for Decode {
    type Input = Data;
    type Output = Outcome;

    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Data> {
        Data::of(object)
    }

    fn work(&self, input: &Data) -> Outcome {
        self.outcome(input)
    }

    fn result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        input: &Data,
        outcome: Outcome,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let (charset, text, repairs) = match outcome {
            Outcome::NoText(reason) => return Err(no_text(&reason)),
            Outcome::Same(charset, mark) => {
                (charset, PyString::from_bytes(py, &input[mark..])?, Repairs::of(&[], b""))
            }
            Outcome::Made(charset, sink, repairing, repairs) => {
                if let Some(flaw) = repairing.error {
                    return Err(flaw.error_of(&charset, &input.object(py)?));
                }
                (charset, string(py, sink.bytes())?, repairs)
            }
        };
        let repairs = Py::new(py, repairs)?;
        let decoded = Decoded { text: text.unbind(), repairs, encoding: charset.to_string() };
        Ok(Bound::new(py, decoded)?.into_any())
    }
}

/// The reason why a row is not decoded.
enum Refusal {
    NoText(Cow<'static, str>),
    Flaw(Flaw, Charset),
    Surrogates,
}

impl Decode {
    /// The text of some bytes.
    fn outcome(&self, input: &[u8]) -> Outcome {
        let (charset, mark) = match self.named.resolve(input) {
            Some(resolved) => resolved,
            None => {
                let found = detect_text(input, true);
                let Some(charset) = found.charset else { return Outcome::no_text(found) };
                (charset, found.mark_len())
            }
        };
        decoded(charset, mark, input, self.handler)
    }

    /// The column of the texts.
    fn column<'py>(&self, py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
        let map = |row: &[u8]| match self.outcome(row) {
            Outcome::NoText(reason) => Err(Refusal::NoText(reason)),
            Outcome::Same(_, 0) => Ok(Row::Same),
            Outcome::Same(_, mark) => Ok(Row::After(mark)),
            Outcome::Made(charset, sink, repairing, _) => match repairing.error {
                Some(flaw) => Err(Refusal::Flaw(flaw, charset)),
                None if is_valid::<Utf8>(sink.bytes()) => Ok(Row::Value(sink.bytes().to_vec())),
                None => Err(Refusal::Surrogates),
            },
        };
        let error = |row: &[u8], refusal| match refusal {
            Refusal::NoText(reason) => no_text(&reason),
            Refusal::Flaw(flaw, charset) => flaw.error_of(&charset, &PyBytes::new(py, row)),
            Refusal::Surrogates => {
                PyValueError::new_err("surrogates, which strings of Arrow can't have")
            }
        };
        column.map(py, Values::Text, map, error)?.object(py)
    }
}

/// The exception for data that is no text.
fn no_text(reason: &str) -> PyErr {
    let reason = format!("no text ({reason}): if it is, name its encoding");
    UnknownEncodingError::new_err(reason)
}

impl Flaw {
    /// The exception for this flaw of a text that was read from its start.
    fn error_of(&self, charset: &Charset, text: &Bound<'_, PyBytes>) -> PyErr {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX);
        self.error(&charset.to_string(), text, start)
    }
}

/// Decodes `input` after its first `mark` bytes.
fn decoded(charset: Charset, mark: usize, input: &[u8], handler: Handler) -> Outcome {
    if let Charset::Scheme(scheme @ (Scheme::Utf8 | Scheme::Ascii)) = charset
        && scheme.is_valid(&input[mark..])
    {
        return Outcome::Same(charset, mark);
    }
    let mut decoding = Decoding::new(charset);
    let mut repairing = Repairing::new(handler, true);
    let mut sink = Sink::new(input.len());
    let (start, text) = input.split_at(mark);
    if mark > 0 {
        // Offsets count from the mark. Its character is dropped.
        decoding.push(start, false, &mut sink, &mut repairing);
        sink = Sink::new(input.len());
    }
    decoding.push(text, true, &mut sink, &mut repairing);
    let repairs = Repairs::of(&repairing.repairs, sink.bytes());
    Outcome::Made(charset, sink, repairing, repairs)
}

/// Decodes a text, or each text of a list or of an Arrow column.
#[pyfunction]
#[pyo3(signature = (data, encoding = "auto", errors = "strict"))]
pub(crate) fn decode<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (named, handler) = (Named::of(encoding)?, Handler::of_decoding(errors)?);
    let decode = Decode { named, handler };
    match column(data, true)? {
        Some(column) => decode.column(data.py(), &column),
        None => decode.call(data),
    }
}

/// Decodes the beginning of a text, for codecs: the text, and the bytes that were decoded. Unless
/// `last`, a sequence that the end of the data cuts is left.
#[pyfunction]
pub(crate) fn decode_prefix<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
    last: bool,
) -> PyResult<(Bound<'py, PyString>, usize)> {
    let py = data.py();
    let (named, handler) = (Named::of(encoding)?, Handler::of_decoding(errors)?);
    let data = Data::of(data)?;
    let Some((charset, mark)) = named.resolve(&data) else {
        return Err(UnknownEncodingError::new_err("a codec needs the name of an encoding"));
    };
    let len = match charset {
        Charset::Scheme(scheme) if !last => scheme.split_incomplete(&data).0.len(),
        _ => data.len(),
    };
    let outcome = work(py, len, || decoded(charset, mark.min(len), &data[..len], handler));
    match outcome {
        Outcome::Same(_, mark) => Ok((PyString::from_bytes(py, &data[mark..len])?, len)),
        Outcome::Made(charset, sink, repairing, _) => match repairing.error {
            Some(flaw) => Err(flaw.error_of(&charset, &data.object(py)?)),
            None => Ok((string(py, sink.bytes())?, len)),
        },
        Outcome::NoText(reason) => Err(UnknownEncodingError::new_err(reason.into_owned())),
    }
}

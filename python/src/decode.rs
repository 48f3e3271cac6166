//! `decode`: a text, and its repairs with their positions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane::{Scheme, Utf8, is_valid};

use crate::arrow::{Column, Row, Values};
use crate::callback;
use crate::charmap;
use crate::decoding::Part;
use crate::errors::{Handler, UnknownEncodingError};
use crate::input::{Data, string, well_formed};
use crate::many::{Function, column};
use crate::named::{Named, python_name};
use crate::repairs::{Notes, Repairing, Repairs};
use crate::wide;
use utflane_charset::{Charset, Found, Sink, detect_text};

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
    #[new]
    fn new(text: Py<PyString>, repairs: Py<Repairs>, encoding: String) -> Self {
        Self { text, repairs, encoding }
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (Py<PyString>, Py<Repairs>, &str) {
        (self.text.clone_ref(py), self.repairs.clone_ref(py), &self.encoding)
    }

    fn __str__(&self, py: Python<'_>) -> Py<PyString> {
        self.text.clone_ref(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.text.bind(py).repr()?;
        let repairs = self.repairs.get().__len__();
        Ok(format!("Decoded(text={text}, encoding='{}', repairs={repairs})", self.encoding))
    }
}

impl Decoded {
    fn object<'py>(
        text: Bound<'py, PyString>,
        repairs: Repairs,
        charset: Charset,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = text.py();
        let (text, repairs) = (text.unbind(), Py::new(py, repairs)?);
        Ok(Bound::new(py, Self { text, repairs, encoding: charset.to_string() })?.into_any())
    }
}

/// The decoding of texts.
struct Decode {
    named: Named,
    errors: Errors,
}

/// A decoded text.
enum Outcome {
    /// It is no text, for this reason.
    NoText(String),
    /// All of the input after a mark is the text.
    Same(Charset, usize),
    Made(Box<(Part, Sink, Repairing)>),
}

impl Outcome {
    /// The outcome of a text without an encoding.
    fn no_text(found: Found) -> Self {
        let kind = if found.mixture.is_some() { "mixed" } else { "no text" };
        Self::NoText(format!(
            "{kind} ({}): to decode it all the same, name an encoding",
            found.reason
        ))
    }
}

impl Function for Decode {
    type Input = Data;
    type Output = Outcome;

    fn quick<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (Named::Known(charset), Ok(bytes)) = (self.named, object.cast::<PyBytes>()) else {
            return Ok(None);
        };
        let text = match (charmap::by_table(charset), python_name(charset)) {
            (Some(encoding), _) => charmap::decoded(encoding, bytes)?,
            // Of UTF-8, only ASCII is faster there.
            (_, Some(name)) if name != c"utf-8" || bytes.as_bytes().is_ascii() => {
                wide::decoded_strictly(object.py(), bytes.as_bytes(), name)?
            }
            _ => None,
        };
        let text = text.map(|text| Decoded::object(text, Repairs::default(), charset));
        text.transpose()
    }

    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Data> {
        Data::of(object)
    }

    fn work(&self, input: &Data) -> Outcome {
        self.outcome(input, Some(Notes::default()), true)
    }

    fn result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        input: &Data,
        outcome: Outcome,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let (charset, text, notes) = match outcome {
            Outcome::NoText(reason) => return Err(UnknownEncodingError::new_err(reason)),
            Outcome::Same(charset, mark) => {
                (charset, well_formed(py, charset, &input[mark..])?, None)
            }
            Outcome::Made(made) => {
                let (part, sink, repairing) = *made;
                let made = self.errors.finished(part, sink, repairing, input, py)?;
                (part.charset, string(py, made.sink.bytes())?, made.notes)
            }
        };
        Decoded::object(text, notes.map(Notes::finish).unwrap_or_default(), charset)
    }
}

/// The reason why a row is not decoded.
enum Refusal {
    NoText(String),
    Raised(PyErr),
    Surrogates,
}

impl Decode {
    /// The text of some bytes. Of one that is well-formed, nothing is made, if Python can decode
    /// it.
    fn outcome(&self, input: &[u8], notes: Option<Notes>, by_python: bool) -> Outcome {
        let (charset, from) = match self.named.resolve(input) {
            Some(resolved) => resolved,
            None => {
                let found = detect_text(input, true);
                let Some(charset) = found.charset else { return Outcome::no_text(found) };
                (charset, found.mark_len())
            }
        };
        let is_text = |scheme| matches!(scheme, Scheme::Utf8 | Scheme::Ascii);
        if let Charset::Scheme(scheme) = charset
            && (is_text(scheme) || by_python && python_name(charset).is_some())
            && scheme.is_valid(&input[from..])
        {
            return Outcome::Same(charset, from);
        }
        let part = Part::new(charset, from, 0, true);
        let mut repairing = Repairing::new(self.errors.handler, notes);
        let mut sink = Sink::new(input.len() - from);
        part.decode(input, &mut sink, &mut repairing);
        Outcome::Made(Box::new((part, sink, repairing)))
    }

    /// The column of the texts.
    fn column<'py>(&self, py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
        let map = |row: &[u8]| match self.outcome(row, None, false) {
            Outcome::NoText(reason) => Err(Refusal::NoText(reason)),
            Outcome::Same(_, 0) => Ok(Row::Same),
            Outcome::Same(_, mark) => Ok(Row::After(mark)),
            Outcome::Made(made) => {
                let (part, mut sink, repairing) = *made;
                if repairing.error.is_some() {
                    sink = Python::attach(|py| {
                        let data = Data::new(py, row);
                        self.errors.finished(part, sink, repairing, &data, py)
                    })
                    .map_err(Refusal::Raised)?
                    .sink;
                }
                match is_valid::<Utf8>(sink.bytes()) {
                    true => Ok(Row::Value(sink.bytes().to_vec())),
                    false => Err(Refusal::Surrogates),
                }
            }
        };
        let error = |_: &[u8], refusal| match refusal {
            Refusal::NoText(reason) => UnknownEncodingError::new_err(reason),
            Refusal::Raised(error) => error,
            Refusal::Surrogates => {
                PyValueError::new_err("surrogates, which strings of Arrow can't have")
            }
        };
        column.map(py, Values::Text, map, error)?.object(py)
    }
}

/// The treatment of ill-formed sequences.
pub(crate) struct Errors {
    pub(crate) handler: Handler,
    /// The name of the handler.
    pub(crate) name: String,
    /// The bytes of the stream before the data, if they are known.
    pub(crate) before: Option<u64>,
}

impl Errors {
    /// The meaning of the parameter `errors`.
    pub(crate) fn of(name: &str) -> Self {
        Self { handler: Handler::of_decoding(name), name: name.into(), before: Some(0) }
    }

    /// Finishes a part that has been decoded. A remaining ill-formed sequence raises an exception,
    /// or the text is decoded with calls of Python.
    pub(crate) fn finished(
        &self,
        part: Part,
        sink: Sink,
        repairing: Repairing,
        data: &Data,
        py: Python<'_>,
    ) -> PyResult<Finished> {
        let Some(sequence) = repairing.error else {
            let (notes, repairs) = (repairing.notes, repairing.count);
            return Ok(Finished { sink, notes, repairs, read: data.len() });
        };
        let object = data.object(py)?;
        if self.handler != Handler::Registered {
            return Err(sequence.error(part.charset.name(), &object, self.before));
        }
        // From the start: most texts have no error, or only few characters before it.
        let (mut sink, mut notes) = (Sink::new(data.len()), repairing.notes);
        let (read, repairs) =
            callback::decode(part, object, &self.name, self.before, &mut sink, &mut notes)?;
        Ok(Finished { sink, notes, repairs, read })
    }
}

/// A decoded part.
pub(crate) struct Finished {
    pub(crate) sink: Sink,
    notes: Option<Notes>,
    /// The number of repairs.
    pub(crate) repairs: u64,
    /// The bytes that were read.
    pub(crate) read: usize,
}

/// Decodes a text, or each text of a list or of an Arrow column.
#[pyfunction]
#[pyo3(signature = (data, encoding = "auto", errors = "strict"))]
pub(crate) fn decode<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let decode = Decode { named: Named::of(encoding)?, errors: Errors::of(errors) };
    decode.errors.handler.checked(data.py(), errors)?;
    match column(data, true)? {
        Some(column) => decode.column(data.py(), &column),
        None => decode.call(data),
    }
}

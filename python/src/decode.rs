//! `decode` returns the text, and the repairs with their positions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane::{Scheme, Utf8, is_valid};

use crate::arrow::{Column, NewRow, Values};
use crate::callback;
use crate::decoding::Part;
use crate::errors::{Handler, UnknownEncodingError};
use crate::input::{Data, decode_well_formed, to_python_string};
use crate::many::{Function, import_column};
use crate::named::{Named, python_name};
use crate::repairs::{RepairRecorder, Repairer, Repairs};
use crate::through_utf16;
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
    /// The name of the encoding from which the text was decoded.
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
    fn new_object<'py>(
        text: Bound<'py, PyString>,
        repairs: Repairs,
        charset: Charset,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = text.py();
        let (text, repairs) = (text.unbind(), Py::new(py, repairs)?);
        Ok(Bound::new(py, Self { text, repairs, encoding: charset.to_string() })?.into_any())
    }
}

/// The arguments of `decode`.
struct Decode {
    named: Named,
    errors: Errors,
}

/// The result of decoding a text without the interpreter's lock.
enum Outcome {
    /// No encoding was found, for this reason.
    NoEncoding(String),
    /// The input is well-formed in an encoding, after a byte order mark of this number of bytes.
    WellFormed(Charset, usize),
    /// The part after the byte order mark, the UTF-8 to which it was decoded, and the repairs. If
    /// Python must handle an error (by an exception or a registered handler), decoding stopped
    /// there.
    Decoded(Box<(Part, Sink, Repairer)>),
}

impl Outcome {
    /// Returns the outcome for data whose encoding was not detected.
    fn no_encoding(found: Found) -> Self {
        let kind = if found.mixture.is_some() { "mixed" } else { "not text" };
        Self::NoEncoding(format!(
            "{kind} ({}): name an encoding to decode the data nevertheless",
            found.reason
        ))
    }
}

impl Function for Decode {
    type Input = Data;
    type Output = Outcome;

    fn try_fast<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (Named::Known(charset), Ok(bytes)) = (self.named, object.cast::<PyBytes>()) else {
            return Ok(None);
        };
        let text = match (charset, python_name(charset)) {
            (Charset::Legacy(encoding), _) => {
                through_utf16::decode(object.py(), encoding, bytes.as_bytes())?
            }
            // Python decodes ASCII faster than this package, but not other UTF-8.
            (_, Some(name)) if name != c"utf-8" || bytes.as_bytes().is_ascii() => {
                wide::decode_if_well_formed(object.py(), bytes.as_bytes(), name)?
            }
            _ => None,
        };
        let text = text.map(|text| Decoded::new_object(text, Repairs::default(), charset));
        text.transpose()
    }

    fn prepare_input(&self, object: &Bound<'_, PyAny>) -> PyResult<Data> {
        Data::from_object(object)
    }

    fn compute(&self, input: &Data) -> Outcome {
        self.decode_text(input, Some(RepairRecorder::default()), true)
    }

    fn make_result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        input: &Data,
        outcome: Outcome,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let (charset, text, recorder) = match outcome {
            Outcome::NoEncoding(reason) => return Err(UnknownEncodingError::new_err(reason)),
            Outcome::WellFormed(charset, mark_len) => {
                (charset, decode_well_formed(py, charset, &input[mark_len..])?, None)
            }
            Outcome::Decoded(decoded) => {
                let (part, sink, repairer) = *decoded;
                let finished = self.errors.finish(part, sink, repairer, input, py)?;
                (part.charset, to_python_string(py, finished.sink.bytes())?, finished.recorder)
            }
        };
        Decoded::new_object(text, recorder.map(RepairRecorder::finish).unwrap_or_default(), charset)
    }
}

/// The reason why a row is not decoded.
enum RowError {
    /// No encoding was found, for this reason.
    NoEncoding(String),
    Exception(PyErr),
    /// The error handler returned surrogates, which a string of Arrow cannot contain.
    Surrogates,
}

impl Decode {
    /// Decodes a text. If the text is well-formed, and is UTF-8 or ASCII, no bytes are copied. With
    /// `python_decodes`, the same holds for each encoding that Python can decode.
    fn decode_text(
        &self,
        input: &[u8],
        recorder: Option<RepairRecorder>,
        python_decodes: bool,
    ) -> Outcome {
        let (charset, mark_len) = match self.named.resolve(input) {
            Some(resolved) => resolved,
            None => {
                let found = detect_text(input, true);
                let Some(charset) = found.charset else { return Outcome::no_encoding(found) };
                (charset, found.mark_len())
            }
        };
        let is_utf8 = |scheme| matches!(scheme, Scheme::Utf8 | Scheme::Ascii);
        if let Charset::Scheme(scheme) = charset
            && (is_utf8(scheme) || python_decodes && python_name(charset).is_some())
            && scheme.is_valid(&input[mark_len..])
        {
            return Outcome::WellFormed(charset, mark_len);
        }
        let part = Part::new(charset, mark_len, 0, true);
        let mut repairer = Repairer::new(self.errors.handler, recorder);
        let mut sink = Sink::new(input.len() - mark_len);
        part.decode(input, &mut sink, &mut repairer);
        Outcome::Decoded(Box::new((part, sink, repairer)))
    }

    /// Decodes each row of a column.
    fn decode_column<'py>(&self, py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
        let map = |row: &[u8]| match self.decode_text(row, None, false) {
            Outcome::NoEncoding(reason) => Err(RowError::NoEncoding(reason)),
            Outcome::WellFormed(_, 0) => Ok(NewRow::Unchanged),
            Outcome::WellFormed(_, mark_len) => Ok(NewRow::WithoutPrefix(mark_len)),
            Outcome::Decoded(decoded) => {
                let (part, mut sink, repairer) = *decoded;
                if repairer.error.is_some() {
                    sink = Python::attach(|py| {
                        let data = Data::copy_from(py, row);
                        self.errors.finish(part, sink, repairer, &data, py)
                    })
                    .map_err(RowError::Exception)?
                    .sink;
                }
                match is_valid::<Utf8>(sink.bytes()) {
                    true => Ok(NewRow::Value(sink.bytes().to_vec())),
                    false => Err(RowError::Surrogates),
                }
            }
        };
        let error = |_: &[u8], row_error| match row_error {
            RowError::NoEncoding(reason) => UnknownEncodingError::new_err(reason),
            RowError::Exception(error) => error,
            RowError::Surrogates => PyValueError::new_err(
                "the text has surrogates, which strings of Arrow cannot contain",
            ),
        };
        column.map(py, Values::Text, map, error)?.into_object(py)
    }
}

/// The parameter `errors`, which says how ill-formed sequences are handled.
pub(crate) struct Errors {
    pub(crate) handler: Handler,
    /// The name of the handler.
    pub(crate) name: String,
    /// The byte offset of the data in the stream, if it is known.
    pub(crate) stream_offset: Option<u64>,
}

impl Errors {
    /// Returns the meaning of the parameter `errors`, for data at the start of a stream.
    pub(crate) fn from_name(name: &str) -> Self {
        Self { handler: Handler::for_decoding(name), name: name.into(), stream_offset: Some(0) }
    }

    /// Finishes the decoding of `part`. If `repairer` stopped at an ill-formed sequence, either
    /// fails with an exception, or decodes the text again with calls of the registered handler.
    pub(crate) fn finish(
        &self,
        part: Part,
        sink: Sink,
        repairer: Repairer,
        data: &Data,
        py: Python<'_>,
    ) -> PyResult<Finished> {
        let Some(sequence) = repairer.error else {
            let (recorder, repair_count) = (repairer.recorder, repairer.count);
            return Ok(Finished { sink, recorder, repair_count, read: data.len() });
        };
        let object = data.to_object(py)?;
        if self.handler != Handler::Registered {
            return Err(sequence.to_exception(part.charset.name(), &object, self.stream_offset));
        }
        // Decodes again from the start, with calls of the handler. Only the text before the first
        // error is decoded twice.
        let (mut sink, mut recorder) = (Sink::new(data.len()), repairer.recorder);
        let (read, repair_count) = callback::decode(
            part,
            object,
            &self.name,
            self.stream_offset,
            &mut sink,
            &mut recorder,
        )?;
        Ok(Finished { sink, recorder, repair_count, read })
    }
}

/// The result of [`Errors::finish`].
pub(crate) struct Finished {
    pub(crate) sink: Sink,
    recorder: Option<RepairRecorder>,
    pub(crate) repair_count: u64,
    /// The number of bytes that were read.
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
    let decode = Decode { named: Named::from_label(encoding)?, errors: Errors::from_name(errors) };
    decode.errors.handler.check_registered(data.py(), errors)?;
    match import_column(data, true)? {
        Some(column) => decode.decode_column(data.py(), &column),
        None => decode.call(data),
    }
}

//! `detect` returns the encoding of a text.

use std::convert::Infallible;

use pyo3::prelude::*;
use utflane::Scheme;
use utflane::detect::Confidence;

use crate::arrow::{Column, NewRow, Values};
use crate::input::{Data, run_detached};
use crate::many::{Function, import_column};
use utflane_charset::{Found, detect_text};

/// The result of `detect`.
#[pyclass(frozen, eq, hash, get_all, module = "utflane")]
#[derive(PartialEq, Hash)]
pub(crate) struct Detection {
    /// The name of the encoding; `None` if the data is no text.
    encoding: Option<String>,
    /// `"certain"`, `"likely"` or `"guess"`.
    confidence: String,
    /// The reason in words.
    reason: String,
    /// All possible encodings, the best one first.
    candidates: Vec<String>,
    /// The length of the byte order mark at the start of the text, in bytes.
    mark_length: usize,
    /// The two parts of a text in different encodings, or `None` if the text has one encoding. A
    /// part is the byte offset of its start and its encoding, which is `None` if it is unknown.
    parts: Option<(Part, Part)>,
}

/// The byte offset at which a part of a text begins, and the name of its encoding.
type Part = (u64, Option<String>);

impl From<Found> for Detection {
    fn from(found: Found) -> Self {
        let confidence = match found.confidence {
            Confidence::Certain => "certain",
            Confidence::Likely => "likely",
            Confidence::Guess => "guess",
        };
        let to_part =
            |offset, scheme: Option<Scheme>| (offset, scheme.map(|scheme| scheme.name().into()));
        Self {
            encoding: found.charset.map(|charset| charset.to_string()),
            confidence: confidence.into(),
            reason: found.reason.to_string(),
            candidates: found.candidates().map(|charset| charset.to_string()).collect(),
            mark_length: found.mark_len(),
            parts: found.mixture.map(|mixture| {
                (to_part(0, mixture.first), to_part(mixture.boundary, mixture.second))
            }),
        }
    }
}

/// The arguments of `Detection.__new__`, for pickle.
type NewArguments<'a> =
    (Option<&'a str>, &'a str, &'a str, Vec<String>, usize, Option<(Part, Part)>);

#[pymethods]
impl Detection {
    #[new]
    fn new(
        encoding: Option<String>,
        confidence: String,
        reason: String,
        candidates: Vec<String>,
        mark_length: usize,
        parts: Option<(Part, Part)>,
    ) -> Self {
        Self { encoding, confidence, reason, candidates, mark_length, parts }
    }

    fn __getnewargs__(&self) -> NewArguments<'_> {
        let Self { encoding, confidence, reason, candidates, mark_length, parts } = self;
        (encoding.as_deref(), confidence, reason, candidates.clone(), *mark_length, parts.clone())
    }

    fn __repr__(&self) -> String {
        let Self { confidence, reason, .. } = self;
        let name = self.encoding.as_ref().map_or("None".into(), |name| format!("'{name}'"));
        format!("Detection(encoding={name}, confidence='{confidence}', reason='{reason}')")
    }
}

/// Detects the encoding of a whole text that arrives in chunks.
#[pyclass(module = "utflane")]
pub(crate) struct Detector(utflane_charset::Detector);

#[pymethods]
impl Detector {
    #[new]
    fn new() -> Self {
        Self(utflane_charset::Detector::default())
    }

    /// Reads the next bytes of the text.
    fn push(&mut self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, data) = (data.py(), Data::from_object(data)?);
        let detector = &mut self.0;
        run_detached(py, data.len(), || detector.push(&data));
        Ok(())
    }

    /// The number of bytes that have been read.
    #[getter]
    fn length(&self) -> u64 {
        self.0.len()
    }

    /// True if all bytes that have been read are plain ASCII: without control characters, except
    /// for white space. Such bytes do not decide the encoding.
    #[getter]
    fn is_plain(&self) -> bool {
        self.0.is_plain()
    }

    /// True if more text cannot change the detected encoding. A later part can still be in a
    /// different encoding.
    #[getter]
    fn is_decided(&self) -> bool {
        self.0.is_decided()
    }

    /// Returns true if the text that has been read has parts in different encodings. `prefix` says
    /// that more text may follow.
    #[pyo3(signature = (*, prefix = false))]
    fn is_mixed(&self, prefix: bool) -> bool {
        self.0.mixture(!prefix).is_some()
    }

    /// Returns the result for the text that has been read. `prefix` says that more text may follow.
    #[pyo3(signature = (*, prefix = false))]
    fn detection(&self, prefix: bool) -> Detection {
        self.0.found(!prefix).into()
    }
}

/// The arguments of `detect`.
struct Detect {
    /// True if more text may follow.
    prefix: bool,
}

impl Function for Detect {
    type Input = Data;
    type Output = Found;

    fn prepare_input(&self, object: &Bound<'_, PyAny>) -> PyResult<Data> {
        Data::from_object(object)
    }

    fn compute(&self, input: &Data) -> Found {
        detect_text(input, !self.prefix)
    }

    fn make_result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        _: &Data,
        found: Found,
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(object.py(), Detection::from(found))?.into_any())
    }
}

/// Returns a column with the name of the encoding of each row, or null if none is detected. `whole`
/// says that each row is a whole text.
fn detect_rows<'py>(py: Python<'py>, column: &Column, whole: bool) -> PyResult<Bound<'py, PyAny>> {
    let map = |row: &[u8]| -> Result<NewRow, Infallible> {
        let charset = detect_text(row, whole).charset;
        Ok(charset.map_or(NewRow::Null, |charset| NewRow::Value(charset.to_string().into())))
    };
    column.map(py, Values::Text, map, |_, never| match never {})?.into_object(py)
}

/// Detects the encoding of a text, or of each text of a list or of an Arrow column.
#[pyfunction]
#[pyo3(signature = (data, *, prefix = false))]
pub(crate) fn detect<'py>(data: &Bound<'py, PyAny>, prefix: bool) -> PyResult<Bound<'py, PyAny>> {
    if let Some(column) = import_column(data, true)? {
        return detect_rows(data.py(), &column, !prefix);
    }
    Detect { prefix }.call(data)
}

//! `detect`: the encoding of a text.

use std::convert::Infallible;

use pyo3::prelude::*;
use utflane::Scheme;
use utflane::detect::Confidence;

use crate::arrow::{Column, Row, Values};
use crate::input::{Data, work};
use crate::many::{Function, column};
use utflane_charset::{Found, detect_text};

/// The answer of `detect`.
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
    /// The bytes of the byte order mark that the text begins with.
    mark_length: usize,
    /// The parts of a text in different encodings, each with the offset of its first byte; `None`
    /// if it is in one. An encoding that is not known is `None`.
    parts: Option<(Part, Part)>,
}

/// The offset of the first byte of a part, and the name of its encoding.
type Part = (u64, Option<String>);

impl From<Found> for Detection {
    fn from(found: Found) -> Self {
        let confidence = match found.confidence {
            Confidence::Certain => "certain",
            Confidence::Likely => "likely",
            Confidence::Guess => "guess",
        };
        let part =
            |offset, scheme: Option<Scheme>| (offset, scheme.map(|scheme| scheme.name().into()));
        Self {
            encoding: found.charset.map(|charset| charset.to_string()),
            confidence: confidence.into(),
            reason: found.reason.to_string(),
            candidates: found.candidates().map(|charset| charset.to_string()).collect(),
            mark_length: found.mark_len(),
            parts: found
                .mixture
                .map(|mixture| (part(0, mixture.first), part(mixture.boundary, mixture.second))),
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

/// Detects the encoding of a text that comes in chunks, by all of it.
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
        let (py, data) = (data.py(), Data::of(data)?);
        let detector = &mut self.0;
        work(py, data.len(), || detector.push(&data));
        Ok(())
    }

    /// The number of bytes so far.
    #[getter]
    fn length(&self) -> u64 {
        self.0.len()
    }

    /// Returns true if all bytes so far are plain ASCII, so that no byte decides yet.
    #[getter]
    fn is_plain(&self) -> bool {
        self.0.is_plain()
    }

    /// Returns true if more text would not change the encoding, but show parts in another one.
    #[getter]
    fn is_decided(&self) -> bool {
        self.0.is_decided()
    }

    /// Returns true if the text so far has parts in different encodings; it continues if `prefix`.
    #[pyo3(signature = (*, prefix = false))]
    fn is_mixed(&self, prefix: bool) -> bool {
        self.0.mixture(!prefix).is_some()
    }

    /// The answer for the text so far; it continues if `prefix`.
    #[pyo3(signature = (*, prefix = false))]
    fn detection(&self, prefix: bool) -> Detection {
        self.0.found(!prefix).into()
    }
}

/// The detection of texts; they continue if `prefix`.
struct Detect {
    prefix: bool,
}

impl Function for Detect {
    type Input = Data;
    type Output = Found;

    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Data> {
        Data::of(object)
    }

    fn work(&self, input: &Data) -> Found {
        detect_text(input, !self.prefix)
    }

    fn result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        _: &Data,
        found: Found,
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(object.py(), Detection::from(found))?.into_any())
    }
}

/// The column of the names of the encodings. A row that is no text has none.
fn names<'py>(py: Python<'py>, column: &Column, whole: bool) -> PyResult<Bound<'py, PyAny>> {
    let map = |row: &[u8]| -> Result<Row, Infallible> {
        let charset = detect_text(row, whole).charset;
        Ok(charset.map_or(Row::Missing, |charset| Row::Value(charset.to_string().into())))
    };
    column.map(py, Values::Text, map, |_, never| match never {})?.object(py)
}

/// Detects the encoding of a text, or of each text of a list or of an Arrow column.
#[pyfunction]
#[pyo3(signature = (data, *, prefix = false))]
pub(crate) fn detect<'py>(data: &Bound<'py, PyAny>, prefix: bool) -> PyResult<Bound<'py, PyAny>> {
    if let Some(column) = column(data, true)? {
        return names(data.py(), &column, !prefix);
    }
    Detect { prefix }.call(data)
}

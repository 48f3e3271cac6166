//! `detect`: the encoding of a text.

use std::convert::Infallible;

use pyo3::prelude::*;
use utflane::detect::Confidence;

use crate::arrow::{Column, Row, Values};
use crate::input::Data;
use crate::many::{Function, column};
use utflane_charset::Charset;
use utflane_charset::{Found, detect_text};

/// The answer of `detect`.
#[pyclass(frozen, module = "utflane")]
pub(crate) struct Detection(Found);

#[pymethods]
impl Detection {
    /// The name of the encoding; `None` if the data is no text.
    #[getter]
    fn encoding(&self) -> Option<String> {
        self.0.charset.map(|charset| charset.to_string())
    }

    /// `"certain"`, `"likely"` or `"guess"`.
    #[getter]
    fn confidence(&self) -> &'static str {
        match self.0.confidence {
            Confidence::Certain => "certain",
            Confidence::Likely => "likely",
            Confidence::Guess => "guess",
        }
    }

    /// The reason in words.
    #[getter]
    fn reason(&self) -> &'static str {
        self.0.reason
    }

    /// All possible encodings, the best one first.
    #[getter]
    fn candidates(&self) -> Vec<String> {
        self.0.candidates().map(|charset| charset.to_string()).collect()
    }

    /// The bytes of the byte order mark that the text begins with.
    #[getter]
    fn mark_length(&self) -> usize {
        match self.0.charset {
            Some(charset @ Charset::Scheme(_)) if self.0.marked => charset.mark().len(),
            _ => 0,
        }
    }

    fn __repr__(&self) -> String {
        let (name, confidence, reason) = (self.0.name(), self.confidence(), self.reason());
        format!("Detection(encoding='{name}', confidence='{confidence}', reason='{reason}')")
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
        Ok(Bound::new(object.py(), Detection(found))?.into_any())
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

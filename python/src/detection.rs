//! `detect` returns the encoding of a text.

use std::convert::Infallible;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use utflane::Scheme;

use crate::arrow::{Column, NewRow, Values};
use crate::input::{Data, run_detached};
use crate::many::{Function, import_column};
use utflane_charset::{Confidence, Found, detect_text, language_codes, name_of_language};

/// The result of `detect`.
#[pyclass(frozen, eq, hash, module = "utflane")]
#[derive(PartialEq, Hash)]
pub(crate) struct Detection {
    /// The name of the encoding; `None` if the data is no text.
    #[pyo3(get)]
    encoding: Option<String>,
    /// `"certain"`, `"likely"` or `"guess"`.
    #[pyo3(get)]
    confidence: String,
    /// The reason in words.
    #[pyo3(get)]
    reason: String,
    /// All possible encodings, the best one first.
    #[pyo3(get)]
    candidates: Vec<String>,
    /// The length of the byte order mark at the start of the text, in bytes.
    #[pyo3(get)]
    mark_length: usize,
    /// The two parts of a text in different encodings, or `None` if the text has one encoding. A
    /// part is the byte offset of its start and its encoding, which is `None` if it is unknown.
    #[pyo3(get)]
    parts: Option<(Part, Part)>,
    /// The code of the language by ISO 639, or `None` if it is unknown.
    #[pyo3(get)]
    language: Option<String>,
    /// The estimated probability that the answer is right, in ten-thousandths.
    ten_thousandths: u16,
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
            language: found.language.map(str::to_owned),
            ten_thousandths: to_ten_thousandths(found.probability.into()),
        }
    }
}

/// Returns a probability in ten-thousandths, which can be compared and hashed.
fn to_ten_thousandths(probability: f64) -> u16 {
    (probability.clamp(0.0, 1.0) * 1e4).round() as u16
}

/// The arguments of `Detection.__new__`, for pickle.
type NewArguments<'a> = (
    Option<&'a str>,
    &'a str,
    &'a str,
    Vec<String>,
    usize,
    Option<(Part, Part)>,
    Option<&'a str>,
    f64,
);

#[pymethods]
impl Detection {
    #[new]
    #[pyo3(signature = (encoding, confidence, reason, candidates, mark_length, parts,
        language = None, probability = 0.0))]
    #[expect(clippy::too_many_arguments, reason = "the attributes of the Python class")]
    fn new(
        encoding: Option<String>,
        confidence: String,
        reason: String,
        candidates: Vec<String>,
        mark_length: usize,
        parts: Option<(Part, Part)>,
        language: Option<String>,
        probability: f64,
    ) -> Self {
        let ten_thousandths = to_ten_thousandths(probability);
        Self {
            encoding,
            confidence,
            reason,
            candidates,
            mark_length,
            parts,
            language,
            ten_thousandths,
        }
    }

    /// The estimated probability that the answer is right.
    #[getter]
    fn probability(&self) -> f64 {
        f64::from(self.ten_thousandths) / 1e4
    }

    fn __getnewargs__(&self) -> NewArguments<'_> {
        let Self { encoding, confidence, reason, candidates, mark_length, parts, .. } = self;
        (
            encoding.as_deref(),
            confidence,
            reason,
            candidates.clone(),
            *mark_length,
            parts.clone(),
            self.language.as_deref(),
            self.probability(),
        )
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
    /// `languages` are codes of the languages in which the text probably is.
    #[new]
    #[pyo3(signature = (*, languages = None))]
    fn new(languages: Option<Vec<String>>) -> PyResult<Self> {
        expecting(languages.as_deref()).map(Self)
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

/// Returns the English name of a language that detection knows.
#[pyfunction]
pub(crate) fn language_name(code: &str) -> Option<&'static str> {
    name_of_language(code)
}

/// Returns a detector that has read nothing, for a text that is probably in one of `languages`.
fn expecting(languages: Option<&[String]>) -> PyResult<utflane_charset::Detector> {
    let codes: Vec<&str> = languages.unwrap_or_default().iter().map(String::as_str).collect();
    utflane_charset::Detector::with_languages(&codes).map_err(|code| {
        let known = language_codes().join(", ");
        PyValueError::new_err(format!("unknown language: {code}; the languages are {known}"))
    })
}

/// The arguments of `detect`.
struct Detect {
    /// A detector that has read nothing, if languages are expected.
    detector: Option<utflane_charset::Detector>,
    /// True if more text may follow.
    prefix: bool,
}

impl Detect {
    fn find(&self, text: &[u8]) -> Found {
        match &self.detector {
            None => detect_text(text, !self.prefix),
            Some(detector) => {
                let mut detector = detector.clone();
                detector.push(text);
                detector.found(!self.prefix)
            }
        }
    }
}

impl Function for Detect {
    type Input = Data;
    type Output = Found;

    fn prepare_input(&self, object: &Bound<'_, PyAny>) -> PyResult<Data> {
        Data::from_object(object)
    }

    fn compute(&self, input: &Data) -> Found {
        self.find(input)
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

/// Returns a column with the name of the encoding of each row, or null if none is detected.
fn detect_rows<'py>(
    py: Python<'py>,
    column: &Column,
    detect: &Detect,
) -> PyResult<Bound<'py, PyAny>> {
    let map = |row: &[u8]| -> Result<NewRow, Infallible> {
        let charset = detect.find(row).charset;
        Ok(charset.map_or(NewRow::Null, |charset| NewRow::Value(charset.to_string().into())))
    };
    column.map(py, Values::Text, map, |_, never| match never {})?.into_object(py)
}

/// Detects the encoding of a text, or of each text of a list or of an Arrow column. `languages` are
/// codes of the languages in which the texts probably are.
#[pyfunction]
#[pyo3(signature = (data, *, prefix = false, languages = None))]
pub(crate) fn detect<'py>(
    data: &Bound<'py, PyAny>,
    prefix: bool,
    languages: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyAny>> {
    let detector = languages.map(|languages| expecting(Some(&languages))).transpose()?;
    let detect = Detect { detector, prefix };
    match import_column(data, true)? {
        Some(column) => detect_rows(data.py(), &column, &detect),
        None => detect.call(data),
    }
}

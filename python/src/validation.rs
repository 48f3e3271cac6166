//! `validate`: the first error of a text.

use pyo3::prelude::*;

use crate::decoding::{Decoding, OnFlaw};
use crate::errors::{Flaw, UnknownEncodingError};
use crate::input::Data;
use crate::many::{Function, column};
use crate::named::Named;
use utflane_charset::{Charset, Sink};

/// The first ill-formed sequence of a text.
#[pyclass(frozen, eq, module = "utflane")]
#[derive(PartialEq)]
pub(crate) struct Invalid {
    flaw: Flaw,
    /// The encoding that the text was compared with.
    #[pyo3(get)]
    encoding: String,
}

#[pymethods]
impl Invalid {
    /// The byte at which the sequence begins: all before it is well-formed.
    #[getter]
    fn position(&self) -> u64 {
        self.flaw.offset
    }

    /// Its bytes.
    #[getter]
    fn length(&self) -> usize {
        self.flaw.len
    }

    /// The reason in words.
    #[getter]
    fn kind(&self) -> &'static str {
        self.flaw.kind
    }

    /// Whether the end of the text cuts the sequence, so that more bytes may complete it.
    #[getter]
    fn incomplete(&self) -> bool {
        self.flaw.incomplete
    }

    fn __repr__(&self) -> String {
        let Flaw { offset, len, kind, .. } = self.flaw;
        format!(
            "Invalid(position={offset}, length={len}, kind='{kind}', encoding='{}')",
            self.encoding
        )
    }
}

/// The validation of texts.
struct Validate(Named);

impl Function for Validate {
    type Input = Data;
    type Output = Option<(Flaw, Charset)>;

    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Data> {
        Data::of(object)
    }

    fn work(&self, input: &Data) -> Self::Output {
        self.first(input)
    }

    fn result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        _: &Data,
        found: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        match found {
            None => Ok(py.None().into_bound(py)),
            Some((flaw, charset)) => {
                let invalid = Invalid { flaw, encoding: charset.to_string() };
                Ok(Bound::new(py, invalid)?.into_any())
            }
        }
    }
}

impl Validate {
    /// The first flaw of a text, and the encoding that it was compared with.
    fn first(&self, text: &[u8]) -> Option<(Flaw, Charset)> {
        let (charset, _) = self.0.resolve(text)?;
        first_flaw(charset, text).map(|flaw| (flaw, charset))
    }
}

/// The first flaw of a text.
fn first_flaw(charset: Charset, text: &[u8]) -> Option<Flaw> {
    match charset {
        Charset::Scheme(scheme) => {
            let error = scheme.validate(text).err()?;
            let offset = error.valid_up_to();
            Some(Flaw {
                offset: offset as u64,
                len: error.error_len().unwrap_or(text.len() - offset),
                kind: error.kind().description(),
                incomplete: error.is_incomplete(),
            })
        }
        Charset::Legacy(_) => {
            let mut decoding = Decoding::new(charset);
            let mut first = First(None);
            let pieces = text.chunks(PIECE);
            let last = pieces.len().saturating_sub(1);
            for (i, piece) in pieces.enumerate() {
                let mut sink = Sink::new(PIECE);
                if !decoding.push(piece, i == last, &mut sink, &mut first) {
                    break;
                }
            }
            first.0
        }
    }
}

/// Bytes of a text that are decoded at once, where that is the only way to validate it.
const PIECE: usize = 1 << 14;

/// Ends with the first flaw.
struct First(Option<Flaw>);

impl OnFlaw for First {
    fn flaw(&mut self, flaw: Flaw, _: &[u8], _: &mut Sink) -> bool {
        self.0 = Some(flaw);
        false
    }
}

/// Validates a text, or each text of a list or of an Arrow column.
#[pyfunction]
#[pyo3(signature = (data, encoding = "utf-8"))]
pub(crate) fn validate<'py>(
    data: &Bound<'py, PyAny>,
    encoding: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let named = Named::of(encoding)?;
    if named == Named::Auto {
        return Err(UnknownEncodingError::new_err("validate needs the name of an encoding"));
    }
    let validate = Validate(named);
    match column(data, true)? {
        Some(column) => {
            column.test(data.py(), |row| validate.first(row).is_none())?.object(data.py())
        }
        None => validate.call(data),
    }
}

//! `Index`: offsets of one text in bytes, code points and UTF-16 units, and its lines.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use self_cell::self_cell;
use utflane::{Metric, Position};

use crate::errors::indexed;
use crate::input::{Data, Text, string, work};

/// The text of an index.
enum Owner {
    Text(Text),
    Data(Data),
}

impl Owner {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.bytes(),
            Self::Data(data) => data,
        }
    }
}

type Checkpoints<'a> = utflane::Index<'a>;

self_cell!(
    struct Cell {
        owner: Owner,
        #[covariant]
        dependent: Checkpoints,
    }
);

/// Many conversions between the offsets of one text.
#[pyclass(frozen, module = "utflane")]
pub(crate) struct Index(Cell);

/// The unit that Python calls `name`.
fn metric(name: &str) -> PyResult<Metric> {
    Ok(match name {
        "bytes" => Metric::Bytes,
        "code_points" => Metric::CodePoints,
        "utf16_units" => Metric::Utf16,
        _ => {
            let units = "bytes, code_points, utf16_units";
            return Err(PyValueError::new_err(format!("unknown unit '{name}'; one of {units}")));
        }
    })
}

fn out_of_range() -> PyErr {
    PyIndexError::new_err("offset after the end of the text")
}

impl Index {
    fn index(&self) -> &utflane::Index<'_> {
        self.0.borrow_dependent()
    }

    /// The byte at an offset.
    fn byte(&self, offset: usize, unit: Metric) -> PyResult<usize> {
        self.index().offset_of(offset, unit).ok_or_else(out_of_range)
    }
}

#[pymethods]
impl Index {
    /// An index of a `str`, or of the bytes of a text in UTF-8.
    #[new]
    fn new(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let owner =
            if text.is_instance_of::<PyString>() {
                match Text::of(text)? {
                    Text::Surrogates(_) => {
                        return Err(PyValueError::new_err("a text with surrogates has no index"));
                    }
                    plain => Owner::Text(plain),
                }
            } else {
                Owner::Data(Data::of(text).map_err(|_| {
                    PyTypeError::new_err("an Index needs a str or a bytes-like object")
                })?)
            };
        let len = owner.bytes().len();
        let make = move || Cell::new(owner, |owner| utflane::Index::new(owner.bytes()));
        Ok(Self(work(text.py(), len, make)))
    }

    /// The text: with it, a copy is made where this is pickled.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>,)> {
        Ok((match self.0.borrow_owner() {
            Owner::Text(text) => string(py, text.bytes())?.into_any(),
            Owner::Data(data) => data.object(py)?.into_any(),
        },))
    }

    /// The bytes of the text in UTF-8.
    #[getter]
    fn bytes(&self) -> usize {
        self.index().len(Metric::Bytes)
    }

    /// The code points of the text.
    #[getter]
    fn code_points(&self) -> usize {
        self.index().len(Metric::CodePoints)
    }

    /// The UTF-16 units of the text.
    #[getter]
    fn utf16_units(&self) -> usize {
        self.index().len(Metric::Utf16)
    }

    /// The lines of the text: one more than line feeds.
    #[getter]
    fn lines(&self) -> usize {
        self.index().lines()
    }

    /// Converts an offset, or each offset of a list. An offset inside a character counts as the
    /// offset of its start.
    fn convert<'py>(
        &self,
        offset: &Bound<'py, PyAny>,
        from_unit: &str,
        to_unit: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (from, to) = (metric(from_unit)?, metric(to_unit)?);
        let convert = |offset| -> PyResult<usize> {
            let byte = self.byte(offset, from)?;
            self.index().index_of(byte, to).ok_or_else(out_of_range)
        };
        let py = offset.py();
        if offset.is_instance_of::<PyInt>() {
            let converted = convert(offset.extract()?)?;
            return Ok(converted.into_pyobject(py)?.into_any());
        }
        // Item by item: `len` may return a wrong number, so memory is only allocated for existing
        // items.
        let mut converted = Vec::new();
        for (index, offset) in offset.try_iter()?.enumerate() {
            let offset = offset?.extract::<usize>().and_then(convert);
            converted.push(offset.map_err(|error| indexed(py, error, index))?);
        }
        converted.into_pyobject(py)
    }

    /// The line and the column of an offset, both from 0, in units of the same kind.
    #[pyo3(signature = (offset, unit = "code_points"))]
    fn position(&self, offset: usize, unit: &str) -> PyResult<(usize, usize)> {
        let unit = metric(unit)?;
        let byte = self.byte(offset, unit)?;
        let position = self.index().position_of(byte, unit).ok_or_else(out_of_range)?;
        Ok((position.line, position.column))
    }

    /// The offset of a line and a column. A column after the end of the line is its end.
    #[pyo3(signature = (line, column = 0, unit = "code_points"))]
    fn offset(&self, line: usize, column: usize, unit: &str) -> PyResult<usize> {
        let unit = metric(unit)?;
        let byte = self.index().offset_at(Position { line, column }, unit);
        let byte = byte.ok_or_else(|| PyIndexError::new_err("line after the end of the text"))?;
        self.index().index_of(byte, unit).ok_or_else(out_of_range)
    }

    fn __repr__(&self) -> String {
        let (code_points, lines) = (self.code_points(), self.lines());
        format!("<Index of {code_points} code points in {lines} lines>")
    }
}

//! `Index` converts offsets in one text between bytes, code points, UTF-16 units and lines.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use self_cell::self_cell;
use utflane::{Metric, Position};

use crate::errors::with_index;
use crate::input::{Data, Text, run_detached, to_python_string};

/// The text of an index, as a `str` or as bytes.
enum IndexedText {
    Text(Text),
    Data(Data),
}

impl IndexedText {
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
        owner: IndexedText,
        #[covariant]
        dependent: Checkpoints,
    }
);

/// Converts many offsets in one text between units.
#[pyclass(frozen, module = "utflane")]
pub(crate) struct Index(Cell);

/// Returns the unit that has this name in Python.
fn metric_from_name(name: &str) -> PyResult<Metric> {
    Ok(match name {
        "bytes" => Metric::Bytes,
        "code_points" => Metric::CodePoints,
        "utf16_units" => Metric::Utf16,
        _ => {
            let units = "bytes, code_points, utf16_units";
            return Err(PyValueError::new_err(format!(
                "unknown unit '{name}'; expected one of {units}"
            )));
        }
    })
}

fn offset_error() -> PyErr {
    PyIndexError::new_err("offset after the end of the text")
}

impl Index {
    fn index(&self) -> &utflane::Index<'_> {
        self.0.borrow_dependent()
    }

    /// Converts an offset in `unit` to a byte offset.
    fn byte_offset(&self, offset: usize, unit: Metric) -> PyResult<usize> {
        self.index().offset_of(offset, unit).ok_or_else(offset_error)
    }
}

#[pymethods]
impl Index {
    /// Creates an index of a `str`, or of the bytes of a text in UTF-8.
    #[new]
    fn new(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let owner = if text.is_instance_of::<PyString>() {
            match Text::from_object(text)? {
                Text::WithSurrogates(_) => {
                    return Err(PyValueError::new_err("a text with surrogates cannot be indexed"));
                }
                text => IndexedText::Text(text),
            }
        } else {
            IndexedText::Data(
                Data::from_object(text).map_err(|_| {
                    PyTypeError::new_err("an Index needs a str or a bytes-like object")
                })?,
            )
        };
        let len = owner.bytes().len();
        let build_index = move || Cell::new(owner, |owner| utflane::Index::new(owner.bytes()));
        Ok(Self(run_detached(text.py(), len, build_index)))
    }

    /// Returns the text, from which unpickling creates the index again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>,)> {
        Ok((match self.0.borrow_owner() {
            IndexedText::Text(text) => to_python_string(py, text.bytes())?.into_any(),
            IndexedText::Data(data) => data.to_object(py)?.into_any(),
        },))
    }

    /// The number of bytes of the text in UTF-8.
    #[getter]
    fn bytes(&self) -> usize {
        self.index().len(Metric::Bytes)
    }

    /// The number of code points of the text.
    #[getter]
    fn code_points(&self) -> usize {
        self.index().len(Metric::CodePoints)
    }

    /// The number of UTF-16 units of the text.
    #[getter]
    fn utf16_units(&self) -> usize {
        self.index().len(Metric::Utf16)
    }

    /// The number of lines of the text, which is the number of line feeds plus one.
    #[getter]
    fn lines(&self) -> usize {
        self.index().lines()
    }

    /// Converts an offset, or each offset of a list. An offset inside a character is treated as the
    /// offset of the start of the character.
    fn convert<'py>(
        &self,
        offset: &Bound<'py, PyAny>,
        from_unit: &str,
        to_unit: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (from, to) = (metric_from_name(from_unit)?, metric_from_name(to_unit)?);
        let convert = |offset| -> PyResult<usize> {
            let byte = self.byte_offset(offset, from)?;
            self.index().index_of(byte, to).ok_or_else(offset_error)
        };
        let py = offset.py();
        if offset.is_instance_of::<PyInt>() {
            let converted = convert(offset.extract()?)?;
            return Ok(converted.into_pyobject(py)?.into_any());
        }
        // Grows with each item: `len` of the object may return a wrong number, so no memory is
        // reserved for it.
        let mut converted = Vec::new();
        for (index, offset) in offset.try_iter()?.enumerate() {
            let offset = offset?.extract::<usize>().and_then(convert);
            converted.push(offset.map_err(|error| with_index(py, error, index))?);
        }
        converted.into_pyobject(py)
    }

    /// Returns the line and the column of an offset, both counted from 0. The column is in the same
    /// unit as the offset.
    #[pyo3(signature = (offset, unit = "code_points"))]
    fn position(&self, offset: usize, unit: &str) -> PyResult<(usize, usize)> {
        let unit = metric_from_name(unit)?;
        let byte = self.byte_offset(offset, unit)?;
        let position = self.index().position_of(byte, unit).ok_or_else(offset_error)?;
        Ok((position.line, position.column))
    }

    /// Returns the offset of a line and a column. A column after the end of the line is treated as
    /// the end of the line.
    #[pyo3(signature = (line, column = 0, unit = "code_points"))]
    fn offset(&self, line: usize, column: usize, unit: &str) -> PyResult<usize> {
        let unit = metric_from_name(unit)?;
        let byte = self.index().offset_at(Position { line, column }, unit);
        let byte = byte.ok_or_else(|| PyIndexError::new_err("line after the end of the text"))?;
        self.index().index_of(byte, unit).ok_or_else(offset_error)
    }

    fn __repr__(&self) -> String {
        let (code_points, lines) = (self.code_points(), self.lines());
        format!("<Index of {code_points} code points in {lines} lines>")
    }
}

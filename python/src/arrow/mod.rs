//! Columns of Apache Arrow, as Python objects pass them in capsules: an array
//! (`__arrow_c_array__`), or a stream of arrays (`__arrow_c_stream__`), such as a chunked array or
//! a series. Sources: the pages "C data interface", "C stream interface" and "PyCapsule interface"
//! of Arrow's documentation.
//!
//! A result has the chunks of its column. Where a chunk stays the same, it shares the memory.

mod build;
mod column;
mod dictionary;
mod export;
mod structs;

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use self::build::{Flags, Texts};
pub(crate) use self::column::Values;
use self::column::{Chunk, Form, InvalidArray, Layout, Rows};
pub(crate) use self::export::{ArrowArray, ArrowChunkedArray};
use self::export::{Buffers, Format, Part};
use self::structs::{Array, Schema};
use crate::errors::indexed;
use crate::input::work;

/// A column that Python passed: one array, or chunks.
pub(crate) struct Column {
    form: Form,
    chunks: Vec<Chunk>,
    is_chunked: bool,
}

/// A row of a result.
pub(crate) enum Row {
    /// The same as in the column.
    Same,
    /// The same without its first bytes.
    After(usize),
    Value(Vec<u8>),
    Missing,
}

/// The end of a map: at an error of the array, or of a row.
enum Stop<E> {
    InvalidArray(InvalidArray),
    Row(usize, E),
}

impl<E> From<InvalidArray> for Stop<E> {
    fn from(invalid: InvalidArray) -> Self {
        Self::InvalidArray(invalid)
    }
}

/// A column of results.
pub(crate) struct Mapped {
    format: Format,
    parts: Vec<Part>,
    is_chunked: bool,
    /// True if a row is not the same as before.
    pub(crate) is_changed: bool,
}

impl Column {
    /// The column of an object that has one: strings, or binary values too if `binary`. `None` if
    /// it has no capsules.
    pub(crate) fn of(object: &Bound<'_, PyAny>, binary: bool) -> PyResult<Option<Self>> {
        let (schema, arrays, is_chunked): (Schema, Vec<Array>, bool) =
            if object.hasattr("__arrow_c_array__")? {
                let (schema, array) = structs::array(object)?;
                (schema, vec![array], false)
            } else if object.hasattr("__arrow_c_stream__")? {
                let (schema, arrays) = structs::stream(object)?;
                (schema, arrays, true)
            } else {
                return Ok(None);
            };
        let found = match schema.dictionary {
            0 => Form::of(&schema).map(|form| (form, None)),
            _ => dictionary::form(&schema).map(|(form, width)| (form, Some(width))),
        };
        let (form, width) = found.map_err(|format| refused(binary, &format))?;
        if !binary && form.values == Values::Binary {
            return Err(refused(binary, &schema.format()));
        }
        let Some(width) = width else {
            let chunks = arrays.into_iter().map(Chunk::new).collect();
            return Ok(Some(Self { form, chunks, is_chunked }));
        };
        let expand = |array: &Array| dictionary::expanded(array, form.layout, width);
        let chunks: Result<Vec<_>, _> =
            arrays.iter().map(|array| expand(array).map(Chunk::new)).collect();
        let chunks = chunks.map_err(PyValueError::new_err)?;
        let form = Form { layout: Layout::Large, ..form };
        Ok(Some(Self { form, chunks, is_chunked }))
    }

    /// The column with each row mapped. Rows that are missing stay so. `error` makes the exception
    /// for a row that `map` fails on; it gets the index of the row.
    pub(crate) fn map<E: Send>(
        &self,
        py: Python<'_>,
        values: Values,
        map: impl Fn(&[u8]) -> Result<Row, E> + Sync,
        error: impl Fn(&[u8], E) -> PyErr,
    ) -> PyResult<Mapped> {
        let layout = self.form.layout;
        let mut made = Vec::with_capacity(self.chunks.len());
        let mut base = 0;
        for chunk in &self.chunks {
            let rows = chunk.rows(layout).map_err(PyValueError::new_err)?;
            made.push(match work(py, rows.bytes(), || mapped(&rows, &map)) {
                Ok(texts) => texts,
                Err(stop) => return Err(raised(py, stop, base, &rows, error)),
            });
            base += rows.len();
        }
        let is_changed = made.iter().any(Option::is_some);
        // New strings share no memory in which the value of a missing row is none.
        let is_new_text = values == Values::Text && self.form.values == Values::Binary;
        let mut has_others = false;
        for (texts, chunk) in made.iter_mut().zip(&self.chunks) {
            let rows = chunk.rows(layout).map_err(PyValueError::new_err)?;
            if texts.is_none() && is_new_text && !rows.is_text_throughout() {
                *texts = Some(Texts::copied(&rows, rows.len()).map_err(PyValueError::new_err)?);
                has_others = true;
            }
        }
        // One type for all chunks: a type with offsets, not views.
        let is_copied = (is_changed || has_others) && layout == Layout::Views;
        let is_large = layout != Layout::Small;
        let finished = |(texts, chunk): (Option<Texts>, &Chunk)| match texts {
            Some(texts) => texts.finish(is_large).map(Part::made),
            None => {
                let rows = chunk.rows(layout)?;
                match is_copied {
                    true => Texts::copied(&rows, rows.len())?.finish(is_large).map(Part::made),
                    false => Ok(Part::Shared(chunk.clone(), rows.missing())),
                }
            }
        };
        let parts = made.into_iter().zip(&self.chunks).map(finished).collect::<Result<_, _>>();
        let layout = if is_copied { Layout::Large } else { layout };
        Ok(Mapped {
            format: Format::Values(Form { values, layout }),
            parts: parts.map_err(PyValueError::new_err)?,
            is_chunked: self.is_chunked,
            is_changed,
        })
    }

    /// A column of yes or no for each row. Rows that are missing stay so.
    pub(crate) fn test(
        &self,
        py: Python<'_>,
        test: impl Fn(&[u8]) -> bool + Sync,
    ) -> PyResult<Mapped> {
        let mut parts = Vec::with_capacity(self.chunks.len());
        for chunk in &self.chunks {
            let rows = chunk.rows(self.form.layout).map_err(PyValueError::new_err)?;
            let flags = || -> Result<Buffers, InvalidArray> {
                let mut flags = Flags::new();
                for index in 0..rows.len() {
                    flags.push(rows.get(index)?.map(&test));
                }
                Ok(flags.finish())
            };
            let flags = work(py, rows.bytes(), flags).map_err(PyValueError::new_err)?;
            parts.push(Part::made(flags));
        }
        Ok(Mapped { format: Format::Flags, parts, is_chunked: self.is_chunked, is_changed: true })
    }
}

/// The rows of an array, mapped; `None` if all are the same.
fn mapped<E>(
    rows: &Rows<'_>,
    map: impl Fn(&[u8]) -> Result<Row, E>,
) -> Result<Option<Texts>, Stop<E>> {
    let mut texts: Option<Texts> = None;
    for index in 0..rows.len() {
        let row = rows.get(index)?;
        let new = match row {
            Some(row) => map(row).map_err(|error| Stop::Row(index, error))?,
            None => Row::Same,
        };
        if matches!(new, Row::Same) && texts.is_none() {
            continue;
        }
        let texts = match &mut texts {
            Some(texts) => texts,
            None => texts.insert(Texts::copied(rows, index)?),
        };
        match new {
            Row::Same => texts.push(row),
            Row::After(start) => texts.push(row.and_then(|row| row.get(start..))),
            Row::Value(value) => texts.push(Some(&value)),
            Row::Missing => texts.push(None),
        }
    }
    Ok(texts)
}

/// The exception for the end of a map.
fn raised<E>(
    py: Python<'_>,
    stop: Stop<E>,
    base: usize,
    rows: &Rows<'_>,
    error: impl Fn(&[u8], E) -> PyErr,
) -> PyErr {
    match stop {
        Stop::InvalidArray(invalid) => PyValueError::new_err(invalid),
        Stop::Row(index, reason) => {
            let row = rows.get(index).ok().flatten().unwrap_or_default();
            indexed(py, error(row, reason), base + index)
        }
    }
}

impl Mapped {
    /// The Python object of the column.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let Self { format, parts, is_chunked, .. } = self;
        if is_chunked {
            let parts = Arc::new(parts);
            return Ok(Bound::new(py, ArrowChunkedArray { format, parts })?.into_any());
        }
        let part = parts.into_iter().next().ok_or_else(|| PyValueError::new_err("no array"))?;
        Ok(Bound::new(py, ArrowArray { format, part })?.into_any())
    }
}

/// The reason for the error of a string that is none.
pub(crate) const NO_UTF8: &str = "an Arrow array of strings that is no UTF-8";

/// The error for a column of another type.
fn refused(binary: bool, format: &str) -> PyErr {
    let values = if binary { "binary values or strings" } else { "strings" };
    let message = format!("an Arrow array of {values} is required, not of format '{format}'");
    PyTypeError::new_err(message)
}

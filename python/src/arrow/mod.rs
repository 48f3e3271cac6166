//! Columns of Apache Arrow, as Python objects pass them in capsules: an array
//! (`__arrow_c_array__`), or a stream of arrays (`__arrow_c_stream__`), such as a chunked array or
//! a series. Sources: the pages "C data interface", "C stream interface" and "PyCapsule interface"
//! of Arrow's documentation.
//!
//! The result of an operation on a column has the same chunks as the column. A chunk that does not
//! change shares its memory with the result.

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
use self::export::{Buffers, Format, OutputChunk};
use self::structs::{Array, Schema};
use crate::errors::with_index;
use crate::input::run_detached;

/// A column that Python passed: one array, or a stream of chunks.
pub(crate) struct Column {
    form: Form,
    chunks: Vec<Chunk>,
    is_chunked: bool,
}

/// The result of an operation on a row.
pub(crate) enum NewRow {
    /// The row of the column, unchanged.
    Unchanged,
    /// The row of the column without this number of bytes at its start.
    WithoutPrefix(usize),
    Value(Vec<u8>),
    Null,
}

/// An error of [`map_rows`].
enum MapError<E> {
    InvalidArray(InvalidArray),
    /// The index of a row, and the error of the operation on this row.
    Row(usize, E),
}

impl<E> From<InvalidArray> for MapError<E> {
    fn from(invalid: InvalidArray) -> Self {
        Self::InvalidArray(invalid)
    }
}

/// A column of results.
pub(crate) struct NewColumn {
    format: Format,
    chunks: Vec<OutputChunk>,
    is_chunked: bool,
    /// True if a row differs from the row of the given column.
    pub(crate) is_changed: bool,
}

impl Column {
    /// Returns the column of strings that `object` exports, or `None` if `object` exports no Arrow
    /// capsules. A column of binary values is an error unless `accepts_binary`.
    pub(crate) fn from_object(
        object: &Bound<'_, PyAny>,
        accepts_binary: bool,
    ) -> PyResult<Option<Self>> {
        let (schema, arrays, is_chunked): (Schema, Vec<Array>, bool) =
            if object.hasattr("__arrow_c_array__")? {
                let (schema, array) = structs::import_array(object)?;
                (schema, vec![array], false)
            } else if object.hasattr("__arrow_c_stream__")? {
                let (schema, arrays) = structs::import_stream(object)?;
                (schema, arrays, true)
            } else {
                return Ok(None);
            };
        if dictionary::is_null_type(&schema) {
            let form = Form { values: Values::Text, layout: Layout::Large };
            let chunks = new_chunks(&arrays, dictionary::nulls)?;
            return Ok(Some(Self { form, chunks, is_chunked }));
        }
        let form_and_key_width = match schema.dictionary {
            0 => Form::of(&schema).map(|form| (form, None)),
            _ => dictionary::form_and_key_width(&schema).map(|(form, width)| (form, Some(width))),
        };
        let (form, key_width) =
            form_and_key_width.map_err(|format| unsupported_type(accepts_binary, &format))?;
        if !accepts_binary && form.values == Values::Binary {
            return Err(unsupported_type(accepts_binary, "z"));
        }
        let Some(key_width) = key_width else {
            let chunks = arrays.into_iter().map(Chunk::new).collect();
            return Ok(Some(Self { form, chunks, is_chunked }));
        };
        let expand = |array: &Array| dictionary::expand(array, form.layout, key_width);
        let chunks = new_chunks(&arrays, expand)?;
        let form = Form { layout: Layout::Large, ..form };
        Ok(Some(Self { form, chunks, is_chunked }))
    }

    /// Returns a column of the results of `map` for each row. A null row stays null. If `map`
    /// fails, `error` makes the exception from the row and the error of `map`, and the exception
    /// gets the index of the row.
    pub(crate) fn map<E: Send>(
        &self,
        py: Python<'_>,
        values: Values,
        map: impl Fn(&[u8]) -> Result<NewRow, E> + Sync,
        error: impl Fn(&[u8], E) -> PyErr,
    ) -> PyResult<NewColumn> {
        let layout = self.form.layout;
        let mut new_texts = Vec::with_capacity(self.chunks.len());
        let mut first_index = 0;
        for chunk in &self.chunks {
            let rows = chunk.rows(layout).map_err(PyValueError::new_err)?;
            new_texts.push(match run_detached(py, rows.bytes(), || map_rows(&rows, &map)) {
                Ok(texts) => texts,
                Err(map_error) => {
                    return Err(to_exception(py, map_error, first_index, &rows, error));
                }
            });
            first_index += rows.len();
        }
        let is_changed = new_texts.iter().any(Option::is_some);
        // A chunk of binary values cannot be shared as strings if the value of a null row is not
        // valid UTF-8.
        let is_binary_to_text = values == Values::Text && self.form.values == Values::Binary;
        let mut has_copied_chunks = false;
        for (texts, chunk) in new_texts.iter_mut().zip(&self.chunks) {
            let rows = chunk.rows(layout).map_err(PyValueError::new_err)?;
            if texts.is_none() && is_binary_to_text && !rows.is_text_throughout() {
                *texts = Some(Texts::copied(&rows, rows.len()).map_err(PyValueError::new_err)?);
                has_copied_chunks = true;
            }
        }
        // All chunks of a column have the same type, and new chunks have offsets. So if there are
        // new chunks, unchanged chunks with views are copied.
        let must_copy_views = (is_changed || has_copied_chunks) && layout == Layout::Views;
        let is_large = layout != Layout::Small;
        let finish = |(texts, chunk): (Option<Texts>, &Chunk)| match texts {
            Some(texts) => texts.finish(is_large).map(OutputChunk::from_buffers),
            None => {
                let rows = chunk.rows(layout)?;
                match must_copy_views {
                    true => Texts::copied(&rows, rows.len())?
                        .finish(is_large)
                        .map(OutputChunk::from_buffers),
                    false => Ok(OutputChunk::Shared(chunk.clone(), rows.missing())),
                }
            }
        };
        let chunks = new_texts.into_iter().zip(&self.chunks).map(finish).collect::<Result<_, _>>();
        let layout = if must_copy_views { Layout::Large } else { layout };
        Ok(NewColumn {
            format: Format::Values(Form { values, layout }),
            chunks: chunks.map_err(PyValueError::new_err)?,
            is_chunked: self.is_chunked,
            is_changed,
        })
    }

    /// Returns a column of booleans: the result of `test` for each row. A null row stays null.
    pub(crate) fn test(
        &self,
        py: Python<'_>,
        test: impl Fn(&[u8]) -> bool + Sync,
    ) -> PyResult<NewColumn> {
        let mut chunks = Vec::with_capacity(self.chunks.len());
        for chunk in &self.chunks {
            let rows = chunk.rows(self.form.layout).map_err(PyValueError::new_err)?;
            let test_rows = || -> Result<Buffers, InvalidArray> {
                let mut flags = Flags::new();
                for index in 0..rows.len() {
                    flags.push(rows.get(index)?.map(&test));
                }
                Ok(flags.finish())
            };
            let flags = run_detached(py, rows.bytes(), test_rows).map_err(PyValueError::new_err)?;
            chunks.push(OutputChunk::from_buffers(flags));
        }
        Ok(NewColumn {
            format: Format::Flags,
            chunks,
            is_chunked: self.is_chunked,
            is_changed: true,
        })
    }
}

/// Converts each array, and returns the results as chunks.
fn new_chunks(
    arrays: &[Array],
    convert: impl Fn(&Array) -> Result<Array, InvalidArray>,
) -> PyResult<Vec<Chunk>> {
    let chunks = arrays.iter().map(|array| convert(array).map(Chunk::new));
    chunks.collect::<Result<_, _>>().map_err(PyValueError::new_err)
}

/// Returns the results of `map` for the rows of an array, or `None` if no row changes.
fn map_rows<E>(
    rows: &Rows<'_>,
    map: impl Fn(&[u8]) -> Result<NewRow, E>,
) -> Result<Option<Texts>, MapError<E>> {
    let mut texts: Option<Texts> = None;
    for index in 0..rows.len() {
        let row = rows.get(index)?;
        let new_row = match row {
            Some(row) => map(row).map_err(|error| MapError::Row(index, error))?,
            None => NewRow::Unchanged,
        };
        if matches!(new_row, NewRow::Unchanged) && texts.is_none() {
            continue;
        }
        let texts = match &mut texts {
            Some(texts) => texts,
            None => texts.insert(Texts::copied(rows, index)?),
        };
        match new_row {
            NewRow::Unchanged => texts.push(row),
            NewRow::WithoutPrefix(prefix_len) => {
                texts.push(row.and_then(|row| row.get(prefix_len..)));
            }
            NewRow::Value(value) => texts.push(Some(&value)),
            NewRow::Null => texts.push(None),
        }
    }
    Ok(texts)
}

/// Returns the exception for an error of [`map_rows`]. The first of `rows` has the index
/// `first_index` in the column.
fn to_exception<E>(
    py: Python<'_>,
    map_error: MapError<E>,
    first_index: usize,
    rows: &Rows<'_>,
    error: impl Fn(&[u8], E) -> PyErr,
) -> PyErr {
    match map_error {
        MapError::InvalidArray(invalid) => PyValueError::new_err(invalid),
        MapError::Row(index, reason) => {
            let row = rows.get(index).ok().flatten().unwrap_or_default();
            with_index(py, error(row, reason), first_index + index)
        }
    }
}

impl NewColumn {
    /// Returns the column as a Python object.
    pub(crate) fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let Self { format, chunks, is_chunked, .. } = self;
        if is_chunked {
            let chunks = Arc::new(chunks);
            return Ok(Bound::new(py, ArrowChunkedArray { format, chunks })?.into_any());
        }
        let chunk = chunks.into_iter().next().ok_or_else(|| PyValueError::new_err("no array"))?;
        Ok(Bound::new(py, ArrowArray { format, chunk })?.into_any())
    }
}

/// The error message for a row of a string column that is not UTF-8.
pub(crate) const NOT_UTF8: &str = "the Arrow array of strings has a row that is not UTF-8";

/// Returns the exception for a column whose type is not supported.
fn unsupported_type(accepts_binary: bool, format: &str) -> PyErr {
    let values = if accepts_binary { "binary values or strings" } else { "strings" };
    let name = match format {
        "z" => "binary values",
        "b" => "booleans",
        "c" | "C" | "s" | "S" | "i" | "I" | "l" | "L" => "integers",
        "e" | "f" | "g" => "floats",
        "+s" => "structs (the rows of a table)",
        _ => match format.bytes().next() {
            Some(b'+') => "nested values",
            Some(b't') => "times",
            _ => "another type",
        },
    };
    let message =
        format!("an Arrow array of {values} is required, not of {name} (format '{format}')");
    PyTypeError::new_err(message)
}

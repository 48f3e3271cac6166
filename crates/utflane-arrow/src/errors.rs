//! The error of each row, as columns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, StringArray, StructArray};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{DataType, Field, Fields};
use utflane::{Scheme, columns::RowError};

use crate::column::{self, shared};
use crate::error::Error;
use crate::{dictionary, rows};

/// Returns the fields of [`errors`]: `offset` and `length` as `Int64`, `kind` as `Utf8`.
#[must_use]
pub fn error_fields() -> Fields {
    let field = |name, kind| Field::new(name, kind, true);
    Fields::from(vec![
        field("offset", DataType::Int64),
        field("length", DataType::Int64),
        field("kind", DataType::Utf8),
    ])
}

/// Returns the first error of each row as a struct; null where the row is well-formed UTF-8 or
/// null.
///
/// `offset` is the bytes of the row before the ill-formed sequence, `length` the bytes of that
/// sequence, and `kind` the words of [`utflane::ErrorKind::description`]. A character that the end
/// of the row cuts extends to this end.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::Int64Type;
/// use arrow_array::{Array, BinaryArray};
///
/// let array = BinaryArray::from(vec![&b"one"[..], b"tw\xC0\xAF", b"thr\xE2\x82"]);
/// let errors = utflane_arrow::errors(&array)?;
/// assert!(errors.is_null(0));
/// assert_eq!(errors.column(0).as_primitive::<Int64Type>().value(1), 2);
/// assert_eq!(errors.column(1).as_primitive::<Int64Type>().value(2), 2);
/// assert_eq!(errors.column(2).as_string::<i32>().value(1), "overlong sequence");
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// A type without text.
pub fn errors(array: &dyn Array) -> Result<StructArray, Error> {
    let mut rows = Rows::new(array.len());
    if let Some(keyed) = array.as_any_dictionary_opt() {
        let values = keyed.values();
        let found: Vec<_> = column::with(values, Scheme::Utf8, |column| column.errors().collect())?;
        if !found.is_empty() {
            for (row, value) in dictionary::rows(keyed).enumerate() {
                if let Some(value) = value
                    && let Ok(at) = found.binary_search_by_key(&value, RowError::row)
                {
                    rows.push(row, found[at], len(values, value));
                }
            }
        }
        return Ok(rows.finish());
    }
    column::with(array, Scheme::Utf8, |column| {
        for error in column.errors() {
            rows.push(error.row(), error, len(array, error.row()));
        }
    })?;
    Ok(rows.finish())
}

/// The bytes of a row.
fn len(array: &dyn Array, at: usize) -> usize {
    rows::value(array, at).map_or(0, <[u8]>::len)
}

/// The columns of the struct, while they are built.
struct Rows {
    offsets: Vec<i64>,
    lengths: Vec<i64>,
    kinds: Vec<Option<&'static str>>,
    found: BooleanBufferBuilder,
}

impl Rows {
    /// Creates the columns of rows without an error.
    fn new(rows: usize) -> Self {
        let mut found = BooleanBufferBuilder::new(rows);
        found.append_n(rows, false);
        Self { offsets: vec![0; rows], lengths: vec![0; rows], kinds: vec![None; rows], found }
    }

    /// Sets the error of a row, which has `len` bytes.
    fn push(&mut self, row: usize, error: RowError, len: usize) {
        let Some(text) = error.text() else { return };
        let start = text.valid_up_to();
        self.offsets[row] = start as i64;
        self.lengths[row] = text.error_len().unwrap_or(len - start) as i64;
        self.kinds[row] = Some(text.kind().description());
        self.found.set_bit(row, true);
    }

    /// Returns the struct. Its columns are null where it is, for whoever takes one of them.
    fn finish(mut self) -> StructArray {
        let nulls = NullBuffer::new(self.found.finish());
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::new(self.offsets.into(), Some(nulls.clone()))),
            Arc::new(Int64Array::new(self.lengths.into(), Some(nulls.clone()))),
            shared(self.kinds.into_iter().collect::<StringArray>()),
        ];
        StructArray::new(error_fields(), columns, Some(nulls))
    }
}

//! Returns the first error of each row as a struct array.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, StringArray, StructArray};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{DataType, Field, Fields};
use utflane::{Scheme, columns::RowError};

use crate::column::{self, to_array_ref};
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

/// Returns the first error of each row as a struct; null if the row is null or well-formed UTF-8.
///
/// `offset` is the byte offset of the ill-formed sequence in the row, `length` is the length of
/// this sequence in bytes, and `kind` is the text of [`utflane::ErrorKind::description`]. A
/// character that is incomplete at the end of the row extends to the end of the row.
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
/// Returns an error for a type without text.
pub fn errors(array: &dyn Array) -> Result<StructArray, Error> {
    let mut columns = ErrorColumns::new(array.len());
    if let Some(keyed) = array.as_any_dictionary_opt() {
        let values = keyed.values();
        let found: Vec<_> =
            column::with_column(values, Scheme::Utf8, |column| column.errors().collect())?;
        if !found.is_empty() {
            for (row, value) in dictionary::value_indices(keyed).enumerate() {
                if let Some(value) = value
                    && let Ok(index) = found.binary_search_by_key(&value, |error| error.row)
                {
                    columns.set_error(row, found[index], row_len(values, value));
                }
            }
        }
        return Ok(columns.finish());
    }
    column::with_column(array, Scheme::Utf8, |column| {
        for error in column.errors() {
            columns.set_error(error.row, error, row_len(array, error.row));
        }
    })?;
    Ok(columns.finish())
}

/// Returns the length of a row in bytes; 0 if it is null.
fn row_len(array: &dyn Array, row: usize) -> usize {
    rows::row_bytes(array, row).map_or(0, <[u8]>::len)
}

/// The columns of the struct array, while they are built.
struct ErrorColumns {
    offsets: Vec<i64>,
    lengths: Vec<i64>,
    kinds: Vec<Option<&'static str>>,
    has_error: BooleanBufferBuilder,
}

impl ErrorColumns {
    /// Creates columns for this number of rows, which have no error so far.
    fn new(rows: usize) -> Self {
        let mut has_error = BooleanBufferBuilder::new(rows);
        has_error.append_n(rows, false);
        Self { offsets: vec![0; rows], lengths: vec![0; rows], kinds: vec![None; rows], has_error }
    }

    /// Sets the error of a row, which has `len` bytes.
    fn set_error(&mut self, row: usize, error: RowError, len: usize) {
        let Some(text) = error.text() else { return };
        let start = text.valid_up_to();
        self.offsets[row] = start as i64;
        self.lengths[row] = text.error_len().unwrap_or(len - start) as i64;
        self.kinds[row] = Some(text.kind().description());
        self.has_error.set_bit(row, true);
    }

    /// Returns the struct array. A row that is null in the struct is also null in each column, so
    /// that a column can be used without the struct.
    fn finish(mut self) -> StructArray {
        let nulls = NullBuffer::new(self.has_error.finish());
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::new(self.offsets.into(), Some(nulls.clone()))),
            Arc::new(Int64Array::new(self.lengths.into(), Some(nulls.clone()))),
            to_array_ref(self.kinds.into_iter().collect::<StringArray>()),
        ];
        StructArray::new(error_fields(), columns, Some(nulls))
    }
}

//! Decodes and encodes columns in multi-byte encodings: calls [`legacy`] for each row, or for each
//! value of a dictionary.

use datafusion::arrow::array::cast::AsArray;
use datafusion::arrow::array::{AnyDictionaryArray, Array, ArrayRef, LargeBinaryArray};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use utflane::code_page::CodePage;
use utflane::{ErrorKind, IllFormed, Unmappable};
use utflane_charset::{Legacy, Sink};

use crate::encoding::{NamedRepair, OnError};
use crate::error::TextErrorKind;
use crate::kinds::{binary_type, text_type};
use crate::legacy::{self, Failure};

/// Decodes each row.
pub(crate) fn decode(
    array: &ArrayRef,
    encoding: Legacy,
    on_error: OnError<IllFormed>,
) -> Result<ArrayRef, TextErrorKind> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return convert_values(dictionary, on_error, |values, on_error| {
            decode(values, encoding, on_error)
        });
    }
    let mut text = Sink::default();
    convert_rows(array, encoding, on_error, &text_type(array.data_type()), |bytes, out| {
        text.truncate(0);
        legacy::decode(encoding, bytes, on_error, &mut text)?;
        out.extend_from_slice(text.bytes());
        Ok(())
    })
}

/// Encodes each row.
pub(crate) fn encode(
    array: &ArrayRef,
    encoding: Legacy,
    on_error: OnError<Unmappable>,
) -> Result<ArrayRef, TextErrorKind> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return convert_values(dictionary, on_error, |values, on_error| {
            encode(values, encoding, on_error)
        });
    }
    convert_rows(array, encoding, on_error, &binary_type(array.data_type()), |bytes, out| {
        // The input is a text array, so each row is well-formed.
        let text = str::from_utf8(bytes).unwrap_or_default();
        legacy::encode(encoding, text, on_error, out)
    })
}

/// Converts the values of a dictionary. A value that cannot be converted causes an error only if a
/// row refers to it.
fn convert_values<R: NamedRepair>(
    dictionary: &dyn AnyDictionaryArray,
    on_error: OnError<R>,
    convert: impl Fn(&ArrayRef, OnError<R>) -> Result<ArrayRef, TextErrorKind>,
) -> Result<ArrayRef, TextErrorKind> {
    let values = dictionary.values();
    if on_error != OnError::Error || values.is_empty() {
        return Ok(dictionary.with_values(convert(values, on_error)?));
    }
    let converted = convert(values, OnError::Null)?;
    for (row, key) in dictionary.normalized_keys().into_iter().enumerate() {
        if dictionary.keys().is_valid(row) && converted.is_null(key) && values.is_valid(key) {
            convert(&values.slice(key, 1), on_error).map_err(|error| error.in_row(row))?;
        }
    }
    Ok(dictionary.with_values(converted))
}

/// Converts each row with `convert`, which appends the result to a vector. Returns an array of the
/// type `result_type`.
fn convert_rows<R: NamedRepair>(
    array: &ArrayRef,
    encoding: Legacy,
    on_error: OnError<R>,
    result_type: &DataType,
    mut convert: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), Failure>,
) -> Result<ArrayRef, TextErrorKind> {
    let max_bytes = match result_type {
        DataType::Binary | DataType::Utf8 => i32::MAX as usize,
        _ => usize::MAX,
    };
    let (mut values, mut row_lens) = (Vec::new(), Vec::with_capacity(array.len()));
    let mut row_validity = Vec::with_capacity(array.len());
    for (row, bytes) in utflane_arrow::rows(array)?.enumerate() {
        let row_start = values.len();
        let result = bytes.map(|bytes| convert(bytes, &mut values));
        match result {
            Some(Err(failure)) if on_error == OnError::Error => {
                return Err(row_error(encoding, row, failure));
            }
            Some(Err(_)) => values.truncate(row_start),
            _ => {}
        }
        if values.len() > max_bytes {
            return Err(TextErrorKind::TooLong { row });
        }
        row_validity.push(matches!(result, Some(Ok(()))));
        row_lens.push(values.len() - row_start);
    }
    let offsets = OffsetBuffer::<i64>::from_lengths(row_lens);
    let nulls = NullBuffer::from(row_validity);
    let nulls = (nulls.null_count() > 0).then_some(nulls);
    let array = LargeBinaryArray::new(offsets, values.into(), nulls);
    cast(&array, result_type).map_err(|_| utflane_arrow::Error::Type(result_type.clone()).into())
}

/// Returns an error of a conversion from or to a code page, with the name of the page.
pub(crate) fn page_error(
    array: &ArrayRef,
    page: &CodePage,
    error: utflane_arrow::Error,
) -> TextErrorKind {
    let utflane_arrow::Error::Row(row_error) = &error else { return error.into() };
    let Some(text_error) = row_error.text() else { return error.into() };
    let (row, offset, encoding) = (row_error.row, text_error.valid_up_to(), page.name());
    let bytes = utflane_arrow::rows(array).ok().and_then(|mut rows| rows.nth(row)).flatten();
    let rest = bytes.and_then(|bytes| str::from_utf8(bytes.get(offset..)?).ok());
    match (text_error.kind(), rest.and_then(|rest| rest.chars().next())) {
        (ErrorKind::Unmappable, Some(character)) => {
            TextErrorKind::Unmappable { row, encoding, offset, character }
        }
        _ => TextErrorKind::IllFormed { row, encoding, offset },
    }
}

/// Returns the error for a row that could not be converted.
fn row_error(encoding: Legacy, row: usize, failure: Failure) -> TextErrorKind {
    let encoding = encoding.name();
    let offset = failure.offset;
    match failure.character {
        Some(character) => TextErrorKind::Unmappable { row, encoding, offset, character },
        None => TextErrorKind::IllFormed { row, encoding, offset },
    }
}

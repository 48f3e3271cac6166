//! Columns in encodings from before Unicode: [`legacy`] for each row.

use datafusion::arrow::array::cast::AsArray;
use datafusion::arrow::array::{AnyDictionaryArray, Array, ArrayRef, LargeBinaryArray};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use encoding_rs::Encoding;
use utflane::{IllFormed, Unmappable};
use utflane_charset::{Charset, Sink};

use crate::encoding::{NamedRepair, OnError};
use crate::error::TextErrorKind;
use crate::kinds::{bytes_of, text_of};
use crate::legacy::{self, Failure};

/// Decodes each row.
pub(crate) fn decode(
    array: &ArrayRef,
    encoding: &'static Encoding,
    on_error: OnError<IllFormed>,
) -> Result<ArrayRef, TextErrorKind> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        return of_values(keyed, on_error, |values, on| decode(values, encoding, on));
    }
    let mut text = Sink::default();
    rows(array, encoding, on_error, &text_of(array.data_type()), |bytes, out| {
        text.truncate(0);
        legacy::decode(encoding, bytes, on_error, &mut text)?;
        out.extend_from_slice(text.bytes());
        Ok(())
    })
}

/// Encodes each row.
pub(crate) fn encode(
    array: &ArrayRef,
    encoding: &'static Encoding,
    on_error: OnError<Unmappable>,
) -> Result<ArrayRef, TextErrorKind> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        return of_values(keyed, on_error, |values, on| encode(values, encoding, on));
    }
    rows(array, encoding, on_error, &bytes_of(array.data_type()), |bytes, out| {
        // The rows of an array of text are text.
        let text = str::from_utf8(bytes).unwrap_or_default();
        legacy::encode(encoding, text, on_error, out)
    })
}

/// Converts the values of a dictionary. Values that no row refers to cause no errors.
fn of_values<R: NamedRepair>(
    keyed: &dyn AnyDictionaryArray,
    on_error: OnError<R>,
    convert: impl Fn(&ArrayRef, OnError<R>) -> Result<ArrayRef, TextErrorKind>,
) -> Result<ArrayRef, TextErrorKind> {
    let before = keyed.values();
    if on_error != OnError::Error || before.is_empty() {
        return Ok(keyed.with_values(convert(before, on_error)?));
    }
    let values = convert(before, OnError::Null)?;
    for (row, value) in keyed.normalized_keys().into_iter().enumerate() {
        if keyed.keys().is_valid(row) && values.is_null(value) && before.is_valid(value) {
            convert(&before.slice(value, 1), on_error).map_err(|error| error.in_row(row))?;
        }
    }
    Ok(keyed.with_values(values))
}

/// The rows that `convert` appends, as an array of the type `kind`.
fn rows<R: NamedRepair>(
    array: &ArrayRef,
    encoding: &'static Encoding,
    on_error: OnError<R>,
    kind: &DataType,
    mut convert: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), Failure>,
) -> Result<ArrayRef, TextErrorKind> {
    let most = match kind {
        DataType::Binary | DataType::Utf8 => i32::MAX as usize,
        _ => usize::MAX,
    };
    let (mut values, mut lens) = (Vec::new(), Vec::with_capacity(array.len()));
    let mut valid = Vec::with_capacity(array.len());
    for (row, bytes) in utflane_arrow::rows(array)?.enumerate() {
        let before = values.len();
        let result = bytes.map(|bytes| convert(bytes, &mut values));
        match result {
            Some(Err(failure)) if on_error == OnError::Error => {
                return Err(failed(encoding, row, failure));
            }
            Some(Err(_)) => values.truncate(before),
            _ => {}
        }
        if values.len() > most {
            return Err(TextErrorKind::TooLong { row });
        }
        valid.push(matches!(result, Some(Ok(()))));
        lens.push(values.len() - before);
    }
    let offsets = OffsetBuffer::<i64>::from_lengths(lens);
    let nulls = NullBuffer::from(valid);
    let nulls = (nulls.null_count() > 0).then_some(nulls);
    let array = LargeBinaryArray::new(offsets, values.into(), nulls);
    cast(&array, kind).map_err(|_| utflane_arrow::Error::Type(kind.clone()).into())
}

/// The error of a row.
fn failed(encoding: &'static Encoding, row: usize, failure: Failure) -> TextErrorKind {
    let encoding = Charset::Legacy(encoding).name();
    let offset = failure.offset;
    match failure.character {
        Some(character) => TextErrorKind::Unmappable { row, encoding, offset, character },
        None => TextErrorKind::IllFormed { row, encoding, offset },
    }
}

//! Iterates over the rows of an array, for operations that the library does not have for columns.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_schema::DataType;

use crate::dictionary;
use crate::error::Error;

/// Returns the bytes of each row; `None` if the row is null.
///
/// ```
/// use arrow_array::StringArray;
///
/// let array = StringArray::from(vec![Some("one"), None]);
/// let rows: Vec<_> = utflane_arrow::rows(&array)?.collect();
/// assert_eq!(rows, [Some(&b"one"[..]), None]);
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array is not a string or binary array.
pub fn rows(array: &dyn Array) -> Result<Box<dyn Iterator<Item = Option<&[u8]>> + '_>, Error> {
    if let Some(dictionary_array) = array.as_any_dictionary_opt() {
        let (values, indices) =
            (dictionary_array.values(), dictionary::value_indices(dictionary_array));
        check_type(values)?;
        return Ok(Box::new(indices.map(|index| index.and_then(|index| row_bytes(values, index)))));
    }
    check_type(array)?;
    Ok(Box::new((0..array.len()).map(|row| row_bytes(array, row))))
}

/// Returns an error if the array is not a string or binary array.
fn check_type(array: &dyn Array) -> Result<(), Error> {
    match array.data_type() {
        DataType::Binary | DataType::LargeBinary | DataType::FixedSizeBinary(_) => Ok(()),
        DataType::BinaryView | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(()),
        other => Err(Error::Type(other.clone())),
    }
}

/// Returns the bytes of a row; `None` if it is null, or if the array is not a string or binary
/// array.
pub(crate) fn row_bytes(array: &dyn Array, row: usize) -> Option<&[u8]> {
    if array.is_null(row) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().value(row),
        DataType::LargeBinary => array.as_binary::<i64>().value(row),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().value(row),
        DataType::BinaryView => array.as_binary_view().value(row),
        DataType::Utf8 => array.as_string::<i32>().value(row).as_bytes(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).as_bytes(),
        DataType::Utf8View => array.as_string_view().value(row).as_bytes(),
        _ => return None,
    })
}

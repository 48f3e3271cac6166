//! Iterates over rows, for operations without a function of columns.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_schema::DataType;

use crate::dictionary;
use crate::error::Error;

/// Returns the bytes of each row; `None` where the row is null.
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
/// A type without text.
pub fn rows(array: &dyn Array) -> Result<Box<dyn Iterator<Item = Option<&[u8]>> + '_>, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        let (values, keys) = (keyed.values(), dictionary::rows(keyed));
        has_text(values)?;
        return Ok(Box::new(keys.map(|key| key.and_then(|at| value(values, at)))));
    }
    has_text(array)?;
    Ok(Box::new((0..array.len()).map(|at| value(array, at))))
}

/// Fails for a type without text.
fn has_text(array: &dyn Array) -> Result<(), Error> {
    match array.data_type() {
        DataType::Binary | DataType::LargeBinary | DataType::FixedSizeBinary(_) => Ok(()),
        DataType::BinaryView | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(()),
        other => Err(Error::Type(other.clone())),
    }
}

/// Returns the bytes of a row; `None` where it is null, and for a type without text.
pub(crate) fn value(array: &dyn Array, at: usize) -> Option<&[u8]> {
    if array.is_null(at) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().value(at),
        DataType::LargeBinary => array.as_binary::<i64>().value(at),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().value(at),
        DataType::BinaryView => array.as_binary_view().value(at),
        DataType::Utf8 => array.as_string::<i32>().value(at).as_bytes(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(at).as_bytes(),
        DataType::Utf8View => array.as_string_view().value(at).as_bytes(),
        _ => return None,
    })
}

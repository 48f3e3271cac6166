//! Converts binary arrays to UTF-8, and arrays between UTF-8 and any encoding.

use arrow_array::cast::AsArray;
use arrow_array::types::ByteArrayType;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, GenericBinaryArray, GenericByteArray, GenericStringArray,
    OffsetSizeTrait, StringViewArray,
};
use arrow_buffer::{
    ArrowNativeType, BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer,
};
use arrow_schema::DataType;
use utflane::columns::{ByteColumn, Offset, RowError, Texts};
use utflane::{Repair, Scheme};

use crate::column::{self, to_array_ref};
use crate::error::Error;
use crate::{dictionary, splice};

/// The handling of a row that is ill-formed, or has a character that the target lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// The function returns the error of the row.
    #[default]
    Error,
    /// The row becomes null.
    Null,
    /// The row is repaired.
    Repair(Repair),
}

/// Returns an array as UTF-8: `Binary` and `FixedSizeBinary` as `Utf8`, `LargeBinary` as
/// `LargeUtf8`, `BinaryView` as `Utf8View`, a dictionary as a dictionary with values of these
/// types.
///
/// If all rows are well-formed, the values are not copied. In arrays of views, only ill-formed rows
/// are copied.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::{Array, BinaryArray};
/// use utflane::Repair;
/// use utflane_arrow::{OnFailure, to_utf8};
///
/// let array = BinaryArray::from(vec![&b"one"[..], b"tw\xFF"]);
/// assert_eq!(to_utf8(&array, OnFailure::Error).unwrap_err().row(), Some(1));
/// let texts = to_utf8(&array, OnFailure::Repair(Repair::REPLACE))?;
/// assert_eq!(texts.as_string::<i32>().value(1), "tw\u{FFFD}");
///
/// let first = to_utf8(&array.slice(0, 1), OnFailure::Error)?;
/// assert_eq!(first.as_string::<i32>().values().as_ptr(), array.values().as_ptr());
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// With [`OnFailure::Error`], returns the error of the first ill-formed row. With any `on_failure`,
/// returns an error for a row at which the result becomes too long for its offsets, and for a type
/// without text.
pub fn to_utf8(array: &dyn Array, on_failure: OnFailure) -> Result<ArrayRef, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        if on_failure == OnFailure::Error {
            dictionary::validate_values(keyed, Scheme::Utf8)?;
        }
        // Values that no row refers to may be ill-formed.
        let values = to_utf8(keyed.values(), handling_of_values(on_failure))?;
        return Ok(keyed.with_values(values));
    }
    // The maximum number of ill-formed rows that are replaced in a copy of the values. If there are
    // more, all rows are converted.
    let few = match on_failure {
        OnFailure::Error => 0,
        _ => array.len() / 8,
    };
    // Null rows are validated too: they may contain any bytes, but the result must be UTF-8.
    let ill_formed: Vec<usize> =
        column::with_column_ignoring_nulls(array, Scheme::Utf8, |column| match few {
            0 => column.validate().err().iter().map(RowError::row).collect(),
            _ => column.errors().map(|error| error.row()).take(few + 1).collect(),
        })?;
    if ill_formed.is_empty() {
        return Ok(match array.data_type() {
            DataType::Binary => reuse_as_utf8(array.as_binary::<i32>()),
            DataType::LargeBinary => reuse_as_utf8(array.as_binary::<i64>()),
            DataType::BinaryView => {
                let views = array.as_binary_view().clone();
                // SAFETY: all rows have been validated.
                to_array_ref(unsafe { views.to_string_view_unchecked() })
            }
            DataType::FixedSizeBinary(_) => {
                return decode(array, Scheme::Utf8, on_failure);
            }
            _ => array.slice(0, array.len()),
        });
    }
    let repair = match on_failure {
        OnFailure::Repair(repair) => Some(repair),
        OnFailure::Error | OnFailure::Null => None,
    };
    if ill_formed.len() <= few
        && let Some(texts) = splice::replace_rows(array, &ill_formed, repair)
    {
        return Ok(texts);
    }
    decode(array, Scheme::Utf8, on_failure)
}

/// Returns how to handle ill-formed values of a dictionary. With [`OnFailure::Error`], the caller
/// has checked that no row refers to such a value, so it becomes null.
fn handling_of_values(on_failure: OnFailure) -> OnFailure {
    match on_failure {
        OnFailure::Error => OnFailure::Null,
        other => other,
    }
}

/// Returns an array in which all rows are well-formed as an array of UTF-8, without a copy of the
/// values.
fn reuse_as_utf8<T: ByteArrayType>(array: &GenericByteArray<T>) -> ArrayRef
where
    T::Offset: OffsetSizeTrait,
{
    let (offsets, values, nulls) = (array.offsets(), array.values(), array.nulls().cloned());
    let (first, last) = (offsets[0].as_usize(), offsets[offsets.len() - 1].as_usize());
    // The bytes before the first row and after the last one have not been validated.
    let values = values.slice_with_length(first, last - first);
    let offsets = match first {
        0 => offsets.clone(),
        _ => OffsetBuffer::new(offsets.iter().map(|&end| end - offsets[0]).collect()),
    };
    // SAFETY: all rows have been validated, so their values are UTF-8 as a whole, and each offset
    // is at a boundary.
    to_array_ref(unsafe { GenericStringArray::<T::Offset>::new_unchecked(offsets, values, nulls) })
}

/// Decodes the rows of an array from `scheme`: `LargeBinary` to `LargeUtf8`, views to `Utf8View`,
/// all others to `Utf8`, and a dictionary to a dictionary with values of these types.
///
/// ```
/// use arrow_array::BinaryArray;
/// use arrow_array::cast::AsArray;
/// use utflane::Scheme;
/// use utflane_arrow::{OnFailure, decode};
///
/// let array = BinaryArray::from(vec![&b"caf\xE9"[..], b"na\xEFve"]);
/// let texts = decode(&array, Scheme::Latin1, OnFailure::Error)?;
/// assert_eq!(texts.as_string::<i32>().value(1), "naïve");
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Fails like [`to_utf8`].
pub fn decode(array: &dyn Array, scheme: Scheme, on_failure: OnFailure) -> Result<ArrayRef, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        if on_failure == OnFailure::Error {
            dictionary::validate_values(keyed, scheme)?;
        }
        let values = decode(keyed.values(), scheme, handling_of_values(on_failure))?;
        return Ok(keyed.with_values(values));
    }
    let is_view = matches!(array.data_type(), DataType::BinaryView | DataType::Utf8View);
    if is_view || matches!(array.data_type(), DataType::LargeBinary | DataType::LargeUtf8) {
        let texts = convert_rows::<i64>(array, scheme, Scheme::Utf8, on_failure)?;
        let strings = into_string_array(texts);
        return Ok(if is_view {
            to_array_ref(StringViewArray::from(&strings))
        } else {
            to_array_ref(strings)
        });
    }
    convert_rows::<i32>(array, scheme, Scheme::Utf8, on_failure)
        .map(|texts| to_array_ref(into_string_array(texts)))
}

/// Encodes the rows of an array of UTF-8 in `scheme`: `LargeUtf8` to `LargeBinary`, `Utf8View` to
/// `BinaryView`, `Utf8` to `Binary`, and a dictionary to a dictionary with values of these types.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use utflane::Scheme;
/// use utflane_arrow::{OnFailure, encode};
///
/// let array = StringArray::from(vec!["été", "5 €"]);
/// let error = encode(&array, Scheme::Latin1, OnFailure::Error).unwrap_err();
/// assert_eq!(error.row(), Some(1));
/// let bytes = encode(&array, Scheme::Utf16Be, OnFailure::Error)?;
/// assert_eq!(bytes.as_binary::<i32>().value(0), b"\0\xE9\0t\0\xE9");
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// With [`OnFailure::Error`], returns the error of the first row with a character that `scheme`
/// lacks. With any `on_failure`, returns an error for a row at which the result becomes too long
/// for its offsets, and for a type that is not UTF-8.
pub fn encode(array: &dyn Array, scheme: Scheme, on_failure: OnFailure) -> Result<ArrayRef, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        if on_failure == OnFailure::Error {
            let values = encode(keyed.values(), scheme, OnFailure::Null)?;
            // A value that became null is reported with the index of the first row that refers to
            // it.
            for (row, value) in dictionary::value_indices(keyed).enumerate() {
                if let Some(index) =
                    value.filter(|&at| values.is_null(at) && keyed.values().is_valid(at))
                {
                    let result = encode(&keyed.values().slice(index, 1), scheme, on_failure);
                    return Err(match result {
                        Err(Error::Row(error)) => Error::Row(error.in_row(row)),
                        _ => Error::Type(array.data_type().clone()),
                    });
                }
            }
            return Ok(keyed.with_values(values));
        }
        return Ok(keyed.with_values(encode(keyed.values(), scheme, on_failure)?));
    }
    match array.data_type() {
        DataType::Utf8 => {
            let texts = convert_rows::<i32>(array, Scheme::Utf8, scheme, on_failure)?;
            Ok(to_array_ref(into_binary_array(texts)))
        }
        DataType::LargeUtf8 => {
            let texts = convert_rows::<i64>(array, Scheme::Utf8, scheme, on_failure)?;
            Ok(to_array_ref(into_binary_array(texts)))
        }
        DataType::Utf8View => {
            let texts = convert_rows::<i64>(array, Scheme::Utf8, scheme, on_failure)?;
            Ok(to_array_ref(BinaryViewArray::from(&into_binary_array(texts))))
        }
        other => Err(Error::Type(other.clone())),
    }
}

/// Converts the rows of an array from one encoding to another.
fn convert_rows<O: Offset>(
    array: &dyn Array,
    from: Scheme,
    to: Scheme,
    on_failure: OnFailure,
) -> Result<Texts<u8, O>, Error> {
    let convert = |column: ByteColumn<'_>| -> Result<Texts<u8, O>, RowError> {
        match on_failure {
            OnFailure::Error => column.transcode(to),
            OnFailure::Null => column.transcode_or_null(to),
            OnFailure::Repair(repair) => column.transcode_lossy(to, repair, None),
        }
    };
    Ok(column::with_column(array, from, convert)??)
}

/// Returns the offsets, the values and the validity bitmap of converted rows, as arrow's types.
fn into_arrow_buffers<O: OffsetSizeTrait + Offset>(
    texts: Texts<u8, O>,
) -> (OffsetBuffer<O>, Buffer, Option<NullBuffer>) {
    let len = texts.len();
    let nulls = texts
        .validity
        .map(|bits| NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(bits), 0, len)));
    let offsets = OffsetBuffer::new(ScalarBuffer::from(texts.offsets));
    (offsets, Buffer::from_vec(texts.values), nulls)
}

/// Returns converted rows as an array of UTF-8. The rows must have been converted to UTF-8.
fn into_string_array<O: OffsetSizeTrait + Offset>(texts: Texts<u8, O>) -> GenericStringArray<O> {
    let (offsets, values, nulls) = into_arrow_buffers(texts);
    // SAFETY: the rows have been converted to UTF-8, one after another.
    unsafe { GenericStringArray::new_unchecked(offsets, values, nulls) }
}

/// Returns converted rows as an array of bytes.
fn into_binary_array<O: OffsetSizeTrait + Offset>(texts: Texts<u8, O>) -> GenericBinaryArray<O> {
    let (offsets, values, nulls) = into_arrow_buffers(texts);
    GenericBinaryArray::new(offsets, values, nulls)
}

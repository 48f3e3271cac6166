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
use utflane::Scheme;
use utflane::columns::{Column, Offset, RowError, Texts};

use crate::arguments::{Encoding, OnFailure};
use crate::column::{self, ArrowBuffers, to_array_ref};
use crate::error::Error;
use crate::pages::{self, Direction};
use crate::{dictionary, splice};

/// Returns an array as UTF-8: `Binary` and `FixedSizeBinary` as `Utf8`, `LargeBinary` as
/// `LargeUtf8`, `BinaryView` as `Utf8View`, a dictionary as a dictionary with values of these
/// types.
///
/// If all rows are well-formed, the values are not copied, except from `FixedSizeBinary`. In arrays
/// of views, only ill-formed rows are copied if at most one row in eight is ill-formed.
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
        return dictionary::convert(keyed, on_failure, &to_utf8);
    }
    // The maximum number of ill-formed rows that are replaced in a copy of the values. If there are
    // more, all rows are converted.
    let max_replaced = match on_failure {
        OnFailure::Error => 0,
        _ => array.len() / 8,
    };
    // Null rows are validated too: they may contain any bytes, but the result must be UTF-8.
    let ill_formed: Vec<usize> =
        column::with_column_ignoring_nulls(array, Scheme::Utf8, |column| match max_replaced {
            0 => column.validate().err().iter().map(|error| error.row).collect(),
            _ => column.errors().map(|error| error.row).take(max_replaced + 1).collect(),
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
    if ill_formed.len() <= max_replaced
        && let Some(texts) = splice::replace_rows(array, &ill_formed, on_failure.repair())
    {
        return Ok(texts);
    }
    decode(array, Scheme::Utf8, on_failure)
}

/// Turns a binary array whose rows are all well-formed into an array of UTF-8, without a copy of
/// the values.
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

/// Decodes the rows of an array from `encoding`, a [`Scheme`] or a code page: `LargeBinary` and
/// `LargeUtf8` to `LargeUtf8`, views to `Utf8View`, all others to `Utf8`, and a dictionary to a
/// dictionary with values of these types.
///
/// ```
/// use arrow_array::BinaryArray;
/// use arrow_array::cast::AsArray;
/// use utflane::Scheme;
/// use utflane::code_page::WINDOWS_1251;
/// use utflane_arrow::{OnFailure, decode};
///
/// let array = BinaryArray::from(vec![&b"caf\xE9"[..], b"na\xEFve"]);
/// let texts = decode(&array, Scheme::Latin1, OnFailure::Error)?;
/// assert_eq!(texts.as_string::<i32>().value(1), "naïve");
///
/// let array = BinaryArray::from(vec![&b"\xEC\xE8\xF0"[..]]);
/// let texts = decode(&array, WINDOWS_1251, OnFailure::Error)?;
/// assert_eq!(texts.as_string::<i32>().value(0), "мир");
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Fails like [`to_utf8`]. A byte that a code page does not assign is ill-formed.
pub fn decode(
    array: &dyn Array,
    encoding: impl Into<Encoding>,
    on_failure: OnFailure,
) -> Result<ArrayRef, Error> {
    decode_array(array, encoding.into(), on_failure)
}

/// Implements [`decode`].
fn decode_array(
    array: &dyn Array,
    encoding: Encoding,
    on_failure: OnFailure,
) -> Result<ArrayRef, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        let convert = |values: &dyn Array, values_on_failure| {
            decode_array(values, encoding, values_on_failure)
        };
        return dictionary::convert(keyed, on_failure, &convert);
    }
    let is_view = matches!(array.data_type(), DataType::BinaryView | DataType::Utf8View);
    if is_view || matches!(array.data_type(), DataType::LargeBinary | DataType::LargeUtf8) {
        let strings = decode_rows::<i64>(array, encoding, on_failure)?;
        return Ok(if is_view {
            to_array_ref(StringViewArray::from(&strings))
        } else {
            to_array_ref(strings)
        });
    }
    decode_rows::<i32>(array, encoding, on_failure).map(to_array_ref)
}

/// Encodes the rows of an array of UTF-8 in `encoding`, a [`Scheme`] or a code page: `LargeUtf8` to
/// `LargeBinary`, `Utf8View` to `BinaryView`, `Utf8` to `Binary`, and a dictionary to a dictionary
/// with values of these types.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use utflane::Scheme;
/// use utflane::code_page::CP858;
/// use utflane_arrow::{OnFailure, encode};
///
/// let array = StringArray::from(vec!["été", "5 €"]);
/// let error = encode(&array, Scheme::Latin1, OnFailure::Error).unwrap_err();
/// assert_eq!(error.row(), Some(1));
/// let bytes = encode(&array, Scheme::Utf16Be, OnFailure::Error)?;
/// assert_eq!(bytes.as_binary::<i32>().value(0), b"\0\xE9\0t\0\xE9");
/// let bytes = encode(&array, CP858, OnFailure::Error)?;
/// assert_eq!(bytes.as_binary::<i32>().value(1), b"5 \xD5");
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// With [`OnFailure::Error`], returns the error of the first row with a character that `encoding`
/// lacks. With any `on_failure`, returns an error for a row at which the result becomes too long
/// for its offsets, and for a type that is not UTF-8.
pub fn encode(
    array: &dyn Array,
    encoding: impl Into<Encoding>,
    on_failure: OnFailure,
) -> Result<ArrayRef, Error> {
    encode_array(array, encoding.into(), on_failure)
}

/// Implements [`encode`].
fn encode_array(
    array: &dyn Array,
    encoding: Encoding,
    on_failure: OnFailure,
) -> Result<ArrayRef, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        let convert = |values: &dyn Array, values_on_failure| {
            encode_array(values, encoding, values_on_failure)
        };
        return dictionary::convert(keyed, on_failure, &convert);
    }
    match array.data_type() {
        DataType::Utf8 => encode_rows::<i32>(array, encoding, on_failure).map(to_array_ref),
        DataType::LargeUtf8 => encode_rows::<i64>(array, encoding, on_failure).map(to_array_ref),
        DataType::Utf8View => {
            let bytes = encode_rows::<i64>(array, encoding, on_failure)?;
            Ok(to_array_ref(BinaryViewArray::from(&bytes)))
        }
        other => Err(Error::Type(other.clone())),
    }
}

/// Decodes the rows of an array that is not a dictionary.
fn decode_rows<O: OffsetSizeTrait + Offset>(
    array: &dyn Array,
    encoding: Encoding,
    on_failure: OnFailure,
) -> Result<GenericStringArray<O>, Error> {
    let (offsets, values, nulls) = match encoding {
        Encoding::Scheme(from) => convert_rows(array, from, Scheme::Utf8, on_failure)?,
        Encoding::Page(page) => pages::convert_rows(array, page, Direction::Decode, on_failure)?,
    };
    // SAFETY: the values are the rows in UTF-8, without gaps, so each offset is at a boundary.
    Ok(unsafe { GenericStringArray::new_unchecked(offsets, values, nulls) })
}

/// Encodes the rows of an array of UTF-8 that is not a dictionary.
fn encode_rows<O: OffsetSizeTrait + Offset>(
    array: &dyn Array,
    encoding: Encoding,
    on_failure: OnFailure,
) -> Result<GenericBinaryArray<O>, Error> {
    let (offsets, values, nulls) = match encoding {
        Encoding::Scheme(to) => convert_rows(array, Scheme::Utf8, to, on_failure)?,
        Encoding::Page(page) => pages::convert_rows(array, page, Direction::Encode, on_failure)?,
    };
    Ok(GenericBinaryArray::new(offsets, values, nulls))
}

/// Converts the rows of an array from one scheme to another.
fn convert_rows<O: OffsetSizeTrait + Offset>(
    array: &dyn Array,
    from: Scheme,
    to: Scheme,
    on_failure: OnFailure,
) -> Result<ArrowBuffers<O>, Error> {
    let convert = |column: Column<'_, Scheme>| -> Result<Texts<u8, O>, RowError> {
        match on_failure {
            OnFailure::Error => column.transcode(to),
            OnFailure::Null => column.transcode_or_null(to),
            OnFailure::Repair(repair) => column.transcode_lossy(to, repair, None),
        }
    };
    let texts = column::with_column(array, from, convert)??;
    let len = texts.rows();
    let nulls = texts
        .validity
        .map(|bits| NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(bits), 0, len)));
    let offsets = OffsetBuffer::new(ScalarBuffer::from(texts.offsets));
    Ok((offsets, Buffer::from_vec(texts.values), nulls))
}

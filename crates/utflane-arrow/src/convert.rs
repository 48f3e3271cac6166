//! Conversions: binary to UTF-8, and between UTF-8 and any encoding.

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

use crate::column::{self, shared};
use crate::error::Error;
use crate::{dictionary, splice};

/// The handling of a row that is ill-formed, or has a character that the target lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// It is the error of the function.
    #[default]
    Error,
    /// It becomes null.
    Null,
    /// It is repaired.
    Repair(Repair),
}

/// Returns an array as UTF-8: `Binary` and `FixedSizeBinary` as `Utf8`, `LargeBinary` as
/// `LargeUtf8`, `BinaryView` as `Utf8View`, a dictionary as a dictionary of these.
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
/// With [`OnFailure::Error`] the first ill-formed row. Otherwise a row at which the result is too
/// long for its offsets, or a type without text.
pub fn to_utf8(array: &dyn Array, on_failure: OnFailure) -> Result<ArrayRef, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        if on_failure == OnFailure::Error {
            dictionary::check(keyed, Scheme::Utf8)?;
        }
        // Values that no row refers to may be ill-formed.
        let values = to_utf8(keyed.values(), of_values(on_failure))?;
        return Ok(keyed.with_values(values));
    }
    // Few rows: where more are ill-formed, each is converted by itself.
    let few = match on_failure {
        OnFailure::Error => 0,
        _ => array.len() / 8,
    };
    // A row that is null may have any bytes, and its slot in the result must not.
    let bad: Vec<usize> = column::with_all(array, Scheme::Utf8, |column| match few {
        0 => column.validate().err().iter().map(RowError::row).collect(),
        _ => column.errors().map(|error| error.row()).take(few + 1).collect(),
    })?;
    if bad.is_empty() {
        return Ok(match array.data_type() {
            DataType::Binary => whole(array.as_binary::<i32>()),
            DataType::LargeBinary => whole(array.as_binary::<i64>()),
            DataType::BinaryView => {
                let views = array.as_binary_view().clone();
                // SAFETY: all rows have been validated.
                shared(unsafe { views.to_string_view_unchecked() })
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
    if bad.len() <= few
        && let Some(texts) = splice::spliced(array, &bad, repair)
    {
        return Ok(texts);
    }
    decode(array, Scheme::Utf8, on_failure)
}

/// The handling of values of a dictionary, after rows that refer to a bad one are errors.
fn of_values(on_failure: OnFailure) -> OnFailure {
    match on_failure {
        OnFailure::Error => OnFailure::Null,
        other => other,
    }
}

/// Returns an array with well-formed rows as UTF-8.
fn whole<T: ByteArrayType>(array: &GenericByteArray<T>) -> ArrayRef
where
    T::Offset: OffsetSizeTrait,
{
    let (offsets, values, nulls) = (array.offsets(), array.values(), array.nulls().cloned());
    let (first, last) = (offsets[0].as_usize(), offsets[offsets.len() - 1].as_usize());
    // Values outside of the rows have not been validated.
    let values = values.slice_with_length(first, last - first);
    let offsets = match first {
        0 => offsets.clone(),
        _ => OffsetBuffer::new(offsets.iter().map(|&end| end - offsets[0]).collect()),
    };
    // SAFETY: all rows have been validated, so their values are UTF-8 as a whole, and each offset
    // is at a boundary.
    shared(unsafe { GenericStringArray::<T::Offset>::new_unchecked(offsets, values, nulls) })
}

/// Decodes the rows of an array from `scheme`: `LargeBinary` to `LargeUtf8`, views to `Utf8View`,
/// all others to `Utf8`, and a dictionary to a dictionary of these.
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
/// As [`to_utf8`].
pub fn decode(array: &dyn Array, scheme: Scheme, on_failure: OnFailure) -> Result<ArrayRef, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        if on_failure == OnFailure::Error {
            dictionary::check(keyed, scheme)?;
        }
        let values = decode(keyed.values(), scheme, of_values(on_failure))?;
        return Ok(keyed.with_values(values));
    }
    let is_view = matches!(array.data_type(), DataType::BinaryView | DataType::Utf8View);
    if is_view || matches!(array.data_type(), DataType::LargeBinary | DataType::LargeUtf8) {
        let texts = converted::<i64>(array, scheme, Scheme::Utf8, on_failure)?;
        let strings = strings(texts);
        return Ok(if is_view { shared(StringViewArray::from(&strings)) } else { shared(strings) });
    }
    converted::<i32>(array, scheme, Scheme::Utf8, on_failure).map(|texts| shared(strings(texts)))
}

/// Encodes the rows of an array of UTF-8 in `scheme`: `LargeUtf8` to `LargeBinary`, `Utf8View` to
/// `BinaryView`, `Utf8` to `Binary`, and a dictionary to a dictionary of these.
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
/// With [`OnFailure::Error`] the first row with a character that `scheme` lacks. Otherwise a row at
/// which the result is too long for its offsets, or a type that is not UTF-8.
pub fn encode(array: &dyn Array, scheme: Scheme, on_failure: OnFailure) -> Result<ArrayRef, Error> {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        if on_failure == OnFailure::Error {
            let values = encode(keyed.values(), scheme, OnFailure::Null)?;
            // The values that became null are named as the rows that refer to them.
            for (row, value) in dictionary::rows(keyed).enumerate() {
                if let Some(at) =
                    value.filter(|&at| values.is_null(at) && keyed.values().is_valid(at))
                {
                    let one = encode(&keyed.values().slice(at, 1), scheme, on_failure);
                    return Err(match one {
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
            let texts = converted::<i32>(array, Scheme::Utf8, scheme, on_failure)?;
            Ok(shared(binary(texts)))
        }
        DataType::LargeUtf8 => {
            let texts = converted::<i64>(array, Scheme::Utf8, scheme, on_failure)?;
            Ok(shared(binary(texts)))
        }
        DataType::Utf8View => {
            let texts = converted::<i64>(array, Scheme::Utf8, scheme, on_failure)?;
            Ok(shared(BinaryViewArray::from(&binary(texts))))
        }
        other => Err(Error::Type(other.clone())),
    }
}

/// The rows of an array in another encoding.
fn converted<O: Offset>(
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
    Ok(column::with(array, from, convert)??)
}

/// The parts of an array.
fn parts<O: OffsetSizeTrait + Offset>(
    texts: Texts<u8, O>,
) -> (OffsetBuffer<O>, Buffer, Option<NullBuffer>) {
    let len = texts.len();
    let nulls = texts
        .validity
        .map(|bits| NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(bits), 0, len)));
    let offsets = OffsetBuffer::new(ScalarBuffer::from(texts.offsets));
    (offsets, Buffer::from_vec(texts.values), nulls)
}

/// Converted rows as an array of UTF-8, which they are.
fn strings<O: OffsetSizeTrait + Offset>(texts: Texts<u8, O>) -> GenericStringArray<O> {
    let (offsets, values, nulls) = parts(texts);
    // SAFETY: the rows have been converted to UTF-8, one after another.
    unsafe { GenericStringArray::new_unchecked(offsets, values, nulls) }
}

/// Converted rows as an array of bytes.
fn binary<O: OffsetSizeTrait + Offset>(texts: Texts<u8, O>) -> GenericBinaryArray<O> {
    let (offsets, values, nulls) = parts(texts);
    GenericBinaryArray::new(offsets, values, nulls)
}

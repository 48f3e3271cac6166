//! Converts arrays to columns of the library.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::ByteArrayType;
use arrow_array::{Array, ArrayRef, GenericByteArray, OffsetSizeTrait};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::DataType;
use utflane::Scheme;
use utflane::columns::{Column, Offset, RowError};

use crate::error::Error;

/// Calls `use_column` with the rows of an array, which must not be a dictionary.
pub(crate) fn with_column<R>(
    array: &dyn Array,
    scheme: Scheme,
    use_column: impl FnOnce(Column<'_, Scheme>) -> R,
) -> Result<R, Error> {
    let use_with_nulls = |column: Column<'_, Scheme>| -> Result<R, RowError> {
        match array.nulls() {
            Some(nulls) => Ok(use_column(column.with_nulls(nulls.validity(), nulls.offset())?)),
            None => Ok(use_column(column)),
        }
    };
    let result = with_column_ignoring_nulls(array, scheme, use_with_nulls)?;
    Ok(result?)
}

/// Does the same as [`with_column`], as if no row were null.
pub(crate) fn with_column_ignoring_nulls<R>(
    array: &dyn Array,
    scheme: Scheme,
    use_column: impl FnOnce(Column<'_, Scheme>) -> R,
) -> Result<R, Error> {
    let use_views =
        |views: &[u128], buffers: &[Buffer], use_once: &mut dyn FnMut(Column<'_, Scheme>)| {
            let buffers: Vec<_> = buffers.iter().map(Buffer::as_slice).collect();
            use_once(Column::of_views(scheme, views, &buffers)?);
            Ok::<_, Error>(())
        };
    let (mut use_column, mut result) = (Some(use_column), None);
    let mut use_once = |column: Column<'_, Scheme>| {
        result = use_column.take().map(|use_column| use_column(column))
    };
    match array.data_type() {
        DataType::Binary => use_once(offset_column(array.as_binary::<i32>(), scheme)?),
        DataType::LargeBinary => use_once(offset_column(array.as_binary::<i64>(), scheme)?),
        DataType::Utf8 => use_once(offset_column(array.as_string::<i32>(), scheme)?),
        DataType::LargeUtf8 => use_once(offset_column(array.as_string::<i64>(), scheme)?),
        DataType::FixedSizeBinary(_) => {
            let array = array.as_fixed_size_binary();
            let width = usize::try_from(array.value_length()).unwrap_or(0);
            use_once(Column::fixed(scheme, array.value_data(), width, array.len())?);
        }
        DataType::BinaryView => {
            let array = array.as_binary_view();
            use_views(array.views(), array.data_buffers(), &mut use_once)?;
        }
        DataType::Utf8View => {
            let array = array.as_string_view();
            use_views(array.views(), array.data_buffers(), &mut use_once)?;
        }
        other => return Err(Error::Type(other.clone())),
    }
    result.ok_or_else(|| Error::Type(array.data_type().clone()))
}

/// Returns the column of an array of values and offsets.
fn offset_column<T: ByteArrayType<Offset: OffsetSizeTrait + Offset>>(
    array: &GenericByteArray<T>,
    scheme: Scheme,
) -> Result<Column<'_, Scheme>, RowError> {
    Column::new(scheme, array.value_data(), array.value_offsets())
}

/// Offsets, values and validity bitmap of converted rows.
pub(crate) type ArrowBuffers<O> = (OffsetBuffer<O>, Buffer, Option<NullBuffer>);

/// Returns the validity bitmap of an array, in which the rows of `failed` are null too.
pub(crate) fn mark_null(array: &dyn Array, failed: &[usize]) -> Option<NullBuffer> {
    if failed.is_empty() {
        return array.nulls().cloned();
    }
    let mut bits = BooleanBufferBuilder::new(array.len());
    match array.nulls() {
        Some(nulls) => bits.append_buffer(nulls.inner()),
        None => bits.append_n(array.len(), true),
    }
    failed.iter().for_each(|&row| bits.set_bit(row, false));
    Some(NullBuffer::new(bits.finish()))
}

/// Returns the array as an [`ArrayRef`].
pub(crate) fn to_array_ref(array: impl Array + 'static) -> ArrayRef {
    Arc::new(array)
}

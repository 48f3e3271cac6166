//! Converts binary arrays with few ill-formed rows to UTF-8: replaces these rows, and copies each
//! run of rows between them at once.

use std::iter;

use arrow_array::builder::make_view;
use arrow_array::cast::AsArray;
use arrow_array::types::ByteArrayType;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, GenericByteArray, GenericStringArray, OffsetSizeTrait,
    StringViewArray,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use utflane::{Repair, Utf8, transcode_lossy};

use crate::column::{mark_null, to_array_ref};

/// Returns a binary array as UTF-8. `bad` holds the indices of the ill-formed rows, in order. These
/// rows are repaired, or become null if there is no `repair`. All other rows must be well-formed,
/// even if they are null.
///
/// Returns `None` for an array of another type, and if the result is too long for its offsets.
pub(crate) fn replace_rows(
    array: &dyn Array,
    bad: &[usize],
    repair: Option<Repair>,
) -> Option<ArrayRef> {
    match array.data_type() {
        DataType::Binary => replace_in_values(array.as_binary::<i32>(), bad, repair),
        DataType::LargeBinary => replace_in_values(array.as_binary::<i64>(), bad, repair),
        DataType::BinaryView => replace_views(array.as_binary_view(), bad, repair),
        _ => None,
    }
}

/// Returns the text that replaces an ill-formed row. It is empty if the row is null or becomes
/// null.
fn replacement_text(row: &[u8], is_null: bool, repair: Option<Repair>) -> String {
    match repair {
        Some(repair) if !is_null => transcode_lossy::<Utf8, Utf8>(row, repair).text,
        _ => String::new(),
    }
}

/// Returns the validity bitmap of the result.
fn result_nulls(array: &dyn Array, bad: &[usize], repair: Option<Repair>) -> Option<NullBuffer> {
    mark_null(array, if repair.is_some() { &[] } else { bad })
}

/// Implements [`replace_rows`] for arrays of values and offsets.
fn replace_in_values<T: ByteArrayType<Offset: OffsetSizeTrait>>(
    array: &GenericByteArray<T>,
    bad: &[usize],
    repair: Option<Repair>,
) -> Option<ArrayRef> {
    let (starts, values) = (array.value_offsets(), array.value_data());
    let start = |row: usize| starts[row].as_usize();
    // The offset after the last row that has been copied or replaced.
    let mut copied = start(0);
    let mut out = Vec::with_capacity(start(array.len()) - copied);
    let mut offsets = Vec::with_capacity(array.len() + 1);
    offsets.push(T::Offset::usize_as(0));
    let mut next_row = 0;
    for row in bad.iter().copied().chain(iter::once(array.len())) {
        // The rows before this row are copied together, so all their offsets change by one number.
        let old_len = out.len();
        out.extend_from_slice(&values[copied..start(row)]);
        T::Offset::from_usize(out.len())?;
        let new_end = |end: &T::Offset| T::Offset::usize_as(end.as_usize() - copied + old_len);
        offsets.extend(starts[next_row + 1..=row].iter().map(new_end));
        if row < array.len() {
            copied = start(row + 1);
            let row_bytes = &values[start(row)..copied];
            let text = replacement_text(row_bytes, array.is_null(row), repair);
            out.extend_from_slice(text.as_bytes());
            offsets.push(T::Offset::from_usize(out.len())?);
            next_row = row + 1;
        }
    }
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let (values, nulls) = (Buffer::from_vec(out), result_nulls(array, bad, repair));
    // SAFETY: all rows are well-formed or have been repaired, and are stored one after another.
    let texts = unsafe { GenericStringArray::<T::Offset>::new_unchecked(offsets, values, nulls) };
    Some(to_array_ref(texts))
}

/// Implements [`replace_rows`] for views. The new texts are stored in an additional buffer.
fn replace_views(
    array: &BinaryViewArray,
    bad: &[usize],
    repair: Option<Repair>,
) -> Option<ArrayRef> {
    let (mut views, mut buffers) = (array.views().to_vec(), array.data_buffers().to_vec());
    let (new_buffer, mut out) = (u32::try_from(buffers.len()).ok()?, Vec::new());
    for &row in bad {
        let text = replacement_text(array.value(row), array.is_null(row), repair);
        // Offsets in views are `i32` in other implementations of Arrow.
        i32::try_from(out.len() + text.len()).ok()?;
        views[row] = make_view(text.as_bytes(), new_buffer, u32::try_from(out.len()).ok()?);
        if text.len() > 12 {
            out.extend_from_slice(text.as_bytes());
        }
    }
    if !out.is_empty() {
        buffers.push(Buffer::from_vec(out));
    }
    let nulls = result_nulls(array, bad, repair);
    // SAFETY: each view is from `array`, or was made for a text that is in the view itself or in
    // the last buffer. All rows are well-formed or have been repaired.
    Some(to_array_ref(unsafe { StringViewArray::new_unchecked(views.into(), buffers, nulls) }))
}

//! UTF-8 with few ill-formed rows: these are replaced, and all others are copied together.

use std::iter;

use arrow_array::builder::make_view;
use arrow_array::cast::AsArray;
use arrow_array::types::ByteArrayType;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, GenericByteArray, GenericStringArray, OffsetSizeTrait,
    StringViewArray,
};
use arrow_buffer::{
    ArrowNativeType, BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer,
};
use arrow_schema::DataType;
use utflane::{Repair, Utf8, transcode_lossy};

use crate::column::shared;

/// Returns an array of bytes as UTF-8. All rows except `bad`, which are in order, are well-formed,
/// null or not. The rows of `bad` are repaired, or null if there is no `repair`.
///
/// Returns `None` for other arrays, and where the result is too long for its offsets.
pub(crate) fn spliced(
    array: &dyn Array,
    bad: &[usize],
    repair: Option<Repair>,
) -> Option<ArrayRef> {
    match array.data_type() {
        DataType::Binary => bytes(array.as_binary::<i32>(), bad, repair),
        DataType::LargeBinary => bytes(array.as_binary::<i64>(), bad, repair),
        DataType::BinaryView => views(array.as_binary_view(), bad, repair),
        _ => None,
    }
}

/// The text of a bad row; empty if it is or becomes null.
fn text(row: &[u8], is_null: bool, repair: Option<Repair>) -> String {
    match repair {
        Some(repair) if !is_null => transcode_lossy::<Utf8, Utf8>(row, repair).text,
        _ => String::new(),
    }
}

/// The rows that are not null in the result.
fn nulls(array: &dyn Array, bad: &[usize], repair: Option<Repair>) -> Option<NullBuffer> {
    if repair.is_some() {
        return array.nulls().cloned();
    }
    let mut bits = BooleanBufferBuilder::new(array.len());
    match array.nulls() {
        Some(nulls) => bits.append_buffer(nulls.inner()),
        None => bits.append_n(array.len(), true),
    }
    bad.iter().for_each(|&row| bits.set_bit(row, false));
    Some(NullBuffer::new(bits.finish()))
}

/// [`spliced`] for values and offsets.
fn bytes<T: ByteArrayType<Offset: OffsetSizeTrait>>(
    array: &GenericByteArray<T>,
    bad: &[usize],
    repair: Option<Repair>,
) -> Option<ArrayRef> {
    let (starts, values) = (array.value_offsets(), array.value_data());
    let start = |row: usize| starts[row].as_usize();
    let mut copied = start(0);
    let mut out = Vec::with_capacity(start(array.len()) - copied);
    let mut offsets = Vec::with_capacity(array.len() + 1);
    offsets.push(T::Offset::usize_as(0));
    let mut first = 0;
    for row in bad.iter().copied().chain(iter::once(array.len())) {
        // The rows before it keep their distances.
        let before = out.len();
        out.extend_from_slice(&values[copied..start(row)]);
        T::Offset::from_usize(out.len())?;
        let moved = |end: &T::Offset| T::Offset::usize_as(end.as_usize() - copied + before);
        offsets.extend(starts[first + 1..=row].iter().map(moved));
        if row < array.len() {
            copied = start(row + 1);
            let text = text(&values[start(row)..copied], array.is_null(row), repair);
            out.extend_from_slice(text.as_bytes());
            offsets.push(T::Offset::from_usize(out.len())?);
            first = row + 1;
        }
    }
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let (values, nulls) = (Buffer::from_vec(out), nulls(array, bad, repair));
    // SAFETY: all rows are well-formed, or have been repaired, and stand one after another.
    let texts = unsafe { GenericStringArray::<T::Offset>::new_unchecked(offsets, values, nulls) };
    Some(shared(texts))
}

/// [`spliced`] for views: the views of `bad` rows point into a separate buffer.
fn views(array: &BinaryViewArray, bad: &[usize], repair: Option<Repair>) -> Option<ArrayRef> {
    let (mut views, mut buffers) = (array.views().to_vec(), array.data_buffers().to_vec());
    let (block, mut out) = (u32::try_from(buffers.len()).ok()?, Vec::new());
    for &row in bad {
        let text = text(array.value(row), array.is_null(row), repair);
        // Offsets are `i32` in other implementations.
        i32::try_from(out.len() + text.len()).ok()?;
        views[row] = make_view(text.as_bytes(), block, u32::try_from(out.len()).ok()?);
        if text.len() > 12 {
            out.extend_from_slice(text.as_bytes());
        }
    }
    if !out.is_empty() {
        buffers.push(Buffer::from_vec(out));
    }
    let nulls = nulls(array, bad, repair);
    // SAFETY: the views are an array's, or are made for text, which is in the last buffer; all are
    // well-formed, or have been repaired.
    Some(shared(unsafe { StringViewArray::new_unchecked(views.into(), buffers, nulls) }))
}

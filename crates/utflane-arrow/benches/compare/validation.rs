//! Validation and bitmaps, against arrow and a loop over std.

use std::hint::black_box;

use arrow_array::{BinaryArray, BinaryViewArray, StringArray, StringViewArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer, OffsetBuffer};
use utflane::Utf8;
use utflane::columns::Column;

use crate::texts::{damaged, values_and_offsets};
use crate::{Measured, ratio};

/// The columns of the table.
pub(crate) const COLUMNS: [Measured; 4] =
    [("validate", validation), ("bitmap", bitmap), ("views", views), ("v.bitmap", bitmap_of_views)];

/// Validation of values and offsets, against `StringArray::try_new`.
fn validation(rows: &[String]) -> f64 {
    let (values, offsets) = values_and_offsets(rows);
    let (values, offsets) = (Buffer::from_vec(values), OffsetBuffer::new(offsets.into()));
    ratio(
        || {
            let column = Column::<Utf8>::new(&values, &offsets).expect("rows inside the values");
            assert!(black_box(column.validate()).is_ok());
        },
        || {
            let array = StringArray::try_new(offsets.clone(), values.clone(), None);
            assert!(black_box(array).is_ok());
        },
    )
}

/// Validation of views, against `StringViewArray::try_new`.
fn views(rows: &[String]) -> f64 {
    let array: BinaryViewArray = rows.iter().map(|row| Some(row.as_bytes())).collect();
    let (views, buffers, _) = array.into_parts();
    ratio(
        || {
            let slices: Vec<_> = buffers.iter().map(Buffer::as_slice).collect();
            let column = Column::<Utf8>::of_views(&views, &slices).expect("rows inside");
            assert!(black_box(column.validate()).is_ok());
        },
        || {
            let array = StringViewArray::try_new(views.clone(), buffers.clone(), None);
            assert!(black_box(array).is_ok());
        },
    )
}

/// A bit for each row, by a loop over std.
fn bits_by_loop<'a>(rows: impl ExactSizeIterator<Item = Option<&'a [u8]>>) {
    let mut bits = BooleanBufferBuilder::new(rows.len());
    for row in rows {
        bits.append(row.is_some_and(|row| std::str::from_utf8(row).is_ok()));
    }
    black_box(bits.finish());
}

/// A bitmap, one row in 1,000 damaged, against a loop over the rows.
fn bitmap(rows: &[String]) -> f64 {
    let (values, offsets) = damaged(rows);
    let array =
        BinaryArray::new(OffsetBuffer::new(offsets.clone().into()), values.clone().into(), None);
    let mut bits = Vec::new();
    ratio(
        || {
            let column = Column::<Utf8>::new(&values, &offsets).expect("rows inside the values");
            black_box(column.validity(&mut bits));
        },
        || bits_by_loop(array.iter()),
    )
}

/// The same of views.
fn bitmap_of_views(rows: &[String]) -> f64 {
    let (values, offsets) = damaged(rows);
    let row = |ends: &[i32]| Some(&values[ends[0] as usize..ends[1] as usize]);
    let array: BinaryViewArray = offsets.windows(2).map(row).collect();
    let (views, buffers, _) = array.clone().into_parts();
    let mut bits = Vec::new();
    ratio(
        || {
            let slices: Vec<_> = buffers.iter().map(Buffer::as_slice).collect();
            let column = Column::<Utf8>::of_views(&views, &slices).expect("rows inside");
            black_box(column.validity(&mut bits));
        },
        || bits_by_loop(array.iter()),
    )
}

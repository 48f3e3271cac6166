//! Measures validation against arrow, and validity bitmaps against a loop that calls std for each
//! row.

use std::hint::black_box;

use arrow_array::{BinaryArray, BinaryViewArray, StringArray, StringViewArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer, OffsetBuffer};
use utflane::Utf8;
use utflane::columns::Column;

use crate::texts::{values_and_offsets, with_ill_formed_rows};
use crate::{Measurement, ratio};

/// The columns of the printed table.
pub(crate) const COLUMNS: [Measurement; 4] = [
    ("validate", measure_validation),
    ("bitmap", measure_bitmap),
    ("views", measure_views),
    ("v.bitmap", measure_bitmap_of_views),
];

/// Measures validation of a column with offsets, against `StringArray::try_new`.
fn measure_validation(rows: &[String]) -> f64 {
    let (values, offsets) = values_and_offsets(rows);
    let (values, offsets) = (Buffer::from_vec(values), OffsetBuffer::new(offsets.into()));
    ratio(
        || {
            let column = Column::new(Utf8, &values, &offsets).expect("rows inside the values");
            assert!(black_box(column.validate()).is_ok());
        },
        || {
            let array = StringArray::try_new(offsets.clone(), values.clone(), None);
            assert!(black_box(array).is_ok());
        },
    )
}

/// Measures validation of a column of views, against `StringViewArray::try_new`.
fn measure_views(rows: &[String]) -> f64 {
    let array: BinaryViewArray = rows.iter().map(|row| Some(row.as_bytes())).collect();
    let (views, buffers, _) = array.into_parts();
    ratio(
        || {
            let slices: Vec<_> = buffers.iter().map(Buffer::as_slice).collect();
            let column = Column::of_views(Utf8, &views, &slices).expect("rows inside");
            assert!(black_box(column.validate()).is_ok());
        },
        || {
            let array = StringViewArray::try_new(views.clone(), buffers.clone(), None);
            assert!(black_box(array).is_ok());
        },
    )
}

/// Computes a validity bitmap by a loop that calls std for each row.
fn compute_bitmap_by_loop<'a>(rows: impl ExactSizeIterator<Item = Option<&'a [u8]>>) {
    let mut bits = BooleanBufferBuilder::new(rows.len());
    for row in rows {
        bits.append(row.is_some_and(|row| std::str::from_utf8(row).is_ok()));
    }
    black_box(bits.finish());
}

/// Measures the validity bitmap of a column with offsets, in which one row in 1,000 is ill-formed.
fn measure_bitmap(rows: &[String]) -> f64 {
    let (values, offsets) = with_ill_formed_rows(rows);
    let array =
        BinaryArray::new(OffsetBuffer::new(offsets.clone().into()), values.clone().into(), None);
    let mut bits = Vec::new();
    ratio(
        || {
            let column = Column::new(Utf8, &values, &offsets).expect("rows inside the values");
            black_box(column.validity(&mut bits));
        },
        || compute_bitmap_by_loop(array.iter()),
    )
}

/// Measures the validity bitmap of a column of views, in which one row in 1,000 is ill-formed.
fn measure_bitmap_of_views(rows: &[String]) -> f64 {
    let (values, offsets) = with_ill_formed_rows(rows);
    let row = |bounds: &[i32]| Some(&values[bounds[0] as usize..bounds[1] as usize]);
    let array: BinaryViewArray = offsets.windows(2).map(row).collect();
    let (views, buffers, _) = array.clone().into_parts();
    let mut bits = Vec::new();
    ratio(
        || {
            let slices: Vec<_> = buffers.iter().map(Buffer::as_slice).collect();
            let column = Column::of_views(Utf8, &views, &slices).expect("rows inside");
            black_box(column.validity(&mut bits));
        },
        || compute_bitmap_by_loop(array.iter()),
    )
}

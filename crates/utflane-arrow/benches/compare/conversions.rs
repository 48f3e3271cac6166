//! Measures conversions and lengths against loops that call std for each row. In the columns
//! `u16 rows` and `page rows` of the table, the loop calls the library for each row.

use std::hint::black_box;

use arrow_array::{BinaryArray, BinaryViewArray};
use arrow_buffer::Buffer;
use utflane::code_page::WINDOWS_1251;
use utflane::columns::{Column, Texts};
use utflane::{Latin1, Repair, Utf8, Utf16};
use utflane_arrow::{OnFailure, decode};

use crate::texts::{values_and_offsets, with_ill_formed_rows};
use crate::{Measurement, ratio};

/// The columns of the printed table.
pub(crate) const COLUMNS: [Measurement; 12] = [
    ("utf16", |rows| measure_to_utf16(&values_and_offsets(rows), false)),
    ("u16 rows", |rows| measure_to_utf16(&values_and_offsets(rows), true)),
    ("u16 views", measure_views_to_utf16),
    ("or null", measure_or_null),
    ("lossy", measure_repair),
    ("lossy16", measure_repair_to_utf16),
    ("counts", measure_counts),
    ("lens16", measure_utf16_lens),
    ("latin1?", measure_fits_latin1),
    ("latin1>u8", measure_from_latin1),
    ("page rows", |rows| measure_from_page(rows, true)),
    ("page>u8", |rows| measure_from_page(rows, false)),
];

/// The values and the offsets of a column.
type Parts = (Vec<u8>, Vec<i32>);

/// Returns a column of the library with these values and offsets.
fn column((values, offsets): &Parts) -> Column<'_, Utf8> {
    Column::new(Utf8, values, offsets).expect("rows inside the values")
}

/// Returns an iterator over the rows.
fn rows((values, offsets): &Parts) -> impl Iterator<Item = &[u8]> {
    offsets.windows(2).map(|bounds| &values[bounds[0] as usize..bounds[1] as usize])
}

/// Converts the rows to UTF-16 by a loop that calls std. An ill-formed row becomes empty.
fn convert_to_utf16_by_loop<'a>(rows: impl Iterator<Item = &'a [u8]>) {
    let mut texts = Texts::<u16, i32>::default();
    texts.offsets.push(0);
    for row in rows {
        if let Ok(row) = std::str::from_utf8(row) {
            texts.values.extend(row.encode_utf16());
        }
        texts.offsets.push(texts.values.len() as i32);
    }
    black_box(texts);
}

/// Measures the conversion to UTF-16. The peer is a loop that calls the library for each row if
/// `peer_is_library`, otherwise a loop that calls std.
fn measure_to_utf16(parts: &Parts, peer_is_library: bool) -> f64 {
    let ours = || assert!(black_box(column(parts).transcode::<i32, _>(Utf16)).is_ok());
    if !peer_is_library {
        return ratio(ours, || convert_to_utf16_by_loop(rows(parts)));
    }
    ratio(ours, || {
        let mut texts = Texts::<u16, i32>::default();
        texts.values.reserve(parts.0.len());
        texts.offsets.push(0);
        for row in rows(parts) {
            let result = utflane::transcode_append::<Utf8, Utf16>(row, &mut texts.values);
            assert!(result.is_ok());
            texts.offsets.push(texts.values.len() as i32);
        }
        black_box(texts);
    })
}

/// Measures the conversion of a column of views to UTF-16.
fn measure_views_to_utf16(rows: &[String]) -> f64 {
    let array: BinaryViewArray = rows.iter().map(|row| Some(row.as_bytes())).collect();
    let (views, buffers, _) = array.clone().into_parts();
    let slices: Vec<_> = buffers.iter().map(Buffer::as_slice).collect();
    ratio(
        || {
            let column = Column::of_views(Utf8, &views, &slices).expect("rows inside");
            assert!(black_box(column.transcode::<i32, _>(Utf16)).is_ok());
        },
        || convert_to_utf16_by_loop(array.iter().flatten()),
    )
}

/// Measures the conversion to UTF-16 that makes ill-formed rows null: one row in 1,000.
fn measure_or_null(texts: &[String]) -> f64 {
    let parts = with_ill_formed_rows(texts);
    ratio(
        || assert!(black_box(column(&parts).transcode_or_null::<i32, _>(Utf16)).is_ok()),
        || convert_to_utf16_by_loop(rows(&parts)),
    )
}

/// Measures the repair of UTF-8 in which one row in 1,000 is ill-formed.
fn measure_repair(texts: &[String]) -> f64 {
    let parts = with_ill_formed_rows(texts);
    ratio(
        || {
            let texts = column(&parts).transcode_lossy::<i32, _>(Utf8, Repair::REPLACE, None);
            assert!(black_box(texts).is_ok());
        },
        || {
            let mut texts = Texts::<u8, i32>::default();
            texts.offsets.push(0);
            for row in rows(&parts) {
                texts.values.extend_from_slice(String::from_utf8_lossy(row).as_bytes());
                texts.offsets.push(texts.values.len() as i32);
            }
            black_box(texts);
        },
    )
}

/// Measures the conversion to UTF-16 with repairs, where one row in 1,000 is ill-formed.
fn measure_repair_to_utf16(texts: &[String]) -> f64 {
    let parts = with_ill_formed_rows(texts);
    ratio(
        || {
            let texts = column(&parts).transcode_lossy::<i32, _>(Utf16, Repair::REPLACE, None);
            assert!(black_box(texts).is_ok());
        },
        || {
            let mut texts = Texts::<u16, i32>::default();
            texts.offsets.push(0);
            for row in rows(&parts) {
                texts.values.extend(String::from_utf8_lossy(row).encode_utf16());
                texts.offsets.push(texts.values.len() as i32);
            }
            black_box(texts);
        },
    )
}

/// Computes `number` for each row by a loop that calls std. The type says that the rows are
/// well-formed.
fn compute_by_loop(texts: &[String], number: impl Fn(&str) -> usize) {
    black_box(texts.iter().map(|row| number(row)).collect::<Vec<_>>());
}

/// Measures the count of the code points of each row.
fn measure_counts(texts: &[String]) -> f64 {
    let (parts, mut out) = (values_and_offsets(texts), Vec::new());
    ratio(
        || {
            column(&parts).counts(&mut out);
            black_box(&out);
        },
        || compute_by_loop(texts, |row| row.chars().count()),
    )
}

/// Measures the length of each row in UTF-16 code units.
fn measure_utf16_lens(texts: &[String]) -> f64 {
    let (parts, mut out) = (values_and_offsets(texts), Vec::new());
    ratio(
        || {
            column(&parts).lens(Utf16, &mut out);
            black_box(&out);
        },
        || compute_by_loop(texts, |row| row.chars().map(char::len_utf16).sum()),
    )
}

/// Measures the test whether each row can be encoded in Latin-1. The result has a bit for each row,
/// and the peer's result a byte for each row.
fn measure_fits_latin1(texts: &[String]) -> f64 {
    let (parts, mut out) = (values_and_offsets(texts), Vec::new());
    ratio(
        || {
            black_box(column(&parts).fits_latin1(&mut out));
        },
        || {
            let fits_latin1 =
                |row| std::str::from_utf8(row).is_ok_and(|row| row.chars().all(|c| c < '\u{100}'));
            black_box(rows(&parts).map(fits_latin1).collect::<Vec<_>>());
        },
    )
}

/// Measures the conversion from Latin-1 to UTF-8. The input is UTF-8, but any bytes are valid
/// Latin-1.
fn measure_from_latin1(texts: &[String]) -> f64 {
    let parts = values_and_offsets(texts);
    ratio(
        || {
            let column = Column::new(Latin1, &parts.0, &parts.1).expect("rows inside");
            assert!(black_box(column.transcode::<i32, _>(Utf8)).is_ok());
        },
        || {
            let mut values = String::new();
            let mut offsets = vec![0];
            for row in rows(&parts) {
                values.extend(row.iter().map(|&byte| char::from(byte)));
                offsets.push(values.len() as i32);
            }
            black_box((values, offsets));
        },
    )
}

/// Measures the conversion of an array from windows-1251 to UTF-8. The input is UTF-8, but any
/// bytes are valid windows-1251. The peer is a loop that calls the library for each row if
/// `peer_is_library`, otherwise a loop that looks up characters in a table.
fn measure_from_page(texts: &[String], peer_is_library: bool) -> f64 {
    let array: BinaryArray = texts.iter().map(|row| Some(row.as_bytes())).collect();
    let characters: Vec<_> = (0..=255).map(|byte| WINDOWS_1251.character(byte)).collect();
    ratio(
        || assert!(black_box(decode(&array, WINDOWS_1251, OnFailure::Error)).is_ok()),
        || {
            let (mut values, mut offsets) = (String::new(), vec![0]);
            for row in array.iter().flatten() {
                if peer_is_library {
                    assert!(WINDOWS_1251.decode_append::<Utf8>(row, &mut values).is_ok());
                } else {
                    values.extend(row.iter().filter_map(|&byte| characters[usize::from(byte)]));
                }
                offsets.push(values.len() as i32);
            }
            black_box((values, offsets));
        },
    )
}

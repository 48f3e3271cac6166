//! Conversions and lengths, against loops over std, and `rows`: the same conversion to UTF-16, a
//! call for each row.

use std::hint::black_box;

use arrow_array::BinaryViewArray;
use arrow_buffer::Buffer;
use utflane::columns::{Column, Texts};
use utflane::{Latin1, Repair, Utf8, Utf16};

use crate::texts::{damaged, values_and_offsets};
use crate::{Measured, ratio};

/// The columns of the table.
pub(crate) const COLUMNS: [Measured; 10] = [
    ("utf16", |rows| utf16(&values_and_offsets(rows), false)),
    ("u16 rows", |rows| utf16(&values_and_offsets(rows), true)),
    ("u16 views", utf16_of_views),
    ("or null", or_null),
    ("lossy", lossy),
    ("lossy16", lossy_utf16),
    ("counts", counts),
    ("lens16", utf16_lens),
    ("latin1?", fits_latin1),
    ("latin1>u8", from_latin1),
];

/// Values and offsets.
type Parts = (Vec<u8>, Vec<i32>);

/// The column of values and offsets.
fn column((values, offsets): &Parts) -> Column<'_, Utf8> {
    Column::new(values, offsets).expect("rows inside the values")
}

/// The rows.
fn rows((values, offsets): &Parts) -> impl Iterator<Item = &[u8]> {
    offsets.windows(2).map(|ends| &values[ends[0] as usize..ends[1] as usize])
}

/// Values and offsets in UTF-16, by a loop over std. A row that fails is empty.
fn utf16_by_loop<'a>(rows: impl Iterator<Item = &'a [u8]>) {
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

/// To UTF-16, against a loop over std, or over calls of the library.
fn utf16(parts: &Parts, calls: bool) -> f64 {
    let ours = || assert!(black_box(column(parts).transcode::<Utf16, i32>()).is_ok());
    if !calls {
        return ratio(ours, || utf16_by_loop(rows(parts)));
    }
    ratio(ours, || {
        let mut texts = Texts::<u16, i32>::default();
        texts.values.reserve(parts.0.len());
        texts.offsets.push(0);
        for row in rows(parts) {
            let row = utflane::transcode_append::<Utf8, Utf16>(row, &mut texts.values);
            assert!(row.is_ok());
            texts.offsets.push(texts.values.len() as i32);
        }
        black_box(texts);
    })
}

/// Views to UTF-16.
fn utf16_of_views(rows: &[String]) -> f64 {
    let array: BinaryViewArray = rows.iter().map(|row| Some(row.as_bytes())).collect();
    let (views, buffers, _) = array.clone().into_parts();
    let slices: Vec<_> = buffers.iter().map(Buffer::as_slice).collect();
    ratio(
        || {
            let column = Column::<Utf8>::of_views(&views, &slices).expect("rows inside");
            assert!(black_box(column.transcode::<Utf16, i32>()).is_ok());
        },
        || utf16_by_loop(array.iter().flatten()),
    )
}

/// To UTF-16, one row in 1,000 damaged.
fn or_null(texts: &[String]) -> f64 {
    let parts = damaged(texts);
    ratio(
        || assert!(black_box(column(&parts).transcode_or_null::<Utf16, i32>()).is_ok()),
        || utf16_by_loop(rows(&parts)),
    )
}

/// Repairs, one row in 1,000 damaged.
fn lossy(texts: &[String]) -> f64 {
    let parts = damaged(texts);
    ratio(
        || {
            let texts = column(&parts).transcode_lossy::<Utf8, i32>(Repair::REPLACE, None);
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

/// To UTF-16 with repairs, one row in 1,000 damaged.
fn lossy_utf16(texts: &[String]) -> f64 {
    let parts = damaged(texts);
    ratio(
        || {
            let texts = column(&parts).transcode_lossy::<Utf16, i32>(Repair::REPLACE, None);
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

/// A number of each row, by a loop over std. The texts are known to be well-formed.
fn numbers_by_loop(texts: &[String], number: impl Fn(&str) -> usize) {
    black_box(texts.iter().map(|row| number(row)).collect::<Vec<_>>());
}

/// Code points of each row.
fn counts(texts: &[String]) -> f64 {
    let (parts, mut out) = (values_and_offsets(texts), Vec::new());
    ratio(
        || {
            column(&parts).counts(&mut out);
            black_box(&out);
        },
        || numbers_by_loop(texts, |row| row.chars().count()),
    )
}

/// UTF-16 code units of each row.
fn utf16_lens(texts: &[String]) -> f64 {
    let (parts, mut out) = (values_and_offsets(texts), Vec::new());
    ratio(
        || {
            column(&parts).utf16_lens(&mut out);
            black_box(&out);
        },
        || numbers_by_loop(texts, |row| row.chars().map(char::len_utf16).sum()),
    )
}

/// A bit for each row that fits Latin-1. The peer makes bytes.
fn fits_latin1(texts: &[String]) -> f64 {
    let (parts, mut out) = (values_and_offsets(texts), Vec::new());
    ratio(
        || {
            black_box(column(&parts).fits_latin1(&mut out));
        },
        || {
            let fits =
                |row| std::str::from_utf8(row).is_ok_and(|row| row.chars().all(|c| c < '\u{100}'));
            black_box(rows(&parts).map(fits).collect::<Vec<_>>());
        },
    )
}

/// From Latin-1 to UTF-8. The bytes of any text are Latin-1.
fn from_latin1(texts: &[String]) -> f64 {
    let parts = values_and_offsets(texts);
    ratio(
        || {
            let column = Column::<Latin1>::new(&parts.0, &parts.1).expect("rows inside");
            assert!(black_box(column.transcode::<Utf8, i32>()).is_ok());
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

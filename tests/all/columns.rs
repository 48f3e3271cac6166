//! Columns: each row gives the same result in a column as by itself, in every layout and on every
//! kernel.

use proptest::prelude::*;
use utflane::columns::{Column, RowErrorKind};
use utflane::{Ascii, Kernel, Latin1, Repair, Scheme, Utf8, Utf16, Utf32, Wtf16};

#[cfg(unix)]
use crate::common::columns::check_validity;
use crate::common::columns::{Expected, bytes_of, check_columns, check_typed, view};
#[cfg(unix)]
use crate::common::guard::Guarded;
use crate::common::sampled_if_slow;

/// The byte sequences of which random columns consist: characters of every length, ill-formed
/// sequences, and halves of surrogate pairs.
const FRAGMENTS: [&[u8]; 24] = [
    b"a",
    b"plain text, longer",
    b"\0",
    "é".as_bytes(),
    "漢".as_bytes(),
    "😀".as_bytes(),
    "ÿĀ".as_bytes(),
    b"\xFF",
    b"\x80",
    b"\xC3",
    b"\xE2\x82",
    b"\xF0\x9F",
    b"\xC0\x80",
    b"\xED\xA0\xBD",
    b"\xED\xB8\x80",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"a\0",
    b"\0a",
    b"\x3D\xD8\0\xDE",
    b"\xD8\x3D\xDE\0",
    b"\x3D\xD8",
    b"\xDE\0",
    b"a\0\0\0",
    b"\0\0\0a",
];

/// Every pair of row bounds in texts with characters of each length, so bounds split characters at
/// every byte.
#[test]
fn bounds_that_split_characters_everywhere() {
    let texts: [(&[Scheme], Vec<u8>); 4] = [
        (&[Scheme::Utf8, Scheme::Wtf8, Scheme::Latin1, Scheme::Ascii], "aé漢😀b".into()),
        (
            &[Scheme::Cesu8, Scheme::Mutf8, Scheme::Wtf8],
            // The last character has the least low surrogate, U+DC00.
            b"a\xC3\xA9\xE6\xBC\xA2\xED\xA0\xBD\xED\xB8\x80b\xED\xA0\xBD\xED\xB0\x80".to_vec(),
        ),
        (
            &[Scheme::Utf16Le, Scheme::Wtf16Le],
            bytes_of(&"aé😀b".encode_utf16().collect::<Vec<_>>(), |unit| {
                unit.to_le_bytes().into()
            }),
        ),
        (
            &[Scheme::Utf16Be, Scheme::Wtf16Be, Scheme::Utf32Be],
            bytes_of(&"aé😀b".encode_utf16().collect::<Vec<_>>(), |unit| {
                unit.to_be_bytes().into()
            }),
        ),
    ];
    for (schemes, text) in &texts {
        for &scheme in *schemes {
            for start in sampled_if_slow("bounds between rows", 0..=text.len()) {
                for end in start..=text.len() {
                    check_columns(scheme, text, &[0, start, end, text.len()], |_| false);
                }
            }
        }
    }
}

/// A bound that splits a character in the middle of many rows, over several blocks. Some columns
/// have another ill-formed row too.
#[test]
fn a_bound_that_splits_a_character_in_a_long_column() {
    let text = "añ漢😀, plain".repeat(2500);
    let unsplit_bounds: Vec<_> = (0..=text.len()).step_by(text.len() / 2500).collect();
    let row_ranges =
        |bounds: &[usize]| -> Vec<_> { bounds.windows(2).map(|ends| ends[0]..ends[1]).collect() };
    for kernel in Kernel::available() {
        for moved_bound in
            sampled_if_slow("cuts in long columns", [1, 777, 778, 1400, 2499].into_iter())
        {
            for ill_formed_row in [None, Some(0), Some(776), Some(779), Some(2498)] {
                let (mut bounds, mut values) = (unsplit_bounds.clone(), text.clone().into_bytes());
                bounds[moved_bound] += 2;
                if let Some(row) = ill_formed_row {
                    values[unsplit_bounds[row] + 12] = 0xFF;
                }
                let texts: Vec<_> =
                    row_ranges(&bounds).into_iter().map(|row| Some(&values[row])).collect();
                let ill_formed_rows: Vec<_> = texts
                    .iter()
                    .enumerate()
                    .filter(|(_, row)| std::str::from_utf8(row.unwrap_or_default()).is_err())
                    .map(|(row, _)| row)
                    .collect();
                assert!(ill_formed_rows.len() >= 2, "the moved bound makes two rows ill-formed");
                let offsets: Vec<_> = bounds.iter().map(|&bound| bound as i64).collect();
                let buffers = [&values[..]];
                let views: Vec<_> =
                    row_ranges(&bounds).into_iter().map(|row| view(&values, row, 0)).collect();
                for column in [
                    Column::new(Utf8, &values, &offsets).expect("the rows lie inside the values"),
                    Column::of_views(Utf8, &views, &buffers)
                        .expect("the rows lie inside the values"),
                ] {
                    let column = column.with_kernel(kernel);
                    let found: Vec<_> = column.errors().map(|error| error.row).collect();
                    assert_eq!(found, ill_formed_rows, "{kernel}");
                    assert_eq!(
                        column.validate().map_err(|error| error.row),
                        Err(ill_formed_rows[0])
                    );
                    let mut bitmap = Vec::new();
                    assert_eq!(column.validity(&mut bitmap), ill_formed_rows.len());
                    for row in 0..texts.len() {
                        assert_eq!(
                            bitmap[row / 8] >> (row % 8) & 1 == 0,
                            ill_formed_rows.contains(&row)
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_function_on_columns_of_several_blocks() {
    let ascii = "row of text, ".repeat(3000);
    let mixed = "añ漢😀, plain, ".repeat(1500);
    for text in [ascii, mixed] {
        let mut values = text.into_bytes();
        for damaged in [false, true] {
            if damaged {
                for offset in (5000..values.len()).step_by(7001) {
                    values[offset] = 0xF5;
                }
            }
            let bounds: Vec<_> = (3..values.len()).step_by(37).collect();
            check_columns(Scheme::Utf8, &values, &bounds, |row| row % 100 == 99);
            check_columns(Scheme::Latin1, &values, &bounds, |_| false);
        }
    }
}

/// Columns of short rows, several blocks long, in every encoding. They are well-formed, or some
/// bytes are ill-formed and some bounds split characters.
#[test]
fn short_rows_of_several_blocks() {
    // Blocks with characters that are longer in some encodings, and blocks without.
    let (mixed, bmp) =
        ("añ漢😀, plain été 中文。слово 🎉".repeat(60), "中文。слово été ".repeat(40));
    let (plain, latin) = ("plain ".repeat(150), "plain été ".repeat(40));
    let text = format!("{mixed}{plain}\0{plain}{bmp}{latin}");
    let text = format!("{text}{text}");
    for &scheme in Scheme::ALL {
        let (mut values, mut starts) = (Vec::new(), Vec::new());
        for c in text.chars() {
            starts.push(values.len());
            // Latin-1 and ASCII get replacements for the characters that they lack.
            let c = c.to_string();
            Scheme::Utf8.transcode_lossy_append(c.as_bytes(), scheme, Repair::REPLACE, &mut values);
        }
        for (damage_period, step) in
            sampled_if_slow("damages", [(0, 1), (1009, 4), (97, 2)].into_iter())
        {
            let (mut values, mut bounds) = (values.clone(), Vec::new());
            let mut random = 7_u64;
            for offset in starts.iter().step_by(step) {
                random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767);
                if (random >> 33).is_multiple_of(3) {
                    bounds.push(*offset);
                }
                // This bound splits a character or a code unit.
                if damage_period > 0 && (random >> 40).is_multiple_of(damage_period) {
                    bounds.push(offset + 1);
                }
                if damage_period > 0 && (random >> 20).is_multiple_of(damage_period) {
                    values[*offset] = 0xFF;
                }
            }
            bounds.sort_unstable();
            check_columns(scheme, &values, &bounds, |row| row % 50 == 7);
        }
    }
}

/// Returns the configuration for `case_count` cases. It writes no files next to the sources.
fn proptest_config(case_count: u32) -> ProptestConfig {
    let case_count = sampled_if_slow("cases", 0..case_count).count() as u32;
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(case_count) }
}

proptest! {
    #![proptest_config(proptest_config(150))]

    #[test]
    fn random_columns(
        fragments in prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 0..60),
        cuts in prop::collection::vec(0.0..1.0_f64, 1..24),
        nulls: u32,
        scheme in prop::sample::select(Scheme::ALL),
    ) {
        let values = fragments.concat();
        let offset = |cut: f64| ((values.len() + 1) as f64 * cut) as usize;
        let mut bounds: Vec<_> = cuts.iter().map(|&cut| offset(cut)).collect();
        bounds.sort_unstable();
        check_columns(scheme, &values, &bounds, |row| nulls >> (row % 32) & 1 == 1);
    }

    #[test]
    fn random_typed_columns(
        units in prop::collection::vec(
            prop_oneof![0..0x80_u32, 0..0x11_0000_u32, 0xD800..0xE000_u32], 0..80),
        cuts in prop::collection::vec(0.0..1.0_f64, 1..12),
    ) {
        let offset = |cut: f64| ((units.len() + 1) as f64 * cut) as usize;
        let mut bounds: Vec<_> = cuts.iter().map(|&cut| offset(cut)).collect();
        bounds.sort_unstable();
        let narrow: Vec<_> = units.iter().map(|&unit| unit as u16).collect();
        let bytes = bytes_of(&narrow, |unit| unit.to_ne_bytes().into());
        check_typed::<Utf16>(&narrow, &bytes, &bounds);
        check_typed::<Wtf16>(&narrow, &bytes, &bounds);
        let bytes = bytes_of(&units, |unit| unit.to_ne_bytes().into());
        check_typed::<Utf32>(&units, &bytes, &bounds);
    }
}

/// Values and buffers that end directly before a page without access.
#[test]
#[cfg(unix)]
fn nothing_is_read_after_the_values() {
    let text = "añ漢😀 and plain text".repeat(200);
    let mut memory = Guarded::new(text.len());
    for cut_len in sampled_if_slow("ends of values", 0..70) {
        let mut len = text.len() - cut_len;
        // The last character may be incomplete the first time, and is complete the second time.
        for _ in 0..2 {
            let values = memory.last(len);
            values.copy_from_slice(&text.as_bytes()[..len]);
            let values = &*values;
            let bounds: Vec<_> = (0..len).step_by(21).chain([len]).collect();
            check_validity(Scheme::Utf8, values, &bounds, None);
            let buffers = [values];
            let views: Vec<_> =
                bounds.windows(2).map(|ends| view(values, ends[0]..ends[1], 0)).collect();
            for kernel in Kernel::available() {
                let column = Column::of_views(Utf8, &views, &buffers)
                    .expect("the rows lie inside the values");
                let column = column.with_kernel(kernel);
                let ill_formed = bounds.windows(2).map(|ends| &values[ends[0]..ends[1]]);
                let ill_formed = ill_formed.filter(|row| std::str::from_utf8(row).is_err()).count();
                assert_eq!(column.errors().count(), ill_formed, "{kernel}");
                let texts = column.transcode_lossy::<i32, _>(Utf16, Repair::REPLACE, None);
                assert!(texts.is_ok_and(|texts| texts.repairs >= ill_formed));
            }
            len = (0..=len).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        }
    }
}

#[test]
fn rows_of_a_width() {
    let text = "aé漢😀€".repeat(3);
    for width in 0..=text.len() {
        let max_rows = text.len().checked_div(width).unwrap_or(5);
        for rows in sampled_if_slow("numbers of rows", 0..=max_rows) {
            let values: Vec<_> =
                (0..rows).map(|row| Some(&text.as_bytes()[row * width..][..width])).collect();
            let expected = Expected::new(Scheme::Utf8, &values);
            for kernel in Kernel::available() {
                let column = Column::fixed(Scheme::Utf8, text.as_bytes(), width, rows);
                expected.check(
                    "fixed",
                    column.expect("the rows lie inside the values").with_kernel(kernel),
                );
            }
        }
    }
    let error = Column::fixed(Utf8, text.as_bytes(), 4, text.len()).unwrap_err();
    assert_eq!((error.row, error.kind), (text.len() / 4, RowErrorKind::OutsideValues));
    assert_eq!(Column::fixed(Utf16, &[], usize::MAX, 1).unwrap_err().row, 0);
}

#[test]
fn rows_without_width_are_bounded() {
    // Rows of width 0 take no memory, so nothing else limits their number, but the results for all
    // of them would fill the memory.
    const MAX_ROWS: usize = 1 << 24;
    for values in [&b""[..], b"values"] {
        let mut bitmap = Vec::new();
        let column = Column::fixed(Utf8, values, 0, MAX_ROWS).expect("the maximum number of rows");
        assert_eq!((column.rows(), column.errors().count()), (MAX_ROWS, 0));
        assert_eq!((column.validity(&mut bitmap), bitmap.len()), (0, MAX_ROWS / 8));
        for rows in [MAX_ROWS + 1, 1 << 31, usize::MAX / 8, usize::MAX] {
            let error = Column::fixed(Utf8, values, 0, rows).expect_err("too many rows");
            assert_eq!((error.row, error.kind), (MAX_ROWS, RowErrorKind::TooManyRows));
            assert_eq!(Column::fixed(Scheme::Latin1, values, 0, rows).err(), Some(error));
            let outside = Column::fixed(Scheme::Utf8, values, usize::MAX, rows)
                .expect_err("rows beyond the values");
            assert_eq!((outside.row, outside.kind), (0, RowErrorKind::OutsideValues));
        }
    }
    let error = Column::fixed(Utf16, &[], 0, usize::MAX).expect_err("too many rows");
    assert_eq!(error.to_string(), "row 16777216: a column has at most 2^24 rows of width 0");
}

#[test]
fn no_validity_bitmap_without_a_null() {
    for (rows, bitmap, offset) in
        [(3, &[0b111][..], 0), (3, &[0b1110], 1), (8, &[0xFF], 0), (9, &[0xFF, 1], 0), (0, &[], 0)]
    {
        let column =
            Column::fixed(Utf8, b"0123456789", 1, rows).expect("the rows lie inside the values");
        let column = column.with_nulls(bitmap, offset).expect("a bit for each row");
        let strict = column.transcode::<i32, _>(Utf16).expect("well-formed");
        let or_null = column.transcode_or_null::<i64, _>(Utf16).expect("small results");
        let lossy =
            column.transcode_lossy::<i32, _>(Utf8, Repair::REPLACE, None).expect("small results");
        assert_eq!((strict.validity, or_null.validity, lossy.validity), (None, None, None));
    }
    let column =
        Column::fixed(Utf8, b"01234567\xFF9", 1, 10).expect("the rows lie inside the values");
    for (bitmap, expected) in [
        ([0xFF, 0xFF], [0xFF, 0b10]), // only the ill-formed row is null
        ([0x7F, 0x01], [0x7F, 0b00]),
        ([0xFF, 0x01], [0xFF, 0b00]),
    ] {
        let column = column.with_nulls(&bitmap, 0).expect("a bit for each row");
        let texts = column.transcode_or_null::<i32, _>(Utf8).expect("small results");
        assert_eq!(texts.validity, Some(expected.to_vec()));
    }
}

#[test]
fn errors_of_offsets_name_the_row() {
    use RowErrorKind::{OffsetFalls, OutsideValues};
    let check_offsets = |offsets: &[i32]| {
        let offsets64: Vec<_> = offsets.iter().map(|&offset| i64::from(offset)).collect();
        let result = Column::new(Latin1, b"0123456789", offsets).map(|column| column.rows());
        assert_eq!(
            Column::new(Latin1, b"0123456789", &offsets64).map(|column| column.rows()),
            result
        );
        result.map_err(|error| (error.row, error.kind))
    };
    assert_eq!(check_offsets(&[]), Ok(0));
    assert_eq!(check_offsets(&[-5]), Ok(0), "no row refers to it");
    assert_eq!(check_offsets(&[3, 3, 10]), Ok(2));
    assert_eq!(check_offsets(&[-1, 3]), Err((0, OutsideValues)));
    assert_eq!(check_offsets(&[11, 11]), Err((0, OutsideValues)));
    assert_eq!(check_offsets(&[0, 11]), Err((0, OutsideValues)));
    assert_eq!(check_offsets(&[0, 5, 10, 11, 12]), Err((2, OutsideValues)));
    assert_eq!(check_offsets(&[0, 5, 4]), Err((1, OffsetFalls)));
    assert_eq!(check_offsets(&[0, 5, -4]), Err((1, OffsetFalls)));
    assert_eq!(check_offsets(&[0, i32::MAX, i32::MIN]), Err((0, OutsideValues)));
    // If several rows are invalid, the error names the first one.
    assert_eq!(check_offsets(&[0, 11, 1]), Err((0, OutsideValues)));
    assert_eq!(check_offsets(&[0, 5, 11, 12, 3]), Err((1, OutsideValues)));
    assert_eq!(check_offsets(&[11, 12, 3]), Err((0, OutsideValues)));
    assert_eq!(check_offsets(&[11, 3]), Err((0, OffsetFalls)));
    assert_eq!(check_offsets(&[0, 5, 4, 11]), Err((1, OffsetFalls)));
    assert_eq!(check_offsets(&[i32::MIN, i32::MAX]), Err((0, OutsideValues)));
    let error64 = |offsets: &[i64]| Column::new(Ascii, b"", offsets).unwrap_err();
    assert_eq!((error64(&[0, i64::MAX]).row, error64(&[0, i64::MAX]).kind), (0, OutsideValues));
    assert_eq!(error64(&[0, i64::MAX, i64::MIN, 0]).row, 0);
    assert_eq!((error64(&[0, 0, -1]).row, error64(&[0, 0, -1]).kind), (1, OffsetFalls));
    assert_eq!(error64(&[0, 1 << 32]).row, 0, "the offset is not truncated to 32 bits");
    // In a long column, on both sides of the boundaries of the parts that are tested together.
    for invalid_row in [1, 1023, 1024, 1025, 2047, 2048, 2049, 2999] {
        let mut offsets: Vec<_> = (0..3001).map(|row| row * 2).collect();
        let values = vec![b'a'; 6001];
        assert!(Column::new(Utf8, &values, &offsets).is_ok());
        offsets[invalid_row] = offsets[invalid_row + 1] + 1;
        let error = Column::new(Utf8, &values, &offsets).unwrap_err();
        assert_eq!((error.row, error.kind), (invalid_row, OffsetFalls));
    }
}

#[test]
fn errors_of_views_name_the_row() {
    let buffers = [&b"0123456789abcdef"[..], b""];
    let check_views = |views: &[u128]| {
        Column::of_views(Utf8, views, &buffers).map(|_| ()).map_err(|error| {
            assert_eq!(error.kind, RowErrorKind::OutsideValues);
            error.row
        })
    };
    let long_view = |len: u128, buffer: u128, offset: u128| offset << 96 | buffer << 64 | len;
    assert_eq!(check_views(&[]), Ok(()));
    assert_eq!(check_views(&[long_view(16, 0, 0), long_view(13, 0, 3)]), Ok(()));
    assert_eq!(check_views(&[long_view(16, 0, 0), long_view(13, 0, 4)]), Err(1));
    assert_eq!(check_views(&[long_view(13, 1, 0)]), Err(0));
    assert_eq!(check_views(&[12, long_view(13, 2, 0)]), Err(1));
    assert_eq!(check_views(&[0, 0, u128::MAX]), Err(2));
    assert_eq!(check_views(&[long_view(13, 0, 0xFFFF_FFFF)]), Err(0));
    assert_eq!(check_views(&[long_view(12, 7, 9)]), Ok(()), "a short text needs no buffer");
}

#[test]
fn errors_of_short_bitmaps_name_the_row() {
    let column = Column::fixed(Utf8, b"0123456789", 1, 10).expect("the rows lie inside the values");
    let check_bitmap = |bytes: &[u8], offset| {
        column.with_nulls(bytes, offset).map(|_| ()).map_err(|error| {
            assert_eq!(error.kind, RowErrorKind::NoNullBit);
            error.row
        })
    };
    assert_eq!(check_bitmap(&[0xFF; 2], 6), Ok(()));
    assert_eq!(check_bitmap(&[0xFF; 2], 7), Err(9));
    assert_eq!(check_bitmap(&[0xFF; 1], 0), Err(8));
    assert_eq!(check_bitmap(&[], 0), Err(0));
    assert_eq!(check_bitmap(&[0xFF; 2], usize::MAX), Err(0));
    let empty = Column::fixed(Utf8, b"", 1, 0).expect("no rows");
    let mut bitmap = vec![1];
    assert_eq!(empty.with_nulls(&[], 100).map(|column| column.validity(&mut bitmap)), Ok(0));
    assert!(bitmap.is_empty());
}

#[test]
fn error_messages() {
    let column =
        Column::new(Utf8, b"ab\xFF", &[0_i32, 1, 3]).expect("the rows lie inside the values");
    let error = column.validate().unwrap_err();
    assert_eq!(error.to_string(), "row 1: invalid utf-8 sequence of 1 bytes from index 1");
    let error = Column::new(Utf8, b"ab", &[0_i32, 3]).unwrap_err();
    assert_eq!(error.to_string(), "row 0: it lies outside the values");
    assert!(error.text().is_none());
    let error = Column::new(Utf8, b"ab", &[0_i32, 2, 1]).unwrap_err();
    assert_eq!(error.to_string(), "row 1: its offsets fall");
    let text = format!("{column:?} {:?}", Column::fixed(Scheme::Ascii, b"ab", 1, 2));
    assert_eq!(text, "Column { encoding: Utf8, rows: 2 } Ok(Column { encoding: Ascii, rows: 2 })");
}

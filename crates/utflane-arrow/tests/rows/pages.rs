//! Compares code pages with literals from Python, and row by row with `CodePage`.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray,
    Int8Array, LargeStringArray, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use proptest::prelude::*;
use utflane::code_page::{
    CP037, CP437, CP864, CodePage, ISO_8859_7, KOI8_R, WINDOWS_1251, WINDOWS_1252, WINDOWS_1255,
};
use utflane::{ErrorKind, IllFormed, Repair, Unmappable, Utf8};
use utflane_arrow::{Error, OnFailure, decode, encode};

use crate::{Row, arrays, bytes_type, cases, read_rows, text_type};

/// Pages with and without ASCII and unassigned bytes.
const PAGES: [&CodePage; 6] = [&WINDOWS_1251, &CP037, &ISO_8859_7, &WINDOWS_1255, &CP864, &CP437];

#[test]
fn literals_of_python() {
    // `text.encode(page)` in Python 3.11.
    let cases: [(&CodePage, &str, &[u8]); 6] = [
        (&WINDOWS_1251, "Привет", b"\xCF\xF0\xE8\xE2\xE5\xF2"),
        (&KOI8_R, "Привет", b"\xF0\xD2\xC9\xD7\xC5\xD4"),
        (&CP437, "╔═╗ é", b"\xC9\xCD\xBB \x82"),
        (&CP037, "Hello, Ærø!", b"\xC8\x85\x93\x93\x96k@\x9E\x99pZ"),
        (&ISO_8859_7, "Αθήνα €", b"\xC1\xE8\xDE\xED\xE1 \xA4"),
        (&WINDOWS_1252, "“naïve”…", b"\x93na\xEFve\x94\x85"),
    ];
    for (page, text, bytes) in cases {
        let rows: Vec<Row> = vec![Some(bytes.to_vec()), None, Some(Vec::new()), Some(bytes.into())];
        let expected: Vec<Row> = rows
            .iter()
            .map(|row| {
                row.as_ref().map(|row| [&text.into(), &vec![]][usize::from(row.is_empty())].clone())
            })
            .collect();
        for array in arrays(&rows) {
            let texts = decode(&array, page, OnFailure::Error).unwrap();
            assert_eq!(
                (read_rows(&texts), texts.data_type()),
                (expected.clone(), &text_type(array.data_type()))
            );
            let encoded = encode(&texts, page, OnFailure::Error).unwrap();
            assert_eq!(
                (read_rows(&encoded), encoded.data_type()),
                (rows.clone(), &bytes_type(texts.data_type()))
            );
        }
    }
}

#[test]
fn an_error_names_the_row_and_the_offset() {
    let rows = [&b"\xE1\xE2"[..], b"", b"a\xFF", b"\xFF"].map(|row| Some(row.to_vec()));
    for array in arrays(&rows) {
        let error = decode(&array, ISO_8859_7, OnFailure::Error).unwrap_err();
        let message = "row 2: byte to which the code page assigns no character at index 1";
        assert_eq!(error.to_string(), message);
        let Error::Row(error) = error else { panic!() };
        assert_eq!((error.row, error.text().unwrap().kind()), (2, ErrorKind::Unassigned));
    }
    let texts = [Some("da"), None, Some("да"), Some("да 漢")];
    let arrays: [ArrayRef; 4] = [
        Arc::new(StringArray::from_iter(texts)),
        Arc::new(LargeStringArray::from_iter(texts)),
        Arc::new(StringViewArray::from_iter(texts)),
        Arc::new(DictionaryArray::<Int8Type>::from_iter(texts)),
    ];
    for array in arrays {
        let Err(Error::Row(error)) = encode(&array, WINDOWS_1251, OnFailure::Error) else {
            panic!()
        };
        let text = error.text().unwrap();
        assert_eq!((error.row, text.valid_up_to(), text.kind()), (3, 5, ErrorKind::Unmappable));
    }
}

#[test]
fn rows_that_fail_become_null_or_are_repaired() {
    let array = StringArray::from(vec![Some("5 €"), Some("漢字"), None, Some("к漢")]);
    let nulled = encode(&array, WINDOWS_1251, OnFailure::Null).unwrap();
    assert_eq!(read_rows(&nulled), [Some(b"5 \x88".to_vec()), None, None, None]);
    let repair = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    let repaired = encode(&array, WINDOWS_1251, OnFailure::Repair(repair)).unwrap();
    assert_eq!(repaired.as_binary::<i32>().value(3), b"\xEA&#28450;");
    assert_eq!(repaired.as_binary::<i32>().value(1), b"&#28450;&#23383;");

    let array = BinaryViewArray::from(vec![Some(&b"\xE0\xFF"[..]), None, Some(b"\xE1")]);
    let nulled = decode(&array, WINDOWS_1255, OnFailure::Null).unwrap();
    assert_eq!(read_rows(&nulled), [None, None, Some("ב".into())]);
    let repair = OnFailure::Repair(Repair::REPLACE.on_ill_formed(IllFormed::Replace('*')));
    let repaired = decode(&array, WINDOWS_1255, repair).unwrap();
    assert_eq!(repaired.as_string_view().value(0), "א*");
}

/// A value that no row refers to may fail, and a type without text is an error.
#[test]
fn dictionaries_and_other_types() {
    let values: ArrayRef = Arc::new(BinaryArray::from(vec![&b"\xFF"[..], b"\xE1"]));
    let array = DictionaryArray::new(Int8Array::from(vec![Some(1), None, Some(1)]), values);
    let texts = decode(&array, ISO_8859_7, OnFailure::Error).unwrap();
    assert_eq!(read_rows(&texts), [Some("α".into()), None, Some("α".into())]);
    let numbers = Int8Array::from(vec![1]);
    let kind = Err(Error::Type(DataType::Int8));
    assert_eq!(decode(&numbers, CP437, OnFailure::Null).map(|_| ()), kind);
    assert_eq!(encode(&numbers, CP437, OnFailure::Null).map(|_| ()), kind);
    let binary = BinaryArray::from(vec![&b"a"[..]]);
    assert!(matches!(encode(&binary, CP437, OnFailure::Null), Err(Error::Type(_))));
}

/// A null row may contain any bytes, so its bytes must not be in the result.
#[test]
fn bytes_of_null_rows_are_not_converted() {
    let array = BinaryArray::from(vec![&b"\xE1"[..], b"\xFF\xFF", b"\xE2"]);
    let (offsets, values, _) = array.into_parts();
    let array = BinaryArray::new(offsets, values, Some(vec![true, false, true].into()));
    let texts = decode(&array, ISO_8859_7, OnFailure::Error).unwrap();
    assert_eq!(texts.as_string::<i32>().value_data(), "αβ".as_bytes());
    assert_eq!(read_rows(&texts), [Some("α".into()), None, Some("β".into())]);
}

/// Compares both directions with `CodePage`, row by row.
fn check_page(page: &CodePage, array: &dyn Array, rows: &[Row]) {
    let decoded = |row: &Row| page.decode::<Utf8>(row.as_deref()?).ok().map(String::into_bytes);
    let expected: Vec<Row> = rows.iter().map(decoded).collect();
    let nulled = decode(array, page, OnFailure::Null).unwrap();
    assert_eq!(read_rows(&nulled), expected, "{page}");
    let first = (0..rows.len()).find(|&index| rows[index].is_some() && expected[index].is_none());
    match (decode(array, page, OnFailure::Error), first) {
        (Ok(texts), None) => assert_eq!(read_rows(&texts), expected),
        (Err(Error::Row(error)), Some(row)) => {
            let of_row = page.validate(rows[row].as_deref().unwrap()).unwrap_err();
            assert_eq!((error.row, error.text()), (row, Some(of_row)));
        }
        (result, first) => panic!("{page}: {result:?}, {first:?}"),
    }
    let repaired = decode(array, page, OnFailure::Repair(Repair::REPLACE)).unwrap();
    let lossy = |row: &Vec<u8>| page.decode_lossy::<Utf8>(row, Repair::REPLACE).text.into_bytes();
    let expected: Vec<Row> = rows.iter().map(|row| row.as_ref().map(lossy)).collect();
    assert_eq!(read_rows(&repaired), expected, "{page}");

    // Back, into this page and into one that lacks most of the characters.
    for page in [page, &KOI8_R] {
        let encode_row = |row: &Row| page.encode::<Utf8>(row.as_deref()?).ok();
        let encoded: Vec<Row> = expected.iter().map(encode_row).collect();
        let nulled = encode(&repaired, page, OnFailure::Null).unwrap();
        assert_eq!(read_rows(&nulled), encoded, "{page}");
        let lossy = |row: &Vec<u8>| page.encode_lossy::<Utf8>(row, Repair::REPLACE).text;
        let lossy: Vec<Row> = expected.iter().map(|row| row.as_ref().map(lossy)).collect();
        let replaced = encode(&repaired, page, OnFailure::Repair(Repair::REPLACE)).unwrap();
        assert_eq!(read_rows(&replaced), lossy, "{page}");
        let first =
            (0..rows.len()).find(|&index| rows[index].is_some() && encoded[index].is_none());
        let strict = encode(&repaired, page, OnFailure::Error);
        assert_eq!(strict.err().and_then(|error| error.row()), first, "{page}");
    }
}

/// Rows of 0 to 89 bytes in several blocks, and one row that is longer than a block.
#[test]
fn rows_in_several_blocks() {
    let mut state = 7_u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    // The number of bytes of which one is arbitrary; the others are letters in some pages.
    for arbitrary_every in [1, 10, 500, 1_000_000] {
        let mut rows: Vec<Row> = (0..400)
            .map(|_| {
                let len = random(90);
                let mut byte = || match random(arbitrary_every) {
                    0 => random(256) as u8,
                    _ => 0xE0 + random(10) as u8,
                };
                let row = (0..len).map(|_| byte()).collect();
                (len != 17).then_some(row)
            })
            .collect();
        rows[123] = Some(vec![0xE1; 10_000]);
        for page in PAGES {
            for array in arrays(&rows) {
                check_page(page, &array, &rows);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn random_rows_of_pages(
        rows in prop::collection::vec(
            prop::option::weighted(0.9, prop::collection::vec(any::<u8>(), 0..30)),
            0..40,
        ),
        page in prop::sample::select(&PAGES[..]),
    ) {
        for array in arrays(&rows) {
            check_page(page, &array, &rows);
        }
    }

    #[test]
    fn random_fixed_width_rows_of_pages(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        width in 1..7_usize,
    ) {
        let rows: Vec<Row> = bytes.chunks_exact(width)
            .enumerate().map(|(index, row)| (index % 5 != 4).then(|| row.to_vec())).collect();
        let slices = rows.iter().map(Option::as_deref);
        let width = i32::try_from(width).unwrap();
        let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(slices, width).unwrap();
        check_page(&WINDOWS_1251, &array, &rows);
        check_page(&ISO_8859_7, &array, &rows);
    }
}

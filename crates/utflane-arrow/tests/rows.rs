//! Every function on every type of array, row by row, against the standard library and arrow.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray,
    Int8Array, Int32Array, LargeBinaryArray, LargeStringArray, StringArray, StringViewArray,
};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::DataType;
use proptest::prelude::*;
use utflane::{Repair, Scheme, mojibake};
use utflane_arrow::{
    Error, OnFailure, char_lengths, decode, detect, detect_column, encode, error_fields, errors,
    fix_mojibake, is_valid, to_utf8, utf16_lengths, validate,
};

/// A row, or null.
type Row = Option<Vec<u8>>;

/// Random rows: text, damaged text, empty rows and nulls.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let pieces = [
        &b"a"[..],
        b"plain text",
        b"\xFF",
        b"\x80",
        b"\xC3",
        b"\xE2\x82",
        "é".as_bytes(),
        "漢字".as_bytes(),
        "😀".as_bytes(),
        "fÃ¶rste".as_bytes(),
    ];
    let text = prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..6);
    let row = prop::option::weighted(0.9, text.prop_map(|pieces| pieces.concat()));
    prop::collection::vec(row, 0..40)
}

/// The rows in arrays of every type that has no keys, each whole and as a slice of a longer one.
fn arrays(rows: &[Row]) -> Vec<ArrayRef> {
    let mut longer = vec![Some(b"\xFF before".to_vec()), None];
    longer.extend_from_slice(rows);
    longer.extend([None, Some(b"and after, a longer row \xC3".to_vec())]);
    let mut all: Vec<ArrayRef> = Vec::new();
    for rows in [rows, &longer] {
        let each = || rows.iter().map(Option::as_deref);
        all.push(Arc::new(each().collect::<BinaryArray>()));
        all.push(Arc::new(each().collect::<LargeBinaryArray>()));
        all.push(Arc::new(each().collect::<BinaryViewArray>()));
        // Values in reverse, one of which no row refers to.
        let values: Vec<_> = each().rev().chain([Some(&b"unused \xFF"[..])]).collect();
        let keys: Int32Array = (0..rows.len()).rev().map(|key| i32::try_from(key).ok()).collect();
        let values: ArrayRef = Arc::new(values.into_iter().collect::<BinaryArray>());
        all.push(Arc::new(DictionaryArray::new(keys, values)));
    }
    all.split_off(4).iter().map(|array| array.slice(2, rows.len())).chain(all).collect()
}

/// A row of an array of any type.
fn row(array: &dyn Array, at: usize) -> Row {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        if keyed.keys().is_null(at) {
            return None;
        }
        return row(keyed.values(), keyed.normalized_keys()[at]);
    }
    if array.is_null(at) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().value(at).to_vec(),
        DataType::LargeBinary => array.as_binary::<i64>().value(at).to_vec(),
        DataType::BinaryView => array.as_binary_view().value(at).to_vec(),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().value(at).to_vec(),
        DataType::Utf8 => array.as_string::<i32>().value(at).into(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(at).into(),
        DataType::Utf8View => array.as_string_view().value(at).into(),
        other => panic!("{other}"),
    })
}

/// All rows of an array, which arrow finds sound. The values of text are UTF-8 outside of the rows
/// too, which arrow does not require.
fn all(array: &dyn Array) -> Vec<Row> {
    array.to_data().validate_full().expect("a sound array");
    let values = match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().values().as_slice(),
        DataType::LargeUtf8 => array.as_string::<i64>().values().as_slice(),
        _ => &[],
    };
    assert!(std::str::from_utf8(values).is_ok(), "{values:02X?}");
    (0..array.len()).map(|at| row(array, at)).collect()
}

/// A row as text.
fn text(row: &Row) -> Option<&str> {
    std::str::from_utf8(row.as_deref()?).ok()
}

/// The type of the text of an array.
fn text_type(kind: &DataType) -> DataType {
    match kind {
        DataType::LargeBinary => DataType::LargeUtf8,
        DataType::BinaryView => DataType::Utf8View,
        DataType::Dictionary(key, value) => {
            DataType::Dictionary(key.clone(), Box::new(text_type(value)))
        }
        _ => DataType::Utf8,
    }
}

/// The type of the bytes of an array of text.
fn bytes_type(kind: &DataType) -> DataType {
    match kind {
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        DataType::Dictionary(key, value) => {
            DataType::Dictionary(key.clone(), Box::new(bytes_type(value)))
        }
        _ => DataType::Binary,
    }
}

/// Checks all functions on an array with these rows.
fn check_array(array: &dyn Array, rows: &[Row]) {
    let is_bad = |row: &Row| row.is_some() && text(row).is_none();
    let first = rows.iter().position(is_bad);
    let found = validate(array);
    assert_eq!(found.clone().err().and_then(|error| error.row()), first);
    if let (Err(Error::Row(error)), Some(row)) = (&found, first) {
        let std = std::str::from_utf8(rows[row].as_deref().unwrap_or_default()).unwrap_err();
        let error = error.text().expect("an error of the text");
        assert_eq!((error.valid_up_to(), error.error_len()), (std.valid_up_to(), std.error_len()));
    }
    let valid: Vec<_> = is_valid(array).expect("text").iter().collect();
    let expected: Vec<_> =
        rows.iter().map(|row| row.as_ref().map(|_| text(row).is_some())).collect();
    assert_eq!(valid, expected);
    check_to_utf8(array, rows, first);
    let counts: Vec<_> = char_lengths(array).expect("text").iter().collect();
    let expected: Vec<_> =
        rows.iter().map(|row| row.as_ref().map(|row| Scheme::Utf8.count(row) as i64)).collect();
    assert_eq!(counts, expected);
    check_errors(array, rows);
    let names = detect(array).expect("text");
    let expected: Vec<_> = rows
        .iter()
        .map(|row| row.as_ref().map(|row| utflane::detect::detect(row).name()))
        .collect();
    assert_eq!(names.iter().collect::<Vec<_>>(), expected);
    check_decode(array, rows);
}

/// Checks the error of each row against the standard library's, and lengths in UTF-16.
fn check_errors(array: &dyn Array, rows: &[Row]) {
    let bytes: Vec<Row> =
        utflane_arrow::rows(array).expect("text").map(|row| row.map(<[u8]>::to_vec)).collect();
    assert_eq!(bytes, rows);
    let found = errors(array).expect("text");
    found.to_data().validate_full().expect("a sound array");
    assert_eq!(*found.fields(), error_fields());
    let (offsets, lengths) = (found.column(0), found.column(1));
    let (offsets, lengths) =
        (offsets.as_primitive::<Int64Type>(), lengths.as_primitive::<Int64Type>());
    let units = utf16_lengths(array).expect("text");
    assert_eq!(found.len(), rows.len());
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(units.is_null(at), row.is_none());
        let Some(bytes) = row else {
            assert!(found.is_null(at));
            continue;
        };
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                assert!((0..3).all(|column| found.column(column).is_null(at)) && found.is_null(at));
                assert_eq!(units.value(at), text.encode_utf16().count() as i64);
            }
            Err(error) => {
                let (start, len) = (error.valid_up_to(), error.error_len());
                let len = len.unwrap_or(bytes.len() - start) as i64;
                assert_eq!((offsets.value(at), lengths.value(at)), (start as i64, len));
                let kind = utflane::utf8::from_utf8(bytes).unwrap_err().kind();
                assert_eq!(found.column(2).as_string::<i32>().value(at), kind.description());
            }
        }
    }
}

/// Checks `to_utf8` against the standard library and arrow's cast.
fn check_to_utf8(array: &dyn Array, rows: &[Row], first: Option<usize>) {
    let kind = text_type(array.data_type());
    let valid: Vec<Row> = rows.iter().map(|row| text(row).map(Into::into)).collect();
    match to_utf8(array, OnFailure::Error) {
        Ok(texts) => {
            assert_eq!(first, None);
            assert_eq!(*texts.data_type(), kind);
            assert_eq!(all(&texts), rows);
            check_encode(&texts, rows);
        }
        Err(error) => assert_eq!(error.row(), first),
    }
    let nulled = to_utf8(array, OnFailure::Null).expect("small");
    assert_eq!((all(&nulled), nulled.data_type()), (valid.clone(), &kind));
    let options = CastOptions { safe: true, ..CastOptions::default() };
    // Arrow casts no rows of a width, and dictionaries value by value.
    if !matches!(array.data_type(), DataType::FixedSizeBinary(_) | DataType::Dictionary(..)) {
        let cast = cast_with_options(array, &kind, &options).expect("arrow casts it");
        assert_eq!(all(&cast), valid);
    }
    let repaired = to_utf8(array, OnFailure::Repair(Repair::REPLACE)).expect("small");
    let expected: Vec<Row> = rows
        .iter()
        .map(|row| row.as_ref().map(|row| String::from_utf8_lossy(row).into_owned().into()))
        .collect();
    assert_eq!((all(&repaired), repaired.data_type()), (expected, &kind));
}

/// Checks `decode` from an encoding in which any bytes are text, and from another.
fn check_decode(array: &dyn Array, rows: &[Row]) {
    let latin1 = decode(array, Scheme::Latin1, OnFailure::Error).expect("any bytes are Latin-1");
    let expected: Vec<Row> = rows
        .iter()
        .map(|row| row.as_ref().map(|row| row.iter().map(|&byte| char::from(byte)).collect()))
        .map(|row: Option<String>| row.map(Into::into))
        .collect();
    assert_eq!((all(&latin1), latin1.data_type()), (expected, &text_type(array.data_type())));
    let utf16 = |row: &Vec<u8>| {
        let (units, rest) = row.as_chunks::<2>();
        let units = units.iter().map(|&unit| u16::from_be_bytes(unit)).collect::<Vec<_>>();
        String::from_utf16(&units).ok().filter(|_| rest.is_empty()).map(String::into_bytes)
    };
    let expected: Vec<Row> = rows.iter().map(|row| row.as_ref().and_then(utf16)).collect();
    let decoded = decode(array, Scheme::Utf16Be, OnFailure::Null).expect("small");
    assert_eq!(all(&decoded), expected);
    let first = (0..rows.len()).find(|&at| rows[at].is_some() && expected[at].is_none());
    let strict = decode(array, Scheme::Utf16Be, OnFailure::Error);
    assert_eq!(strict.err().and_then(|error| error.row()), first);
}

/// Checks the functions that take UTF-8 alone.
fn check_encode(array: &dyn Array, rows: &[Row]) {
    let latin1 = |text: &str| text.chars().map(u8::try_from).collect::<Result<Vec<_>, _>>().ok();
    let expected: Vec<Row> = rows.iter().map(|row| text(row).and_then(latin1)).collect();
    let first = (0..rows.len()).find(|&at| rows[at].is_some() && expected[at].is_none());
    let strict = encode(array, Scheme::Latin1, OnFailure::Error);
    assert_eq!(strict.as_ref().err().and_then(Error::row), first);
    assert!(strict.is_err() || all(&strict.unwrap()) == expected);
    let encoded = encode(array, Scheme::Latin1, OnFailure::Null).expect("small");
    assert_eq!((all(&encoded), encoded.data_type()), (expected, &bytes_type(array.data_type())));
    let fixed = fix_mojibake(array).expect("UTF-8");
    let expected: Vec<Row> = rows
        .iter()
        .map(|row| text(row).map(|text| mojibake::undo(text).into_owned().into()))
        .collect();
    assert_eq!((all(&fixed), fixed.data_type()), (expected, array.data_type()));
}

/// So many cases. Nothing is written beside the sources.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

/// A row without its ill-formed sequences.
fn cleaned(row: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(row).replace('\u{FFFD}', "").into()
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn random_rows(rows in rows()) {
        for array in arrays(&rows) {
            check_array(&array, &rows);
        }
        // The same rows without ill-formed sequences, so that strict functions get far.
        let repaired: Vec<Row> =
            rows.iter().map(|row| row.as_ref().map(|row| cleaned(row))).collect();
        for array in arrays(&repaired) {
            check_array(&array, &repaired);
        }
        let texts = || repaired.iter().map(text);
        check_array(&texts().collect::<StringArray>(), &repaired);
        check_encode(&texts().collect::<LargeStringArray>(), &repaired);
        check_encode(&texts().collect::<StringViewArray>(), &repaired);
        let keyed: DictionaryArray<Int8Type> = texts().collect();
        check_array(&keyed, &repaired);
        check_encode(&keyed, &repaired);
    }

    #[test]
    fn rows_of_a_width(
        bytes in prop::collection::vec(prop::sample::select(&b"ab\xC3\xA9\xFF"[..]), 0..60),
        width in 1..7_usize,
    ) {
        let rows: Vec<Row> = bytes.chunks_exact(width)
            .enumerate().map(|(at, row)| (at % 5 != 4).then(|| row.to_vec())).collect();
        let each = rows.iter().map(Option::as_deref);
        let width = i32::try_from(width).unwrap();
        let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(each, width).unwrap();
        check_array(&array, &rows);
        let start = rows.len() / 2;
        check_array(&array.slice(start, rows.len() - start), &rows[start..]);
    }
}

/// Bytes before and after the rows of a slice are ill-formed, and are not in the result.
#[test]
fn bytes_outside_the_rows_do_not_stay() {
    let array = BinaryArray::from(vec![&b"\xFF"[..], b"one", b"two", b"\xC3"]);
    for (start, len) in [(1, 2), (1, 1), (2, 1), (1, 0), (2, 0)] {
        let rows = array.slice(start, len);
        for on_failure in [OnFailure::Error, OnFailure::Null, OnFailure::Repair(Repair::REPLACE)] {
            let texts = to_utf8(&rows, on_failure).unwrap();
            let values = texts.as_string::<i32>().values().as_slice();
            assert_eq!(values, &b"onetwo"[3 * (start - 1)..][..3 * len]);
        }
    }
    // Only after them: the offsets stay as they are.
    let texts =
        to_utf8(&BinaryArray::from(vec![&b"one"[..], b"\xC3"]).slice(0, 1), OnFailure::Error);
    assert_eq!(texts.unwrap().as_string::<i32>().values().as_slice(), b"one");
}

/// A null row may have any bytes, and nothing in the result may.
#[test]
fn bytes_of_null_rows_do_not_stay() {
    let array = BinaryArray::from(vec![&b"one"[..], b"\xFF\xFF", b"three"]);
    let (offsets, values, _) = array.into_parts();
    let array = BinaryArray::new(offsets, values, Some(vec![true, false, true].into()));
    assert_eq!(validate(&array), Ok(()));
    for on_failure in [OnFailure::Error, OnFailure::Null, OnFailure::Repair(Repair::REPLACE)] {
        let texts = to_utf8(&array, on_failure).unwrap();
        assert_eq!(texts.as_string::<i32>().value_data(), b"onethree");
        assert_eq!(all(&texts)[1], None);
    }
}

#[test]
fn values_are_not_copied() {
    let long = "a long row, beyond twelve bytes";
    let array = BinaryArray::from(vec![long.as_bytes(), b"b"]);
    let texts = to_utf8(&array, OnFailure::Repair(Repair::REPLACE)).unwrap();
    assert_eq!(texts.as_string::<i32>().values().as_ptr(), array.values().as_ptr());
    let array = BinaryViewArray::from_iter_values([long.as_bytes(), b"b"]);
    let texts = to_utf8(&array, OnFailure::Error).unwrap();
    let texts = texts.as_string_view();
    assert_eq!(texts.data_buffers()[0].as_ptr(), array.data_buffers()[0].as_ptr());
    let array = StringArray::from(vec!["nothing", "to", "fix"]);
    let fixed = fix_mojibake(&array).unwrap();
    assert_eq!(fixed.as_string::<i32>().values().as_ptr(), array.values().as_ptr());
}

/// Few ill-formed rows among many: at the ends, next to each other, null, short and long.
#[test]
fn few_bad_rows() {
    // Repaired, the second one has 13 bytes: one more than a view holds itself.
    let bad: [&[u8]; 4] =
        [b"\xFF", b"ten bytes \xE2\x82", b"beyond twelve bytes \xC0\xAF", b"\x80\x80"];
    let good: [&[u8]; 4] =
        [b"", "é".as_bytes(), "größer, beyond twelve bytes".as_bytes(), b"plain"];
    for places in [&[0][..], &[99], &[0, 1, 2, 99], &[40, 41, 60], &[7, 50, 51, 52, 98, 99]] {
        for nulls in [&[][..], &[0, 41, 3, 99]] {
            let rows: Vec<Row> = (0..100)
                .map(|row| match places.contains(&row) {
                    true => bad[row % 4].to_vec(),
                    false => good[row % 4].to_vec(),
                })
                .enumerate()
                .map(|(row, bytes)| (!nulls.contains(&row)).then_some(bytes))
                .collect();
            for array in arrays(&rows) {
                check_array(&array, &rows);
            }
        }
    }
    // A null row may have any bytes, also among rows that are repaired.
    let rows: Vec<&[u8]> =
        (0..20).map(|row| if row % 10 == 5 { &b"\xFF"[..] } else { b"ok" }).collect();
    let (offsets, values, _) = BinaryArray::from(rows).into_parts();
    let nulls: Vec<bool> = (0..20).map(|row| row != 5).collect();
    let array = BinaryArray::new(offsets, values, Some(nulls.into()));
    let texts = to_utf8(&array, OnFailure::Repair(Repair::REPLACE)).unwrap();
    assert_eq!((all(&texts)[5].clone(), all(&texts)[15].clone()), (None, Some("\u{FFFD}".into())));
    assert_eq!(texts.as_string::<i32>().value_length(5), 0);
}

#[test]
fn views_of_well_formed_rows_are_not_copied() {
    let long = "a long row, beyond twelve bytes";
    let rows = (0..20)
        .map(|row| if row == 9 { &b"also long, and ill-formed \xFF"[..] } else { long.as_bytes() });
    let array = BinaryViewArray::from_iter_values(rows);
    let texts = to_utf8(&array, OnFailure::Repair(Repair::REPLACE)).unwrap();
    let texts = texts.as_string_view();
    assert_eq!(texts.data_buffers()[0].as_ptr(), array.data_buffers()[0].as_ptr());
    assert_eq!(texts.value(9), "also long, and ill-formed \u{FFFD}");
}

#[test]
fn other_types_are_errors() {
    let numbers = Int8Array::from(vec![1]);
    let kind = Err(Error::Type(DataType::Int8));
    assert_eq!(validate(&numbers), kind);
    assert_eq!(is_valid(&numbers).map(|_| ()), kind);
    assert_eq!(to_utf8(&numbers, OnFailure::Null).map(|_| ()), kind);
    assert_eq!(decode(&numbers, Scheme::Latin1, OnFailure::Null).map(|_| ()), kind);
    assert_eq!(encode(&numbers, Scheme::Latin1, OnFailure::Null).map(|_| ()), kind);
    assert_eq!(char_lengths(&numbers).map(|_| ()), kind);
    assert_eq!(utf16_lengths(&numbers).map(|_| ()), kind);
    assert_eq!(errors(&numbers).map(|_| ()), kind);
    assert_eq!(utflane_arrow::rows(&numbers).map(|_| ()), kind);
    assert_eq!(detect(&numbers).map(|_| ()), kind);
    assert_eq!(detect_column(&numbers).map(|_| ()), kind);
    assert_eq!(fix_mojibake(&numbers).map(|_| ()), kind);
    let binary = BinaryArray::from(vec![&b"text"[..]]);
    assert!(matches!(fix_mojibake(&binary), Err(Error::Type(DataType::Binary))));
    assert!(matches!(encode(&binary, Scheme::Latin1, OnFailure::Null), Err(Error::Type(_))));
    let error = validate(&numbers).unwrap_err();
    assert_eq!(error.to_string(), "not a type with text for this function: Int8");
}

//! Compares every function, on every type of array, row by row with the standard library and arrow.

mod pages;

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
use utflane::{Repair, Scheme};
use utflane_arrow::{
    Error, OnFailure, char_lengths, decode, detect, detect_column, encode, error_fields, errors,
    fix_mojibake, is_valid, to_utf8, utf16_lengths, validate,
};
use utflane_charset::{detect_text, mojibake};

/// The bytes of a row; `None` for a null row.
type Row = Option<Vec<u8>>;

/// Returns random rows: text, ill-formed text, empty rows and nulls.
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

/// Returns the rows in an array of every binary type except `FixedSizeBinary`: once as a complete
/// array, and once as a slice of a longer array.
fn arrays(rows: &[Row]) -> Vec<ArrayRef> {
    let mut longer = vec![Some(b"\xFF before".to_vec()), None];
    longer.extend_from_slice(rows);
    longer.extend([None, Some(b"and after, a longer row \xC3".to_vec())]);
    let mut arrays: Vec<ArrayRef> = Vec::new();
    for rows in [rows, &longer] {
        let slices = || rows.iter().map(Option::as_deref);
        arrays.push(Arc::new(slices().collect::<BinaryArray>()));
        arrays.push(Arc::new(slices().collect::<LargeBinaryArray>()));
        arrays.push(Arc::new(slices().collect::<BinaryViewArray>()));
        // A dictionary whose values are in reverse order. No row refers to the last value.
        let values: Vec<_> = slices().rev().chain([Some(&b"unused \xFF"[..])]).collect();
        let keys: Int32Array = (0..rows.len()).rev().map(|key| i32::try_from(key).ok()).collect();
        let values: ArrayRef = Arc::new(values.into_iter().collect::<BinaryArray>());
        arrays.push(Arc::new(DictionaryArray::new(keys, values)));
    }
    arrays.split_off(4).iter().map(|array| array.slice(2, rows.len())).chain(arrays).collect()
}

/// Returns a row of an array of any type.
fn row(array: &dyn Array, index: usize) -> Row {
    if let Some(keyed) = array.as_any_dictionary_opt() {
        if keyed.keys().is_null(index) {
            return None;
        }
        return row(keyed.values(), keyed.normalized_keys()[index]);
    }
    if array.is_null(index) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().value(index).to_vec(),
        DataType::LargeBinary => array.as_binary::<i64>().value(index).to_vec(),
        DataType::BinaryView => array.as_binary_view().value(index).to_vec(),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().value(index).to_vec(),
        DataType::Utf8 => array.as_string::<i32>().value(index).into(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(index).into(),
        DataType::Utf8View => array.as_string_view().value(index).into(),
        other => panic!("{other}"),
    })
}

/// Returns all rows of an array, after arrow has validated the array. Also checks that the values
/// of an array of text are UTF-8 outside of the rows, which arrow does not require.
fn read_rows(array: &dyn Array) -> Vec<Row> {
    array.to_data().validate_full().expect("the array is valid");
    let values = match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().values().as_slice(),
        DataType::LargeUtf8 => array.as_string::<i64>().values().as_slice(),
        _ => &[],
    };
    assert!(std::str::from_utf8(values).is_ok(), "{values:02X?}");
    (0..array.len()).map(|index| row(array, index)).collect()
}

/// Returns a row as text; `None` if it is null or ill-formed.
fn as_text(row: &Row) -> Option<&str> {
    std::str::from_utf8(row.as_deref()?).ok()
}

/// Returns the type of the result of `to_utf8` for an array of type `kind`.
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

/// Returns the type of the result of `encode` for an array of type `kind`.
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

/// Checks all functions on `array`, whose rows are `rows`.
fn check_array(array: &dyn Array, rows: &[Row]) {
    let is_ill_formed = |row: &Row| row.is_some() && as_text(row).is_none();
    let first = rows.iter().position(is_ill_formed);
    let result = validate(array);
    assert_eq!(result.clone().err().and_then(|error| error.row()), first);
    if let (Err(Error::Row(error)), Some(row)) = (&result, first) {
        let expected = std::str::from_utf8(rows[row].as_deref().unwrap_or_default()).unwrap_err();
        let error = error.text().expect("the row is ill-formed");
        assert_eq!(
            (error.valid_up_to(), error.error_len()),
            (expected.valid_up_to(), expected.error_len())
        );
    }
    let valid: Vec<_> = is_valid(array).expect("the type has text").iter().collect();
    let expected: Vec<_> =
        rows.iter().map(|row| row.as_ref().map(|_| as_text(row).is_some())).collect();
    assert_eq!(valid, expected);
    check_to_utf8(array, rows, first);
    let counts: Vec<_> = char_lengths(array).expect("the type has text").iter().collect();
    let expected: Vec<_> =
        rows.iter().map(|row| row.as_ref().map(|row| Scheme::Utf8.count(row) as i64)).collect();
    assert_eq!(counts, expected);
    check_errors(array, rows);
    let names = detect(array).expect("the type has text");
    let expected: Vec<_> =
        rows.iter().map(|row| row.as_ref().map(|row| detect_text(row, true).name())).collect();
    assert_eq!(names.iter().collect::<Vec<_>>(), expected);
    check_decode(array, rows);
}

/// Compares the error of each row, and the length of each row in UTF-16, with the standard library.
fn check_errors(array: &dyn Array, rows: &[Row]) {
    let bytes: Vec<Row> = utflane_arrow::rows(array)
        .expect("the type has text")
        .map(|row| row.map(<[u8]>::to_vec))
        .collect();
    assert_eq!(bytes, rows);
    let found = errors(array).expect("the type has text");
    found.to_data().validate_full().expect("the array is valid");
    assert_eq!(*found.fields(), error_fields());
    let (offsets, lengths) = (found.column(0), found.column(1));
    let (offsets, lengths) =
        (offsets.as_primitive::<Int64Type>(), lengths.as_primitive::<Int64Type>());
    let units = utf16_lengths(array).expect("the type has text");
    assert_eq!(found.len(), rows.len());
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(units.is_null(index), row.is_none());
        let Some(bytes) = row else {
            assert!(found.is_null(index));
            continue;
        };
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                assert!(found.is_null(index));
                assert!((0..3).all(|column| found.column(column).is_null(index)));
                assert_eq!(units.value(index), text.encode_utf16().count() as i64);
            }
            Err(error) => {
                let (start, len) = (error.valid_up_to(), error.error_len());
                let len = len.unwrap_or(bytes.len() - start) as i64;
                assert_eq!((offsets.value(index), lengths.value(index)), (start as i64, len));
                let kind = utflane::utf8::from_utf8(bytes).unwrap_err().kind();
                assert_eq!(found.column(2).as_string::<i32>().value(index), kind.description());
            }
        }
    }
}

/// Compares `to_utf8` with the standard library and with arrow's cast. `first` is the index of the
/// first ill-formed row.
fn check_to_utf8(array: &dyn Array, rows: &[Row], first: Option<usize>) {
    let kind = text_type(array.data_type());
    let valid: Vec<Row> = rows.iter().map(|row| as_text(row).map(Into::into)).collect();
    match to_utf8(array, OnFailure::Error) {
        Ok(texts) => {
            assert_eq!(first, None);
            assert_eq!(*texts.data_type(), kind);
            assert_eq!(read_rows(&texts), rows);
            check_utf8_functions(&texts, rows);
        }
        Err(error) => assert_eq!(error.row(), first),
    }
    let nulled = to_utf8(array, OnFailure::Null).expect("the result is small");
    assert_eq!((read_rows(&nulled), nulled.data_type()), (valid.clone(), &kind));
    let options = CastOptions { safe: true, ..CastOptions::default() };
    // Arrow does not cast `FixedSizeBinary`, and casts a dictionary value by value.
    if !matches!(array.data_type(), DataType::FixedSizeBinary(_) | DataType::Dictionary(..)) {
        let cast = cast_with_options(array, &kind, &options).expect("arrow casts this type");
        assert_eq!(read_rows(&cast), valid);
    }
    let repaired = to_utf8(array, OnFailure::Repair(Repair::REPLACE)).expect("the result is small");
    let expected: Vec<Row> = rows
        .iter()
        .map(|row| row.as_ref().map(|row| String::from_utf8_lossy(row).into_owned().into()))
        .collect();
    assert_eq!((read_rows(&repaired), repaired.data_type()), (expected, &kind));
}

/// Checks `decode` from Latin-1, in which any bytes are text, and from UTF-16BE.
fn check_decode(array: &dyn Array, rows: &[Row]) {
    let latin1 = decode(array, Scheme::Latin1, OnFailure::Error).expect("any bytes are Latin-1");
    let expected: Vec<Row> = rows
        .iter()
        .map(|row| row.as_ref().map(|row| row.iter().map(|&byte| char::from(byte)).collect()))
        .map(|row: Option<String>| row.map(Into::into))
        .collect();
    assert_eq!((read_rows(&latin1), latin1.data_type()), (expected, &text_type(array.data_type())));
    let decode_utf16 = |row: &Vec<u8>| {
        let (units, incomplete_unit) = row.as_chunks::<2>();
        let units = units.iter().map(|&unit| u16::from_be_bytes(unit)).collect::<Vec<_>>();
        String::from_utf16(&units)
            .ok()
            .filter(|_| incomplete_unit.is_empty())
            .map(String::into_bytes)
    };
    let expected: Vec<Row> = rows.iter().map(|row| row.as_ref().and_then(decode_utf16)).collect();
    let decoded = decode(array, Scheme::Utf16Be, OnFailure::Null).expect("the result is small");
    assert_eq!(read_rows(&decoded), expected);
    let first = (0..rows.len()).find(|&index| rows[index].is_some() && expected[index].is_none());
    let strict = decode(array, Scheme::Utf16Be, OnFailure::Error);
    assert_eq!(strict.err().and_then(|error| error.row()), first);
}

/// Checks the functions that accept only UTF-8.
fn check_utf8_functions(array: &dyn Array, rows: &[Row]) {
    let encode_latin1 =
        |text: &str| text.chars().map(u8::try_from).collect::<Result<Vec<_>, _>>().ok();
    let expected: Vec<Row> = rows.iter().map(|row| as_text(row).and_then(encode_latin1)).collect();
    let first = (0..rows.len()).find(|&index| rows[index].is_some() && expected[index].is_none());
    let strict = encode(array, Scheme::Latin1, OnFailure::Error);
    assert_eq!(strict.as_ref().err().and_then(Error::row), first);
    assert!(strict.is_err() || read_rows(&strict.unwrap()) == expected);
    let encoded = encode(array, Scheme::Latin1, OnFailure::Null).expect("the result is small");
    assert_eq!(
        (read_rows(&encoded), encoded.data_type()),
        (expected, &bytes_type(array.data_type()))
    );
    let fixed = fix_mojibake(array).expect("UTF-8");
    let expected: Vec<Row> = rows
        .iter()
        .map(|row| as_text(row).map(|text| mojibake::undo(text).into_owned().into()))
        .collect();
    assert_eq!((read_rows(&fixed), fixed.data_type()), (expected, array.data_type()));
}

/// Returns a configuration that runs this number of cases, and writes no files with failures next
/// to the sources.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

/// Returns a row without its ill-formed sequences.
fn remove_ill_formed(row: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(row).replace('\u{FFFD}', "").into()
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn random_rows(rows in rows()) {
        for array in arrays(&rows) {
            check_array(&array, &rows);
        }
        // The same rows without ill-formed sequences, so that conversions don't stop at an error.
        let repaired: Vec<Row> =
            rows.iter().map(|row| row.as_ref().map(|row| remove_ill_formed(row))).collect();
        for array in arrays(&repaired) {
            check_array(&array, &repaired);
        }
        let texts = || repaired.iter().map(as_text);
        check_array(&texts().collect::<StringArray>(), &repaired);
        check_utf8_functions(&texts().collect::<LargeStringArray>(), &repaired);
        check_utf8_functions(&texts().collect::<StringViewArray>(), &repaired);
        let keyed: DictionaryArray<Int8Type> = texts().collect();
        check_array(&keyed, &repaired);
        check_utf8_functions(&keyed, &repaired);
    }

    #[test]
    fn random_fixed_width_rows(
        bytes in prop::collection::vec(prop::sample::select(&b"ab\xC3\xA9\xFF"[..]), 0..60),
        width in 1..7_usize,
    ) {
        let rows: Vec<Row> = bytes.chunks_exact(width)
            .enumerate().map(|(index, row)| (index % 5 != 4).then(|| row.to_vec())).collect();
        let slices = rows.iter().map(Option::as_deref);
        let width = i32::try_from(width).unwrap();
        let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(slices, width).unwrap();
        check_array(&array, &rows);
        let start = rows.len() / 2;
        check_array(&array.slice(start, rows.len() - start), &rows[start..]);
    }
}

/// The bytes before and after the rows of a slice may be ill-formed, so they must not be in the
/// result.
#[test]
fn bytes_outside_the_rows_are_not_in_the_result() {
    let array = BinaryArray::from(vec![&b"\xFF"[..], b"one", b"two", b"\xC3"]);
    for (start, len) in [(1, 2), (1, 1), (2, 1), (1, 0), (2, 0)] {
        let slice = array.slice(start, len);
        for on_failure in [OnFailure::Error, OnFailure::Null, OnFailure::Repair(Repair::REPLACE)] {
            let texts = to_utf8(&slice, on_failure).unwrap();
            let values = texts.as_string::<i32>().values().as_slice();
            assert_eq!(values, &b"onetwo"[3 * (start - 1)..][..3 * len]);
        }
    }
    // With ill-formed bytes only after the rows, the offsets don't change.
    let texts =
        to_utf8(&BinaryArray::from(vec![&b"one"[..], b"\xC3"]).slice(0, 1), OnFailure::Error);
    assert_eq!(texts.unwrap().as_string::<i32>().values().as_slice(), b"one");
}

/// A null row may contain any bytes, so its bytes must not be in the result.
#[test]
fn bytes_of_null_rows_are_not_in_the_result() {
    let array = BinaryArray::from(vec![&b"one"[..], b"\xFF\xFF", b"three"]);
    let (offsets, values, _) = array.into_parts();
    let array = BinaryArray::new(offsets, values, Some(vec![true, false, true].into()));
    assert_eq!(validate(&array), Ok(()));
    for on_failure in [OnFailure::Error, OnFailure::Null, OnFailure::Repair(Repair::REPLACE)] {
        let texts = to_utf8(&array, on_failure).unwrap();
        assert_eq!(texts.as_string::<i32>().value_data(), b"onethree");
        assert_eq!(read_rows(&texts)[1], None);
    }
}

#[test]
fn values_of_well_formed_rows_are_not_copied() {
    let long = "a long row of more than 12 bytes";
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

/// Tests arrays in which few rows are ill-formed: rows at the ends, next to each other, null, short
/// and long.
#[test]
fn few_ill_formed_rows() {
    // After the repair, the second row has 13 bytes: one more than fit into a view.
    let ill_formed: [&[u8]; 4] =
        [b"\xFF", b"ten bytes \xE2\x82", b"more than 12 bytes \xC0\xAF", b"\x80\x80"];
    let well_formed: [&[u8]; 4] =
        [b"", "é".as_bytes(), "größer, more than 12 bytes".as_bytes(), b"plain"];
    for ill_formed_rows in
        [&[0][..], &[99], &[0, 1, 2, 99], &[40, 41, 60], &[7, 50, 51, 52, 98, 99]]
    {
        for nulls in [&[][..], &[0, 41, 3, 99]] {
            let rows: Vec<Row> = (0..100)
                .map(|row| match ill_formed_rows.contains(&row) {
                    true => ill_formed[row % 4].to_vec(),
                    false => well_formed[row % 4].to_vec(),
                })
                .enumerate()
                .map(|(row, bytes)| (!nulls.contains(&row)).then_some(bytes))
                .collect();
            for array in arrays(&rows) {
                check_array(&array, &rows);
            }
        }
    }
    // A null row may contain any bytes. Here, another row is repaired.
    let rows: Vec<&[u8]> =
        (0..20).map(|row| if row % 10 == 5 { &b"\xFF"[..] } else { b"ok" }).collect();
    let (offsets, values, _) = BinaryArray::from(rows).into_parts();
    let nulls: Vec<bool> = (0..20).map(|row| row != 5).collect();
    let array = BinaryArray::new(offsets, values, Some(nulls.into()));
    let texts = to_utf8(&array, OnFailure::Repair(Repair::REPLACE)).unwrap();
    let results = read_rows(&texts);
    assert_eq!((results[5].clone(), results[15].clone()), (None, Some("\u{FFFD}".into())));
    assert_eq!(texts.as_string::<i32>().value_length(5), 0);
}

#[test]
fn views_of_well_formed_rows_are_not_copied() {
    let long = "a long row of more than 12 bytes";
    let rows = (0..20)
        .map(|row| if row == 9 { &b"also long, and ill-formed \xFF"[..] } else { long.as_bytes() });
    let array = BinaryViewArray::from_iter_values(rows);
    let texts = to_utf8(&array, OnFailure::Repair(Repair::REPLACE)).unwrap();
    let texts = texts.as_string_view();
    assert_eq!(texts.data_buffers()[0].as_ptr(), array.data_buffers()[0].as_ptr());
    assert_eq!(texts.value(9), "also long, and ill-formed \u{FFFD}");
}

/// WTF-8 has unpaired surrogates, and UTF-8 lacks them: the value is well-formed, but fails.
#[test]
fn a_well_formed_value_of_a_dictionary_can_fail() {
    let values: ArrayRef = Arc::new(BinaryArray::from(vec![&b"one"[..], b"\xED\xA0\x80"]));
    let array = DictionaryArray::new(Int32Array::from(vec![0, 0, 1]), values);
    let error = decode(&array, Scheme::Wtf8, OnFailure::Error).unwrap_err();
    assert_eq!(error.row(), Some(2));
    assert!(decode(&array, Scheme::Wtf8, OnFailure::Null).unwrap().is_valid(0));
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
    assert_eq!(error.to_string(), "this function does not accept arrays of type Int8");
}

//! Random rows in arrays of every type, through a query, against the standard library.

use std::sync::Arc;

use datafusion::arrow::array::cast::AsArray;
use datafusion::arrow::array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray,
    Int32Array, LargeBinaryArray, RecordBatch,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::prelude::SessionContext;
use proptest::prelude::*;
use utflane_datafusion::{TextError, register_all};

type Row = Option<Vec<u8>>;

/// Random rows: text, damaged text, empty rows and nulls.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let pieces: [&[u8]; 9] = [
        b"a",
        b"plain text, beyond twelve bytes",
        b"\xFF",
        b"\x80",
        b"\xC3",
        b"\xE2\x82",
        "é".as_bytes(),
        "漢字".as_bytes(),
        "😀".as_bytes(),
    ];
    let text = prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..4);
    let row = prop::option::weighted(0.9, text.prop_map(|pieces| pieces.concat()));
    prop::collection::vec(row, 0..30)
}

/// The rows in arrays of every type, the last as a slice of a longer one.
fn arrays(rows: &[Row]) -> Vec<ArrayRef> {
    let each = || rows.iter().map(Option::as_deref);
    let keys: Int32Array = (0..rows.len()).map(|key| i32::try_from(key).ok()).collect();
    let values: ArrayRef =
        Arc::new(each().chain([Some(&b"unused \xFF"[..])]).collect::<BinaryArray>());
    let longer = [Some(&b"\xFF"[..]), None].into_iter().chain(each()).chain([Some(&b"\xC3"[..])]);
    vec![
        Arc::new(each().collect::<BinaryArray>()),
        Arc::new(each().collect::<LargeBinaryArray>()),
        Arc::new(each().collect::<BinaryViewArray>()),
        Arc::new(DictionaryArray::new(keys, values)),
        Arc::new(longer.collect::<BinaryArray>().slice(2, rows.len())),
    ]
}

/// The results of a query over a column `b`.
fn query(array: &ArrayRef, columns: &str) -> Result<Vec<ArrayRef>, TextError> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let mut context = SessionContext::new();
        register_all(&mut context).expect("a registry");
        let batch = RecordBatch::try_from_iter_with_nullable([("b", Arc::clone(array), true)])
            .expect("a batch");
        context.register_batch("t", batch).expect("a table");
        let sql = format!("SELECT {columns} FROM t");
        let frame = context.sql(&sql).await.expect("a plan");
        let schema = Arc::new(frame.schema().as_arrow().clone());
        let batches = frame.collect().await.map_err(|error| {
            TextError::find(&error).unwrap_or_else(|| panic!("{error}")).clone()
        })?;
        let batch = datafusion::arrow::compute::concat_batches(&schema, &batches).expect("a batch");
        Ok(batch.columns().to_vec())
    })
}

/// A column of text.
fn texts(array: &ArrayRef) -> Vec<Option<String>> {
    let array = cast(array, &DataType::LargeUtf8).expect("text");
    array.as_string::<i64>().iter().map(|text| text.map(str::to_owned)).collect()
}

/// Checks all functions of a column of these rows.
fn check(array: &ArrayRef, rows: &[Row]) {
    let all = "is_valid_utf8(b), make_valid_utf8(b), try_validate_utf8(b), utf8_error(b), \
               utf16_length(make_valid_utf8(b)), decode_text(b, 'latin1'), \
               decode_text(b, 'utf-16le', 'null'), decode_text(b, 'windows-1252', 'replace'), \
               encode_text(make_valid_utf8(b), 'utf-16be'), is_valid_utf8(make_valid_utf8(b)), \
               decode_text(b, nullif(detect_encoding(b), 'mixed'), 'null') \
               IS NOT DISTINCT FROM decode_text(b, 'auto', 'null')";
    let columns = query(array, all).expect("nothing fails");
    let each = |f: &dyn Fn(&[u8]) -> Option<String>| -> Vec<_> {
        rows.iter().map(|row| row.as_deref().and_then(f)).collect()
    };
    let lossy = |row: &[u8]| String::from_utf8_lossy(row).into_owned();
    let valid: Vec<_> = columns[0].as_boolean().iter().collect();
    let expected: Vec<_> =
        rows.iter().map(|row| row.as_deref().map(|row| str::from_utf8(row).is_ok())).collect();
    assert_eq!(valid, expected);
    assert_eq!(texts(&columns[1]), each(&|row| Some(lossy(row))));
    let strict = |row: &[u8]| str::from_utf8(row).ok().map(str::to_owned);
    assert_eq!(texts(&columns[2]), each(&strict));
    let places = columns[3].as_struct();
    let offsets = places.column(0).as_primitive::<Int64Type>();
    for (at, row) in rows.iter().enumerate() {
        let error = row.as_deref().and_then(|row| str::from_utf8(row).err());
        let offset = places.is_valid(at).then(|| offsets.value(at) as usize);
        assert_eq!(offset, error.map(|error| error.valid_up_to()));
    }
    let units: Vec<_> = columns[4].as_primitive::<Int64Type>().iter().collect();
    let expected: Vec<_> = rows
        .iter()
        .map(|row| row.as_deref().map(|row| lossy(row).encode_utf16().count() as i64))
        .collect();
    assert_eq!(units, expected);
    let latin1 = |row: &[u8]| Some(row.iter().map(|&byte| char::from(byte)).collect());
    assert_eq!(texts(&columns[5]), each(&latin1));
    let utf16 = |row: &[u8]| {
        let (units, rest) = row.as_chunks::<2>();
        let units: Vec<_> = units.iter().map(|&unit| u16::from_le_bytes(unit)).collect();
        String::from_utf16(&units).ok().filter(|_| rest.is_empty())
    };
    assert_eq!(texts(&columns[6]), each(&utf16));
    let western =
        |row: &[u8]| Some(encoding_rs::WINDOWS_1252.decode_without_bom_handling(row).0.into());
    assert_eq!(texts(&columns[7]), each(&western));
    let encoded = cast(&columns[8], &DataType::LargeBinary).expect("binary");
    for (bytes, row) in encoded.as_binary::<i64>().iter().zip(rows) {
        let expected = row
            .as_deref()
            .map(|row| lossy(row).encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>());
        assert_eq!(bytes.map(<[u8]>::to_vec), expected);
    }
    assert!(columns[9].as_boolean().iter().flatten().all(|valid| valid));
    let first = expected_failure(rows);
    let strict = query(array, "validate_utf8(b)");
    assert_eq!(strict.as_ref().err().and_then(TextError::row), first);
    if let Ok(columns) = strict {
        assert_eq!(texts(&columns[0]), each(&|row| Some(lossy(row))));
    }
}

/// The first row that is ill-formed.
fn expected_failure(rows: &[Row]) -> Option<usize> {
    rows.iter().position(|row| row.as_deref().is_some_and(|row| str::from_utf8(row).is_err()))
}

/// So many cases. Nothing is written beside the sources.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn every_type_of_array(rows in rows()) {
        for array in arrays(&rows) {
            check(&array, &rows);
        }
    }

    #[test]
    fn rows_of_a_width(
        bytes in prop::collection::vec(prop::sample::select(&b"ab\xC3\xA9\xFF"[..]), 0..60),
    ) {
        let rows: Vec<Row> = bytes.chunks_exact(4).enumerate()
            .map(|(at, row)| (at % 5 != 4).then(|| row.to_vec())).collect();
        let each = rows.iter().map(Option::as_deref);
        let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(each, 4).unwrap();
        let array: ArrayRef = Arc::new(array);
        check(&array, &rows);
    }
}

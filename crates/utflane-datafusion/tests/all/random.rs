//! Runs the functions on random rows in arrays of every binary type, and compares the results with
//! results of the standard library and of encoding_rs.

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

/// Generates random rows: well-formed text, ill-formed text, empty rows and nulls.
fn random_rows() -> impl Strategy<Value = Vec<Row>> {
    let fragments: [&[u8]; 9] = [
        b"a",
        b"ASCII text of more than 12 bytes",
        b"\xFF",
        b"\x80",
        b"\xC3",
        b"\xE2\x82",
        "é".as_bytes(),
        "漢字".as_bytes(),
        "😀".as_bytes(),
    ];
    let text = prop::collection::vec(prop::sample::select(fragments.to_vec()), 0..4);
    let row = prop::option::weighted(0.9, text.prop_map(|fragments| fragments.concat()));
    prop::collection::vec(row, 0..30)
}

/// Returns the rows as arrays of every binary type except `FixedSizeBinary`. The last array is a
/// slice of a longer array.
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

/// Registers the array as column `b` of a table, selects the expressions `columns` from the table,
/// and returns the resulting columns.
fn select(array: &ArrayRef, columns: &str) -> Result<Vec<ArrayRef>, TextError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().build().expect("the runtime can be built");
    runtime.block_on(async {
        let mut context = SessionContext::new();
        register_all(&mut context).expect("the registry accepts the functions");
        let batch = RecordBatch::try_from_iter_with_nullable([("b", Arc::clone(array), true)])
            .expect("the batch can be built");
        context.register_batch("t", batch).expect("the table can be registered");
        let sql = format!("SELECT {columns} FROM t");
        let frame = context.sql(&sql).await.expect("the query is planned");
        let schema = Arc::new(frame.schema().as_arrow().clone());
        let batches = frame.collect().await.map_err(|error| {
            TextError::find(&error).unwrap_or_else(|| panic!("{error}")).clone()
        })?;
        let batch = datafusion::arrow::compute::concat_batches(&schema, &batches)
            .expect("the batches have the schema of the plan");
        Ok(batch.columns().to_vec())
    })
}

/// Returns the values of a column of text.
fn column_texts(array: &ArrayRef) -> Vec<Option<String>> {
    let array = cast(array, &DataType::LargeUtf8).expect("the column is text");
    array.as_string::<i64>().iter().map(|text| text.map(str::to_owned)).collect()
}

/// Checks the results of all functions for `array`, which holds `rows`.
fn check_functions(array: &ArrayRef, rows: &[Row]) {
    let expressions = "is_valid_utf8(b), make_valid_utf8(b), try_validate_utf8(b), utf8_error(b), \
               utf16_length(make_valid_utf8(b)), decode_text(b, 'latin1'), \
               decode_text(b, 'utf-16le', 'null'), decode_text(b, 'windows-1252', 'replace'), \
               encode_text(make_valid_utf8(b), 'utf-16be'), is_valid_utf8(make_valid_utf8(b)), \
               decode_text(b, nullif(detect_encoding(b), 'mixed'), 'null') \
               IS NOT DISTINCT FROM decode_text(b, 'auto', 'null')";
    let columns = select(array, expressions).expect("none of the functions fails");
    let map_rows = |f: &dyn Fn(&[u8]) -> Option<String>| -> Vec<_> {
        rows.iter().map(|row| row.as_deref().and_then(f)).collect()
    };
    let lossy = |row: &[u8]| String::from_utf8_lossy(row).into_owned();
    let valid: Vec<_> = columns[0].as_boolean().iter().collect();
    let expected: Vec<_> =
        rows.iter().map(|row| row.as_deref().map(|row| str::from_utf8(row).is_ok())).collect();
    assert_eq!(valid, expected);
    assert_eq!(column_texts(&columns[1]), map_rows(&|row| Some(lossy(row))));
    let strict = |row: &[u8]| str::from_utf8(row).ok().map(str::to_owned);
    assert_eq!(column_texts(&columns[2]), map_rows(&strict));
    let errors = columns[3].as_struct();
    let offsets = errors.column(0).as_primitive::<Int64Type>();
    for (index, row) in rows.iter().enumerate() {
        let error = row.as_deref().and_then(|row| str::from_utf8(row).err());
        let offset = errors.is_valid(index).then(|| offsets.value(index) as usize);
        assert_eq!(offset, error.map(|error| error.valid_up_to()));
    }
    let units: Vec<_> = columns[4].as_primitive::<Int64Type>().iter().collect();
    let expected: Vec<_> = rows
        .iter()
        .map(|row| row.as_deref().map(|row| lossy(row).encode_utf16().count() as i64))
        .collect();
    assert_eq!(units, expected);
    let latin1 = |row: &[u8]| Some(row.iter().map(|&byte| char::from(byte)).collect());
    assert_eq!(column_texts(&columns[5]), map_rows(&latin1));
    let utf16 = |row: &[u8]| {
        let (units, remainder) = row.as_chunks::<2>();
        let units: Vec<_> = units.iter().map(|&unit| u16::from_le_bytes(unit)).collect();
        String::from_utf16(&units).ok().filter(|_| remainder.is_empty())
    };
    assert_eq!(column_texts(&columns[6]), map_rows(&utf16));
    let western =
        |row: &[u8]| Some(encoding_rs::WINDOWS_1252.decode_without_bom_handling(row).0.into());
    assert_eq!(column_texts(&columns[7]), map_rows(&western));
    let encoded = cast(&columns[8], &DataType::LargeBinary).expect("the column is binary");
    for (bytes, row) in encoded.as_binary::<i64>().iter().zip(rows) {
        let expected = row
            .as_deref()
            .map(|row| lossy(row).encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>());
        assert_eq!(bytes.map(<[u8]>::to_vec), expected);
    }
    assert!(columns[9].as_boolean().iter().flatten().all(|valid| valid));
    let expected = first_ill_formed_row(rows);
    let strict = select(array, "validate_utf8(b)");
    assert_eq!(strict.as_ref().err().and_then(TextError::row), expected);
    if let Ok(columns) = strict {
        assert_eq!(column_texts(&columns[0]), map_rows(&|row| Some(lossy(row))));
    }
}

/// Returns the index of the first ill-formed row.
fn first_ill_formed_row(rows: &[Row]) -> Option<usize> {
    rows.iter().position(|row| row.as_deref().is_some_and(|row| str::from_utf8(row).is_err()))
}

/// Returns a configuration for `cases` cases, which writes no files.
fn config_with_cases(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(config_with_cases(12))]

    #[test]
    fn results_for_arrays_of_every_other_binary_type(rows in random_rows()) {
        for array in arrays(&rows) {
            check_functions(&array, &rows);
        }
    }

    #[test]
    fn results_for_fixed_size_binary(
        bytes in prop::collection::vec(prop::sample::select(&b"ab\xC3\xA9\xFF"[..]), 0..60),
    ) {
        let rows: Vec<Row> = bytes.chunks_exact(4).enumerate()
            .map(|(index, row)| (index % 5 != 4).then(|| row.to_vec())).collect();
        let each = rows.iter().map(Option::as_deref);
        let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(each, 4).unwrap();
        let array: ArrayRef = Arc::new(array);
        check_functions(&array, &rows);
    }
}

//! Reads a Parquet file with ill-formed rows as binary, and repairs the rows.

use std::fs::File;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use utflane::Repair;
use utflane_arrow::{OnFailure, is_valid, to_utf8, validate};

/// The number of rows of the file. One in 100 is ill-formed, and one in 101 is null.
const ROW_COUNT: usize = 5000;

/// Returns a row of the file; `None` for a null row.
fn make_row(index: usize) -> Option<Vec<u8>> {
    let mut row = format!("row {index}, größer, 漢字").into_bytes();
    if index % 100 == 99 {
        row[6] = 0xFF;
    }
    (index % 101 != 100).then_some(row)
}

#[test]
fn ill_formed_rows_of_a_file_are_found_and_repaired() -> Result<(), Box<dyn std::error::Error>> {
    let rows: Vec<_> = (0..ROW_COUNT).map(make_row).collect();
    let array: ArrayRef = Arc::new(rows.iter().map(Option::as_deref).collect::<BinaryArray>());
    let batch = RecordBatch::try_from_iter([("text", array)])?;
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("ill-formed.parquet");
    let mut writer = ArrowWriter::try_new(File::create(&path)?, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;

    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path)?)?;
    let (mut rows_read, mut ill_formed_rows) = (0, 0);
    for batch in reader.with_batch_size(1000).build()? {
        let batch = batch?;
        let array = batch.column(0);
        let rows = &rows[rows_read..rows_read + array.len()];
        let is_ill_formed = |row: &Option<Vec<u8>>| {
            row.as_ref().is_some_and(|row| std::str::from_utf8(row).is_err())
        };
        assert_eq!(
            validate(array).err().and_then(|error| error.row()),
            rows.iter().position(is_ill_formed)
        );
        ill_formed_rows += is_valid(array)?.false_count();
        let repaired = to_utf8(array, OnFailure::Repair(Repair::REPLACE))?;
        let nulled = to_utf8(array, OnFailure::Null)?;
        for (index, row) in rows.iter().enumerate() {
            let text = row.as_ref().map(|row| String::from_utf8_lossy(row));
            let repaired = repaired.as_string::<i32>();
            assert_eq!(repaired.is_valid(index).then(|| repaired.value(index)), text.as_deref());
            assert_eq!(nulled.is_null(index), row.is_none() || is_ill_formed(row));
        }
        rows_read += array.len();
    }
    let expected = (0..ROW_COUNT).filter(|index| index % 100 == 99 && index % 101 != 100).count();
    assert_eq!((rows_read, ill_formed_rows), (ROW_COUNT, expected));
    Ok(())
}

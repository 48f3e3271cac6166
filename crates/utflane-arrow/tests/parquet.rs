//! A Parquet file with damaged rows, read as binary and repaired.

use std::fs::File;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use utflane::Repair;
use utflane_arrow::{OnFailure, is_valid, to_utf8, validate};

/// Rows of the file, of which one in 100 is damaged and one in 101 null.
const ROWS: usize = 5000;

/// A row of the file.
fn row(at: usize) -> Option<Vec<u8>> {
    let mut row = format!("row {at}, größer, 漢字").into_bytes();
    if at % 100 == 99 {
        row[6] = 0xFF;
    }
    (at % 101 != 100).then_some(row)
}

#[test]
fn damaged_rows_of_a_file_are_found_and_repaired() -> Result<(), Box<dyn std::error::Error>> {
    let rows: Vec<_> = (0..ROWS).map(row).collect();
    let array: ArrayRef = Arc::new(rows.iter().map(Option::as_deref).collect::<BinaryArray>());
    let batch = RecordBatch::try_from_iter([("text", array)])?;
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("damaged.parquet");
    let mut writer = ArrowWriter::try_new(File::create(&path)?, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;

    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path)?)?;
    let (mut read, mut bad) = (0, 0);
    for batch in reader.with_batch_size(1000).build()? {
        let batch = batch?;
        let array = batch.column(0);
        let rows = &rows[read..read + array.len()];
        let is_bad = |row: &Option<Vec<u8>>| {
            row.as_ref().is_some_and(|row| std::str::from_utf8(row).is_err())
        };
        assert_eq!(
            validate(array).err().and_then(|error| error.row()),
            rows.iter().position(is_bad)
        );
        bad += is_valid(array)?.false_count();
        let repaired = to_utf8(array, OnFailure::Repair(Repair::REPLACE))?;
        let nulled = to_utf8(array, OnFailure::Null)?;
        for (at, row) in rows.iter().enumerate() {
            let text = row.as_ref().map(|row| String::from_utf8_lossy(row));
            let found = repaired.as_string::<i32>();
            assert_eq!(found.is_valid(at).then(|| found.value(at)), text.as_deref());
            assert_eq!(nulled.is_null(at), row.is_none() || is_bad(row));
        }
        read += array.len();
    }
    let expected = (0..ROWS).filter(|at| at % 100 == 99 && at % 101 != 100).count();
    assert_eq!((read, bad), (ROWS, expected));
    Ok(())
}

//! Reads a column of strings with parquet into Arrow arrays: `parquet FILE`. Prints the number of
//! rows and of bytes in them. `parquet FILE LINES` writes the file from the lines of another file.

use std::fs::File;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray, cast::AsArray};
use parquet::arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder};
use parquet::file::properties::WriterProperties;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments.next().ok_or("the first argument is a file")?;
    if let Some(lines) = arguments.next() {
        let text = std::fs::read_to_string(lines)?;
        let column: ArrayRef = Arc::new(text.lines().map(Some).collect::<StringArray>());
        let batch = RecordBatch::try_from_iter([("line", column)])?;
        let plain = WriterProperties::builder().set_dictionary_enabled(false).build();
        let mut writer = ArrowWriter::try_new(File::create(path)?, batch.schema(), Some(plain))?;
        writer.write(&batch)?;
        writer.close()?;
        return Ok(());
    }
    let (mut rows, mut bytes) = (0, 0);
    for batch in ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?.build()? {
        let batch = batch?;
        rows += batch.num_rows();
        bytes += batch.column(0).as_string::<i32>().iter().flatten().map(str::len).sum::<usize>();
    }
    println!("{rows} rows, {bytes} bytes");
    Ok(())
}

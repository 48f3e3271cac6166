//! Runs the files of `tests/slt` with sqllogictest.

use std::path::Path;

use async_trait::async_trait;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::common::Result;
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;
use sqllogictest::{AsyncDB, DBOutput, DefaultColumnType, Runner, strict_column_validator};

/// DataFusion with the functions, as a database for sqllogictest.
struct Engine(SessionContext);

#[async_trait]
impl AsyncDB for Engine {
    type Error = DataFusionError;
    type ColumnType = DefaultColumnType;

    async fn run(&mut self, sql: &str) -> Result<DBOutput<DefaultColumnType>> {
        let frame = self.0.sql(sql).await?;
        let types: Vec<_> =
            frame.schema().fields().iter().map(|field| column_type(field.data_type())).collect();
        let batches = frame.collect().await?;
        if types.is_empty() {
            return Ok(DBOutput::StatementComplete(0));
        }
        let options = FormatOptions::default().with_null("NULL");
        let mut rows = Vec::new();
        for batch in &batches {
            let columns = batch.columns().iter();
            let columns: Vec<_> = columns
                .map(|column| ArrayFormatter::try_new(column.as_ref(), &options))
                .collect::<Result<_, _>>()?;
            for row in 0..batch.num_rows() {
                let cells = columns.iter().map(|column| column.value(row).to_string());
                let cell = |cell: String| if cell.is_empty() { "(empty)".into() } else { cell };
                rows.push(cells.map(cell).collect());
            }
        }
        Ok(DBOutput::Rows { types, rows })
    }

    async fn shutdown(&mut self) {}

    fn engine_name(&self) -> &str {
        "DataFusion"
    }
}

/// Returns the type of a column for sqllogictest: text, integer, or any other type.
fn column_type(data_type: &DataType) -> DefaultColumnType {
    match data_type {
        DataType::Dictionary(_, value) => column_type(value),
        _ if data_type.is_string() => DefaultColumnType::Text,
        _ if data_type.is_integer() => DefaultColumnType::Integer,
        _ => DefaultColumnType::Any,
    }
}

#[tokio::test]
async fn all_slt_files_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slt");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder tests/slt exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let mut runner = Runner::new(|| async {
            let mut context = SessionContext::new();
            utflane_datafusion::register_all(&mut context)?;
            Ok(Engine(context))
        });
        runner.with_column_validator(strict_column_validator);
        let result = runner.run_file_async(&file).await;
        result.unwrap_or_else(|error| panic!("{error}"));
    }
}

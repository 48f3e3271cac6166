//! Reads a CSV file with DataFusion, and prints the number of rows and a hash of each
//! column: `damaged-csv FILE [ON_ERROR]`. With ON_ERROR, utflane repairs ill-formed UTF-8.

use std::hash::{DefaultHasher, Hash, Hasher};

use datafusion::arrow::array::AsArray;
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::TryStreamExt;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("the first argument is a file");
    let options = arguments.next().map_or(String::new(), |on_error| {
        format!(", 'format.encoding' 'utf-8', 'format.on_error' '{on_error}'")
    });
    // One partition: the rows have the order of the file.
    let config = SessionConfig::new().with_target_partitions(1);
    let context = SessionContext::new_with_config(config);
    utflane_datafusion::register_files(&context)?;
    let create = format!(
        "CREATE EXTERNAL TABLE orders (id VARCHAR, city VARCHAR, note VARCHAR) STORED AS CSV
         LOCATION '{path}' OPTIONS ('format.has_header' 'true'{options})"
    );
    context.sql(&create).await?;
    let mut batches = context.sql("SELECT * FROM orders").await?.execute_stream().await?;
    let (mut rows, mut hashers) = (0, [(); 3].map(|()| DefaultHasher::new()));
    while let Some(batch) = batches.try_next().await? {
        rows += batch.num_rows();
        for (column, hasher) in batch.columns().iter().zip(&mut hashers) {
            column.as_string_view().iter().for_each(|value| value.hash(hasher));
        }
    }
    println!("{rows} rows, hashes {:x?}", hashers.map(|hasher| hasher.finish()));
    Ok(())
}

//! Finds the ill-formed rows of a table, their errors, and their repaired text.

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;

/// The queries: the first creates the table, and the results of the others are printed.
const QUERIES: [&str; 4] = [
    "CREATE TABLE mail AS SELECT * FROM (VALUES
         (1, x'48656C6C6F'), (2, x'677265C39F'), (3, x'636166E9'),
         (4, x'6300E900'), (5, x'80203530')
     ) AS t(id, subject)",
    "SELECT count(*) AS damaged FROM mail WHERE NOT is_valid_utf8(subject)",
    "SELECT id, utf8_error(subject) AS error, detect_encoding(subject) AS encoding,
         decode_text(subject, 'auto', 'replace') AS text
     FROM mail WHERE NOT is_valid_utf8(subject) ORDER BY id",
    "SELECT detect_encoding(subject) AS encoding, count(*) AS rows
     FROM mail GROUP BY encoding ORDER BY encoding",
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut context = SessionContext::new();
    utflane_datafusion::register_all(&mut context)?;
    for query in QUERIES {
        let batches = context.sql(query).await?.collect().await?;
        if !query.starts_with("CREATE") {
            println!("{}", pretty_format_batches(&batches)?);
        }
    }
    Ok(())
}

//! The queries, and the sessions that run them: on the cluster, and in one process.

use std::path::Path;

use anyhow::{Context, Result};
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use datafusion::arrow::array::RecordBatch;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

use crate::functions;

/// A question to the table `texts`.
#[derive(Debug, Clone)]
pub struct Query {
    /// The question in English.
    pub title: String,
    /// The question in SQL.
    pub sql: String,
}

/// The questions: how many rows are bad, which and why, their repaired text, and the encodings of
/// the mixed column.
pub fn all() -> Vec<Query> {
    [
        (
            "How many rows are bad?",
            "SELECT count(*) AS all_rows, count(*) FILTER (WHERE NOT is_valid_utf8(text)) AS bad \
             FROM texts",
        ),
        (
            "Which rows are bad, and where?",
            "SELECT id, utf8_error(text) AS error FROM texts \
             WHERE NOT is_valid_utf8(text) ORDER BY id",
        ),
        (
            "What is their repaired text?",
            "SELECT id, make_valid_utf8(text) AS repaired FROM texts \
             WHERE NOT is_valid_utf8(text) ORDER BY id",
        ),
        (
            "What encodings has the mixed column?",
            "SELECT detect_encoding(mixed) AS encoding, count(*) AS number FROM texts \
             GROUP BY encoding ORDER BY number DESC, encoding",
        ),
    ]
    .map(|(title, sql)| Query { title: title.into(), sql: sql.into() })
    .into()
}

/// A session on the cluster with its scheduler on this port of this machine. A query is cut into
/// `partitions` parts at most, one task each.
pub async fn remote(scheduler_port: u16, partitions: usize) -> Result<SessionContext> {
    let config = SessionConfig::new_with_ballista()
        .with_target_partitions(partitions)
        // Where an executor is gone, the fetching of its results is given up after three tries.
        .set_str("ballista.client.io_retry_wait_time_ms", "200");
    let state = SessionStateBuilder::new().with_default_features().with_config(config).build();
    let url = format!("df://127.0.0.1:{scheduler_port}");
    let mut session = SessionContext::remote_with_state(&url, state).await?;
    functions::register(&mut session)?;
    Ok(session)
}

/// A session of plain DataFusion in this process.
pub fn local(partitions: usize) -> Result<SessionContext> {
    let config = SessionConfig::new().with_target_partitions(partitions);
    let mut session = SessionContext::new_with_config(config);
    functions::register(&mut session)?;
    Ok(session)
}

/// Names the Parquet files in a folder `texts`.
pub async fn register_table(session: &SessionContext, folder: &Path) -> Result<()> {
    let folder = folder.to_str().context("the folder's name is not UTF-8")?;
    Ok(session.register_parquet("texts", folder, ParquetReadOptions::default()).await?)
}

/// Runs a query, and waits for the whole answer.
pub async fn ask(session: &SessionContext, sql: &str) -> Result<Vec<RecordBatch>> {
    Ok(session.sql(sql).await?.collect().await?)
}

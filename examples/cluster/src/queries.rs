//! The queries, and the sessions that run them on the cluster or in one process.

use std::path::Path;

use anyhow::{Context, Result};
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use datafusion::arrow::array::RecordBatch;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

use crate::functions;

/// A query of the table `texts`.
#[derive(Debug, Clone)]
pub struct Query {
    /// The question in English.
    pub title: String,
    /// The question in SQL.
    pub sql: String,
}

/// Returns the default queries: how many rows are ill-formed, which rows and why, their repaired
/// text, and the encodings of the mixed column.
pub fn default_queries() -> Vec<Query> {
    [
        (
            "How many rows are ill-formed?",
            "SELECT count(*) AS all_rows, \
             count(*) FILTER (WHERE NOT is_valid_utf8(text)) AS ill_formed FROM texts",
        ),
        (
            "Which rows are ill-formed, and where?",
            "SELECT id, utf8_error(text) AS error FROM texts \
             WHERE NOT is_valid_utf8(text) ORDER BY id",
        ),
        (
            "What is the repaired text of these rows?",
            "SELECT id, make_valid_utf8(text) AS repaired FROM texts \
             WHERE NOT is_valid_utf8(text) ORDER BY id",
        ),
        (
            "Which encodings does the mixed column have?",
            "SELECT detect_encoding(mixed) AS encoding, count(*) AS number FROM texts \
             GROUP BY encoding ORDER BY number DESC, encoding",
        ),
    ]
    .map(|(title, sql)| Query { title: title.into(), sql: sql.into() })
    .into()
}

/// Returns a session on the cluster whose scheduler uses this port of this machine. A query is
/// split into at most `partitions` parts, with one task for each.
pub async fn connect_to_cluster(scheduler_port: u16, partitions: usize) -> Result<SessionContext> {
    let config = SessionConfig::new_with_ballista()
        .with_target_partitions(partitions)
        // This shortens the time until Ballista gives up fetching results from a lost executor: it
        // tries three times.
        .set_str("ballista.client.io_retry_wait_time_ms", "200");
    let state = SessionStateBuilder::new().with_default_features().with_config(config).build();
    let url = format!("df://127.0.0.1:{scheduler_port}");
    let mut session = SessionContext::remote_with_state(&url, state).await?;
    functions::register(&mut session)?;
    Ok(session)
}

/// Returns a session of plain DataFusion in this process.
pub fn local_session(partitions: usize) -> Result<SessionContext> {
    let config = SessionConfig::new().with_target_partitions(partitions);
    let mut session = SessionContext::new_with_config(config);
    functions::register(&mut session)?;
    Ok(session)
}

/// Registers the Parquet files of a folder as the table `texts`.
pub async fn register_table(session: &SessionContext, folder: &Path) -> Result<()> {
    let folder = folder.to_str().context("the folder's name is not UTF-8")?;
    Ok(session.register_parquet("texts", folder, ParquetReadOptions::default()).await?)
}

/// Runs a query, and waits for the whole answer.
pub async fn run_query(session: &SessionContext, sql: &str) -> Result<Vec<RecordBatch>> {
    Ok(session.sql(sql).await?.collect().await?)
}

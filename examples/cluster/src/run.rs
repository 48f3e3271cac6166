//! The command `run`: writes the files, starts the cluster, runs the queries, and prints the
//! answers and their costs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::SessionContext;
use tempfile::TempDir;

use crate::cluster::{Cluster, ClusterOptions, Usage, processor_seconds};
use crate::data::Table;
use crate::queries::{self, Query};
use crate::scheduler::EXECUTOR_TIMEOUT;

/// The maximum number of rows of an answer that are printed.
const MAX_PRINTED_ROWS: usize = 8;

/// Settings of the command `run`.
#[derive(Debug, Clone, clap::Args)]
pub struct RunOptions {
    /// The number of rows of the table.
    #[arg(long, default_value_t = 10_000_000)]
    rows: u64,
    /// The number of files of the table.
    #[arg(long, default_value_t = 32)]
    files: u64,
    /// The seed of the rows.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A folder for the files, which are kept and used again. Without this option, the files are
    /// removed.
    #[arg(long)]
    data: Option<PathBuf>,
    /// The number of executors. With 0, plain DataFusion runs the queries in this process.
    #[arg(long, default_value_t = 2)]
    executors: usize,
    /// The number of tasks that an executor runs at the same time.
    #[arg(long, default_value_t = 1)]
    cores: usize,
    /// The number of parts into which a query splits the table, with one task for each.
    #[arg(long, default_value_t = 16)]
    partitions: usize,
    /// Kills the last executor in the middle of the first query.
    #[arg(long)]
    kill: bool,
    /// A query of your own, for the table `texts` with `id`, `text` and `mixed`.
    #[arg(long)]
    sql: Vec<String>,
    /// The number of times that each query runs.
    #[arg(long, default_value_t = 1)]
    repeat: usize,
}

/// Runs the command.
pub async fn run(options: &RunOptions) -> Result<()> {
    ensure!(
        !options.kill || options.executors > 1,
        "--kill needs at least two executors, so that one remains"
    );
    let temporary = TempDir::with_prefix("utflane-cluster-data-")?;
    let folder = options.data.as_deref().unwrap_or(temporary.path());
    let table = Table { rows: options.rows, files: options.files, seed: options.seed };
    let start = Instant::now();
    let bytes = table.write(folder)?;
    println!(
        "{} rows, {} of them ill-formed, in {} files with {:.1} MB, written in {:.1} s",
        table.rows,
        table.count_ill_formed(),
        table.files,
        megabytes(bytes),
        start.elapsed().as_secs_f64()
    );
    let queries = match options.sql.is_empty() {
        true => queries::default_queries(),
        false => {
            options.sql.iter().map(|sql| Query { title: String::new(), sql: sql.clone() }).collect()
        }
    };
    if options.executors == 0 {
        let session = queries::local_session(options.partitions)?;
        queries::register_table(&session, folder).await?;
        println!("plain DataFusion in one process");
        return run_locally(&session, &queries, options.repeat).await;
    }
    run_on_cluster(options, folder, &queries).await
}

async fn run_locally(session: &SessionContext, queries: &[Query], repeat: usize) -> Result<()> {
    for query in queries {
        for repetition in 0..repeat {
            let (start, before) = (Instant::now(), processor_seconds("self"));
            let answer = queries::run_query(session, &query.sql).await?;
            let seconds = start.elapsed().as_secs_f64();
            if repetition == 0 {
                print_answer(query, &answer)?;
            }
            let used = processor_seconds("self").zip(before).map(|(after, before)| after - before);
            println!("{seconds:.2} s; processor time {}", Seconds(used));
        }
    }
    Ok(())
}

async fn run_on_cluster(options: &RunOptions, folder: &Path, queries: &[Query]) -> Result<()> {
    let program = std::env::current_exe()?;
    let mut cluster = Cluster::start(
        &program,
        &ClusterOptions {
            executors: options.executors,
            executors_without_functions: 0,
            cores: options.cores,
            executor_timeout: EXECUTOR_TIMEOUT,
            limit: 3600,
        },
    )?;
    let session = queries::connect_to_cluster(cluster.scheduler_port(), options.partitions).await?;
    queries::register_table(&session, folder).await?;
    println!(
        "a scheduler on port {} of 127.0.0.1 and {} executors, processes {:?}",
        cluster.scheduler_port(),
        cluster.executor_count(),
        cluster.process_ids()
    );
    for (index, query) in queries.iter().enumerate() {
        for repetition in 0..options.repeat {
            let (start, before) = (Instant::now(), cluster.usage()?);
            let client_before = processor_seconds("self");
            let running_query = tokio::spawn({
                let (session, sql) = (session.clone(), query.sql.clone());
                async move { queries::run_query(&session, &sql).await }
            });
            if options.kill && index == 0 && repetition == 0 {
                kill_after_a_task(&mut cluster, options.executors - 1).await?;
            }
            let answer = running_query.await.context("the query panicked")??;
            let seconds = start.elapsed().as_secs_f64();
            if repetition == 0 {
                print_answer(query, &answer)?;
            }
            let after = cluster.usage()?;
            let client_seconds =
                processor_seconds("self").zip(client_before).map(|(after, before)| after - before);
            print_usage(
                seconds,
                client_seconds,
                after.into_iter().zip(before).map(|(a, b)| a.since(b)),
            );
        }
    }
    Ok(())
}

/// Kills an executor after it has finished its first task. The result of this task is lost, and
/// probably also a task that the executor had begun.
async fn kill_after_a_task(cluster: &mut Cluster, executor: usize) -> Result<()> {
    while cluster.finished_tasks(executor).is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    cluster.kill(executor)?;
    println!("\nexecutor {} was killed after its first task", executor + 1);
    Ok(())
}

fn print_answer(query: &Query, answer: &[RecordBatch]) -> Result<()> {
    println!("\n{}\n{}", query.title, query.sql);
    let rows: usize = answer.iter().map(RecordBatch::num_rows).sum();
    let mut rows_left = MAX_PRINTED_ROWS;
    let first_rows: Vec<_> = answer
        .iter()
        .map(|batch| {
            let part = batch.slice(0, rows_left.min(batch.num_rows()));
            rows_left -= part.num_rows();
            part
        })
        .collect();
    println!("{}", pretty_format_batches(&first_rows)?);
    if rows > MAX_PRINTED_ROWS {
        println!("and {} more rows", rows - MAX_PRINTED_ROWS);
    }
    Ok(())
}

fn print_usage(seconds: f64, client_seconds: Option<f64>, used: impl Iterator<Item = Usage>) {
    print!("{seconds:.2} s; processor time: client {}", Seconds(client_seconds));
    for (process, usage) in used.enumerate() {
        if process == 0 {
            println!(", scheduler {}", Seconds(usage.processor_seconds));
            continue;
        }
        println!(
            "executor {process}: {} tasks, {:.1} MB of Parquet read, {:.3} MB sent, \
             processor time {}",
            usage.task_count,
            megabytes(usage.scanned_bytes),
            megabytes(usage.sent_bytes),
            Seconds(usage.processor_seconds)
        );
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// A time in seconds; `None` if the system doesn't report it.
struct Seconds(Option<f64>);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(seconds) => write!(f, "{seconds:.2} s"),
            None => write!(f, "unknown"),
        }
    }
}

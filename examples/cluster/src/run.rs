//! The command `run`: writes the files, starts the cluster, runs the queries, and prints answers
//! and costs.

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

/// Rows of an answer that are printed.
const PRINTED_ROWS: usize = 8;

/// Settings of the command `run`.
#[derive(Debug, Clone, clap::Args)]
pub struct RunOptions {
    /// Rows of the table.
    #[arg(long, default_value_t = 10_000_000)]
    rows: u64,
    /// Files of the table.
    #[arg(long, default_value_t = 32)]
    files: u64,
    /// The seed of the rows.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A folder for the files, which are kept there and used again. Without it they are removed.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Executors. With 0, plain DataFusion answers in this process.
    #[arg(long, default_value_t = 2)]
    executors: usize,
    /// Tasks that an executor runs at the same time.
    #[arg(long, default_value_t = 1)]
    cores: usize,
    /// Parts into which a query cuts the table, one task each.
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
    ensure!(!options.kill || options.executors > 1, "--kill needs an executor that is left");
    let temporary = TempDir::with_prefix("utflane-cluster-data-")?;
    let folder = options.data.as_deref().unwrap_or(temporary.path());
    let table = Table { rows: options.rows, files: options.files, seed: options.seed };
    let start = Instant::now();
    let bytes = table.write(folder)?;
    println!(
        "{} rows, {} of them damaged, in {} files with {:.1} MB, written in {:.1} s",
        table.rows,
        table.damaged(),
        table.files,
        megabytes(bytes),
        start.elapsed().as_secs_f64()
    );
    let queries = match options.sql.is_empty() {
        true => queries::all(),
        false => {
            options.sql.iter().map(|sql| Query { title: String::new(), sql: sql.clone() }).collect()
        }
    };
    if options.executors == 0 {
        let session = queries::local(options.partitions)?;
        queries::register_table(&session, folder).await?;
        println!("plain DataFusion in one process");
        return ask_locally(&session, &queries, options.repeat).await;
    }
    ask_cluster(options, folder, &queries).await
}

async fn ask_locally(session: &SessionContext, queries: &[Query], repeat: usize) -> Result<()> {
    for query in queries {
        for time in 0..repeat {
            let (start, before) = (Instant::now(), processor_seconds("self"));
            let answer = queries::ask(session, &query.sql).await?;
            let seconds = start.elapsed().as_secs_f64();
            if time == 0 {
                print_answer(query, &answer)?;
            }
            let used = processor_seconds("self").zip(before).map(|(after, before)| after - before);
            println!("{seconds:.2} s; processor time {}", Seconds(used));
        }
    }
    Ok(())
}

async fn ask_cluster(options: &RunOptions, folder: &Path, queries: &[Query]) -> Result<()> {
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
    let session = queries::remote(cluster.scheduler_port(), options.partitions).await?;
    queries::register_table(&session, folder).await?;
    println!(
        "a scheduler on port {} of 127.0.0.1 and {} executors, processes {:?}",
        cluster.scheduler_port(),
        cluster.executors(),
        cluster.process_ids()
    );
    for (index, query) in queries.iter().enumerate() {
        for time in 0..options.repeat {
            let (start, before) = (Instant::now(), cluster.usage()?);
            let client = processor_seconds("self");
            let asked = tokio::spawn({
                let (session, sql) = (session.clone(), query.sql.clone());
                async move { queries::ask(&session, &sql).await }
            });
            if options.kill && index == 0 && time == 0 {
                kill_after_a_task(&mut cluster, options.executors - 1).await?;
            }
            let answer = asked.await.context("the query panicked")??;
            let seconds = start.elapsed().as_secs_f64();
            if time == 0 {
                print_answer(query, &answer)?;
            }
            let after = cluster.usage()?;
            let client =
                processor_seconds("self").zip(client).map(|(after, before)| after - before);
            print_usage(seconds, client, after.into_iter().zip(before).map(|(a, b)| a.since(b)));
        }
    }
    Ok(())
}

/// Kills an executor once it has finished a task. Its result is lost then, and likely a task that
/// it had begun.
async fn kill_after_a_task(cluster: &mut Cluster, executor: usize) -> Result<()> {
    while cluster.tasks(executor).is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    cluster.kill(executor)?;
    println!("\nexecutor {} is killed after its first task", executor + 1);
    Ok(())
}

fn print_answer(query: &Query, answer: &[RecordBatch]) -> Result<()> {
    println!("\n{}\n{}", query.title, query.sql);
    let rows: usize = answer.iter().map(RecordBatch::num_rows).sum();
    let mut left = PRINTED_ROWS;
    let first: Vec<_> = answer
        .iter()
        .map(|batch| {
            let part = batch.slice(0, left.min(batch.num_rows()));
            left -= part.num_rows();
            part
        })
        .collect();
    println!("{}", pretty_format_batches(&first)?);
    if rows > PRINTED_ROWS {
        println!("and {} rows more", rows - PRINTED_ROWS);
    }
    Ok(())
}

fn print_usage(seconds: f64, client: Option<f64>, used: impl Iterator<Item = Usage>) {
    print!("{seconds:.2} s; processor time: client {}", Seconds(client));
    for (process, usage) in used.enumerate() {
        if process == 0 {
            println!(", scheduler {}", Seconds(usage.processor));
            continue;
        }
        println!(
            "executor {process}: {} tasks, {:.1} MB of Parquet read, {:.3} MB sent, \
             processor time {}",
            usage.tasks,
            megabytes(usage.scanned),
            megabytes(usage.sent),
            Seconds(usage.processor)
        );
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Seconds, if the system reports them.
struct Seconds(Option<f64>);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(seconds) => write!(f, "{seconds:.2} s"),
            None => write!(f, "unknown"),
        }
    }
}

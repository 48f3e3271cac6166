//! `utflane-cluster run`, or no command at all, does everything; the other commands are the
//! processes that it starts.

use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use tokio::runtime::Builder;
use utflane_cluster::{executor, run, scheduler};

/// Finds and repairs damaged text in Parquet, by SQL on a Ballista cluster on this machine.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Seconds after which the process ends, whatever it is doing.
    #[arg(long, global = true, default_value_t = 3600)]
    limit: u64,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Writes the Parquet files, starts a scheduler and executors, and runs the queries.
    Run(run::RunOptions),
    /// Is the scheduler of a cluster that `run` starts.
    Scheduler(scheduler::SchedulerOptions),
    /// Is one of the executors of a cluster that `run` starts.
    Executor(executor::ExecutorOptions),
}

fn main() -> Result<()> {
    env_logger::init();
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.len() == 1 {
        words.push("run".into());
    }
    let arguments = Arguments::parse_from(words);
    // Plans are walked recursively, and unoptimised code takes much stack for that.
    let runtime = Builder::new_multi_thread().enable_all().thread_stack_size(32 << 20).build()?;
    runtime.block_on(async {
        // On a thread of the runtime: the main thread has the stack that the system gives it.
        let work = tokio::spawn(async move {
            match arguments.command {
                Command::Run(options) => run::run(&options).await,
                Command::Scheduler(options) => scheduler::run(&options).await,
                Command::Executor(options) => executor::run(&options).await,
            }
        });
        // The processes and folders of unfinished work are dropped with the runtime.
        tokio::select! {
            result = work => result?,
            () = tokio::time::sleep(Duration::from_secs(arguments.limit)) => {
                bail!("ended after {} s, as --limit says", arguments.limit)
            }
            result = interruption() => {
                result?;
                bail!("interrupted")
            }
        }
    })
}

/// Waits for Ctrl-C, or on Unix for the request to end.
async fn interruption() -> Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            result = tokio::signal::ctrl_c() => result?,
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await?;
    Ok(())
}

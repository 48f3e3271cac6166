//! `utflane-cluster run`, which is the default command, writes the files, starts the cluster and
//! runs the queries. The other commands are the processes that `run` starts.

use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use tokio::runtime::Builder;
use utflane_cluster::{executor, run, scheduler};

/// Finds and repairs ill-formed text in Parquet files, with SQL on a Ballista cluster on this
/// machine.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The time in seconds after which the process ends, even if it has not finished.
    #[arg(long, global = true, default_value_t = 3600)]
    limit: u64,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Writes the Parquet files, starts a scheduler and executors, and runs the queries.
    Run(run::RunOptions),
    /// Runs the scheduler of a cluster; `run` starts it.
    Scheduler(scheduler::SchedulerOptions),
    /// Runs an executor of a cluster; `run` starts it.
    Executor(executor::ExecutorOptions),
}

fn main() -> Result<()> {
    env_logger::init();
    let mut command_line: Vec<_> = std::env::args_os().collect();
    if command_line.len() == 1 {
        command_line.push("run".into());
    }
    let arguments = Arguments::parse_from(command_line);
    // DataFusion visits plans recursively, and unoptimised code needs much stack for this.
    let runtime = Builder::new_multi_thread().enable_all().thread_stack_size(32 << 20).build()?;
    runtime.block_on(async {
        // The work runs on a thread of the runtime, because the system sets the stack size of the
        // main thread.
        let work = tokio::spawn(async move {
            match arguments.command {
                Command::Run(options) => run::run(&options).await,
                Command::Scheduler(options) => scheduler::run(&options).await,
                Command::Executor(options) => executor::run(&options).await,
            }
        });
        // If the work is unfinished, the runtime drops its processes and folders.
        tokio::select! {
            result = work => result?,
            () = tokio::time::sleep(Duration::from_secs(arguments.limit)) => {
                bail!("ended after {} s, the time that --limit sets", arguments.limit)
            }
            result = wait_for_interruption() => {
                result?;
                bail!("interrupted")
            }
        }
    })
}

/// Waits for Ctrl-C or, on Unix, for SIGTERM.
async fn wait_for_interruption() -> Result<()> {
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

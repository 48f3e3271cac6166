//! An executor's process.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use ballista_core::config::TaskSchedulingPolicy;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::ExecutorHealth;
use tokio::net::TcpListener;

use crate::engine::ReportingEngine;
use crate::events::{self, Event};
use crate::flight::{self, Counter};
use crate::functions;
use crate::heartbeat;

/// Settings of an executor.
#[derive(Debug, Clone, clap::Args)]
pub struct ExecutorOptions {
    /// The port of the scheduler on this machine.
    #[arg(long)]
    pub scheduler_port: u16,
    /// Tasks that run at the same time.
    #[arg(long, default_value_t = 1)]
    pub cores: usize,
    /// The folder for the results of tasks.
    #[arg(long)]
    pub folder: PathBuf,
    /// Leaves utflane's functions out, to see the error.
    #[arg(long)]
    pub without_functions: bool,
}

/// Runs an executor on loopback, on a port that the system chooses, until the process ends.
pub async fn run(options: &ExecutorOptions) -> Result<()> {
    let sent = Counter::default();
    let sent_by_server = sent.clone();
    events::end_with_parent(move |request| {
        if request == events::REQUEST_SENT {
            events::emit(&Event::Sent { bytes: sent.load(Ordering::Relaxed) });
        }
    });
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let health = ExecutorHealth::new();
    let folder = options.folder.to_str().context("the folder's name is not UTF-8")?;
    let config = ExecutorProcessConfig {
        external_host: Some("127.0.0.1".into()),
        port: listener.local_addr()?.port(),
        // Of the server for pushed tasks, which is not started.
        grpc_port: 0,
        scheduler_host: "127.0.0.1".into(),
        scheduler_port: options.scheduler_port,
        vcores: options.cores,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        work_dir: Some(folder.into()),
        override_execution_engine: Some(Arc::new(ReportingEngine::default())),
        override_function_registry: match options.without_functions {
            true => None,
            false => Some(functions::executor_registry()?),
        },
        override_arrow_flight_service: Some(flight::provider(listener, sent_by_server)),
        health: health.clone(),
        ..ExecutorProcessConfig::default()
    };
    let config = Arc::new(config);
    tokio::spawn({
        let config = config.clone();
        async move {
            while !health.is_ready() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            events::emit(&Event::Ready);
            heartbeat::send_all(&config).await;
        }
    });
    Ok(start_executor_process(config).await?)
}

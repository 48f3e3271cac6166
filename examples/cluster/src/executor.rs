//! The process of an executor.

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
    /// The number of tasks that run at the same time.
    #[arg(long, default_value_t = 1)]
    pub cores: usize,
    /// The folder for the results of tasks.
    #[arg(long)]
    pub folder: PathBuf,
    /// Leaves out utflane's functions, to show the error.
    #[arg(long)]
    pub without_functions: bool,
}

/// Runs an executor on the loopback interface until the process ends. The system chooses the port.
pub async fn run(options: &ExecutorOptions) -> Result<()> {
    let sent_bytes = Counter::default();
    let server_counter = sent_bytes.clone();
    events::serve_parent(move |request| {
        if request == events::SENT_BYTES_REQUEST {
            events::emit(&Event::Sent { bytes: sent_bytes.load(Ordering::Relaxed) });
        }
    });
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let health = ExecutorHealth::new();
    let folder = options.folder.to_str().context("the folder's name is not UTF-8")?;
    let config = ExecutorProcessConfig {
        external_host: Some("127.0.0.1".into()),
        port: listener.local_addr()?.port(),
        // This is the port of the server for pushed tasks, which is not started.
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
        override_arrow_flight_service: Some(flight::provide_server(listener, server_counter)),
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
            heartbeat::send_heartbeats(&config).await;
        }
    });
    Ok(start_executor_process(config).await?)
}

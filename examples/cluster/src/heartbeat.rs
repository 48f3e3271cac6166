//! Sends heartbeats of an executor more often than Ballista does.
//!
//! An executor that pulls its tasks reports when it polls for a task, and every 5 seconds while it
//! is busy, which is a constant of Ballista 55. A scheduler with a shorter timeout would remove
//! healthy executors. So this module sends additional heartbeats. Tasks run on separate threads,
//! and don't delay the heartbeats.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{ExecutorStatus, HeartBeatParams, executor_status::Status};
use ballista_executor::executor_process::{ExecutorProcessConfig, structure_executor_metadata};
use tonic::transport::Channel;

/// The time between two heartbeats.
const INTERVAL: Duration = Duration::from_millis(500);

/// Sends heartbeats until the process ends, whether the scheduler answers or not.
pub async fn send_heartbeats(config: &Arc<ExecutorProcessConfig>) {
    let url = format!("http://{}:{}", config.scheduler_host, config.scheduler_port);
    let Ok(endpoint) = Channel::from_shared(url) else { return };
    // The first heartbeat opens the connection. If the connection is lost, the next heartbeat opens
    // it again.
    let mut scheduler = SchedulerGrpcClient::new(endpoint.connect_lazy());
    let heartbeat = make_heartbeat(config);
    loop {
        // The error is ignored: Ballista's own heartbeats then fail too, and write to the log.
        let _ = scheduler.heart_beat_from_executor(heartbeat.clone()).await;
        tokio::time::sleep(INTERVAL).await;
    }
}

fn make_heartbeat(config: &Arc<ExecutorProcessConfig>) -> HeartBeatParams {
    HeartBeatParams {
        executor_id: config.executor_id.clone(),
        metrics: Vec::new(),
        status: Some(ExecutorStatus { status: Some(Status::Active(String::new())) }),
        metadata: Some(structure_executor_metadata(config, config.vcores as u32)),
    }
}

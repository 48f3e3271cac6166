//! Heartbeats of an executor, more often than Ballista's.
//!
//! An executor that pulls its tasks reports when it polls for a task, and while it is busy every 5
//! seconds: a constant of Ballista 55. A scheduler that gives up silent executors sooner would end
//! healthy ones. So these heartbeats are sent in addition. Tasks have separate threads, and don't
//! delay them.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{ExecutorStatus, HeartBeatParams, executor_status::Status};
use ballista_executor::executor_process::{ExecutorProcessConfig, structure_executor_metadata};
use tonic::transport::Channel;

/// The time from a heartbeat to the next one.
const INTERVAL: Duration = Duration::from_millis(500);

/// Sends heartbeats as long as the process lives. If the scheduler doesn't answer, the heartbeat is
/// repeated.
pub async fn send_all(config: &Arc<ExecutorProcessConfig>) {
    let url = format!("http://{}:{}", config.scheduler_host, config.scheduler_port);
    let Ok(endpoint) = Channel::from_shared(url) else { return };
    // The connection is made with the first heartbeat, and again when it is lost.
    let mut scheduler = SchedulerGrpcClient::new(endpoint.connect_lazy());
    let heartbeat = heartbeat(config);
    loop {
        // Ballista's own report, which fails too then, writes to the log.
        let _ = scheduler.heart_beat_from_executor(heartbeat.clone()).await;
        tokio::time::sleep(INTERVAL).await;
    }
}

fn heartbeat(config: &Arc<ExecutorProcessConfig>) -> HeartBeatParams {
    HeartBeatParams {
        executor_id: config.executor_id.clone(),
        metrics: Vec::new(),
        status: Some(ExecutorStatus { status: Some(Status::Active(String::new())) }),
        metadata: Some(structure_executor_metadata(config, config.vcores as u32)),
    }
}

//! The process of the scheduler.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Result;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tokio::net::{TcpListener, TcpSocket};

use crate::events::{self, Event};
use crate::functions;

/// The time in seconds after which the scheduler removes a silent executor: the time of a few
/// [heartbeats](crate::heartbeat).
pub const EXECUTOR_TIMEOUT: u64 = 2;

/// Settings of a scheduler.
#[derive(Debug, Clone, clap::Args)]
pub struct SchedulerOptions {
    /// The time in seconds after which a silent executor is removed, and other executors run its
    /// tasks.
    #[arg(long, default_value_t = EXECUTOR_TIMEOUT)]
    pub executor_timeout: u64,
}

/// Runs a scheduler on the loopback interface until the process ends. The system chooses the port.
pub async fn run(options: &SchedulerOptions) -> Result<()> {
    events::serve_parent(|_| ());
    let listener = listen()?;
    let port = listener.local_addr()?.port();
    let config = SchedulerConfig {
        external_host: "127.0.0.1".into(),
        bind_port: port,
        // Executors poll for tasks. They need no port for this, and if a task can't be decoded, the
        // query fails with the reason. A pushed task would only be "rejected by executor".
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        executor_timeout_seconds: options.executor_timeout,
        no_executors_grace_period_seconds: options.executor_timeout,
        expire_dead_executor_interval_seconds: 1,
        override_session_builder: Some(Arc::new(functions::session_state)),
        ..SchedulerConfig::default()
    };
    config.validate()?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler =
        create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config)).await?;
    events::emit(&Event::Listening { port });
    Ok(start_grpc_service_with_listener(listener, scheduler).await?)
}

/// Listens on the loopback interface, on a port that the system chooses.
///
/// On Linux, the connections inherit `TCP_NODELAY`, so that small messages are sent immediately.
/// Without it, an answer to an executor waits 40 milliseconds for the acknowledgement of the
/// message before it.
fn listen() -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_nodelay(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
    socket.listen(1024)
}

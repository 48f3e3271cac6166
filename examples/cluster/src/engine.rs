//! The execution engine of an executor: Ballista's engine, which also reports each task.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::serde::protobuf::{
    RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats, WindowStateReport,
};
use ballista_executor::execution_engine::{
    DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor,
};
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::prelude::SessionConfig;

use crate::events::{self, Event, TaskReport};

/// Ballista's execution engine, which reports each task as an [`Event::Task`].
#[derive(Default)]
pub struct ReportingEngine(DefaultExecutionEngine);

impl ExecutionEngine for ReportingEngine {
    fn create_query_stage_exec(
        &self,
        job: JobId,
        stage: usize,
        task: usize,
        partitions: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        let inner = self.0.create_query_stage_exec(
            job.clone(),
            stage,
            task,
            partitions,
            plan,
            work_dir,
            config,
        )?;
        Ok(Arc::new(ReportedStage { inner, job: job.to_string(), stage }))
    }
}

/// A stage of a query that reports each of its tasks.
#[derive(Debug)]
struct ReportedStage {
    inner: Arc<dyn QueryStageExecutor>,
    job: String,
    stage: usize,
}

impl fmt::Display for ReportedStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

#[async_trait]
impl QueryStageExecutor for ReportedStage {
    async fn execute_query_stage(
        &self,
        task: usize,
        context: Arc<TaskContext>,
    ) -> Result<Vec<ShuffleWritePartition>> {
        let result = self.inner.execute_query_stage(task, context).await;
        let metrics = self.inner.collect_plan_metrics();
        let scanned = metrics.iter().filter_map(|set| set.sum_by_name("bytes_scanned"));
        events::emit(&Event::Task(TaskReport {
            job: self.job.clone(),
            stage: self.stage,
            task,
            scanned_bytes: scanned.map(|bytes| bytes.as_usize() as u64).sum(),
            rows: result.iter().flatten().map(|partition| partition.num_rows).sum(),
            error: result.as_ref().err().map(ToString::to_string),
        }));
        result
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        self.inner.collect_plan_metrics()
    }

    fn collect_runtime_stats_reports(&self) -> Vec<RuntimeStatsReport> {
        self.inner.collect_runtime_stats_reports()
    }

    fn collect_window_state_reports(&self) -> Result<Vec<WindowStateReport>> {
        self.inner.collect_window_state_reports()
    }

    fn collect_column_stats(&self) -> Vec<TaskColumnStats> {
        self.inner.collect_column_stats()
    }
}

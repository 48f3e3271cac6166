//! Finds and repairs ill-formed text in Parquet files with SQL on a Ballista cluster: a scheduler
//! and executors run as separate processes on the loopback interface, each with utflane's SQL
//! functions.
//!
//! * `data` generates the rows.
//! * `scheduler` and `executor` run as the processes, with the SQL functions from `functions`.
//! * `engine` is the execution engine of an executor, which reports each task.
//! * `flight` is the server of an executor's results, which counts the bytes that it sends.
//! * `events` defines the lines of these reports.
//! * `heartbeat` lets the scheduler notice soon that an executor is lost.
//! * `cluster` starts and ends the processes, `queries` runs the queries, and `run` prints the
//!   answers and their costs.

pub mod cluster;
pub mod data;
pub mod engine;
pub mod events;
pub mod executor;
pub mod flight;
pub mod functions;
pub mod heartbeat;
pub mod queries;
pub mod run;
pub mod scheduler;

//! Damaged text in Parquet, found and repaired by SQL on a Ballista cluster: a scheduler and
//! executors as separate processes on loopback, each with utflane's SQL functions.
//!
//! `data` makes the rows. `scheduler` and `executor` run in the processes, with the SQL functions
//! from `functions`; `engine` and `flight` let an executor report its work in lines of `events`.
//! `cluster` starts and ends the processes, `queries` runs the queries, and `run` prints the
//! answers and their costs. `heartbeat` lets a lost executor be missed soon.

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

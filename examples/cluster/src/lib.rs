//! Finds and repairs ill-formed text in Parquet files with SQL on a Ballista cluster: a scheduler
//! and executors run as separate processes on the loopback interface, each with utflane's SQL
//! functions.
//!
//! `data` generates the rows. `scheduler` and `executor` run in the processes, with the SQL
//! functions from `functions`. With `engine` and `flight`, an executor reports its work, in lines
//! that `events` defines. `cluster` starts and ends the processes, `queries` runs the queries, and
//! `run` prints the answers and their costs. With `heartbeat`, the scheduler soon notices that an
//! executor is lost.

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

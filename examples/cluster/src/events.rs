//! The lines with which the processes of the cluster report to their parent: an event in JSON in
//! each line of standard output.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

/// An event of a process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Event {
    /// The scheduler listens on this port.
    Listening {
        /// The port, chosen by the system.
        port: u16,
    },
    /// The scheduler knows the executor.
    Ready,
    /// An executor finished a task.
    Task(TaskReport),
    /// The bytes that an executor sent to others and to the client, all in all, on request.
    Sent {
        /// Bytes of its Arrow Flight server, as they went through the sockets.
        bytes: u64,
    },
}

/// A task that an executor finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskReport {
    /// The job, as the scheduler names it.
    pub job: String,
    /// The stage of the job.
    pub stage: usize,
    /// The task of the stage.
    pub task: usize,
    /// Bytes of Parquet that it read.
    pub scanned_bytes: u64,
    /// Rows that it wrote for the next stage.
    pub rows: u64,
    /// The error, if it failed.
    pub error: Option<String>,
}

/// The request for [`Event::Sent`], a line of standard input.
pub const REQUEST_SENT: &str = "sent";

/// Writes an event. Where nobody reads it any more, nothing is left to do.
pub fn emit(event: &Event) {
    let line = serde_json::to_string(event).expect("an event has a JSON form");
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Ends this process when its parent has ended, for any reason: its end of standard input is closed
/// then. Each line before that is handed to `request`.
pub fn end_with_parent(request: impl Fn(&str) + Send + 'static) {
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            match line {
                Ok(line) => request(&line),
                Err(_) => break,
            }
        }
        std::process::exit(0);
    });
}

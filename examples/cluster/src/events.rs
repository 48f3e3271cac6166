//! The events that the processes of the cluster report to their parent. Each line of their standard
//! output is an event in JSON.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

/// An event that a process reports.
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
    /// The answer to [`SENT_BYTES_REQUEST`]: the amount of data that an executor has sent to other
    /// executors and to the client since its start.
    Sent {
        /// The number of bytes that the sockets of the executor's Arrow Flight server have sent.
        bytes: u64,
    },
}

/// A task that an executor finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskReport {
    /// The scheduler's identifier of the job.
    pub job: String,
    /// The number of the stage in the job.
    pub stage: usize,
    /// The number of the task in the stage.
    pub task: usize,
    /// The number of bytes of Parquet that the task read.
    pub scanned_bytes: u64,
    /// The number of rows that the task wrote for the next stage.
    pub rows: u64,
    /// The error message, if the task failed.
    pub error: Option<String>,
}

/// The line of standard input that requests [`Event::Sent`].
pub const SENT_BYTES_REQUEST: &str = "sent";

/// Writes an event to standard output. Errors are ignored, because they mean that the parent has
/// ended.
pub fn emit(event: &Event) {
    let line = serde_json::to_string(event).expect("every event can be written as JSON");
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Calls `handle_request` with each line that the parent process sends to standard input. Ends this
/// process when the parent has ended for any reason, because its end of the pipe is then closed.
pub fn serve_parent(handle_request: impl Fn(&str) + Send + 'static) {
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            match line {
                Ok(line) => handle_request(&line),
                Err(_) => break,
            }
        }
        std::process::exit(0);
    });
}

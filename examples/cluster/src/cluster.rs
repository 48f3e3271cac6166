//! Starts and watches the processes of a cluster, kills them on request, and ends them when their
//! owner is dropped.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::events::{Event, SENT_BYTES_REQUEST, TaskReport};

/// The maximum time for a process to start, or to answer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The options for starting a cluster.
#[derive(Debug, Clone)]
pub struct ClusterOptions {
    /// The number of executors with utflane's functions.
    pub executors: usize,
    /// The number of executors without utflane's functions. They are started after the others.
    pub executors_without_functions: usize,
    /// The number of tasks that an executor runs at the same time.
    pub cores: usize,
    /// The time in seconds after which the scheduler removes a silent executor.
    pub executor_timeout: u64,
    /// The time in seconds after which each process ends by itself.
    pub limit: u64,
}

/// A scheduler and executors on the loopback interface. All processes end when this value is
/// dropped.
pub struct Cluster {
    executors: Vec<Process>,
    scheduler: Process,
    port: u16,
    // The parent of the executors' folders. This is the last field, so that the folders are removed
    // after the processes have ended.
    _folders: TempDir,
}

impl Cluster {
    /// Starts the processes from `program`, the binary of this package, and waits until the
    /// scheduler knows all executors.
    pub fn start(program: &Path, options: &ClusterOptions) -> Result<Self> {
        let folders = TempDir::with_prefix("utflane-cluster-")?;
        let limit = options.limit.to_string();
        let timeout = options.executor_timeout.to_string();
        let scheduler = Process::start(
            program,
            &["--limit", &limit, "scheduler", "--executor-timeout", &timeout],
        )?;
        let port = scheduler.wait("the scheduler", |event| match event {
            Event::Listening { port } => Some(*port),
            _ => None,
        })?;
        let mut executors = Vec::new();
        for index in 0..options.executors + options.executors_without_functions {
            let folder = folders.path().join(format!("executor-{}", index + 1));
            std::fs::create_dir(&folder)?;
            let folder = folder.to_str().context("the temporary folder's name is not UTF-8")?;
            let (port, cores) = (port.to_string(), options.cores.to_string());
            let mut arguments = vec!["--limit", &limit, "executor", "--scheduler-port", &port];
            arguments.extend(["--cores", &cores, "--folder", folder]);
            if index >= options.executors {
                arguments.push("--without-functions");
            }
            executors.push(Process::start(program, &arguments)?);
        }
        for executor in &executors {
            executor.wait("an executor", |event| matches!(event, Event::Ready).then_some(()))?;
        }
        Ok(Self { executors, scheduler, port, _folders: folders })
    }

    /// Returns the port of the scheduler on the loopback interface.
    pub fn scheduler_port(&self) -> u16 {
        self.port
    }

    /// Returns the number of executors that were started.
    pub fn executor_count(&self) -> usize {
        self.executors.len()
    }

    /// Returns reports of the tasks that an executor has finished.
    pub fn finished_tasks(&self, executor: usize) -> Vec<TaskReport> {
        self.executors[executor].collect_events(|event| match event {
            Event::Task(report) => Some(report.clone()),
            _ => None,
        })
    }

    /// Ends an executor immediately (SIGKILL on Unix). It cannot notify the scheduler.
    pub fn kill(&mut self, executor: usize) -> Result<()> {
        self.executors[executor].kill()
    }

    /// Returns the process identifiers of the scheduler and then of the executors.
    pub fn process_ids(&self) -> Vec<u32> {
        self.processes().map(|process| process.child.id()).collect()
    }

    /// Returns the resources that the scheduler and then the executors have used so far.
    pub fn usage(&mut self) -> Result<Vec<Usage>> {
        let mut usage = vec![Usage::of_scheduler(&self.scheduler)];
        for executor in &mut self.executors {
            usage.push(executor.usage()?);
        }
        Ok(usage)
    }

    fn processes(&self) -> impl Iterator<Item = &Process> {
        std::iter::once(&self.scheduler).chain(&self.executors)
    }
}

/// The resources that a process has used since it started.
#[derive(Debug, Clone, Copy, Default)]
pub struct Usage {
    /// The processor time in seconds; `None` if the system doesn't report it.
    pub processor_seconds: Option<f64>,
    /// The number of tasks that the process finished.
    pub task_count: usize,
    /// The number of bytes of Parquet that the process read.
    pub scanned_bytes: u64,
    /// The number of bytes that the process sent to other executors and to the client.
    pub sent_bytes: u64,
}

impl Usage {
    fn of_scheduler(process: &Process) -> Self {
        Self {
            processor_seconds: processor_seconds(&process.child.id().to_string()),
            ..Self::default()
        }
    }

    /// Returns the resources used since `before` was measured.
    pub fn since(self, before: Self) -> Self {
        Self {
            processor_seconds: self
                .processor_seconds
                .zip(before.processor_seconds)
                .map(|(after, before)| after - before),
            task_count: self.task_count - before.task_count,
            scanned_bytes: self.scanned_bytes - before.scanned_bytes,
            sent_bytes: self.sent_bytes - before.sent_bytes,
        }
    }
}

/// Returns the processor time of a process in seconds, from Linux's /proc. `process` is its
/// identifier, or `self` for this process.
pub fn processor_seconds(process: &str) -> Option<f64> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, which may have spaces, ends with this parenthesis. Fields 12 and 13
    // after it are the time in user mode and in the kernel, in ticks of 1/100 s on every
    // architecture.
    let mut fields = line.rsplit_once(") ")?.1.split(' ').skip(11);
    let mut next_time = || fields.next()?.parse::<f64>().ok();
    Some((next_time()? + next_time()?) / 100.0)
}

/// A process of the cluster, with the events that it has reported.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    events: Arc<Events>,
    last_usage: Usage,
}

#[derive(Default)]
struct Events {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    events: Vec<Event>,
    ended: bool,
}

impl Events {
    fn update(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().expect("no thread panics while it holds the lock"));
        self.changed.notify_all();
    }
}

impl Process {
    fn start(program: &Path, arguments: &[&str]) -> Result<Self> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| program.display().to_string())?;
        let output = child.stdout.take().context("the output is a pipe")?;
        let events = Arc::new(Events::default());
        let thread_events = events.clone();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                match serde_json::from_str(&line) {
                    Ok(event) => thread_events.update(|state| state.events.push(event)),
                    // This line is not an event. Something else in the process wrote it.
                    Err(_) => eprintln!("{line}"),
                }
            }
            thread_events.update(|state| state.ended = true);
        });
        let input = child.stdin.take();
        Ok(Self { child, input, events, last_usage: Usage::default() })
    }

    /// Returns what `pick` returns for the events that it accepts.
    fn collect_events<T>(&self, pick: impl FnMut(&Event) -> Option<T>) -> Vec<T> {
        let state = self.events.state.lock().expect("no thread panics while it holds the lock");
        state.events.iter().filter_map(pick).collect()
    }

    /// Waits for an event that `pick` accepts, among all events of the process.
    fn wait<T>(&self, name: &str, pick: impl FnMut(&Event) -> Option<T>) -> Result<T> {
        self.wait_after(0, name, pick)
    }

    /// Waits for an event that `pick` accepts, after the first `known_count` events.
    fn wait_after<T>(
        &self,
        known_count: usize,
        name: &str,
        mut pick: impl FnMut(&Event) -> Option<T>,
    ) -> Result<T> {
        let end = Instant::now() + TIMEOUT;
        let mut state = self.events.state.lock().expect("no thread panics while it holds the lock");
        loop {
            if let Some(found) = state.events.iter().skip(known_count).find_map(&mut pick) {
                return Ok(found);
            }
            let time_left = end.saturating_duration_since(Instant::now());
            if state.ended {
                bail!("{name} has ended; RUST_LOG=info shows the reason");
            }
            if time_left.is_zero() {
                bail!("{name} did not answer within {} s", TIMEOUT.as_secs());
            }
            state = self
                .events
                .changed
                .wait_timeout(state, time_left)
                .expect("no thread panics while it holds the lock")
                .0;
        }
    }

    /// Returns the resources that an executor has used. For a killed executor, these are the last
    /// known values.
    fn usage(&mut self) -> Result<Usage> {
        let mut sent_bytes = None;
        if let Some(input) = &mut self.input {
            let known_count = self
                .events
                .state
                .lock()
                .expect("no thread panics while it holds the lock")
                .events
                .len();
            writeln!(input, "{SENT_BYTES_REQUEST}")?;
            // The answer to this request comes after all events that have already been reported.
            sent_bytes =
                Some(self.wait_after(known_count, "an executor", |event| match event {
                    Event::Sent { bytes } => Some(*bytes),
                    _ => None,
                })?);
        }
        Ok(self.update_usage(sent_bytes))
    }

    /// Updates and returns the last known usage. Without `sent_bytes`, the last known number stays.
    fn update_usage(&mut self, sent_bytes: Option<u64>) -> Usage {
        let scanned_by_task = self.collect_events(|event| match event {
            Event::Task(report) => Some(report.scanned_bytes),
            _ => None,
        });
        self.last_usage = Usage {
            processor_seconds: processor_seconds(&self.child.id().to_string())
                .or(self.last_usage.processor_seconds),
            task_count: scanned_by_task.len(),
            scanned_bytes: scanned_by_task.iter().sum(),
            sent_bytes: sent_bytes.unwrap_or(self.last_usage.sent_bytes),
        };
        self.last_usage
    }

    fn kill(&mut self) -> Result<()> {
        self.update_usage(None);
        self.input = None;
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // These calls do nothing if the process has ended and its status has been collected.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

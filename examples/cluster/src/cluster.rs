//! The processes: started, watched, killed, and ended with the value that owns them.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::events::{Event, REQUEST_SENT, TaskReport};

/// The longest time for a process to start, or to answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a cluster is started.
#[derive(Debug, Clone)]
pub struct ClusterOptions {
    /// Executors with utflane's functions.
    pub executors: usize,
    /// Executors that are started without them, after the others.
    pub executors_without_functions: usize,
    /// Tasks that an executor runs at the same time.
    pub cores: usize,
    /// Seconds after which a silent executor is given up.
    pub executor_timeout: u64,
    /// Seconds after which each process ends by itself.
    pub limit: u64,
}

/// A scheduler and executors on loopback. All of them end when this is dropped.
pub struct Cluster {
    executors: Vec<Process>,
    scheduler: Process,
    port: u16,
    // The executors' folders, one for each. After the processes, so that it is removed last.
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

    /// The port of the scheduler on loopback.
    pub fn scheduler_port(&self) -> u16 {
        self.port
    }

    /// The number of executors that were started.
    pub fn executors(&self) -> usize {
        self.executors.len()
    }

    /// The tasks that an executor has finished.
    pub fn tasks(&self, executor: usize) -> Vec<TaskReport> {
        self.executors[executor].collect(|event| match event {
            Event::Task(report) => Some(report.clone()),
            _ => None,
        })
    }

    /// Ends an executor at once, without a chance to say goodbye (SIGKILL on Unix).
    pub fn kill(&mut self, executor: usize) -> Result<()> {
        self.executors[executor].kill()
    }

    /// The process identifiers: the scheduler's, then the executors'.
    pub fn process_ids(&self) -> Vec<u32> {
        self.processes().map(|process| process.child.id()).collect()
    }

    /// The resources that the processes have used so far: the scheduler, then the executors.
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
    /// Seconds of processor time; `None` if the system doesn't report it.
    pub processor: Option<f64>,
    /// Tasks that it finished.
    pub tasks: usize,
    /// Bytes of Parquet that it read.
    pub scanned: u64,
    /// Bytes that it sent to other executors and to the client.
    pub sent: u64,
}

impl Usage {
    fn of_scheduler(process: &Process) -> Self {
        Self { processor: processor_seconds(&process.child.id().to_string()), ..Self::default() }
    }

    /// The resources used since `before`.
    pub fn since(self, before: Self) -> Self {
        Self {
            processor: self.processor.zip(before.processor).map(|(after, before)| after - before),
            tasks: self.tasks - before.tasks,
            scanned: self.scanned - before.scanned,
            sent: self.sent - before.sent,
        }
    }
}

/// Seconds of processor time of a process, `self` being this one, from Linux's /proc.
pub fn processor_seconds(process: &str) -> Option<f64> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before this parenthesis may have spaces. After it, the fields 12 and 13 are the
    // time in user mode and in the kernel, in hundredths of a second on all processors.
    let mut fields = line.rsplit_once(") ")?.1.split(' ').skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}

/// A process, with the events that it has reported.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    events: Arc<Events>,
    last: Usage,
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
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().expect("nothing panics with the lock"));
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
        let written = events.clone();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                match serde_json::from_str(&line) {
                    Ok(event) => written.change(|state| state.events.push(event)),
                    // Not ours: something in the process wrote to standard output.
                    Err(_) => eprintln!("{line}"),
                }
            }
            written.change(|state| state.ended = true);
        });
        let input = child.stdin.take();
        Ok(Self { child, input, events, last: Usage::default() })
    }

    fn collect<T>(&self, pick: impl FnMut(&Event) -> Option<T>) -> Vec<T> {
        let state = self.events.state.lock().expect("nothing panics with the lock");
        state.events.iter().filter_map(pick).collect()
    }

    /// Waits until an event is there that `pick` takes.
    fn wait<T>(&self, name: &str, pick: impl FnMut(&Event) -> Option<T>) -> Result<T> {
        self.wait_after(0, name, pick)
    }

    /// Waits until an event is there that `pick` takes, after the first `known` ones.
    fn wait_after<T>(
        &self,
        known: usize,
        name: &str,
        mut pick: impl FnMut(&Event) -> Option<T>,
    ) -> Result<T> {
        let end = Instant::now() + PATIENCE;
        let mut state = self.events.state.lock().expect("nothing panics with the lock");
        loop {
            if let Some(found) = state.events.iter().skip(known).find_map(&mut pick) {
                return Ok(found);
            }
            let left = end.saturating_duration_since(Instant::now());
            if state.ended {
                bail!("{name} has ended; RUST_LOG=info shows why");
            }
            if left.is_zero() {
                bail!("{name} did not answer within {} s", PATIENCE.as_secs());
            }
            state =
                self.events.changed.wait_timeout(state, left).expect("no panic with the lock").0;
        }
    }

    /// The resources that an executor has used; for a killed executor, the last known ones.
    fn usage(&mut self) -> Result<Usage> {
        let mut sent = None;
        if let Some(input) = &mut self.input {
            let known =
                self.events.state.lock().expect("nothing panics with the lock").events.len();
            writeln!(input, "{REQUEST_SENT}")?;
            // The answer to this request is after all events that are there already.
            sent = Some(self.wait_after(known, "an executor", |event| match event {
                Event::Sent { bytes } => Some(*bytes),
                _ => None,
            })?);
        }
        Ok(self.remember(sent))
    }

    fn remember(&mut self, sent: Option<u64>) -> Usage {
        let tasks = self.collect(|event| match event {
            Event::Task(report) => Some(report.scanned_bytes),
            _ => None,
        });
        self.last = Usage {
            processor: processor_seconds(&self.child.id().to_string()).or(self.last.processor),
            tasks: tasks.len(),
            scanned: tasks.iter().sum(),
            sent: sent.unwrap_or(self.last.sent),
        };
        self.last
    }

    fn kill(&mut self) -> Result<()> {
        self.remember(None);
        self.input = None;
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both do nothing for a process that has ended and was waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! Several files at once, and what is said of them in the order in which they were named.
//!
//! A thread takes the next file when it is done with one. Whose turn it is writes straight; the others keep what they
//! have to say, up to a limit, and wait there. So memory doesn't grow with what is said, either.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::json;

use crate::args::Several;
use crate::finding::{json_line, name};
use crate::progress;
use crate::report::{self, Status};

/// Bytes that are kept of what is said about a file.
const MOST: usize = 64 * 1024;

/// Works on files, several at once; the status of the worst.
///
/// An error of `work` is trouble with its file. It is told on standard error, and with `json` on standard output as well.
pub(crate) fn each(
    Several { files, jobs }: &Several,
    json: bool,
    work: impl Fn(usize, &mut Pen) -> io::Result<()> + Sync,
) -> Status {
    let desk = Desk::new(files, json);
    let threads = threads(files, *jobs);
    if threads == 1 {
        desk.serve(&work);
    } else {
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| desk.serve(&work));
            }
        });
    }
    desk.end()
}

/// How many threads are of use.
fn threads(files: &[PathBuf], jobs: Option<NonZero<usize>>) -> usize {
    // Who names standard input twice wants the second to be empty, not either of them.
    if files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return 1;
    }
    let jobs = jobs.or_else(|| thread::available_parallelism().ok());
    jobs.map_or(1, NonZero::get).min(files.len())
}

/// Where the threads take their files, and write.
struct Desk<'a> {
    files: &'a [PathBuf],
    /// Whether trouble is told as JSON, too.
    json: bool,
    next: AtomicUsize,
    state: Mutex<State>,
    turned: Condvar,
}

struct State {
    /// The file whose turn it is.
    turn: usize,
    /// What is to be said of files that are done before it was their turn.
    done: BTreeMap<usize, Said>,
    status: Status,
    /// Why nothing more can be written.
    failure: Option<io::Error>,
}

/// What is said of a file: findings on standard output, then what went wrong on standard error.
#[derive(Default)]
struct Said {
    out: Vec<u8>,
    trouble: Option<(PathBuf, io::Error)>,
}

impl<'a> Desk<'a> {
    fn new(files: &'a [PathBuf], json: bool) -> Self {
        let done = BTreeMap::new();
        let state = State { turn: 0, done, status: Status::Fine, failure: None };
        let state = Mutex::new(state);
        Self { files, json, next: AtomicUsize::new(0), state, turned: Condvar::new() }
    }

    /// One thread's work.
    fn serve(&self, work: &impl Fn(usize, &mut Pen) -> io::Result<()>) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = self.files.get(index) else { return };
            // Whoever watches the output, or feeds the input, wants to see what comes of it.
            let eager = file.as_os_str() == "-" || io::stdout().is_terminal();
            let mut pen = Pen { desk: self, index, file, eager, said: Said::default() };
            if let Err(error) = work(index, &mut pen) {
                if pen.closed() {
                    return;
                }
                if self.json {
                    let reason = report::reason(&error);
                    let line = json_line(json!({ "file": name(file), "error": reason }));
                    pen.said.out.extend_from_slice(&line);
                }
                pen.said.trouble = Some((file.clone(), error));
            }
            self.hand_in(index, pen.said);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what is left to be said of a file, and says it if it is its turn, with all that waited for that.
    fn hand_in(&self, index: usize, said: Said) {
        let mut state = self.lock();
        state.done.insert(index, said);
        loop {
            let turn = state.turn;
            let Some(said) = state.done.remove(&turn) else { break };
            state.write(&said.out);
            if let Some((file, error)) = said.trouble {
                let status = report::trouble(&file, &error);
                state.status = state.status.max(status);
            }
            state.turn += 1;
        }
        drop(state);
        self.turned.notify_all();
    }

    /// How all of it ended.
    fn end(self) -> Status {
        let State { status, failure, .. } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        report::ended(failure.map_or_else(|| io::stdout().flush(), Err), status)
    }
}

impl State {
    fn write(&mut self, bytes: &[u8]) {
        if self.failure.is_some() || bytes.is_empty() {
            return;
        }
        let written = progress::aside(|| {
            let mut out = io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        });
        self.failure = written.err();
    }
}

/// What a thread writes with about one file.
pub(crate) struct Pen<'a> {
    desk: &'a Desk<'a>,
    index: usize,
    /// The file that this is about.
    pub(crate) file: &'a Path,
    eager: bool,
    said: Said,
}

impl Pen<'_> {
    /// Writes something for standard output.
    ///
    /// # Errors
    ///
    /// If nobody reads it; then the work is at its end.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.said.out.extend_from_slice(bytes);
        if self.eager || self.said.out.len() >= MOST {
            return self.flush();
        }
        Ok(())
    }

    /// Tells how the text is.
    pub(crate) fn status(&mut self, status: Status) {
        let mut state = self.desk.lock();
        state.status = state.status.max(status);
    }

    /// Waits for the turn of this file, if there is too much to keep, and writes.
    fn flush(&mut self) -> io::Result<()> {
        let mut state = self.desk.lock();
        while state.turn != self.index && state.failure.is_none() {
            if self.said.out.len() < MOST {
                return Ok(());
            }
            state = self.desk.turned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.write(&mem::take(&mut self.said.out));
        match state.failure {
            Some(_) => {
                drop(state);
                self.desk.turned.notify_all();
                Err(io::ErrorKind::BrokenPipe.into())
            }
            None => Ok(()),
        }
    }

    /// Whether nobody reads on.
    fn closed(&self) -> bool {
        self.desk.lock().failure.is_some()
    }
}

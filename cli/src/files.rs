//! Works on several files at once, and writes the output in the order of the arguments.
//!
//! A thread that finishes a file takes the next file. The thread of the first unfinished file
//! writes directly. The others buffer their output up to a limit and then wait, so memory doesn't
//! grow with the output.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::mem;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::json;

use crate::directories::Files;
use crate::input::Input;
use crate::json::line_about;
use crate::memory::{FileMemory, Turn};
use crate::notes::Notes;
use crate::progress;
use crate::refusal::LateRefusal;
use crate::report::{self, Status};
use crate::streams;

/// The largest number of bytes of output that are buffered for a file.
const MAX_BUFFERED_BYTES: usize = 64 * 1024;

/// Calls `work` with the files, in `jobs` threads at once. By default there are as many threads as
/// processors. Returns the worst status.
///
/// An error of `work` is trouble with its file. It is reported on standard error, and with `json`
/// also on standard output.
pub(crate) fn for_each(
    files: &Files,
    jobs: Option<NonZero<usize>>,
    json: bool,
    work: impl Fn(usize, &mut FileReport) -> io::Result<()> + Sync,
) -> Status {
    let queue = Queue::new(files, json);
    let threads = thread_count(&files.paths, jobs);
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, || queue.work_on_files(&work)).is_err() {
                break; // with fewer threads, the work is only slower
            }
        }
        queue.work_on_files(&work);
    });
    queue.end()
}

/// Returns the number of threads to use.
fn thread_count(files: &[PathBuf], jobs: Option<NonZero<usize>>) -> usize {
    // If standard input is named twice, the second is empty: two threads must not share it.
    if files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return 1;
    }
    let jobs = jobs.or_else(|| thread::available_parallelism().ok());
    jobs.map_or(1, NonZero::get).min(files.len())
}

/// The files, and the state that all threads share.
struct Queue<'a> {
    files: &'a [PathBuf],
    /// True if trouble is reported as JSON, too.
    json: bool,
    /// The index of the next file to work on.
    next: AtomicUsize,
    /// A copy of [`State::turn`], for threads that read it without a lock.
    first_unfinished: Arc<AtomicUsize>,
    state: Mutex<State>,
    turn_changed: Condvar,
}

struct State {
    /// The index of the first unfinished file. Its thread writes directly.
    turn: usize,
    /// The messages of files that finished before their turn, by the index of the file.
    done: BTreeMap<usize, Messages>,
    status: Status,
    /// The reason why nothing more can be written.
    failure: Option<io::Error>,
}

/// Messages about a file: findings for standard output, then lines and trouble for standard error.
#[derive(Default)]
struct Messages {
    out: Vec<u8>,
    err: Vec<u8>,
    trouble: Option<(PathBuf, io::Error)>,
}

/// Ends the work of all threads if one panics. Otherwise they would wait forever for the turn of
/// that thread's file.
struct EndOnPanic<'a>(&'a Queue<'a>);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().failure = Some(io::Error::other("a thread panicked"));
            self.0.turn_changed.notify_all();
        }
    }
}

impl<'a> Queue<'a> {
    fn new(Files { paths: files, status }: &'a Files, json: bool) -> Self {
        let done = BTreeMap::new();
        let state = State { turn: 0, done, status: *status, failure: None };
        let state = Mutex::new(state);
        let (next, first_unfinished) = (AtomicUsize::new(0), Arc::default());
        Self { files, json, next, first_unfinished, state, turn_changed: Condvar::new() }
    }

    /// Works on files in one thread, until none is left.
    fn work_on_files(&self, work: &impl Fn(usize, &mut FileReport) -> io::Result<()>) {
        let _guard = EndOnPanic(self);
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = self.files.get(index) else { return };
            // People who watch the output or type the input want to see findings at once.
            let eager = file.as_os_str() == "-" || io::stdout().is_terminal();
            let (messages, notes) = Default::default();
            let first_unfinished = Arc::clone(&self.first_unfinished);
            let memory = FileMemory::new(Turn { first_unfinished, index });
            let mut report =
                FileReport { queue: self, index, file, eager, messages, notes, memory };
            let done = work(index, &mut report);
            for words in report.notes.take() {
                report.note(words);
            }
            if let Err(error) = done {
                if report.output_failed() {
                    return;
                }
                if LateRefusal::is_in(&error) {
                    report.refuse(error.to_string());
                    self.finish_file(index, report.messages);
                    continue;
                }
                let error = with_advice(file, error);
                report.add_json_error(&report::reason(&error));
                report.messages.trouble = Some((file.clone(), error));
            }
            self.finish_file(index, report.messages);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the messages of a finished file, and writes the messages of all files whose turn has
    /// come.
    fn finish_file(&self, index: usize, messages: Messages) {
        let mut state = self.lock();
        state.done.insert(index, messages);
        loop {
            let turn = state.turn;
            let Some(messages) = state.done.remove(&turn) else { break };
            state.write(&messages.out);
            if !messages.err.is_empty() {
                report::print(&messages.err);
            }
            if let Some((file, error)) = messages.trouble {
                let status = report::failure(&file, &error);
                state.status = state.status.max(status);
            }
            state.turn += 1;
            self.first_unfinished.store(state.turn, Ordering::Relaxed);
        }
        drop(state);
        self.turn_changed.notify_all();
    }

    /// Returns the final status.
    fn end(self) -> Status {
        let State { status, failure, .. } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        report::finish(failure.map_or(Ok(()), Err), status)
    }
}

impl State {
    fn write(&mut self, bytes: &[u8]) {
        if self.failure.is_some() || bytes.is_empty() {
            return;
        }
        self.failure = progress::suspended(|| streams::write(bytes)).err();
    }
}

/// Returns `error`, which reading `file` caused. If `file` is a directory, the message advises
/// `--recursive`.
fn with_advice(file: &Path, error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::IsADirectory if file.as_os_str() != "-" => {
            let words = format!("{}: -r reads the files in it", report::reason(&error));
            io::Error::new(error.kind(), words)
        }
        _ => error,
    }
}

/// The messages of one file, as its thread writes them.
pub(crate) struct FileReport<'a> {
    queue: &'a Queue<'a>,
    index: usize,
    /// The file that the messages are about.
    pub(crate) file: &'a Path,
    /// True if messages are written at once, and not only when the buffer is full.
    eager: bool,
    messages: Messages,
    /// Notes about the text, which are known at its end.
    pub(crate) notes: Notes,
    /// The memory that the file has taken to be decompressed.
    pub(crate) memory: FileMemory,
}

impl FileReport<'_> {
    /// Opens the file. If `decompress`, the input is the decompressed text.
    pub(crate) fn open(&mut self, decompress: bool) -> io::Result<Input> {
        let input = Input::open(self.file, decompress.then(|| self.memory.clone()))?;
        self.notes = input.notes();
        Ok(input)
    }

    /// Writes to standard output.
    ///
    /// # Errors
    ///
    /// If standard output can't be written. The reason is recorded, and the work on all files ends.
    pub(crate) fn write_stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.messages.out.extend_from_slice(bytes);
        if self.eager || self.messages.out.len() >= MAX_BUFFERED_BYTES {
            return self.flush();
        }
        Ok(())
    }

    /// Prints a note about the file on standard error, after its findings.
    pub(crate) fn note(&mut self, words: String) {
        self.messages.err.extend_from_slice(report::note_line(self.file, &words).as_bytes());
    }

    /// Prints a note about the file on standard error, as [`write_stderr`](Self::write_stderr)
    /// does.
    pub(crate) fn note_now(&mut self, words: &str) {
        self.write_stderr(report::note_line(self.file, words).as_bytes());
    }

    /// Writes lines to standard error: at once if this is the first unfinished file, otherwise at
    /// its turn.
    pub(crate) fn write_stderr(&mut self, lines: &[u8]) {
        for words in self.notes.take() {
            self.note(words);
        }
        self.messages.err.extend_from_slice(lines);
        let state = self.queue.lock();
        if state.turn == self.index {
            report::print(&mem::take(&mut self.messages.err));
        }
    }

    /// Reports that the text is not read, and the reason.
    pub(crate) fn refuse(&mut self, reason: String) {
        self.raise_status(Status::Invalid);
        self.add_json_error(&reason);
        self.note(reason);
    }

    /// Adds an object about an error, if the output is JSON.
    fn add_json_error(&mut self, reason: &str) {
        if self.queue.json {
            let line = line_about(self.file, json!({ "error": reason }));
            self.messages.out.extend_from_slice(&line);
        }
    }

    /// Raises the status of the run to `status`, if that is worse.
    pub(crate) fn raise_status(&mut self, status: Status) {
        let mut state = self.queue.lock();
        state.status = state.status.max(status);
    }

    /// Writes the buffered output if it is this file's turn. If the buffer is full, waits for the
    /// turn.
    fn flush(&mut self) -> io::Result<()> {
        let mut state = self.queue.lock();
        while state.turn != self.index && state.failure.is_none() {
            if self.messages.out.len() < MAX_BUFFERED_BYTES {
                return Ok(());
            }
            state = self.queue.turn_changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.write(&mem::take(&mut self.messages.out));
        match state.failure {
            Some(_) => {
                drop(state);
                self.queue.turn_changed.notify_all();
                Err(io::ErrorKind::BrokenPipe.into())
            }
            None => Ok(()),
        }
    }

    /// Returns true if the output failed.
    fn output_failed(&self) -> bool {
        self.queue.lock().failure.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_panic_ends_all_threads() {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let paths = ["one", "two", "three"].map(PathBuf::from).into();
            let files = Files { paths, status: Status::Success };
            let begun = AtomicUsize::new(0);
            let work = |index, report: &mut FileReport| {
                if index > 0 {
                    begun.fetch_add(1, Ordering::Relaxed);
                    return report.write_stdout(&[0; MAX_BUFFERED_BYTES]);
                }
                while begun.load(Ordering::Relaxed) < 2 {
                    thread::yield_now();
                }
                thread::sleep(Duration::from_millis(50));
                panic!("a panic on purpose");
            };
            let result =
                std::panic::AssertUnwindSafe(|| for_each(&files, NonZero::new(3), false, work));
            sender.send(catch_unwind(result).is_err()).unwrap();
        });
        // Threads that wait forever would exceed the timeout.
        assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(true));
    }
}

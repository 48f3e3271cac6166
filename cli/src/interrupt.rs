//! Removes temporary files when a signal ends the command.

use std::io;
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Once;
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// The paths of the temporary files. Some of these files may have been renamed or removed already.
static TEMPORARY_PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// If the list has more paths than its capacity or this number, the paths of files that no longer
/// exist are dropped. The capacity doubles if most files exist, so each path is tested a few times.
const MIN_PATHS: usize = 256;

/// Starts the watch for signals, before the first temporary file is created.
#[cfg(unix)]
static WATCH: Once = Once::new();

/// Creates a temporary file. A signal that ends the process removes it.
pub(crate) fn create_temporary(
    make: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    // If the watch can't be started, the command still works.
    #[cfg(unix)]
    WATCH.call_once(|| {
        let _ = unix::watch();
    });
    // The thread that handles a signal waits for this lock, until the path is in the list.
    let mut paths = TEMPORARY_PATHS.lock().unwrap_or_else(PoisonError::into_inner);
    if paths.len() == paths.capacity().max(MIN_PATHS) {
        paths.retain(|path| path.symlink_metadata().is_ok());
        let len = paths.len();
        paths.reserve(len.max(MIN_PATHS));
    }
    let file = make()?;
    paths.push(file.path().to_path_buf());
    Ok(file)
}

#[cfg(unix)]
mod unix {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc;
    use std::{fs, io, thread};

    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
        SIGXFSZ,
    };
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{PoisonError, TEMPORARY_PATHS};

    /// The signals that end a process by default, except the signals for faults of the process
    /// itself.
    const ENDING_SIGNALS: [i32; 10] =
        [SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU];

    /// Starts a thread that waits for these signals, and removes the files.
    pub(super) fn watch() -> io::Result<()> {
        // With this handler, a write beyond the limit of a file's size fails with an error.
        flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        let (sender, receiver) = mpsc::channel::<Signals>();
        // The thread starts first: a caught signal that nobody waits for would be lost.
        thread::Builder::new().spawn(move || {
            let Ok(mut signals) = receiver.recv() else { return };
            for signal in signals.forever() {
                // The lock is never released, so no other file is created.
                let paths = TEMPORARY_PATHS.lock().unwrap_or_else(PoisonError::into_inner);
                for path in &*paths {
                    // The file may have been renamed already.
                    let _ = fs::remove_file(path);
                }
                let _ = emulate_default_handler(signal);
            }
        })?;
        let ignored = ignored_signals();
        let is_caught = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
        let signals = Signals::new(ENDING_SIGNALS.iter().filter(|signal| is_caught(signal)))?;
        sender.send(signals).map_err(io::Error::other)
    }

    /// Returns a mask of the signals that this process ignored when it started, as under `nohup`.
    /// Signal 1 has the lowest bit.
    fn ignored_signals() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        match mask.map(|mask| u64::from_str_radix(mask.trim(), 16)) {
            Some(Ok(mask)) => mask,
            // If the mask can't be read, it has only SIGHUP, which `nohup` ignores.
            _ => 1 << (SIGHUP - 1),
        }
    }
}

//! Removal of temporary files when a signal ends the command.

use std::io;
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Once;
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// The temporary files, and some that have been renamed or removed already.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The number of names at which the names of deleted files are dropped.
const MOST_NAMES: usize = 256;

/// Signals are watched from the first temporary file on.
#[cfg(unix)]
static WATCH: Once = Once::new();

/// Creates a temporary file. A signal that ends the process removes it.
pub(crate) fn temporary(
    make: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    // Without a handler the command still works.
    #[cfg(unix)]
    WATCH.call_once(|| {
        let _ = unix::watch();
    });
    // The handler waits for this lock until the name is known.
    let mut paths = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    if paths.len() >= MOST_NAMES {
        paths.retain(|path| path.symlink_metadata().is_ok());
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

    use super::{PoisonError, TEMPORARY};

    /// The signals that end a process by default, except signals of its own faults.
    const ENDING: [i32; 10] =
        [SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU];

    /// Starts a thread that waits for these signals.
    pub(super) fn watch() -> io::Result<()> {
        // A write beyond the limit of a file's size then fails with an error.
        flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        let (sender, receiver) = mpsc::channel::<Signals>();
        // The thread starts first: a caught signal that nobody waits for would be lost.
        thread::Builder::new().spawn(move || {
            let Ok(mut signals) = receiver.recv() else { return };
            for signal in signals.forever() {
                // The lock is never released, so no other file is created.
                let paths = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
                for path in &*paths {
                    // The file may have been renamed already.
                    let _ = fs::remove_file(path);
                }
                let _ = emulate_default_handler(signal);
            }
        })?;
        let ignored = ignored();
        let is_caught = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
        let signals = Signals::new(ENDING.iter().filter(|signal| is_caught(signal)))?;
        sender.send(signals).map_err(io::Error::other)
    }

    /// The signals that this process ignored when it started, as under `nohup`, one bit each.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        match mask.map(|mask| u64::from_str_radix(mask.trim(), 16)) {
            Some(Ok(mask)) => mask,
            // Where this can't be known, only the signal that is often ignored.
            _ => 1 << (SIGHUP - 1),
        }
    }
}

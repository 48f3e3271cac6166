//! A signal that ends the command takes its temporary file away.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// The temporary file that is there now.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Makes the one temporary file of this process, in a way that no signal leaves it behind.
pub(crate) fn temporary(
    make: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    // Who can't be told of signals goes on without.
    #[cfg(unix)]
    let _ = unix::watch();
    // A signal waits until the name is known.
    let mut path = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    let file = make()?;
    *path = Some(file.path().to_path_buf());
    Ok(file)
}

#[cfg(unix)]
mod unix {
    use std::{fs, io, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{PoisonError, TEMPORARY};

    /// Starts a thread that waits for the signals which end a command.
    pub(super) fn watch() -> io::Result<()> {
        let ignored = ignored();
        let ending = [SIGHUP, SIGINT, SIGTERM].into_iter();
        let mut signals = Signals::new(ending.filter(|signal| ignored >> (signal - 1) & 1 == 0))?;
        thread::spawn(move || {
            for signal in signals.forever() {
                // Held to the end, so that no other file is made.
                let path = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(path) = &*path {
                    // It may have got its real name in the meantime.
                    let _ = fs::remove_file(path);
                }
                let _ = emulate_default_handler(signal);
            }
        });
        Ok(())
    }

    /// The signals that this process was started to ignore, as by `nohup`, one bit each.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        match mask.map(|mask| u64::from_str_radix(mask.trim(), 16)) {
            Some(Ok(mask)) => mask,
            // Where nobody tells, only the one that is often ignored.
            _ => 1 << (SIGHUP - 1),
        }
    }
}

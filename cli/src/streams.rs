//! Standard input and output, and whether they were open when the command started.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in place of a standard stream that is closed, so
//! that no other file gets its number. All output would be lost then, without an error. Afterwards
//! nothing tells that `/dev/null` from one that the caller chose: it is open for reading and
//! writing, and so is that of Python's `subprocess.DEVNULL`. So a constructor asks before the
//! runtime starts.
//!
//! On Windows a program has no such numbers, and closed streams are not reported.

use std::io::{self, Write};

#[cfg(unix)]
mod at_start {
    use std::os::fd::BorrowedFd;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::{io, stdio};

    pub(super) static INPUT_CLOSED: AtomicBool = AtomicBool::new(false);
    pub(super) static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

    // It runs before the runtime, so it calls nothing of the standard library that needs that.
    ctor::declarative::ctor! {
        #[ctor(unsafe)]
        fn note_closed_streams() {
            INPUT_CLOSED.store(is_closed(stdio::stdin()), Ordering::Relaxed);
            OUTPUT_CLOSED.store(is_closed(stdio::stdout()), Ordering::Relaxed);
        }
    }

    fn is_closed(stream: BorrowedFd) -> bool {
        io::fcntl_getfd(stream) == Err(io::Errno::BADF)
    }
}

/// Fails if standard input was closed.
pub(crate) fn check_input() -> io::Result<()> {
    #[cfg(unix)]
    return check(&at_start::INPUT_CLOSED);
    #[cfg(not(unix))]
    Ok(())
}

/// Fails if standard output was closed.
pub(crate) fn check_output() -> io::Result<()> {
    #[cfg(unix)]
    return check(&at_start::OUTPUT_CLOSED);
    #[cfg(not(unix))]
    Ok(())
}

#[cfg(unix)]
fn check(closed: &std::sync::atomic::AtomicBool) -> io::Result<()> {
    match closed.load(std::sync::atomic::Ordering::Relaxed) {
        true => Err(io::Error::other("it is closed")),
        false => Ok(()),
    }
}

/// Writes to standard output at once. Nothing to write is no error, even if it was closed.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    check_output()?;
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}

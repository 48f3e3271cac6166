//! Standard input and output, and a record of which were open when the command started.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in place of a standard stream that is closed, so
//! that no other file gets its number. All output would be lost then, without an error. Afterwards
//! this `/dev/null` can't be distinguished from one that the caller chose: it is open for reading
//! and writing, like Python's `subprocess.DEVNULL`. So a constructor checks before the runtime
//! starts.
//!
//! On Windows a program has no such numbers, and closed streams are not reported.

use std::fs::File;
use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

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
fn check(closed: &AtomicBool) -> io::Result<()> {
    match closed.load(Ordering::Relaxed) {
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

/// True if text without a line feed at its end stands on the terminal.
static IN_LINE: AtomicBool = AtomicBool::new(false);

/// Standard output for text of any length, where possible without the standard library's buffer.
pub(crate) struct StandardOutput {
    file: Option<File>,
    buffered: Stdout,
    terminal: bool,
}

impl StandardOutput {
    /// Opens standard output, or fails if it was closed.
    pub(crate) fn open() -> io::Result<Self> {
        check_output()?;
        let buffered = io::stdout();
        let terminal = buffered.is_terminal();
        Ok(Self { file: duplicate(), buffered, terminal })
    }

    /// The file behind it, if that is known.
    pub(crate) fn file(&self) -> Option<&File> {
        self.file.as_ref()
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.file {
            Some(file) => file.write(bytes)?,
            None => self.buffered.write(bytes)?,
        };
        if let Some(last) = bytes[..written].last()
            && self.terminal
        {
            IN_LINE.store(*last != b'\n', Ordering::Relaxed);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffered.flush()
    }
}

/// The line feed that a message on standard error needs before it, so that it has a line of its
/// own.
pub(crate) fn line_end() -> &'static [u8] {
    match IN_LINE.swap(false, Ordering::Relaxed) && io::stderr().is_terminal() {
        true => b"\n",
        false => b"",
    }
}

/// Standard output as a file.
#[cfg(unix)]
fn duplicate() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn duplicate() -> Option<File> {
    None
}

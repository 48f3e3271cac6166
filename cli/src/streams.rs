//! Standard input and output, and a record of which of the two streams were closed when the command
//! started.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in place of a standard stream that is closed, so
//! that no other file gets the file descriptor of the stream. The command would then lose all
//! output without an error. After the runtime has started, the command can't distinguish this
//! `/dev/null` from a `/dev/null` that the caller chose: both may be open for reading and writing,
//! as Python's
//! `subprocess.DEVNULL` is. So a constructor checks the streams before the runtime starts.
//!
//! On Windows, standard streams have no such descriptors, and closed streams are not reported.

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

    // The function runs before the runtime starts, so it calls no function of the standard library
    // that needs the runtime.
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
    return check_open(&at_start::INPUT_CLOSED);
    #[cfg(not(unix))]
    Ok(())
}

/// Fails if standard output was closed.
pub(crate) fn check_output() -> io::Result<()> {
    #[cfg(unix)]
    return check_open(&at_start::OUTPUT_CLOSED);
    #[cfg(not(unix))]
    Ok(())
}

#[cfg(unix)]
fn check_open(closed: &AtomicBool) -> io::Result<()> {
    match closed.load(Ordering::Relaxed) {
        true => Err(io::Error::other("it is closed")),
        false => Ok(()),
    }
}

/// Writes to standard output and flushes it. Succeeds if `bytes` is empty, even if standard output
/// was closed.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    check_output()?;
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}

/// True if the text that was last written to the terminal does not end with a line feed.
static LINE_IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Standard output for text of any length. Avoids the standard library's buffer where possible.
pub(crate) struct StandardOutput {
    file: Option<File>,
    buffered: Stdout,
    is_terminal: bool,
}

impl StandardOutput {
    /// Opens standard output, or fails if it was closed.
    pub(crate) fn open() -> io::Result<Self> {
        check_output()?;
        let buffered = io::stdout();
        let is_terminal = buffered.is_terminal();
        Ok(Self { file: duplicate(), buffered, is_terminal })
    }

    /// Returns standard output as a file, if its descriptor could be duplicated.
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
            && self.is_terminal
        {
            LINE_IS_OPEN.store(*last != b'\n', Ordering::Relaxed);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffered.flush()
    }
}

/// Returns what must be written before a message on standard error, so that the message begins a
/// line: a line feed or nothing.
pub(crate) fn line_end() -> &'static [u8] {
    match LINE_IS_OPEN.swap(false, Ordering::Relaxed) && io::stderr().is_terminal() {
        true => b"\n",
        false => b"",
    }
}

/// Returns standard output as a file, through a duplicate of its descriptor.
#[cfg(unix)]
fn duplicate() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn duplicate() -> Option<File> {
    None
}

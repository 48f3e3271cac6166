//! What the command says of itself: exit statuses, and messages about files that can't be read or written.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::progress;

/// How a run ended; of several files the worst counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Everything was valid.
    Fine = 0,
    /// Some text was ill-formed or couldn't be converted.
    Invalid = 1,
    /// Something couldn't be read or written, or the command was called wrongly (clap's own status, too).
    Trouble = 2,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Says on standard error that `name` made trouble. The name is printed as it was given, whatever its bytes.
pub(crate) fn trouble(name: impl AsRef<OsStr>, reason: &dyn Display) -> Status {
    note(name, &self::reason(reason));
    Status::Trouble
}

/// A reason as it is told.
pub(crate) fn reason(reason: &dyn Display) -> String {
    without_number(&reason.to_string()).into()
}

/// Says something about `name` on standard error.
pub(crate) fn note(name: impl AsRef<OsStr>, words: &str) {
    let mut message = b"utflane: ".to_vec();
    message.extend_from_slice(name.as_ref().as_encoded_bytes());
    message.extend_from_slice(b": ");
    message.extend_from_slice(words.as_bytes());
    message.push(b'\n');
    say(&message);
}

/// Writes lines on standard error.
pub(crate) fn say(lines: &[u8]) {
    // Nobody is left to tell if standard error is closed.
    let _ = progress::aside(|| io::stderr().write_all(lines));
}

/// How a run ends whose output can't be written: quietly, with the status so far, if the reader has closed its pipe.
pub(crate) fn unwritable(name: impl AsRef<OsStr>, error: &io::Error, so_far: Status) -> Status {
    match error.kind() {
        io::ErrorKind::BrokenPipe => so_far,
        _ => trouble(name, error),
    }
}

/// [`unwritable`] for the findings and tables that go to standard output.
pub(crate) fn ended(written: io::Result<()>, status: Status) -> Status {
    match written {
        Ok(()) => status,
        Err(error) => unwritable("standard output", &error, status),
    }
}

/// The message of an [`io::Error`] without ` (os error 2)` at its end, which helps nobody who reads it.
fn without_number(message: &str) -> &str {
    match message.rsplit_once(" (os error ") {
        Some((words, _)) => words,
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_status_counts() {
        assert_eq!(Status::Invalid.max(Status::Trouble), Status::Trouble);
        assert_eq!(Status::Invalid.max(Status::Fine), Status::Invalid);
    }

    #[test]
    fn messages_have_no_numbers() {
        assert_eq!(without_number("Is a directory (os error 21)"), "Is a directory");
        assert_eq!(without_number("odd"), "odd");
    }
}

//! Exit statuses, and messages about files that can't be read or written.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::styles::Styles;
use crate::{name, progress, streams};

/// The result of a run. If there are several files, the worst result counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// All text was valid.
    Success = 0,
    /// Some text was ill-formed or couldn't be converted.
    Invalid = 1,
    /// Something couldn't be read or written, or the usage was wrong (clap exits with this status,
    /// too).
    Failure = 2,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Reports on standard error why `name` can't be read or written. Returns [`Status::Failure`].
pub(crate) fn failure(name: impl AsRef<OsStr>, reason: &dyn Display) -> Status {
    print(failure_line(name, reason).as_bytes());
    Status::Failure
}

/// Returns the line that [`failure`] prints.
pub(crate) fn failure_line(name: impl AsRef<OsStr>, reason: &dyn Display) -> String {
    let (name, problem) = (name::escape(name), Styles::of_errors().problem);
    format!("{problem}utflane:{problem:#} {name}: {}\n", self::reason(reason))
}

/// Returns the text of `reason`, without the system's error number.
pub(crate) fn reason(reason: &dyn Display) -> String {
    without_error_number(&reason.to_string()).into()
}

/// Prints a note about `name` on standard error.
pub(crate) fn note(name: impl AsRef<OsStr>, message: &str) {
    print(note_line(name, message).as_bytes());
}

/// Returns the line that [`note`] prints.
pub(crate) fn note_line(name: impl AsRef<OsStr>, message: &str) -> String {
    format!("utflane: {}: {message}\n", name::escape(name))
}

/// Prints lines on standard error.
pub(crate) fn print(lines: &[u8]) {
    let lines = [streams::line_end(), lines].concat();
    // If standard error is closed, the failure can't be reported.
    let _ = progress::suspended(|| io::stderr().write_all(&lines));
}

/// Returns the status of a run whose output couldn't be written. If the reader closed its pipe, the
/// status stays `so_far`.
pub(crate) fn unwritable(name: impl AsRef<OsStr>, error: &io::Error, so_far: Status) -> Status {
    match error.kind() {
        io::ErrorKind::BrokenPipe => so_far,
        _ => failure(name, error),
    }
}

/// Returns the status of a run that wrote findings or a table to standard output: `status`, or the
/// result of [`unwritable`] if writing failed.
pub(crate) fn finish(written: io::Result<()>, status: Status) -> Status {
    match written {
        Ok(()) => status,
        Err(error) => unwritable("standard output", &error, status),
    }
}

/// Returns the message of an [`io::Error`] without the error number, such as ` (os error 2)`, at
/// its end.
fn without_error_number(message: &str) -> &str {
    match message.rsplit_once(" (os error ") {
        Some((text, _)) => text,
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_status_counts() {
        assert_eq!(Status::Invalid.max(Status::Failure), Status::Failure);
        assert_eq!(Status::Invalid.max(Status::Success), Status::Invalid);
    }

    #[test]
    fn error_numbers_are_removed() {
        assert_eq!(without_error_number("Is a directory (os error 21)"), "Is a directory");
        assert_eq!(without_error_number("odd"), "odd");
    }
}

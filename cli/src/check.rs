//! `utflane check`: of each file, the first place that is ill-formed.

use std::io::{self, Write};
use std::path::Path;

use utflane::{ByteValidator, Scheme, StreamError};

use crate::args::Check;
use crate::place::{Finding, Text};
use crate::report::{self, Status};

/// Checks the files one by one. Findings are what was asked for, so they go to standard output.
pub(crate) fn run(arguments: &Check) -> Status {
    let mut status = Status::Fine;
    let mut out = io::stdout().lock();
    for file in &arguments.files {
        match check(file, arguments.encoding) {
            Ok(None) => {}
            Ok(Some(finding)) => {
                status = status.max(Status::Invalid);
                if let Err(error) = finding.write(file, &mut out) {
                    return report::ended(Err(error), status);
                }
            }
            Err(error) => status = report::trouble(file, &error),
        }
    }
    report::ended(out.flush(), status)
}

/// The finding in one file, if there is one.
fn check(file: &Path, scheme: Scheme) -> io::Result<Option<Finding>> {
    let mut text = Text::open(file, scheme)?;
    match first_error(&mut text, scheme)? {
        Some(error) => text.locate(error).map(Some),
        None => Ok(None),
    }
}

/// Reads `text` up to its first error, or to its end.
pub(crate) fn first_error(text: &mut Text, scheme: Scheme) -> io::Result<Option<StreamError>> {
    let mut validator = ByteValidator::new(scheme);
    loop {
        let chunk = text.next_chunk()?;
        if chunk.is_empty() {
            return Ok(validator.finish().err());
        }
        if let Err(error) = validator.push(chunk) {
            return Ok(Some(error));
        }
    }
}

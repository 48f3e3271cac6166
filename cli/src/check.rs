//! `utflane check`: the first ill-formed sequence of each file, or all of them.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use crate::args::Check;
use crate::files::{self, FileReport};
use crate::progress;
use crate::report::Status;
use crate::text::Text;

/// Checks the files. Findings are the result, so they go to standard output.
pub(crate) fn run(arguments: &Check, quiet: bool) -> Status {
    progress::begin(arguments.several.files.iter().map(PathBuf::as_path), quiet, false);
    let excerpts = !arguments.json && arguments.excerpt.excerpt.is_now(io::stdout().is_terminal());
    files::for_each(&arguments.several, arguments.json, |_, report| {
        check(arguments, excerpts, report)
    })
}

/// Checks one file.
fn check(arguments: &Check, excerpts: bool, report: &mut FileReport) -> io::Result<()> {
    let mut text = Text::open(report.file, arguments.encoding, excerpts)?;
    while let Some(finding) = text.next_finding()? {
        report.status(Status::Invalid);
        let line = match arguments.json {
            true => finding.json(report.file),
            false => finding.message(report.file, arguments.several.null),
        };
        report.write(&line)?;
        if !arguments.all {
            break;
        }
    }
    Ok(())
}

//! `utflane check`: of each file, the first place that is ill-formed, or all of them.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use crate::args::Check;
use crate::files::{self, Pen};
use crate::place::Text;
use crate::progress;
use crate::report::Status;

/// Checks the files. Findings are what was asked for, so they go to standard output.
pub(crate) fn run(arguments: &Check, quiet: bool) -> Status {
    progress::begin(arguments.several.files.iter().map(PathBuf::as_path), quiet, false);
    let excerpts = !arguments.json && arguments.excerpt.excerpt.is_now(io::stdout().is_terminal());
    files::each(&arguments.several, arguments.json, |_, pen| check(arguments, excerpts, pen))
}

/// Checks one file.
fn check(arguments: &Check, excerpts: bool, pen: &mut Pen) -> io::Result<()> {
    let mut text = Text::open(pen.file, arguments.encoding, excerpts)?;
    while let Some(finding) = text.next_finding()? {
        pen.status(Status::Invalid);
        let line = match arguments.json {
            true => finding.json(pen.file),
            false => finding.message(pen.file),
        };
        pen.write(&line)?;
        if !arguments.all {
            break;
        }
    }
    Ok(())
}

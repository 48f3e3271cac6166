//! `utflane check`: the first ill-formed sequence of each file, or all of them.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use serde_json::json;

use crate::args::Check;
use crate::files::{self, FileReport};
use crate::json::line_about;
use crate::name;
use crate::progress;
use crate::report::Status;
use crate::text::Text;

/// The number of findings that `--all` reports of a file: more than a person reads.
const MOST_FINDINGS: u64 = 1000;

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
    let limit = arguments.limit();
    let mut reported = 0;
    while let Some(finding) = text.next_finding()? {
        report.status(Status::Invalid);
        let line = match arguments.json {
            true => finding.json(report.file),
            false => finding.message(report.file, arguments.several.null),
        };
        report.write(&line)?;
        reported += 1;
        if arguments.all.is_none() {
            break;
        }
        if limit == Some(reported) {
            return count_rest(arguments, text, report);
        }
    }
    Ok(())
}

/// Reports the number of the other findings, if there are any.
fn count_rest(arguments: &Check, text: Text, report: &mut FileReport) -> io::Result<()> {
    let mut text = text.without_excerpts();
    let mut more: u64 = 0;
    while text.next_finding()?.is_some() {
        more += 1;
    }
    if more == 0 {
        return Ok(());
    }
    if arguments.json {
        return report.write(&line_about(report.file, json!({ "more": more })));
    }
    let mut line = name::label(report.file, arguments.several.null);
    line.extend_from_slice(format!(" and {more} more\n").as_bytes());
    report.write(&line)
}

impl Check {
    /// The number of findings to report of a file; `None` for all.
    fn limit(&self) -> Option<u64> {
        let usual = if self.json { 0 } else { MOST_FINDINGS };
        let limit = self.all?.unwrap_or(usual);
        (limit > 0).then_some(limit)
    }
}

//! `utflane repair` undoes double encoding in UTF-8 files, and changes nothing else.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use crate::args::Repair;
use crate::batch::{self, Fate, JobResult, Settings};
use crate::destinations::{self, Job};
use crate::directories::Files;
use crate::double_encoding::{self, UndoneText};
use crate::files::FileReport;
use crate::finding::Finding;
use crate::input::Input;
use crate::output::{Failure, Finished, Output, resolved_path};
use crate::replacement::ReplaceOptions;
use crate::report::{self, Status};
use crate::styles::Styles;
use crate::{auto, hint, name, progress};
use utflane_charset::{Charset, detect_text};

/// The result for a file.
enum Outcome {
    /// The number of rounds that were undone, and the complete output.
    Undone(usize, Finished),
    /// The first double encoding, if there is one. Nothing is written.
    Found(Option<Finding>),
    /// The text can't be double-encoded as the mode says.
    CannotRevert,
    /// The file is not text. Holds the reason in words.
    Binary(String),
    /// The file is not UTF-8. Holds the first error and the beginning of the file.
    IllFormed(Finding, Vec<u8>),
}

impl Repair {
    /// Returns true if the command only searches for double encoding.
    fn writes_nothing(&self) -> bool {
        self.dry_run || self.list
    }
}

/// Repairs the files.
pub(crate) fn run(arguments: &Repair, quiet: bool) -> Status {
    let destination = &arguments.destination;
    let mut files = Files::find(&arguments.files, &arguments.recursion);
    if let Some(suffix) = &destination.backup {
        files.leave_out(suffix, &arguments.files);
    }
    let jobs = match arguments.writes_nothing() {
        true => {
            Ok(files.paths.iter().map(|file| Job { input: file.clone(), output: None }).collect())
        }
        false => destinations::jobs(&files.paths, destination),
    };
    let jobs = match jobs {
        Ok(jobs) => jobs,
        Err(conflict) => return report::failure(conflict.name, &conflict.reason),
    };
    let to_stdout = !arguments.writes_nothing() && jobs.iter().any(|job| job.output.is_none());
    progress::begin(jobs.iter().map(|job| job.input.as_path()), quiet, to_stdout);
    let settings = Settings {
        threads: destination.jobs,
        quiet,
        waits_for_memory: arguments.decompression.decompress,
        status: files.status,
    };
    let results =
        batch::run(&jobs, &settings, |job, report| repair_file(arguments, job, quiet, report));
    if !quiet && destination.is_for_many() {
        report::print(results.summary("repaired").as_bytes());
    }
    results.worst
}

/// Repairs one file, or searches it for double encoding.
fn repair_file(
    arguments: &Repair,
    job: &Job,
    quiet: bool,
    report: &mut FileReport,
) -> Result<JobResult, Failure> {
    let note_unless_quiet = |words: &str, report: &mut FileReport| {
        if !quiet {
            report.note_now(words);
        }
    };
    Ok(match repair(arguments, job, report)? {
        Outcome::Undone(rounds, finished) => {
            match rounds {
                // For several files, the command prints a summary.
                0 if arguments.destination.is_for_many() => {}
                0 => note_unless_quiet("no double encoding found, nothing is changed", report),
                1 => note_unless_quiet("double encoding undone", report),
                _ => note_unless_quiet(&format!("double encoding undone, {rounds} times"), report),
            }
            JobResult::from_finished(finished)
        }
        Outcome::Found(None) => Fate::Unchanged.into(),
        Outcome::Found(Some(finding)) => {
            let line = match (arguments.list, arguments.null) {
                (true, true) => name::label(report.file, true),
                (true, false) => name::line(report.file),
                _ => finding.styled(report.file, false, Styles::of_output()),
            };
            report.write_stdout(&line).map_err(Failure::Reporting)?;
            Fate::Refused.into()
        }
        Outcome::CannotRevert => {
            report.note_now(
                "the text has no double encoding that this mode undoes: nothing is written, try \
                 --mode all",
            );
            Fate::Refused.into()
        }
        Outcome::Binary(reason) => {
            note_unless_quiet(&format!("skipped as binary: {reason}"), report);
            Fate::Skipped.into()
        }
        Outcome::IllFormed(finding, beginning) => {
            report.write_stderr(&finding.message(report.file, false));
            note_unless_quiet(&advice(arguments, &finding, &beginning, report), report);
            Fate::Refused.into()
        }
    })
}

/// Returns advice about a file that is not UTF-8.
fn advice(arguments: &Repair, finding: &Finding, beginning: &[u8], report: &FileReport) -> String {
    let decompress = arguments.decompression.decompress;
    let utf8 = Charset::Scheme(utflane::Scheme::Utf8);
    let command = "utflane convert -t utf-8 -f";
    let hint = hint::for_finding(report, finding, utf8, decompress, beginning, command);
    hint.unwrap_or_else(|| {
        "only text in UTF-8 is repaired: see `utflane detect`, and --on-invalid of `utflane \
         convert`"
            .into()
    })
}

fn repair(arguments: &Repair, job: &Job, report: &mut FileReport) -> Result<Outcome, Failure> {
    let decompress = arguments.decompression.decompress;
    if arguments.destination.in_place {
        Input::check_replaceable(&job.input).map_err(Failure::Reading)?;
    }
    let mut input = report.open(decompress).map_err(Failure::Reading)?;
    let identity = input.identity();
    let mut memory = decompress.then(|| report.memory.part());
    let bytes =
        double_encoding::read_whole(&mut input, memory.as_mut()).map_err(Failure::Reading)?;
    let (mark_len, text) = match double_encoding::decode_utf8(&bytes) {
        Ok(text) => text,
        Err(finding) => {
            if arguments.recursion.recursive
                && let Some(reason) = auto::binary_reason(detect_text(&bytes, true))
            {
                return Ok(Outcome::Binary(reason));
            }
            let beginning = bytes[..bytes.len().min(crate::input::CHUNK)].to_vec();
            return Ok(Outcome::IllFormed(finding, beginning));
        }
    };
    if arguments.writes_nothing() {
        let excerpts = !arguments.list && io::stdout().is_terminal();
        let Repair { mode, no_break_spaces: spaces, .. } = *arguments;
        let found = double_encoding::find(&bytes, (mark_len, text), mode, spaces, excerpts);
        return Ok(Outcome::Found(found));
    }
    let undone = double_encoding::undo(text, arguments.mode, arguments.no_break_spaces);
    let Some(UndoneText { text, rounds }) = undone else { return Ok(Outcome::CannotRevert) };
    let is_itself = |output: &PathBuf| resolved_path(output) == resolved_path(&job.input);
    if rounds == 0 && job.output.as_ref().is_some_and(is_itself) {
        return Ok(Outcome::Undone(rounds, Finished::Unchanged));
    }
    let replace_options =
        ReplaceOptions { dry_run: false, backup: arguments.destination.backup.clone() };
    let output = Output::create(job.output.as_deref(), identity, &replace_options);
    let mut output = output.map_err(Failure::Writing)?;
    let written =
        output.write_all(&bytes[..mark_len]).and_then(|()| output.write_all(text.as_bytes()));
    let finished = written.and_then(|()| output.finish()).map_err(Failure::Writing)?;
    Ok(Outcome::Undone(rounds, finished))
}

//! `utflane repair` undoes double encoding in UTF-8 files, and changes nothing else.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use crate::args::{Mode, Repair};
use crate::batch::{self, JobResult};
use crate::destinations::{self, Job};
use crate::directories::Files;
use crate::double_encoding::{self, UndoneText};
use crate::finding::Finding;
use crate::input::Input;
use crate::memory::{Memory, Turn};
use crate::output::{Failure, Finished, Output, destination};
use crate::report::{self, Status};
use crate::styles::Styles;
use crate::{files, hint, name, progress, streams};
use utflane_charset::Charset;

/// The result for a file.
enum Outcome {
    /// The number of rounds that were undone, and the complete output.
    Undone(usize, Finished),
    /// The first double encoding, if there is one. Nothing is written.
    Found(Option<Finding>),
    /// The file doesn't have the damage that the mode undoes.
    Other,
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
    if arguments.no_break_spaces && matches!(arguments.mode, Mode::Latin1 | Mode::Windows1252) {
        return report::failure("--no-break-spaces", &"not with --mode latin1 or windows-1252");
    }
    let files = Files::find(&arguments.files, &arguments.recursion);
    let jobs = match arguments.writes_nothing() {
        true => {
            Ok(files.paths.iter().map(|file| Job { input: file.clone(), output: None }).collect())
        }
        false if files.paths.is_empty() => Ok(Vec::new()),
        false => destinations::jobs(&files.paths, &arguments.destination),
    };
    let jobs = match jobs {
        Ok(jobs) => jobs,
        Err(conflict) => return report::failure(conflict.name, &conflict.reason),
    };
    let to_stdout = !arguments.writes_nothing() && jobs.iter().any(|job| job.output.is_none());
    progress::begin(jobs.iter().map(|job| job.input.as_path()), quiet, to_stdout);
    let mut failure = None;
    let results = batch::run(&jobs, quiet, |job| match &failure {
        None => repair_file(arguments, job, quiet, &mut failure),
        Some(_) => Ok(Status::Success.into()),
    });
    let destination = &arguments.destination;
    if !quiet && (destination.in_place || destination.output_dir.is_some()) {
        report::print(results.summary(jobs.len(), "repaired").as_bytes());
    }
    report::finish(failure.map_or(Ok(()), Err), results.worst.max(files.status))
}

/// Repairs one file, or searches it for double encoding. `failure` becomes the error of standard
/// output, if there is one.
fn repair_file(
    arguments: &Repair,
    job: &Job,
    quiet: bool,
    failure: &mut Option<io::Error>,
) -> Result<JobResult, Failure> {
    let file = &job.input;
    // For several files, the command prints a summary.
    let is_one_of_many =
        arguments.destination.in_place || arguments.destination.output_dir.is_some();
    let note = |words: &str| {
        if !quiet {
            report::note(file, words);
        }
    };
    Ok(match repair(arguments, job)? {
        Outcome::Undone(rounds, finished) => {
            match rounds {
                0 if is_one_of_many => {}
                0 => note("no double encoding found, nothing is changed"),
                1 => note("double encoding undone"),
                _ => note(&format!("double encoding undone, {rounds} times")),
            }
            JobResult { status: Status::Success, finished: Some(finished) }
        }
        Outcome::Found(None) => Status::Success.into(),
        Outcome::Found(Some(finding)) => {
            let line = match (arguments.list, arguments.null) {
                (true, true) => name::label(file, true),
                (true, false) => name::line(file),
                _ => finding.styled(file, false, Styles::of_output()),
            };
            *failure = progress::suspended(|| streams::write(&line)).err();
            Status::Invalid.into()
        }
        Outcome::Other => {
            report::note(file, "not what this mode undoes, nothing is written: try --mode all");
            Status::Invalid.into()
        }
        Outcome::IllFormed(finding, beginning) => {
            report::print(&finding.message(file, false));
            let decompress = arguments.decompression.decompress;
            let utf8 = Charset::Scheme(utflane::Scheme::Utf8);
            let option = "utflane convert -t utf-8 -f";
            note(
                &hint::for_finding(file, &finding, utf8, decompress, &beginning, option)
                    .unwrap_or_else(|| {
                        "only text in UTF-8 is repaired: see `utflane detect`, and --on-invalid of \
                         `utflane convert`"
                            .into()
                    }),
            );
            Status::Invalid.into()
        }
    })
}

fn repair(arguments: &Repair, job: &Job) -> Result<Outcome, Failure> {
    let decompress = arguments.decompression.decompress;
    if arguments.destination.in_place {
        Input::refuse_in_place(&job.input).map_err(Failure::Reading)?;
    }
    let mut input = Input::open(&job.input, decompress.then(Turn::default))
        .map_err(|error| Failure::Reading(files::with_advice(&job.input, error)))?;
    let identity = input.identity();
    let mut memory = decompress.then(|| Memory::new(Turn::default()));
    let bytes =
        double_encoding::read_whole(&mut input, memory.as_mut()).map_err(Failure::Reading)?;
    if let Some(warning) = input.trailing().warning() {
        report::note(&job.input, warning);
    }
    let (mark_len, text) = match double_encoding::decode_utf8(&bytes) {
        Ok(text) => text,
        Err(finding) => {
            let beginning = bytes[..bytes.len().min(crate::input::CHUNK)].to_vec();
            return Ok(Outcome::IllFormed(finding, beginning));
        }
    };
    if arguments.writes_nothing() {
        let excerpts = !arguments.list && io::stdout().is_terminal();
        let Repair { mode, no_break_spaces, .. } = *arguments;
        let text = (mark_len, text);
        return Ok(Outcome::Found(double_encoding::find(
            &bytes,
            text,
            mode,
            no_break_spaces,
            excerpts,
        )));
    }
    let undone = double_encoding::undo(text, arguments.mode, arguments.no_break_spaces);
    let Some(UndoneText { text, rounds }) = undone else { return Ok(Outcome::Other) };
    let is_itself = |output: &PathBuf| destination(output) == destination(&job.input);
    if rounds == 0 && job.output.as_ref().is_some_and(is_itself) {
        return Ok(Outcome::Undone(rounds, Finished::Unchanged));
    }
    // The whole file has been read, so the output may be a descriptor of the same file.
    let mut output = Output::create(job.output.as_deref(), None).map_err(Failure::Writing)?;
    let written =
        output.write_all(&bytes[..mark_len]).and_then(|()| output.write_all(text.as_bytes()));
    let finished = written.and_then(|()| output.finish(identity)).map_err(Failure::Writing)?;
    Ok(Outcome::Undone(rounds, finished))
}

//! `utflane convert`: converts files strictly or with repairs. The output replaces a file only as
//! a whole.

use std::fs;
use std::io::{self, IsTerminal, Write};

use utflane::{Scheme, Stop};

use crate::args::{Bom, Convert};
use crate::auto::{self, Resolved};
use crate::conversion::{Converted, ROOM};
use crate::destinations::Job;
use crate::finding::{Finding, FindingKind};
use crate::input::Input;
use crate::legacy::LegacyText;
use crate::output::{Failure, Output, unless_closed};
use crate::policy::{Converter, Policy};
use crate::report::{self, Status};
use crate::text::Text;
use crate::{blocks, destinations, pivot, progress};
use utflane_charset::{Charset, Source};

/// Converts the files. A failure of one does not stop the others.
pub(crate) fn run(arguments: &Convert, quiet: bool) -> Status {
    let to = arguments.to.charset;
    if arguments.bom == Some(Bom::Add) && to.mark().is_empty() {
        let reason = format!("{to} has no byte order mark: use --bom keep or --bom strip");
        return report::trouble("--bom add", &reason);
    }
    let policy = match Policy::of(arguments) {
        Ok(policy) => policy,
        Err(reason) => return report::trouble("--replacement", &reason),
    };
    let jobs = match destinations::jobs(arguments) {
        Ok(jobs) => jobs,
        Err(conflict) => return report::trouble(conflict.name, &conflict.reason),
    };
    let to_stdout = jobs.iter().any(|job| job.output.is_none());
    progress::begin(jobs.iter().map(|job| job.input.as_path()), quiet, to_stdout);
    let mut converted = 0;
    let mut worst = Status::Fine;
    for job in &jobs {
        let status = run_job(arguments, &policy, job, quiet);
        converted += usize::from(status == Status::Fine);
        worst = worst.max(status);
    }
    if !quiet && (arguments.in_place || arguments.output_dir.is_some()) {
        let files = if jobs.len() == 1 { "file" } else { "files" };
        let summary = format!("utflane: {converted} of {} {files} converted\n", jobs.len());
        report::print(summary.as_bytes());
    }
    worst
}

/// Converts one file, and reports how that ended.
fn run_job(arguments: &Convert, policy: &Policy, job: &Job, quiet: bool) -> Status {
    let file = &job.input;
    let note = |words: &str| {
        if !quiet {
            report::note(file, words);
        }
    };
    match convert(arguments, policy, job, quiet) {
        Ok(Outcome::Refused(reason)) => {
            report::note(file, &reason);
            Status::Invalid
        }
        Ok(Outcome::Converted(Converted { finding, repairs })) => {
            if let Some(finding) = &finding {
                report::print(&finding.message(file, false));
                if finding.is_mark() {
                    note("it begins with a byte order mark: --bom strip removes it");
                }
            }
            match repairs {
                0 => {}
                1 => note("1 place repaired"),
                _ => note(&format!("{repairs} places repaired")),
            }
            if finding.is_none() {
                return Status::Fine;
            }
            if arguments.in_place {
                note("left as it was");
            }
            Status::Invalid
        }
        Err(Failure::Reading(error)) => report::trouble(file, &error),
        Err(Failure::Writing(error)) => {
            report::unwritable(Output::name(job.output.as_deref()), &error, Status::Fine)
        }
    }
}

/// How a conversion ended, if the files could be read and written.
enum Outcome {
    Converted(Converted),
    /// The encoding isn't known; the reason in words. Nothing is written.
    Refused(String),
}

/// Converts one file. Replaces the output only if the conversion reaches the end.
fn convert(
    arguments: &Convert,
    policy: &Policy,
    job: &Job,
    quiet: bool,
) -> Result<Outcome, Failure> {
    let mut input = Input::open(&job.input, arguments.decompress).map_err(Failure::Reading)?;
    if arguments.in_place && input.size().is_none() {
        let reason = match fs::metadata(&job.input).is_ok_and(|found| found.is_dir()) {
            true => "Is a directory",
            false => "only a regular file can be converted in place",
        };
        return Err(Failure::Reading(io::Error::other(reason)));
    }
    let resolved = auto::resolve(arguments.from, arguments.guess, &mut input);
    let from = match resolved.map_err(Failure::Reading)? {
        Resolved::Known(charset) => charset,
        Resolved::Detected(charset, found) => {
            if !quiet {
                report::note(&job.input, &format!("taken for {found}"));
            }
            charset
        }
        Resolved::Refused(refusal) => {
            let reason = refusal.words("-f", ", or take the first with --guess");
            return Ok(Outcome::Refused(reason));
        }
    };
    let mut output =
        Output::create(job.output.as_deref(), input.identity()).map_err(Failure::Writing)?;
    let converted = write_output(arguments, policy, input, from, &mut output)?;
    if converted.finding.is_none() {
        output.commit().map_err(Failure::Writing)?;
    } else if arguments.keep_partial || !output.is_replacement() {
        unless_closed(output.commit()).map_err(Failure::Writing)?;
    }
    Ok(Outcome::Converted(converted))
}

/// Writes the output, from its byte order mark to its end.
fn write_output(
    arguments: &Convert,
    policy: &Policy,
    mut input: Input,
    from: Charset,
    output: &mut Output,
) -> Result<Converted, Failure> {
    let (bom, to) = (arguments.bom(), arguments.to.charset);
    let mark = from.mark();
    let marked =
        !mark.is_empty() && input.peek(mark.len()).map_err(Failure::Reading)?.starts_with(mark);
    let left_out = if marked && bom != Bom::Keep { mark.len() } else { 0 };
    if bom == Bom::Add {
        output.write_all(to.mark()).map_err(Failure::Writing)?;
    }
    let excerpts = arguments.excerpt.excerpt.is_now(io::stderr().is_terminal());
    let from = match from {
        Charset::Scheme(from) => from,
        Charset::Legacy(from) => {
            let text = LegacyText::new(input, from).with_excerpts(excerpts);
            return pivot::pump_legacy(text, to, policy, output);
        }
    };
    let mut text = Text::new(input, from, excerpts).with_repairs(policy.invalid.is_some());
    text.skip(left_out);
    match to {
        Charset::Scheme(to) => {
            let before = blocks::pump(&mut text, from, to, policy, output)?;
            let mut converted = pump(text, Converter::new(from, to, policy), output)?;
            converted.repairs += before;
            Ok(converted)
        }
        Charset::Legacy(_) => pivot::pump_scheme(text, from, to, policy, output),
    }
}

/// Converts `text` up to its end, or to the place where the conversion stops.
fn pump(
    mut text: Text,
    mut converter: Converter,
    output: &mut Output,
) -> Result<Converted, Failure> {
    let mut room = vec![0; ROOM];
    loop {
        let mut chunk = text.next_chunk().map_err(Failure::Reading)?;
        let ended = chunk.is_empty();
        loop {
            let progress = match ended {
                true => converter.finish(&mut room),
                false => converter.push(chunk, &mut room),
            };
            let written = output.write_all(&room[..progress.written]);
            if let Stop::Error(error) = progress.stop {
                unless_closed(written).map_err(Failure::Writing)?;
                let finding = Some(text.locate(error).map_err(Failure::Reading)?);
                return Ok(Converted { finding, repairs: converter.repairs() });
            }
            written.map_err(Failure::Writing)?;
            chunk = &chunk[progress.read..];
            if progress.stop == Stop::Done {
                break;
            }
        }
        if ended {
            return Ok(Converted { finding: None, repairs: converter.repairs() });
        }
    }
}

impl Convert {
    /// The treatment of a byte order mark. One that decides the encoding is no part of the text.
    fn bom(&self) -> Bom {
        let usual = match self.from {
            _ if self.to.marked => Bom::Add,
            Source::ByMark(_) | Source::Auto => Bom::Strip,
            _ => Bom::Keep,
        };
        self.bom.unwrap_or(usual)
    }
}

impl Finding {
    /// Whether it is a byte order mark that the target encoding doesn't have.
    fn is_mark(&self) -> bool {
        let is_mark = |scheme: &Scheme| scheme.byte_order_mark() == self.offending;
        self.offset == 0 && self.kind == FindingKind::Unmappable && Scheme::ALL.iter().any(is_mark)
    }
}

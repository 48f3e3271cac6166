//! `utflane convert` converts files, strictly or with repairs. A file is replaced only by a
//! complete output.
//!
//! With `--dry-run`, each file is converted, and the result is only compared with the old text.

use std::io::{self, IsTerminal, Seek, Write};

use utflane::{Scheme, Stop};

use crate::args::{Bom, Convert};
use crate::auto::{self, Resolved};
use crate::batch::{self, Fate, JobResult, Settings};
use crate::conversion::{Converted, OUTPUT_BYTES};
use crate::destinations::Job;
use crate::directories::Files;
use crate::files::FileReport;
use crate::finding::{Finding, FindingKind};
use crate::input::{CHUNK, Input};
use crate::legacy::LegacyText;
use crate::output::{Failure, Finished, Output, ignore_closed_pipe};
use crate::policy::{Converter, Policy};
use crate::refusal::{Advice, Auto, LateRefusal, Refusal};
use crate::replacement::ReplaceOptions;
use crate::report::{self, Status};
use crate::text::Text;
use crate::unit_filter::UnitFilter;
use crate::{blocks, destinations, hint, name, pivot, progress};
use utflane_charset::{Charset, Source};

const UTF8: Charset = Charset::Scheme(Scheme::Utf8);

/// Converts the files. A failure of one file does not stop the others.
pub(crate) fn run(arguments: &Convert, quiet: bool) -> Status {
    let to = arguments.to.charset;
    if arguments.bom == Some(Bom::Add) && to.mark().is_empty() {
        let reason = format!("{to} has no byte order mark: use --bom keep or --bom strip");
        return report::failure("--bom add", &reason);
    }
    if arguments.eol.is_some_and(|end| UnitFilter::line_ends(to, end).is_none()) {
        return report::failure("--eol", &format!("{to} has no CR or no LF: leave out --eol"));
    }
    let destination = &arguments.destination;
    let mut files = Files::find(&arguments.files, &arguments.recursion);
    if let Some(suffix) = &destination.backup {
        files.leave_out(suffix, &arguments.files);
    }
    let jobs = match destinations::jobs(&files.paths, destination) {
        Ok(jobs) => jobs,
        Err(conflict) => return report::failure(conflict.name, &conflict.reason),
    };
    let to_stdout = !arguments.dry_run && jobs.iter().any(|job| job.output.is_none());
    progress::begin(jobs.iter().map(|job| job.input.as_path()), quiet, to_stdout);
    let settings = Settings {
        threads: destination.jobs,
        quiet,
        waits_for_memory: arguments.decompression.decompress,
        status: files.status,
    };
    let replace_options =
        ReplaceOptions { dry_run: arguments.dry_run, backup: destination.backup.clone() };
    let conversion =
        Conversion { arguments, policy: Policy::from_arguments(arguments), replace_options, quiet };
    let results = batch::run(&jobs, &settings, |job, report| conversion.run_job(job, report));
    if !quiet && destination.is_for_many() {
        let done = if arguments.dry_run { "would be converted" } else { "converted" };
        report::print(results.summary(done).as_bytes());
    }
    results.worst
}

/// How files are converted.
struct Conversion<'a> {
    arguments: &'a Convert,
    policy: Policy,
    replace_options: ReplaceOptions,
    quiet: bool,
}

impl Conversion<'_> {
    /// Converts one file, and reports the outcome.
    fn run_job(&self, job: &Job, report: &mut FileReport) -> Result<JobResult, Failure> {
        let outcome = self.convert(job, report).map_err(|failure| match failure {
            Failure::Writing(error) if self.replace_options.dry_run => {
                let words = format!("would not be converted: {}", report::reason(&error));
                Failure::Writing(io::Error::new(error.kind(), words))
            }
            other => other,
        });
        match outcome? {
            Outcome::Refused { reason, beginning } => {
                report.note_now(&reason);
                let result = beginning.map_or(Fate::Refused.into(), JobResult::from_finished);
                Ok(JobResult { fate: Fate::Refused, ..result })
            }
            Outcome::Skipped(reason) => {
                self.report_fate(&format!("skipped as binary: {reason}"), report)?;
                Ok(Fate::Skipped.into())
            }
            Outcome::Converted { converted, from, finished, detected } => {
                if let Some(words) = detected.filter(|_| finished.as_ref().is_none_or(is_changed)) {
                    self.note_unless_quiet(&words, report);
                }
                self.report_conversion(&converted, from, report);
                let result = finished.map_or(Fate::Refused.into(), JobResult::from_finished);
                if converted.finding.is_some() {
                    return Ok(JobResult { fate: Fate::Refused, ..result });
                }
                if self.replace_options.dry_run {
                    let words = match result.fate {
                        Fate::Unchanged => "unchanged".into(),
                        _ => format!("would be converted from {from}"),
                    };
                    self.report_fate(&words, report)?;
                }
                Ok(result)
            }
        }
    }

    /// Prints what happens to a file that has no errors: on standard output if nothing is written,
    /// because this is then the result of the command, else as a note.
    fn report_fate(&self, words: &str, report: &mut FileReport) -> Result<(), Failure> {
        if !self.replace_options.dry_run {
            self.note_unless_quiet(words, report);
            return Ok(());
        }
        let mut line = name::label(report.file, false);
        line.extend_from_slice(format!(" {words}\n").as_bytes());
        report.write_stdout(&line).map_err(Failure::Reporting)
    }

    fn note_unless_quiet(&self, words: &str, report: &mut FileReport) {
        if !self.quiet {
            report.note_now(words);
        }
    }

    /// Reports the error of a conversion, if there is one, and the number of repairs.
    fn report_conversion(&self, converted: &Converted, from: Charset, report: &mut FileReport) {
        if let Some(finding) = &converted.finding {
            report.write_stderr(&finding.message(report.file, false));
            if finding.is_unmappable_mark() {
                self.note_unless_quiet(
                    "it begins with a byte order mark: --bom strip removes it",
                    report,
                );
            }
            if report.notes.is_recoded() {
                self.note_unless_quiet(
                    "the offset and the bytes refer to the text in UTF-8",
                    report,
                );
            }
            let decompress = self.arguments.decompression.decompress;
            let hint = hint::for_finding(report, finding, from, decompress, &[], "-f");
            hint.iter().for_each(|words| self.note_unless_quiet(words, report));
        }
        match converted.repairs {
            0 => {}
            1 => self.note_unless_quiet("1 repair", report),
            repairs => self.note_unless_quiet(&format!("{repairs} repairs"), report),
        }
        if converted.finding.is_some() && self.arguments.destination.in_place {
            let dry_run = self.replace_options.dry_run;
            self.note_unless_quiet(
                if dry_run { "would stay as it is" } else { "left as it was" },
                report,
            );
        }
    }

    /// Converts one file. Replaces the file of the output only if the conversion reaches the end of
    /// the input.
    fn convert(&self, job: &Job, report: &mut FileReport) -> Result<Outcome, Failure> {
        let arguments = self.arguments;
        if arguments.destination.in_place {
            Input::check_replaceable(&job.input).map_err(Failure::Reading)?;
        }
        let decompress = arguments.decompression.decompress;
        let mut input = report.open(decompress).map_err(Failure::Reading)?;
        let identity = input.identity();
        let mut source = arguments.from;
        if arguments.skip_valid {
            let (reopened, is_utf8) =
                read_ahead(decompress, input, report).map_err(Failure::Reading)?;
            input = reopened;
            source = if is_utf8 { Source::Known(UTF8) } else { source };
        }
        let watch = (!is_like_utf8(source)).then(|| input.watch_utf8());
        if arguments.recursion.recursive
            && let Some(reason) = auto::find_binary(source, &mut input).map_err(Failure::Reading)?
        {
            return Ok(Outcome::Skipped(reason));
        }
        let (from, detected) = match self.resolve(source, &mut input, report)? {
            Ok(known) => known,
            Err(outcome) => return Ok(outcome),
        };
        let output = Output::create(job.output.as_deref(), identity, &self.replace_options);
        let mut output = output.map_err(Failure::Writing)?;
        let keeps_beginning = arguments.keep_partial || !output.is_replacement();
        let converted = match write_output(arguments, &self.policy, input, from, &mut output) {
            Err(Failure::Reading(error)) if LateRefusal::is_in(&error) => {
                return refuse_rest(&error, output, keeps_beginning);
            }
            converted => converted?,
        };
        let is_garbled = watch.is_some_and(|watch| watch.is_non_ascii_utf8());
        if is_garbled && converted.finding.is_none() && !is_like_utf8(Source::Known(from)) {
            report.note_now(&garbled_warning(from, arguments.to.charset));
        }
        let finished = match &converted.finding {
            None => Some(output.finish().map_err(Failure::Writing)?),
            Some(_) if keeps_beginning => {
                ignore_closed_pipe(output.finish()).map_err(Failure::Writing)?
            }
            Some(_) => None,
        };
        Ok(Outcome::Converted { converted, from, finished, detected })
    }

    /// Returns the encoding of `input`, with a note about its detection unless that has been
    /// printed. Returns the outcome if the encoding is not known.
    fn resolve(
        &self,
        source: Source,
        input: &mut Input,
        report: &mut FileReport,
    ) -> Result<Result<(Charset, Option<String>), Outcome>, Failure> {
        let Convert { guess, expected, .. } = self.arguments;
        let more = ", or take the first with --guess";
        let advice = Advice { option: "-f", more };
        let (detector, guess, quiet) = (expected.detector(), *guess, self.quiet);
        let resolved = auto::resolve(source, Auto { detector, guess, quiet, advice }, input);
        Ok(match resolved.map_err(Failure::Reading)? {
            Resolved::Known(charset) => Ok((charset, None)),
            Resolved::Detected(charset, note) => {
                // With -i, the note is of no interest if the file stays as it is.
                if self.arguments.destination.in_place {
                    return Ok(Ok((charset, Some(note))));
                }
                self.note_unless_quiet(&note, report);
                Ok((charset, None))
            }
            Resolved::Refused(Refusal::NoText(reason)) if self.arguments.recursion.recursive => {
                Err(Outcome::Skipped(reason))
            }
            Resolved::Refused(refusal) => {
                Err(Outcome::Refused { reason: refusal.message(advice), beginning: None })
            }
        })
    }
}

/// The outcome of a conversion whose files could be read and written.
#[allow(clippy::large_enum_variant, reason = "there is one value for each thread")]
enum Outcome {
    Converted {
        converted: Converted,
        /// The encoding of the input.
        from: Charset,
        finished: Option<Finished>,
        /// A note about the detection of the encoding, unless it has been printed.
        detected: Option<String>,
    },
    /// The encoding is not known, for this reason in words.
    Refused {
        reason: String,
        /// The output for the text before, if it is kept.
        beginning: Option<Finished>,
    },
    /// The file is not text, and nothing is written. Holds the reason in words.
    Skipped(String),
}

/// Returns the outcome for a text of which only the beginning could be read. The output of the
/// beginning is completed if it is kept.
fn refuse_rest(error: &io::Error, output: Output, is_kept: bool) -> Result<Outcome, Failure> {
    let (words, beginning) = match is_kept {
        true => {
            let finished = ignore_closed_pipe(output.finish()).map_err(Failure::Writing)?;
            ("the text before it is written", finished)
        }
        false => ("nothing is written", None),
    };
    Ok(Outcome::Refused { reason: format!("{error}; {words}"), beginning })
}

fn is_changed(finished: &Finished) -> bool {
    !matches!(finished, Finished::Unchanged)
}

/// Returns the warning about UTF-8 that has been decoded from another encoding.
fn garbled_warning(from: Charset, to: Charset) -> String {
    let advice = match to == UTF8 {
        true => "--skip-valid leaves such files as they are",
        false => "name it with -f utf-8",
    };
    format!("warning: it is valid UTF-8, so reading it as {from} has probably garbled it: {advice}")
}

/// Reads all of `input`. Returns an input with the same text from its start, and true if the text
/// is UTF-8 with characters beyond ASCII.
fn read_ahead(
    decompress: bool,
    mut input: Input,
    report: &mut FileReport,
) -> io::Result<(Input, bool)> {
    let watch = input.watch_utf8();
    let is_file = input.identity().is_some() && report.file.as_os_str() != "-";
    // An input that can't be read again is copied to an unnamed file.
    let mut copy = if is_file { None } else { Some(tempfile::tempfile()?) };
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = input.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        if let Some(copy) = &mut copy {
            copy.write_all(&buffer[..read])?;
        }
    }
    let reopened = match copy {
        None => {
            drop(input); // and the memory for its decompression
            report.open(decompress)?
        }
        Some(mut copy) => {
            copy.rewind()?;
            Input::new(Box::new(copy))
        }
    };
    Ok((reopened, watch.is_non_ascii_utf8()))
}

/// Returns true if the encoding is UTF-8, or so similar that UTF-8 text is not garbled when it is
/// read in this encoding.
fn is_like_utf8(source: Source) -> bool {
    use Scheme::{Cesu8, Mutf8, Utf8, Wtf8};
    matches!(source, Source::Known(Charset::Scheme(Utf8 | Cesu8 | Mutf8 | Wtf8)))
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
    let starts_with_mark =
        !mark.is_empty() && input.peek(mark.len()).map_err(Failure::Reading)?.starts_with(mark);
    let skipped_len = if starts_with_mark && bom != Bom::Keep { mark.len() } else { 0 };
    if bom == Bom::Add {
        output.write_all(to.mark()).map_err(Failure::Writing)?;
    }
    if let Some(to) = to.scheme().filter(|_| bom == Bom::StripAll) {
        output.add_filters(UnitFilter::without_marks(to));
    }
    if let Some(end) = arguments.eol {
        output.add_filters(UnitFilter::line_ends(to, end).into_iter().flatten());
    }
    let excerpts = arguments.excerpt.excerpt.shows_excerpts(io::stderr().is_terminal());
    let from = match from {
        Charset::Scheme(from) => from,
        Charset::Legacy(from) => {
            let text = LegacyText::new(input, from).with_excerpts(excerpts);
            return pivot::convert_from_legacy(text, to, policy, output);
        }
    };
    let mut text = Text::new(input, from, excerpts).with_repairs(policy.invalid.is_some());
    text.skip(skipped_len);
    match to {
        Charset::Scheme(to) => {
            let block_repairs = blocks::convert_beginning(&mut text, from, to, policy, output)?;
            let mut converted = convert_text(text, Converter::new(from, to, policy), output)?;
            converted.repairs += block_repairs;
            Ok(converted)
        }
        Charset::Legacy(_) => pivot::convert_from_scheme(text, from, to, policy, output),
    }
}

/// Converts `text` up to the first error, or to its end.
fn convert_text(
    mut text: Text,
    mut converter: Converter,
    output: &mut Output,
) -> Result<Converted, Failure> {
    let mut buffer = vec![0; OUTPUT_BYTES];
    loop {
        let mut chunk = text.next_chunk().map_err(Failure::Reading)?;
        let ended = chunk.is_empty();
        loop {
            let progress = match ended {
                true => converter.finish(&mut buffer),
                false => converter.push(chunk, &mut buffer),
            };
            let written = output.write_all(&buffer[..progress.written]);
            if let Stop::Error(error) = progress.stop {
                ignore_closed_pipe(written).map_err(Failure::Writing)?;
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
    /// Returns the treatment of a byte order mark. A mark that decides the encoding is not part of
    /// the text, so it is removed by default.
    fn bom(&self) -> Bom {
        let default = match self.from {
            _ if self.to.marked => Bom::Add,
            Source::ByMark(_) | Source::Auto => Bom::Strip,
            _ => Bom::Keep,
        };
        self.bom.unwrap_or(default)
    }
}

impl Finding {
    /// Returns true if the finding is a byte order mark at the start that the target encoding
    /// lacks.
    fn is_unmappable_mark(&self) -> bool {
        let has_this_mark = |scheme: &Scheme| scheme.byte_order_mark() == self.offending;
        self.offset == 0
            && self.kind == FindingKind::Unmappable
            && Scheme::ALL.iter().any(has_this_mark)
    }
}

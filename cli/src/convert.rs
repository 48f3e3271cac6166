//! `utflane convert` converts files, strictly or with repairs. A file is replaced only by a
//! complete output.

use std::io::{self, IsTerminal, Seek, Write};

use utflane::{Scheme, Stop};

use crate::args::{Bom, Convert};
use crate::auto::{self, Resolved};
use crate::batch::{self, JobResult};
use crate::conversion::{Converted, OUTPUT_BYTES};
use crate::destinations::Job;
use crate::finding::{Finding, FindingKind};
use crate::input::{CHUNK, Input};
use crate::legacy::LegacyText;
use crate::marks::MarkFilter;
use crate::memory::Turn;
use crate::output::{Failure, Finished, Output, ignore_closed_pipe};
use crate::policy::{Converter, Policy};
use crate::report::{self, Status};
use crate::text::Text;
use crate::{blocks, destinations, hint, pivot, progress};
use utflane_charset::{Charset, Source};

const UTF8: Charset = Charset::Scheme(Scheme::Utf8);

/// Converts the files. A failure of one file does not stop the others.
pub(crate) fn run(arguments: &Convert, quiet: bool) -> Status {
    let to = arguments.to.charset;
    if arguments.bom == Some(Bom::Add) && to.mark().is_empty() {
        let reason = format!("{to} has no byte order mark: use --bom keep or --bom strip");
        return report::failure("--bom add", &reason);
    }
    if arguments.skip_valid && to != UTF8 {
        return report::failure("--skip-valid", &"it needs -t utf-8");
    }
    let policy = match Policy::from_arguments(arguments) {
        Ok(policy) => policy,
        Err(reason) => return report::failure("--replacement", &reason),
    };
    let jobs = match destinations::jobs(&arguments.files, &arguments.destination) {
        Ok(jobs) => jobs,
        Err(conflict) => return report::failure(conflict.name, &conflict.reason),
    };
    let to_stdout = jobs.iter().any(|job| job.output.is_none());
    progress::begin(jobs.iter().map(|job| job.input.as_path()), quiet, to_stdout);
    let results = batch::run(&jobs, quiet, |job| run_job(arguments, &policy, job, quiet));
    let destination = &arguments.destination;
    if !quiet && (destination.in_place || destination.output_dir.is_some()) {
        report::print(results.summary(jobs.len(), "converted").as_bytes());
    }
    results.worst
}

/// Converts one file, and reports the outcome.
fn run_job(
    arguments: &Convert,
    policy: &Policy,
    job: &Job,
    quiet: bool,
) -> Result<JobResult, Failure> {
    let file = &job.input;
    let note = |words: &str| {
        if !quiet {
            report::note(file, words);
        }
    };
    Ok(match convert(arguments, policy, job, quiet)? {
        Outcome::Refused(reason) => {
            report::note(file, &reason);
            Status::Invalid.into()
        }
        Outcome::Converted { converted: Converted { finding, repairs }, charset, finished } => {
            if let Some(finding) = &finding {
                report::print(&finding.message(file, false));
                if finding.is_unmappable_mark() {
                    note("it begins with a byte order mark: --bom strip removes it");
                }
                let decompress = arguments.decompression.decompress;
                let hint = hint::for_finding(file, finding, charset, decompress, &[], "-f");
                hint.iter().for_each(|words| note(words));
            }
            match repairs {
                0 => {}
                1 => note("1 repair"),
                _ => note(&format!("{repairs} repairs")),
            }
            if finding.is_none() {
                return Ok(JobResult { status: Status::Success, finished });
            }
            if arguments.destination.in_place {
                note("left as it was");
            }
            JobResult { status: Status::Invalid, finished }
        }
    })
}

/// The outcome of a conversion whose files could be read and written.
enum Outcome {
    Converted {
        converted: Converted,
        /// The encoding of the input.
        charset: Charset,
        finished: Option<Finished>,
    },
    /// The encoding is not known, and nothing is written. Holds the reason in words.
    Refused(String),
}

/// Converts one file. Replaces the file of the output only if the conversion reaches the end of the
/// input.
fn convert(
    arguments: &Convert,
    policy: &Policy,
    job: &Job,
    quiet: bool,
) -> Result<Outcome, Failure> {
    let decompress = arguments.decompression.decompress.then(Turn::default);
    if arguments.destination.in_place {
        Input::refuse_in_place(&job.input).map_err(Failure::Reading)?;
    }
    let mut input = Input::open(&job.input, decompress).map_err(Failure::Reading)?;
    let (identity, trailing) = (input.identity(), input.trailing());
    let mut source = arguments.from;
    if arguments.skip_valid {
        let (reopened, is_utf8) = read_ahead(arguments, job, input).map_err(Failure::Reading)?;
        input = reopened;
        source = if is_utf8 { Source::Known(UTF8) } else { source };
    }
    let watch = (!is_like_utf8(source)).then(|| input.watch());
    let resolved = auto::resolve(source, arguments.guess, &mut input);
    let from = match resolved.map_err(Failure::Reading)? {
        Resolved::Known(charset) => charset,
        Resolved::Detected(charset, found) => {
            if !quiet {
                report::note(&job.input, &format!("detected as {found}"));
            }
            charset
        }
        Resolved::Refused(refusal) => {
            let reason = refusal.message("-f", ", or take the first with --guess");
            return Ok(Outcome::Refused(reason));
        }
    };
    let mut output = Output::create(job.output.as_deref(), identity).map_err(Failure::Writing)?;
    let converted = write_output(arguments, policy, input, from, &mut output)?;
    let is_garbled = watch.is_some_and(|watch| watch.is_utf8());
    if is_garbled && converted.finding.is_none() && !is_like_utf8(Source::Known(from)) {
        let advice = match arguments.to.charset == UTF8 {
            true => "--skip-valid leaves such files as they are",
            false => "name it with -f utf-8",
        };
        let words = format!(
            "warning: it is valid UTF-8, so reading it as {from} has probably garbled it: {advice}"
        );
        report::note(&job.input, &words);
    }
    if let Some(warning) = trailing.warning() {
        report::note(&job.input, warning);
    }
    let finished = match &converted.finding {
        None => Some(output.finish(identity).map_err(Failure::Writing)?),
        Some(_) if arguments.keep_partial || !output.is_replacement() => {
            ignore_closed_pipe(output.finish(identity)).map_err(Failure::Writing)?
        }
        Some(_) => None,
    };
    Ok(Outcome::Converted { converted, charset: from, finished })
}

/// Reads all of `input`. Returns an input with the same text from its start, and true if the text
/// is UTF-8 with characters beyond ASCII.
fn read_ahead(arguments: &Convert, job: &Job, mut input: Input) -> io::Result<(Input, bool)> {
    let watch = input.watch();
    let is_file = input.identity().is_some() && job.input.as_os_str() != "-";
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
        None => Input::open(&job.input, arguments.decompression.decompress.then(Turn::default))?,
        Some(mut copy) => {
            copy.rewind()?;
            Input::new(Box::new(copy))
        }
    };
    Ok((reopened, watch.is_utf8()))
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
    if let Some(to) = to.scheme().filter(|_| bom == Bom::StripAll)
        && !to.byte_order_mark().is_empty()
    {
        output.strip_marks(MarkFilter::new(to.byte_order_mark(), to.unit_size()));
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

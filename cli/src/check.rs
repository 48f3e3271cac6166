//! `utflane check` reports the first ill-formed sequence of each file, or all ill-formed sequences.

use std::io::{self, Cursor, IsTerminal};
use std::path::PathBuf;

use serde_json::json;
use utflane::Scheme;

use crate::args::{Check, Mode};
use crate::conversion::OUTPUT_BYTES;
use crate::directories::Files;
use crate::double_encoding;
use crate::files::{self, FileReport};
use crate::finding::Finding;
use crate::input::Input;
use crate::json::line_about;
use crate::legacy::LegacyText;
use crate::memory::Memory;
use crate::opened::{self, Opened};
use crate::refusal::LateRefusal;
use crate::report::Status;
use crate::styles::Styles;
use crate::text::Text;
use crate::{hint, name, progress};
use utflane_charset::Charset;

/// The largest number of findings that `--all` reports for one file. It is more than a person
/// reads.
const MAX_FINDINGS: u64 = 1000;

/// Checks the files. Findings are the result of this command, so they are printed on standard
/// output.
pub(crate) fn run(arguments: &Check, quiet: bool) -> Status {
    let files = Files::find(&arguments.several.files, &arguments.several.recursion);
    progress::begin(files.paths.iter().map(PathBuf::as_path), quiet, false);
    let excerpts = !arguments.json
        && !arguments.list
        && arguments.excerpt.excerpt.shows_excerpts(io::stdout().is_terminal());
    files::for_each(&files, arguments.several.jobs, arguments.json, |_, report| {
        let checked = check(arguments, excerpts, quiet, report);
        if arguments.list && checked.as_ref().is_err_and(LateRefusal::is_in) {
            report.write_stdout(&format_name(arguments, report))?;
        }
        checked
    })
}

/// Checks one file.
fn check(
    arguments: &Check,
    excerpts: bool,
    quiet: bool,
    report: &mut FileReport,
) -> io::Result<()> {
    let opened = opened::open(report, arguments.encoding, &arguments.several, quiet)?;
    let Some(Opened { input, charset, detected }) = opened else {
        return if arguments.list {
            report.write_stdout(&format_name(arguments, report))
        } else {
            Ok(())
        };
    };
    let detected = detected.then_some(charset);
    let mode = arguments.mojibake.filter(|_| charset == UTF8);
    let (input, mut damage, _memory) = match mode {
        Some(mode) => find_double_encoding(arguments, mode, excerpts, input, report)?,
        None => (input, None, None),
    };
    let mut text = CheckedText::new(input, charset, excerpts, arguments.no_bom);
    let limit = arguments.limit();
    let mut reported = 0;
    while let Some(finding) = text.next_finding()?.or_else(|| damage.take()) {
        report.raise_status(Status::Invalid);
        if reported == 0 && !arguments.list && !quiet && detected.is_none() {
            let decompress = arguments.several.decompression.decompress;
            let beginning = text.input().beginning();
            let hint = hint::for_finding(report, &finding, charset, decompress, beginning, "-e");
            hint.into_iter().for_each(|words| report.note(words));
        }
        let line = match arguments.json {
            true => finding.json(report.file, detected),
            false if arguments.list => format_name(arguments, report),
            false => finding.styled(report.file, arguments.several.null, Styles::of_output()),
        };
        report.write_stdout(&line)?;
        reported += 1;
        if arguments.all.is_none() {
            break;
        }
        if limit == Some(reported) {
            return count_rest(arguments, text, damage.is_some(), report);
        }
    }
    Ok(())
}

const UTF8: Charset = Charset::Scheme(Scheme::Utf8);

/// Reads all of `input`. Returns an input with the same text from its start, the first double
/// encoding if the text is UTF-8, and the memory that the text takes.
fn find_double_encoding(
    arguments: &Check,
    mode: Mode,
    excerpts: bool,
    mut input: Input,
    report: &FileReport,
) -> io::Result<(Input, Option<Finding>, Option<Memory>)> {
    let decompress = arguments.several.decompression.decompress;
    let mut memory = decompress.then(|| report.memory.part());
    let bytes = double_encoding::read_whole(&mut input, memory.as_mut())?;
    let text = double_encoding::decode_utf8(&bytes).ok();
    let damage = text.and_then(|text| double_encoding::find(&bytes, text, mode, false, excerpts));
    Ok((Input::new(Box::new(Cursor::new(bytes))), damage, memory))
}

/// Returns the name of a file as `--list` prints it.
fn format_name(arguments: &Check, report: &FileReport) -> Vec<u8> {
    match arguments.several.null {
        true => name::label(report.file, true),
        false => name::line(report.file),
    }
}

/// A text in any encoding.
enum CheckedText {
    Scheme(Text),
    /// The text, and a buffer for a decoded segment.
    Legacy(LegacyText, Vec<u8>),
}

impl CheckedText {
    fn new(input: Input, charset: Charset, excerpts: bool, marks: bool) -> Self {
        match charset {
            Charset::Scheme(scheme) => {
                Self::Scheme(Text::new(input, scheme, excerpts).with_marks(marks))
            }
            Charset::Legacy(encoding) => Self::Legacy(
                LegacyText::new(input, encoding).with_excerpts(excerpts),
                vec![0; OUTPUT_BYTES],
            ),
        }
    }

    fn input(&self) -> &Input {
        match self {
            Self::Scheme(text) => &text.input,
            Self::Legacy(text, _) => text.input(),
        }
    }

    fn without_excerpts(self) -> Self {
        match self {
            Self::Scheme(text) => Self::Scheme(text.without_excerpts()),
            legacy @ Self::Legacy(..) => legacy,
        }
    }

    fn next_finding(&mut self) -> io::Result<Option<Finding>> {
        match self {
            Self::Scheme(text) => text.next_finding(),
            Self::Legacy(text, buffer) => text.next_finding(buffer),
        }
    }
}

/// Counts the remaining findings, and reports their number if it is not 0.
fn count_rest(
    arguments: &Check,
    text: CheckedText,
    has_double_encoding: bool,
    report: &mut FileReport,
) -> io::Result<()> {
    let mut text = text.without_excerpts();
    let mut more = u64::from(has_double_encoding);
    while text.next_finding()?.is_some() {
        more += 1;
    }
    if more == 0 {
        return Ok(());
    }
    if arguments.json {
        return report.write_stdout(&line_about(report.file, json!({ "more": more })));
    }
    let mut line = name::label(report.file, arguments.several.null);
    line.extend_from_slice(format!(" and {more} more\n").as_bytes());
    report.write_stdout(&line)
}

impl Check {
    /// Returns the largest number of findings to report for one file, or `None` if there is no
    /// limit.
    fn limit(&self) -> Option<u64> {
        let default = if self.json { 0 } else { MAX_FINDINGS };
        let limit = self.all?.unwrap_or(default);
        (limit > 0).then_some(limit)
    }
}

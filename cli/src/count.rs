//! `utflane count` counts bytes, code points, UTF-16 units and lines, and prints a table.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::json;
use utflane::Scheme;

use crate::args::Count;
use crate::conversion::OUTPUT_BYTES;
use crate::directories::Files;
use crate::files::{self, FileReport};
use crate::input::Input;
use crate::json::line_about;
use crate::legacy::{End, LegacyText};
use crate::name;
use crate::opened::{self, Opened};
use crate::progress;
use crate::report::{self, Status};
use crate::streams;
use crate::units;
use utflane_charset::Charset;

/// The columns, from left to right.
const HEADER: [&str; 4] = ["bytes", "code-points", "utf16-units", "lines"];

/// The counts of one file, in the order of [`HEADER`].
type Counts = [u64; HEADER.len()];

/// Counts the text of each file. Prints the table at the end, when the column widths are known.
pub(crate) fn run(arguments: &Count, quiet: bool) -> Status {
    let files = Files::find(&arguments.several.files, &arguments.several.recursion);
    progress::begin(files.paths.iter().map(PathBuf::as_path), quiet, false);
    let counted: Mutex<Vec<Option<Counts>>> = Mutex::new(vec![None; files.paths.len()]);
    let work = |index: usize, report: &mut FileReport| {
        let opened = opened::open(report, arguments.encoding, &arguments.several, quiet)?;
        let Some(Opened { input, charset, .. }) = opened else { return Ok(()) };
        let counts = match charset {
            Charset::Scheme(scheme) => count(input, scheme)?,
            Charset::Legacy(encoding) => count_legacy(LegacyText::new(input, encoding))?,
        };
        if arguments.json {
            return report.write_stdout(&json(report.file, counts));
        }
        counted.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(counts);
        Ok(())
    };
    let status = files::for_each(&files, arguments.several.jobs, arguments.json, work);
    let files = &files.paths;
    let counted = counted.into_inner().unwrap_or_else(PoisonError::into_inner);
    let null = arguments.several.null;
    let names =
        files.iter().map(|file| if null { name::label(file, true) } else { name::line(file) });
    let mut rows: Vec<(Counts, Vec<u8>)> =
        counted.into_iter().zip(names).filter_map(|(counts, name)| Some((counts?, name))).collect();
    let mut total = Counts::default();
    for (counts, _) in &rows {
        for (sum, number) in total.iter_mut().zip(counts) {
            *sum += number;
        }
    }
    if files.len() > 1 && !arguments.json {
        rows.push((total, b"total\n".to_vec()));
    }
    let table = format_table(&rows, total);
    report::finish(progress::suspended(|| streams::write(&table)), status)
}

/// Returns the counts of one file as a line of JSON.
fn json(file: &Path, [bytes, code_points, utf16_units, lines]: Counts) -> Vec<u8> {
    line_about(
        file,
        json!({
            "bytes": bytes,
            "code_points": code_points,
            "utf16_units": utf16_units,
            "lines": lines,
        }),
    )
}

/// Counts text in one of the library's encodings.
fn count(mut input: Input, scheme: Scheme) -> io::Result<Counts> {
    let mut counts = Counts::default();
    loop {
        let ended = input.fill()?.is_empty();
        // Part of a code unit at the end of the file counts as bytes only.
        let kept = input.kept();
        let len = if ended { kept.len() } else { units::stable_boundary(scheme, kept, kept.len()) };
        let bytes = &kept[..len];
        counts[0] += len as u64;
        counts[1] += units::code_points(scheme, bytes);
        counts[2] += units::utf16_units(scheme, bytes);
        counts[3] += units::line_feeds(scheme, bytes);
        input.release(len);
        if ended {
            return Ok(counts);
        }
    }
}

/// Counts text in an encoding from before Unicode. An ill-formed sequence counts as one code point.
fn count_legacy(mut text: LegacyText) -> io::Result<Counts> {
    let mut buffer = vec![0; OUTPUT_BYTES];
    let [mut code_points, mut utf16_units, mut lines] = [0; 3];
    loop {
        let (len, end) = text.next(&mut buffer)?;
        let segment = &buffer[..len];
        code_points += units::code_points(Scheme::Utf8, segment);
        utf16_units += units::utf16_units(Scheme::Utf8, segment);
        lines += units::line_feeds(Scheme::Utf8, segment);
        match end {
            End::More => {}
            End::Last => return Ok([text.decoded_len(), code_points, utf16_units, lines]),
            End::IllFormed(_) => {
                code_points += 1;
                utf16_units += 1;
            }
        }
    }
}

/// Formats the header and the rows as a table, with the numbers aligned right. Each name includes
/// the end of its line. No number is wider than the total of its column.
fn format_table(rows: &[(Counts, Vec<u8>)], total: Counts) -> Vec<u8> {
    let mut table = Vec::new();
    let width = |column: usize| HEADER[column].len().max(total[column].to_string().len());
    let mut line = |cells: [String; HEADER.len()], name: &[u8]| {
        let mut text = String::new();
        for (column, cell) in cells.iter().enumerate() {
            let _ = write!(text, "{cell:>width$}  ", width = width(column));
        }
        table.extend_from_slice(text.as_bytes());
        table.extend_from_slice(name);
    };
    if !rows.is_empty() {
        line(HEADER.map(String::from), b"file\n");
    }
    for (counts, name) in rows {
        line(counts.map(|number| number.to_string()), name);
    }
    table
}

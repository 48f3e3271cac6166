//! `utflane count`: bytes, code points, UTF-16 units and lines, as a table.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use utflane::Scheme;

use crate::args::Count;
use crate::input::Input;
use crate::report::{self, Status};
use crate::units;

/// What the columns are, from left to right.
const HEADER: [&str; 4] = ["bytes", "code-points", "utf16-units", "lines"];

/// The numbers of one file, in the order of [`HEADER`].
type Counts = [u64; HEADER.len()];

/// Counts the files one by one; the table comes at the end, when its widths are known.
pub(crate) fn run(arguments: &Count) -> Status {
    let mut status = Status::Fine;
    let mut total = Counts::default();
    let mut rows: Vec<(Counts, &[u8])> = Vec::new();
    for file in &arguments.files {
        match count(file, arguments.encoding) {
            Ok(counts) => {
                for (sum, number) in total.iter_mut().zip(counts) {
                    *sum += number;
                }
                rows.push((counts, file.as_os_str().as_encoded_bytes()));
            }
            Err(error) => status = report::trouble(file, &error),
        }
    }
    if arguments.files.len() > 1 {
        rows.push((total, b"total"));
    }
    let mut out = io::stdout().lock();
    report::ended(out.write_all(&table(&rows, total)).and_then(|()| out.flush()), status)
}

/// Counts one file.
fn count(file: &Path, scheme: Scheme) -> io::Result<Counts> {
    let mut input = Input::open(file)?;
    let mut counts = Counts::default();
    loop {
        let ended = input.fill()?.is_empty();
        // The offset stays a multiple of every unit's size; a fragment at the end of the file is no unit, only bytes.
        let kept = input.kept().len();
        let whole = if ended { kept } else { kept - kept % units::LARGEST };
        let units = &input.kept()[..whole];
        counts[0] += whole as u64;
        counts[1] += units::code_points(scheme, units);
        counts[2] += units::utf16_units(scheme, units);
        counts[3] += units::line_feeds(scheme, units);
        input.release(whole);
        if ended {
            return Ok(counts);
        }
    }
}

/// The rows under their header, numbers to the right; no number is wider than that of the total.
fn table(rows: &[(Counts, &[u8])], total: Counts) -> Vec<u8> {
    let mut table = Vec::new();
    let width = |column: usize| HEADER[column].len().max(total[column].to_string().len());
    let mut line = |cells: [String; HEADER.len()], name: &[u8]| {
        let mut text = String::new();
        for (column, cell) in cells.iter().enumerate() {
            let _ = write!(text, "{cell:>width$}  ", width = width(column));
        }
        table.extend_from_slice(text.as_bytes());
        table.extend_from_slice(name);
        table.push(b'\n');
    };
    if !rows.is_empty() {
        line(HEADER.map(String::from), b"file");
    }
    for (counts, name) in rows {
        line(counts.map(|number| number.to_string()), name);
    }
    table
}

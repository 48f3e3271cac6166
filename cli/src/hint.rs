//! Gives advice about a file that is ill-formed in the named encoding, but looks like text in
//! another encoding.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use utflane::{ErrorKind, Scheme};

use crate::files::FileReport;
use crate::finding::{Finding, FindingKind};
use crate::input::{CHUNK, Input};
use utflane_charset::{Charset, Confidence, detect_text};

/// The number of bytes before a finding that are examined together with the bytes after it.
const BYTES_BEFORE: u64 = 256;

/// Returns advice for a `finding` in the file of `report` that was read as `charset`. `prefix` is
/// what the advice tells users to write before the name of an encoding: an option, or a command.
/// `beginning` is the start of the file as far as it is known. A regular file is read again
/// instead.
pub(crate) fn for_finding(
    report: &FileReport,
    finding: &Finding,
    charset: Charset,
    decompress: bool,
    beginning: &[u8],
    prefix: &str,
) -> Option<String> {
    use ErrorKind::{InvalidLeadByte, TooLong, TooShort};
    if let (FindingKind::Malformed(_), Some(page)) =
        (finding.kind, charset.name().strip_suffix("-strict"))
    {
        return Some(format!("{page} reads it as a control character: try {prefix} {page}"));
    }
    // Encoders of UTF-8, CESU-8, Modified UTF-8 and WTF-8 write sequences of the other kinds, so
    // these suggest no other encoding.
    match finding.kind {
        FindingKind::IllFormed(InvalidLeadByte | TooLong | TooShort) => {}
        FindingKind::IllFormed(_) if charset != Charset::Scheme(Scheme::Utf8) => {}
        FindingKind::Malformed(_) => {}
        _ => return None,
    }
    let reread = read_again(report, decompress).unwrap_or_default();
    let beginning = if reread.is_empty() { beginning } else { &reread };
    if beginning.is_empty() {
        return None;
    }
    let is_at_end = finding.offset + finding.offending.len() as u64 == beginning.len() as u64;
    let has_large_units = charset.scheme().is_some_and(|scheme| scheme.unit_size() > 1);
    if is_at_end && !has_large_units {
        return None;
    }
    let beginning = &beginning[..beginning.len().min(CHUNK)];
    if charset == Charset::Scheme(Scheme::Utf8) && is_mostly_utf8(beginning) {
        return None;
    }
    let other = match beginning.is_ascii() && !beginning.contains(&0) {
        false => likely_charset(beginning),
        // The file begins with pages of ASCII, so the text at the finding is examined. The file has
        // no byte order mark, so its code units are bytes.
        true if !decompress => {
            likely_charset(&read_at(report.file, finding.offset).unwrap_or_default())
                .filter(|other| !matches!(other, Charset::Scheme(scheme) if scheme.unit_size() > 1))
        }
        true => None,
    };
    // If the file was read in larger code units, ASCII is as good a hint as UTF-8. If the file ends
    // inside such a unit, it can look like any encoding, so other encodings are no hint.
    let other = other.filter(|&other| match other {
        Charset::Scheme(Scheme::Ascii) => has_large_units && !beginning.contains(&0),
        Charset::Scheme(Scheme::Utf8) => other != charset,
        _ => other != charset && !is_at_end,
    })?;
    let mark = other.mark();
    if mark.is_empty() || !beginning.starts_with(mark) {
        return Some(format!("looks like {other}: try {prefix} {other}"));
    }
    // If the file is read with these names, the mark is not part of the text.
    let by_mark = match other.scheme().map_or(1, Scheme::unit_size) {
        2 => "utf-16",
        4 => "utf-32",
        _ => other.name(),
    };
    Some(format!("begins with the byte order mark of {other}: try {prefix} {by_mark}"))
}

/// Returns true if a text has characters beyond ASCII in UTF-8, and at least as many of them as
/// ill-formed sequences.
fn is_mostly_utf8(text: &[u8]) -> bool {
    let (mut characters, mut ill_formed) = (0, 0);
    for chunk in text.utf8_chunks() {
        characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        ill_formed += usize::from(!chunk.invalid().is_empty());
    }
    characters > 0 && characters >= ill_formed
}

/// Returns the encoding of a text, if an encoding is likely.
fn likely_charset(text: &[u8]) -> Option<Charset> {
    let found = detect_text(text, text.len() < CHUNK);
    found.charset.filter(|_| found.confidence >= Confidence::Likely)
}

/// Returns the beginning of a regular file. It is empty for other files.
fn read_again(report: &FileReport, decompress: bool) -> io::Result<Vec<u8>> {
    let file = report.file;
    if file.as_os_str() == "-" || !file.metadata()?.is_file() {
        return Ok(Vec::new());
    }
    // The input that read the finding may no longer have the beginning of the file in memory.
    let mut input = Input::open(file, decompress.then(|| report.memory.clone()))?;
    Ok(input.peek(CHUNK)?.to_vec())
}

/// Returns the bytes of a regular file around an offset. They are empty for other files.
fn read_at(file: &Path, offset: u64) -> io::Result<Vec<u8>> {
    if file.as_os_str() == "-" || !file.metadata()?.is_file() {
        return Ok(Vec::new());
    }
    let mut file = File::open(file)?;
    file.seek(SeekFrom::Start(offset.saturating_sub(BYTES_BEFORE)))?;
    let mut bytes = Vec::new();
    file.take(CHUNK as u64 - 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

//! Advice about a file that is ill-formed in the encoding that was named, where it looks like text
//! in another one.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use utflane::detect::Confidence;
use utflane::{ErrorKind, Scheme};

use crate::finding::{Finding, FindingKind};
use crate::input::{CHUNK, Input};
use crate::memory::Turn;
use utflane_charset::{Charset, detect_text};

/// Bytes before a finding that are examined together with the bytes after it.
const BEFORE: u64 = 256;

/// Returns advice for a `finding` in a file that was read as `charset`; `option` is the command's
/// option that names encodings. `beginning` is the known start of the file; a regular file is read
/// again.
pub(crate) fn for_finding(
    file: &Path,
    finding: &Finding,
    charset: Charset,
    decompress: bool,
    beginning: &[u8],
    option: &str,
) -> Option<String> {
    use ErrorKind::{InvalidLeadByte, TooLong, TooShort};
    // The other kinds are made by encoders of UTF-8, CESU-8, Modified UTF-8 and WTF-8.
    match finding.kind {
        FindingKind::IllFormed(InvalidLeadByte | TooLong | TooShort) => {}
        FindingKind::IllFormed(_) if charset != Charset::Scheme(Scheme::Utf8) => {}
        FindingKind::Malformed(_) => {}
        _ => return None,
    }
    let again = read_again(file, decompress).unwrap_or_default();
    let beginning = if again.is_empty() { beginning } else { &again };
    if beginning.is_empty() {
        return None;
    }
    let is_cut = finding.offset + finding.offending.len() as u64 == beginning.len() as u64;
    let has_large_units = charset.scheme().is_some_and(|scheme| scheme.unit_size() > 1);
    if is_cut && !has_large_units {
        return None;
    }
    let beginning = &beginning[..beginning.len().min(CHUNK)];
    if charset == Charset::Scheme(Scheme::Utf8) && is_damaged_utf8(beginning) {
        return None;
    }
    let other = match beginning.is_ascii() && !beginning.contains(&0) {
        false => likely(beginning),
        // A file that begins with pages of ASCII: what counts is the text at the finding. There is
        // no byte order mark, and so no larger code unit.
        true if !decompress => likely(&read_at(file, finding.offset).unwrap_or_default())
            .filter(|other| !matches!(other, Charset::Scheme(scheme) if scheme.unit_size() > 1)),
        true => None,
    };
    // Read in larger code units, ASCII is as good a hint as UTF-8. A file that is cut within such a
    // unit can look like anything else.
    let other = other.filter(|&other| match other {
        Charset::Scheme(Scheme::Ascii) => has_large_units && !beginning.contains(&0),
        Charset::Scheme(Scheme::Utf8) => other != charset,
        _ => other != charset && !is_cut,
    })?;
    let mark = other.mark();
    if mark.is_empty() || !beginning.starts_with(mark) {
        return Some(format!("it looks like {other}: try {option} {other}"));
    }
    // Read by these names, the mark is no part of the text.
    let by_mark = match other.scheme().map_or(1, Scheme::unit_size) {
        2 => "utf-16",
        4 => "utf-32",
        _ => other.name(),
    };
    Some(format!("it begins with the byte order mark of {other}: try {option} {by_mark}"))
}

/// True if a text has at least as many characters beyond ASCII in UTF-8 as ill-formed sequences.
fn is_damaged_utf8(text: &[u8]) -> bool {
    let (mut characters, mut ill_formed) = (0, 0);
    for chunk in text.utf8_chunks() {
        characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        ill_formed += usize::from(!chunk.invalid().is_empty());
    }
    characters > 0 && characters >= ill_formed
}

/// The encoding of a text, if one is likely.
fn likely(text: &[u8]) -> Option<Charset> {
    let found = detect_text(text, text.len() < CHUNK);
    found.charset.filter(|_| found.confidence >= Confidence::Likely)
}

/// The beginning of a regular file.
fn read_again(file: &Path, decompress: bool) -> io::Result<Vec<u8>> {
    if file.as_os_str() == "-" || !file.metadata()?.is_file() {
        return Ok(Vec::new());
    }
    // The text before the finding is no longer in memory, so only one buffer exists at a time.
    let mut input = Input::open(file, decompress.then(Turn::default))?;
    Ok(input.peek(CHUNK)?.to_vec())
}

/// The bytes of a regular file around an offset.
fn read_at(file: &Path, offset: u64) -> io::Result<Vec<u8>> {
    if file.as_os_str() == "-" || !file.metadata()?.is_file() {
        return Ok(Vec::new());
    }
    let mut file = File::open(file)?;
    file.seek(SeekFrom::Start(offset.saturating_sub(BEFORE)))?;
    let mut bytes = Vec::new();
    file.take(CHUNK as u64 - 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

//! Finds the positions of the first errors of a file.
//!
//! The report of an error has some bytes around the error, and some text before and after the error
//! on the same line. An error is reported only after these bytes and this text have arrived. So the
//! report does not depend on the chunks.

use std::collections::VecDeque;

use utflane::utf8;
use utflane_charset::Charset;

use crate::encoding::{Sequence, as_text};
use crate::json::{self, Object};
use crate::position::Position;

/// The maximum number of errors whose positions are reported.
pub(crate) const MAX_LOCATED_ERRORS: usize = 100;

/// The maximum length of the text on either side of an error, in bytes of UTF-8.
const TEXT_CONTEXT_BYTES: usize = 48;

/// The maximum number of bytes on either side of an error that are shown in hex.
const HEX_CONTEXT_BYTES: usize = 8;

/// The number of bytes from the start of an ill-formed sequence that can determine its kind: the
/// length of the longest sequence, and some bytes after it.
const SEQUENCE_BYTES: usize = 8;

/// The number of bytes at the end of the stream that the next error may need: the bytes before the
/// error, and the start of its sequence.
const KEPT_BYTES: usize = HEX_CONTEXT_BYTES + SEQUENCE_BYTES;

/// The length of U+FFFD, which replaces an ill-formed sequence in the text, in bytes of UTF-8.
const REPLACEMENT_BYTES: usize = char::REPLACEMENT_CHARACTER.len_utf8();

/// The errors of a file that arrives in chunks.
pub(crate) struct Errors {
    source: Charset,
    /// The length of the byte order mark of the file, in bytes. The first chunk begins after it.
    mark_len: u64,
    /// The last bytes of the file.
    bytes: Window,
    /// The last part of the text, in UTF-8.
    text: Window,
    /// The sequences that are not yet reported, each with the offset of its U+FFFD in the text.
    pending: VecDeque<(Sequence, u64)>,
    /// The line and the column at `position_offset`.
    position: Position,
    /// The offset of `position` in the text, in bytes.
    position_offset: u64,
    /// The reports of the errors, as JSON.
    reports: Vec<String>,
}

/// A stream of which only the last bytes are kept.
#[derive(Default)]
struct Window {
    /// The offset of the first byte that is kept.
    start: u64,
    /// The bytes from `start` to the end of the stream so far.
    kept: Vec<u8>,
}

impl Window {
    /// Returns the length of the stream so far, in bytes.
    fn end(&self) -> u64 {
        self.start + self.kept.len() as u64
    }

    /// Returns the bytes between two offsets, as far as they are kept.
    fn get(&self, start: u64, end: u64) -> &[u8] {
        let index_of = |offset: u64| {
            let index = usize::try_from(offset.saturating_sub(self.start));
            index.map_or(self.kept.len(), |index| index.min(self.kept.len()))
        };
        &self.kept[index_of(start)..index_of(end)]
    }

    /// Drops the bytes before an offset.
    fn drop_before(&mut self, start: u64) {
        let unused = self.get(0, start).len();
        self.kept.drain(..unused);
        self.start += unused as u64;
    }
}

impl Errors {
    /// Creates the list of errors of a file that begins with a byte order mark of `mark_len` bytes.
    pub(crate) fn new(source: Charset, mark_len: u64) -> Self {
        Self {
            source,
            mark_len,
            bytes: Window { start: mark_len, ..Window::default() },
            text: Window::default(),
            pending: VecDeque::new(),
            position: Position::START,
            position_offset: 0,
            reports: Vec::new(),
        }
    }

    /// Adds the next chunk, with its text in UTF-8, and the sequences that are replaced in this
    /// text, each with the offset of its replacement in this text. `ended` is true for the last
    /// chunk.
    pub(crate) fn push(
        &mut self,
        chunk: &[u8],
        text: &str,
        sequences: &[(Sequence, usize)],
        ended: bool,
    ) {
        if self.reports.len() == MAX_LOCATED_ERRORS {
            return;
        }
        let (mark_len, text_end) = (self.mark_len, self.text.end());
        let remaining = MAX_LOCATED_ERRORS - self.reports.len() - self.pending.len();
        self.pending.extend(sequences.iter().take(remaining).map(|&(sequence, text_offset)| {
            let offset = mark_len + sequence.offset;
            (Sequence { offset, ..sequence }, text_end + text_offset as u64)
        }));
        self.bytes.kept.extend_from_slice(chunk);
        self.text.kept.extend_from_slice(text.as_bytes());
        while let Some(&(sequence, text_offset)) = self.pending.front()
            && let Some(report) = self.report(sequence, text_offset, ended)
        {
            self.reports.push(report);
            self.pending.pop_front();
        }
        self.drop_reported();
    }

    /// Returns the errors as JSON, after the last chunk.
    pub(crate) fn finish(self) -> String {
        json::array(self.reports)
    }

    /// Drops the bytes and the text that no pending error needs.
    fn drop_reported(&mut self) {
        let (offset, text_offset) = match self.pending.front() {
            Some(&(sequence, text_offset)) => (sequence.offset, text_offset),
            None => (self.bytes.end(), self.text.end()),
        };
        self.advance_position(text_offset);
        self.bytes.drop_before(offset.saturating_sub(KEPT_BYTES as u64));
        self.text.drop_before(text_offset.saturating_sub(TEXT_CONTEXT_BYTES as u64));
    }

    /// Moves the position to an offset in the text.
    fn advance_position(&mut self, text_offset: u64) {
        self.position.advance(self.text.get(self.position_offset, text_offset));
        self.position_offset = text_offset;
    }

    /// Returns the report of an error as JSON. Returns `None` if the bytes or the text after the
    /// error have not arrived yet.
    fn report(&mut self, sequence: Sequence, text_offset: u64, ended: bool) -> Option<String> {
        let Sequence { offset, len, .. } = sequence;
        let needed_end = offset + (SEQUENCE_BYTES + HEX_CONTEXT_BYTES) as u64;
        let after = self.text_after(text_offset, ended)?;
        if !ended && self.bytes.end() < needed_end {
            return None;
        }
        let text = [self.text_before(text_offset), after].map(json::string);
        let end = len.map_or(self.bytes.end(), |len| offset + len as u64);
        let context = HEX_CONTEXT_BYTES as u64;
        let hex = [(offset.saturating_sub(context), offset), (offset, end), (end, end + context)];
        let hex = hex.map(|(start, end)| hex_json(self.bytes.get(start, end)));
        let kind = self.describe_kind(sequence);
        self.advance_position(text_offset);
        let report = Object::new()
            .with("offset", offset)
            .with("line", self.position.line)
            .with("column", self.position.column)
            .with_text("kind", &kind)
            .with("hex", json::array(hex))
            .with("text", json::array(text));
        Some(report.end())
    }

    /// Returns the text before an error, on the same line.
    fn text_before(&self, offset: u64) -> &str {
        let before = self.text.get(offset.saturating_sub(TEXT_CONTEXT_BYTES as u64), offset);
        // The context may begin inside a character.
        let skipped = before.iter().take_while(|&byte| byte & 0xC0 == 0x80).count();
        let before = as_text(&before[skipped..]);
        before.rsplit('\n').next().unwrap_or_default()
    }

    /// Returns the text after the U+FFFD at an offset, on the same line, up to
    /// [`TEXT_CONTEXT_BYTES`]. Returns `None` if a part of it has not arrived yet.
    fn text_after(&self, offset: u64, ended: bool) -> Option<&str> {
        let after = self.text.get(offset + REPLACEMENT_BYTES as u64, u64::MAX);
        let end = utf8::floor_boundary(after, after.len().min(TEXT_CONTEXT_BYTES));
        match as_text(&after[..end]).split_once('\n') {
            Some((line, _)) => Some(line),
            None => (ended || after.len() >= TEXT_CONTEXT_BYTES).then(|| as_text(&after[..end])),
        }
    }

    /// Returns the kind of an error in words.
    fn describe_kind(&self, sequence: Sequence) -> String {
        let bytes = self.bytes.get(sequence.offset, sequence.offset + SEQUENCE_BYTES as u64);
        match (self.source, sequence.kind) {
            (_, Some(_)) if sequence.len.is_none() => "incomplete at the end of the file".into(),
            // The decoder may have seen only the part of the sequence in one chunk. So the sequence
            // is validated again, together with the bytes after it.
            (Charset::Scheme(scheme), Some(kind)) => match scheme.validate(bytes) {
                Err(error) if error.valid_up_to() == 0 => error.kind().description().into(),
                _ => kind.into(),
            },
            (charset, _) => format!("not a character of {charset}"),
        }
    }
}

/// Returns bytes in hex, as a JSON string.
fn hex_json(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    json::string(&bytes.join(" "))
}

#[cfg(test)]
mod tests;

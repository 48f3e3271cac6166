//! The first errors of a file, with their positions.
//!
//! The bytes around an error and the text on its line are shown, as far as they are near. So an
//! error waits until the bytes and the text after it are there: it never depends on the chunks.

use std::collections::VecDeque;

use utflane::utf8;
use utflane_charset::Charset;

use crate::encoding::{Sequence, as_text};
use crate::json::{self, Object};
use crate::position::Position;

/// The number of errors that are located.
pub(crate) const LOCATED: usize = 100;

/// Bytes of UTF-8 on either side of an error that are shown as text.
const AROUND: usize = 48;

/// Bytes on either side that are shown in hex.
const HEX_AROUND: usize = 8;

/// Bytes of the longest ill-formed sequence, and some that may change its kind.
const LONGEST: usize = 8;

/// Bytes of U+FFFD, which the text has instead of an ill-formed sequence.
const REPLACEMENT: usize = char::REPLACEMENT_CHARACTER.len_utf8();

/// The errors of a file that comes in chunks.
pub(crate) struct Errors {
    source: Charset,
    /// Bytes of the file before the text: its byte order mark.
    before: u64,
    /// The bytes of the file and the text so far, in UTF-8.
    bytes: Window,
    text: Window,
    /// The sequences that are not yet reported, each with the offset of its U+FFFD in the text.
    waiting: VecDeque<(Sequence, u64)>,
    /// The position at `placed` in the text.
    position: Position,
    placed: u64,
    /// The errors, as JSON.
    found: Vec<String>,
}

/// The last part of a stream.
#[derive(Default)]
struct Window {
    /// The offset of the first byte that is kept.
    start: u64,
    kept: Vec<u8>,
}

impl Window {
    /// Returns the number of bytes so far.
    fn end(&self) -> u64 {
        self.start + self.kept.len() as u64
    }

    /// Returns the bytes between two offsets, as far as they are kept.
    fn get(&self, start: u64, end: u64) -> &[u8] {
        let at = |offset: u64| {
            let kept = usize::try_from(offset.saturating_sub(self.start));
            kept.map_or(self.kept.len(), |kept| kept.min(self.kept.len()))
        };
        &self.kept[at(start)..at(end)]
    }

    /// Forgets the bytes before an offset.
    fn forget(&mut self, start: u64) {
        let unused = self.get(0, start).len();
        self.kept.drain(..unused);
        self.start += unused as u64;
    }
}

impl Errors {
    /// Returns the errors of a text with `before` bytes before it in its file.
    pub(crate) fn new(source: Charset, before: u64) -> Self {
        let bytes = Window { start: before, ..Window::default() };
        let (waiting, found) = (VecDeque::new(), Vec::new());
        let (text, position) = (Window::default(), Position::START);
        Self { source, before, bytes, text, waiting, position, placed: 0, found }
    }

    /// Adds the next chunk, with its text in UTF-8, and the sequences that are replaced in that,
    /// each with its offset there. It is the last one if `ended`.
    pub(crate) fn push(
        &mut self,
        chunk: &[u8],
        text: &str,
        sequences: &[(Sequence, usize)],
        ended: bool,
    ) {
        if self.found.len() == LOCATED {
            return;
        }
        let (before, start) = (self.before, self.text.end());
        let more = LOCATED - self.found.len() - self.waiting.len();
        self.waiting.extend(sequences.iter().take(more).map(|&(sequence, at)| {
            let offset = before + sequence.offset;
            (Sequence { offset, ..sequence }, start + at as u64)
        }));
        self.bytes.kept.extend_from_slice(chunk);
        self.text.kept.extend_from_slice(text.as_bytes());
        while let Some(&(sequence, at)) = self.waiting.front()
            && let Some(report) = self.report(sequence, at, ended)
        {
            self.found.push(report);
            self.waiting.pop_front();
        }
        self.forget();
    }

    /// Returns the errors as JSON, after the last chunk.
    pub(crate) fn finish(self) -> String {
        json::array(self.found)
    }

    /// Drops text that is not next to an error that is still to be reported.
    fn forget(&mut self) {
        let (bytes, text) = match self.waiting.front() {
            Some(&(sequence, at)) => (sequence.offset, at),
            None => (self.bytes.end(), self.text.end()),
        };
        self.pass(text);
        self.bytes.forget(bytes.saturating_sub(AROUND as u64));
        self.text.forget(text.saturating_sub(AROUND as u64));
    }

    /// Moves the position up to an offset in the text.
    fn pass(&mut self, end: u64) {
        self.position.advance(self.text.get(self.placed, end));
        self.placed = end;
    }

    /// Returns an error as JSON; `None` if the text next to it has not arrived.
    fn report(&mut self, sequence: Sequence, at: u64, ended: bool) -> Option<String> {
        let Sequence { offset, len, .. } = sequence;
        let needed = offset + (LONGEST + HEX_AROUND) as u64;
        let after = self.text_after(at, ended)?;
        if !ended && self.bytes.end() < needed {
            return None;
        }
        let text = [self.text_before(at), after].map(json::string);
        let end = len.map_or(self.bytes.end(), |len| offset + len as u64);
        let near = HEX_AROUND as u64;
        let hex = [(offset.saturating_sub(near), offset), (offset, end), (end, end + near)];
        let hex = hex.map(|(start, end)| hex_of(self.bytes.get(start, end)));
        let kind = self.kind(sequence);
        self.pass(at);
        let report = Object::new()
            .with("offset", offset)
            .with("line", self.position.line)
            .with("column", self.position.column)
            .with_text("kind", &kind)
            .with("hex", json::array(hex))
            .with("text", json::array(text));
        Some(report.end())
    }

    /// Returns the text before an offset on its line.
    fn text_before(&self, at: u64) -> &str {
        let before = self.text.get(at.saturating_sub(AROUND as u64), at);
        let cut = before.iter().take_while(|&byte| byte & 0xC0 == 0x80).count();
        let before = as_text(&before[cut..]);
        before.rsplit('\n').next().unwrap_or_default()
    }

    /// Returns the text after the U+FFFD at an offset on its line; `None` if more may come.
    fn text_after(&self, at: u64, ended: bool) -> Option<&str> {
        let after = self.text.get(at + REPLACEMENT as u64, u64::MAX);
        let near = utf8::floor_boundary(after, after.len().min(AROUND));
        match as_text(&after[..near]).split_once('\n') {
            Some((line, _)) => Some(line),
            None => (ended || after.len() >= AROUND).then(|| as_text(&after[..near])),
        }
    }

    /// Returns the kind of an error in words.
    fn kind(&self, sequence: Sequence) -> String {
        let bytes = self.bytes.get(sequence.offset, sequence.offset + LONGEST as u64);
        match (self.source, sequence.kind) {
            (_, Some(_)) if sequence.len.is_none() => "incomplete at the end of the file".into(),
            // A stream knows only the bytes of the chunk.
            (Charset::Scheme(scheme), Some(kind)) => match scheme.validate(bytes) {
                Err(error) if error.valid_up_to() == 0 => error.kind().description().into(),
                _ => kind.into(),
            },
            (charset, _) => format!("no character in {charset}"),
        }
    }
}

/// Returns bytes in hex as JSON.
fn hex_of(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    json::string(&bytes.join(" "))
}

#[cfg(test)]
mod tests;

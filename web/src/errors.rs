//! The first errors of a file, with their places.
//!
//! Only whole characters and ill-formed sequences are counted. The end of a chunk waits until the
//! bytes after it are there: they may complete a sequence, change the kind of an error, and are
//! shown beside it. So an error never depends on the chunks.

use utflane::{Error, Scheme};

use crate::encoding::Source;
use crate::json::{self, Object};
use crate::place::{self, Place};

/// The number of errors that are located.
pub(crate) const LOCATED: usize = 100;

/// Bytes on either side of an error that are shown as text, a multiple of every unit.
const AROUND: usize = 48;

/// Bytes on either side that are shown in hex.
const HEX_AROUND: usize = 8;

/// Bytes of the longest ill-formed sequence, and some that may change its kind.
const LONGEST: usize = 8;

/// A search for errors.
pub(crate) struct Errors {
    source: Source,
    /// The last [`AROUND`] bytes that have been counted, and those that have not.
    bytes: Vec<u8>,
    /// The number of counted bytes in `bytes`.
    counted: usize,
    /// The offset in the file of the first byte that is not counted, and its place.
    offset: u64,
    place: Place,
    /// The errors, as JSON.
    found: Vec<String>,
}

impl Errors {
    /// Returns a search in a text that begins at `offset` in its file, after the byte order mark.
    pub(crate) fn new(source: Source, offset: u64) -> Self {
        let (bytes, found, place) = (Vec::new(), Vec::new(), Place::START);
        Self { source, bytes, counted: 0, offset, place, found }
    }

    /// Searches the next chunk.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        if self.found.len() < LOCATED {
            self.bytes.extend_from_slice(chunk);
            self.search(false);
        }
    }

    /// Ends the text. Returns the errors as JSON.
    pub(crate) fn finish(mut self) -> String {
        self.search(true);
        json::array(self.found)
    }

    /// Searches the bytes that are not counted; `ended` is whether the text ends after them.
    fn search(&mut self, ended: bool) {
        while self.found.len() < LOCATED {
            let rest = &self.bytes[self.counted..];
            let error = (self.source.validate)(rest).err();
            let good = error.map_or(rest.len(), |error| error.valid_up_to());
            self.place.advance(self.source, &rest[..good]);
            self.count(good);
            let Some(error) = error else { break };
            let rest = &self.bytes[self.counted..];
            if !ended && rest.len() < LONGEST + AROUND {
                break;
            }
            let len = error.error_len().unwrap_or(rest.len());
            self.found.push(self.report(error, len));
            self.place.column += 1;
            self.count(len);
        }
        let unused = self.counted.saturating_sub(AROUND);
        self.bytes.drain(..unused);
        self.counted -= unused;
    }

    /// Counts `bytes` bytes.
    fn count(&mut self, bytes: usize) {
        self.counted += bytes;
        self.offset += bytes as u64;
    }

    /// Returns the error of `len` bytes at the current place as JSON.
    fn report(&self, error: Error, len: usize) -> String {
        let (before, rest) = self.bytes.split_at(self.counted);
        let (bad, after) = rest.split_at(len);
        let near_before = &before[before.len().saturating_sub(HEX_AROUND)..];
        let near_after = &after[..after.len().min(HEX_AROUND)];
        let kind = match error.is_incomplete() {
            true => "incomplete at the end of the file",
            false => error.kind().description(),
        };
        Object::new()
            .with("offset", self.offset)
            .with("line", self.place.line)
            .with("column", self.place.column)
            .with_text("kind", kind)
            .with("hex", json::array([near_before, bad, near_after].map(hex)))
            .with("text", json::array([self.text_before(before), self.text_after(after)]))
            .end()
    }

    /// Returns the text before an error on its line as JSON.
    fn text_before(&self, before: &[u8]) -> String {
        let scheme = self.source.scheme;
        // The counted bytes are whole units, counted from their end.
        let before = &before[before.len() % scheme.unit_size()..];
        let line = place::last_line_feed(scheme, before).map_or(before, |at| &before[at..]);
        json::string(&self.source.decode(&line[cut_sequence(scheme, line)..]))
    }

    /// Returns the text after an error on its line as JSON.
    fn text_after(&self, after: &[u8]) -> String {
        let scheme = self.source.scheme;
        let near = &after[..after.len().min(AROUND)];
        let line = place::first_line_feed(scheme, near).map_or(near, |at| &near[..at]);
        let mut text = self.source.decode(line);
        // A character that only the end of the part cuts.
        if line.len() == AROUND && text.ends_with(char::REPLACEMENT_CHARACTER) {
            text.pop();
        }
        json::string(&text)
    }
}

/// Returns the bytes at the start of `text` that belong to a sequence before it.
fn cut_sequence(scheme: Scheme, text: &[u8]) -> usize {
    let is_low = |unit: &[u8], byte: usize| unit.get(byte).is_some_and(|byte| byte & 0xFC == 0xDC);
    match scheme {
        Scheme::Utf8 | Scheme::Cesu8 => {
            text.iter().take(5).take_while(|&byte| byte & 0xC0 == 0x80).count()
        }
        Scheme::Utf16Le if is_low(text, 1) => 2,
        Scheme::Utf16Be if is_low(text, 0) => 2,
        _ => 0,
    }
}

/// Returns bytes in hex as JSON.
fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    json::string(&bytes.join(" "))
}

#[cfg(test)]
mod tests;

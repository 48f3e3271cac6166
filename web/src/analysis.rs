//! The analysis of a file in one encoding: errors, counts, and double encoding.

use utflane::{Utf8, Utf16, count, len, utf8};
use utflane_charset::Charset;

use crate::double_encoding::{Search, UndoRound, undo_rounds};
use crate::encoding::{RepairingConverter, Sequence, as_text, converter_to_utf8};
use crate::errors::{Errors, MAX_LOCATED_ERRORS};
use crate::json::Object;
use crate::position::count_line_feeds;

/// The maximum length of the preview, in bytes of UTF-8.
const PREVIEW_BYTES: usize = 600;

/// An analysis of a file that arrives in chunks.
pub(crate) struct Analysis {
    errors: Errors,
    to_utf8: RepairingConverter,
    /// The text of the current chunk, in UTF-8.
    text: Vec<u8>,
    /// The first sequences that are replaced in `text`, each with the offset of its replacement.
    replaced: Vec<(Sequence, usize)>,
    counts: Counts,
    preview: String,
    /// The rounds of double encoding that are undone before the search.
    rounds: Vec<UndoRound>,
    search: Search,
}

/// The counts of the repaired text.
#[derive(Default)]
struct Counts {
    code_points: u64,
    utf16_units: u64,
    line_feeds: u64,
    /// True if there is text after the last line feed.
    has_unfinished_line: bool,
}

impl Counts {
    /// Counts the next part of the text.
    fn add(&mut self, text: &str) {
        let Some(last_byte) = text.as_bytes().last() else { return };
        self.code_points += count::<Utf8>(text.as_bytes()) as u64;
        self.utf16_units += len::<Utf8, Utf16>(text.as_bytes()) as u64;
        self.line_feeds += count_line_feeds(text.as_bytes()) as u64;
        self.has_unfinished_line = *last_byte != b'\n';
    }
}

impl Analysis {
    /// Creates an analysis of a file that begins with a byte order mark of `mark_len` bytes. The
    /// given rounds of double encoding are undone before the search for another round.
    pub(crate) fn new(source: Charset, mark_len: u64, rounds: Vec<UndoRound>) -> Self {
        Self {
            errors: Errors::new(source, mark_len),
            to_utf8: converter_to_utf8(source),
            text: Vec::new(),
            replaced: Vec::new(),
            counts: Counts::default(),
            preview: String::new(),
            rounds,
            search: Search::new(),
        }
    }

    /// Analyses the next chunk.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.process(Some(chunk));
    }

    /// Analyses the next chunk, or the end of the file if `chunk` is `None`.
    fn process(&mut self, chunk: Option<&[u8]>) {
        self.text.clear();
        self.replaced.clear();
        self.to_utf8.push(chunk, &mut self.text, |sequence, offset| {
            // Later errors are not located.
            if self.replaced.len() < MAX_LOCATED_ERRORS {
                self.replaced.push((sequence, offset));
            }
        });
        let (text, is_last) = (as_text(&self.text), chunk.is_none());
        self.errors.push(chunk.unwrap_or_default(), text, &self.replaced, is_last);
        self.counts.add(text);
        if self.preview.len() < PREVIEW_BYTES {
            let end = utf8::floor_boundary(text.as_bytes(), PREVIEW_BYTES.min(text.len()));
            self.preview.push_str(&text[..end]);
        }
        let text = undo_rounds(&mut self.rounds, text, is_last);
        self.search.push(&text);
    }

    /// Ends the analysis. Returns the result as JSON.
    pub(crate) fn finish(mut self) -> String {
        self.process(None);
        let counts = &self.counts;
        Object::new()
            .with("codePoints", counts.code_points)
            .with("utf16Units", counts.utf16_units)
            .with("lines", counts.line_feeds + u64::from(counts.has_unfinished_line))
            .with("errorCount", self.to_utf8.repairs())
            .with("errors", self.errors.finish())
            .with_text("preview", &self.preview)
            .with("double", self.search.report())
            .end()
    }
}

#[cfg(test)]
mod tests;

//! The analysis of a file in one encoding: errors, counts, and double encoding.

use utflane::{Utf8, Utf16, count, len, utf8};
use utflane_charset::Charset;

use crate::double_encoding::{Search, Undo, undo_rounds};
use crate::encoding::{Repairing, Sequence, as_text, to_utf8};
use crate::errors::{Errors, LOCATED};
use crate::json::Object;
use crate::position::line_feeds;

/// Bytes of the start of a text that are shown.
const PREVIEW: usize = 600;

/// An analysis of a file that comes in chunks.
pub(crate) struct Analysis {
    errors: Errors,
    to_utf8: Repairing,
    /// The text of the current chunk, and the sequences that are replaced in it.
    text: Vec<u8>,
    replaced: Vec<(Sequence, usize)>,
    counts: Counts,
    preview: String,
    rounds: Vec<Undo>,
    search: Search,
}

/// The counts of the repaired text.
#[derive(Default)]
struct Counts {
    code_points: u64,
    utf16_units: u64,
    line_feeds: u64,
    /// True if there is text after the last line feed.
    unfinished_line: bool,
}

impl Counts {
    /// Counts the next part.
    fn add(&mut self, text: &str) {
        let Some(last) = text.as_bytes().last() else { return };
        self.code_points += count::<Utf8>(text.as_bytes()) as u64;
        self.utf16_units += len::<Utf8, Utf16>(text.as_bytes()) as u64;
        self.line_feeds += line_feeds(text.as_bytes()) as u64;
        self.unfinished_line = *last != b'\n';
    }
}

impl Analysis {
    /// Returns the analysis of a text with `before` bytes before it in its file, and in which these
    /// rounds of double encoding are undone before more are searched for.
    pub(crate) fn new(source: Charset, before: u64, rounds: Vec<Undo>) -> Self {
        Self {
            errors: Errors::new(source, before),
            to_utf8: to_utf8(source),
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
        self.add(Some(chunk));
    }

    /// Analyses the next chunk, or the end of the file.
    fn add(&mut self, chunk: Option<&[u8]>) {
        self.text.clear();
        self.replaced.clear();
        self.to_utf8.push(chunk, &mut self.text, |sequence, at| {
            // No more are shown.
            if self.replaced.len() < LOCATED {
                self.replaced.push((sequence, at));
            }
        });
        let (text, ended) = (as_text(&self.text), chunk.is_none());
        self.errors.push(chunk.unwrap_or_default(), text, &self.replaced, ended);
        self.counts.add(text);
        if self.preview.len() < PREVIEW {
            let end = utf8::floor_boundary(text.as_bytes(), PREVIEW.min(text.len()));
            self.preview.push_str(&text[..end]);
        }
        let text = undo_rounds(&mut self.rounds, text, ended);
        self.search.push(&text);
    }

    /// Ends the file. Returns the result as JSON.
    pub(crate) fn finish(mut self) -> String {
        self.add(None);
        let counts = &self.counts;
        Object::new()
            .with("codePoints", counts.code_points)
            .with("utf16Units", counts.utf16_units)
            .with("lines", counts.line_feeds + u64::from(counts.unfinished_line))
            .with("errorCount", self.to_utf8.repairs())
            .with("errors", self.errors.finish())
            .with_text("preview", &self.preview)
            .with("double", self.search.report())
            .end()
    }
}

#[cfg(test)]
mod tests;

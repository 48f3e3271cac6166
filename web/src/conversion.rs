//! A conversion: to UTF-8 with repairs, double encoding undone, and to the target.

use utflane::Scheme;
use utflane_charset::Charset;

use crate::double_encoding::{Undo, undo_rounds};
use crate::encoding::{self, Repairing, as_text, to_utf8};
use crate::json::Object;

/// A conversion of a file that comes in chunks.
pub(crate) struct Conversion {
    to_utf8: Repairing,
    rounds: Vec<Undo>,
    from_utf8: Repairing,
    target: Scheme,
    /// True if the byte order mark is still to be written.
    mark: bool,
    /// The text of the current chunk.
    text: Vec<u8>,
}

impl Conversion {
    /// Returns a conversion to the encoding of the label `target`, with a byte order mark if
    /// `mark`. `None` if nothing is converted to that encoding.
    pub(crate) fn new(
        source: Charset,
        target: &str,
        mark: bool,
        rounds: Vec<Undo>,
    ) -> Option<Self> {
        let (target, from_utf8) = encoding::target(target)?;
        let to_utf8 = to_utf8(source);
        Some(Self { to_utf8, rounds, from_utf8, target, mark, text: Vec::new() })
    }

    /// Appends the conversion of the next chunk to `out`.
    pub(crate) fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        self.convert(Some(chunk), out);
    }

    /// Ends the file: appends the rest of the conversion to `out`.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        self.convert(None, out);
        self.from_utf8.push(None, out, |_, _| {});
    }

    /// Appends the conversion of the next chunk, or of the end of the file, to `out`.
    fn convert(&mut self, chunk: Option<&[u8]>, out: &mut Vec<u8>) {
        self.text.clear();
        self.to_utf8.push(chunk, &mut self.text, |_, _| {});
        if core::mem::take(&mut self.mark) {
            out.extend_from_slice(self.target.byte_order_mark());
        }
        if self.target == Scheme::Utf8 && self.rounds.is_empty() {
            out.extend_from_slice(&self.text);
            return;
        }
        let text = undo_rounds(&mut self.rounds, as_text(&self.text), chunk.is_none());
        self.from_utf8.push(Some(text.as_bytes()), out, |_, _| {});
    }

    /// Returns the number of repairs as JSON: ill-formed sequences, and characters that the target
    /// does not have.
    pub(crate) fn report(&self) -> String {
        Object::new()
            .with("illFormed", self.to_utf8.repairs())
            .with("unmappable", self.from_utf8.repairs())
            .end()
    }
}

#[cfg(test)]
mod tests;

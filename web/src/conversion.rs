//! Converts a file: decodes it to UTF-8 with repairs, undoes double encoding, and encodes it in the
//! target encoding.

use utflane::Scheme;
use utflane_charset::Charset;

use crate::double_encoding::{UndoRound, undo_rounds};
use crate::encoding::{self, RepairingConverter, as_text};
use crate::json::Object;

/// A conversion of a file that arrives in chunks.
pub(crate) struct Conversion {
    to_utf8: RepairingConverter,
    /// The rounds of double encoding to undo.
    rounds: Vec<UndoRound>,
    from_utf8: RepairingConverter,
    target: Scheme,
    /// True if a byte order mark has to be written before the next output.
    mark_pending: bool,
    /// The text of the current chunk, in UTF-8.
    text: Vec<u8>,
}

impl Conversion {
    /// Creates a conversion to the encoding that the label `target` names. If `mark` is true, the
    /// output begins with a byte order mark. Returns `None` if the page does not support the
    /// target.
    pub(crate) fn new(
        source: Charset,
        target: &str,
        mark: bool,
        rounds: Vec<UndoRound>,
    ) -> Option<Self> {
        let (target, from_utf8) = encoding::target_from_label(target)?;
        let to_utf8 = encoding::converter_to_utf8(source);
        Some(Self { to_utf8, rounds, from_utf8, target, mark_pending: mark, text: Vec::new() })
    }

    /// Appends the conversion of the next chunk to `out`.
    pub(crate) fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        self.convert(Some(chunk), out);
    }

    /// Ends the file, and appends the rest of the conversion to `out`.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        self.convert(None, out);
        self.from_utf8.push(None, out, |_, _| {});
    }

    /// Appends the conversion of the next chunk, or of the end of the file if `chunk` is `None`, to
    /// `out`.
    fn convert(&mut self, chunk: Option<&[u8]>, out: &mut Vec<u8>) {
        self.text.clear();
        self.to_utf8.push(chunk, &mut self.text, |_, _| {});
        if core::mem::take(&mut self.mark_pending) {
            out.extend_from_slice(self.target.byte_order_mark());
        }
        if self.target == Scheme::Utf8 && self.rounds.is_empty() {
            out.extend_from_slice(&self.text);
            return;
        }
        let text = undo_rounds(&mut self.rounds, as_text(&self.text), chunk.is_none());
        self.from_utf8.push(Some(text.as_bytes()), out, |_, _| {});
    }

    /// Returns the numbers of repairs as JSON: of ill-formed sequences, and of characters that the
    /// target encoding lacks.
    pub(crate) fn report(&self) -> String {
        Object::new()
            .with("illFormed", self.to_utf8.repairs())
            .with("unmappable", self.from_utf8.repairs())
            .end()
    }
}

#[cfg(test)]
mod tests;

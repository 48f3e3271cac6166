//! Splits text at ASCII characters, so that double encoding can be detected in each segment.
//!
//! A double-encoded character is never ASCII. Its detection needs at most one character before it
//! and one double-encoded character after it. So each segment ends with an ASCII character, and the
//! next segment begins with the same character: then the results for the segments are equal to the
//! result for the whole text.

/// The end of a text, kept until the next ASCII character arrives.
#[derive(Default)]
pub(crate) struct Segments {
    /// The kept text. Only its first character may be ASCII.
    kept: String,
}

impl Segments {
    /// Appends `text` to the kept text. If the kept text then has an ASCII character after its
    /// first character, passes the kept text up to and including its last ASCII character to
    /// `on_segment`, and keeps the text from this character on.
    pub(crate) fn push(&mut self, text: &str, on_segment: impl FnOnce(&str)) {
        let old_len = self.kept.len();
        self.kept.push_str(text);
        let last_ascii =
            text.bytes().rposition(|byte| byte.is_ascii()).map_or(0, |offset| old_len + offset);
        if last_ascii > 0 {
            on_segment(&self.kept[..=last_ascii]);
            self.kept.drain(..last_ascii);
        }
    }

    /// Ends the text, and passes the kept text to `on_segment`.
    pub(crate) fn finish(&mut self, on_segment: impl FnOnce(&str)) {
        on_segment(&core::mem::take(&mut self.kept));
    }

    /// Returns the number of bytes that are kept.
    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}

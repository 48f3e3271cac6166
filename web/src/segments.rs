//! Splits text at ASCII characters, so that double encoding can be detected in each segment.
//!
//! A damaged character is never ASCII, and its detection needs at most one character before it and
//! one damaged character after it. So if a segment ends with an ASCII character, and the next
//! segment begins with the same character, the result equals the whole text's.

/// Text that waits for an ASCII character.
#[derive(Default)]
pub(crate) struct Segments {
    /// After the first character, none is ASCII.
    kept: String,
}

impl Segments {
    /// Passes the text so far, including the last ASCII character, to `judge`, if it is longer than
    /// the last segment.
    pub(crate) fn push(&mut self, text: &str, judge: impl FnOnce(&str)) {
        let before = self.kept.len();
        self.kept.push_str(text);
        let last = text.bytes().rposition(|byte| byte.is_ascii()).map_or(0, |at| before + at);
        if last > 0 {
            judge(&self.kept[..=last]);
            self.kept.drain(..last);
        }
    }

    /// Passes the rest of the text to `judge`.
    pub(crate) fn finish(&mut self, judge: impl FnOnce(&str)) {
        judge(&core::mem::take(&mut self.kept));
    }

    /// Returns the bytes that wait.
    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}

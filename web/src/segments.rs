//! Text cut where double encoding can be judged: at ASCII characters.
//!
//! A damaged character is never ASCII, and its judgement asks for at most one character before it
//! and one damaged character after it. So a piece that ends with an ASCII character, which the next
//! piece begins with, is judged as in the whole text.

/// Text that waits for an ASCII character.
#[derive(Default)]
pub(crate) struct Pieces {
    /// After the first character, none is ASCII.
    kept: String,
}

impl Pieces {
    /// Passes the text so far, up to the last ASCII character and with it, to `judge`, if there is
    /// more than in the last piece.
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

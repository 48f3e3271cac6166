//! A position (line and column) in a text that arrives in parts.

use utflane::{Utf8, count};

/// A line and a column in code points, both counted from 1. A line ends with a line feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Position {
    /// The start of a text.
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// Moves past text in UTF-8.
    pub(crate) fn advance(&mut self, text: &[u8]) {
        let last = match text.iter().rposition(|&byte| byte == b'\n') {
            Some(at) => {
                self.line += line_feeds(&text[..=at]) as u64;
                self.column = 1;
                &text[at + 1..]
            }
            None => text,
        };
        self.column += count::<Utf8>(last) as u64;
    }
}

/// Returns the number of line feeds in UTF-8.
pub(crate) fn line_feeds(text: &[u8]) -> usize {
    // Sums that fit into a byte, so that the compiler vectorises them.
    let sum = |part: &[u8]| part.iter().fold(0u8, |sum, &byte| sum + u8::from(byte == b'\n'));
    text.chunks(255).map(|part| usize::from(sum(part))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_as_the_whole_text() {
        let text = "größer\n\n€😀";
        let mut position = Position::START;
        for c in text.chars() {
            position.advance(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        assert_eq!(position, Position { line: 3, column: 3 });
        let mut whole = Position::START;
        whole.advance(text.as_bytes());
        assert_eq!(whole, position);
        assert_eq!(line_feeds(&[b'\n'; 1000]), 1000);
    }
}

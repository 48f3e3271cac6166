//! Tracks the position (line and column) in a text that arrives in chunks.

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

    /// Moves the position to the end of `text`, which is UTF-8.
    pub(crate) fn advance(&mut self, text: &[u8]) {
        let last_line = match text.iter().rposition(|&byte| byte == b'\n') {
            Some(line_feed) => {
                self.line += count_line_feeds(&text[..=line_feed]) as u64;
                self.column = 1;
                &text[line_feed + 1..]
            }
            None => text,
        };
        self.column += count::<Utf8>(last_line) as u64;
    }
}

/// Returns the number of line feeds in UTF-8.
pub(crate) fn count_line_feeds(text: &[u8]) -> usize {
    // The sum of 255 bytes fits into a `u8`, so the compiler vectorises the loop with byte lanes.
    let count_in =
        |chunk: &[u8]| chunk.iter().fold(0u8, |sum, &byte| sum + u8::from(byte == b'\n'));
    text.chunks(255).map(|chunk| usize::from(count_in(chunk))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_does_not_depend_on_the_chunks() {
        let text = "größer\n\n€😀";
        let mut position = Position::START;
        for c in text.chars() {
            position.advance(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        assert_eq!(position, Position { line: 3, column: 3 });
        let mut whole = Position::START;
        whole.advance(text.as_bytes());
        assert_eq!(whole, position);
        assert_eq!(count_line_feeds(&[b'\n'; 1000]), 1000);
    }
}

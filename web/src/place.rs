//! Line and column of a place in a text that comes in parts.

use utflane::Scheme;

use crate::encoding::Source;

/// A line and a column in code points, both counted from 1. A line ends with a line feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Place {
    /// The start of a text.
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// Moves past well-formed text of whole characters.
    pub(crate) fn advance(&mut self, source: Source, text: &[u8]) {
        let last = match last_line_feed(source.scheme, text) {
            Some(after) => {
                self.line += line_feeds(source.scheme, &text[..after]);
                self.column = 1;
                &text[after..]
            }
            None => text,
        };
        self.column += (source.code_points)(last) as u64;
    }
}

/// Returns the number of line feeds in whole code units.
fn line_feeds(scheme: Scheme, text: &[u8]) -> u64 {
    let count = match scheme.unit_size() {
        1 => utf8_line_feeds(text),
        size => text.chunks_exact(size).filter(|unit| is_line_feed(scheme, unit)).count(),
    };
    count as u64
}

/// Returns the number of line feeds in UTF-8, or in any encoding of one byte a unit.
pub(crate) fn utf8_line_feeds(text: &[u8]) -> usize {
    // Sums that fit into a byte, so that the compiler vectorises them.
    let sum = |part: &[u8]| part.iter().fold(0u8, |sum, &byte| sum + u8::from(byte == b'\n'));
    text.chunks(255).map(|part| usize::from(sum(part))).sum()
}

/// Returns the offset after the last line feed in whole code units.
pub(crate) fn last_line_feed(scheme: Scheme, text: &[u8]) -> Option<usize> {
    let size = scheme.unit_size();
    let units = text.chunks_exact(size);
    let unit = units.rev().position(|unit| is_line_feed(scheme, unit))?;
    Some(text.len() - text.len() % size - unit * size)
}

/// Returns the offset of the first line feed in whole code units.
pub(crate) fn first_line_feed(scheme: Scheme, text: &[u8]) -> Option<usize> {
    let size = scheme.unit_size();
    text.chunks_exact(size).position(|unit| is_line_feed(scheme, unit)).map(|unit| unit * size)
}

/// Returns whether a code unit is U+000A.
fn is_line_feed(scheme: Scheme, unit: &[u8]) -> bool {
    match scheme {
        Scheme::Utf16Be | Scheme::Utf32Be => {
            unit.split_last() == Some((&b'\n', &[0, 0, 0][..unit.len() - 1]))
        }
        _ => unit.split_first() == Some((&b'\n', &[0, 0, 0][..unit.len() - 1])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_feed_is_a_whole_unit() {
        for (scheme, text, feeds, last) in [
            (Scheme::Utf8, &b"a\nb\n\nc"[..], 3, Some(5)),
            (Scheme::Utf16Le, b"\n\0\n\n\0\n\n", 1, Some(2)),
            (Scheme::Utf16Be, b"\0\n\n\n\n\0", 1, Some(2)),
            (Scheme::Utf32Le, b"\n\0\0\0\n\0\x01\0", 1, Some(4)),
            (Scheme::Utf32Be, b"\0\0\n\n\0\0\0\n", 1, Some(8)),
            (Scheme::Utf16Le, b"a\0", 0, None),
        ] {
            assert_eq!(line_feeds(scheme, text), feeds, "{scheme} {text:X?}");
            assert_eq!(last_line_feed(scheme, text), last, "{scheme} {text:X?}");
            assert_eq!(first_line_feed(scheme, text).is_some(), last.is_some());
        }
        assert_eq!(utf8_line_feeds(&[b'\n'; 1000]), 1000);
    }
}

//! A position in a text: line and column.

use utflane::Scheme;

use crate::units;

/// A line and a column, both counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Position {
    /// Moves past `bytes`, which begin and end at boundaries ([`units::floor_boundary`]).
    pub(crate) fn advance(&mut self, scheme: Scheme, bytes: &[u8]) {
        self.advance_by(scheme, bytes, units::code_points);
    }

    /// Like [`advance`](Self::advance), for text that may be ill-formed: each ill-formed sequence
    /// is one column.
    pub(crate) fn advance_repaired(&mut self, scheme: Scheme, bytes: &[u8]) {
        self.advance_by(scheme, bytes, units::repaired_code_points);
    }

    /// Moves past `bytes`, with `columns` to count the code points of the last line.
    fn advance_by(&mut self, scheme: Scheme, bytes: &[u8], columns: fn(Scheme, &[u8]) -> u64) {
        match units::after_last_line_feed(scheme, bytes) {
            Some(start) => {
                self.line += units::line_feeds(scheme, &bytes[..start]);
                self.column = columns(scheme, &bytes[start..]);
            }
            None => self.column += columns(scheme, bytes),
        }
    }

    /// Adds the position `more`, which is counted from this position.
    pub(crate) fn then(self, more: Self) -> Self {
        let column = if more.line == 0 { self.column + more.column } else { more.column };
        Self { line: self.line + more.line, column }
    }
}

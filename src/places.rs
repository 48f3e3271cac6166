//! What is counted in a text, and where something stands in it: the words that all questions about places share.

/// What is counted where a text has places: the unit of an index or a column.
///
/// In text that is ill-formed, counts are those of [`len`](crate::len): code points are the bytes that are not `10xxxxxx`, and
/// a byte `F0..=FF` is one UTF-16 unit more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Bytes of UTF-8: those of the text itself. The Language Server Protocol calls it `utf-8`.
    Bytes,
    /// Code points: `char`s, units of UTF-32. Python and `utf-32` of the Language Server Protocol count so.
    CodePoints,
    /// 16-bit units of UTF-16. JavaScript, Java and .NET count so, and so does the Language Server Protocol by default.
    Utf16,
}

/// A line and a column, both counted from zero.
///
/// A line ends with a line feed, which is part of it; so `\r\n` is one end, and a `\r` alone is none. A text has a line more
/// than it has line feeds. Columns are counted in the [`Metric`] that the question names.
///
/// ```
/// use utflane::{Metric, Position, utf8};
///
/// let text = "let π = 3;\nlet 😀 = π;".as_bytes();
/// let position = Position { line: 1, column: 6 };
/// assert_eq!(utf8::offset_at(text, position, Metric::Utf16), Some(20)); // behind the smile
/// assert_eq!(utf8::position_of(text, 20, Metric::Utf16), Some(position));
/// assert_eq!(utf8::position_of(text, 20, Metric::CodePoints).unwrap().column, 5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Lines in front of this one.
    pub line: usize,
    /// What is in front of the place on its line.
    pub column: usize,
}

//! The types for units and positions that all functions about positions share.

use core::fmt;

/// The unit in which an index or a column is counted.
///
/// Ill-formed text is counted as [`len`](crate::len) counts it. Each byte that is not a
/// continuation byte counts as one code point. It also counts as one UTF-16 unit, or as two units
/// if it is 0xF0..=0xFF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// Bytes of UTF-8: an index is an offset in the text. The Language Server Protocol calls this
    /// metric `utf-8`.
    Bytes,
    /// Code points, which are `char`s in Rust and units in UTF-32. Python counts them, and the
    /// Language Server Protocol calls this metric `utf-32`.
    CodePoints,
    /// UTF-16 code units of 16 bits. JavaScript, Java and .NET count them, and the Language Server
    /// Protocol does by default.
    Utf16,
}

/// The reason why [`utf8::convert_positions`](crate::utf8::convert_positions) can't convert some
/// positions.
///
/// ```
/// use utflane::{Metric, PositionsError, utf8};
///
/// let convert = |mut positions: [usize; 3]| {
///     utf8::convert_positions(b"text", Metric::Bytes, Metric::Utf16, &mut positions)
/// };
/// assert_eq!(convert([0, 3, 2]), Err(PositionsError::Unsorted { index: 2 }));
/// assert_eq!(convert([0, 5, 6]), Err(PositionsError::AfterEnd { index: 1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PositionsError {
    /// The position at `index` is less than the position before it.
    Unsorted {
        /// The first index of such a position.
        index: usize,
    },
    /// The position at `index` is after the end of the text.
    AfterEnd {
        /// The first index of such a position.
        index: usize,
    },
}

impl fmt::Display for PositionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsorted { index } => {
                write!(f, "position {index} is less than the one before it")
            }
            Self::AfterEnd { index } => {
                write!(f, "position {index} is after the end of the text")
            }
        }
    }
}

impl core::error::Error for PositionsError {}

/// Sorted positions that are converted together.
#[derive(Debug)]
pub(crate) struct PositionsToConvert<'a> {
    pub(crate) from: Metric,
    pub(crate) to: Metric,
    /// True if the conversion stops at a position between the two units of a character, which could
    /// not be converted back. From other metrics than bytes, the conversion always stops at a
    /// position after the end.
    pub(crate) exact: bool,
    pub(crate) positions: &'a mut [usize],
}

/// The largest number of bytes whose bits and counts are stored at a time. They fit the first-level
/// cache.
#[cfg(feature = "columns")]
pub(crate) const COUNTED_MAX_BYTES: usize = 16 * 1024;

impl Metric {
    /// Returns the number of units that the byte `lead`, which begins a character, counts as.
    #[inline(always)]
    pub(crate) fn units_of_lead(self, lead: u8) -> usize {
        1 + usize::from(self == Self::Utf16 && lead >= 0xF0)
    }
}

/// The rule for line ends in [`utf8::Lines`](crate::utf8::Lines) and
/// [`Index::with_line_ends`](crate::Index::with_line_ends). The number of lines of a text is the
/// number of line ends plus one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineEnds {
    /// A line feed ends a line. In `\r\n`, the `\r` is the last character of the line, and a `\r`
    /// alone is an ordinary character. A new [`Index`](crate::Index) follows this rule.
    #[default]
    Lf,
    /// A line feed, a carriage return, or both as `\r\n` end a line. This is the rule of the
    /// Language Server Protocol. No position is inside a line end.
    Lsp,
}

/// A line and a column, both counted from zero.
///
/// A line ends with a line feed, which is part of the line, unless [`LineEnds`] sets a different
/// rule. Columns are counted in the [`Metric`] that the function takes.
///
/// ```
/// use utflane::utf8::Lines;
/// use utflane::{LineEnds, Metric, Position};
///
/// let text = "let π = 3;\nlet 😀 = π;".as_bytes();
/// let lines = Lines::new(text, LineEnds::Lf);
/// let position = Position { line: 1, column: 6 };
/// assert_eq!(lines.offset_at(position, Metric::Utf16), Some(20)); // after the 😀
/// assert_eq!(lines.position_of(20, Metric::Utf16), Some(position));
/// assert_eq!(lines.position_of(20, Metric::CodePoints).unwrap().column, 5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of lines before this line.
    pub line: usize,
    /// The number of units between the start of the line and the position.
    pub column: usize,
}

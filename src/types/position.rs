//! The units and positions that all functions about positions in a text share.

use core::fmt;

/// The unit in which an index or a column is counted.
///
/// Ill-formed text is counted as by [`len`](crate::len): each byte that is not `10xxxxxx` is a code
/// point, and a byte `F0..=FF` is one UTF-16 unit more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// Bytes of UTF-8, the offsets of the text itself. The Language Server Protocol calls it
    /// `utf-8`.
    Bytes,
    /// Code points: `char`s, units of UTF-32. Used by Python and by `utf-32` of the Language Server
    /// Protocol.
    CodePoints,
    /// 16-bit units of UTF-16. Used by JavaScript, Java and .NET, and by the Language Server
    /// Protocol by default.
    Utf16,
}

/// The reason why positions can't be converted at once:
/// [`utf8::convert_positions`](crate::utf8::convert_positions).
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
    /// The position at `index` is less than the one before it.
    Unsorted {
        /// The first such index.
        index: usize,
    },
    /// The position at `index` is after the end of the text.
    AfterEnd {
        /// The first such index.
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

/// Positions to convert, which are sorted.
#[derive(Debug)]
pub(crate) struct PositionsToConvert<'a> {
    pub(crate) from: Metric,
    pub(crate) to: Metric,
    /// True if the conversion stops at a position in the middle of a character of two units, which
    /// could not be converted back. It always stops at one after the end.
    pub(crate) exact: bool,
    pub(crate) positions: &'a mut [usize],
}

/// The most bytes between row offsets that are looked up at once.
#[cfg(feature = "columns")]
pub(crate) const LOOKUP_MAX_BYTES: usize = 32 * 1024;

/// The most bytes whose bits and counts are stored at once, which fit the nearest cache.
#[cfg(feature = "columns")]
pub(crate) const COUNTED_MAX_BYTES: usize = 16 * 1024;

impl Metric {
    /// Returns the units that the byte `lead`, which begins a character, counts.
    #[inline(always)]
    pub(crate) fn of_lead(self, lead: u8) -> usize {
        1 + usize::from(self == Self::Utf16 && lead >= 0xF0)
    }
}

/// What ends a line: for [`utf8::Lines`](crate::utf8::Lines) and
/// [`Index::with_line_ends`](crate::Index::with_line_ends). A text has one line more than line
/// ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineEnds {
    /// A line feed. So `\r\n` ends a line too, whose last character is the `\r`, and a `\r` alone
    /// is a character as any other. The functions of [`utf8`](crate::utf8) and a new
    /// [`Index`](crate::Index) have this rule.
    #[default]
    Lf,
    /// A line feed, a carriage return, or both as `\r\n`: the rule of the Language Server Protocol.
    /// No position is inside a line end.
    Lsp,
}

/// A line and a column, both counted from zero.
///
/// A line ends with a line feed, which is part of it, or as [`LineEnds`] says. Columns are counted
/// in the [`Metric`] that the function takes.
///
/// ```
/// use utflane::{Metric, Position, utf8};
///
/// let text = "let π = 3;\nlet 😀 = π;".as_bytes();
/// let position = Position { line: 1, column: 6 };
/// assert_eq!(utf8::offset_at(text, position, Metric::Utf16), Some(20)); // after the 😀
/// assert_eq!(utf8::position_of(text, 20, Metric::Utf16), Some(position));
/// assert_eq!(utf8::position_of(text, 20, Metric::CodePoints).unwrap().column, 5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of lines before this one.
    pub line: usize,
    /// The number of units before the position on its line.
    pub column: usize,
}

//! Lines whose ends follow a rule ([`LineEnds`]), and positions by line and column.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::types::position::{LineEnds, Metric, Position};
use crate::utf8::boundary::floor_boundary;
use crate::utf8::position::{
    find_newline, find_unit, first_line_end, last_line, measure, newlines,
};
use crate::{generic, scalar};

/// The lines of a text in UTF-8, with a rule for line ends.
///
/// With [`LineEnds::Lf`], lines end at line feeds, and the `\r` of a `\r\n` is an ordinary
/// character of the line. With [`LineEnds::Lsp`], the methods follow the Language Server Protocol:
/// a position is never inside a line end, so an offset between `\r` and `\n` counts as the position
/// before the `\r`.
///
/// Each call reads the text at most twice, and not beyond the line that it takes or returns.
/// [`count`](Self::count) reads the whole text. For many calls on one text, use
/// [`Index`](crate::Index). The text need not be well-formed.
///
/// ```
/// use utflane::utf8::Lines;
/// use utflane::{LineEnds, Metric, Position};
///
/// let lines = Lines::new("ab\r\ncd\rπ".as_bytes(), LineEnds::Lsp);
/// assert_eq!(lines.count(), 3);
/// let end = lines.offset_at(Position { line: 0, column: 99 }, Metric::Utf16);
/// assert_eq!(end, Some(2)); // before the `\r\n`
/// let before = lines.position_of(3, Metric::Utf16); // between `\r` and `\n`
/// assert_eq!(before, Some(Position { line: 0, column: 2 }));
/// assert_eq!(lines.line_start(2), Some(7));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    src: &'a [u8],
    ends: LineEnds,
    kernel: Kernel,
}

impl<'a> Lines<'a> {
    /// Creates the lines of `src`, without reading the text.
    #[must_use]
    #[inline]
    pub fn new(src: &'a [u8], ends: LineEnds) -> Self {
        Self::with_kernel(Kernel::active(), src, ends)
    }

    /// Creates the lines of `src`. The methods use `kernel`.
    #[must_use]
    #[inline]
    pub fn with_kernel(kernel: Kernel, src: &'a [u8], ends: LineEnds) -> Self {
        Self { src, ends, kernel }
    }

    /// Returns the number of lines: the number of line ends plus one.
    ///
    /// An empty text is one line. A text that ends with a line end has an empty last line, which
    /// [`str::lines`] leaves out.
    ///
    /// ```
    /// use utflane::LineEnds;
    /// use utflane::utf8::Lines;
    ///
    /// assert_eq!(Lines::new(b"one\r\ntwo\n", LineEnds::Lf).count(), 3);
    /// assert_eq!(Lines::new(b"", LineEnds::Lf).count(), 1);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.ends.count(self.src, self.kernel) + 1
    }

    /// Returns the line of byte `offset`, counted from zero, or `None` if the offset is after the
    /// end of the text. The end itself is on the last line.
    ///
    /// ```
    /// use utflane::LineEnds;
    /// use utflane::utf8::Lines;
    ///
    /// let lines = Lines::new(b"one\ntwo\n", LineEnds::Lf);
    /// assert_eq!(lines.line_of(3), Some(0)); // the line feed itself
    /// assert_eq!(lines.line_of(4), Some(1));
    /// assert_eq!(lines.line_of(8), Some(2)); // an empty line
    /// assert_eq!(lines.line_of(9), None);
    /// ```
    #[must_use]
    pub fn line_of(&self, offset: usize) -> Option<usize> {
        self.text_before(offset).map(|before| self.ends.count(before, self.kernel))
    }

    /// Returns the offset at which a line begins, or `None` if the text has no such line.
    #[must_use]
    pub fn line_start(&self, line: usize) -> Option<usize> {
        match line.checked_sub(1) {
            Some(end_number) => {
                self.ends.find(self.src, end_number, self.kernel).ok().map(|offset| offset + 1)
            }
            None => Some(0),
        }
    }

    /// Returns the line and the column of byte `offset`, or `None` if the offset is after the end
    /// of the text. An offset inside a character counts as the start of the character.
    ///
    /// ```
    /// use utflane::utf8::Lines;
    /// use utflane::{LineEnds, Metric, Position};
    ///
    /// let text = "fn f() {\n    \"😀\" // here".as_bytes();
    /// let lines = Lines::new(text, LineEnds::Lf);
    /// let position = lines.position_of(text.len() - 4, Metric::Utf16);
    /// assert_eq!(position, Some(Position { line: 1, column: 12 }));
    /// ```
    #[must_use]
    pub fn position_of(&self, offset: usize, metric: Metric) -> Option<Position> {
        let before = self.text_before(offset)?;
        let line = self.ends.count(before, self.kernel);
        // A character does not continue after a line end, so `start` is not inside a character.
        let start = self.ends.last_line_start(before, line, self.kernel);
        let end = floor_boundary(self.src, before.len());
        Some(Position { line, column: measure(&before[start..end], metric, self.kernel) })
    }

    /// Returns the offset of a line and column, or `None` if the text has no such line. A column
    /// after the end of the line is the position before the line end, or the end of the text. A
    /// column inside a character is the start of this character, as in
    /// [`offset_of`](super::offset_of).
    ///
    /// ```
    /// use utflane::utf8::Lines;
    /// use utflane::{LineEnds, Metric, Position};
    ///
    /// let lines = Lines::new("añ\n😀!".as_bytes(), LineEnds::Lf);
    /// let offset = |line, column| lines.offset_at(Position { line, column }, Metric::Utf16);
    /// assert_eq!(offset(1, 2), Some(8));
    /// assert_eq!(offset(0, 100), Some(3));
    /// assert_eq!(offset(2, 0), None);
    /// ```
    #[must_use]
    pub fn offset_at(&self, position: Position, metric: Metric) -> Option<usize> {
        let start = self.line_start(position.line)?;
        let rest = &self.src[start..];
        let line = &rest[..self.ends.first_line_len(rest, self.kernel)];
        Some(start + find_unit(line, position.column, metric, self.kernel).unwrap_or(line.len()))
    }

    /// Returns the text before `offset`, or before the line end that contains `offset`.
    fn text_before(&self, offset: usize) -> Option<&'a [u8]> {
        (offset <= self.src.len()).then(|| &self.src[..self.ends.floor(self.src, offset)])
    }
}

impl LineEnds {
    /// Returns `offset`, or the start of the line end that contains `offset`. Only an offset
    /// between `\r` and `\n` is inside a line end.
    #[inline]
    pub(crate) fn floor(self, src: &[u8], offset: usize) -> usize {
        let is_inside = self == Self::Lsp
            && src[..offset].last() == Some(&b'\r')
            && src.get(offset) == Some(&b'\n');
        offset - usize::from(is_inside)
    }

    /// Returns the length in bytes of a line without its line end. `line` includes the line end.
    #[inline]
    pub(crate) fn len_without_end(self, line: &[u8]) -> usize {
        line.len() - if self == Self::Lsp && line.ends_with(b"\r\n") { 2 } else { 1 }
    }

    /// Returns the length in bytes of the first line without its line end.
    fn first_line_len(self, src: &[u8], kernel: Kernel) -> usize {
        match self {
            Self::Lf => first_line_end(src, kernel),
            Self::Lsp => match find_line_end(src, 0, kernel) {
                Ok(last) => self.len_without_end(&src[..=last]),
                Err(_) => src.len(),
            },
        }
    }

    /// Returns the offset at which the last line begins, after `line_ends` line ends.
    pub(crate) fn last_line_start(self, src: &[u8], line_ends: usize, kernel: Kernel) -> usize {
        match (self, line_ends.checked_sub(1)) {
            (_, None) => 0,
            (Self::Lf, _) => last_line(src, kernel),
            (Self::Lsp, Some(n)) => {
                find_line_end(src, n, kernel).map_or(0, |line_end| line_end + 1)
            }
        }
    }

    /// Returns the number of line ends. With [`LineEnds::Lsp`], a `\r` at the end of the text is a
    /// line end.
    #[inline]
    pub(crate) fn count(self, src: &[u8], kernel: Kernel) -> usize {
        match self {
            Self::Lf => newlines(src, kernel),
            // No text has `usize::MAX` line ends, so the search returns their number as an error.
            Self::Lsp => find_line_end(src, usize::MAX, kernel).unwrap_or_else(|count| count),
        }
    }

    /// Returns the offset of the last byte of line end `n`, counted from zero. If the text has too
    /// few line ends, returns their number as `Err`.
    #[inline]
    pub(crate) fn find(self, src: &[u8], n: usize, kernel: Kernel) -> Result<usize, usize> {
        match self {
            Self::Lf => find_newline(src, n, kernel),
            Self::Lsp => find_line_end(src, n, kernel),
        }
    }
}

/// Returns the offset of the last byte of line end `n` of [`LineEnds::Lsp`], counted from zero. If
/// the text has too few line ends, returns their number as `Err`.
#[inline(never)]
fn find_line_end(src: &[u8], n: usize, kernel: Kernel) -> Result<usize, usize> {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::position::find_line_end(src, n),
        |V, token, src, n| generic::position::utf8::line_end::<V>(token, src, n))
}

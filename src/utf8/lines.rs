//! Lines whose ends follow a rule ([`LineEnds`]), and positions by line and column.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::types::position::{LineEnds, Metric, Position};
use crate::utf8::boundary::floor_boundary;
use crate::utf8::position::{find_newline, find_unit, measure, newlines};
use crate::{generic, scalar};

/// The lines of a text in UTF-8, with a rule for line ends.
///
/// With [`LineEnds::Lf`], each method returns the result of the function of [`utf8`](crate::utf8)
/// with the same name ([`count`](Self::count) is [`count_lines`](super::count_lines)). With
/// [`LineEnds::Lsp`], the methods follow the Language Server Protocol: a position is never inside a
/// line end, so an offset between `\r` and `\n` counts as the position before the `\r`.
///
/// Each call reads the text at most twice, up to the result. For many calls on one text, use
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
    pub fn new(src: &'a [u8], ends: LineEnds) -> Self {
        Self::with_kernel(Kernel::active(), src, ends)
    }

    /// Creates the lines of `src`. The methods use `kernel`.
    #[must_use]
    pub fn with_kernel(kernel: Kernel, src: &'a [u8], ends: LineEnds) -> Self {
        Self { src, ends, kernel }
    }

    /// Returns the number of lines: the number of line ends plus one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.ends.count(self.src, self.kernel) + 1
    }

    /// Returns the line of byte `offset`, counted from zero, or `None` if the offset is after the
    /// end of the text.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> Option<usize> {
        self.text_before(offset).map(|before| self.ends.count(before, self.kernel))
    }

    /// Returns the offset at which a line begins, or `None` if the text has no such line.
    #[must_use]
    pub fn line_start(&self, line: usize) -> Option<usize> {
        match line.checked_sub(1) {
            Some(end) => self.ends.find(self.src, end, self.kernel).ok().map(|offset| offset + 1),
            None => Some(0),
        }
    }

    /// Returns the line and the column of byte `offset`, or `None` if the offset is after the end
    /// of the text. An offset inside a character counts as the start of the character.
    #[must_use]
    pub fn position_of(&self, offset: usize, metric: Metric) -> Option<Position> {
        let before = self.text_before(offset)?;
        let line = self.ends.count(before, self.kernel);
        let start = Self { src: before, ..*self }.line_start(line)?;
        let end = floor_boundary(self.src, before.len());
        Some(Position { line, column: measure(&before[start..end], metric, self.kernel) })
    }

    /// Returns the offset of a line and column, or `None` if the text has no such line. A column
    /// after the end of the line is the position before the line end, or the end of the text.
    #[must_use]
    pub fn offset_at(&self, position: Position, metric: Metric) -> Option<usize> {
        let start = self.line_start(position.line)?;
        let rest = &self.src[start..];
        let line = match self.ends.find(rest, 0, self.kernel) {
            Ok(last) => &rest[..self.ends.without(&rest[..=last])],
            Err(_) => rest,
        };
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
    pub(crate) fn without(self, line: &[u8]) -> usize {
        line.len() - if self == Self::Lsp && line.ends_with(b"\r\n") { 2 } else { 1 }
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

    /// Returns the offset of the last byte of line end `n`, or `Err` with the number of line ends
    /// if there are too few.
    #[inline]
    pub(crate) fn find(self, src: &[u8], n: usize, kernel: Kernel) -> Result<usize, usize> {
        match self {
            Self::Lf => find_newline(src, n, kernel),
            Self::Lsp => find_line_end(src, n, kernel),
        }
    }
}

/// Returns the offset of the last byte of line end `n` of [`LineEnds::Lsp`]. The error is the
/// number of line ends.
#[inline(never)]
fn find_line_end(src: &[u8], n: usize, kernel: Kernel) -> Result<usize, usize> {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::position::find_line_end(src, n),
        |V, token, src, n| generic::position::utf8::line_end::<V>(token, src, n))
}

//! Positions in UTF-8 that saturate: a position after the end of the text is its end, and a column
//! after the end of a line the end of that line. Elsewhere they are those of
//! [`position`](super::position).

use crate::dispatch::kernel::Kernel;
use crate::types::position::{Metric, Position};
use crate::utf8::boundary::floor_boundary;
use crate::utf8::position::{find, last_line, measure, newlines, offset_in_first_line};

/// [`offset_of`](super::offset_of), or the length of `src` for an `n` after the end. One pass up to
/// the result.
///
/// ```
/// use utflane::{Metric, utf8};
///
/// let text = "añ😀!".as_bytes();
/// assert_eq!(utf8::saturating_offset_of(text, 3, Metric::CodePoints), 7);
/// assert_eq!(utf8::saturating_offset_of(text, 100, Metric::CodePoints), 8);
/// ```
#[must_use]
#[inline]
pub fn saturating_offset_of(src: &[u8], n: usize, metric: Metric) -> usize {
    Kernel::active().utf8_saturating_offset_of(src, n, metric)
}

/// [`index_of`](super::index_of), or the length of `src` in `metric` for an offset after the end.
/// One pass up to the offset.
///
/// ```
/// use utflane::{Metric, utf8};
///
/// let text = "añ😀!".as_bytes();
/// assert_eq!(utf8::saturating_index_of(text, 7, Metric::Utf16), 4);
/// assert_eq!(utf8::saturating_index_of(text, 100, Metric::Utf16), 5);
/// ```
#[must_use]
#[inline]
pub fn saturating_index_of(src: &[u8], offset: usize, metric: Metric) -> usize {
    Kernel::active().utf8_saturating_index_of(src, offset, metric)
}

/// [`line_of`](super::line_of), or the last line for an offset after the end. One pass up to the
/// offset.
///
/// ```
/// let text = b"one\ntwo\n";
/// assert_eq!(utflane::utf8::saturating_line_of(text, 4), 1);
/// assert_eq!(utflane::utf8::saturating_line_of(text, 100), 2);
/// ```
#[must_use]
#[inline]
pub fn saturating_line_of(src: &[u8], offset: usize) -> usize {
    Kernel::active().utf8_saturating_line_of(src, offset)
}

/// [`line_start`](super::line_start), or the length of `src` for a line after the last one. One
/// pass up to the result.
///
/// ```
/// let text = b"one\r\ntwo";
/// assert_eq!(utflane::utf8::saturating_line_start(text, 1), 5);
/// assert_eq!(utflane::utf8::saturating_line_start(text, 2), 8);
/// ```
#[must_use]
#[inline]
pub fn saturating_line_start(src: &[u8], line: usize) -> usize {
    Kernel::active().utf8_saturating_line_start(src, line)
}

/// [`position_of`](super::position_of), or the line and column of the end for an offset after it.
///
/// Counts the line feeds up to the offset, then reads its line.
///
/// ```
/// use utflane::{Metric, Position, utf8};
///
/// let text = "añ\n😀!".as_bytes();
/// let position = |offset| utf8::saturating_position_of(text, offset, Metric::Utf16);
/// assert_eq!(position(8), Position { line: 1, column: 2 });
/// assert_eq!(position(100), Position { line: 1, column: 3 });
/// ```
#[must_use]
#[inline]
pub fn saturating_position_of(src: &[u8], offset: usize, metric: Metric) -> Position {
    Kernel::active().utf8_saturating_position_of(src, offset, metric)
}

/// [`offset_at`](super::offset_at), or the length of `src` for a line after the last one.
///
/// A column after the end of its line is the position before the line feed, as there. Searches the
/// line, then reads it.
///
/// ```
/// use utflane::{Metric, Position, utf8};
///
/// let text = "añ\n😀!".as_bytes();
/// let offset =
///     |line, column| utf8::saturating_offset_at(text, Position { line, column }, Metric::Utf16);
/// assert_eq!(offset(1, 2), 8);
/// assert_eq!(offset(0, 100), 3); // before the line feed
/// assert_eq!(offset(100, 0), 9);
/// ```
#[must_use]
#[inline]
pub fn saturating_offset_at(src: &[u8], position: Position, metric: Metric) -> usize {
    Kernel::active().utf8_saturating_offset_at(src, position, metric)
}

/// The functions of [`utf8`](crate::utf8) for positions that saturate, on a kernel.
impl Kernel {
    /// `utf8::saturating_offset_of` on this kernel.
    #[must_use]
    pub fn utf8_saturating_offset_of(self, src: &[u8], n: usize, metric: Metric) -> usize {
        find(src, n, metric, self).unwrap_or(src.len())
    }

    /// `utf8::saturating_index_of` on this kernel.
    #[must_use]
    pub fn utf8_saturating_index_of(self, src: &[u8], offset: usize, metric: Metric) -> usize {
        measure(&src[..floor_boundary(src, offset)], metric, self)
    }

    /// `utf8::saturating_line_of` on this kernel.
    #[must_use]
    pub fn utf8_saturating_line_of(self, src: &[u8], offset: usize) -> usize {
        newlines(&src[..offset.min(src.len())], self)
    }

    /// `utf8::saturating_line_start` on this kernel.
    #[must_use]
    pub fn utf8_saturating_line_start(self, src: &[u8], line: usize) -> usize {
        self.utf8_line_start(src, line).unwrap_or(src.len())
    }

    /// `utf8::saturating_position_of` on this kernel.
    #[must_use]
    pub fn utf8_saturating_position_of(
        self,
        src: &[u8],
        offset: usize,
        metric: Metric,
    ) -> Position {
        let offset = offset.min(src.len());
        let front = &src[..offset];
        let line = newlines(front, self);
        let start = if line == 0 { 0 } else { last_line(front, self) };
        // A character does not continue after a line feed, so the boundaries of the line are those
        // of the text.
        let column = self.utf8_saturating_index_of(&src[start..], offset - start, metric);
        Position { line, column }
    }

    /// `utf8::saturating_offset_at` on this kernel.
    #[must_use]
    pub fn utf8_saturating_offset_at(
        self,
        src: &[u8],
        position: Position,
        metric: Metric,
    ) -> usize {
        let start = self.utf8_saturating_line_start(src, position.line);
        start + offset_in_first_line(&src[start..], position.column, metric, self)
    }
}

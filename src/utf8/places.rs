//! Places in UTF-8: from the n-th of something to its offset, and back; lines and columns.
//!
//! All of it is defined by two things that any bytes have, [boundaries](super::floor_boundary) and counts, so text that is
//! ill-formed has places like any other.

use super::floor_boundary;
use crate::encoding::pairs;
use crate::kernel::{FROM_A_VECTOR, dispatch, dispatch_long};
use crate::{Kernel, Metric, Position, Scheme, generic, scalar};

/// The offset, in bytes, of code point, UTF-16 unit or byte number `n` of a text, counted from zero; for as many as there are
/// the length of `src`, for more `None`.
///
/// Exactly: the largest boundary in front of which there are at most `n`. So the second half of a surrogate pair, or a byte
/// inside a character, is where its character begins. `src` need not be well-formed: [`Metric`] says how it is counted then.
///
/// ```
/// use utflane::{Metric, utf8};
///
/// let text = "añ😀!".as_bytes();
/// assert_eq!(utf8::offset_of(text, 3, Metric::CodePoints), Some(7)); // the exclamation mark
/// assert_eq!(utf8::offset_of(text, 4, Metric::Utf16), Some(7));
/// assert_eq!(utf8::offset_of(text, 3, Metric::Utf16), Some(3)); // inside the pair
/// assert_eq!(utf8::offset_of(text, 4, Metric::CodePoints), Some(8)); // the end
/// assert_eq!(utf8::offset_of(text, 5, Metric::CodePoints), None);
/// ```
#[must_use]
#[inline]
pub fn offset_of(src: &[u8], n: usize, metric: Metric) -> Option<usize> {
    Kernel::active().utf8_offset_of(src, n, metric)
}

/// How many code points, UTF-16 units or bytes of a text are in front of an offset; `None` if that is behind the end.
///
/// An offset inside a character counts as its beginning: what is counted is in front of
/// [`floor_boundary(src, offset)`](super::floor_boundary). In well-formed text this and [`offset_of`] undo each other, but for
/// offsets and units inside of characters. `src` need not be well-formed: [`Metric`] says how it is counted then.
///
/// ```
/// use utflane::{Metric, utf8};
///
/// let text = "añ😀!".as_bytes();
/// assert_eq!(utf8::index_of(text, 7, Metric::CodePoints), Some(3));
/// assert_eq!(utf8::index_of(text, 7, Metric::Utf16), Some(4));
/// assert_eq!(utf8::index_of(text, 5, Metric::Utf16), Some(2)); // inside the smile
/// assert_eq!(utf8::index_of(text, 9, Metric::Utf16), None);
/// ```
#[must_use]
#[inline]
pub fn index_of(src: &[u8], offset: usize, metric: Metric) -> Option<usize> {
    Kernel::active().utf8_index_of(src, offset, metric)
}

/// The line, counted from zero, that byte `offset` is on: how many line feeds are in front of it. `None` if it is behind the
/// end of `src`; the end itself is on the last line.
///
/// ```
/// let text = b"one\ntwo\n";
/// assert_eq!(utflane::utf8::line_of(text, 3), Some(0)); // the line feed itself
/// assert_eq!(utflane::utf8::line_of(text, 4), Some(1));
/// assert_eq!(utflane::utf8::line_of(text, 8), Some(2)); // an empty line
/// assert_eq!(utflane::utf8::line_of(text, 9), None);
/// ```
#[must_use]
#[inline]
pub fn line_of(src: &[u8], offset: usize) -> Option<usize> {
    Kernel::active().utf8_line_of(src, offset)
}

/// The offset at which a line begins; `None` if `src` has not so many. Lines are counted from zero; there is one more than
/// there are line feeds.
///
/// ```
/// let text = b"one\r\ntwo\n";
/// assert_eq!(utflane::utf8::line_start(text, 1), Some(5));
/// assert_eq!(utflane::utf8::line_start(text, 2), Some(9)); // an empty line
/// assert_eq!(utflane::utf8::line_start(text, 3), None);
/// ```
#[must_use]
#[inline]
pub fn line_start(src: &[u8], line: usize) -> Option<usize> {
    Kernel::active().utf8_line_start(src, line)
}

/// The line and the column of byte `offset`; `None` if it is behind the end of `src`.
///
/// The column is [`index_of`] on the line: an offset inside a character counts as its beginning.
///
/// ```
/// use utflane::{Metric, Position, utf8};
///
/// let text = "fn f() {\n    \"😀\" // here".as_bytes();
/// let offset = text.len() - 4;
/// let position = utf8::position_of(text, offset, Metric::Utf16);
/// assert_eq!(position, Some(Position { line: 1, column: 12 }));
/// ```
#[must_use]
#[inline]
pub fn position_of(src: &[u8], offset: usize, metric: Metric) -> Option<Position> {
    Kernel::active().utf8_position_of(src, offset, metric)
}

/// The offset of a line and column; `None` if `src` has no such line.
///
/// A column behind the end of the line is the place in front of its line feed, or the end of the text, as the Language Server
/// Protocol wants it. The `\r` of a `\r\n` is a character of its line like any other. A column inside a character is where
/// that begins, as in [`offset_of`].
///
/// ```
/// use utflane::{Metric, Position, utf8};
///
/// let text = "añ\n😀!".as_bytes();
/// let offset = |line, column| utf8::offset_at(text, Position { line, column }, Metric::Utf16);
/// assert_eq!(offset(1, 2), Some(8));
/// assert_eq!(offset(0, 100), Some(3));
/// assert_eq!(offset(2, 0), None);
/// ```
#[must_use]
#[inline]
pub fn offset_at(src: &[u8], position: Position, metric: Metric) -> Option<usize> {
    Kernel::active().utf8_offset_at(src, position, metric)
}

/// Places in [`utf8`](crate::utf8) on a kernel.
impl Kernel {
    /// `utf8::offset_of` on this kernel.
    #[must_use]
    pub fn utf8_offset_of(self, src: &[u8], n: usize, metric: Metric) -> Option<usize> {
        let found = match metric {
            Metric::Bytes => return (n <= src.len()).then(|| floor_boundary(src, n)),
            Metric::CodePoints => find_code_point(self, src, n),
            Metric::Utf16 => find_utf16_unit(self, src, n),
        };
        end_of(src, n, found)
    }

    /// `utf8::index_of` on this kernel.
    #[must_use]
    pub fn utf8_index_of(self, src: &[u8], offset: usize, metric: Metric) -> Option<usize> {
        (offset <= src.len()).then(|| measure(self, &src[..floor_boundary(src, offset)], metric))
    }

    /// `utf8::line_of` on this kernel.
    #[must_use]
    pub fn utf8_line_of(self, src: &[u8], offset: usize) -> Option<usize> {
        src.get(..offset).map(|front| newlines(self, front))
    }

    /// `utf8::line_start` on this kernel.
    #[must_use]
    pub fn utf8_line_start(self, src: &[u8], line: usize) -> Option<usize> {
        match line.checked_sub(1) {
            Some(newline) => find_newline(self, src, newline).ok().map(|at| at + 1),
            None => Some(0),
        }
    }

    /// `utf8::position_of` on this kernel.
    #[must_use]
    pub fn utf8_position_of(self, src: &[u8], offset: usize, metric: Metric) -> Option<Position> {
        let front = src.get(..offset)?;
        let line = newlines(self, front);
        let start = if line == 0 { 0 } else { last_line(self, front) };
        // No character goes on behind a line feed, so the line has the boundaries of the text.
        let column = self.utf8_index_of(&src[start..], offset - start, metric)?;
        Some(Position { line, column })
    }

    /// `utf8::offset_at` on this kernel.
    #[must_use]
    pub fn utf8_offset_at(self, src: &[u8], position: Position, metric: Metric) -> Option<usize> {
        let start = self.utf8_line_start(src, position.line)?;
        let line = &src[start..];
        let line = &line[..first_line(self, line)];
        let column = self.utf8_offset_of(line, position.column, metric);
        Some(start + column.unwrap_or(line.len()))
    }
}

/// The offset of what was looked for and found, or of the end if there are exactly `n`.
#[inline]
pub(crate) fn end_of(src: &[u8], n: usize, found: Result<usize, usize>) -> Option<usize> {
    match found {
        Ok(at) => Some(at),
        Err(all) => (all == n).then_some(src.len()),
    }
}

/// How many there are in `src`.
#[inline]
pub(crate) fn measure(kernel: Kernel, src: &[u8], metric: Metric) -> usize {
    match metric {
        Metric::Bytes => src.len(),
        Metric::CodePoints => (const { pairs::count(Scheme::Utf8) })(kernel, src),
        Metric::Utf16 => (const { pairs::len(Scheme::Utf8, Scheme::Utf16Le) })(kernel, src),
    }
}

/// Where code point `n` begins; if there is none, how many there are.
#[inline(never)]
pub(crate) fn find_code_point(kernel: Kernel, src: &[u8], n: usize) -> Result<usize, usize> {
    dispatch_long!(kernel.for_bytes(src.len()), src.len(),
        scalar => scalar::places::find_code_point(src, n),
        |V, token, src, n| generic::places::code_point::<V>(token, src, n))
}

/// Where the character begins that has UTF-16 unit `n`; if there is none, how many units there are.
#[inline(never)]
pub(crate) fn find_utf16_unit(kernel: Kernel, src: &[u8], n: usize) -> Result<usize, usize> {
    dispatch_long!(kernel.for_bytes(src.len()), src.len(),
        scalar => scalar::places::find_utf16_unit(src, n),
        |V, token, src, n| generic::places::utf16_unit::<V>(token, src, n))
}

/// Where line feed `n` is; if there is none, how many there are.
#[inline(never)]
pub(crate) fn find_newline(kernel: Kernel, src: &[u8], n: usize) -> Result<usize, usize> {
    dispatch_long!(kernel.for_bytes(src.len()), src.len(),
        scalar => scalar::places::find_newline(src, n),
        |V, token, src, n| generic::places::newline::<V>(token, src, n))
}

/// Line feeds.
#[inline(never)]
pub(crate) fn newlines(kernel: Kernel, src: &[u8]) -> usize {
    dispatch_long!(kernel.for_bytes(src.len()), src.len() + FROM_A_VECTOR,
        scalar => scalar::places::newlines(src),
        |V, token, src, ()| generic::places::newlines::<V>(token, src))
}

/// Where the last line begins.
#[inline(never)]
pub(crate) fn last_line(kernel: Kernel, src: &[u8]) -> usize {
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::places::last_line(src),
        |V, token, src, ()| generic::places::last_line::<V>(token, src))
}

/// Where the first line ends.
#[inline(never)]
pub(crate) fn first_line(kernel: Kernel, src: &[u8]) -> usize {
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::places::first_line(src),
        |V, token, src, ()| generic::places::first_line::<V>(token, src))
}

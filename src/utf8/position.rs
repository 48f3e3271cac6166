//! Positions in UTF-8: conversions between byte offsets and code points or UTF-16 units, and the
//! searches for line feeds.
//!
//! Positions are defined by [boundaries](super::floor_boundary) and counts. Both are defined for
//! any bytes, so ill-formed text has positions too.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::generic::count::utf8::{Continuations, ContinuationsAndPairs, Newlines};
use crate::generic::position::utf8::{find, find_first};
use crate::types::position::Metric;
use crate::utf8::boundary::floor_boundary;
use crate::{generic, scalar};

/// Returns the byte offset of unit `n` of a text, counted from zero. `metric` says whether units
/// are code points, UTF-16 units or bytes. If the text has exactly `n` units, returns the length of
/// `src`. If the text has fewer, returns `None`.
///
/// The result is the largest boundary with at most `n` units before it. So a low surrogate, or a
/// byte inside a character, has the offset of its character. `src` need not be well-formed: see
/// [`Metric`] for the counts. Reads the text once, up to the result.
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

/// Returns the number of code points, UTF-16 units or bytes before an offset, or `None` if the
/// offset is after the end.
///
/// An offset inside a character counts as the start of the character: the units before
/// [`floor_boundary(src, offset)`](super::floor_boundary) are counted. In well-formed text,
/// `index_of` is the inverse of [`offset_of`], except for offsets and units inside characters.
/// `src` need not be well-formed: see [`Metric`] for the counts.
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

/// The functions of [`utf8`](crate::utf8) for positions, on a kernel.
impl Kernel {
    /// Calls `utf8::offset_of` on this kernel.
    #[doc(hidden)]
    #[must_use]
    pub fn utf8_offset_of(self, src: &[u8], n: usize, metric: Metric) -> Option<usize> {
        end_of(src, n, find_unit(src, n, metric, self))
    }

    /// Calls `utf8::index_of` on this kernel.
    #[doc(hidden)]
    #[must_use]
    pub fn utf8_index_of(self, src: &[u8], offset: usize, metric: Metric) -> Option<usize> {
        (offset <= src.len()).then(|| measure(&src[..floor_boundary(src, offset)], metric, self))
    }
}

/// Returns the byte offset of unit `n` of `metric`, or `Err` with the number of units if there are
/// too few.
#[inline]
pub(crate) fn find_unit(
    src: &[u8],
    n: usize,
    metric: Metric,
    kernel: Kernel,
) -> Result<usize, usize> {
    match metric {
        Metric::Bytes if n < src.len() => Ok(floor_boundary(src, n)),
        Metric::Bytes => Err(src.len()),
        Metric::CodePoints => find_code_point(src, n, kernel),
        Metric::Utf16 => find_utf16_unit(src, n, kernel),
    }
}

/// Returns the offset in `found`, the result of a search for unit `n`. If the text has exactly `n`
/// units, returns the end of `src`. If the text has fewer, returns `None`.
#[inline]
pub(crate) fn end_of(src: &[u8], n: usize, found: Result<usize, usize>) -> Option<usize> {
    match found {
        Ok(offset) => Some(offset),
        Err(count) => (count == n).then_some(src.len()),
    }
}

/// Returns the number of units of `metric` in `src`.
#[inline]
pub(crate) fn measure(src: &[u8], metric: Metric, kernel: Kernel) -> usize {
    match metric {
        Metric::Bytes => src.len(),
        Metric::CodePoints => (const { pairs::count(Scheme::Utf8) })(src, kernel),
        Metric::Utf16 => (const { pairs::len(Scheme::Utf8, Scheme::Utf16Le) })(src, kernel),
    }
}

/// Returns the offset of code point `n`, or `Err` with the number of code points if there are too
/// few.
#[inline(never)]
pub(crate) fn find_code_point(src: &[u8], n: usize, kernel: Kernel) -> Result<usize, usize> {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::position::find_code_point(src, n),
        |V, token, src, n| find::<V, Continuations>(token, src, n))
}

/// Returns the offset of the character that contains UTF-16 unit `n`, or `Err` with the number of
/// units if there are too few.
#[inline(never)]
pub(crate) fn find_utf16_unit(src: &[u8], n: usize, kernel: Kernel) -> Result<usize, usize> {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::position::find_utf16_unit(src, n),
        |V, token, src, n| find::<V, ContinuationsAndPairs>(token, src, n))
}

/// Returns the offset of line feed `n`, or `Err` with the number of line feeds if there are too
/// few.
#[inline(never)]
pub(crate) fn find_newline(src: &[u8], n: usize, kernel: Kernel) -> Result<usize, usize> {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::position::find_newline(src, n),
        |V, token, src, n| find::<V, Newlines>(token, src, n))
}

/// Returns the number of line feeds.
#[inline(never)]
pub(crate) fn newlines(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(src.len()), wide if !kernel.is_halved() && src.len() >= WIDE_BYTES,
        scalar => scalar::position::count_newlines(src),
        |V, token, src, ()| generic::count::utf8::newlines::<V>(token, src))
}

/// Returns the offset at which the last line begins.
#[inline(never)]
pub(crate) fn last_line(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::position::last_line_start(src),
        |V, token, src, ()| generic::position::utf8::last_line::<V>(token, src))
}

/// Returns the end of the first line: the offset of its line feed, or the end of the text.
#[inline(never)]
pub(crate) fn first_line_end(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::position::first_line_end(src),
        |V, token, src, ()| find_first::<V, Newlines>(token, src))
}

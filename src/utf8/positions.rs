//! Converts many positions in UTF-8 together.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::types::position::{Metric, PositionsError, PositionsToConvert};
use crate::utf8::boundary::floor_boundary;
use crate::utf8::position::find_unit;
use crate::{generic, scalar};

/// Converts many positions in a text together, between bytes, code points and UTF-16 units.
/// `positions` must be sorted, and may contain equal positions.
///
/// Each position is converted as by [`offset_of`](super::offset_of) and then
/// [`index_of`](super::index_of). So a position inside a character counts as the start of the
/// character, and `src` need not be well-formed. The result is sorted too.
///
/// Reads the text once, for any number of positions. Between code points and UTF-16 units, it reads
/// the text twice, because it searches the last position first. For positions that are converted
/// one at a time, use [`Index`](crate::Index).
///
/// # Errors
///
/// Returns [`PositionsError::Unsorted`] if a position is less than the position before it, and
/// [`PositionsError::AfterEnd`] if a position is after the end of the text. `positions` is then
/// unchanged.
///
/// ```
/// use utflane::{Metric, utf8};
///
/// let text = "let 😀 = π;".as_bytes();
/// // A parser has found tokens at byte offsets, and an editor needs UTF-16 indices.
/// let mut tokens = [0, 4, 9, 11, 13];
/// utf8::convert_positions(text, Metric::Bytes, Metric::Utf16, &mut tokens)?;
/// assert_eq!(tokens, [0, 4, 7, 9, 10]);
/// // Convert them back.
/// utf8::convert_positions(text, Metric::Utf16, Metric::Bytes, &mut tokens)?;
/// assert_eq!(tokens, [0, 4, 9, 11, 13]);
/// # Ok::<(), utflane::PositionsError>(())
/// ```
#[inline]
pub fn convert_positions(
    src: &[u8],
    from: Metric,
    to: Metric,
    positions: &mut [usize],
) -> Result<(), PositionsError> {
    Kernel::active().utf8_convert_positions(src, from, to, positions)
}

impl Kernel {
    /// Calls [`utf8::convert_positions`](convert_positions) on this kernel.
    ///
    /// # Errors
    ///
    /// Returns the errors of `utf8::convert_positions`.
    #[doc(hidden)]
    pub fn utf8_convert_positions(
        self,
        src: &[u8],
        from: Metric,
        to: Metric,
        positions: &mut [usize],
    ) -> Result<(), PositionsError> {
        let Some(&last) = positions.last() else { return Ok(()) };
        if let Some(index) = positions.windows(2).position(|pair| pair[1] < pair[0]) {
            return Err(PositionsError::Unsorted { index: index + 1 });
        }
        match (from, to) {
            (Metric::Bytes, _) => {
                check_end(positions, src.len())?;
                if to == Metric::Bytes {
                    for position in positions {
                        *position = floor_boundary(src, *position);
                    }
                } else {
                    convert(src, PositionsToConvert { from, to, exact: false, positions }, self);
                }
            }
            (_, Metric::Bytes) => return convert_to_bytes(src, from, positions, self),
            _ => {
                check_end(positions, end_or_last(src, last, from, self))?;
                if from != to || from == Metric::Utf16 {
                    convert(src, PositionsToConvert { from, to, exact: false, positions }, self);
                }
            }
        }
        Ok(())
    }
}

/// Converts positions to bytes, first without a search for the last position. This conversion stops
/// at a position between the two units of a character or after the end. The positions before it can
/// be converted back if there is an error.
fn convert_to_bytes(
    src: &[u8],
    from: Metric,
    positions: &mut [usize],
    kernel: Kernel,
) -> Result<(), PositionsError> {
    let to = Metric::Bytes;
    let last = positions[positions.len() - 1];
    let done = convert(src, PositionsToConvert { from, to, exact: true, positions }, kernel);
    let (converted, rest) = positions.split_at_mut(done);
    if rest.is_empty() {
        return Ok(());
    }
    if let Err(PositionsError::AfterEnd { index }) =
        check_end(rest, end_or_last(src, last, from, kernel))
    {
        let back = PositionsToConvert { from: to, to: from, exact: false, positions: converted };
        convert(src, back, kernel);
        return Err(PositionsError::AfterEnd { index: done + index });
    }
    convert(src, PositionsToConvert { from, to, exact: false, positions: rest }, kernel);
    Ok(())
}

/// Returns the number of units of the text in `metric`, or `last` if this position is before the
/// end.
fn end_or_last(src: &[u8], last: usize, metric: Metric, kernel: Kernel) -> usize {
    find_unit(src, last, metric, kernel).map_or_else(|count| count, |_| last)
}

/// Returns an error if one of the sorted positions is greater than `end`.
fn check_end(positions: &[usize], end: usize) -> Result<(), PositionsError> {
    match positions.last() {
        Some(&last) if last > end => {
            let index = positions.partition_point(|&position| position <= end);
            Err(PositionsError::AfterEnd { index })
        }
        _ => Ok(()),
    }
}

/// Converts sorted positions. Returns the number of converted positions.
#[inline(never)]
pub(crate) fn convert(src: &[u8], job: PositionsToConvert<'_>, kernel: Kernel) -> usize {
    if src.is_empty() {
        // An empty text has only position 0.
        return job.positions.partition_point(|&position| position == 0);
    }
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::position::convert(src, job),
        |V, token, src, job| generic::position::many::convert::<V>(token, src, job))
}

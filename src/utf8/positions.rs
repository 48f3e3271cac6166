//! Many positions in UTF-8 converted at once.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::types::position::{Metric, PositionsError, PositionsToConvert};
use crate::utf8::boundary::floor_boundary;
use crate::utf8::position::find;
use crate::{generic, scalar};

/// Converts many positions in a text at once, from bytes, code points or UTF-16 units to one of the
/// others. They must be sorted; equal ones may follow each other.
///
/// Each becomes [`index_of`](super::index_of) of its [`offset_of`](super::offset_of): a position
/// inside a character counts as its start, and `src` need not be well-formed. So the result is
/// sorted too.
///
/// One pass, however many positions there are; between code points and UTF-16 units, the last one
/// is searched before it. [`Index`](crate::Index) is for questions that come one by one.
///
/// # Errors
///
/// [`PositionsError`], and `positions` are as before, if one is less than the one before it or, in
/// sorted positions, after the end of the text.
///
/// ```
/// use utflane::{Metric, utf8};
///
/// let text = "let 😀 = π;".as_bytes();
/// // What a parser found, in bytes, as an editor needs it.
/// let mut tokens = [0, 4, 9, 11, 13];
/// utf8::convert_positions(text, Metric::Bytes, Metric::Utf16, &mut tokens)?;
/// assert_eq!(tokens, [0, 4, 7, 9, 10]);
/// // And back.
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
    /// The errors of that function.
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
                check_end(positions, end_for(src, last, from, self))?;
                if from != to || from == Metric::Utf16 {
                    convert(src, PositionsToConvert { from, to, exact: false, positions }, self);
                }
            }
        }
        Ok(())
    }
}

/// Converts positions to bytes without a search for the last one: as long as no position is inside
/// a character, the positions before it can be converted back.
fn convert_to_bytes(
    src: &[u8],
    from: Metric,
    positions: &mut [usize],
    kernel: Kernel,
) -> Result<(), PositionsError> {
    let to = Metric::Bytes;
    let last = positions[positions.len() - 1];
    let done = convert(src, PositionsToConvert { from, to, exact: true, positions }, kernel);
    let (front, rest) = positions.split_at_mut(done);
    if rest.is_empty() {
        return Ok(());
    }
    if let Err(PositionsError::AfterEnd { index }) =
        check_end(rest, end_for(src, last, from, kernel))
    {
        let back = PositionsToConvert { from: to, to: from, exact: false, positions: front };
        convert(src, back, kernel);
        return Err(PositionsError::AfterEnd { index: done + index });
    }
    convert(src, PositionsToConvert { from, to, exact: false, positions: rest }, kernel);
    Ok(())
}

/// Returns the end of the text in `metric`, or `last` if that is before it.
fn end_for(src: &[u8], last: usize, metric: Metric, kernel: Kernel) -> usize {
    find(src, last, metric, kernel).map_or_else(|all| all, |_| last)
}

/// Tests if sorted positions are at most `end`.
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
        // Only the start is in this text.
        return job.positions.partition_point(|&position| position == 0);
    }
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::position::convert(src, job),
        |V, token, src, job| generic::position::many::convert::<V>(token, src, job))
}

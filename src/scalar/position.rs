//! Converts between offsets and counts, one byte or unit at a time.

#[cfg(feature = "alloc")]
use crate::encoding::types::Utf8;
use crate::scalar::utf8::{is_continuation, start_before};
#[cfg(feature = "alloc")]
use crate::types::counts::{CHECKPOINT_BYTES, Counts};
use crate::types::position::{Metric, PositionsToConvert};

/// Returns the first offset at which the total weight of the bytes, including the byte at this
/// offset, exceeds `n`. The weight of a byte is the number of units that begin at it. If the weight
/// of all bytes does not exceed `n`, `Err` holds this weight.
#[inline(always)]
fn find_weight(src: &[u8], n: usize, weight: impl Fn(u8) -> usize) -> Result<usize, usize> {
    let mut sum = 0;
    for (offset, &byte) in src.iter().enumerate() {
        sum += weight(byte);
        if sum > n {
            return Ok(offset);
        }
    }
    Err(sum)
}

/// Returns the offset of code point `n`, or `Err` with the number of code points if there are too
/// few.
pub(crate) fn find_code_point(src: &[u8], n: usize) -> Result<usize, usize> {
    find_weight(src, n, |byte| usize::from(!is_continuation(byte)))
}

/// Returns the offset of the character that contains UTF-16 unit `n`, or `Err` with the number of
/// units if there are too few.
pub(crate) fn find_utf16_unit(src: &[u8], n: usize) -> Result<usize, usize> {
    find_weight(src, n, |byte| usize::from(!is_continuation(byte)) + usize::from(byte >= 0xF0))
}

/// Converts the positions of `job`, one byte of `src` at a time. Returns the number of converted
/// positions.
///
/// Positions in bytes must be inside the text; all of them are converted. With positions in another
/// metric, the conversion stops at the first position that is after the end of the text. If
/// [`PositionsToConvert::exact`] is set, it also stops at the first position that is between the
/// two units of a character.
pub(crate) fn convert(src: &[u8], job: PositionsToConvert<'_>) -> usize {
    let PositionsToConvert { from, to, exact, positions } = job;
    let weight = |metric: Metric, byte: u8| match metric {
        Metric::Bytes => 1,
        _ if is_continuation(byte) => 0,
        _ => metric.units_of_lead(byte),
    };
    // The number of units before `offset` in the metric `from`, and in the metric `to`.
    let (mut offset, mut from_count, mut to_count) = (0, 0, 0);
    for (index, position) in positions.iter_mut().enumerate() {
        while let Some(&byte) = src.get(offset)
            && from_count + weight(from, byte) <= *position
        {
            from_count += weight(from, byte);
            to_count += weight(to, byte);
            offset += 1;
        }
        let is_exact = from == Metric::Bytes || from_count == *position;
        if !is_exact && (exact || offset == src.len()) {
            return index;
        }
        *position = to_count - units_since_character_start(src, offset, to);
    }
    positions.len()
}

/// Replaces each of the sorted `positions` with the total weight of the bytes before it.
#[cfg(feature = "columns")]
pub(crate) fn weigh_before(src: &[u8], positions: &mut [usize], weight: impl Fn(u8) -> usize) {
    let (mut start, mut sum) = (0, 0);
    for position in positions {
        sum += src[start..*position].iter().map(|&byte| weight(byte)).sum::<usize>();
        start = core::mem::replace(position, sum);
    }
}

/// Returns the number of units of the character at `offset` that precede `offset`: 0 if a character
/// begins at `offset`.
#[inline(always)]
pub(crate) fn units_since_character_start(src: &[u8], offset: usize, metric: Metric) -> usize {
    match src.get(offset) {
        Some(&byte) if is_continuation(byte) => match (start_before(src, offset), metric) {
            (Some(start), Metric::Bytes) => offset - start,
            (Some(start), _) => metric.units_of_lead(src[start]),
            (None, _) => 0,
        },
        _ => 0,
    }
}

/// Returns the offset of line feed `n`, or `Err` with the number of line feeds if there are too
/// few.
pub(crate) fn find_newline(src: &[u8], n: usize) -> Result<usize, usize> {
    find_weight(src, n, |byte| usize::from(byte == b'\n'))
}

/// Returns the offset of the last byte of line end `n`: a `\r\n`, or a `\r` or a `\n` alone.
/// Returns `Err` with the number of line ends if there are too few.
pub(crate) fn find_line_end(src: &[u8], n: usize) -> Result<usize, usize> {
    let is_last = |&offset: &usize| match src[offset] {
        b'\n' => true,
        b'\r' => src.get(offset + 1) != Some(&b'\n'),
        _ => false,
    };
    let mut ends = (0..src.len()).filter(is_last);
    let mut ends_seen = 0;
    for offset in &mut ends {
        if ends_seen == n {
            return Ok(offset);
        }
        ends_seen += 1;
    }
    Err(ends_seen)
}

/// Returns the number of line feeds.
pub(crate) fn count_newlines(src: &[u8]) -> usize {
    src.iter().filter(|&&byte| byte == b'\n').count()
}

/// Returns the offset at which the last line begins.
pub(crate) fn last_line_start(src: &[u8]) -> usize {
    src.iter().rposition(|&byte| byte == b'\n').map_or(0, |offset| offset + 1)
}

/// Returns the end of the first line: the offset of its line feed, or the end of the text.
pub(crate) fn first_line_end(src: &[u8]) -> usize {
    src.iter().position(|&byte| byte == b'\n').unwrap_or(src.len())
}

/// Returns the byte offset of code point `n` in native-endian UTF-16, or `Err` with the number of
/// code points if there are too few.
pub(crate) fn find_code_point_of_utf16(src: &[u8], n: usize) -> Result<usize, usize> {
    let mut sum = 0;
    for (index, &unit) in src.as_chunks::<2>().0.iter().enumerate() {
        sum += usize::from(u16::from_ne_bytes(unit) & 0xFC00 != 0xDC00);
        if sum > n {
            return Ok(2 * index);
        }
    }
    Err(sum)
}

/// Returns the length in bytes of the common prefix of two texts of equal length.
pub(crate) fn common_prefix_len(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len())
}

/// Writes the counts of each block to `counts`.
#[cfg(feature = "alloc")]
#[expect(clippy::cast_possible_truncation, reason = "a block has few bytes")]
pub(crate) fn count_blocks(blocks: &[[u8; CHECKPOINT_BYTES]], counts: &mut [Counts<u16>]) {
    for (block, counts) in blocks.iter().zip(counts) {
        let code_points = block.iter().filter(|&&byte| !is_continuation(byte)).count() as u16;
        let four_byte_count = Utf8::supplementary(block) as u16;
        let lines = count_newlines(block) as u16;
        *counts = Counts { code_points, utf16_units: code_points + four_byte_count, lines };
    }
}

//! Places: where something is that has been counted, byte by byte and unit by unit.

use super::utf8::is_continuation;
#[cfg(feature = "alloc")]
use crate::index::{BLOCK, Counts};

/// Where the weight of the bytes up to and with this one is above `n`; if it never is, the weight of all.
#[inline(always)]
fn find(src: &[u8], n: usize, weight: impl Fn(u8) -> usize) -> Result<usize, usize> {
    let mut sum = 0;
    for (at, &byte) in src.iter().enumerate() {
        sum += weight(byte);
        if sum > n {
            return Ok(at);
        }
    }
    Err(sum)
}

/// Where code point `n` begins; if there is none, how many there are.
pub(crate) fn find_code_point(src: &[u8], n: usize) -> Result<usize, usize> {
    find(src, n, |byte| usize::from(!is_continuation(byte)))
}

/// Where the character begins that has UTF-16 unit `n`; if there is none, how many units there are.
pub(crate) fn find_utf16_unit(src: &[u8], n: usize) -> Result<usize, usize> {
    find(src, n, |byte| usize::from(!is_continuation(byte)) + usize::from(byte >= 0xF0))
}

/// Where line feed `n` is; if there is none, how many there are.
pub(crate) fn find_newline(src: &[u8], n: usize) -> Result<usize, usize> {
    find(src, n, |byte| usize::from(byte == b'\n'))
}

/// Line feeds.
pub(crate) fn newlines(src: &[u8]) -> usize {
    src.iter().filter(|&&byte| byte == b'\n').count()
}

/// Where the last line begins.
pub(crate) fn last_line(src: &[u8]) -> usize {
    src.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

/// Where the first line ends: in front of its line feed, or with the text.
pub(crate) fn first_line(src: &[u8]) -> usize {
    src.iter().position(|&byte| byte == b'\n').unwrap_or(src.len())
}

/// Where code point `n` of UTF-16 in the machine's byte order begins, in bytes; if there is none, how many there are.
pub(crate) fn find_code_point_of_utf16(src: &[u8], n: usize) -> Result<usize, usize> {
    let mut sum = 0;
    for (at, &unit) in src.as_chunks::<2>().0.iter().enumerate() {
        sum += usize::from(u16::from_ne_bytes(unit) & 0xFC00 != 0xDC00);
        if sum > n {
            return Ok(2 * at);
        }
    }
    Err(sum)
}

/// Bytes at the front that are the same in both, which are equally long.
pub(crate) fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len())
}

/// The counts of each block.
#[cfg(feature = "alloc")]
#[expect(clippy::cast_possible_truncation, reason = "a block has few of everything")]
pub(crate) fn count_blocks(blocks: &[[u8; BLOCK]], counts: &mut [Counts<u16>]) {
    for (block, counts) in blocks.iter().zip(counts) {
        let code_points = block.iter().filter(|&&byte| !is_continuation(byte)).count() as u16;
        let fours = block.iter().filter(|&&byte| byte >= 0xF0).count() as u16;
        let lines = newlines(block) as u16;
        *counts = Counts { code_points, utf16_units: code_points + fours, lines };
    }
}

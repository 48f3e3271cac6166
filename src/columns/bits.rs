//! Bitmaps in Arrow's layout: one bit for each row, the lowest bit of a byte first. A 1 means that
//! the row is valid.

use alloc::vec::Vec;

/// A bitmap that may begin at any bit of a byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits<'a> {
    bytes: &'a [u8],
    /// The number of bits before the bit of the first row.
    offset: usize,
}

impl<'a> Bits<'a> {
    /// Returns a bitmap that begins at bit `offset` of `bytes`.
    pub(crate) const fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self { bytes, offset }
    }

    /// Returns the bitmap without the bits of the first `rows` rows.
    pub(crate) const fn skip(self, rows: usize) -> Self {
        Self { offset: self.offset + rows, ..self }
    }

    /// Returns the number of bits.
    pub(crate) fn len(self) -> usize {
        self.bytes.len().saturating_mul(8).saturating_sub(self.offset)
    }

    /// Returns true if the bit of `row` is 1.
    #[inline]
    pub(crate) fn get(self, row: usize) -> bool {
        let bit = self.offset + row;
        self.bytes[bit / 8] >> (bit % 8) & 1 == 1
    }

    /// Replaces the content of `out` with the first `len` bits. The unused bits of the last byte
    /// become zero.
    pub(crate) fn copy_to(self, len: usize, out: &mut Vec<u8>) {
        let (first, shift) = (self.offset / 8, self.offset % 8);
        let byte = |index: usize| self.bytes.get(index).copied().unwrap_or(0);
        out.clear();
        out.extend((first..first + len.div_ceil(8)).map(|index| {
            let [low, _] =
                (u16::from_le_bytes([byte(index), byte(index + 1)]) >> shift).to_le_bytes();
            low
        }));
        clear_tail_bits(out, len);
    }
}

/// Replaces the content of `out` with `len` bits that are 1. The unused bits of the last byte
/// become zero.
pub(crate) fn fill_with_ones(len: usize, out: &mut Vec<u8>) {
    out.clear();
    out.resize(len.div_ceil(8), 0xFF);
    clear_tail_bits(out, len);
}

/// Returns true if `bits` has a 0 among the first `len` bits.
pub(crate) fn any_clear(bits: &[u8], len: usize) -> bool {
    let (whole_bytes, rest_bits) = (len / 8, len % 8);
    bits[..whole_bytes].iter().fold(0xFF, |all, byte| all & byte) != 0xFF
        || rest_bits > 0 && !bits[whole_bytes] << (8 - rest_bits) != 0
}

/// Clears the bits of the last byte that follow the first `len` bits.
fn clear_tail_bits(out: &mut [u8], len: usize) {
    if !len.is_multiple_of(8)
        && let Some(last) = out.last_mut()
    {
        *last &= 0xFF >> (8 - len % 8);
    }
}

/// Returns true if the bit of `row` is 1.
#[inline]
pub(crate) fn is_set(bits: &[u8], row: usize) -> bool {
    bits[row / 8] >> (row % 8) & 1 == 1
}

/// Clears the bit of `row`.
#[inline]
pub(crate) fn clear(bits: &mut [u8], row: usize) {
    bits[row / 8] &= !(1 << (row % 8));
}

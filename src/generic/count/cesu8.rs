//! Corrections of lengths and counts for CESU-8 and Modified UTF-8. LLVM vectorises the loops.

/// Returns the number of low surrogates of a text in CESU-8 or Modified UTF-8.
pub(crate) fn count_low_surrogates(src: &[u8]) -> usize {
    // The sum of a part fits into a byte, so LLVM vectorises the loop.
    let Some(after) = src.get(1..) else { return 0 };
    let parts = src.chunks(PART_UNITS).zip(after.chunks(PART_UNITS));
    parts
        .map(|(bytes, next_bytes)| {
            let pairs = bytes.iter().zip(next_bytes);
            usize::from(pairs.map(|(&a, &b)| u8::from(a == 0xED && b & 0xF0 == 0xB0)).sum::<u8>())
        })
        .sum()
}

/// Returns the number of units of `N` bytes that are equal to `unit`.
#[inline(always)]
fn count_equal_units<const N: usize>(src: &[u8], unit: [u8; N]) -> usize {
    let parts = src.as_chunks::<N>().0.chunks(PART_UNITS);
    parts
        .map(|part| usize::from(part.iter().map(|&other| u8::from(other == unit)).sum::<u8>()))
        .sum()
}

/// The number of units that are counted in a byte: at most 255, and a multiple of 64 for the
/// vectors.
const PART_UNITS: usize = 192;

/// Returns `len` plus `bytes` for each of `characters` characters. The sum saturates: on 32-bit
/// machines, 1.4 GB of text may need more bytes in another encoding than there are addresses.
pub(crate) fn add_bytes_for(len: usize, characters: usize, bytes: usize) -> usize {
    len.saturating_add(characters.saturating_mul(bytes))
}

/// Returns the number of bytes that are 0xC0. Modified UTF-8 has one such byte for each NUL.
pub(crate) fn count_two_byte_nuls(src: &[u8]) -> usize {
    count_equal_units(src, [0xC0])
}

/// Returns the length in Modified UTF-8 of a text with units of `N` bytes, given its length in
/// CESU-8.
#[inline(always)]
pub(crate) fn add_nuls<const N: usize>(src: &[u8], cesu8_len: usize) -> usize {
    add_bytes_for(cesu8_len, count_equal_units(src, [0; N]), 1)
}

#[cfg(test)]
mod tests {
    use super::add_bytes_for;

    #[test]
    fn lengths_saturate() {
        assert_eq!(add_bytes_for(10, 3, 2), 16);
        assert_eq!(add_bytes_for(usize::MAX - 5, 3, 2), usize::MAX);
        assert_eq!(add_bytes_for(10, usize::MAX / 2 + 1, 2), usize::MAX);
    }
}

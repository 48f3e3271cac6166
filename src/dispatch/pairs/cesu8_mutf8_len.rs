//! The lengths and counts of CESU-8 and Modified UTF-8. They are computed from the lengths and
//! counts of UTF-8, with a correction for the bytes that differ.

use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::{from_latin1, from_utf8, from_utf16, from_utf32, through};

/// Returns the number of code points of a text in CESU-8 or Modified UTF-8.
#[inline(never)]
pub(crate) fn count(src: &[u8], kernel: Kernel) -> usize {
    from_utf8::count_utf8(src, kernel) - count_low_surrogates(src)
}

/// Returns the number of low surrogates of a text in CESU-8 or Modified UTF-8.
fn count_low_surrogates(src: &[u8]) -> usize {
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
fn add_bytes_for(len: usize, characters: usize, bytes: usize) -> usize {
    len.saturating_add(characters.saturating_mul(bytes))
}

/// Returns the number of bytes that are 0xC0. Modified UTF-8 has one such byte for each NUL.
fn count_two_byte_nuls(src: &[u8]) -> usize {
    count_equal_units(src, [0xC0])
}

// The length of a text in CESU-8 or Modified UTF-8, in bytes. In CESU-8, a supplementary character
// has two bytes more than in UTF-8; in Modified UTF-8, also NUL has one byte more.
table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn cesu8_len_of_utf8 = add_bytes_for(src.len(),
        from_utf8::utf16_len_of_utf8(src, kernel) - from_utf8::count_utf8(src, kernel), 2);
    fn cesu8_len_of_utf16le = add_bytes_for(from_utf16::utf8_len_of_utf16le(src, kernel),
        src.len() / 2 - from_utf16::count_utf16le(src, kernel), 2);
    fn cesu8_len_of_utf16be = add_bytes_for(from_utf16::utf8_len_of_utf16be(src, kernel),
        src.len() / 2 - from_utf16::count_utf16be(src, kernel), 2);
    fn cesu8_len_of_utf32le = add_bytes_for(from_utf32::utf8_len_of_utf32le(src, kernel),
        from_utf32::utf16_len_of_utf32le(src, kernel) - src.len() / 4, 2);
    fn cesu8_len_of_utf32be = add_bytes_for(through::utf8_len_of_utf32be(src, kernel),
        through::utf16_len_of_utf32be(src, kernel) - src.len() / 4, 2);
    fn mutf8_len_of_utf8 = add_nuls::<1>(src, cesu8_len_of_utf8(src, kernel));
    fn mutf8_len_of_utf16le = add_nuls::<2>(src, cesu8_len_of_utf16le(src, kernel));
    fn mutf8_len_of_utf16be = add_nuls::<2>(src, cesu8_len_of_utf16be(src, kernel));
    fn mutf8_len_of_utf32le = add_nuls::<4>(src, cesu8_len_of_utf32le(src, kernel));
    fn mutf8_len_of_utf32be = add_nuls::<4>(src, cesu8_len_of_utf32be(src, kernel));
    fn mutf8_len_of_latin1 = add_nuls::<1>(src, from_latin1::utf8_len_of_latin1(src, kernel));
}

/// Returns the length in Modified UTF-8 of a text in ASCII or CESU-8, in bytes.
pub(crate) fn mutf8_len_of_ascii_or_cesu8(src: &[u8], _: Kernel) -> usize {
    add_nuls::<1>(src, src.len())
}

/// Returns the length in Modified UTF-8 of a text with units of `N` bytes, given its length in
/// CESU-8.
#[inline(always)]
fn add_nuls<const N: usize>(src: &[u8], cesu8_len: usize) -> usize {
    add_bytes_for(cesu8_len, count_equal_units(src, [0; N]), 1)
}

/// Returns the length in UTF-8 of a text in CESU-8, in bytes.
pub(crate) fn utf8_len_of_cesu8(src: &[u8], _: Kernel) -> usize {
    src.len() - 2 * count_low_surrogates(src)
}

/// Returns the length in UTF-8 of a text in Modified UTF-8, in bytes.
pub(crate) fn utf8_len_of_mutf8(src: &[u8], kernel: Kernel) -> usize {
    utf8_len_of_cesu8(src, kernel).saturating_sub(count_two_byte_nuls(src))
}

/// Returns the length in CESU-8 of a text in Modified UTF-8, in bytes.
pub(crate) fn cesu8_len_of_mutf8(src: &[u8], _: Kernel) -> usize {
    src.len() - count_two_byte_nuls(src)
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

//! Lengths and counts of CESU-8 and Modified UTF-8: the lengths and counts of UTF-8, corrected by
//! the bytes that differ.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::{from_latin1, from_utf8, from_utf16, from_utf32, through};

/// Returns the number of code points.
#[inline(never)]
pub(crate) fn count(src: &[u8], kernel: Kernel) -> usize {
    from_utf8::count_utf8(src, kernel) - low_surrogates(src)
}

/// Returns the number of low surrogates.
fn low_surrogates(src: &[u8]) -> usize {
    // Sums in bytes, in parts that cannot overflow a byte, which LLVM vectorises.
    let Some(after) = src.get(1..) else { return 0 };
    let parts = src.chunks(PART).zip(after.chunks(PART));
    parts
        .map(|(lead, next)| {
            let pairs = lead.iter().zip(next);
            usize::from(pairs.map(|(&a, &b)| u8::from(a == 0xED && b & 0xF0 == 0xB0)).sum::<u8>())
        })
        .sum()
}

/// Returns the number of units of `N` bytes that are `unit`.
#[inline(always)]
fn equal<const N: usize>(src: &[u8], unit: [u8; N]) -> usize {
    let parts = src.as_chunks::<N>().0.chunks(PART);
    parts.map(|part| usize::from(part.iter().map(|&it| u8::from(it == unit)).sum::<u8>())).sum()
}

/// The most units that a byte can count, rounded down.
const PART: usize = 192;

/// Returns a length with `bytes` more bytes for each of `times` characters. It saturates: on 32-bit
/// machines, 1.4 GB of text may need more bytes in another encoding than addresses exist.
fn longer(len: usize, times: usize, bytes: usize) -> usize {
    len.saturating_add(times.saturating_mul(bytes))
}

/// Returns the number of bytes 0xC0: Modified UTF-8 has one for each NUL.
fn long_nuls(src: &[u8]) -> usize {
    equal(src, [0xC0])
}

/// Declares the lengths in CESU-8 and Modified UTF-8 of a scheme with units of `$SIZE` bytes, from
/// the length in UTF-8 and the number of supplementary characters.
macro_rules! lengths {
    ($(fn $cesu8:ident, fn $mutf8:ident: $SIZE:literal, |$src:ident, $kernel:ident|
        $utf8_len:expr, $supplementary:expr;)*) => {$(
        #[inline(never)]
        pub(crate) fn $cesu8($src: &[u8], $kernel: Kernel) -> usize {
            longer($utf8_len, $supplementary, 2)
        }

        #[inline(never)]
        pub(crate) fn $mutf8(src: &[u8], kernel: Kernel) -> usize {
            longer($cesu8(src, kernel), equal(src, [0; $SIZE]), 1)
        }
    )*};
}

lengths! {
    fn utf8_in_cesu8, fn utf8_in_mutf8: 1, |src, kernel|
        src.len(),
        from_utf8::utf16_len_of_utf8(src, kernel) - from_utf8::count_utf8(src, kernel);
    fn utf16le_in_cesu8, fn utf16le_in_mutf8: 2, |src, kernel|
        from_utf16::utf8_len_of_utf16le(src, kernel),
        src.len() / 2 - from_utf16::count_utf16le(src, kernel);
    fn utf16be_in_cesu8, fn utf16be_in_mutf8: 2, |src, kernel|
        from_utf16::utf8_len_of_utf16be(src, kernel),
        src.len() / 2 - from_utf16::count_utf16be(src, kernel);
    fn utf32le_in_cesu8, fn utf32le_in_mutf8: 4, |src, kernel|
        from_utf32::utf8_len_of_utf32le(src, kernel),
        from_utf32::utf16_len_of_utf32le(src, kernel) - src.len() / 4;
    fn utf32be_in_cesu8, fn utf32be_in_mutf8: 4, |src, kernel|
        through::utf8_len_of_utf32be(src, kernel),
        through::utf16_len_of_utf32be(src, kernel) - src.len() / 4;
}

/// Returns the number of bytes of Latin-1 in Modified UTF-8.
pub(crate) fn latin1_in_mutf8(src: &[u8], kernel: Kernel) -> usize {
    longer(from_latin1::utf8_len_of_latin1(src, kernel), equal(src, [0]), 1)
}

/// Returns the number of bytes of ASCII or CESU-8 in Modified UTF-8.
pub(crate) fn bytes_in_mutf8(src: &[u8], _: Kernel) -> usize {
    longer(src.len(), equal(src, [0]), 1)
}

/// Returns the number of bytes of CESU-8 in UTF-8.
pub(crate) fn cesu8_in_utf8(src: &[u8], _: Kernel) -> usize {
    src.len() - 2 * low_surrogates(src)
}

/// Returns the number of bytes of Modified UTF-8 in UTF-8.
pub(crate) fn mutf8_in_utf8(src: &[u8], kernel: Kernel) -> usize {
    cesu8_in_utf8(src, kernel).saturating_sub(long_nuls(src))
}

/// Returns the number of bytes of Modified UTF-8 in CESU-8.
pub(crate) fn mutf8_in_cesu8(src: &[u8], _: Kernel) -> usize {
    src.len() - long_nuls(src)
}

#[cfg(test)]
mod tests {
    use super::longer;

    #[test]
    fn lengths_saturate() {
        assert_eq!(longer(10, 3, 2), 16);
        assert_eq!(longer(usize::MAX - 5, 3, 2), usize::MAX);
        assert_eq!(longer(10, usize::MAX / 2 + 1, 2), usize::MAX);
    }
}

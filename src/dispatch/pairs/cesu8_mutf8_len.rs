//! Lengths and counts of CESU-8 and Modified UTF-8: those of UTF-8, corrected by the bytes that
//! differ.

use crate::dispatch::function::Measure;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::{from_latin1, from_utf8, from_utf16, from_utf32, standard, utf32be};
use crate::encoding::scheme::Scheme;

/// Code points.
#[inline(never)]
pub(crate) fn count(src: &[u8], kernel: Kernel) -> usize {
    from_utf8::count_utf8(src, kernel) - low_surrogates(src)
}

/// Low surrogates in a relative.
fn low_surrogates(src: &[u8]) -> usize {
    // Sums of bytes, in parts that a byte can count: the compiler vectorises them.
    let Some(after) = src.get(1..) else { return 0 };
    let parts = src.chunks(PART).zip(after.chunks(PART));
    parts
        .map(|(lead, next)| {
            let pairs = lead.iter().zip(next);
            usize::from(pairs.map(|(&a, &b)| u8::from(a == 0xED && b & 0xF0 == 0xB0)).sum::<u8>())
        })
        .sum()
}

/// Units of `N` bytes that are `unit`.
#[inline(always)]
fn equal<const N: usize>(src: &[u8], unit: [u8; N]) -> usize {
    let parts = src.as_chunks::<N>().0.chunks(PART);
    parts.map(|part| usize::from(part.iter().map(|&it| u8::from(it == unit)).sum::<u8>())).sum()
}

/// The most units that a byte can count, rounded down.
const PART: usize = 192;

/// A length with `bytes` more bytes for each of `times` characters. It saturates: on 32-bit
/// machines, 1.4 GB of text may need more bytes in another encoding than addresses exist.
fn longer(len: usize, times: usize, bytes: usize) -> usize {
    len.saturating_add(times.saturating_mul(bytes))
}

/// Bytes `C0`: Modified UTF-8 has one for each NUL.
fn long_nuls(src: &[u8]) -> usize {
    equal(src, [0xC0])
}

/// Lengths: known counts, corrected by the bytes that differ.
macro_rules! lengths {
    ($(fn $name:ident: $A:ident => $B:ident, |$src:ident, $kernel:ident| $len:expr;)*) => {
        $(
            #[inline(never)]
            fn $name($src: &[u8], $kernel: Kernel) -> usize {
                $len
            }
        )*

        /// The function that returns the number of code units of `to` that a text becomes. Neither
        /// scheme has unpaired surrogates.
        pub(crate) const fn len_fn(from: Scheme, to: Scheme) -> Measure {
            match (from, to) {
                $((Scheme::$A, Scheme::$B) => $name,)*
                (Scheme::Latin1, Scheme::Cesu8) => from_latin1::utf8_len_of_latin1,
                // Each unit of UTF-16 is a lead byte.
                (Scheme::Cesu8 | Scheme::Mutf8, Scheme::Utf16Le | Scheme::Utf16Be) => {
                    from_utf8::count_utf8
                }
                (Scheme::Cesu8, Scheme::Cesu8)
                | (Scheme::Mutf8, Scheme::Mutf8)
                | (_, Scheme::Cesu8 | Scheme::Mutf8) => standard::unit_count_fn(from),
                (Scheme::Cesu8 | Scheme::Mutf8, _) => count,
                _ => standard::len_fn(from, to),
            }
        }
    };
}

lengths! {
    fn cesu8_in_utf8: Cesu8 => Utf8, |src, _k| src.len() - 2 * low_surrogates(src);
    fn mutf8_in_utf8: Mutf8 => Utf8, |src, _k|
        (src.len() - 2 * low_surrogates(src)).saturating_sub(long_nuls(src));
    fn cesu8_in_mutf8: Cesu8 => Mutf8, |src, _k| longer(src.len(), equal(src, [0]), 1);
    fn mutf8_in_cesu8: Mutf8 => Cesu8, |src, _k| src.len() - long_nuls(src);
    fn utf8_in_cesu8: Utf8 => Cesu8, |src, kernel|
        longer(
            src.len(),
            from_utf8::utf16_len_of_utf8(src, kernel) - from_utf8::count_utf8(src, kernel),
            2,
        );
    fn utf8_in_mutf8: Utf8 => Mutf8, |src, kernel|
        longer(utf8_in_cesu8(src, kernel), equal(src, [0]), 1);
    fn utf16le_in_cesu8: Utf16Le => Cesu8, |src, kernel|
        longer(
            from_utf16::utf8_len_of_utf16le(src, kernel),
            src.len() / 2 - from_utf16::count_utf16le(src, kernel),
            2,
        );
    fn utf16be_in_cesu8: Utf16Be => Cesu8, |src, kernel|
        longer(
            from_utf16::utf8_len_of_utf16be(src, kernel),
            src.len() / 2 - from_utf16::count_utf16be(src, kernel),
            2,
        );
    fn utf16le_in_mutf8: Utf16Le => Mutf8, |src, kernel|
        longer(utf16le_in_cesu8(src, kernel), equal(src, [0; 2]), 1);
    fn utf16be_in_mutf8: Utf16Be => Mutf8, |src, kernel|
        longer(utf16be_in_cesu8(src, kernel), equal(src, [0; 2]), 1);
    fn utf32le_in_cesu8: Utf32Le => Cesu8, |src, kernel|
        longer(
            from_utf32::utf8_len_of_utf32le(src, kernel),
            from_utf32::utf16_len_of_utf32le(src, kernel) - src.len() / 4,
            2,
        );
    fn utf32be_in_cesu8: Utf32Be => Cesu8, |src, kernel|
        longer(
            utf32be::utf8_len_of_utf32be(src, kernel),
            utf32be::utf16_len_of_utf32be(src, kernel) - src.len() / 4,
            2,
        );
    fn utf32le_in_mutf8: Utf32Le => Mutf8, |src, kernel|
        longer(utf32le_in_cesu8(src, kernel), equal(src, [0; 4]), 1);
    fn utf32be_in_mutf8: Utf32Be => Mutf8, |src, kernel|
        longer(utf32be_in_cesu8(src, kernel), equal(src, [0; 4]), 1);
    fn latin1_in_mutf8: Latin1 => Mutf8, |src, kernel|
        longer(from_latin1::utf8_len_of_latin1(src, kernel), equal(src, [0]), 1);
    fn ascii_in_mutf8: Ascii => Mutf8, |src, _k| longer(src.len(), equal(src, [0]), 1);
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

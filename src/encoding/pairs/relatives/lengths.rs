//! Lengths and counts of CESU-8 and Modified UTF-8: those of UTF-8, and how many bytes more or less.

use super::super::{Measure, latin1, swapped, utf8, utf16, utf32};
use crate::{Kernel, Scheme};

/// Code points.
#[inline(never)]
pub(in super::super) fn count(kernel: Kernel, src: &[u8]) -> usize {
    utf8::count(kernel, src) - low_surrogates(src)
}

/// Second halves of pairs in a relative.
fn low_surrogates(src: &[u8]) -> usize {
    // As a sum of bytes, in parts that these can hold: so the compiler makes vectors of it.
    let Some(behind) = src.get(1..) else { return 0 };
    let parts = src.chunks(PART).zip(behind.chunks(PART));
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

/// Units whose sum a byte can hold.
const PART: usize = 192;

/// Bytes `C0`, of which every NUL has one in Modified UTF-8.
fn long_nuls(src: &[u8]) -> usize {
    equal(src, [0xC0])
}

/// Lengths: how many bytes more or less than what is known.
macro_rules! lengths {
    ($($name:ident: $A:ident => $B:ident, |$kernel:ident, $src:ident| $len:expr;)*) => {
        $(
            #[inline(never)]
            fn $name($kernel: Kernel, $src: &[u8]) -> usize {
                $len
            }
        )*

        /// The function that says how many bytes a text becomes in a relative, or one of a relative becomes in UTF-8 or
        /// the other.
        pub(in super::super) const fn len(from: Scheme, to: Scheme) -> Measure {
            match (from, to) {
                $((Scheme::$A, Scheme::$B) => $name,)*
                _ => super::super::units(from),
            }
        }
    };
}

lengths! {
    cesu8_in_utf8: Cesu8 => Utf8, |_k, src| src.len() - 2 * low_surrogates(src);
    mutf8_in_utf8: Mutf8 => Utf8, |_k, src|
        (src.len() - 2 * low_surrogates(src)).saturating_sub(long_nuls(src));
    cesu8_in_mutf8: Cesu8 => Mutf8, |_k, src| src.len() + equal(src, [0]);
    mutf8_in_cesu8: Mutf8 => Cesu8, |_k, src| src.len() - long_nuls(src);
    utf8_in_cesu8: Utf8 => Cesu8, |kernel, src|
        src.len() + 2 * (utf8::utf16_len(kernel, src) - utf8::count(kernel, src));
    utf8_in_mutf8: Utf8 => Mutf8, |kernel, src| utf8_in_cesu8(kernel, src) + equal(src, [0]);
    utf16le_in_cesu8: Utf16Le => Cesu8, |kernel, src|
        utf16::utf8_len_of_le(kernel, src) + 2 * (src.len() / 2 - utf16::count_le(kernel, src));
    utf16be_in_cesu8: Utf16Be => Cesu8, |kernel, src|
        utf16::utf8_len_of_be(kernel, src) + 2 * (src.len() / 2 - utf16::count_be(kernel, src));
    utf16le_in_mutf8: Utf16Le => Mutf8, |kernel, src|
        utf16le_in_cesu8(kernel, src) + equal(src, [0; 2]);
    utf16be_in_mutf8: Utf16Be => Mutf8, |kernel, src|
        utf16be_in_cesu8(kernel, src) + equal(src, [0; 2]);
    utf32le_in_cesu8: Utf32Le => Cesu8, |kernel, src|
        utf32::utf8_len_of_le(kernel, src) + 2 * (utf32::utf16_len_of_le(kernel, src) - src.len() / 4);
    utf32be_in_cesu8: Utf32Be => Cesu8, |kernel, src|
        swapped::utf8_len(kernel, src) + 2 * (swapped::utf16_len(kernel, src) - src.len() / 4);
    utf32le_in_mutf8: Utf32Le => Mutf8, |kernel, src|
        utf32le_in_cesu8(kernel, src) + equal(src, [0; 4]);
    utf32be_in_mutf8: Utf32Be => Mutf8, |kernel, src|
        utf32be_in_cesu8(kernel, src) + equal(src, [0; 4]);
    latin1_in_mutf8: Latin1 => Mutf8, |kernel, src| latin1::utf8_len(kernel, src) + equal(src, [0]);
    ascii_in_mutf8: Ascii => Mutf8, |_k, src| src.len() + equal(src, [0]);
}

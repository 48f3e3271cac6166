//! The functions of the [pair table](super::table) that convert between WTF-8 and potentially
//! ill-formed UTF-16.
//!
//! The text between two unpaired surrogates is UTF-8 or UTF-16, and is converted by the functions
//! of UTF-8 and UTF-16. In a conversion to or from any other scheme, an unpaired surrogate is
//! ill-formed, and only these functions are used.

use core::mem::MaybeUninit;

use crate::dispatch::function::{Check, Measure, Transcode, table_functions};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::CHARS_AFTER_SURROGATE;
use crate::dispatch::pairs::check_wide::{check_utf16be, check_utf16le};
use crate::dispatch::pairs::from_utf8::{utf8_to_utf8, utf8_to_utf16be, utf8_to_utf16le};
use crate::dispatch::pairs::from_utf16::{
    count_utf16be, count_utf16le, utf8_len_of_utf16be, utf8_len_of_utf16le, utf16be_to_utf8,
    utf16be_to_utf16be, utf16be_to_utf16le, utf16le_to_utf8, utf16le_to_utf16be,
    utf16le_to_utf16le,
};
use crate::encoding::scheme::Scheme::{self, Wtf8, Wtf16Be, Wtf16Le};
use crate::scalar;
use crate::scalar::wtf8;
use crate::types::progress::Reach;

table_functions! {
    (src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach;
    fn wtf8_to_wtf8 = convert(src, dst, (Wtf8, Wtf8), utf8_to_utf8, kernel);
    fn wtf8_to_wtf16le = convert(src, dst, (Wtf8, Wtf16Le), utf8_to_utf16le, kernel);
    fn wtf8_to_wtf16be = convert(src, dst, (Wtf8, Wtf16Be), utf8_to_utf16be, kernel);
    fn wtf16le_to_wtf8 = convert(src, dst, (Wtf16Le, Wtf8), utf16le_to_utf8, kernel);
    fn wtf16le_to_wtf16le = convert(src, dst, (Wtf16Le, Wtf16Le), utf16le_to_utf16le, kernel);
    fn wtf16le_to_wtf16be = convert(src, dst, (Wtf16Le, Wtf16Be), utf16le_to_utf16be, kernel);
    fn wtf16be_to_wtf8 = convert(src, dst, (Wtf16Be, Wtf8), utf16be_to_utf8, kernel);
    fn wtf16be_to_wtf16le = convert(src, dst, (Wtf16Be, Wtf16Le), utf16be_to_utf16le, kernel);
    fn wtf16be_to_wtf16be = convert(src, dst, (Wtf16Be, Wtf16Be), utf16be_to_utf16be, kernel);
}

/// Converts by `strict`. If `strict` stops, the scalar reference converts characters, until
/// [`CHARS_AFTER_SURROGATE`] characters in a row are no surrogates.
#[inline(never)]
fn convert(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (from, to): (Scheme, Scheme),
    strict: Transcode,
    kernel: Kernel,
) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(from, to, src, dst);
    }
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let step = strict(&src[reach.read..], &mut dst[reach.written..], kernel);
        reach = step.after(reach.read, reach.written);
        let mut characters_left = CHARS_AFTER_SURROGATE;
        while characters_left > 0 {
            let rest = &src[reach.read..];
            if rest.is_empty() {
                return reach;
            }
            let Ok((c, len)) = scalar::decode(from, rest) else { return reach };
            let Some(written) = scalar::encode(to, c, &mut dst[reach.written..]) else {
                return reach;
            };
            reach = Reach { read: len, written }.after(reach.read, reach.written);
            characters_left = if matches!(c, 0xD800..=0xDFFF) {
                CHARS_AFTER_SURROGATE
            } else {
                characters_left - 1
            };
        }
    }
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn count_wtf16le = measure(src, Wtf16Le, (check_utf16le, count_utf16le), kernel, |sums| sums.0);
    fn count_wtf16be = measure(src, Wtf16Be, (check_utf16be, count_utf16be), kernel, |sums| sums.0);
    fn wtf8_len_of_wtf16le =
        measure(src, Wtf16Le, (check_utf16le, utf8_len_of_utf16le), kernel, |sums| sums.1);
    fn wtf8_len_of_wtf16be =
        measure(src, Wtf16Be, (check_utf16be, utf8_len_of_utf16be), kernel, |sums| sums.1);
}

/// Measures potentially ill-formed UTF-16. Vectors measure well-formed text. From an unpaired
/// surrogate on, the scalar reference measures one segment; `part` selects one of its numbers.
#[inline(always)]
fn measure(
    src: &[u8],
    scheme: Scheme,
    (check, measure): (Check, Measure),
    kernel: Kernel,
    part: fn((usize, usize)) -> usize,
) -> usize {
    const REFERENCE_SEGMENT_BYTES: usize = 256;
    let (mut offset, mut sum) = (0, 0);
    loop {
        let rest = &src[offset..];
        let Err(known_len) = check(rest, kernel) else { return sum + measure(rest, kernel) };
        // The bytes that are known to be well-formed may end inside a surrogate pair.
        let (well_formed, rest) = rest.split_at(scalar::floor_boundary(scheme, &rest[..known_len]));
        let segment = match rest.get(..REFERENCE_SEGMENT_BYTES) {
            Some(segment) => &segment[..scalar::floor_boundary(scheme, segment)],
            None => rest,
        };
        sum += measure(well_formed, kernel) + part(wtf8::measure_units(scheme, segment));
        offset += well_formed.len() + segment.len();
        if offset == src.len() {
            return sum;
        }
    }
}

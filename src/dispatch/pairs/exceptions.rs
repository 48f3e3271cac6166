//! The functions of the [pair table](super) for encodings with
//! [exceptions](crate::generic::segments): CESU-8, Modified UTF-8 and WTF-16.
//!
//! UTF-8 and the first two encodings differ only in supplementary characters and, for Modified
//! UTF-8, in NUL. Other conversions go [through UTF-8](super::through). Lengths and counts are the
//! lengths and counts of UTF-8, with a correction.

use crate::dispatch::function::{Measure, Transcode, table_functions};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::{check_utf8, check_utf16be, check_utf16le};
use crate::dispatch::pairs::from_latin1::utf8_len_of_latin1;
use crate::dispatch::pairs::from_utf8::{count_utf8, utf8_to_utf8, utf16_len_of_utf8};
use crate::dispatch::pairs::from_utf16::{
    count_utf16be, count_utf16le, utf8_len_of_utf16be, utf8_len_of_utf16le,
};
use crate::dispatch::pairs::from_utf32::{utf8_len_of_utf32le, utf16_len_of_utf32le};
use crate::dispatch::pairs::through::{utf8_len_of_utf32be, utf16_len_of_utf32be};
use crate::dispatch::run::dispatch;
use crate::encoding::scheme::Scheme::{self, Cesu8, Mutf8, Utf8, Wtf16Be, Wtf16Le};
use crate::encoding::view::Uninit;
use crate::generic::count::cesu8::{
    add_bytes_for, add_nuls, count_low_surrogates, count_two_byte_nuls,
};
use crate::generic::count::utf8::FourByte;
use crate::generic::position::utf8::{FourByteOrNul, find_first};
use crate::generic::segments;
use crate::scalar;
use crate::scalar::wtf8::measure_units;
use crate::types::progress::Reach;

table_functions! {
    (src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach;
    fn utf8_to_cesu8 = convert(src, dst, (Utf8, Cesu8), copy::<false>, kernel);
    fn utf8_to_mutf8 = convert(src, dst, (Utf8, Mutf8), copy::<true>, kernel);
    fn cesu8_to_utf8 = convert(src, dst, (Cesu8, Utf8), copy::<false>, kernel);
    fn mutf8_to_utf8 = convert(src, dst, (Mutf8, Utf8), copy::<true>, kernel);
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> Result<(), usize>;
    fn check_cesu8 = check::<false>(src, Cesu8, kernel);
    fn check_mutf8 = check::<true>(src, Mutf8, kernel);
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn count_cesu8 = count_utf8(src, kernel) - count_low_surrogates(src);
    fn utf8_len_of_cesu8 = src.len() - 2 * count_low_surrogates(src);
    fn utf8_len_of_mutf8 = utf8_len_of_cesu8(src, kernel).saturating_sub(count_two_byte_nuls(src));
    fn cesu8_len_of_mutf8 = src.len() - count_two_byte_nuls(src);
    // In CESU-8, a supplementary character has two bytes more than in UTF-8; in Modified UTF-8,
    // also NUL has one byte more.
    fn cesu8_len_of_utf8 =
        add_bytes_for(src.len(), utf16_len_of_utf8(src, kernel) - count_utf8(src, kernel), 2);
    fn cesu8_len_of_utf16le = add_bytes_for(utf8_len_of_utf16le(src, kernel),
        src.len() / 2 - count_utf16le(src, kernel), 2);
    fn cesu8_len_of_utf16be = add_bytes_for(utf8_len_of_utf16be(src, kernel),
        src.len() / 2 - count_utf16be(src, kernel), 2);
    fn cesu8_len_of_utf32le = add_bytes_for(utf8_len_of_utf32le(src, kernel),
        utf16_len_of_utf32le(src, kernel) - src.len() / 4, 2);
    fn cesu8_len_of_utf32be = add_bytes_for(utf8_len_of_utf32be(src, kernel),
        utf16_len_of_utf32be(src, kernel) - src.len() / 4, 2);
    fn mutf8_len_of_utf8 = add_nuls::<1>(src, cesu8_len_of_utf8(src, kernel));
    fn mutf8_len_of_utf16le = add_nuls::<2>(src, cesu8_len_of_utf16le(src, kernel));
    fn mutf8_len_of_utf16be = add_nuls::<2>(src, cesu8_len_of_utf16be(src, kernel));
    fn mutf8_len_of_utf32le = add_nuls::<4>(src, cesu8_len_of_utf32le(src, kernel));
    fn mutf8_len_of_utf32be = add_nuls::<4>(src, cesu8_len_of_utf32be(src, kernel));
    fn mutf8_len_of_latin1 = add_nuls::<1>(src, utf8_len_of_latin1(src, kernel));
    fn mutf8_len_of_ascii_or_cesu8 = add_nuls::<1>(src, src.len());
    fn count_wtf16le = measure(src, Wtf16Le, count_utf16le, kernel, |sums| sums.0);
    fn count_wtf16be = measure(src, Wtf16Be, count_utf16be, kernel, |sums| sums.0);
    fn wtf8_len_of_wtf16le = measure(src, Wtf16Le, utf8_len_of_utf16le, kernel, |sums| sums.1);
    fn wtf8_len_of_wtf16be = measure(src, Wtf16Be, utf8_len_of_utf16be, kernel, |sums| sums.1);
}

/// Converts by `strict`, which stops before an exception, and by the scalar reference.
#[inline(never)]
pub(super) fn convert(
    src: &[u8],
    dst: &mut Uninit,
    pair: (Scheme, Scheme),
    strict: Transcode,
    kernel: Kernel,
) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(pair.0, pair.1, src, dst);
    }
    segments::convert_with_exceptions(src, dst, pair, |src, dst| strict(src, dst, kernel))
}

/// Validates Modified UTF-8 if `MUTF8`, else CESU-8.
fn check<const MUTF8: bool>(src: &[u8], scheme: Scheme, kernel: Kernel) -> Result<(), usize> {
    segments::check_with_exceptions(src, scheme, |rest| {
        let start = same_start::<MUTF8>(rest, kernel);
        (start, check_utf8(start, kernel))
    })
}

/// Copies and validates the start of a text that has the same bytes in UTF-8 and in Modified UTF-8
/// if `MUTF8`, else in CESU-8. Stops before an exception, where [`utf8_to_utf8`] stops, and after
/// [`SEGMENT_BYTES`].
fn copy<const MUTF8: bool>(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    utf8_to_utf8(same_start::<MUTF8>(src, kernel), dst, kernel)
}

/// The maximum number of bytes in which the next byte that differs is searched. A surrogate ends
/// the copy, but not this search. After an error, less than this many bytes are read.
const SEGMENT_BYTES: usize = 1024;

/// Returns the start of `src`, of at most [`SEGMENT_BYTES`], up to the first byte that differs.
fn same_start<const MUTF8: bool>(src: &[u8], kernel: Kernel) -> &[u8] {
    let segment = segments::first_segment(src, Utf8, SEGMENT_BYTES);
    &segment[..find_different(segment, MUTF8, kernel)]
}

/// Returns the offset of the first byte that differs between UTF-8 and Modified UTF-8 if
/// `is_mutf8`, or CESU-8, or the length of `src`: of a byte of 0xF0 or above, or of a NUL.
#[inline(never)]
pub(crate) fn find_different(src: &[u8], is_mutf8: bool, kernel: Kernel) -> usize {
    if is_mutf8 {
        return dispatch!(kernel.for_bytes(src.len()),
            scalar => src.iter().position(|&byte| byte >= 0xF0 || byte == 0).unwrap_or(src.len()),
            |V, token, src, ()| find_first::<V, FourByteOrNul>(token, src));
    }
    dispatch!(kernel.for_bytes(src.len()),
        scalar => src.iter().position(|&byte| byte >= 0xF0).unwrap_or(src.len()),
        |V, token, src, ()| find_first::<V, FourByte>(token, src))
}

/// Measures potentially ill-formed UTF-16. `part` selects the number of code points or the length
/// in WTF-8.
#[inline(always)]
fn measure(
    src: &[u8],
    scheme: Scheme,
    measure_well_formed: Measure,
    kernel: Kernel,
    part: fn((usize, usize)) -> usize,
) -> usize {
    let check = if scheme == Wtf16Le { check_utf16le } else { check_utf16be };
    segments::measure_with_exceptions(
        src,
        scheme,
        |text| check(text, kernel),
        |text| measure_well_formed(text, kernel),
        |segment| part(measure_units(scheme, segment)),
    )
}

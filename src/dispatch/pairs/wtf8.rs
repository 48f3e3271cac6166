//! The lengths and counts of potentially ill-formed UTF-16.

use crate::dispatch::function::{Check, Measure, table_functions};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::{check_utf16be, check_utf16le};
use crate::dispatch::pairs::from_utf16::{
    count_utf16be, count_utf16le, utf8_len_of_utf16be, utf8_len_of_utf16le,
};
use crate::encoding::scheme::Scheme::{self, Wtf16Be, Wtf16Le};
use crate::scalar;
use crate::scalar::wtf8;

table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn count_wtf16le = measure(src, Wtf16Le, (check_utf16le, count_utf16le), kernel, |sums| sums.0);
    fn count_wtf16be = measure(src, Wtf16Be, (check_utf16be, count_utf16be), kernel, |sums| sums.0);
    fn wtf8_len_of_wtf16le =
        measure(src, Wtf16Le, (check_utf16le, utf8_len_of_utf16le), kernel, |sums| sums.1);
    fn wtf8_len_of_wtf16be =
        measure(src, Wtf16Be, (check_utf16be, utf8_len_of_utf16be), kernel, |sums| sums.1);
}

/// Measures potentially ill-formed UTF-16 by `measure_well_formed`, up to an unpaired surrogate.
/// From there on, the scalar reference measures one segment: `part` selects the number of code
/// points or the length in WTF-8.
#[inline(always)]
fn measure(
    src: &[u8],
    scheme: Scheme,
    (check, measure_well_formed): (Check, Measure),
    kernel: Kernel,
    part: fn((usize, usize)) -> usize,
) -> usize {
    const REFERENCE_SEGMENT_BYTES: usize = 256;
    let (mut offset, mut sum) = (0, 0);
    loop {
        let rest = &src[offset..];
        let Err(known_len) = check(rest, kernel) else {
            return sum + measure_well_formed(rest, kernel);
        };
        // The check may stop between the two units of a surrogate pair.
        let (well_formed, rest) = rest.split_at(scalar::floor_boundary(scheme, &rest[..known_len]));
        let segment = match rest.get(..REFERENCE_SEGMENT_BYTES) {
            Some(segment) => &segment[..scalar::floor_boundary(scheme, segment)],
            None => rest,
        };
        sum +=
            measure_well_formed(well_formed, kernel) + part(wtf8::measure_units(scheme, segment));
        offset += well_formed.len() + segment.len();
        if offset == src.len() {
            return sum;
        }
    }
}

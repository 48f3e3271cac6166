//! Counts of units before many byte offsets: the ends of rows in another encoding.

use crate::dispatch::function::{CountsBefore, table_functions};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::generic::count::utf8::Sought;
use crate::generic::position::prefix::{
    AboveLatin1, CodePoints, Latin1Bytes, Utf16Units, counts_before,
};
use crate::scalar::position::weigh_before;
use crate::scalar::utf8::is_continuation;
use crate::types::position::Metric;

table_functions! {
    (src: &[u8], positions: &mut [usize], kernel: Kernel) -> ();
    /// Counts code points in UTF-8.
    fn code_points = count_before::<CodePoints>(src, positions, kernel,
        |byte| usize::from(!is_continuation(byte)));
    /// Counts the UTF-16 code units that UTF-8 becomes.
    fn utf16_units = count_before::<Utf16Units>(src, positions, kernel,
        |byte| if is_continuation(byte) { 0 } else { Metric::Utf16.units_of_lead(byte) });
    /// Counts the bytes of UTF-8 that Latin-1 becomes.
    fn utf8_bytes_of_latin1 = count_before::<Latin1Bytes>(src, positions, kernel,
        |byte| 1 + usize::from(!byte.is_ascii()));
    /// Counts the lead bytes of characters above U+00FF in UTF-8, CESU-8 and Modified UTF-8.
    fn count_above_latin1_before = count_before::<AboveLatin1>(src, positions, kernel,
        |byte| usize::from(byte >= 0xC4));
}

/// Counts `Q` before each of `positions`: a [`CountsBefore`] function. `weight` is the number that
/// a byte counts, for the scalar reference.
#[inline(always)]
fn count_before<Q: Sought>(
    src: &[u8],
    positions: &mut [usize],
    kernel: Kernel,
    weight: impl Fn(u8) -> usize,
) {
    // In an empty text, all positions are zero, and so are the counts.
    if src.is_empty() {
        return;
    }
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => weigh_before(src, positions, weight),
        |V, token, src, positions| counts_before::<V, Q>(token, src, positions));
}

/// Returns the function that counts like the function of [`count`](super::table::count), if the
/// weight of a byte depends on this byte alone.
pub(crate) const fn count(scheme: Scheme) -> Option<CountsBefore> {
    match scheme {
        Scheme::Utf8 | Scheme::Wtf8 => Some(code_points),
        _ => None,
    }
}

/// Returns the function that counts like the function of [`len`](super::table::len), if the weight
/// of a byte depends on this byte alone.
pub(crate) const fn len(from: Scheme, to: Scheme) -> Option<CountsBefore> {
    use Scheme::{
        Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be,
        Wtf16Le,
    };
    match (from, to) {
        (Utf8 | Wtf8, Utf16Le | Utf16Be | Wtf16Le | Wtf16Be) => Some(utf16_units),
        (Utf8 | Wtf8, Utf32Le | Utf32Be | Latin1 | Ascii) => Some(code_points),
        // Each UTF-16 code unit has one lead byte.
        (Cesu8 | Mutf8, Utf16Le | Utf16Be | Wtf16Le | Wtf16Be) => Some(code_points),
        (Latin1, Utf8 | Wtf8 | Cesu8) => Some(utf8_bytes_of_latin1),
        _ => None,
    }
}

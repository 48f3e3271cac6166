//! The functions of columns: counts of units before many byte offsets, which are the ends of rows
//! in another encoding, and Arrow's views.

use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::generic::count::utf8::Sought;
use crate::generic::position::prefix::{
    AboveLatin1, CodePoints, Latin1Bytes, Utf16Units, counts_before,
};
use crate::generic::views;
use crate::scalar;
use crate::scalar::position::weigh_before;
use crate::scalar::utf8::is_continuation;
use crate::types::position::Metric;
use crate::types::views::{BATCH_VIEWS, ViewBits, Views};

/// Replaces each of the byte offsets, which are sorted, with the number of units or code points of
/// the text before it.
pub(crate) type CountsBefore = fn(&[u8], &mut [usize], Kernel);

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

/// Returns the function that counts like the function of [`len`](super::table::len), if the weight
/// of a byte depends on this byte alone.
pub(crate) const fn counts_before_fn(from: Scheme, to: Scheme) -> Option<CountsBefore> {
    use Scheme::{Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    match (from.without_surrogates(), to.without_surrogates()) {
        (Utf8, Utf16Le | Utf16Be) => Some(utf16_units),
        (Utf8, Utf32Le | Utf32Be | Latin1 | Ascii) => Some(code_points),
        // Each UTF-16 code unit has one lead byte.
        (Cesu8 | Mutf8, Utf16Le | Utf16Be) => Some(code_points),
        (Latin1, Utf8 | Cesu8) => Some(utf8_bytes_of_latin1),
        _ => None,
    }
}

/// Writes the properties of at most [`BATCH_VIEWS`] views to `seen`. The `suspects` are the views
/// whose short texts may be ill-formed UTF-8.
#[inline(never)]
pub(crate) fn summarize(views: &[u128], seen: &mut Views, kernel: Kernel) {
    seen.bits = [ViewBits::default(); BATCH_VIEWS / 64];
    dispatch!(kernel, wide if size_of_val(views) >= 3 * WIDE_BYTES,
        scalar => scalar::views::summarize(views, seen),
        |V, token, views, seen| views::summarize::<V>(token, view::bytes_of_views(views), seen));
}

/// Returns true only if all texts of more than 12 bytes are in the first `buffer.1` bytes of the
/// buffer with index `buffer.0`. May return false although this is the case.
#[inline(never)]
pub(crate) fn are_within(views: &[u128], buffer: (u32, u32), kernel: Kernel) -> bool {
    dispatch!(kernel, wide if size_of_val(views) >= 3 * WIDE_BYTES,
        scalar => false,
        |V, token, views, buffer|
            views::are_within::<V>(token, view::bytes_of_views(views), buffer))
}

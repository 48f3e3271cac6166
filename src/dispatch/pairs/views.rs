//! Functions for Arrow's views of short and of long texts.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::view;
use crate::generic::views;
use crate::scalar;
use crate::types::views::{BATCH_VIEWS, ViewBits, Views};

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
    |V, token, views, buffer| {
        views::are_within::<V>(token, view::bytes_of_views(views), buffer)
    })
}

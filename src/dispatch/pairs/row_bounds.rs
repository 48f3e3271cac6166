//! The search for row bounds that split a character of UTF-8.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::generic::position::boundaries::{Offset, any_continuation, any_continuation_one_by_one};

/// The minimum number of offsets for which a kernel is chosen. Fewer offsets are tested one by one.
const KERNEL_MIN_OFFSETS: usize = 32;

/// Returns true if the byte at one of `offsets` is a continuation byte. The offsets are sorted.
/// They count from an earlier byte: `text` begins at `offsets[0]`.
#[inline(never)]
pub(crate) fn any_continuation32(text: &[u8], offsets: &[i32], kernel: Kernel) -> bool {
    any_continuation_at(text, offsets, kernel)
}

/// Does the same as [`any_continuation32`], for offsets of 64 bits.
#[inline(never)]
pub(crate) fn any_continuation64(text: &[u8], offsets: &[i64], kernel: Kernel) -> bool {
    any_continuation_at(text, offsets, kernel)
}

/// Does the work of [`any_continuation32`] and [`any_continuation64`].
#[inline(always)]
fn any_continuation_at<T: Offset>(text: &[u8], offsets: &[T], kernel: Kernel) -> bool {
    if offsets.len() < KERNEL_MIN_OFFSETS {
        return any_continuation_one_by_one(text, offsets);
    }
    dispatch!(kernel, wide if text.len() >= 3 * WIDE_BYTES,
        scalar => any_continuation_one_by_one(text, offsets),
        |V, token, text, offsets| any_continuation::<V, T>(token, text, offsets))
}

//! Row bounds that split characters of UTF-8.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::generic::position::boundaries::{Offset, any_by_one, any_continuation};

/// Fewer offsets are looked up without the choice of a kernel.
const KERNEL_MIN_OFFSETS: usize = 32;

/// Returns true if one of `offsets` is before a continuation byte. `offsets` are sorted, and `text`
/// begins at the first of them.
#[inline(never)]
pub(crate) fn any_continuation32(text: &[u8], offsets: &[i32], kernel: Kernel) -> bool {
    any_continuation_at(text, offsets, kernel)
}

/// [`any_continuation32`] for offsets of 64 bits.
#[inline(never)]
pub(crate) fn any_continuation64(text: &[u8], offsets: &[i64], kernel: Kernel) -> bool {
    any_continuation_at(text, offsets, kernel)
}

/// [`any_continuation32`] for offsets of both types.
#[inline(always)]
fn any_continuation_at<T: Offset>(text: &[u8], offsets: &[T], kernel: Kernel) -> bool {
    if offsets.len() < KERNEL_MIN_OFFSETS {
        return any_by_one(text, offsets);
    }
    dispatch!(kernel, wide if text.len() >= 3 * WIDE_BYTES,
        scalar => any_by_one(text, offsets),
        |V, token, text, offsets| any_continuation::<V, T>(token, text, offsets))
}

//! The search for row bounds that split a character of UTF-8.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::generic::position::boundaries::{self, any_continuation_one_by_one};

/// The minimum number of offsets for which a kernel is chosen. Fewer offsets are tested one by one.
const KERNEL_MIN_OFFSETS: usize = 32;

/// Returns true if the byte at one of `offsets` is a continuation byte. The offsets are sorted.
/// They count from an earlier byte: `text` begins at `offsets[0]`.
#[inline(never)]
pub(crate) fn any_continuation(text: &[u8], offsets: &[i32], kernel: Kernel) -> bool {
    if offsets.len() < KERNEL_MIN_OFFSETS {
        return any_continuation_one_by_one(text, offsets);
    }
    dispatch!(kernel, wide if text.len() >= 3 * WIDE_BYTES,
        scalar => any_continuation_one_by_one(text, offsets),
        |V, token, text, offsets| boundaries::any_continuation::<V>(token, text, offsets))
}

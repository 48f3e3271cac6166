//! Finds the short texts inside views that are not ASCII.

use crate::swar::words::HIGH_BITS_128;
use crate::types::views::{INLINE_MAX_BYTES, Views, view_parts};

/// Masks of the bytes of a view that hold a short text. The index is the length of the text. The
/// last mask, for longer texts, is 0, because such a text is not in the view.
static INLINE_TEXT_MASKS: [u128; INLINE_MAX_BYTES + 2] = {
    let mut masks = [0; INLINE_MAX_BYTES + 2];
    let mut len = 1;
    while len <= INLINE_MAX_BYTES {
        masks[len] = ((1 << (8 * len)) - 1) << 32;
        len += 1;
    }
    masks
};

/// Sets the bits of `batch` for `views`, which are the first views of the batch. For each view,
/// sets its bit of `suspects` if its text is short and not ASCII, and its bit of `long` if its text
/// is long. Sets `is_ascii` to true if no short text of the batch so far is a suspect.
pub(crate) fn summarize(views: &[u128], batch: &mut Views) {
    let mut any_suspects = 0;
    for (index, &view) in views.iter().enumerate() {
        let (len, ..) = view_parts(view);
        let is_high = view & INLINE_TEXT_MASKS[len.min(INLINE_MAX_BYTES + 1)] & HIGH_BITS_128 != 0;
        let bits = &mut batch.bits[index / 64];
        bits.suspects |= u64::from(is_high) << (index % 64);
        bits.long |= u64::from(len > INLINE_MAX_BYTES) << (index % 64);
        any_suspects |= bits.suspects;
    }
    batch.is_ascii = any_suspects == 0;
}

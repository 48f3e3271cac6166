//! Short texts inside views.

use crate::types::views::{INLINE_MAX_BYTES, Views, view_parts};

/// The bytes of a view that are a short text of this length. There are none for a longer text,
/// which is not in the view.
static TEXT: [u128; INLINE_MAX_BYTES + 2] = {
    let mut masks = [0; INLINE_MAX_BYTES + 2];
    let mut len = 1;
    while len <= INLINE_MAX_BYTES {
        masks[len] = ((1 << (8 * len)) - 1) << 32;
        len += 1;
    }
    masks
};

/// The highest bit of each byte.
const HIGH_BITS_128: u128 = u128::MAX / 0xFF * 0x80;

/// Adds the first views of a batch to `seen`. The suspects are the views whose texts are not ASCII.
pub(crate) fn summarize(views: &[u128], seen: &mut Views) {
    let mut all = 0;
    for (at, &view) in views.iter().enumerate() {
        let (len, ..) = view_parts(view);
        let is_high = view & TEXT[len.min(INLINE_MAX_BYTES + 1)] & HIGH_BITS_128 != 0;
        let bits = &mut seen.bits[at / 64];
        bits.suspects |= u64::from(is_high) << (at % 64);
        bits.long |= u64::from(len > INLINE_MAX_BYTES) << (at % 64);
        all |= bits.suspects;
    }
    seen.is_ascii = all == 0;
}

//! Masks of the first and the last lanes of a vector, for the head and the tail of a text.

use crate::arch::vector::Vector;

/// 64 bytes of 0xFF between zeros. A load at a suitable offset gives a vector with 0xFF in its
/// first or last lanes.
static MASK: [u8; 192] = {
    let mut mask = [0; 192];
    let mut i = 64;
    while i < 128 {
        mask[i] = 0xFF;
        i += 1;
    }
    mask
};

/// Returns 0xFF in the first `lanes` lanes, else 0.
#[inline(always)]
pub(crate) fn first_lanes<V: Vector>(token: V::Token, lanes: usize) -> V {
    V::load(token, &MASK, 128 - lanes)
}

/// Returns 0xFF in the last `lanes` lanes, else 0.
#[inline(always)]
pub(crate) fn last_lanes<V: Vector>(token: V::Token, lanes: usize) -> V {
    V::load(token, &MASK, 64 - V::LANES + lanes)
}

//! Is it all ASCII? Vectors are or-ed together, and one test of the high bits serves 128 bytes.

use crate::arch::Vector;

/// Bytes in front of the first that is not ASCII.
#[inline(always)]
pub(crate) fn valid_up_to<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    let mut at = 0;
    while let Some(block) = src[at..].first_chunk::<128>() {
        if any_high::<V, 128>(token, block) {
            break;
        }
        at += 128;
    }
    while let Some(block) = src[at..].first_chunk::<32>() {
        if any_high::<V, 32>(token, block) {
            break;
        }
        at += 32;
    }
    at + src[at..].iter().position(|byte| !byte.is_ascii()).unwrap_or(src.len() - at)
}

/// Whether any byte of `block` is 80 or more. `N` is a multiple of the lanes.
#[inline(always)]
pub(crate) fn any_high<V: Vector, const N: usize>(token: V::Token, block: &[u8; N]) -> bool {
    let mut all = V::load(token, block, 0);
    let mut at = V::LANES;
    while at < N {
        all = all.or(V::load(token, block, at));
        at += V::LANES;
    }
    all.any_high()
}

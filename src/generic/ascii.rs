//! Is it all ASCII? Vectors are or-ed together, and one test of the high bits serves 128 bytes.

use core::ops::Range;

use crate::arch::Vector;

/// Bytes in front of the first that is not ASCII.
#[inline(always)]
pub(crate) fn valid_up_to<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    let run = run::<V>(token, src);
    run + src[run..].iter().position(|byte| !byte.is_ascii()).unwrap_or(src.len() - run)
}

/// Bytes of the blocks of 64 at the front of `src` that are all ASCII.
#[inline(always)]
pub(crate) fn run<V: Vector>(token: V::Token, src: &[u8]) -> usize {
    let mut at = 0;
    while let Some(block) = src[at..].first_chunk::<64>() {
        if any_high::<V>(token, block, 0..64) {
            break;
        }
        at += 64;
        // A long run: four blocks a test, as long as they last.
        while let Some(block) = src[at..].first_chunk::<256>() {
            if any_high::<V>(token, block, 0..256) {
                break;
            }
            at += 256;
        }
    }
    at
}

/// Whether any byte of `bytes[range]` is 80 or more. The length of the range is a multiple of 64.
#[inline(always)]
pub(crate) fn any_high<V: Vector>(token: V::Token, bytes: &[u8], range: Range<usize>) -> bool {
    let mut all = V::load(token, bytes, range.start);
    let mut at = range.start + V::LANES;
    while at < range.end {
        all = all.or(V::load(token, bytes, at));
        at += V::LANES;
    }
    all.any_high()
}

//! Sums in 16-bit lanes, for counts that add a small number for each unit.
//!
//! 1. In each pass, add the numbers of four groups of `N` vectors to four vectors of sums.
//! 2. After the most passes that no lane can overflow, add the lanes to the total, and clear them.

use crate::arch::lanes16::Lanes16;

/// Vectors of sums in a pass of the loop.
pub(super) const SUM_VECTORS: usize = 4;

/// Adds up whole passes of `text`. A pass is [`SUM_VECTORS`] groups of `N` vectors, and `add` adds
/// the numbers of a group to a vector of sums. No lane overflows after `passes` passes and the
/// vectors after the last one.
///
/// Returns the sums of the last passes, the total of the passes before, and the bytes of all
/// passes.
#[inline(always)]
pub(super) fn passes<V: Lanes16, const N: usize>(
    token: V::Token,
    text: &[u8],
    passes: usize,
    add: impl Fn(V, [V; N]) -> V,
) -> ([V; SUM_VECTORS], usize, usize) {
    let zero = V::splat(token, 0);
    let pass = SUM_VECTORS * N * V::LANES;
    let mut sums = [zero; SUM_VECTORS];
    let (mut at, mut total) = (0, 0);
    while text.len() - at >= pass {
        let end = at + (text.len() - at).min(passes * pass) / pass * pass;
        while at < end {
            let block = &text[at..at + pass];
            let mut k = 0;
            while k < SUM_VECTORS {
                let mut vectors = [zero; N];
                let mut i = 0;
                while i < N {
                    vectors[i] = V::load(token, block, (k * N + i) * V::LANES);
                    i += 1;
                }
                sums[k] = add(sums[k], vectors);
                k += 1;
            }
            at += pass;
        }
        if end + pass <= text.len() {
            total += sum_of(token, &sums);
            sums = [zero; SUM_VECTORS];
        }
    }
    (sums, total, at)
}

/// Returns the sum of all lanes.
#[inline(always)]
pub(super) fn sum_of<V: Lanes16>(token: V::Token, sums: &[V; SUM_VECTORS]) -> usize {
    let low = V::splat16(token, 0xFF);
    let lows = [sums[0].and(low), sums[1].and(low), sums[2].and(low), sums[3].and(low)];
    let highs =
        [sums[0].shr16::<8>(), sums[1].shr16::<8>(), sums[2].shr16::<8>(), sums[3].shr16::<8>()];
    V::sum(&lows) as usize + 256 * V::sum(&highs) as usize
}

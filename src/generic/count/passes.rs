//! Sums in 16-bit lanes, for counts that add a small number for each unit.
//!
//! 1. In each pass, add the counts of four groups of `N` vectors to four vectors of sums.
//! 2. After the largest number of passes in which no lane can overflow, add the lanes to the total,
//!    and clear them.

use crate::arch::lanes16::Lanes16;

/// The number of vectors of sums.
pub(super) const SUM_VECTORS: usize = 4;

/// Sums the counts of all complete passes of `text`. A pass consists of [`SUM_VECTORS`] groups of
/// `N` vectors, and `add` adds the counts of a group to a vector of sums. Callers guarantee: no
/// lane overflows in `passes_max` passes and the vectors after the last pass.
///
/// Returns the sums of the last passes by lane, the total of the passes before them, and the number
/// of bytes in all passes.
#[inline(always)]
pub(super) fn passes<V: Lanes16, const N: usize>(
    token: V::Token,
    text: &[u8],
    passes_max: usize,
    add: impl Fn(V, [V; N]) -> V,
) -> ([V; SUM_VECTORS], usize, usize) {
    let zero = V::splat(token, 0);
    let pass_bytes = SUM_VECTORS * N * V::LANES;
    let mut sums = [zero; SUM_VECTORS];
    let (mut at, mut total) = (0, 0);
    while text.len() - at >= pass_bytes {
        let end = at + (text.len() - at).min(passes_max * pass_bytes) / pass_bytes * pass_bytes;
        while at < end {
            let block = &text[at..at + pass_bytes];
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
            at += pass_bytes;
        }
        if end + pass_bytes <= text.len() {
            total += sum_lanes(token, &sums);
            sums = [zero; SUM_VECTORS];
        }
    }
    (sums, total, at)
}

/// Returns the sum of all lanes.
#[inline(always)]
pub(super) fn sum_lanes<V: Lanes16>(token: V::Token, sums: &[V; SUM_VECTORS]) -> usize {
    let low = V::splat16(token, 0xFF);
    let lows = [sums[0].and(low), sums[1].and(low), sums[2].and(low), sums[3].and(low)];
    let highs =
        [sums[0].shr16::<8>(), sums[1].shr16::<8>(), sums[2].shr16::<8>(), sums[3].shr16::<8>()];
    V::sum(&lows) as usize + 256 * V::sum(&highs) as usize
}

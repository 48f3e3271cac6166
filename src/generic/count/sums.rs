//! Sums in 16-bit lanes, for counts that add a small number for each unit.
//!
//! 1. In each pass, add the counts of four groups of `N` vectors to four vectors of sums.
//! 2. After the largest number of passes in which no lane can overflow, add the lanes to the total,
//!    and clear them.
//! 3. The last vector ends at the end of the text. A mask sets the units that have already been
//!    counted to zero.

use crate::arch::lanes16::Lanes16;
use crate::generic::edge_lanes::last_lanes;
use crate::generic::vectors;
use crate::swar::words;

/// The number of vectors of sums.
const SUM_VECTORS: usize = 4;

/// The maximum number of passes before the lanes are summed. A group adds at most three to a lane,
/// so a lane does not overflow in these passes and the vectors after the last pass.
const PASSES_MAX: usize = 0x5000;

/// Returns the sum of the counts of all units of `text`, and the number of bytes that were counted,
/// which includes the bytes that were masked. `add` adds the counts of a group to a vector of sums.
/// Callers guarantee: `V` has 16 bytes if the text is shorter than a vector.
#[inline(always)]
pub(super) fn sum<V: Lanes16, const N: usize>(
    token: V::Token,
    text: &[u8],
    add: impl Fn(V, [V; N]) -> V,
) -> (usize, usize) {
    let zero = V::splat(token, 0);
    let mut last = [zero; N];
    let group_bytes = N * V::LANES;
    if V::LANES == 16 && text.len() < 16 {
        last[0] = V::from_words(token, words::padded16(text));
        return (V::sum(&[add(zero, last)]) as usize, group_bytes);
    }
    let (mut sums, mut total, mut at) = sum_passes(token, text, &add);
    let has_passes = at > 0;
    while let Some(group) = text.get(at..at + group_bytes) {
        sums[0] = add(sums[0], vectors::load(token, group, 0));
        at += group_bytes;
    }
    let counted = at + group_bytes;
    // The last group has the vectors that are left, and the last vector of the text. A mask clears
    // the units that have already been counted.
    let mut k = 0;
    while k + 1 < N {
        if let Some(vector) = text.get(at..at + V::LANES) {
            last[k] = V::load(token, vector, 0);
            at += V::LANES;
        }
        k += 1;
    }
    last[N - 1] =
        V::load(token, text, text.len() - V::LANES).and(last_lanes::<V>(token, text.len() - at));
    sums[0] = add(sums[0], last);
    if has_passes {
        total += sum_lanes(token, &sums);
    } else {
        // The sum in each lane stays below 256, so the sum of bytes is exact.
        total = V::sum(&[sums[0]]) as usize;
    }
    (total, counted)
}

/// Sums the counts of all complete passes of `text`. A pass consists of [`SUM_VECTORS`] groups.
///
/// Returns the sums of the last passes by lane, the total of the passes before them, and the number
/// of bytes in all passes.
#[inline(always)]
fn sum_passes<V: Lanes16, const N: usize>(
    token: V::Token,
    text: &[u8],
    add: impl Fn(V, [V; N]) -> V,
) -> ([V; SUM_VECTORS], usize, usize) {
    let zero = V::splat(token, 0);
    let pass_bytes = SUM_VECTORS * N * V::LANES;
    let mut sums = [zero; SUM_VECTORS];
    let (mut at, mut total) = (0, 0);
    while text.len() - at >= pass_bytes {
        let end = at + (text.len() - at).min(PASSES_MAX * pass_bytes) / pass_bytes * pass_bytes;
        while at < end {
            let block = &text[at..at + pass_bytes];
            let mut k = 0;
            while k < SUM_VECTORS {
                sums[k] = add(sums[k], vectors::load(token, block, k * N * V::LANES));
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
fn sum_lanes<V: Lanes16>(token: V::Token, sums: &[V; SUM_VECTORS]) -> usize {
    let low = V::splat16(token, 0xFF);
    let lows = [sums[0].and(low), sums[1].and(low), sums[2].and(low), sums[3].and(low)];
    let highs =
        [sums[0].shr16::<8>(), sums[1].shr16::<8>(), sums[2].shr16::<8>(), sums[3].shr16::<8>()];
    V::sum(&lows) as usize + 256 * V::sum(&highs) as usize
}

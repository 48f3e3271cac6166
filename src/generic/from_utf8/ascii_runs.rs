//! Skips runs of ASCII blocks between other blocks, and detects sequences that are incomplete
//! before a run.

use crate::arch::hint::cold_path;
use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::ascii;

/// The bytes before a block that its check also reads, and then the block.
pub(crate) type Block = [u8; LOOKBEHIND_BYTES + STEP];

/// Skips the ASCII blocks at the start of `suffix`. Returns the rest, or `None` if all blocks are
/// ASCII. `suffix` is a suffix of `src`. It and the rest have [`LOOKBEHIND_BYTES`] bytes before
/// their first block.
///
/// There is a branch for each block, except with vectors of 64 lanes. Testing more blocks at a time
/// is slower if ASCII runs have only one or two blocks, as in web pages.
#[inline(always)]
pub(crate) fn skip_ascii_blocks<'a, V: Vector>(
    token: V::Token,
    src: &[u8],
    mut suffix: &'a [u8],
) -> Option<&'a [u8]> {
    while let Some(bytes) = suffix.first_chunk::<{ LOOKBEHIND_BYTES + 2 * STEP }>() {
        let bytes = V::suffix(bytes, LOOKBEHIND_BYTES);
        // A test of a vector of 64 lanes uses the only execution port that writes mask registers,
        // so two blocks share a test.
        if V::LANES == STEP {
            if ascii::any_high_bit::<V>(token, bytes, 0..2 * STEP) {
                if ascii::any_high_bit::<V>(token, bytes, 0..STEP) {
                    // This makes LLVM branch. If it selected the address with a conditional move,
                    // the loads would wait for the masks.
                    cold_path();
                    return Some(suffix);
                }
                return Some(&suffix[STEP..]);
            }
        } else if ascii::any_high_bit::<V>(token, bytes, 0..STEP) {
            return Some(suffix);
        } else if ascii::any_high_bit::<V>(token, V::suffix(bytes, STEP), 0..STEP) {
            return Some(&suffix[STEP..]);
        }
        suffix = &suffix[2 * STEP..];
    }
    // Less than two blocks are left.
    if let Some(bytes) = suffix.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>() {
        if ascii::any_high_bit::<V>(token, V::suffix(bytes, LOOKBEHIND_BYTES), 0..STEP) {
            return Some(suffix);
        }
        suffix = &suffix[STEP..];
    }
    if suffix.len() <= LOOKBEHIND_BYTES {
        return None;
    }
    match src.last_chunk::<STEP>() {
        Some(last) if !ascii::any_high_bit::<V>(token, last, 0..STEP) => None,
        _ => Some(suffix),
    }
}

/// Returns the lane-wise maximum of the vectors of the block at the start of `bytes`.
#[inline(always)]
pub(crate) fn largest<V: Vector>(token: V::Token, bytes: &[u8]) -> V {
    let mut largest = V::load(token, bytes, 0);
    let mut at = V::LANES;
    while at < STEP {
        largest = largest.max(V::load(token, bytes, at));
        at += V::LANES;
    }
    largest
}

/// Returns a vector with a lane that is not zero if the first three bytes of `bytes` end inside a
/// sequence. ASCII follows these bytes, so the sequence is incomplete. `bytes` has at least
/// `V::LANES` bytes.
#[inline(always)]
pub(crate) fn incomplete_before<V: Vector>(token: V::Token, bytes: &[u8]) -> V {
    V::load(token, bytes, 0).saturating_sub(V::load(token, &COMPLETE_BEFORE, 0))
}

/// The limits of three bytes: if each byte is at most its limit, no sequence continues after them.
/// The other limits are 0xFF, which allows any byte.
static COMPLETE_BEFORE: [u8; 64] = {
    let mut limits = [0xFF; 64];
    [limits[0], limits[1], limits[2]] = [0xEF, 0xDF, 0xBF];
    limits
};

/// The limits for each position of a block that must end with a complete sequence, and then 64
/// limits of 0xFF for a block that may end inside a sequence.
static COMPLETE: [u8; 128] = {
    let mut limits = [0xFF; 128];
    [limits[61], limits[62], limits[63]] = [0xEF, 0xDF, 0xBF];
    limits
};

/// Returns a vector with a lane that is not zero if the text ends inside a sequence. `last` is the
/// last vector of the text.
#[inline(always)]
pub(crate) fn incomplete_at_end<V: Vector>(token: V::Token, last: V) -> V {
    last.saturating_sub(V::load(token, &COMPLETE, 64 - V::LANES))
}

/// Returns a vector with a lane that is not zero if `block` ends inside a sequence. If bit 6 of
/// `may_continue` is set, the sequence may continue after the block, and all lanes are zero: the
/// value of this bit, 64, is the offset of the limits that allow any byte.
#[inline(always)]
pub(crate) fn incomplete_at_end_of_block<V: Vector>(
    token: V::Token,
    block: &[u8; LOOKBEHIND_BYTES + STEP],
    may_continue: u32,
) -> V {
    let last = V::load(token, block, LOOKBEHIND_BYTES + STEP - V::LANES);
    let at = (may_continue as usize & 64) + 64 - V::LANES;
    last.saturating_sub(V::load(token, &COMPLETE, at))
}

//! Skips runs of ASCII blocks between other blocks, and detects sequences that are incomplete
//! before a run.

use crate::arch::hint::cold_path;
use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::ascii;

/// A block, after the bytes that its check looks back to.
pub(crate) type Block = [u8; LOOKBEHIND_BYTES + STEP];

/// Skips the ASCII blocks at the start of `ahead`, a suffix of `src` that begins with
/// [`LOOKBEHIND_BYTES`] bytes before the first block. Returns `None` if all blocks are ASCII.
///
/// There is a branch for each block, except with vectors of 64 lanes. Testing more blocks at a time
/// is slower if ASCII runs have only one or two blocks, as in web pages.
#[inline(always)]
pub(crate) fn ascii_blocks<'a, V: Vector>(
    token: V::Token,
    src: &[u8],
    ahead: &'a [u8],
) -> Option<&'a [u8]> {
    match ascii_blocks_and_largest::<V>(token, src, ahead) {
        Some((rest, _)) => Some(rest),
        None => None,
    }
}

/// Does the same as [`ascii_blocks`], and also returns the largest bytes of the block after the
/// ASCII blocks, which the test for ASCII has computed. If that block is not whole, they are all
/// 0xFF.
#[inline(always)]
pub(crate) fn ascii_blocks_and_largest<'a, V: Vector>(
    token: V::Token,
    src: &[u8],
    mut ahead: &'a [u8],
) -> Option<(&'a [u8], V)> {
    loop {
        let Some(bytes) = ahead.first_chunk::<{ LOOKBEHIND_BYTES + 2 * STEP }>() else {
            return last_ascii_blocks::<V>(token, src, ahead);
        };
        let bytes = V::suffix(bytes, LOOKBEHIND_BYTES);
        // A test of a vector of 64 lanes occupies the only unit for masks, so two blocks share a
        // test.
        if V::LANES == STEP {
            if ascii::any_high::<V>(token, bytes, 0..2 * STEP) {
                if ascii::any_high::<V>(token, bytes, 0..STEP) {
                    // This makes LLVM branch. If it selected the address with a conditional move,
                    // the loads would wait for the masks.
                    cold_path();
                    return Some((ahead, V::load(token, bytes, 0)));
                }
                return Some((&ahead[STEP..], V::load(token, bytes, STEP)));
            }
            ahead = &ahead[2 * STEP..];
            continue;
        }
        let first = largest::<V>(token, bytes);
        if first.any_high() {
            return Some((ahead, first));
        }
        let second = largest::<V>(token, V::suffix(bytes, STEP));
        if second.any_high() {
            return Some((&ahead[STEP..], second));
        }
        ahead = &ahead[2 * STEP..];
    }
}

/// Does the work of [`ascii_blocks_and_largest`] if less than two blocks are left.
#[inline(always)]
fn last_ascii_blocks<'a, V: Vector>(
    token: V::Token,
    src: &[u8],
    mut ahead: &'a [u8],
) -> Option<(&'a [u8], V)> {
    if let Some(bytes) = ahead.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>() {
        let largest = largest::<V>(token, V::suffix(bytes, LOOKBEHIND_BYTES));
        if largest.any_high() {
            return Some((ahead, largest));
        }
        ahead = &ahead[STEP..];
    }
    if ahead.len() <= LOOKBEHIND_BYTES {
        return None;
    }
    match src.last_chunk::<STEP>() {
        Some(last) if !ascii::any_high::<V>(token, last, 0..STEP) => None,
        _ => Some((ahead, V::splat(token, 0xFF))),
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
/// sequence. ASCII follows these bytes, so the sequence is incomplete. `bytes` has at least a
/// vector.
#[inline(always)]
pub(crate) fn incomplete_before<V: Vector>(token: V::Token, bytes: &[u8]) -> V {
    V::load(token, bytes, 0).saturating_sub(V::load(token, &COMPLETE_BEFORE, 0))
}

/// The largest values of three bytes after which no sequence continues. The entries after them are
/// 0xFF, which every byte satisfies.
static COMPLETE_BEFORE: [u8; 64] = {
    let mut most = [0xFF; 64];
    [most[0], most[1], most[2]] = [0xEF, 0xDF, 0xBF];
    most
};

/// The largest bytes of a block that ends with a complete sequence, followed by a block of 0xFF for
/// a block that may end inside a sequence.
static COMPLETE: [u8; 128] = {
    let mut most = [0xFF; 128];
    [most[61], most[62], most[63]] = [0xEF, 0xDF, 0xBF];
    most
};

/// Returns a vector with a lane that is not zero if the text ends inside a sequence. `last` is the
/// last vector of the text.
#[inline(always)]
pub(crate) fn incomplete_at_end<V: Vector>(token: V::Token, last: V) -> V {
    last.saturating_sub(V::load(token, &COMPLETE, 64 - V::LANES))
}

/// Returns a vector with a lane that is not zero if `block` ends inside a sequence. If bit 6 of
/// `may_continue` is set, the sequence may continue after the block, and all lanes are zero.
#[inline(always)]
pub(crate) fn incomplete_at_end_unless<V: Vector>(
    token: V::Token,
    block: &[u8; LOOKBEHIND_BYTES + STEP],
    may_continue: u32,
) -> V {
    let last = V::load(token, block, LOOKBEHIND_BYTES + STEP - V::LANES);
    let at = (may_continue as usize & 64) + 64 - V::LANES;
    last.saturating_sub(V::load(token, &COMPLETE, at))
}

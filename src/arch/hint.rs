//! Hints to the compiler.
//!
//! Taken jumps are a considerable cost in calls for a few hundred bytes: on Zen 4, each taken jump
//! ends a cycle of instruction fetching.

use crate::arch::vector::Vector;

/// Marks a path that few calls take. LLVM moves this path behind the others, which then need no
/// jump, and does not merge the conditions before and after the mark.
///
/// The mark has an effect only at the start of a branch. It has none inside a nested condition,
/// even if that condition is constant.
#[cold]
#[inline]
pub(crate) fn cold_path() {}

/// Returns `condition`. The path of a true condition is marked as with [`cold_path`].
///
/// With vectors of 64 lanes, the function sets no mark: such marks made AVX-512 functions slower.
#[inline(always)]
pub(crate) fn rare<V: Vector>(condition: bool) -> bool {
    if V::LANES != 64 && condition {
        cold_path();
        return true;
    }
    condition
}

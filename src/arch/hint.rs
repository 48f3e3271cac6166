//! Hints to the compiler.
//!
//! Taken jumps are a relevant cost in calls for a few hundred bytes: on Zen 4, each of them ends a
//! cycle of instruction fetching.

use crate::arch::vector::Vector;

/// Marks a path that few calls take. LLVM moves it out of the way, so the other paths need no jump,
/// and does not merge the conditions before and after it.
///
/// It has an effect only at the start of a branch, not inside a nested condition, even a constant
/// one.
#[cold]
#[inline]
pub(crate) fn cold_path() {}

/// Returns `condition`, and marks the path where it is true as [`cold_path`] does.
///
/// With vectors of 64 lanes it only returns `condition`: such hints made functions of AVX-512
/// slower.
#[inline(always)]
pub(crate) fn rare<V: Vector>(condition: bool) -> bool {
    if V::LANES != 64 && condition {
        cold_path();
        return true;
    }
    condition
}

//! Hints to the compiler.
//!
//! In calls for a few hundred bytes, jumps that are taken count: on Zen 4, each of them ends a
//! cycle of fetching instructions, as each line of 64 bytes of code does.

use crate::arch::vector::Vector;

/// Marks a path that few calls take. The compiler lays it out apart from the others, which then
/// fall through, and doesn't merge the conditions before and after it.
///
/// It has an effect only at the start of a branch: not inside another condition there, even if that
/// is constant.
#[cold]
#[inline]
pub(crate) fn cold_path() {}

/// Returns `condition`, and marks the path where it is true as [`cold_path`] does.
///
/// With vectors of 64 lanes it only returns it: functions of AVX-512 were slower for such hints.
#[inline(always)]
pub(crate) fn rare<V: Vector>(condition: bool) -> bool {
    if V::LANES != 64 && condition {
        cold_path();
        return true;
    }
    condition
}

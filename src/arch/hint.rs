//! A hint to the compiler.

/// Marks a path that few calls take. The compiler lays it out apart from the others, which then
/// fall through, and doesn't merge the conditions before and after it.
///
/// In calls for a few hundred bytes, jumps that are taken count: on Zen 4, each of them ends a
/// cycle of fetching instructions, as each line of 64 bytes of code does.
#[cold]
#[inline]
pub(crate) fn cold_path() {}

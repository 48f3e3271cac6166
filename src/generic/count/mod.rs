//! Counts, lengths and summaries.

pub(crate) mod cesu8;
#[cfg(feature = "alloc")]
pub(crate) mod index;
pub(crate) mod summary;
mod sums;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf8;
pub(crate) mod wide;

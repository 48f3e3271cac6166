//! Conversions between byte offsets and counts.

pub(crate) mod many;
#[cfg(feature = "columns")]
pub(crate) mod prefix;
pub(crate) mod utf16;
pub(crate) mod utf8;

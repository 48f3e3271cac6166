//! Positions: offsets from counts.

pub(crate) mod many;
pub(crate) mod utf16;
pub(crate) mod utf8;

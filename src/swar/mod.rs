//! SWAR (SIMD within a register): tests and conversions of texts too short for vectors, eight bytes
//! to a word.

pub(crate) mod select;
pub(crate) mod units;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod words;

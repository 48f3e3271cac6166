//! SWAR (SIMD within a register): tests and conversions of texts that are too short for vectors. A
//! word holds eight bytes.

pub(crate) mod select;
pub(crate) mod units;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod words;

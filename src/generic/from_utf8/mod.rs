//! Validation of UTF-8, and conversions from UTF-8.

pub(crate) mod ascii_runs;
#[cfg(feature = "stream")]
pub(crate) mod blocks;
pub(crate) mod check;
#[cfg(feature = "stream")]
pub(crate) mod chunk;
#[cfg(feature = "count")]
pub(crate) mod copy;
#[cfg(feature = "count")]
pub(crate) mod decode;
pub(crate) mod error_tables;
#[cfg(feature = "count")]
pub(crate) mod fits_latin1;
pub(crate) mod groups;
#[cfg(feature = "count")]
pub(crate) mod to_latin1;
#[cfg(avx512)]
pub(crate) mod to_latin1_masked;
#[cfg(feature = "count")]
pub(crate) mod to_utf16;
#[cfg(feature = "count")]
pub(crate) mod to_utf32;
pub(crate) mod two_byte;

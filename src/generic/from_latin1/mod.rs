//! Conversions from Latin-1 and ASCII.

pub(crate) mod to_utf8;
#[cfg(avx512)]
pub(crate) mod to_utf8_masked;
pub(crate) mod widen;

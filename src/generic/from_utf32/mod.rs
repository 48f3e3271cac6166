//! Validation of UTF-32, and conversions from UTF-32.

pub(crate) mod check;
#[cfg(feature = "count")]
pub(crate) mod convert;
#[cfg(feature = "count")]
pub(crate) mod copy;
#[cfg(feature = "count")]
pub(crate) mod singles;
#[cfg(feature = "count")]
pub(crate) mod swap;
#[cfg(feature = "count")]
pub(crate) mod to_utf16;
#[cfg(feature = "count")]
pub(crate) mod to_utf8;
